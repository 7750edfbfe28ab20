"""The selector behind a recipe's name does not choose exactly one of its variants.

A selector that names nothing, or an index past the end, is refused when the recipe is submitted. Without a selector a
recipe with variants is submitted once for each of them, while the launcher follows one job. On a recipe without
variants a selector is ignored: what runs is not what the row says.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import CONSUMER, DECLARED, ERROR, HIGH, MATRIX, WARNING, Document, Location, Verdict, rule


@rule(
    id="recipe-selector-invalid",
    severity=ERROR,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: two variants, counted from 0 --
== configs/x-master.yaml
tiny: {image: "a/b:1", model: m, model-prefix: tiny, runner: alpha, precision: fp8, framework: vllm, multinode: true,
  disagg: true, scenarios: {fixed-seq-len: [{isl: 1024, osl: 1024, search-space: [{conc-list: [1],
  prefill: {num-worker: 1, tp: 1, ep: 1, dp-attn: false,
    additional-settings: ["CONFIG_FILE=r.yaml:zip_override_low[2]"]},  #! recipe-selector-invalid
  decode: {num-worker: 1, tp: 1, ep: 1, dp-attn: false}}]}]}}
== runners/launch_alpha.sh
srtctl apply -f "$CONFIG_FILE"
== r.yaml
base: {name: a}
zip_override_low: {nodes: [1, 2]}
-- good: no variants, no selector --
== runners/launch_alpha.sh
srtctl apply -f "$CONFIG_FILE"
== recipes/a.yaml
name: a
""",
)
def recipe_selector_invalid(document: Document) -> Iterator[Verdict]:
    """The cause is the setting with the selector, the victim the recipe."""
    fault, sink = document.selector_fault, document.outcome.sink
    if fault is not None and sink is not None and sink.config is not None:
        launch = document.launch
        yield document.instance(
            f"{document.given}: {fault}",
            cause=Location(launch.named_at(sink.config), MATRIX),
            victim=Location(document.top or launch.row, DECLARED),
            related=[Location(sink.at, CONSUMER)],
            key=document.given or "",
            severity=WARNING if fault.ignored else ERROR,
        )

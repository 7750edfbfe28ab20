"""Shell text that bash does not parse.

A script ends at the fault, after the lines before it have run; a launcher that starts so takes no job. What a shell
parses later is checked too, as far as it is known: arguments of `bash -c`, here-documents for a shell, and the steps of
workflows. Bash itself has the last word: it reads the text without running it. Medium precision: where there is no bash
to ask, so that only our own parser's doubt is left, and where a part of the text is not known before it runs.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import ERROR, HIGH, MEDIUM, OTHER, VALUE, Location, Repository, Verdict, rule


@rule(
    id="bash-syntax",
    severity=ERROR,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: an arm without its end --
== benchmarks/run.sh
case "$MODE" in
  a) N=1
  b) N=2 ;;  #! bash-syntax
esac
-- bad: only the inner shell sees it --
== runners/launch_a.sh
srun bash -c '
  if [ -f x ]; then
    echo found  #! bash-syntax
'
-- good: odd, but bash --
== benchmarks/run.sh
cat <<'EOF' | grep "it's" || true
if then (
EOF
""",
)
def bash_syntax(repository: Repository) -> Iterator[Verdict]:
    """Everything that bash refuses."""
    for one, entries in repository.unparsable():
        yield repository.instance(
            f"bash does not parse {one.what}: {one.message}",
            cause=Location(one.place, VALUE),
            related=[Location(place, OTHER, what) for place, what in one.hints],
            precision=None if one.sure else MEDIUM,
            entries=entries,
        )

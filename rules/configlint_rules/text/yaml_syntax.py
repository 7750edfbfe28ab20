"""A YAML file that no reader reads.

What the file holds is gone as a whole: of a matrix every entry, of a recipe every job that submits it. Files with
unknown tags or several documents are fine, and so are templates that become YAML later.
"""

from __future__ import annotations

from collections.abc import Iterator

from configlint.api import ERROR, HIGH, OTHER, VALUE, Location, Place, Repository, Verdict, rule


@rule(
    id="yaml-syntax",
    severity=ERROR,
    precision=HIGH,
    since="0.1",
    examples="""
-- bad: a conflict that was never resolved --
== configs/x-master.yaml
tiny:
  image: a/b:1
<<<<<<< HEAD
  model: m  #! yaml-syntax
=======
  model: n
>>>>>>> other
-- good: unknown tags and several documents --
== deploy.yaml
a: !local [1]
---
b: 2
""",
)
def yaml_syntax(repository: Repository) -> Iterator[Verdict]:
    """The faults of every YAML file of the tree."""
    for path in repository.files(".yaml", ".yml"):
        file = repository.yaml(path)
        if file is None or not file.faults or repository.is_template(path):
            continue
        for fault in file.faults:
            at = Place(file.text, fault.span)
            if fault.limit or repository.reads_otherwise(path):
                yield repository.unknown(fault.message, at)
            else:
                lost = "no entry of it can run" if path in repository.matrices else "nothing of it can be used"
                around = [fault.related, file.top_level(fault.span.start)]
                yield repository.instance(
                    f"the file cannot be read, so {lost}: {fault.message}",
                    cause=Location(at, VALUE),
                    related=[Location(Place(file.text, span), OTHER) for span in around if span],
                    entries=repository.naming(path),
                )

"""``awk``: not modelled yet; an opaque filter and an undecided predicate."""

from configlint.launch.calls import Call, Handler


def _awk(call: Call) -> None:
    call.emit_unknown()
    call.undecided()


HANDLERS: dict[str, Handler] = {"awk": _awk, "gawk": _awk}

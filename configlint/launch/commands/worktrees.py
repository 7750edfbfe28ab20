"""What git does to the files of a checkout: it puts back what a revision holds, and removes what it does not."""

from __future__ import annotations

from configlint.launch.calls import Call
from configlint.launch.conditions import absolute
from configlint.launch.files import Cleaned, Copied, Files, Mount, below
from configlint.launch.values import UNKNOWN
from configlint.source.trees import Kind, Tree

_GLOB = "*?[:"


def mounted(files: Files, directory: str) -> Mount | None:
    """The tree that a directory of a checkout belongs to."""
    return next((one for one in files.layers() if isinstance(one, Mount) and below(directory, one.prefix)), None)


def is_path(call: Call, text: str, directory: str) -> bool:
    """True if an operand of ``git checkout`` is surely a path: it names something that the revision holds."""
    mount = mounted(call.state.files, directory)
    if text in (".", "..") or text.startswith(("./", "../", "/")):
        return True
    return mount is not None and mount.tree is not None and _kind(call, text, directory, mount) is not Kind.ABSENT


def _kind(call: Call, text: str, directory: str, mount: Mount) -> Kind:
    assert mount.tree is not None
    path = absolute(f"{directory}/{text}", call.state)
    if path == mount.prefix:
        return Kind.DIRECTORY
    return mount.tree.kind(path[len(mount.prefix) + 1 :]) if below(path, mount.prefix) else Kind.ABSENT


def restore(call: Call, directory: str, operands: list[str] | None, tree: Tree | None = None) -> None:
    """Files of the checkout are again as the revision (``tree``, or the one checked out) holds them.

    ``operands``: only what they name; None: everything. A pattern among them leaves the checkout unknown.
    """
    state = call.state
    mount = mounted(state.files, directory)
    call.ok()
    if mount is None:
        call.assumed()
        return
    source = Mount(mount.prefix, tree if tree is not None else mount.tree)
    if operands is None or any(character in one for one in operands for character in _GLOB) or UNKNOWN in str(operands):
        unclear = operands is not None
        base = Files(Files(), Mount(mount.prefix, None) if unclear else source)
        state.files = state.files.with_layer(Copied(mount.prefix, mount.prefix, base, call.place))
        return
    for operand in operands:
        path = absolute(operand if operand.startswith("/") else f"{directory}/{operand}", state)
        if not below(path, mount.prefix):
            call.assumed()
        elif source.tree is not None and _kind(call, operand, directory, source) is Kind.ABSENT:
            call.fail(f"git: the revision does not hold {operand}")
        else:
            state.files = state.files.with_layer(Copied(path, path, Files(Files(), source), call.place))


def clean(call: Call, directory: str, words: list[str]) -> None:
    """``git clean``: what the revision does not hold is removed."""
    letters = {letter for word in words if word.startswith("-") and not word.startswith("--") for letter in word[1:]}
    long = {word for word in words if word.startswith("--")}
    operands = [word for word in words if not word.startswith("-")]
    mount = mounted(call.state.files, directory)
    call.ok()
    if "n" in letters or "--dry-run" in long:
        call.emit_unknown()
    elif not ("f" in letters or "--force" in long):
        call.undecided()  # it refuses, unless the configuration says otherwise
    elif mount is None or "e" in letters or any(word.startswith("--exclude") for word in long) or "X" in letters:
        call.assumed()
    else:
        ignores = mount.tree is None or any(path.endswith(".gitignore") for path in mount.tree.files())
        sure = "x" in letters or not ignores
        for operand in operands or ["."]:
            path = absolute(f"{directory}/{operand}", call.state)
            if below(path, mount.prefix):
                layer = Cleaned(path, mount.prefix, mount.tree, "d" in letters, sure, call.place)
                call.state.files = call.state.files.with_layer(layer)

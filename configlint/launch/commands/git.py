"""``git``: which revision of which repository stands where."""

from __future__ import annotations

import re
from dataclasses import replace

from configlint.launch.calls import Call, Handler
from configlint.launch.commands.worktrees import clean, is_path, restore
from configlint.launch.conditions import absolute
from configlint.launch.files import Files, Mount, below
from configlint.launch.outcome import Clone
from configlint.launch.state import State
from configlint.launch.values import UNKNOWN, shown
from configlint.source.trees import Tree

_GLOBAL_WITH_VALUE = {"-C", "-c", "--git-dir", "--work-tree"}
_CLONE_WITH_VALUE = frozenset(
    """
    -b --branch --depth -o --origin -c --config -j --jobs --reference --filter --template -u --upload-pack
    --shallow-since --separate-git-dir
    """.split()
)
_COMMIT = re.compile(r"[0-9a-f]{7,40}")


def _git(call: Call) -> None:
    index, directory = 1, call.state.cwd
    while index < len(call.words):
        text = call.text(index) or ""
        if text == "-C" and index + 1 < len(call.words):
            directory = absolute(call.text(index + 1) or ".", call.state)
            index += 2
        elif text in _GLOBAL_WITH_VALUE:
            index += 2
        elif text.startswith("-"):
            index += 1
        else:
            break
    command = call.text(index) if index < len(call.words) else None
    rest = [call.text(i) for i in range(index + 1, len(call.words))]
    if any(one is None for one in rest):
        call.assumed()
        call.emit_unknown()
        return
    words = [one for one in rest if one is not None]
    if command == "clone":
        _clone(call, words)
    elif command in ("checkout", "switch"):
        _checkout(call, words, directory)
    elif command == "reset":
        _reset(call, words, directory)
    elif command == "restore":
        _restore(call, words, directory)
    elif command == "clean":
        clean(call, directory, words)
    elif command == "rev-parse":
        _rev_parse(call, words, directory)
    elif command in ("apply", "am", "cherry-pick", "merge", "rebase", "revert", "pull"):
        _patched(call, directory, command)
    else:
        call.emit_unknown()
        call.assumed()


def _clone(call: Call, words: list[str]) -> None:
    branch: str | None = None
    operands: list[str] = []
    index = 0
    while index < len(words):
        word = words[index]
        if word in ("-b", "--branch") and index + 1 < len(words):
            branch = words[index + 1]
        elif word.startswith("--branch="):
            branch = word.partition("=")[2]
        elif not word.startswith("-"):
            operands.append(word)
        index += 2 if word in _CLONE_WITH_VALUE else 1
    if not operands:
        call.assumed()
        return
    url = operands[0]
    name = url.rstrip("/").rsplit("/", 1)[-1].removesuffix(".git")
    directory = absolute(operands[1] if len(operands) > 1 else name, call.state)
    if UNKNOWN in url or (branch is not None and UNKNOWN in branch):
        call.state.files = call.state.files.with_layer(Mount(directory, None))
        clone = Clone(shown(url), shown(branch or "HEAD"), call.place, call.place, directory, None, branch is None)
    else:
        answer = call.machine.world.ref(url, branch)
        call.state.files = call.state.files.with_layer(Mount(directory, answer.tree))
        ref = branch if branch is not None else answer.name or "HEAD"
        clone = Clone(url, ref, call.place, call.place, directory, answer.commit, branch is None)
    call.state.clones = (*call.state.clones, clone)
    call.assumed(f"git clone {shown(url)} succeeds")
    call.state.status = 0


def _position(state: State, directory: str) -> int | None:
    """The clone that a directory lies in."""
    found = [i for i, clone in enumerate(state.clones) if below(directory, clone.directory)]
    return found[-1] if found else None


def _checkout(call: Call, words: list[str], directory: str) -> None:
    operands: list[str] = []
    if "--" in words:
        at = words.index("--")
        words, operands = words[:at], words[at + 1 :]
    targets = [word for word in words if not word.startswith("-")]
    if any(word in ("-b", "-B", "--orphan", "-c", "-C") for word in words):
        targets = targets[1:]
    elif not operands and targets and all(is_path(call, word, directory) for word in targets):
        targets, operands = [], targets
    if operands:
        _restore_from(call, targets, operands, directory)
        return
    if len(targets) != 1:
        call.assumed()
        return
    _move_to(call, targets[0], directory)


def _restore_from(call: Call, revisions: list[str], operands: list[str], directory: str) -> None:
    """``git checkout [REVISION] -- PATHS``."""
    revision = revisions[0] if revisions else "HEAD"
    at = _position(call.state, directory)
    if revision == "HEAD":
        restore(call, directory, operands)
    elif at is not None:
        clone = call.state.clones[at]
        known = UNKNOWN not in revision and UNKNOWN not in clone.url and "{?" not in clone.url
        tree = call.machine.world.ref(clone.url, revision.removeprefix("origin/")).tree if known else None
        restore(call, directory, operands if tree is not None else ["*"], tree)
    else:
        call.assumed()


def _restore(call: Call, words: list[str], directory: str) -> None:
    """``git restore [--source=REVISION] PATHS``."""
    operands = [word for word in words if not word.startswith("-")]
    options = [word for word in words if word.startswith("-") and word not in ("--", "-W", "--worktree")]
    if options or not operands:
        call.assumed()
    else:
        _restore_from(call, [], operands, directory)


def _reset(call: Call, words: list[str], directory: str) -> None:
    """``git reset --hard [REVISION]`` puts back every file; without it, only what git remembers changes."""
    revisions = [word for word in words if not word.startswith("-")]
    hard = "--hard" in words
    if revisions and (hard or not is_path(call, revisions[0], directory)):
        _move_to(call, revisions[-1], directory)
    else:
        call.ok()
    if hard and call.state.clones:
        status = call.state.status
        restore(call, directory, None)
        call.state.status = status


def _move_to(call: Call, ref: str, directory: str) -> None:
    state = call.state
    at = _position(state, directory)
    if at is None:
        call.assumed()
        return
    clone = state.clones[at]
    ref = ref.removeprefix("origin/") if ref.startswith("origin/") else ref
    if UNKNOWN in ref or UNKNOWN in clone.url or "{?" in clone.url:
        tree, commit = None, None
    elif ref in ("HEAD", "FETCH_HEAD", "ORIG_HEAD"):
        call.assumed()
        return
    else:
        answer = call.machine.world.ref(clone.url, ref)
        tree, commit = answer.tree, answer.commit
    moved = replace(clone, ref=shown(ref), named_at=call.place, commit=commit, is_default=False)
    state.clones = (*state.clones[:at], moved, *state.clones[at + 1 :])
    state.files = _remount(state.files, clone.directory, tree)
    call.assumed(f"git checkout {shown(ref)} succeeds")
    state.status = 0


def _remount(files: Files, directory: str, tree: Tree | None) -> Files:
    """The same layers with another revision in the clone: what was put into it since stays on top."""
    layers = list(reversed(files.layers()))
    at = max((i for i, one in enumerate(layers) if isinstance(one, Mount) and one.prefix == directory), default=None)
    if at is None:
        return files.with_layer(Mount(directory, tree))
    rebuilt = files
    for _ in range(len(layers) - at):
        assert rebuilt.parent is not None
        rebuilt = rebuilt.parent
    for layer in (Mount(directory, tree), *layers[at + 1 :]):
        rebuilt = rebuilt.with_layer(layer)
    return rebuilt


def _rev_parse(call: Call, words: list[str], directory: str) -> None:
    at = _position(call.state, directory)
    if words[-1:] == ["HEAD"] and at is not None:
        clone = call.state.clones[at]
        commit = clone.commit or (clone.ref if _COMMIT.fullmatch(clone.ref) and len(clone.ref) == 40 else None)
        if commit is not None and "--short" not in words:
            call.emit(commit + "\n")
            call.ok()
            return
    call.emit_unknown()
    call.assumed()


def _patched(call: Call, directory: str, command: str) -> None:
    """Patches on top of a checkout: the program may differ from the revision, documents as well."""
    at = _position(call.state, directory)
    if at is not None:
        clone = call.state.clones[at]
        patched = (*clone.patched, f"git {command}")
        call.state.clones = (*call.state.clones[:at], replace(clone, patched=patched), *call.state.clones[at + 1 :])
    call.emit_unknown()
    call.assumed()


HANDLERS: dict[str, Handler] = {"git": _git}

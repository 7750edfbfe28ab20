"""Commands on files: copies, directories, removals, searches."""

from __future__ import annotations

from configlint.launch import patterns
from configlint.launch.calls import Call, Handler, States
from configlint.launch.conditions import absolute
from configlint.launch.fields import is_open_glob
from configlint.launch.files import Copied, Found, MadeDirectory, Placed, Removed, Status, Tainted, Written, below
from configlint.launch.outcome import Edit, FileUse
from configlint.launch.redirections import note_read
from configlint.launch.texts import written
from configlint.launch.values import UNKNOWN, options, unknown

_CP_WITH_VALUE = {"-t", "--target-directory", "-S", "--suffix"}


class Options:
    """The short letters, long names and operand indexes of a call."""

    def __init__(self, call: Call, with_value: set[str]) -> None:
        self.letters: set[str] = set()
        self.long: set[str] = set()
        self.values: dict[str, int] = {}
        self.operands: list[int] = []
        index, only_operands = 1, False
        while index < len(call.words):
            word = call.words[index]
            text = word if isinstance(word, str) else ""
            if only_operands or not text.startswith("-") or text == "-":
                self.operands.append(index)
            elif text == "--":
                only_operands = True
            elif text in with_value:
                self.values[text] = index + 1
                index += 1
            elif text.startswith("--"):
                self.long.add(text.partition("=")[0])
            else:
                self.letters |= set(text[1:])
            index += 1


def _cp(call: Call) -> None:
    _copy(call, move=False)


def _mv(call: Call) -> None:
    _copy(call, move=True)


def _copy(call: Call, *, move: bool) -> None:
    given = Options(call, _CP_WITH_VALUE)
    target_option = given.values.get("-t") or given.values.get("--target-directory")
    operands = given.operands if target_option is None else [*given.operands, target_option]
    if len(operands) < 2:
        call.fail(f"{call.name}: too few operands")
        return
    *sources, target = operands
    recursive = move or bool(given.letters & set("rRa")) or bool(given.long & {"--recursive", "--archive"})
    merge = "T" in given.letters or "--no-target-directory" in given.long
    call.ok()
    for source in sources:
        for option in options(call.words[target]):
            _copy_one(call, given, source, call.machine.force(option), target, recursive, merge, move)


def _copy_one(
    call: Call, given: Options, source: int, target: str, target_index: int, recursive: bool, merge: bool, move: bool
) -> None:
    state = call.state
    text = call.text(source)
    destination = absolute(target, state)
    if text is None or is_open_glob(text):
        state.files = state.files.with_layer(Tainted(destination))
        call.assumed()
        return
    origin = absolute(text, state)
    found = state.files.lookup(origin)
    exists = None if found.status is Status.UNKNOWN else found.status is not Status.ABSENT
    call.machine.use(state, FileUse("copy", call.name, call.place, call.cell(source), origin, exists))
    note_read(call.machine, origin)
    if exists is False:
        call.fail(f"{call.name}: no such file or directory: {text}")
        return
    there = state.files.lookup(destination)
    if not merge and (there.status is Status.DIRECTORY or target.endswith("/")):
        destination = f"{destination}/{origin.rsplit('/', 1)[-1]}"
        there = state.files.lookup(destination)
    if there.status is Status.ABSENT and _parent_is_absent(call, destination):
        call.fail(f"{call.name}: {target}: no such directory")
        return
    if given.letters & set("nu") and there.status is not Status.ABSENT:
        if there.status is Status.UNKNOWN or "u" in given.letters:
            state.files = state.files.with_layer(Tainted(destination))
        return
    if found.status is Status.DIRECTORY:
        if not recursive:
            call.fail(f"{call.name}: {text} is a directory")
            return
        base = state.files
        state.files = base.with_layer(Copied(destination, origin, base))
    elif found.status is Status.FILE:
        _place_file(call, found, destination, there, target_index)
    else:
        state.files = state.files.with_layer(Tainted(destination))
        state.status = state.status if state.status else None
    if move and exists:
        state.files = state.files.with_layer(Removed(origin))


def _place_file(call: Call, found: Found, destination: str, there: Found, target_index: int) -> None:
    state, world = call.state, call.machine.world
    before = world.content(there) if there.status is Status.FILE else None
    after = world.content(found)
    command = call.place.text.slice(call.node.span)
    edit = Edit("copy", destination, call.place, command, before, after, operand=call.cell(target_index))
    call.machine.record(state, edit)
    state.files = state.files.with_layer(Placed(destination, found))


def _mkdir(call: Call) -> None:
    given = Options(call, {"-m", "--mode"})
    parents = "p" in given.letters or "--parents" in given.long
    call.ok()
    for index in given.operands:
        for option in options(call.words[index]):
            _make_directory(call, call.machine.force(option), parents=parents)


def _make_directory(call: Call, text: str, *, parents: bool) -> None:
    files, path = call.state.files, absolute(text, call.state)
    status = files.lookup(path).status
    if status is Status.UNKNOWN:
        if call.machine.world.tree_path(path) is None:
            if call.state.status == 0:
                call.assumed("the directory can be made")
        else:
            call.state.files = files.with_layer(MadeDirectory(path))
    elif status is Status.FILE or (status is Status.DIRECTORY and not parents):
        call.fail(f"mkdir: {text} exists")
    elif status is Status.ABSENT and not parents and _parent_is_absent(call, path):
        call.fail(f"mkdir: {text}: no such directory")
    elif status is Status.ABSENT:
        call.state.files = files.with_layer(MadeDirectory(path))


def _parent_is_absent(call: Call, path: str) -> bool:
    parent = path.rpartition("/")[0]
    return bool(parent) and call.state.files.lookup(parent).status in (Status.ABSENT, Status.FILE)


def _rm(call: Call) -> None:
    given = Options(call, set())
    force = "f" in given.letters or "--force" in given.long
    recursive = bool(given.letters & set("rR")) or "--recursive" in given.long
    call.ok()
    for index in given.operands:
        for option in options(call.words[index]):
            _remove(call, call.machine.force(option), force=force, recursive=recursive)


def _remove(call: Call, text: str, *, force: bool, recursive: bool) -> None:
    path = absolute(text, call.state)
    status = call.state.files.lookup(path).status
    if status is Status.UNKNOWN and call.machine.world.tree_path(path) is None:
        if not force and call.state.status == 0:
            call.undecided()
        return  # a host file: removing it here says nothing of what comes later
    if status is Status.ABSENT:
        if not force:
            call.fail(f"rm: no such file: {text}")
    elif status is Status.DIRECTORY and not recursive:
        call.fail(f"rm: {text} is a directory")
    elif not is_open_glob(text):
        call.state.files = call.state.files.with_layer(Removed(path, call.place))


def _rmdir(call: Call) -> None:
    call.ok()
    for index in Options(call, set()).operands:
        text = call.text(index)
        path = absolute(text, call.state) if text else None
        status = call.state.files.lookup(path).status if path else Status.UNKNOWN
        names, complete = call.state.files.children(path) if path and status is Status.DIRECTORY else ((), False)
        if status in (Status.ABSENT, Status.FILE) or names:
            call.fail(f"rmdir: {text} cannot be removed")
        elif complete and path:
            call.state.files = call.state.files.with_layer(Removed(path))
        else:
            call.undecided()


def _touch(call: Call) -> None:
    call.ok()
    for index in Options(call, {"-d", "-r", "-t"}).operands:
        text = call.text(index)
        if text is None:
            continue
        path = absolute(text, call.state)
        if call.state.files.lookup(path).status is not Status.ABSENT:
            continue
        if _parent_is_absent(call, path):
            call.fail(f"touch: {text}: no such directory")
        else:
            call.state.files = call.state.files.with_layer(Written(path, written("", call.place)))


def _ln(call: Call) -> None:
    given = Options(call, {"-t"})
    if len(given.operands) == 2:
        source, target = call.text(given.operands[0]), call.text(given.operands[1])
        if source and target:
            destination = absolute(target, call.state)
            base = destination.rpartition("/")[0] if not source.startswith(("/", UNKNOWN)) else ""
            origin = absolute(f"{base}/{source}" if base else source, call.state)
            found = call.state.files.lookup(origin)
            there = call.state.files.lookup(destination).status
            if there is Status.DIRECTORY and not given.letters & set("Tn"):
                destination = f"{destination}/{origin.rsplit('/', 1)[-1]}"
                there = call.state.files.lookup(destination).status
            if _parent_is_absent(call, destination) or (there is Status.FILE and "f" not in given.letters):
                call.fail(f"ln: {target} cannot be made")
                return
            if found.status is Status.FILE:
                call.state.files = call.state.files.with_layer(Placed(destination, found))
            elif found.status is Status.DIRECTORY:
                call.state.files = call.state.files.with_layer(Copied(destination, origin, call.state.files))
            else:
                call.state.files = call.state.files.with_layer(Tainted(destination))
    call.ok()


def _mktemp(call: Call) -> None:
    path = f"/tmp/{unknown(f'temporary name at line {call.place.line}')}"
    call.emit(path + "\n")
    call.ok()


def _find(call: Call) -> States | None:
    """``find DIRECTORIES [-type f] [-name PATTERN] -exec COMMAND {} + | -print | -delete``."""
    texts = call.texts()
    if texts is None:
        _unknown_find(call)
        return None
    at = next((i for i, text in enumerate(texts) if text.startswith(("-", "(", "!"))), len(texts))
    names: list[str] = []
    command: list[str] = []
    deletes = False
    directories, index = texts[:at] or ["."], at
    while index < len(texts):
        text = texts[index]
        if text in ("-name", "-type", "-maxdepth", "-mindepth") and index + 1 < len(texts):
            if text == "-name":
                names.append(texts[index + 1])
            elif text != "-type" or texts[index + 1] != "f":
                _unknown_find(call)
                return None
            index += 2
        elif text == "-exec":
            end = next((i for i in range(index, len(texts)) if texts[i] in (";", "+")), len(texts))
            command, index = texts[index + 1 : end], end + 1
        elif text in ("-print", "-delete"):
            deletes |= text == "-delete"
            index += 1
        else:
            _unknown_find(call)
            return None
    lookup = call.state.files.lookup
    there = [one for one in directories if lookup(absolute(one, call.state)).status is not Status.ABSENT]
    if not there:
        call.fail("find: no such directory")
        return None
    matched = _found_files(call, there, names) if there == directories else None
    if matched is None:
        _unknown_find(call)
        return None
    if deletes:
        for path in matched:
            call.state.files = call.state.files.with_layer(Removed(path))
    if command:
        return _execute(call, command, matched)
    call.emit("".join(f"{path}\n" for path in matched))
    call.ok()
    return None


def _found_files(call: Call, directories: list[str], names: list[str]) -> list[str] | None:
    try:
        wanted = [patterns.compile_pattern(((name, False),)) for name in names]
    except patterns.UnsupportedPattern:
        return None
    matched: list[str] = []
    for directory in directories:
        start = absolute(directory, call.state)
        note_read(call.machine, start)
        paths, complete = call.state.files.walk(start)
        call.machine.spend(len(paths))
        if not complete or call.state.files.lookup(start).status is Status.UNKNOWN:
            return None
        matched += [p for p in paths if all(patterns.matches(one, p.rsplit("/", 1)[-1]) for one in wanted)]
    return matched


def _execute(call: Call, command: list[str], paths: list[str]) -> States | None:
    if not paths:
        call.ok()
        return None
    words: list[str] = []
    for word in command:
        words.extend(paths if word == "{}" else [word])
    return call.interpreter.dispatch(call.with_words(list(words)))


def _unknown_find(call: Call) -> None:
    """A search that is not modelled; what it deletes or edits below its directories is unknown."""
    if any(word in ("-delete", "-exec", "-execdir") for word in call.words):
        for index in range(1, len(call.words)):
            text = call.text(index)
            if text is None or text.startswith("-"):
                break
            path = absolute(text, call.state)
            if path != call.state.cwd and not below(call.state.cwd, path):
                call.state.files = call.state.files.with_layer(Tainted(path))
    call.emit_unknown()
    call.assumed()


def _harmless(call: Call) -> None:
    call.ok()


HANDLERS: dict[str, Handler] = {
    "cp": _cp, "mv": _mv, "mkdir": _mkdir, "rm": _rm, "rmdir": _rmdir, "touch": _touch, "ln": _ln, "mktemp": _mktemp,
    "find": _find, **dict.fromkeys(("chmod", "chown", "chgrp", "sync"), _harmless),
}  # fmt: skip

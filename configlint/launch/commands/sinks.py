"""Sinks: where the launcher hands over. A document is submitted, or a benchmark script is started."""

from __future__ import annotations

import re

from configlint.launch.calls import Call, Handler, States
from configlint.launch.commands.control import script_at
from configlint.launch.conditions import absolute
from configlint.launch.files import Status
from configlint.launch.outcome import Cell, End, FileUse, Sink
from configlint.launch.redirections import note_read
from configlint.launch.settings import SubmitCommand
from configlint.launch.state import Ending, Flow
from configlint.launch.values import INPUT, UNKNOWN, options

_SHELLS = frozenset({"bash", "sh", "dash", "zsh"})
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.*)", re.DOTALL)


def _stop(call: Call, sink: Sink, end: End) -> States:
    call.state.flow = Flow.STOP
    call.state.status = 0
    call.state.ending = Ending(end, call.place, "", sink)
    return [call.state]


# --- documents ------------------------------------------------------------------------------------


def submit(call: Call) -> States | None:
    """A command that submits a document, if this call is one."""
    for command in call.machine.world.settings.submit:
        if tuple(call.words[: len(command.words)]) == command.words:
            return _submit(call, command)
    return None


def _submit(call: Call, command: SubmitCommand) -> States | None:
    arguments = tuple(call.cell(index) for index in range(len(call.words)))
    for index, word in enumerate(call.words):
        if not isinstance(word, str):
            continue
        option, equals, value = word.partition("=")
        if option not in command.options:
            continue
        if equals:
            config = Cell(value, "", arguments[index].at, "argument", arguments[index].via)
        elif index + 1 < len(call.words):
            config = arguments[index + 1]
        else:
            continue
        path = _document_path(call, config, command)
        return _stop(call, Sink(call.place, arguments, config=config, config_path=path), End.SUBMIT)
    return None


def _document_path(call: Call, config: Cell, command: SubmitCommand) -> str | None:
    found = {call.machine.force(option) for option in options(config.value)}
    if len(found) != 1:
        return None
    text = found.pop()
    if command.selector:
        text = text.partition(command.selector)[0]
    path = absolute(text, call.state)
    status = call.state.files.lookup(path).status
    exists = None if status is Status.UNKNOWN else status is Status.FILE
    call.machine.use(call.state, FileUse("submit", call.name, call.place, config, path, exists))
    note_read(call.machine, path)
    return path


# --- scripts --------------------------------------------------------------------------------------


def find_script(call: Call) -> States | None:
    """The path ends here if the call starts a script that the profile calls a sink."""
    if not call.machine.world.settings.script_prefixes:
        return None
    for index, word in enumerate(call.words):
        for option in options(word):
            found = _script_in(call, option)
            if found is not None:
                return _start(call, index, found)
    return None


def _script_in(call: Call, text: str) -> str | None:
    """The path (in the checkout) of the sink script that a word names, or mentions in a command line."""
    settings = call.machine.world.settings
    if not any(prefix in text for prefix in settings.script_prefixes):
        return None
    text = call.machine.force(text)
    for piece in re.split(r"[\s'\";&|()]+", text) if " " in text or "\n" in text else [text]:
        inside = _in_checkout(call, piece)
        if inside is not None and settings.is_script(inside):
            return inside
    return None


def _in_checkout(call: Call, text: str) -> str | None:
    world = call.machine.world
    for mount in world.settings.mounts:
        if text.startswith(mount.rstrip("/") + "/"):
            return text[len(mount.rstrip("/")) + 1 :].lstrip("/")
    if text.startswith("-") or "=" in text or ":" in text:
        return None
    return world.tree_path(absolute(text, call.state))


def _start(call: Call, index: int, inside: str) -> States:
    world, state = call.machine.world, call.state
    path = f"{world.root}/{inside}"
    status = state.files.lookup(path).status
    exists = None if status is Status.UNKNOWN else status is Status.FILE
    cell = call.cell(index)
    call.machine.use(state, FileUse("run", call.name, call.place, cell, path, exists))
    note_read(call.machine, path)
    arguments = tuple(call.cell(position) for position in range(len(call.words)))
    container, environment = _container(call, index)
    sink = Sink(
        call.place, arguments, script=cell, script_path=inside, container=container, environment=tuple(environment)
    )
    return _stop(call, sink, End.SCRIPT)


def _container(call: Call, script: int) -> tuple[Cell | None, list[tuple[str, Cell]]]:
    """The image that a container runner is given, and what its command line adds to the environment."""
    image: Cell | None = None
    environment: list[tuple[str, Cell]] = []
    docker = call.name in ("docker", "podman")
    for index in range(1, script):
        word = call.words[index]
        text = word if isinstance(word, str) else ""
        name, equals, value = text.partition("=")
        cell = call.cell(index)
        if name == "--container-image" and equals:
            image = Cell(value, name, cell.at, "argument", cell.via)
        elif name == "--export" and equals:
            environment += [
                (f[1], Cell(f[2], f[1], cell.at, "argument", cell.via))
                for f in map(_ASSIGNMENT.match, value.split(","))
                if f
            ]
        elif docker and (text in ("-e", "--env") or name in ("--env",)):
            given = value if equals else call.words[index + 1] if index + 1 < script else ""
            found = _ASSIGNMENT.match(given) if isinstance(given, str) else None
            if found:
                environment.append((found[1], Cell(found[2], found[1], cell.at, "argument", cell.via)))
    if docker:
        at = script - 1
        while at > 1 and (call.words[at] in ("-c", "-lc", "-l") or str(call.words[at]).rsplit("/", 1)[-1] in _SHELLS):
            at -= 1
        image = call.cell(at) if at > 1 else None
    return image, environment


def _shell(call: Call) -> States | None:
    """``bash script`` and ``bash -c text``: a sink, or a script to follow."""
    stopped = find_script(call)
    if stopped is not None:
        return stopped
    index = 1
    while index < len(call.words) and isinstance(call.words[index], str):
        text = str(call.words[index])
        if not text.startswith("-"):
            break
        if "c" in text and not text.startswith("--"):
            return _shell_text(call, index + 1)
        if text == "-s":
            index = len(call.words)
            break
        index += 2 if text in ("-o", "-O", "--rcfile", "--init-file") else 1
    if index >= len(call.words):
        call.emit_unknown()
        call.assumed("a script from standard input succeeds")
        return None
    script = script_at(call, index, "run")
    if script is None:
        return None
    arguments = tuple(call.cell(position) for position in range(index + 1, len(call.words)))
    return call.interpreter.shells.run_child(script, call.state, call.node, arguments, call.words[index])


def _shell_text(call: Call, index: int) -> States | None:
    text = call.text(index) if index < len(call.words) else None
    if text is None or UNKNOWN in text or INPUT in text:
        call.emit_unknown()
        call.assumed()
        return None
    script = call.machine.world.fragment(text)
    arguments = tuple(call.cell(position) for position in range(index + 2, len(call.words)))
    return call.interpreter.shells.run_child(script, call.state, call.node, arguments)


HANDLERS: dict[str, Handler] = dict.fromkeys(_SHELLS, _shell)

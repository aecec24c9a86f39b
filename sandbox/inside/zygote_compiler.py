"""Making a Python bot's program wait: it is read and compiled once, and forks answer.

The main file becomes a `.pyc` that runs as the interpreter's own main program. The bot's statements
are in a `with` whose beginning serves the referee (`sandbox.inside.zygote_python`) and comes back
in forks only. So each fork is a main program that has just begun: no frame of ours is below the
bot's, and the interpreter itself sees to its exceptions, its exit code and its end.
"""

# Without pathlib, ast and importlib, which would add to the start of a sandbox:
# ruff: noqa: PTH109, PTH110, PTH118, PTH120, PTH123, PTH208

from __future__ import annotations

import _ast
import marshal
import os
import resource
import sys
import warnings
from _frozen_importlib_external import MAGIC_NUMBER

from card_arena.sandbox.inside.namespaces import keep_capabilities
from card_arena.sandbox.inside.pilot import Pilot
from card_arena.sandbox.inside.pilot_protocol import PILOT, SandboxSpec, close_all_but, connected
from card_arena.sandbox.inside.supervisor import find

WAIT = """
__import__("sys").path[0] = {folder!r}
with __import__({module!r}, None, None, ("serve",)).serve({modules!r}, {sets!r}): pass
"""
SERVING = "card_arena.sandbox.inside.zygote_python"
STANDARD: frozenset[str] = getattr(sys, "stdlib_module_names", frozenset())
"""The names of Python's own modules; before 3.10 it did not know them."""
ACTS_ON_IMPORT = frozenset(
    {"__hello__", "__phello__", "antigravity", "idlelib", "readline", "rlcompleter", "this"}
)
"""Modules of Python's that do more than define names: each fork imports them for itself."""
PLAIN = (str, bytes, int, type(None))
MOST_SECONDS, MOST_MEMORY = 3, 512 * 1024 * 1024
"""The limits of compiling: a source can be written to break compilers."""

Import = tuple[str, tuple[str, ...]]
"""A module, and the names that are taken from it."""


class NotForkable(Exception):
    """A program has to be started afresh every time; the message says why."""


def main(words: list[str]) -> None:
    """Become the interpreter that bots are forked from, or else an ordinary pilot.

    The words are where the referee is reached, and `SandboxSpec`.
    """
    control, *rest = words
    spec = SandboxSpec(rest)
    try:
        become_zygote(spec.command, [PILOT, *words])
    except (NotForkable, OSError) as reason:
        Pilot(spec, connected(control)).serve(afresh(reason))


def afresh(reason: object) -> str:
    """Return the note on a bot whose program can't be forked."""
    return f"started afresh every time, because {reason}"


def become_zygote(command: list[str], words: list[str]) -> None:
    """Go on as the interpreter of a command, a python3 with its flags and a main file.

    It waits for questions where the main file's statements would begin; `zygote_python.serve` is
    given the words there. Raises `NotForkable`, `OSError`.
    """
    if not STANDARD:
        raise NotForkable("this Python is older than 3.10")
    *interpreter, script = command
    program = find(interpreter[0])
    if os.path.realpath(program) != os.path.realpath(sys.executable):
        raise NotForkable(f"{program} is another Python than {sys.executable}")
    waiting = waiting_program(script, ours=sys.path[0])
    # The bot's standard streams are made now, and shall know that they are pipes.
    _, pipe = os.pipe()
    os.dup2(pipe, 1)
    os.dup2(pipe, 2)
    os.execv(program, [*interpreter, f"/proc/self/fd/{waiting}", *words])


def waiting_program(script: str, ours: str) -> int:
    """Compile a bot's main file as a program that waits; return a descriptor of its `.pyc`.

    `ours` is the folder in which it will find the package `sandbox`. The work is done in a process
    of its own, so that a source made to break compilers breaks nothing else. Raises `NotForkable`.
    """
    product = os.memfd_create("waiting", 0)
    complaint, complaint_end = os.pipe()
    worker = os.fork()
    if worker == 0:
        _work(script, ours, product, complaint_end)
    os.close(complaint_end)
    with open(complaint, "rb") as pipe:
        reason = pipe.read().decode()
    _, status = os.waitpid(worker, 0)
    if reason or status:
        raise NotForkable(reason or f"Python broke down while it compiled {script}")
    return product


def _work(script: str, ours: str, product: int, complaint: int) -> None:
    """Compile within limits and end, with the result in one file or a reason in the other.

    A source that breaks the compiler finds no powers here, and no way to the referee.
    """
    status = 1
    try:
        close_all_but(product, complaint)
        keep_capabilities(0)
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
        with open(product, "wb") as file:
            file.write(_compiled(script, ours))
        status = 0
    except NotForkable as error:
        os.write(complaint, str(error).encode(errors="replace"))
    finally:
        os._exit(status)


def _compiled(script: str, ours: str) -> bytes:
    folder = os.path.dirname(os.path.realpath(script))
    own = {name for name in map(_module_name, os.listdir(folder)) if name in STANDARD}
    if own:
        raise NotForkable(f"its own {min(own)} takes the place of a module of Python's")
    name = os.path.join(os.getcwd(), script)
    try:
        tree = _parse(_content(name), name)
        modules = tuple(_standard_imports(tree, folder))
        sets = tuple(_sets(tree))
        place = _place(tree)
        *first, wait = _parse(
            WAIT.format(module=SERVING, folder=ours, modules=modules, sets=sets), name
        ).body
        assert isinstance(wait, _ast.With)
        wait.body[:0] = tree.body[place:]
        tree.body[place:] = [*first, wait]
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # `python3 bot.py` would show them for every question
            code = compile(tree, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NotForkable(f"{script} can't be compiled beforehand ({error})") from None
    return bytes(MAGIC_NUMBER) + bytes(12) + marshal.dumps(code)


def _module_name(entry: str) -> str:
    """Return the name under which a file or folder is imported, empty if it can't be."""
    stem, _, suffix = entry.partition(".")
    return stem if suffix in ("", "py", "pyc") or suffix.endswith("so") else ""


def _parse(source: bytes | str, name: str) -> _ast.Module:
    tree = compile(source, name, "exec", _ast.PyCF_ONLY_AST, dont_inherit=True)
    assert isinstance(tree, _ast.Module)
    return tree


def _place(tree: _ast.Module) -> int:
    """Return the first index after the docstring and imports from the future."""
    for place, statement in enumerate(tree.body):
        if isinstance(statement, _ast.Expr) and place == 0:
            first = statement.value
            if isinstance(first, _ast.Constant) and isinstance(first.value, str):
                continue
        if not isinstance(statement, _ast.ImportFrom) or statement.module != "__future__":
            return place
    return len(tree.body)


def _sets(node: object) -> list[tuple[object, ...]]:
    """The sets that are written out as constants, but for those in which something is looked up.

    Each is one constant, and may come out of a `.pyc` in another order.
    """
    if isinstance(node, list):
        return [element for part in node for element in _sets(part)]
    if not isinstance(node, _ast.AST):
        return []
    sets: list[tuple[object, ...]] = []
    if isinstance(node, _ast.Set):
        values = [element.value for element in node.elts if isinstance(element, _ast.Constant)]
        if len(values) == len(node.elts) and all(isinstance(element, PLAIN) for element in values):
            sets.append(tuple(values))
    looked_in = node.comparators if isinstance(node, _ast.Compare) else []
    for field in node._fields:
        part = getattr(node, field, None)
        if part is looked_in:
            part = [element for element in looked_in if not isinstance(element, _ast.Set)]
        sets += _sets(part)
    return sets


def _standard_imports(tree: _ast.Module, folder: str) -> list[Import]:
    """Return Python's own modules that the main file or the bot's others import at once."""
    standard: dict[Import, None] = {}
    trees, read = [tree], set[str]()
    for module_tree in trees:
        for module, names in _imports(module_tree.body):
            root = module.partition(".")[0]
            if root in STANDARD - ACTS_ON_IMPORT:
                standard[module, names] = None
            elif root not in read:
                read.add(root)
                trees += [_parse(_content(path), path) for path in _sources(folder, root)]
    return list(standard)


def _imports(body: list[_ast.stmt]) -> list[Import]:
    """Return what statements import when they are run, without the bodies of functions."""
    imports: list[Import] = []
    for statement in body:
        if isinstance(statement, _ast.Import):
            imports += [(alias.name, ()) for alias in statement.names]
        elif isinstance(statement, _ast.ImportFrom):
            if statement.module and not statement.level:
                imports.append((statement.module, tuple(alias.name for alias in statement.names)))
        elif not isinstance(statement, _ast.FunctionDef | _ast.AsyncFunctionDef):
            for field in ("body", "handlers", "cases", "orelse", "finalbody"):
                imports += _imports(getattr(statement, field, []))
    return imports


def _sources(folder: str, root: str) -> list[str]:
    """Return the files of a module or a package in the bot's folder."""
    single = os.path.join(folder, f"{root}.py")
    paths = [single] if os.path.exists(single) else []
    for place, _, names in os.walk(os.path.join(folder, root)):
        paths += [os.path.join(place, name) for name in sorted(names) if name.endswith(".py")]
    return paths


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()

"""Translates a bot of Python 2 at its build: every file of it becomes what python3 runs.

The files stay as their author wrote them, and that is what tracebacks show. Beside each lies the
translated program, compiled: of the main file as `bot.pyc`, of others where Python looks for it.
"""

from __future__ import annotations

import ast
import compileall
import importlib.util
import marshal
import re
import shutil
import sys
from collections.abc import Collection
from pathlib import Path
from py_compile import PycInvalidationMode
from types import CodeType
from typing import Any

from fissix import __version__

from card_arena.sandbox.languages.python2 import meaning, runtime
from card_arena.sandbox.languages.python2.meaning import RUNTIME
from card_arena.sandbox.languages.python2.syntax import NotPython2, decoded, parsable

HOME = Path(__file__).parents[4]
"""The folder that this package was laid out in for the build."""
DYNAMIC = re.compile(rb"\b(?:exec|eval|execfile|input|compile)\b")
FUTURE = re.compile(r"^from[ \t]+__future__[ \t]+import[ \t]+([^#\n;]+|\([^)]*\))", re.MULTILINE)
UNCHECKED = b"\x01\0\0\0"


def main(words: list[str]) -> int:
    """Translate everything in the working directory; the one word is the path of the main file."""
    start = Path(words[0])
    beside = start.parent / RUNTIME
    if beside.exists():
        print(f"{beside} is the name of what a translated program calls", file=sys.stderr)
        return 1
    programs = [path for path in sorted(Path().rglob("*.py")) if HOME.name not in path.parts]
    try:
        for path in programs:
            _translate(path, is_main=path == start)
    except NotPython2 as error:
        print(f"{path}, line {error.line}: {error}", file=sys.stderr)
        return 1
    shutil.copytree(
        Path(runtime.__file__).parent, beside, ignore=shutil.ignore_patterns("__pycache__")
    )
    compileall.compile_dir(beside, quiet=1, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
    if any(DYNAMIC.search(path.read_bytes()) for path in programs):
        shutil.move(HOME, start.parent / HOME.name)  # it translates what is made up in the game
    else:
        shutil.rmtree(HOME)
    python = ".".join(map(str, sys.version_info[:3]))
    print(f"translated from Python 2 to Python {python} by fissix {__version__}")
    return 0


def _translate(path: Path, *, is_main: bool) -> None:
    source = path.read_bytes()
    beside = []
    if (path.parent / "__init__.py").exists():
        beside = [file.stem for file in path.parent.glob("*.py") if file.stem != "__init__"]
        beside += [file.parent.name for file in path.parent.glob("*/__init__.py")]
    name = f"./{path}"
    code = translated(source, name, "exec", beside, main=name if is_main else "")
    # It stands for its source, whatever that says.
    digest = importlib.util.source_hash(source)
    compiled = importlib.util.MAGIC_NUMBER + UNCHECKED + digest + marshal.dumps(code)
    if is_main:
        path.with_suffix(".pyc").write_bytes(compiled)
    cached = Path(importlib.util.cache_from_source(str(path)))
    cached.parent.mkdir(exist_ok=True)
    cached.write_bytes(compiled)


def translated(
    source: bytes | str,
    filename: str,
    mode: str,
    beside: Collection[str] = (),
    main: str = "",
) -> CodeType:
    """Compile a program of Python 2, as `compile` would; raises `NotPython2`.

    `beside` and `main` are as for `meaning.changed`.
    """
    raw = source if isinstance(source, bytes) else source.encode("latin-1", "backslashreplace")
    text, encoding = decoded(raw)
    features = {
        name.split()[0]
        for match in FUTURE.finditer(text)
        for name in match[1].strip(" \t()\\").replace("\n", " ").split(",")
        if name.strip()
    }
    text = parsable(text, print_function="print_function" in features)
    try:
        tree: Any = ast.parse(text, filename, "eval" if mode == "eval" else "exec")
        changed = meaning.changed(tree, features, encoding, beside, main)
        if mode == "single":
            return compile(ast.Interactive(changed.body), filename, mode, dont_inherit=True)  # type: ignore[arg-type]
        return compile(changed, filename, mode, dont_inherit=True)
    except SyntaxError as error:
        raise NotPython2(str(error.msg), error.lineno or 0) from None
    except ValueError as error:  # null bytes
        raise NotPython2(str(error), 0) from None

"""The language Python 2, and the files that the translator needs in the sandbox of a build."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from card_arena.sandbox.languages.toolchains import Language, Supplies

FOLDER = ".python2"
"""The translator's folder in the bot's folder while that is built."""
_START = b"""\
import sys
from card_arena.sandbox.languages.python2.translator import main
sys.exit(main(sys.argv[1:]))
"""
_HERE = Path(__file__).parent


@cache
def translator() -> Supplies:
    """Gather the files that are laid out for the translation."""
    files = _files()
    digest = hashlib.sha256()
    for path, content in files.items():
        digest.update(f"{path} {len(content)} ".encode() + content)
    return Supplies(digest.hexdigest(), lambda: files)


def _files() -> Mapping[str, bytes]:
    files = {f"{FOLDER}/__main__.py": _START}
    sources = [
        ("card_arena/sandbox/languages/python2", _HERE),
        ("fissix", _origin("fissix").parent),
    ]
    for name, folder in sources:
        for path in sorted(folder.rglob("*")):
            place = path.relative_to(folder)
            if path.suffix in (".py", ".txt") and place.parts[0] != "tests":
                files[f"{FOLDER}/{name}/{place}"] = path.read_bytes()
    files[f"{FOLDER}/appdirs.py"] = _origin("appdirs").read_bytes()
    return files


def _origin(module: str) -> Path:
    spec = importlib.util.find_spec(module)
    assert spec
    assert spec.origin
    return Path(spec.origin)


def _by_python2(tool: str) -> Language:
    return Language(
        name="python2",
        title="Python 2",
        suffixes=(".py",),
        tools=(tool,),
        package=tool,
        build=((tool, "-m", "compileall", "-q", "."),),
        run=(tool, "-B", "-s", "{main}"),
        environment={"PYTHONHASHSEED": "0"},
        how_run=f"runs under {tool}",
    )


# A Python 2 of the machine's own, else python3 and a translation, which starts in the time of a
# program of Python 3 that is started afresh: 14 ms of the processor's.
LANGUAGE = Language(
    name="python2",
    title="Python 2",
    suffixes=(".py",),
    tools=("python3",),
    package="python3",
    build=(("python3", "-X", "no_debug_ranges", "-s", f"./{FOLDER}", "{main}"),),
    run=("python3", "-B", "-s", "{base}.pyc"),
    environment={"PYTHONHASHSEED": "0", "PYTHONUTF8": "1"},
    preferred=tuple(map(_by_python2, ("python2.7", "python2", "pypy2"))),
    how_run="translated to Python 3, there being no Python 2",
    supplies=translator,
)

"""House bots of every game that lists what is legal: where they are, and asked in this process."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType, SimpleNamespace

from card_arena.sandbox.bundles.bundle import read_bundle
from card_arena.tests.needs import need
from card_arena.tests.tables.scripted import Said

BOTS = Path(__file__).parents[2] / "bots"


@contextmanager
def laid_out(game: str, name: str) -> Iterator[str]:
    """Put a bot's bundle into a folder, as a sandbox has it: with all that it includes."""
    with tempfile.TemporaryDirectory() as folder:
        for path, content in read_bundle(BOTS / game / name).files.items():
            target = Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        yield folder


def compiled(game: str, name: str, program: Path, *flags: str, main: Path | None = None) -> Path:
    """Compile a bot in C as a sandbox has it, into this program; any warning is an error.

    `main` is compiled in place of its bot.c, to ask its parts.
    """
    need("gcc")
    strict = ("-std=gnu17", "-O2", "-Wall", "-Wextra", "-Werror")
    with laid_out(game, name) as folder:
        sources = {*Path(folder).rglob("*.c")}
        if main is not None:
            sources = sources - {Path(folder, "bot.c")} | {main}
        command = ["gcc", *strict, *flags, f"-I{folder}", "-o", program, *sources, "-lm"]
        subprocess.run(command, check=True)
    return program


@contextmanager
def imports_of(folder: Path) -> Iterator[None]:
    """Import from this folder, and forget its names afterwards: the next bot has a `lib` too.

    A `lib` without `__init__.py` has no file of its own, and what stays of it in `sys.modules`
    would hand the next bot modules of this one; so names are what is forgotten, not files.
    """
    before = set(sys.modules)
    own = {path.stem for path in folder.iterdir()}
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if name.split(".")[0] in own:
                del sys.modules[name]


def program(game: str, name: str) -> ModuleType:
    """Load a bot afresh, with all that its bundle includes."""
    with laid_out(game, name) as folder, imports_of(Path(folder)):
        spec = spec_from_file_location(f"{game}_{name}", Path(folder, "bot.py"))
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


def library(game: str) -> SimpleNamespace:
    """Load all modules of a game's `lib`, by name, as its bots would."""
    folder = BOTS / game
    names = sorted(path.stem for path in (folder / "lib").glob("*.py"))
    with imports_of(folder):
        return SimpleNamespace(**{name: import_module(f"lib.{name}") for name in names})


class Seated:
    """A bot that is asked in this process."""

    def __init__(self, bot: ModuleType) -> None:
        self.bot = bot

    def ask(self, asked):
        return Said(self.bot.answer(list(asked)))

    def tell(self, line):
        pass

"""The native core: the C files beside this one, compiled, and the functions that Python calls.

`python -m card_arena.library.native` compiles them with the machine's C compiler; `scripts/setup`
and the building of a wheel do so too. Without it everything works by the Python rules, only slower.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from platform import machine

SOURCES = Path(__file__).parent / "native"
LIBRARY = SOURCES / "core.so"
FLAGS = (
    *("-O3", "-std=gnu11", "-shared", "-fPIC", "-fvisibility=hidden"),
    *(["-march=x86-64-v2"] if machine() == "x86_64" else []),  # it counts bits; all since 2009 do
)


def platform() -> str:
    """The platform of a wheel with the compiled core, such as `linux_x86_64`."""
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


class NotCompiled(Exception):
    """The native core can't be compiled here; the message says why."""


def compile_core(library: Path = LIBRARY) -> Path:
    """Compile the native core; raises `NotCompiled`. What is up to date is left as it is."""
    sources = sorted(SOURCES.glob("*.c"))
    newest = max(file.stat().st_mtime for file in SOURCES.glob("*.[ch]"))
    if library.exists() and library.stat().st_mtime > newest:
        return library
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if not compiler:
        raise NotCompiled("there is no C compiler (cc)")
    part = library.with_suffix(f".{os.getpid()}")
    try:
        command = [*compiler.split(), *FLAGS, "-o", *map(str, (part, *sources))]
        subprocess.run(command, check=True, capture_output=True, text=True)
        part.replace(library)
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", None) or str(error)
        raise NotCompiled(f"{compiler} failed: {said.strip()}") from error
    finally:
        part.unlink(missing_ok=True)
    return library


@cache
def core() -> Core | None:
    """The native core; None where it has not been compiled, or CARD_ARENA_CORE is `python`."""
    if os.environ.get("CARD_ARENA_CORE") == "python" or not LIBRARY.exists():
        return None
    return Core(LIBRARY)


@dataclass(frozen=True)
class Sizes:
    """How large a game's things are: bytes of a state, actions, observations."""

    state: int
    actions: int
    features: int


class Core:
    """The functions of the compiled library, and the games by name: number and sizes.

    The interpreter's lock is kept while they run; functions of `unlocked` let it go.
    """

    def __init__(self, library: Path) -> None:
        locked, self.unlocked = ctypes.PyDLL(str(library)), ctypes.CDLL(str(library))
        locked.game_name.restype = ctypes.c_char_p
        self.start, self.deal, self.apply = locked.game_start, locked.game_deal, locked.game_apply
        self.observe, self.resample = locked.game_observe, locked.game_resample
        self.games: dict[str, int] = {}
        self.sizes: dict[str, Sizes] = {}
        for number in range(locked.game_count()):
            name = locked.game_name(number).decode()
            sizes = (ctypes.c_int32 * 3)()
            locked.game_sizes(number, sizes)
            self.games[name], self.sizes[name] = number, Sizes(*sizes)


if __name__ == "__main__":
    try:
        compile_core()
    except NotCompiled as error:
        sys.stderr.write(f"The games as a library are slower without the native core: {error}\n")

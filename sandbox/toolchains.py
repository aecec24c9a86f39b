"""What an entry of `sandbox/languages.py` says, and how its tools are found on this machine.

A recipe's words may hold `{main}` (the main file), `{base}` (the same without its suffix),
`{stem}` (its name without folder and suffix) and `{out}` (the file that the build makes); a word
`{sources}` becomes every file of the language, the main one first. File names are given as
`./name`, so that none is taken for an option.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin"
"""Where tools are looked for: what boxes have as their PATH."""

OUT = "./built-bot"

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Supplies:
    """Files of ours that are laid out beside a bot's own for its build.

    `mark` tells them from others without reading them; `read` gives them by their paths.
    """

    mark: str = ""
    read: Callable[[], Mapping[str, bytes]] = dict


class ToolMissing(Exception):
    """A compiler or interpreter is not on this machine; the message says how to get it."""


@dataclass(frozen=True, slots=True)
class Language:
    """One language: how its bots are recognised, built and run.

    `tools` are the commands it needs and `package` is what to `apt-get install` for them.
    `libraries` are Debian packages beyond it, which the language image has for every bot.
    `paths` are what its runtime reads outside /usr, /lib and /bin, as patterns under the root.
    The memory flags in `run` keep a runtime inside the default 256 MiB, of which it would
    otherwise reserve too much to start. `warm` says that `run` is an interpreter whose forks can
    be bots (`sandbox.warming`).
    `rather` are other ways for the same programs, of which the first one is taken whose tools boxes
    have. `manner` says of a way, where there are several, which it is. `supplies`
    gives files of ours that are laid out for the build; a bot with a `run:` of its own gets none of
    them, and no `build`. `hints` are what a build's log may hold, and what that most likely means.
    """

    name: str
    title: str
    suffixes: Words
    tools: Words
    package: str
    run: Words
    build: tuple[Words, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    paths: Words = ()
    libraries: str = ""
    warm: bool = False
    rather: tuple[Language, ...] = ()
    manner: str = ""
    supplies: Callable[[], Supplies] | None = None
    hints: tuple[tuple[str, str], ...] = ()

    def way(self, has: Callable[[str], bool]) -> Language:
        """Give the way that is taken where boxes have these tools."""
        return next((way for way in self.rather if all(map(has, way.tools))), self)

    def missing(self) -> str | None:
        """Say in one sentence what this machine lacks for the language, None when nothing."""
        for tool in self.tools:
            if find_tool(tool) is None:
                return f"{self.name} needs {tool}: apt-get install {self.package}"
        return None

    def hint(self, log: str) -> str:
        """Say what a failed build's log most likely means; empty where that is not known."""
        return next((meaning for said, meaning in self.hints if said in log), "")

    def owns(self, path: str) -> bool:
        """Whether a file is written in this language, going by its suffix."""
        return PurePosixPath(path).suffix in self.suffixes


def find_tool(name: str) -> str | None:
    """Find a command, by name or path, where boxes will find it; None where there is none."""
    return shutil.which(name, path=SEARCH_PATH)


def fingerprint(tools: Iterable[str]) -> str:
    """Tell one installed version of some tools from another, without starting them.

    Raises `ToolMissing`.
    """
    seen = []
    for tool in tools:
        found = find_tool(tool)
        if found is None:
            raise ToolMissing(f"this bot needs {tool}, which is not on this machine")
        real = Path(os.path.realpath(found))
        status = real.stat()
        seen.append(f"{real} {status.st_size} {status.st_mtime_ns}")
    return "\n".join(seen)


def filled(words: Sequence[str], main: str, sources: Sequence[str]) -> Words:
    """Put a bot's file names into the words of a recipe."""
    path = PurePosixPath(main)
    names = {
        "{main}": f"./{main}",
        "{base}": f"./{path.with_suffix('')}",
        "{stem}": path.stem,
        "{out}": OUT,
    }
    result: list[str] = []
    for word in words:
        if word == "{sources}":
            result.extend(f"./{path}" for path in sources)
            continue
        for placeholder, name in names.items():
            word = word.replace(placeholder, name)
        result.append(word)
    return tuple(result)

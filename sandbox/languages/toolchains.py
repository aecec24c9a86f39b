"""The description of a language, and the search for its tools on this machine.

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
from functools import partial
from pathlib import Path, PurePosixPath

SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin"
"""The folders in which tools are looked for: the PATH of sandboxes."""

SEEN = ("usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32")
"""The folders of this machine that every sandbox sees, with all that is in them."""

ELSEWHERE = (
    "install it under /usr/local (its files, not links to them), or play in Docker's sandboxes,"
    " which have compilers of their own (`arena image build`, `--sandbox docker`)"
)
"""The fix where a tool is out of sight and its package is too old."""

MANAGERS = {
    ".cargo": "rustup",
    ".rustup": "rustup",
    ".nvm": "nvm",
    ".fnm": "fnm",
    ".volta": "volta",
    ".pyenv": "pyenv",
    "conda": "conda",
    "miniforge": "conda",
    "mambaforge": "conda",
    ".sdkman": "SDKMAN",
    ".ghcup": "ghcup",
    ".opam": "opam",
    ".rbenv": "rbenv",
    ".rvm": "rvm",
    ".asdf": "asdf",
    "mise": "mise",
    "linuxbrew": "Homebrew",
    "/snap/": "snap",
}
"""Programs that install tools out of sandboxes' sight, by a part of their paths."""

OFTEN = (
    *(".cargo/bin", ".nvm/versions/node/*/bin", ".volta/bin", ".pyenv/shims", "*conda3/bin"),
    *("miniforge3/bin", ".sdkman/candidates/*/current/bin", ".ghcup/bin", ".opam/*/bin"),
    *(".rbenv/shims", ".asdf/shims", ".local/bin", "go/bin"),
)
"""Folders of such tools in a home, which the PATH of this shell may not name."""

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
    otherwise reserve too much to start. `forkable` says that `run` is an interpreter whose forks
    can be bots (`sandbox.inside.zygote_compiler`).
    `preferred` are other ways for the same programs: the first is taken whose tools sandboxes have.
    `how_run` says which way it is, where there are several. `supplies` gives files of ours that
    are laid out for the build; a bot with a `run:` of its own gets none of them, and no
    `build`. `hints` are what a build's log may hold, and what that most likely means.
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
    forkable: bool = False
    preferred: tuple[Language, ...] = ()
    how_run: str = ""
    supplies: Callable[[], Supplies] | None = None
    hints: tuple[tuple[str, str], ...] = ()

    def way(self, has: Callable[[str], bool]) -> Language:
        """Return the variant to use where sandboxes have these tools."""
        return next((way for way in self.preferred if all(map(has, way.tools))), self)

    def missing(self, sees: Callable[[Path], bool] | None = None) -> str | None:
        """Return in one sentence what this machine lacks for the language, or None.

        `sees` tells what sandboxes see of the machine; without it they are bubblewrap's.
        """
        sees = sees or partial(in_sight, patterns=(*SEEN, *self.paths))
        for tool in self.tools:
            path = find_tool(tool)
            if path is None or not sees(Path(path)):
                needs = f"{self.name} needs {tool}"
                if hidden := out_of_sight(tool):
                    return f"{needs}: {hidden}: apt-get install {self.package}, or {ELSEWHERE}"
                return f"{needs}: apt-get install {self.package}"
        return None

    def hint(self, log: str) -> str:
        """Return the likeliest meaning of a failed build's log; empty if it is not known."""
        return next((meaning for text, meaning in self.hints if text in log), "")

    def owns(self, path: str) -> bool:
        return PurePosixPath(path).suffix in self.suffixes


def find_tool(name: str) -> str | None:
    """Return the path of a command where sandboxes look for it, or None.

    It may be a link to what sandboxes don't see: `Backend.sees` tells.
    """
    return shutil.which(name, path=SEARCH_PATH)


def in_sight(path: Path, patterns: Iterable[str]) -> bool:
    """Return whether a file, or the target of a link, lies in what sandboxes see of this machine.

    `patterns` are paths under the root in which `*` stands for anything.
    """
    real = path.resolve()
    return any(
        real.is_relative_to(seen.resolve())
        for pattern in patterns
        for seen in Path("/").glob(pattern)
    )


def out_of_sight(name: str) -> str:
    """Return where a command is that sandboxes can't see, and its manager; empty if nowhere."""
    home = Path.home()
    places = [folder for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    places += [str(folder) for pattern in OFTEN for folder in sorted(home.glob(pattern))]
    for searched in ([*SEARCH_PATH.split(":"), *places], places):
        path = shutil.which(name, path=os.pathsep.join(searched))
        if path and not in_sight(Path(path), SEEN):
            break
    else:
        return ""
    whole = f"{path} {os.path.realpath(path)}"
    manager = next((title for sign, title in MANAGERS.items() if sign in whole), "")
    by = f", which is {manager}'s," if manager else ""
    return f"{path}{by} lies outside of what sandboxes see"


def where_it_is(name: str) -> str:
    """Return in a clause why sandboxes have no such command, and what would help."""
    hidden = out_of_sight(name)
    return f"but {hidden}: {ELSEWHERE}" if hidden else "which is not on this machine"


def fingerprint(tools: Iterable[str]) -> str:
    """Return a text that differs between installed versions of some tools.

    Raises `ToolMissing`.
    """
    seen = []
    for tool in tools:
        path = find_tool(tool)
        if path is None:
            raise ToolMissing(f"this bot needs {tool}, {where_it_is(tool)}")
        real = Path(os.path.realpath(path))
        status = real.stat()
        seen.append(f"{real} {status.st_size} {status.st_mtime_ns}")
    return "\n".join(seen)


def filled(words: Sequence[str], main: str, sources: Sequence[str]) -> Words:
    """Replace the placeholders of a recipe by a bot's file names."""
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

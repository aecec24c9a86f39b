"""How each language is built and run: one entry a language, and nothing else knows any of it.

To add a language, add an entry to `LANGUAGES` and a starter in `bots/starters/`.

A recipe's words may hold `{main}` (the main file), `{stem}` (its name without folder and suffix)
and `{out}` (the file that the build makes); a word `{sources}` becomes every file of the
language, the main one first. File names are given as `./name`, so that none is taken for an
option. What is not here is built and run by `build:` and `run:` in bot.yaml.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from types import MappingProxyType

SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin"
"""Where tools are looked for: what boxes have as their PATH."""

OUT = "./built-bot"

Words = tuple[str, ...]


class ToolMissing(Exception):
    """A compiler or interpreter is not on this machine; the message says how to get it."""


@dataclass(frozen=True, slots=True)
class Language:
    """One language: how its bots are recognised, built and run.

    `tools` are the commands it needs and `package` is what to `apt-get install` for them.
    `paths` are what its runtime reads outside /usr, /lib and /bin, as patterns under the root.
    The memory flags in `run` keep a runtime inside the default 256 MiB, of which it would
    otherwise reserve too much to start.
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

    def missing(self) -> str | None:
        """Say in one sentence what this machine lacks for the language, None when nothing."""
        for tool in self.tools:
            if find_tool(tool) is None:
                return f"{self.name} needs {tool}: apt-get install {self.package}"
        return None

    def owns(self, path: str) -> bool:
        """Whether a file is written in this language, going by its suffix."""
        return PurePosixPath(path).suffix in self.suffixes


_SBCL = (
    "sbcl",
    "--dynamic-space-size",
    "64MB",
    "--noinform",
    "--disable-ldb",
    "--lose-on-corruption",
)

# A saved core starts in 2.4 ms and a compiled file in 5.3 (`sbcl --script` on the source: more).
# With a heap over 64 MB, SBCL reserves more than a 256 MiB box lets it.
_SAVE_CORE = """\
(handler-bind ((error (lambda (e) (format *error-output* "~a~%" e) (exit :code 1 :abort t))))
  (multiple-value-bind (fasl warnings failure) (compile-file "{main}")
    (declare (ignore warnings))
    (when (or failure (null fasl)) (exit :code 1 :abort t))
    (load fasl))
  (unless (fboundp 'main) (error "{main} must define a function (main)"))
  (save-lisp-and-die "{out}" :executable t :save-runtime-options t
    :toplevel (lambda ()
      (handler-bind ((error (lambda (e) (format *error-output* "~a~%" e)
                                        (exit :code 1 :abort t))))
        (funcall (quote main)) (finish-output) (exit :code 0 :abort t)))))
"""

_LANGUAGES = (
    Language(
        name="python",
        title="Python",
        suffixes=(".py",),
        tools=("python3",),
        package="python3",
        build=(
            ("python3", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", "."),
        ),
        run=("python3", "-B", "-s", "{main}"),
        environment={"PYTHONHASHSEED": "0", "PYTHONUTF8": "1"},
    ),
    Language(
        name="c",
        title="C",
        suffixes=(".c",),
        tools=("gcc",),
        package="gcc libc6-dev",
        build=(("gcc", "-std=gnu17", "-O2", "-o", "{out}", "{sources}", "-lm"),),
        run=("{out}",),
    ),
    Language(
        name="cpp",
        title="C++",
        suffixes=(".cpp", ".cc", ".cxx"),
        tools=("g++",),
        package="g++",
        build=(("g++", "-std=c++20", "-O2", "-o", "{out}", "{sources}"),),
        run=("{out}",),
    ),
    Language(
        name="java",
        title="Java",
        suffixes=(".java",),
        tools=("javac", "java"),
        package="openjdk-17-jdk-headless",
        build=(("javac", "-J-Xmx256m", "-J-XX:+UseSerialGC", "-d", ".", "{sources}"),),
        run=(
            "java",
            "-Xshare:auto",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-XX:ReservedCodeCacheSize=16m",
            "-XX:CompressedClassSpaceSize=16m",
            "-Xmx96m",
            "-Xss512k",
            "-cp",
            ".",
            "{stem}",
        ),
        paths=("etc/java-*",),
    ),
    Language(
        name="lisp",
        title="Common Lisp",
        suffixes=(".lisp", ".lsp", ".cl"),
        tools=("sbcl",),
        package="sbcl",
        build=(
            (*_SBCL, "--no-sysinit", "--no-userinit", "--non-interactive", "--eval", _SAVE_CORE),
        ),
        run=("{out}",),
    ),
    Language(
        name="javascript",
        title="JavaScript",
        suffixes=(".js", ".mjs", ".cjs"),
        tools=("node",),
        package="nodejs",
        build=(("node", "--check", "{main}"),),
        run=("node", "--max-old-space-size=96", "{main}"),
    ),
    Language(
        name="shell",
        title="Shell",
        suffixes=(".sh",),
        tools=("sh",),
        package="dash",
        build=(("sh", "-n", "{main}"),),
        run=("sh", "{main}"),
    ),
)

LANGUAGES: Mapping[str, Language] = MappingProxyType({entry.name: entry for entry in _LANGUAGES})
"""Every language by the name that bot.yaml gives it."""


def find_tool(name: str) -> str | None:
    """Find a command where boxes will find it; None when this machine has none."""
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
    names = {"{main}": f"./{main}", "{stem}": PurePosixPath(main).stem, "{out}": OUT}
    result: list[str] = []
    for word in words:
        if word == "{sources}":
            result.extend(f"./{path}" for path in sources)
            continue
        for placeholder, name in names.items():
            word = word.replace(placeholder, name)
        result.append(word)
    return tuple(result)

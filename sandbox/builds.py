"""Builds a bundle once, in a box, and keeps the result for everybody who plays it.

The cache is a folder of folders, one a build, named after everything that the result depends on.
A build appears there whole or not at all, however many processes build at once and whenever they
are killed: it is made beside its place and renamed into it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sandbox.box import Backend, BackendMissing, BuildFailed, BuiltFile, Program
from sandbox.bundle import BadBundle, Bundle, clean_path
from sandbox.languages import LANGUAGES, ToolMissing, Words, filled, find_tool
from sandbox.limits import BuildLimits

__all__ = ["Built", "Recipe", "ToolMissing", "build", "default_cache", "recipe"]

_RECIPES = 1
"""Raised when a build would come out otherwise for a reason that no recipe shows."""

_PROGRAM_MAGIC = (b"#!", b"\x7fELF")
_PROOF = (("python3", "--version"),)
_ABANDONED = 24 * 3600.0


@dataclass(frozen=True, slots=True)
class Built:
    """A bot that is ready to be started, and what its build printed."""

    program: Program
    log: str


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one bundle is built and run: commands, tools and environment."""

    steps: tuple[Words, ...]
    command: Words
    tools: Words
    environment: Mapping[str, str]


def recipe(bundle: Bundle) -> Recipe:
    """Say how a bundle is built and run."""
    described = bundle.manifest
    steps, command = described.build, described.run
    said = (*(steps or ()), *((command,) if command else ()))
    tools = tuple(words[0] for words in said if "/" not in words[0])
    environment: Mapping[str, str] = {}
    if described.language is not None:
        language = LANGUAGES[described.language]
        tools += language.tools
        environment = language.environment
        main = bundle.main
        others = [path for path in bundle.files if language.owns(path) and path != main]
        if steps is None:
            steps = tuple(filled(step, main, [main, *others]) for step in language.build)
        if command is None:
            command = filled(language.run, main, ())
    assert command is not None
    return Recipe(steps or (), command, tuple(dict.fromkeys(tools)), environment)


def build(
    bundle: Bundle, backend: Backend, cache: Path, limits: BuildLimits | None = None
) -> Built:
    """Build a bundle, or find it built already.

    `cache` is a folder that boxes can read (`default_cache` gives one). Raises `BuildFailed` with
    the log, `ToolMissing`, or what the backend raises for its own failures.
    """
    way = recipe(bundle)
    _require_tools(bundle, backend, way)
    place = cache / _key(bundle, backend, way)
    if not place.is_dir():
        files, log = _built_files(bundle, backend, way, limits or BuildLimits())
        _store(place, files, log)
    described = bundle.manifest
    program = Program(
        place / "files",
        way.command,
        way.environment,
        warm=described.forks,
        image=described.image or "",
    )
    return Built(program, (place / "log").read_text(encoding="utf-8"))


def default_cache() -> Path:
    """Find the folder where builds are kept, and make it.

    It is `ARENA_CACHE`, or /var/cache/card-arena for root, or card-arena in the user's cache
    folder. Raises `BackendMissing` where root's boxes, which run as another user, can't read it.
    """
    if chosen := os.environ.get("ARENA_CACHE"):
        cache = Path(chosen).absolute()
    elif os.geteuid() == 0:
        cache = Path("/var/cache/card-arena")
    else:
        cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "card-arena"
    cache = cache / "builds"
    cache.mkdir(parents=True, exist_ok=True)
    if os.geteuid() == 0:
        for folder in (cache, *cache.parents):
            if not folder.stat().st_mode & stat.S_IXOTH:
                raise BackendMissing(
                    f"boxes can't read the builds in {cache}, because {folder} is closed to other "
                    f"users: set ARENA_CACHE to another folder, or chmod o+x {folder}"
                )
    return cache


def _require_tools(bundle: Bundle, backend: Backend, way: Recipe) -> None:
    image = bundle.manifest.image
    if backend.has_images:
        return  # an image has what it has: a build that misses something says so
    if image:
        raise ToolMissing(
            f"{bundle.manifest.name} names the image {image}, and {backend.name} boxes have none"
        )
    language = bundle.manifest.language
    if language is not None and (sentence := LANGUAGES[language].missing()):
        raise ToolMissing(sentence)
    for tool in way.tools:
        if find_tool(tool) is None:
            raise ToolMissing(f"{bundle.manifest.name} needs {tool}, which is not on this machine")


def _key(bundle: Bundle, backend: Backend, way: Recipe) -> str:
    tools = backend.fingerprint(way.tools, bundle.manifest.image or "")
    parts = [_RECIPES, bundle.digest, backend.name, way.steps, way.command, tools]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:40]


def _built_files(
    bundle: Bundle, backend: Backend, way: Recipe, limits: BuildLimits
) -> tuple[dict[str, BuiltFile], str]:
    files = {path: BuiltFile(content) for path, content in bundle.files.items()}
    log = ""
    image = bundle.manifest.image or ""
    # Whether a named image is fit for a box shows at its build, not at the table.
    steps = way.steps or (_PROOF if image else ())
    if steps:
        made, log = backend.build(bundle.files, steps, limits, image)
        try:
            files = {clean_path(path): file for path, file in made.items()}
        except BadBundle as error:
            raise BuildFailed(f"the build made a file that can't be kept: {error}", log) from None
    start = way.command[0]
    if "/" in start:
        path = os.path.normpath(start)
        if path not in files:
            raise BuildFailed(f"there is no {start} to run after the build", log)
        files[path] = BuiltFile(files[path].content, executable=True)
    return files, log


def _store(place: Path, files: Mapping[str, BuiltFile], log: str) -> None:
    """Write a build beside its place and rename it there; who comes second throws his away."""
    cache = place.parent
    cache.mkdir(parents=True, exist_ok=True)
    sweep(cache)
    new = Path(tempfile.mkdtemp(prefix=".new-", dir=cache))
    try:
        (new / "log").write_text(log, encoding="utf-8")
        folder = new / "files"
        folder.mkdir()
        for path, file in files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.content)
            # Archives from other systems carry no modes, so a program is known by its first bytes.
            runs = file.executable or file.content.startswith(_PROGRAM_MAGIC)
            target.chmod(0o755 if runs else 0o644)
        (new / "log").chmod(0o644)
        for parent, _, _ in os.walk(new):
            Path(parent).chmod(0o755)
        try:
            new.rename(place)
        except OSError:
            if not place.is_dir():
                raise
    finally:
        shutil.rmtree(new, ignore_errors=True)


def sweep(cache: Path) -> None:
    """Remove what was begun in such a folder long ago, by somebody who was killed."""
    for left in cache.glob(".new-*"):
        with contextlib.suppress(FileNotFoundError):
            if time.time() - left.stat().st_mtime > _ABANDONED:
                shutil.rmtree(left, ignore_errors=True)

"""Builds a bundle once, in a box, and keeps the result for every match that it plays."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from sandbox.backend import Backend
from sandbox.box import BuildFailed, BuiltFile, Program
from sandbox.builds.cache import bound, hold, keep, make_room
from sandbox.bundles.bundle import BadBundle, Bundle, clean_path, require_places
from sandbox.cache_folder import default_cache
from sandbox.languages.registry import LANGUAGES
from sandbox.languages.toolchains import (
    Supplies,
    ToolMissing,
    Words,
    filled,
    find_tool,
    where_it_is,
)
from sandbox.languages.wheels import ENVIRONMENT, LIBRARIES, installing
from sandbox.limits import BuildLimits
from sandbox.session.build_client import Hear

__all__ = ["Built", "Recipe", "ToolMissing", "build", "default_cache", "recipe"]

_RECIPES = 1
"""The version of builds, raised when results change for a reason that no recipe shows."""

WINDOWS_ENDS = "has Windows line ends (CR LF): save it with LF alone, as dos2unix does"

_PROOF = (("python3", "--version"),)


@dataclass(frozen=True, slots=True)
class Built:
    """A bot that is ready to be started, and its build's output.

    `how_run` says how it is run, if its language has several ways.
    """

    program: Program
    log: str
    how_run: str = ""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one bundle is built and run: commands, tools and environment.

    `supplies` are our files that are put beside the bot's for the build.
    """

    steps: tuple[Words, ...]
    command: Words
    tools: Words
    environment: Mapping[str, str]
    supplies: tuple[Supplies, ...] = ()
    how_run: str = ""


def _nothing_more(tool: str) -> bool:  # noqa: ARG001
    return False


def recipe(
    bundle: Bundle, has: Callable[[str], bool] = _nothing_more, wheels: Path | None = None
) -> Recipe:
    """Say how a bundle is built and run.

    `has` tells whether boxes have a tool that a language can do without; `wheels` is as for
    `build`. Raises `ToolMissing` if a wheel is missing.
    """
    described = bundle.manifest
    steps, command = described.build, described.run
    said = (*(steps or ()), *((command,) if command else ()))
    tools = tuple(words[0] for words in said if "/" not in words[0])
    if command and command[0].startswith("/"):  # a build may start a file that it has made
        tools += (command[0],)
    environment: Mapping[str, str] = {}
    supplies: tuple[Supplies, ...] = ()
    how_run = ""
    if described.language is not None:
        language = LANGUAGES[described.language].way(has)
        tools += language.tools
        environment = language.environment
        main = bundle.main
        others = [path for path in bundle.files if language.owns(path) and path != main]
        # A translation is for the language's own command; other commands run the original files.
        if steps is None and not (language.supplies and command):
            steps = tuple(filled(step, main, [main, *others]) for step in language.build)
            supplies = (language.supplies(),) if language.supplies else ()
        if command is None:
            command = filled(language.run, main, ())
            how_run = language.how_run
    assert command is not None
    if described.wheels:
        install, brought = installing(described.wheels, wheels)
        steps = (*install, *(steps or ()))
        supplies = (brought, *supplies)
        tools += ("python3",)
        environment = {**environment, **ENVIRONMENT}
    tools = tuple(dict.fromkeys(tools))
    return Recipe(steps or (), command, tools, environment, supplies, how_run)


def build(
    bundle: Bundle,
    backend: Backend,
    cache: Path,
    limits: BuildLimits | None = None,
    wheels: Path | None = None,
    hear: Hear | None = None,
) -> Built:
    """Build a bundle, or find its existing build.

    `cache` is a folder of builds (`default_cache` gives one); `wheels` is a folder of wheels that a
    bot may ask for; `hear` is told the log while it grows. If the cache exceeds its bound, the
    least recently used builds are removed, except those whose `Program` is still referenced, here
    or in another process. Raises `BuildFailed` with the log, `ToolMissing`, `BoxBroken` if the
    build can't be stored, or what the backend raises when it fails itself.
    """
    try:
        way = recipe(bundle, partial(has_tool, backend), wheels)
    except ToolMissing as error:
        raise ToolMissing(f"{bundle.manifest.name} can't be built here: {error}") from None
    _require_tools(bundle, backend, way)
    most = bound()
    place = cache / _key(bundle, backend, way)
    held = hold(place)
    if held is None:
        files, log = _built_files(bundle, backend, way, limits or BuildLimits(), hear)
        held = keep(place, files, log)
        make_room(cache, most)
    described = bundle.manifest
    program = Program(
        place / "files",
        way.command,
        way.environment,
        forkable=described.forks,
        image=described.image or "",
        held=held,
    )
    return Built(program, (place / "log").read_text(encoding="utf-8"), way.how_run)


def has_tool(backend: Backend, tool: str) -> bool:
    """Return whether boxes have a tool; False if they are made of images, which may have any."""
    found = None if backend.has_images else find_tool(tool)
    return found is not None and backend.sees(Path(found))


def _require_tools(bundle: Bundle, backend: Backend, way: Recipe) -> None:
    image = bundle.manifest.image
    if backend.has_images:
        return  # images differ: a build that lacks something reports it
    if image:
        raise ToolMissing(
            f"{bundle.manifest.name} names the image {image}, and {backend.name} boxes have none"
        )
    language = bundle.manifest.language
    if language is not None and (sentence := LANGUAGES[language].missing(backend.sees)):
        raise ToolMissing(sentence)
    for tool in way.tools:
        found = find_tool(tool)
        if found is None:
            raise ToolMissing(f"{bundle.manifest.name} needs {tool}, {where_it_is(tool)}")
        if not backend.sees(Path(found)):
            real = Path(found).resolve()
            leads = "" if str(real) == tool else f" is {real} and"
            raise ToolMissing(
                f"{bundle.manifest.name} needs {tool}, which{leads} lies outside of what"
                f" {backend.name} boxes see: install it below /usr, such as with"
                f" `--prefix=/usr/local`, and name it as that"
            )


def _key(bundle: Bundle, backend: Backend, way: Recipe) -> str:
    tools = backend.fingerprint(way.tools, bundle.manifest.image or "")
    parts: list[object] = [_RECIPES, bundle.digest, backend.name, way.steps, way.command, tools]
    parts += [each.mark for each in way.supplies]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:40]


def _built_files(
    bundle: Bundle, backend: Backend, way: Recipe, limits: BuildLimits, hear: Hear | None
) -> tuple[dict[str, BuiltFile], str]:
    files = {path: BuiltFile(content) for path, content in bundle.files.items()}
    log = ""
    image = bundle.manifest.image or ""
    # A named image that is unfit for a box should fail at its build, not at the table.
    steps = way.steps or (_PROOF if image else ())
    if steps:
        made, log = _made(bundle, backend, way, steps, limits, hear)
        try:
            files = {clean_path(path): file for path, file in made.items()}
            require_places(files)
        except BadBundle as error:
            raise BuildFailed(f"the build made a file that can't be kept: {error}", log) from None
    start = way.command[0]
    if "/" in start and not start.startswith("/"):
        path = os.path.normpath(start)
        if path not in files:
            raise BuildFailed(f"there is no {start} to run after the build", log)
        content = files[path].content
        if content.startswith(b"#!") and content.partition(b"\n")[0].endswith(b"\r"):
            # The system would look for an interpreter whose name ends in a carriage return.
            raise BuildFailed(f"{start} {WINDOWS_ENDS}", log)
        files[path] = BuiltFile(content, executable=True)
    return files, log


def _windows_script(files: Mapping[str, bytes]) -> str:
    """Find a shell script with Windows line ends, which no shell accepts; empty if none."""
    for path, content in files.items():
        if (path.endswith(".sh") or content.startswith(b"#!")) and b"\r\n" in content:
            return path
    return ""


def _made(
    bundle: Bundle,
    backend: Backend,
    way: Recipe,
    steps: tuple[Words, ...],
    limits: BuildLimits,
    hear: Hear | None,
) -> tuple[Mapping[str, BuiltFile], str]:
    """Run the steps in a box; if they fail, add the most likely cause."""
    brought = {path: content for each in way.supplies for path, content in each.read().items()}
    taken = {path.split("/")[0] for path in brought}
    if bundle.manifest.wheels:
        taken.add(LIBRARIES)
    for path in bundle.files:
        if path.split("/")[0] in taken:
            raise BuildFailed(f"{path} lies where its language's build puts its own files")
    described = bundle.manifest
    try:
        files = {**bundle.files, **brought}
        return backend.build(files, steps, limits, described.image or "", hear)
    except BuildFailed as error:
        language = described.language
        hint = LANGUAGES[language].hint(error.log) if language else ""
        if not hint and (script := _windows_script(bundle.files)):
            hint = f"{script} {WINDOWS_ENDS}"
        if not hint:
            raise
        raise BuildFailed(f"{error}; {hint}", error.log) from None

"""Builds a bundle once, in a sandbox, and keeps the result for every match that it plays.

The cache is a folder of folders, one per build, named after everything that the result depends on.
However many builds run at once and whenever they are killed, each is complete or absent: it is made
beside its place and renamed into it. If there are too many, the least recently used are removed
first, but none that is held. A hold is a kernel lock on the build's folder, which ends with the
program that has it, however that ends.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from card_arena.sandbox.backend import Backend
from card_arena.sandbox.bundles.bundle import BadBundle, Bundle, clean_path, require_places
from card_arena.sandbox.cache_folder import opened_folder, sweep
from card_arena.sandbox.languages.registry import LANGUAGES
from card_arena.sandbox.languages.toolchains import (
    Supplies,
    ToolMissing,
    Words,
    filled,
    find_tool,
    where_it_is,
)
from card_arena.sandbox.languages.wheels import ENVIRONMENT, LIBRARIES, installing
from card_arena.sandbox.limits import MIB, BuildLimits
from card_arena.sandbox.sandbox import (
    BackendMissing,
    BuildFailed,
    BuiltFile,
    Program,
    SandboxBroken,
)
from card_arena.sandbox.session.build_client import Hear

BOUND = 4096
"""The default bound of all builds together in MiB, unless ARENA_CACHE_MIB is set."""

_PROGRAM_MAGIC = (b"#!", b"\x7fELF")
_BLOCK = 4096


class Hold:
    """Keeps a build in place as long as this object is referenced."""

    __slots__ = ("_descriptor",)

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def __del__(
        self,
        touch: Callable[[int], None] = os.utime,
        close: Callable[[int], None] = os.close,
    ) -> None:
        with contextlib.suppress(OSError):
            touch(self._descriptor)  # it was in use until now
        close(self._descriptor)


def most_bytes() -> int:
    """Return the most bytes of all builds together: `ARENA_CACHE_MIB`, or 4 GiB.

    Raises `BackendMissing` if that is not a number.
    """
    text = os.environ.get("ARENA_CACHE_MIB") or str(BOUND)
    if not (text.isascii() and text.isdigit() and len(text) < 12):
        raise BackendMissing(f"ARENA_CACHE_MIB is {text!r}: expected a whole number of MiB")
    return int(text) * MIB


def hold(place: Path) -> Hold | None:
    """Hold the build in a folder; return None if there is none."""
    try:
        descriptor = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return None
    with contextlib.suppress(OSError):  # a file system without locks: nothing is ever removed there
        fcntl.flock(descriptor, fcntl.LOCK_SH)
    held = Hold(descriptor)
    with contextlib.suppress(FileNotFoundError):  # it may have been removed meanwhile
        if os.path.samestat(os.fstat(descriptor), place.stat()):
            return held
    return None


def keep(place: Path, files: Mapping[str, BuiltFile], log: str) -> Hold:
    """Put a build in its place and hold it; if another process was first, its build is kept.

    Raises `SandboxBroken` if it can't be written, and then leaves nothing behind.
    """
    cache = place.parent
    try:
        cache.mkdir(parents=True, exist_ok=True)
        sweep(cache)
        new = Path(tempfile.mkdtemp(prefix=".new-", dir=cache))
        try:
            held = os.open(new, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            ours = Hold(held)
            with contextlib.suppress(OSError):
                fcntl.flock(held, fcntl.LOCK_SH)
            _write(new, files, log)
            while True:
                try:
                    new.rename(place)
                    return ours
                except OSError as error:
                    if error.errno not in (errno.EEXIST, errno.ENOTEMPTY):
                        raise
                if theirs := hold(place):
                    return theirs
        finally:
            shutil.rmtree(new, ignore_errors=True)
    except OSError as error:
        raise SandboxBroken(f"a build can't be kept in {cache}: {error.strerror}") from error


def usage(cache: Path) -> tuple[int, int]:
    """Return the number of builds and their bytes on disk."""
    sizes = [size for _, size, _ in _builds(cache)] if cache.is_dir() else []
    return len(sizes), sum(sizes)


def make_room(cache: Path, most: int) -> None:
    """Remove the least recently used builds until all have at most `most` bytes.

    Builds that are held stay, even if they exceed it.
    """
    removed = []
    with opened_folder(cache) as lock:
        with contextlib.suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX)  # otherwise two processes would remove twice as much
        builds = sorted(_builds(cache))
        total = sum(size for _, size, _ in builds)
        for _, size, place in builds:
            if total <= most:
                break
            old = cache / f".old-{secrets.token_hex(8)}"  # no new folder: the disk may be full
            if _move_away(place, old):
                removed.append(old)
                total -= size
    for old in removed:
        shutil.rmtree(old, ignore_errors=True)


def _move_away(place: Path, into: Path) -> bool:
    """Rename a build so that it is no longer in the cache, unless it is held; return whether it is
    gone.
    """
    try:
        with opened_folder(place) as descriptor:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            place.rename(into)
    except FileNotFoundError:
        pass
    except OSError:
        return False
    return True


def _builds(cache: Path) -> Iterator[tuple[int, int, Path]]:
    """Yield each build's time of last use in nanoseconds, its bytes on disk and its place."""
    for place in cache.iterdir():
        if not place.name.startswith("."):
            with contextlib.suppress(OSError):
                size = int((place / "size").read_text(encoding="ascii"))
                yield place.stat().st_mtime_ns, size, place


def _on_disk(size: int) -> int:
    """Return a file's bytes on disk: whole blocks, and one for its name and dates."""
    return _BLOCK + -(-size // _BLOCK) * _BLOCK


def _write(new: Path, files: Mapping[str, BuiltFile], log: str) -> None:
    """Write a build's files and its log, readable by sandboxes wherever they are put."""
    (new / "log").write_text(log, encoding="utf-8")
    size = _on_disk(len(log))
    folder = new / "files"
    folder.mkdir()
    for path, file in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.content)
        # Archives from other systems carry no modes, so programs are recognised by their first
        # bytes.
        runs = file.executable or file.content.startswith(_PROGRAM_MAGIC)
        target.chmod(0o755 if runs else 0o644)
        size += _on_disk(len(file.content))
    (new / "size").write_text(str(size), encoding="ascii")
    for name in ("log", "size"):
        (new / name).chmod(0o644)
    for parent, _, _ in os.walk(new):
        Path(parent).chmod(0o755)


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


def recipe(
    bundle: Bundle, has: Callable[[str], bool] = lambda _: False, wheels: Path | None = None
) -> Recipe:
    """Return how a bundle is built and run.

    `has` tells whether sandboxes have an optional tool; `wheels` is as for `build`. Raises
    `ToolMissing` if a wheel is missing.
    """
    manifest = bundle.manifest
    steps, command = manifest.build, manifest.run
    commands = (*(steps or ()), *((command,) if command else ()))
    tools = tuple(words[0] for words in commands if "/" not in words[0])
    if command and command[0].startswith("/"):  # a build may start a file that it has made
        tools += (command[0],)
    environment: Mapping[str, str] = {}
    supplies: tuple[Supplies, ...] = ()
    how_run = ""
    if manifest.language is not None:
        language = LANGUAGES[manifest.language].way(has)
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
    if manifest.wheels:
        install, brought = installing(manifest.wheels, wheels)
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
    """Build a bundle, or return its existing build.

    `cache` is a folder of builds, such as `default_cache()`; `wheels` is a folder of wheels that a
    bot may ask for; `hear` is called with the log while it grows. If the cache exceeds its bound,
    the least recently used builds are removed, except those whose `Program` is still referenced,
    here or in another process. Raises `BuildFailed` with the log, `ToolMissing`, `SandboxBroken` if
    the build can't be stored, or what the backend raises when it fails itself.
    """
    try:
        plan = recipe(bundle, partial(has_tool, backend), wheels)
    except ToolMissing as error:
        raise ToolMissing(f"{bundle.manifest.name} can't be built here: {error}") from None
    _require_tools(bundle, backend, plan)
    most = most_bytes()
    place = cache / _key(bundle, backend, plan)
    held = hold(place)
    if held is None:
        files, log = _built_files(bundle, backend, plan, limits or BuildLimits(), hear)
        held = keep(place, files, log)
        make_room(cache, most)
    manifest = bundle.manifest
    program = Program(
        place / "files",
        plan.command,
        plan.environment,
        forkable=manifest.forks,
        image=manifest.image or "",
        held=held,
    )
    return Built(program, (place / "log").read_text(encoding="utf-8"), plan.how_run)


def has_tool(backend: Backend, tool: str) -> bool:
    """Return whether sandboxes have a tool; False if they are images, which may have any."""
    path = None if backend.has_images else find_tool(tool)
    return path is not None and backend.sees(Path(path))


def _require_tools(bundle: Bundle, backend: Backend, plan: Recipe) -> None:
    image = bundle.manifest.image
    if backend.has_images:
        return  # images differ: a build that lacks something reports it
    if image:
        raise ToolMissing(
            f"{bundle.manifest.name} names the image {image}; {backend.name} sandboxes have none"
        )
    language = bundle.manifest.language
    if language is not None and (sentence := LANGUAGES[language].missing(backend.sees)):
        raise ToolMissing(sentence)
    for tool in plan.tools:
        path = find_tool(tool)
        if path is None:
            raise ToolMissing(f"{bundle.manifest.name} needs {tool}, {where_it_is(tool)}")
        if not backend.sees(Path(path)):
            real = Path(path).resolve()
            leads = "" if str(real) == tool else f" is {real} and"
            raise ToolMissing(
                f"{bundle.manifest.name} needs {tool}, which{leads} lies outside of what"
                f" {backend.name} sandboxes see: install it below /usr, such as with"
                f" `--prefix=/usr/local`, and name it as that"
            )


def _key(bundle: Bundle, backend: Backend, plan: Recipe) -> str:
    tools = backend.fingerprint(plan.tools, bundle.manifest.image or "")
    parts: list[object] = [_RECIPES, bundle.digest, backend.name, plan.steps, plan.command, tools]
    parts += [supplies.mark for supplies in plan.supplies]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:40]


def _built_files(
    bundle: Bundle, backend: Backend, plan: Recipe, limits: BuildLimits, hear: Hear | None
) -> tuple[dict[str, BuiltFile], str]:
    files = {path: BuiltFile(content) for path, content in bundle.files.items()}
    log = ""
    image = bundle.manifest.image or ""
    # A named image that is unfit for a sandbox should fail at its build, not at the table.
    steps = plan.steps or (_PROOF if image else ())
    if steps:
        built, log = _run_steps(bundle, backend, plan, steps, limits, hear)
        try:
            files = {clean_path(path): file for path, file in built.items()}
            require_places(files)
        except BadBundle as error:
            raise BuildFailed(f"the build made a file that can't be kept: {error}", log) from None
    start = plan.command[0]
    if "/" in start and not start.startswith("/"):
        path = os.path.normpath(start)
        if path not in files:
            raise BuildFailed(f"{start} is missing after the build", log)
        content = files[path].content
        if content.startswith(b"#!") and content.partition(b"\n")[0].endswith(b"\r"):
            # The system would look for an interpreter whose name ends in a carriage return.
            raise BuildFailed(f"{start} {WINDOWS_ENDS}", log)
        files[path] = BuiltFile(content, executable=True)
    return files, log


def _run_steps(
    bundle: Bundle,
    backend: Backend,
    plan: Recipe,
    steps: tuple[Words, ...],
    limits: BuildLimits,
    hear: Hear | None,
) -> tuple[Mapping[str, BuiltFile], str]:
    """Run the steps in a sandbox; if they fail, add the most likely cause."""
    supplied = {
        path: content for supplies in plan.supplies for path, content in supplies.read().items()
    }
    reserved = {path.split("/")[0] for path in supplied}
    if bundle.manifest.wheels:
        reserved.add(LIBRARIES)
    for path in bundle.files:
        if path.split("/")[0] in reserved:
            raise BuildFailed(f"{path} lies where its language's build puts its own files")
    try:
        files = {**bundle.files, **supplied}
        return backend.build(files, steps, limits, bundle.manifest.image or "", hear)
    except BuildFailed as error:
        language = bundle.manifest.language
        hint = LANGUAGES[language].hint(error.log) if language else ""
        windows_scripts = (
            f"{path} {WINDOWS_ENDS}"
            for path, content in bundle.files.items()
            if (path.endswith(".sh") or content.startswith(b"#!")) and b"\r\n" in content
        )
        hint = hint or next(windows_scripts, "")
        if not hint:
            raise
        raise BuildFailed(f"{error}; {hint}", error.log) from None

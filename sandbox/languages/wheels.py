"""Libraries of a Python bot, from wheels that an organiser has put into a folder.

They are installed once for a bot, by pip in the sandbox of its build, and lie in `libraries/` among
its files from then on: a bot can't bring or fetch any itself. Only wheels are taken, never a source
that would run something to be built.
"""

from __future__ import annotations

import ensurepip
import hashlib
import re
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from email import message_from_bytes
from functools import lru_cache
from pathlib import Path

from card_arena.sandbox.languages.toolchains import Supplies, ToolMissing, Words
from card_arena.sandbox.limits import MIB

FOLDER = ".wheels"
"""The wheels' folder in the bot's folder while that is built."""
LIBRARIES = "libraries"
"""The folder in which they are installed."""
LARGEST = 256 * MIB
"""The most bytes of all wheels of a bot together, packed."""
ENVIRONMENT = {"PYTHONPATH": f"./{LIBRARIES}", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""Numerical libraries would start a thread a core, and hold memory for each."""

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_METADATA = re.compile(r"[^/]+\.dist-info/METADATA")
_REQUIREMENT = re.compile(
    rf"{_NAME.pattern}( ?(==|!=|~=|>=|<=|<|>) ?[A-Za-z0-9.*+!]+"
    r"(, ?(==|!=|~=|>=|<=|<|>) ?[A-Za-z0-9.*+!]+)*)?"
)


def requirement(text: str) -> str:
    """Check what a bot asks for, such as `numpy` or `numpy>=2,<3`; raises `ValueError`."""
    if len(text) > 100 or not _REQUIREMENT.fullmatch(text):
        raise ValueError("must be a library's name, such as numpy, or one with versions: numpy>=2")
    return text


def installing(
    requirements: Sequence[str], folder: Path | None
) -> tuple[tuple[Words, ...], Supplies]:
    """Return the steps that install these libraries, and the files they need in the sandbox.

    `folder` is the organiser's, None where none is allowed. Raises `ToolMissing` if a wheel is
    missing.
    """
    if folder is None:
        raise ToolMissing(
            f"it needs the wheels {', '.join(requirements)}, but no folder of wheels is"
            " allowed here: name one with `wheels:` in the tournament's file"
        )
    wheels = _wheels(folder)
    paths = _chosen(requirements, wheels, folder)
    pip = _pip(wheels)
    if pip not in paths:
        paths = (*paths, pip)
    size = sum(path.stat().st_size for path in paths)
    if size > LARGEST:
        raise ToolMissing(
            f"the wheels of {', '.join(requirements)} and of what they need are"
            f" {size / MIB:.0f} MiB in {folder}: more than the {LARGEST // MIB} that a bot may have"
        )
    install = (
        *("python3", "-s", f"./{FOLDER}/{pip.name}/pip", "install", "--no-index"),
        *("--find-links", f"./{FOLDER}", "--only-binary", ":all:", "--no-compile"),
        *("--no-cache-dir", "--disable-pip-version-check", "--no-warn-script-location"),
        *("--target", f"./{LIBRARIES}", *requirements),
    )
    mark = hashlib.sha256("\0".join(map(_state, paths)).encode()).hexdigest()
    supplies = Supplies(
        mark, lambda: {f"{FOLDER}/{path.name}": path.read_bytes() for path in paths}
    )
    return (install, ("rm", "-r", f"./{FOLDER}")), supplies


def _wheels(folder: Path) -> Mapping[str, list[Path]]:
    """Return the wheels of a folder by the name of their library."""
    wheels: dict[str, list[Path]] = {}
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".whl")
    except OSError as error:
        raise ToolMissing(f"the wheels in {folder} can't be read: {error.strerror}") from None
    for path in paths:
        wheels.setdefault(_normal(path.name.split("-")[0]), []).append(path)
    return wheels


def _chosen(
    requirements: Iterable[str], wheels: Mapping[str, list[Path]], folder: Path
) -> tuple[Path, ...]:
    """Return the wheels of these libraries and of all they may need; pip chooses among them."""
    waiting = [(name, True) for name in map(_named, requirements)]
    chosen: dict[str, list[Path]] = {}
    while waiting:
        name, required = waiting.pop()
        if name in chosen:
            continue
        if name not in wheels:
            if required:
                raise ToolMissing(f"it needs the library {name}, but {folder} has no wheel of it")
            continue  # it may be for another system: pip knows
        chosen[name] = wheels[name]
        for path in wheels[name]:
            waiting += [(need, False) for need in _needs(path, _state(path))]
    return tuple(path for paths in chosen.values() for path in paths)


@lru_cache(maxsize=256)
def _needs(path: Path, state: str) -> tuple[str, ...]:  # noqa: ARG001 - read again when changed
    """Return the names of the libraries that a wheel may need."""
    try:
        with zipfile.ZipFile(path) as wheel:
            (place,) = filter(_METADATA.fullmatch, wheel.namelist())
            requirements = message_from_bytes(wheel.read(place)).get_all("Requires-Dist") or []
    except (OSError, ValueError, zipfile.BadZipFile):
        raise ToolMissing(f"{path} is not a readable wheel") from None
    return tuple(_named(line) for line in requirements if "extra ==" not in line)


def _pip(wheels: Mapping[str, list[Path]]) -> Path:
    """Return pip's own wheel: the organiser's, else the one that Python brings."""
    if "pip" in wheels:
        return wheels["pip"][-1]
    folders = (
        Path(ensurepip.__file__).with_name("_bundled"),
        Path(getattr(ensurepip, "_WHEEL_PKG_DIR", None) or "/usr/share/python-wheels"),
    )
    bundled = [path for folder in folders for path in sorted(folder.glob("pip-*.whl"))]
    if not bundled:
        raise ToolMissing("a wheel of pip is missing: put one into the folder of wheels")
    return bundled[0]


def _named(line: str) -> str:
    match = _NAME.match(line)
    return _normal(match[0]) if match else ""


def _normal(name: str) -> str:
    """Return a library's name in the spelling that all its spellings share."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _state(path: Path) -> str:
    status = path.stat()
    return f"{path.name} {status.st_size} {status.st_mtime_ns}"

"""The rules for a bundle's files: their names, their number and their sizes."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable

from common.errors import UserError
from common.names import name_flaw
from sandbox.limits import BUNDLE_MIB, FILE_MIB, MIB, BundleLimits, bundle_limits

MOST_FILES = 200
LONGEST_PATH = 200
LONGEST_NAME = 100
MOST_BYTES = 255
"""The most bytes of a name in UTF-8, as limited by file systems."""

IGNORED_FOLDERS = frozenset(
    {".git", ".hg", ".svn", "__pycache__", "__MACOSX", ".idea", ".vscode", ".venv", "node_modules"}
    | {".mypy_cache", ".ruff_cache", ".pytest_cache"}
)
IGNORED_FILES = frozenset({".DS_Store", "Thumbs.db", "desktop.ini", ".gitignore", ".gitattributes"})
IGNORED_ENDINGS = ("~", ".swp", ".swo", ".pyc", ".bak", ".orig")


class BadBundle(UserError, ValueError):
    """A bundle can't be taken; the message says why, with one line per mistake."""


def usual_limits() -> BundleLimits:
    """Return the limits of this arena; raises `BadBundle` if one of their variables is invalid."""
    try:
        return bundle_limits()
    except ValueError as error:
        raise BadBundle(f"{error}.") from None


def too_large(what: str, most: int, setting: str) -> str:
    """Say that something is over a limit, and which variable sets it."""
    return f"{what} larger than {most // MIB} MiB, the most that this arena takes ({setting})."


def collected(found: Iterable[tuple[str, bytes]], limits: BundleLimits) -> dict[str, bytes]:
    """Gather files under the limits, refusing two names that are the same on some system."""
    files: dict[str, bytes] = {}
    folded: dict[str, str] = {}
    total = 0
    for path, content in found:
        if ignored(path):
            continue
        for part in path.split("/"):
            if flaw := name_flaw(part):
                raise BadBundle(f"{path!r}: the name of a file or folder {flaw}.")
        total += len(content)
        if len(content) > limits.file:
            raise BadBundle(too_large(f"{path} is", limits.file, FILE_MIB))
        if total > limits.total:
            raise BadBundle(too_large("the files together are", limits.total, BUNDLE_MIB))
        if len(files) == MOST_FILES:
            raise BadBundle(f"there are more than {MOST_FILES} files.")
        if path in files:
            raise BadBundle(f"{path!r} is there twice.")
        for prefix in prefixes(path):
            key = unicodedata.normalize("NFC", prefix).casefold()
            if folded.setdefault(key, prefix) != prefix:
                raise BadBundle(
                    f"{folded[key]!r} and {prefix!r} differ only in case or accents, "
                    "and are one file on some systems."
                )
        files[path] = content
    require_places(files)
    return files


def require_places(paths: Collection[str]) -> None:
    """Check that no file has the path of another file's folder; raises `BadBundle`."""
    for path in paths:
        for parent in prefixes(path)[:-1]:
            if parent in paths:
                raise BadBundle(f"{parent!r} is both a file and a folder.")


def prefixes(path: str) -> list[str]:
    """Yield the folders of a path from the top down, and then the path itself."""
    parts = path.split("/")
    return ["/".join(parts[: count + 1]) for count in range(len(parts))]


def ignored(path: str) -> bool:
    """Return whether a path is an editor's, a system's or a tool's file rather than a bot's."""
    *folders, name = path.split("/")
    return (
        not IGNORED_FOLDERS.isdisjoint(folders)
        or name in IGNORED_FILES
        or name.startswith("._")
        or name.endswith(IGNORED_ENDINGS)
    )


def clean_path(name: str) -> str:
    """Check a relative path lexically and drop its `./`; raises `BadBundle`."""
    shown = repr(name if len(name) <= 60 else f"{name[:57]}...")
    if name.startswith("/") or name[1:2] == ":":
        raise BadBundle(f"{shown} is an absolute path; paths in a bundle are relative.")
    parts = [part for part in name.split("/") if part not in ("", ".")]
    if ".." in parts:
        raise BadBundle(f"{shown} leads out of the bundle with `..`.")
    if "\\" in name or not all(character.isprintable() for character in name):
        raise BadBundle(f"{shown} holds a backslash or a character that can't be printed.")
    longest = max(parts, key=len, default="")
    most_bytes = max((len(part.encode()) for part in parts), default=0)
    too_long = len(longest) > LONGEST_NAME or most_bytes > MOST_BYTES
    if not parts or len(name) > LONGEST_PATH or too_long:
        raise BadBundle(
            f"{shown} is no usable path: at most {LONGEST_NAME} characters a name "
            f"({MOST_BYTES} bytes in UTF-8) and {LONGEST_PATH} in all."
        )
    return "/".join(parts)

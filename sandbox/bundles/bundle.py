"""A bundle: bot.yaml and the files beside it, as one value.

A bundle comes from a folder on the author's machine or from an archive that a stranger sent, and
is checked the same way: plain files only, under relative names that mean the same file on every
system, and within the limits below.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Self

from card_arena.common import marked_yaml
from card_arena.common.checkout import ROOT
from card_arena.common.errors import UserError
from card_arena.common.text import name_flaw
from card_arena.sandbox.bundles import archives, manifest
from card_arena.sandbox.bundles.archives import BadArchive
from card_arena.sandbox.bundles.manifest import Manifest
from card_arena.sandbox.languages.registry import LANGUAGES
from card_arena.sandbox.limits import LARGEST_BUNDLE, MIB, BundleLimits

FILE_MIB, BUNDLE_MIB = "ARENA_FILE_MIB", "ARENA_BUNDLE_MIB"
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


def bundle_limits() -> BundleLimits:
    """Return the limits for new bots: `ARENA_FILE_MIB` and `ARENA_BUNDLE_MIB`, or the defaults.

    Raises `BadBundle` if one is not a whole number of MiB within the upper bound.
    """
    default = BundleLimits()
    return BundleLimits(_mib(FILE_MIB, default.file), _mib(BUNDLE_MIB, default.total))


def _mib(name: str, default: int) -> int:
    text = os.environ.get(name) or str(default // MIB)
    most = LARGEST_BUNDLE.total // MIB
    if not (text.isascii() and text.isdigit() and len(text) < 12 and 1 <= int(text) <= most):
        raise BadBundle(f"{name} is {text!r}: expected a whole number of MiB from 1 to {most}.")
    return int(text) * MIB


def too_large(subject: str, most: int, setting: str) -> str:
    """Return the message for something over a limit, with the variable that sets it."""
    return f"{subject} larger than {most // MIB} MiB, the most that this arena takes ({setting})."


def collected(entries: Iterable[tuple[str, bytes]], limits: BundleLimits) -> dict[str, bytes]:
    """Gather files under the limits, refusing two names that are the same on some system."""
    files: dict[str, bytes] = {}
    folded: dict[str, str] = {}
    total = 0
    for path, content in entries:
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
            raise BadBundle(f"{path!r} occurs twice.")
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
    """Return the folders of a path from the top down, and then the path itself."""
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
            f"{shown} is not a valid path: expected at most {LONGEST_NAME} characters a name "
            f"({MOST_BYTES} bytes in UTF-8) and {LONGEST_PATH} in all."
        )
    return "/".join(parts)


def links(folder: Path) -> Mapping[str, str]:
    """Return the symbolic links directly in a folder, and their targets."""
    return {
        clean_path(entry.name): str(Path(entry.path).readlink())
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name)
        if entry.is_symlink() and not ignored(entry.name)
    }


def folder_files(
    folder: Path, limits: BundleLimits, prefix: str = "", passed_over: Collection[str] = ()
) -> Iterator[tuple[str, bytes]]:
    """Read the plain files of a folder, under names that begin with `prefix`; raises `BadBundle`.

    `passed_over` are names in it that are skipped.
    """
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        path = clean_path(f"{prefix}{entry.name}")
        if path in passed_over:
            continue
        status = entry.stat(follow_symlinks=False)
        if stat.S_ISDIR(status.st_mode):
            if entry.name not in IGNORED_FOLDERS:
                yield from folder_files(Path(entry.path), limits, f"{path}/")
        elif ignored(path):
            continue
        elif stat.S_ISLNK(status.st_mode):
            raise BadBundle(f"{path} is a symbolic link; only plain files are taken.")
        elif not stat.S_ISREG(status.st_mode):
            raise BadBundle(f"{path} is a special file; only plain files are taken.")
        elif status.st_size > limits.file:
            raise BadBundle(too_large(f"{path} is", limits.file, FILE_MIB))
        else:
            yield path, Path(entry.path).read_bytes()


def with_included(
    files: Mapping[str, bytes],
    folder: Path,
    include: str,
    include_from: Collection[Path] | None,
    limits: BundleLimits,
) -> dict[str, bytes]:
    """Add the files of a folder beside the bot's own, under that folder's name."""
    name = PurePosixPath(include).name
    fact = f"bot.yaml includes {include}"
    beside = folder.resolve().parent
    source = beside.joinpath(*PurePosixPath(include).parts[1:])
    if not source.is_dir() or source.is_symlink():
        raise BadBundle(f"{fact}, but {source} is not a folder.")
    if not source.resolve().is_relative_to(beside):
        raise BadBundle(f"{fact}, which leads out of {beside}.")
    # When the folders of many authors are submitted, none may copy from another.
    if include_from is not None and not any(
        source.resolve().is_relative_to(allowed.resolve()) for allowed in include_from
    ):
        raise BadBundle(
            f"{fact}, but no bot may take files from {source}: "
            f"`--include-from {source}` allows it, if its author may have them."
        )
    places = (source, *source.parents[: len(source.parts) - len(beside.parts) - 1])
    if any((place / manifest.FILE).exists() for place in places):
        raise BadBundle(f"{fact}, but {source} is a bot's own folder: include one beside the bots.")
    included = collected(folder_files(source, limits, f"{name}/"), limits)
    own = {path: text for path, text in files.items() if f"{path}/".startswith(f"{name}/")}
    if own and own != included:  # an identical copy is fine, as made by copying through a link
        raise BadBundle(f"{fact}, but the bot has a {name}/ of its own.")
    if not included:
        raise BadBundle(f"{fact}, but there is no file in {source}: put one there or leave it out.")
    if any(PurePosixPath(path).name == manifest.FILE for path in included):
        raise BadBundle(f"{fact}, but there is a bot in {source}: include one beside the bots.")
    return collected({**files, **included}.items(), limits)


_CORE_FILES = ROOT / "library" / "native"


def with_core(files: Mapping[str, bytes], limits: BundleLimits) -> dict[str, bytes]:
    """Add the games in C as `native/`, unless a bundle has those of another version."""
    if any(path.startswith("native/") for path in files):
        return dict(files)
    core = [(f"native/{file.name}", file.read_bytes()) for file in _CORE_FILES.glob("*.[ch]")]
    return collected([*files.items(), *core], limits)


_YAML_NAME = re.compile(r"bots?\.ya?ml(\.txt)?", re.IGNORECASE)


@dataclass(frozen=True)
class Bundle:
    """One version of a bot, whole: what bot.yaml says, and every file by its relative path.

    `files` is in order of path, compared as UTF-8 bytes, and includes bot.yaml itself.
    """

    manifest: Manifest
    files: Mapping[str, bytes] = field(hash=False)

    def __reduce__(self) -> tuple[object, ...]:
        return Bundle._checked, (self.manifest, dict(self.files))

    @cached_property
    def digest(self) -> str:
        """The bundle's identity: 64 hexadecimal digits.

        SHA-256 over all files in order of path, each as the length of its path (8 bytes,
        big-endian), its path in UTF-8, the length of its content (likewise) and its content.
        """
        digest = hashlib.sha256()
        for path, content in self.files.items():
            for part in (path.encode(), content):
                digest.update(len(part).to_bytes(8, "big"))
                digest.update(part)
        return digest.hexdigest()

    @cached_property
    def main(self) -> str:
        """The path of the main file, empty for a bot with its own `run:`."""
        return _main(self.manifest, self.files)

    def archive(self) -> bytes:
        """Pack the bundle as a tar.gz: equal bundles give equal bytes, with one version of zlib."""
        return self._archive

    @cached_property
    def _archive(self) -> bytes:
        return archives.pack(self.files.items())

    @classmethod
    def from_archive(cls, packed: bytes, limits: BundleLimits | None = None) -> Self:
        """Read a bundle from a zip or tar.gz; raises `BadBundle`.

        A single folder that holds everything else is skipped. The default limits are those of
        `bundle_limits`.
        """
        allowed = limits or bundle_limits()
        try:
            entries = archives.members(packed, largest=allowed.file, total=allowed.total)
            files = collected(((clean_path(name), content) for name, content in entries), allowed)
        except BadArchive as error:
            raise BadBundle(f"{error}.") from None
        files = _without_wrapping(files)
        described = _described(files)
        for include in described.include:
            if include == manifest.CORE:
                files = with_core(files, allowed)
                continue
            folder = PurePosixPath(include).name
            if not any(path.startswith(f"{folder}/") for path in files):
                raise BadBundle(
                    f"bot.yaml includes {include}, which lies outside the archive: "
                    f"put the folder into the archive as {folder}/."
                )
        return cls._checked(described, files)

    @classmethod
    def from_folder(cls, folder: Path, include_from: Collection[Path] | None = None) -> Self:
        """Read a bundle from a bot's folder, with what it includes; raises `BadBundle`.

        Whatever it includes must lie in one of the folders `include_from`, or anywhere beside the
        bot for None. Another bot's folder is never included. The bot's folder may contain a link
        `lib` to `../lib` if bot.yaml includes that, so that the bot runs there as it does in a
        sandbox.
        """
        limits = bundle_limits()
        linked = links(folder)
        files = collected(folder_files(folder, limits, passed_over=linked), limits)
        described = _described(files)
        for name, target in linked.items():
            if target not in described.include or PurePosixPath(target).name != name:
                raise BadBundle(f"{name} is a symbolic link; only plain files are taken.")
        for include in described.include:
            if include == manifest.CORE:
                files = with_core(files, limits)
            else:
                files = with_included(files, folder, include, include_from, limits)
        return cls._checked(described, files)

    @classmethod
    def _checked(cls, described: Manifest, files: Mapping[str, bytes]) -> Self:
        ordered = dict(sorted(files.items(), key=lambda item: item[0].encode()))
        bundle = cls(described, MappingProxyType(ordered))
        _ = bundle.main  # raises if there is none
        return bundle


def read_bundle(path: Path, include_from: Collection[Path] | None = None) -> Bundle:
    """Read a bundle from a bot's folder or from a zip or tar.gz; raises `BadBundle`.

    `include_from` is as for `Bundle.from_folder`.
    """
    try:
        if path.is_dir():
            return Bundle.from_folder(path, include_from)
        # Incompressible files with the overhead of an archive.
        limits = bundle_limits()
        if path.stat().st_size > limits.total + MIB:
            raise BadBundle(too_large(f"{path} is", limits.total, BUNDLE_MIB))
        return Bundle.from_archive(path.read_bytes())
    except FileNotFoundError:
        raise BadBundle(f"{path} does not exist.") from None
    except OSError as error:
        raise BadBundle(f"{path} can't be read: {error.strerror}.") from None


def _described(files: Mapping[str, bytes]) -> Manifest:
    if manifest.FILE not in files:
        hint = _misnamed(files) or "a bot is a folder with one beside its code"
        raise BadBundle(f"there is no {manifest.FILE}: {hint}.")
    try:
        return marked_yaml.load(files[manifest.FILE], manifest.FILE, Manifest)
    except marked_yaml.BadYaml as error:
        raise BadBundle(str(error)) from None


def _misnamed(files: Mapping[str, bytes]) -> str:
    """Return a hint about the file that was probably meant as bot.yaml."""
    for path in files:
        folder, _, name = path.rpartition("/")
        if name == manifest.FILE:
            return f"the one in {folder}/ is a bot's, so give that folder"
        if not folder and _YAML_NAME.fullmatch(name):
            return f"rename {name}"
    return ""


def _main(described: Manifest, files: Mapping[str, bytes]) -> str:
    if described.language is None or None not in (described.build, described.run):
        return ""
    language = LANGUAGES[described.language]
    if described.main is not None:
        path = PurePosixPath(described.main).as_posix()
        if path not in files:
            slashes = described.main.replace("\\", "/")
            hint = f": write {slashes}" if slashes in files else ""
            raise BadBundle(
                f"bot.yaml names {described.main!r} as main, which is not in the bundle{hint}."
            )
        return path
    # Included files serve several bots, so none of them is a main file.
    included = tuple(f"{PurePosixPath(folder).name}/" for folder in described.include)
    own = [path for path in files if language.owns(path) and not path.startswith(included)]
    suffixes = " or ".join(language.suffixes)
    if not own:
        raise BadBundle(f"there is no {suffixes} file, but bot.yaml says language {language.name}.")
    top = [path for path in own if "/" not in path] or own
    named = [path for path in top if PurePosixPath(path).stem.lower() in ("bot", "main")]
    for paths in (own, top, named):
        if len(paths) == 1:
            return paths[0]
    raise BadBundle(
        f"there are {len(top)} {suffixes} files and no single one is called bot or main:"
        " say which it is with `main:` in bot.yaml."
    )


def _without_wrapping(files: dict[str, bytes]) -> dict[str, bytes]:
    tops = {path.split("/")[0] for path in files}
    if manifest.FILE in files or len(tops) != 1:
        return files
    skip = len(tops.pop()) + 1
    return {path[skip:]: content for path, content in files.items() if path[skip:]}

"""The files of a bot's folder on its author's machine, and of the folders that it includes."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path, PurePosixPath

from sandbox.bundles import manifest
from sandbox.bundles.paths import (
    IGNORED_FOLDERS,
    BadBundle,
    clean_path,
    collected,
    ignored,
    too_large,
)
from sandbox.limits import FILE_MIB, BundleLimits


def links(folder: Path) -> Mapping[str, str]:
    """Find the symbolic links directly in a folder, and their targets."""
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
    said = f"bot.yaml includes {include}"
    beside = folder.resolve().parent
    source = beside.joinpath(*PurePosixPath(include).parts[1:])
    if not source.is_dir() or source.is_symlink():
        raise BadBundle(f"{said}, but {source} is not a folder.")
    if not source.resolve().is_relative_to(beside):
        raise BadBundle(f"{said}, which leads out of {beside}.")
    # When the folders of many authors are submitted, none may copy from another.
    if include_from is not None and not any(
        source.resolve().is_relative_to(allowed.resolve()) for allowed in include_from
    ):
        raise BadBundle(
            f"{said}, but no bot may take files from {source}: "
            f"`--include-from {source}` allows it, if its author may have them."
        )
    if any((place / manifest.FILE).exists() for place in _between(beside, source)):
        raise BadBundle(f"{said}, but {source} is a bot's own folder: include one beside the bots.")
    included = collected(folder_files(source, limits, f"{name}/"), limits)
    own = {path: text for path, text in files.items() if f"{path}/".startswith(f"{name}/")}
    if own and own != included:  # an identical copy is fine, as made by copying through a link
        raise BadBundle(f"{said}, but the bot has a {name}/ of its own.")
    if not included:
        raise BadBundle(f"{said}, but there is no file in {source}: put one there or leave it out.")
    if any(PurePosixPath(path).name == manifest.FILE for path in included):
        raise BadBundle(f"{said}, but there is a bot in {source}: include one beside the bots.")
    return collected({**files, **included}.items(), limits)


def _between(above: Path, below: Path) -> Iterator[Path]:
    """Every folder on the path down from one folder to another, without the upper one."""
    while below != above:
        yield below
        below = below.parent

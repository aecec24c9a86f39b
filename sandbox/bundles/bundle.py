"""What an author submits: bot.yaml and the files beside it, as one value.

A bundle comes from a folder on the author's machine or from an archive that a stranger sent, and
is checked the same way: plain files only, under relative names that mean the same file on every
system, and within the limits below.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Self

from common import marked_yaml
from sandbox.bundles import archives, manifest
from sandbox.bundles.archives import BadArchive
from sandbox.bundles.folders import folder_files, links, with_included
from sandbox.bundles.manifest import Manifest
from sandbox.bundles.paths import BadBundle, clean_path, collected, too_large, usual_limits
from sandbox.languages.registry import LANGUAGES
from sandbox.limits import BUNDLE_MIB, MIB, BundleLimits

__all__ = ["BadBundle", "Bundle", "read_bundle"]

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
        """The path of the main file; empty for a bot with a `run:` of its own."""
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
        allowed = limits or usual_limits()
        try:
            found = archives.members(packed, largest=allowed.file, total=allowed.total)
            files = collected(((clean_path(name), content) for name, content in found), allowed)
        except BadArchive as error:
            raise BadBundle(f"{error}.") from None
        files = _without_wrapping(files)
        described = _described(files)
        for include in described.include:
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
        `lib` to `../lib` if bot.yaml includes that, so that the bot runs there as it does in a box.
        """
        limits = usual_limits()
        linked = links(folder)
        files = collected(folder_files(folder, limits, passed_over=linked), limits)
        described = _described(files)
        for name, target in linked.items():
            if target not in described.include or PurePosixPath(target).name != name:
                raise BadBundle(f"{name} is a symbolic link; only plain files are taken.")
        for include in described.include:
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
        limits = usual_limits()
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
    """Find the file that was probably meant as bot.yaml, and say what its name must be."""
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
    for found in (own, top, named):
        if len(found) == 1:
            return found[0]
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

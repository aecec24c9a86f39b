"""What comes out of a form, made into the one file that the runner reads."""

from __future__ import annotations

import errno
import hashlib
import io
import os
import re
import secrets
import shutil
import time
import zipfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from card_arena.accounts.entries import Paste
from card_arena.common.errors import ArenaFailure, UserError

ARCHIVES = (b"PK", b"\x1f\x8b")
"""How a zip and a tar.gz begin."""

PROTOCOLS = ("stdin", "argv")

LONGEST_SOURCE = 256 * 1024
"""Bytes of a program that is pasted."""


LONGEST_PATH = 1024
"""Bytes of a file's name with the folders that it is in."""


class BadForm(UserError):
    """A form can't be understood; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language that a program can be pasted in: its name, its title, and what its file is called.

    Its `starter` is the source of the smallest correct bot in it, which speaks the `protocol` and
    plays the `games`.
    """

    name: str
    title: str
    file: str
    protocol: str
    starter: str = ""
    games: tuple[str, ...] = ()


class Part(Protocol):
    """A file of a form: what the browser calls it, and its bytes."""

    filename: str | None
    stream: IO[bytes]


def packed_form(parts: Sequence[Part]) -> tuple[IO[bytes], str]:
    """One archive as it is, or several files of a folder packed into one; raises `BadForm`.

    Nothing is unpacked here, and no name is believed: that is for the runner.
    """
    chosen = [part for part in parts if part.filename]
    if any(len((part.filename or "").encode("utf-8", "replace")) > LONGEST_PATH for part in chosen):
        raise BadForm(f"the path of a file may have {LONGEST_PATH} bytes")
    if not chosen:
        raise BadForm("choose a folder, a zip or a tar.gz, or paste a program")
    first = chosen[0]
    if len(chosen) == 1 and first.filename:
        begins = first.stream.read(4)
        first.stream.seek(0)
        if begins.startswith(ARCHIVES):
            return first.stream, first.filename
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in chosen:
            archive.writestr(zipfile.ZipInfo(part.filename or "file"), part.stream.read())
    target.seek(0)
    return target, (first.filename or "").split("/", maxsplit=1)[0]


def packed_source(paste: Paste, language: Language) -> tuple[IO[bytes], str]:
    """A pasted program with the bot.yaml that goes with it; raises `BadForm`."""
    program = paste.source.replace("\r\n", "\n").encode("utf-8", "replace")
    if not program.strip():
        raise BadForm("paste the program, or choose a file")
    if len(program) > LONGEST_SOURCE:
        raise BadForm(f"a pasted program may have {LONGEST_SOURCE // 1024} KiB")
    if not paste.games:
        raise BadForm("choose the games that it plays")
    if paste.protocol not in PROTOCOLS:
        raise BadForm("choose how it is asked")
    name = paste.name
    plain = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    if not plain or name != name.lower() or len(name) > 32:
        raise BadForm("a bot's name has 1 to 32 lower-case letters, digits, - and _")
    about = (
        f"name: {name}\ngames: [{', '.join(paste.games)}]\nprotocol: {paste.protocol}\n"
        f"language: {language.name}\n"
    )
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("bot.yaml"), about)
        archive.writestr(zipfile.ZipInfo(language.file), program)
    target.seek(0)
    return target, f"{name}.zip"


_CHUNK = 64 * 1024
ABANDONED = 86_400.0
"""Seconds after which a file that nobody waits for is removed."""

_NAME = re.compile(r"[0-9a-f]{32}")


class TooLarge(UserError):
    """A file is larger than an upload may be."""


class CutShort(UserError):
    """A file did not come whole."""


class SpoolFull(ArenaFailure):
    """A file can't be kept here; the message says why."""


@dataclass(frozen=True, slots=True)
class Spooled:
    """A file in the spool: its name there, its content's SHA-256 in hexadecimal, and its bytes."""

    name: str
    sha256: str
    size: int


class Spool:
    """A folder of files that only its owner may read; it is made when it is needed.

    A file is written beside its place, brought to the disk, and renamed into its place: whoever
    finds a file finds all of it, whenever anything was killed. Each has a name of its own, so
    that the same content again is a file that nobody else removes.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, stream: IO[bytes], most: int, size: int | None = None) -> Spooled:
        """Keep what comes out of a stream, which is never held in memory as a whole.

        Raises `TooLarge` as soon as it is more than `most` bytes, `CutShort` if it isn't the `size`
        that was announced, and `SpoolFull`; nothing is kept then.
        """
        if size is not None and size > most:
            raise TooLarge(_too_large(most))
        digest = hashlib.sha256()
        name = secrets.token_hex(16)
        written = 0

        def coming() -> Iterator[bytes]:
            nonlocal written
            while chunk := stream.read(_CHUNK):
                written += len(chunk)
                if written > most:
                    raise TooLarge(_too_large(most))
                digest.update(chunk)
                yield chunk
            if size is not None and written != size:
                raise CutShort(f"{written} of {size} bytes came: send it again")

        self._keep(name, coming())
        return Spooled(name, digest.hexdigest(), written)

    def put_back(self, name: str, content: bytes) -> None:
        """Keep a file again under the name that `put` gave it; raises `SpoolFull`."""
        self._keep(_checked(name), [content])

    def copy(self, name: str, folder: Path) -> bool:
        """Copy a file to another folder, under its name; False if it is not here."""
        try:
            shutil.copyfile(self._folder / _checked(name), folder / name)
        except FileNotFoundError:
            return False
        return True

    def read(self, name: str) -> bytes | None:
        """A file's content; None if it is not here."""
        try:
            return (self._folder / _checked(name)).read_bytes()
        except FileNotFoundError:
            return None

    def remove(self, name: str) -> None:
        """Forget a file, and what was said about it; it need not be here."""
        (self._folder / _checked(name)).unlink(missing_ok=True)
        self.progress(name).unlink(missing_ok=True)

    def progress(self, name: str) -> Path:
        """Where it is said how far a file has come."""
        return (self._folder / f".{_checked(name)}.progress").absolute()

    def sweep(self, wanted: Collection[str], age: float = ABANDONED) -> int:
        """Remove the files that nobody waits for, and what was left of killed programs.

        Those that are younger than `age` seconds stay: they may just have been uploaded. Returns
        how many files were removed.
        """
        removed = 0
        with suppress(FileNotFoundError):
            for path in self._folder.iterdir():
                if path.name not in wanted and time.time() - path.stat().st_mtime > age:
                    path.unlink(missing_ok=True)
                    removed += 1
        return removed

    def _keep(self, name: str, content: Iterable[bytes]) -> None:
        """Write a file beside its place, bring it to the disk, and rename it into its place."""
        aside = self._folder / f".{secrets.token_hex(16)}"
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            # its owner's alone, even in a folder that somebody else has made
            descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                for chunk in content:
                    file.write(chunk)
                file.flush()
                os.fsync(file.fileno())
            aside.rename(self._folder / name)
            self._to_disk()
        except OSError as error:
            raise SpoolFull(f"{self._folder} can't keep it: {error.strerror}") from error
        finally:
            with suppress(OSError):
                aside.unlink()

    def _to_disk(self) -> None:
        """Bring the folder itself to the disk, so that the new name outlives a power cut."""
        folder = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        except OSError as error:
            if error.errno != errno.EINVAL:  # a file system whose folders need none
                raise
        finally:
            os.close(folder)


def _checked(name: str) -> str:
    assert _NAME.fullmatch(name), "a file has a name that `put` gave it"
    return name


def _too_large(most: int) -> str:
    return f"it is larger than {most // 1024:,} KiB, the largest possible upload"

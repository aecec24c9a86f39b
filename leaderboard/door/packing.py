"""What comes out of a form, made into the one file that the runner reads."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, Protocol

from common.errors import UserError
from leaderboard.door.entries import Paste

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
        raise BadForm("a bot's name has 1 to 32 small letters, digits, - and _")
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

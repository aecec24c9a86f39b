"""Files as one stream of bytes: how a bot's files enter its sandbox, and a build's leave it."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable, Iterator

FILE = struct.Struct("=IBQ")
"""Length of the name, may it be executed, length of the content; name and content follow."""
DEEPEST = 20
"""The most folders that may lie in each other."""


def pack(files: Iterable[tuple[str, bytes, bool]]) -> Iterator[bytes]:
    """Encode files (name, content, may it be executed) as one stream."""
    for name, content, executable in files:
        raw = os.fsencode(name)
        yield FILE.pack(len(raw), executable, len(content)) + raw + content


def unpack(stream: bytes) -> Iterator[tuple[str, bytes, bool]]:
    """Decode the output of `pack`; raises `ValueError` where the stream ends in the middle."""
    place = 0
    while place < len(stream):
        try:
            name_length, executable, length = FILE.unpack_from(stream, place)
        except struct.error as error:
            raise ValueError("the stream of files is cut") from error
        place += FILE.size
        end = place + name_length + length
        if end > len(stream):
            raise ValueError("the stream of files is cut")
        name = os.fsdecode(stream[place : place + name_length])
        yield name, stream[place + name_length : end], bool(executable)
        place = end


def entries(source: int) -> Iterator[tuple[str, bool, int, int]]:
    """Yield the position and length of each file in the output of `pack`.

    Each entry is its name, whether it is executable, its position and its length; nothing is read.
    """
    place, end = 0, os.fstat(source).st_size
    while place < end:
        name_length, executable, length = FILE.unpack(os.pread(source, FILE.size, place))
        place += FILE.size
        name = os.fsdecode(os.pread(source, name_length, place))
        place += name_length
        yield name, bool(executable), place, length
        place += length


def copy_out(source: int, place: int, length: int, path: str, mode: int) -> None:
    """Write a part of a descriptor's bytes as a new file, without holding them in our memory.

    A bot's files may be larger than the rest of its sandbox's memory.
    """
    target = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        end = place + length
        while place < end:
            place += os.sendfile(target, source, place, end - place)
    finally:
        os.close(target)

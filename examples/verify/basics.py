"""Hashes and lots, and the ways in which a check ends early."""

import hashlib
import hmac
import zipfile
import zlib

READ_ERRORS = (
    *(OSError, LookupError, ValueError, TypeError, AttributeError, EOFError, RuntimeError),
    *(ArithmeticError, MemoryError, zipfile.BadZipFile, zlib.error),
)
"""What a damaged file may lead to; a text that is nested too deeply is a RuntimeError."""


LARGEST_NUMBER = 2**62
"""The largest number of a record."""


class Wrong(Exception):
    """What is published contradicts the rules."""


class Unknown(Exception):
    """This program doesn't know how something is played, or lacks what it would need."""


def must(holds, sentence):
    """Raise `Wrong` unless something holds."""
    if not holds:
        raise Wrong(sentence)


def printable(text):
    """The text with everything escaped that a terminal would not print."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def sha256(data):
    """The SHA-256 of bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def shuffled(items, key, label):
    """The recipe of docs/verifying.md: these items in the order that key and label give."""
    items, drawn, block = list(items), b"", 0
    for last in range(len(items) - 1, 0, -1):
        size = 1 if last < 256 else 2
        values = number = 256**size
        while number >= values - values % (last + 1):
            while len(drawn) < size:
                drawn += hmac.digest(key, f"{label}/{block}".encode(), "sha256")
                block += 1
            number, drawn = int.from_bytes(drawn[:size], "big"), drawn[size:]
        other = number % (last + 1)
        items[last], items[other] = items[other], items[last]
    return items

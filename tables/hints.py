"""Guesses at what a bot meant by an invalid line: the usual hints, each one tested.

A slip is named only if the line without it is an answer, so no guess rests on appearance.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from card_arena.tables.encoding import quoted
from card_arena.tables.game import MalformedAnswer, Phase

MARK = "\ufeff"
WRAPPING = "\"'`[](){}<>"
SUITS = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C", "♤": "S", "♡": "H", "♢": "D"})
NOTHING = ("none", "null", "nil", "undefined", "nan")
"""What languages print for a missing value, in small letters."""

MORE = "the line holds more than the answer"
DEBUGGING = "if this is to help you find mistakes, everything but the answer goes to standard error"


def explained(error: MalformedAnswer, phase: Phase, line: str) -> str:
    """Say why a line is not an answer, and what was probably meant by it."""
    hint = hint_for(line, phase.read)
    return f"{error}; {hint}" if hint else str(error)


def hint_for(line: str, read: Callable[[str], object]) -> str:
    """Name the slip that keeps a line from being an answer; empty when none is known.

    `read` reads an answer as `Phase.read` does.
    """
    if not line.strip():
        return "the line is empty: print the answer, and nothing before it"
    if line.strip().lower() in NOTHING:
        return f"the program printed {line.strip()}, which is no value: did a function return none?"
    for meant, what in _cleaned(line):
        if meant != line and _reads(meant, read):
            rest = ", and all else on standard error" if what == MORE else ""
            return f"{what}: print just {quoted(meant)}{rest}"
    return DEBUGGING if len(line.split()) > 2 else ""


def _reads(line: str, read: Callable[[str], object]) -> bool:
    try:
        read(line)
    except MalformedAnswer:
        return False
    return True


def _cleaned(line: str) -> Iterator[tuple[str, str]]:
    """Undo one slip at a time, the likeliest first: what the line was meant to be, and the slip."""
    text = line.strip()
    if "\\x" in text or "\x00" in text or MARK in text:
        for junk in (MARK, "\x00", r"\xff\xfe", r"\xfe\xff"):
            text = text.replace(junk, "")
        yield text, "the output is not plain UTF-8 (a byte order mark, or UTF-16)"
    bare = text.translate({ord(sign): None for sign in WRAPPING}).strip()
    yield bare, "quotes and brackets are no part of an answer"
    for key_and_value in (bare.rpartition(":")[2], bare.rpartition("=")[2]):
        yield key_and_value.strip(), "the answer's name is no part of it"
    yield re.sub(r"\.0+$", "", bare), "the answer is a whole number, without a fraction"
    yield re.sub(r"[.;,!]+$", "", bare), "punctuation is no part of an answer"
    plain = bare.translate(SUITS)
    yield plain, "suits are the letters S, H, D and C"
    yield _ten(plain), "a ten is written T"
    yield _ten(_turned(plain)), "a card is its rank and then its suit"
    yield re.sub(r"^([A-Za-z]+)(\d+)$", r"\1 \2", plain), "a blank stands before the number"
    words = bare.split()
    for some in _ends(words):
        yield some, MORE


def _ten(text: str) -> str:
    return re.sub(r"10(?=[A-Za-z])", "T", text)


def _turned(text: str) -> str:
    """Every card with its letters in the other order: SK, S10."""
    return re.sub(r"\b([SHDCshdc])(10|[2-9TJQKAtjqka])\b", lambda card: card[2] + card[1], text)


def _ends(words: Sequence[str]) -> Iterator[str]:
    """The last two words and the last one, then the first ones."""
    if len(words) > 1:
        yield from (" ".join(words[-2:]), words[-1], " ".join(words[:2]), words[0])

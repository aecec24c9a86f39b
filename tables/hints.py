"""Guesses at what a bot meant by an invalid line: the usual hints, each one tested.

A slip is named only if the line without it is an answer, so no guess rests on appearance.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from card_arena.common.faults import Facts
from card_arena.common.text import quoted
from card_arena.tables.game import MalformedAnswer

MARK = "\ufeff"
WRAPPING = "\"'`[](){}<>"
SUITS = str.maketrans({"♠": "S", "♥": "H", "♦": "D", "♣": "C", "♤": "S", "♡": "H", "♢": "D"})
NOTHING = ("none", "null", "nil", "undefined", "nan")
"""What languages print for a missing value, in small letters."""

HINTS: Mapping[str, str] = {
    "empty": "the line is empty: print the answer, and nothing before it",
    "no-value": "the program printed {meant}, which is no value: did a function return none?",
    "not-utf8": (
        "the output is not plain UTF-8 (a byte order mark, or UTF-16): print just {meant}"
    ),
    "wrapped": "quotes and brackets are no part of an answer: print just {meant}",
    "named": "the answer's name is no part of it: print just {meant}",
    "fraction": "the answer is a whole number, without a fraction: print just {meant}",
    "punctuation": "punctuation is no part of an answer: print just {meant}",
    "suit-sign": "suits are the letters S, H, D and C: print just {meant}",
    "ten": "a ten is written T: print just {meant}",
    "turned": "a card is its rank and then its suit: print just {meant}",
    "no-blank": "a blank stands before the number: print just {meant}",
    "more": (
        "the line holds more than the answer: print just {meant}, and all else on standard error"
    ),
    "debugging": (
        "if this is to help you find mistakes, everything but the answer goes to standard error"
    ),
}
"""What a bot probably did, by the code of the hint."""


def hint_text(facts: Facts) -> str:
    """Say the hint among these facts of a fault; empty without one."""
    return HINTS[facts["hint"]].format(**facts) if facts.get("hint") else ""


def hint_for(line: str, read: Callable[[str], object]) -> Facts:
    """Name the slip that keeps a line from being an answer; no facts when none is known.

    `hint` is its code, `meant` the answer that was probably meant. `read` reads an answer as
    `Phase.read` does.
    """
    if not line.strip():
        return {"hint": "empty"}
    if line.strip().lower() in NOTHING:
        return {"hint": "no-value", "meant": line.strip()}
    for meant, code in _cleaned(line):
        if meant != line and _reads(meant, read):
            return {"hint": code, "meant": quoted(meant)}
    return {"hint": "debugging"} if len(line.split()) > 2 else {}


def _reads(line: str, read: Callable[[str], object]) -> bool:
    try:
        read(line)
    except MalformedAnswer:
        return False
    return True


def _cleaned(line: str) -> Iterator[tuple[str, str]]:
    """Undo one slip at a time, the likeliest first: what the line was meant to be, and a hint."""
    text = line.strip()
    if "\\x" in text or "\x00" in text or MARK in text:
        for junk in (MARK, "\x00", r"\xff\xfe", r"\xfe\xff"):
            text = text.replace(junk, "")
        yield text, "not-utf8"
    bare = text.translate({ord(sign): None for sign in WRAPPING}).strip()
    yield bare, "wrapped"
    for key_and_value in (bare.rpartition(":")[2], bare.rpartition("=")[2]):
        yield key_and_value.strip(), "named"
    yield re.sub(r"\.0+$", "", bare), "fraction"
    yield re.sub(r"[.;,!]+$", "", bare), "punctuation"
    plain = bare.translate(SUITS)
    yield plain, "suit-sign"
    yield _ten(plain), "ten"
    yield _ten(_turned(plain)), "turned"
    yield re.sub(r"^([A-Za-z]+)(\d+)$", r"\1 \2", plain), "no-blank"
    words = bare.split()
    for some in _ends(words):
        yield some, "more"


def _ten(text: str) -> str:
    return re.sub(r"10(?=[A-Za-z])", "T", text)


def _turned(text: str) -> str:
    """Every card with its letters in the other order: SK, S10."""
    return re.sub(r"\b([SHDCshdc])(10|[2-9TJQKAtjqka])\b", lambda card: card[2] + card[1], text)


def _ends(words: Sequence[str]) -> Iterator[str]:
    """The last two words and the last one, then the first ones."""
    if len(words) > 1:
        yield from (" ".join(words[-2:]), words[-1], " ".join(words[:2]), words[0])

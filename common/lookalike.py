"""Names that people would take for each other."""

from __future__ import annotations

import unicodedata

_ALIKE = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "5": "s", "8": "b"})

_LIKE_LATIN = str.maketrans(
    "АВЕЅІЈКМНОРСТУХаеѕіјорсухвкмнтһӏԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορτυχєԌԍ",
    "ABESIJKMHOPCTYXaesijopcyxbkmhthldqwABEZHIKMNOPTYXaikvoptuxeGg",
)
"""Cyrillic and Greek letters, and the Latin ones that look like them (Unicode UTS 39)."""


def skeleton(text: str) -> str:
    """What is left of a name when case, accents, blanks and signs don't count.

    Two names with the same skeleton could be taken for each other: "Davey", "DAVEY 1" and "dave-y1"
    differ only in how they are written, or not at all. So does one with a Cyrillic a.
    """
    latin = unicodedata.normalize("NFKD", text).translate(_LIKE_LATIN)
    plain = unicodedata.normalize("NFKD", latin.casefold())
    letters = "".join(sign for sign in plain if sign.isalnum() or sign == "|")
    return letters.translate(_ALIKE)


def mixes_scripts(text: str) -> bool:
    """Whether letters of several scripts stand in one text, such as Latin ones with a Cyrillic a.

    The letters that Japanese and Korean write together count as one script.
    """
    scripts = {_script(sign) for sign in text if sign.isalpha()}
    return len(scripts) > 1


def _script(letter: str) -> str:
    script = unicodedata.name(letter, "?").split(" ", 1)[0]
    return "CJK" if script in ("CJK", "HIRAGANA", "KATAKANA", "HANGUL") else script

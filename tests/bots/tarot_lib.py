"""The library of the tarot bots, loaded as a bot of this process would load it."""

from __future__ import annotations

import sys
from importlib import import_module
from types import SimpleNamespace

from tests.bots.house import BOTS


def _load() -> SimpleNamespace:
    folder = BOTS / "tarot"
    names = sorted(path.stem for path in (folder / "lib").glob("*.py"))
    sys.path.insert(0, str(folder))
    try:
        return SimpleNamespace(**{name: import_module(f"lib.{name}") for name in names})
    finally:
        sys.path.remove(str(folder))
        for name in [name for name in sys.modules if name.split(".")[0] == "lib"]:
            del sys.modules[name]


LIB = _load()


def cards(text: str) -> list[int]:
    """The numbers of cards written as `KS A21 EX`."""
    return [LIB.cards.NUMBERS[name] for name in text.split()]


def asked(
    phase: str,
    legal: str,
    *,
    hand: str = "",
    seat: int = 0,
    taker: int = 0,
    contract: str = "garde",
    dog: str = "-",
    discard: str = "-",
    shown: str = "-",
    history: str = "-",
    trick: str = "-",
) -> list[str]:
    """The words of a question; where no hand is given, all of it is legal."""
    return (
        f"tarot {phase} {legal} {seat} 2 {hand or legal} garde,pass,pass {taker} {contract} {dog}"
        f" {discard} {shown} {history} {trick} 0,0,0 1/12"
    ).split()

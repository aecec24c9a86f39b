"""The library of the spades bots, loaded as a bot of this process would load it."""

from __future__ import annotations

import sys
from importlib import import_module
from types import SimpleNamespace

from tests.bots.house import BOTS


def _load() -> SimpleNamespace:
    folder = BOTS / "spades"
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
    """The numbers of cards written as `AS 7H`."""
    return [LIB.cards.NUMBER[name] for name in text.split()]


def asked(
    phase: str,
    hand: str,
    *,
    legal: str = "",
    seat: int = 0,
    dealer: int = 3,
    bids: str = "-,-,-,-",
    history: str = "-",
    trick: str = "-",
    took: str = "0,0,0,0",
    scores: str = "0,0",
    bags: str = "0,0",
    goal: int = 500,
    lose: int | str = -100,
) -> list[str]:
    """The words of a question about a hand written as `AS 7H`; any card of it is legal."""
    held = ",".join(hand.split()) or "-"
    allowed = legal or ("0..13" if phase == "bid" else held)
    rest = (seat, dealer, held, bids, history, trick, took, scores, bags, goal, lose)
    return ["spades", phase, allowed, *map(str, rest)]


def table(phase: str, hand: str, **rest):
    """What a bot makes of such a question."""
    return LIB.table.Table(asked(phase, hand, **rest))

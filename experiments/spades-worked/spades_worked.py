"""The examples of [Cohensius 2019], from the bots' own library."""

from __future__ import annotations

from collections.abc import Mapping
from math import comb

from lib.cards import NUMBER, QUEEN, SPADES, SUIT
from lib.chances import chance
from lib.curves import chance_of_nil
from lib.nil_value import suit_value
from lib.takes import regular_takes

from card_arena.experiments.measures import Bars, Measures, Stage
from card_arena.ratings.intervals import exact

FIGURE_1 = [
    NUMBER[name]
    for name in ["AS", "KS", "JS", "6S", "2S", "AH", "QH", "QD", "KC", "9C", "5C", "4C", "3C"]
]
SIDE = [NUMBER[name] for name in ["4H", "3H", "2H", "4D", "3D", "2D", "4C", "3C", "2C"]]
"""Side cards that are worth nothing, in suits too long to be cut."""

TENTHS = [tenth / 10 for tenth in range(11)]
BIDS = {"first to bid": [], "after 1 and 3": [3, 1], "after 5 and 3": [3, 5]}
"""The bids before by what they are called: the right-hand opponent's, then the partner's."""


def measure(stages: Mapping[str, Stage]) -> Measures:  # noqa: ARG001 - nothing is played
    """A row an example; the plot shows the curves that the last one is a point of."""
    king, ace = chance(5, 1), chance(2, 0)
    spades = [card for card in FIGURE_1 if SUIT[card] == SPADES]
    sure = 2
    cuts = sorted((chance(1, 1), chance(1, 2), chance(2, 2)), reverse=True)
    spare = cuts[: len(spades) - sure]
    rows = {
        "figure 1: the king of clubs": king,
        "figure 1: the ace of hearts": ace,
        "figure 1: spades by rank and length": regular_takes(spades + SIDE),
        "figure 1: sure spades and cuts": sure + sum(spare),
        "figure 1: regular takes": regular_takes(FIGURE_1),
        "cuts with a singleton and two spare spades": chance(1, 1) + chance(1, 2),
        "four cards: the opponents lead a fourth trick that the partner can't cut": fourth_trick(4),
        "nil value of a lone queen": suit_value([QUEEN], trumps=False),
        "nils made at value .8, third to bid after 1 and 3": chance_of_nil(0.8, [3, 1]),
    }
    curves = {
        name: {f"{value}": exact(chance_of_nil(value, before)) for value in TENTHS}
        for name, before in BIDS.items()
    }
    plot = Bars("Nils made by nil value, as BIS expects", "share", curves)
    return Measures({name: exact(value) for name, value in rows.items()}, {"curves": plot})


def fourth_trick(own: int) -> float:
    """The chance that the partner and an opponent hold four cards of a suit, of which we hold some.

    Then that opponent can lead it a fourth time, and the partner has to follow.
    """
    out = 13 - own
    ways = sum(
        comb(13, partner) * comb(13, left) * comb(13, out - partner - left)
        for partner in range(4, out + 1)
        for left in range(out - partner + 1)
        if max(left, out - partner - left) >= 4
    )
    return ways / comb(39, out)

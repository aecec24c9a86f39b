"""What a deal of Bazar Blot gave each side: it is played out by rule, with the hands exchanged.

All seats bid like the first bidder of [Bazar Blot n.d.] (bots/blot) and play their highest card,
once with the hands as they lie and once with all hands one, two and three seats further, which were
as likely. Luck is a side's points more than the other's with the hands as they lie, less the mean
of all four.
"""

from __future__ import annotations

from collections.abc import Sequence

from card_arena.tables.blot.answers import Call
from card_arena.tables.blot.phases import Bidding, Playing, Shuffling
from card_arena.tables.blot.rules import (
    HIGHEST_LEVEL,
    LOWEST_LEVEL,
    NO_TRUMP,
    POINTS,
    SEATS,
    Bid,
    Finished,
    Hands,
    ScoreSheet,
    playable,
)
from card_arena.tables.cards import Card
from card_arena.tables.game import Phase, Terminal
from card_arena.tables.luck import UNIT, Luck

_STRAINS = ("H", "S", "C", "D", NO_TRUMP)
"""Of equal strains the first is bid."""


def luck(before: Phase, after: Phase | Terminal) -> Sequence[int]:
    """The hands that were dealt."""
    if isinstance(before, Shuffling) and isinstance(after, Bidding):
        return luck_of_deal(after.sheet, after.hands)
    return ()


def luck_of_deal(sheet: ScoreSheet, hands: Hands) -> Luck:
    """What the deal is worth to each seat above the mean of all seats for the hands in turn."""
    if sheet.options.declare != "auto":
        sheet = sheet._replace(options=sheet.options.model_copy(update={"declare": "auto"}))
    margins = [_margin(sheet, (*hands[turn:], *hands[:turn])) for turn in SEATS]
    side = UNIT // 8 * (4 * margins[0] - sum(margins))
    return side, -side, side, -side


def _margin(sheet: ScoreSheet, hands: Hands) -> int:
    """The points of side 0 more than those of side 1 in a deal that is played by rule."""
    phase: Phase | Terminal | Finished = Bidding(sheet, hands, sheet.first)
    while isinstance(phase, Bidding):
        phase, _ = phase.apply(_call(phase))
    while isinstance(phase, Playing):
        phase = phase.put(_highest(phase))
    if not isinstance(phase, Finished):
        return 0  # all have passed
    return phase.gained[0] - phase.gained[1]


def _call(phase: Bidding) -> Bid | Call:
    """Bid the best strain, a level higher for every 20 that it is worth; pass with too little.

    Half of what the partner's bid went over the lowest one is added in its strain, and all without
    trumps counts half. Worths are in quarters of a point.
    """
    lowest = LOWEST_LEVEL if phase.contract is None else phase.contract.bid.level + 1
    strain, raised = _partners_last(phase)
    hand = phase.hands[phase.to_act]
    worths = [
        (1 + (one != NO_TRUMP)) * (2 * _worth(hand, one) + raised * (one == strain))
        for one in _STRAINS
    ]
    best = max(worths)
    level = min(lowest + (best + 40) // 80, HIGHEST_LEVEL)
    if best < 16 * lowest or level < lowest:
        return Call.PASS
    return Bid(level, _STRAINS[worths.index(best)])


def _worth(hand: Sequence[Card], strain: str) -> int:
    """The points of a hand's trumps, or of all its cards without trumps."""
    return sum(POINTS[strain][card] for card in hand if strain in (card.suit, NO_TRUMP))


def _partners_last(phase: Bidding) -> tuple[str, int]:
    """The strain of the partner's last bid, and by how much it went over the lowest one."""
    last, lowest = ("", 0), LOWEST_LEVEL
    for seat, call in phase.calls:
        if call != Call.PASS:
            level, strain = int(call[:-1]), call[-1]
            if (seat - phase.to_act) % 4 == 2:
                last = strain, level - lowest
            lowest = level + 1
    return last


def _highest(phase: Playing) -> Card:
    """The best trump that may be played, else the card that counts most."""
    strain = phase.contract.bid.strain
    points = POINTS[strain]
    cards = playable(phase.hands[phase.to_act], phase.trick, strain, phase.sheet.options)
    return max(cards, key=lambda card: (card.suit == strain, points[card], card.rank))

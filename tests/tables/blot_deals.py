"""Positions of blot for the tests: hands that were dealt on purpose, and rounds near their end."""

from __future__ import annotations

from collections.abc import Sequence

from card_arena.tables.blot import Blot
from card_arena.tables.blot.phases import Bidding, Playing
from card_arena.tables.blot.rules import NOTHING_DECLARED, PACK, Bid, Contract, Options, ScoreSheet
from card_arena.tables.cards import Card, cards
from card_arena.tables.game import Phase, Terminal

GAME = Blot()

HANDS = (
    "AS 8S 9H KD 9D 8D 7D KC",
    "KS QS 7S KH JH AD QD TD",
    "JS TS 9S AH 8H AC QC JC",
    "QH TH 7H JD TC 9C 8C 7C",
)
"""Seat 0 has a tierce, 1 the belote of spades, 2 a tierce of them, 3 a fifty."""


def packed(hands: Sequence[str], first: int) -> tuple[Card, ...]:
    """The pack that deals these hands, four cards and four more from the seat `first` on."""
    turns = [cards(hands[(first + turn) % 4]) for turn in range(4)]
    order = [card for half in (0, 4) for hand in turns for card in hand[half : half + 4]]
    assert sorted(order) == sorted(PACK)
    return tuple(order)


def bidding(hands: Sequence[str] = HANDS, **options: object) -> Bidding:
    """The first question of a game in which seat 0 deals these hands, so that seat 1 opens."""
    start = GAME.start(Options(first_dealer="seat_0", **options), 4)
    phase, _ = start.apply(packed(hands, first=1))
    assert isinstance(phase, Bidding)
    return phase


def after(phase: Phase, answers: str) -> Phase | Terminal:
    """Where a game stands after these answers, each by whoever is asked."""
    for answer in answers.split():
        assert not isinstance(phase, Terminal)
        phase, _ = phase.apply(phase.read(answer))
    return phase


def playing(calls: str, hands: Sequence[str] = HANDS, **options: object) -> Playing:
    """The first lead, by seat 1, after these calls."""
    phase = after(bidding(hands, **options), calls)
    assert isinstance(phase, Playing)
    return phase


def late(
    hands: Sequence[str],
    contract: str = "10S",
    *,
    to_act: int = 0,
    points: tuple[int, int] = (0, 0),
    tricks: tuple[int, int] = (4, 3),
    declared=NOTHING_DECLARED,
    declarer: int = 0,
    scores: tuple[int, int] = (0, 0),
    deal: int = 1,
    **options: object,
) -> Playing:
    """A round near its end: these cards are left, and this has been taken so far."""
    bid = contract.rstrip("x")
    capot = bid.endswith("c")
    level, strain = int(bid.rstrip("c")[:-1]), bid.rstrip("c")[-1]
    return Playing(
        ScoreSheet(Options(**options), dealer=3, deal=deal, scores=scores),
        Contract(Bid(level, strain, capot), declarer, contract.count("x")),
        bid,
        declared,
        tuple(cards(hand) for hand in hands),
        to_act,
        (),
        "",
        points,
        tricks,
    )

"""A seat's knowledge at blot, as the question that it is asked."""

from __future__ import annotations

from tables.blot.messages import BlotQuestion
from tables.blot.score_sheet import ScoreSheet, by_side
from tables.cards import Card, listed
from tables.game import Seat
from tables.tricks import open_hands

Hands = tuple[tuple[Card, ...], ...]


def question(
    sheet: ScoreSheet,
    hands: Hands,
    seat: Seat,
    *,
    phase: str,
    legal: str,
    auction: str,
    contract: str,
    declarations: str = "-",
    history: str = "-",
    trick: str = "-",
    points: str = "0,0",
) -> BlotQuestion:
    """Write down what a seat may know: its own hand, and everything said and played."""
    options = sheet.options
    return BlotQuestion(
        game="blot",
        phase=phase,
        legal=legal,
        seat=seat,
        dealer=sheet.dealer,
        hand=listed(hands[seat]),
        auction=auction,
        contract=contract,
        declarations=declarations,
        history=history,
        trick=trick,
        points=points,
        scores=by_side(sheet.scores),
        target=options.target,
        hands=open_hands(options, hands),
    )

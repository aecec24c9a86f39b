"""A seat's knowledge at tarot, as the question that it is asked."""

from __future__ import annotations

from collections.abc import Sequence

from tables.cards import Card, listed
from tables.game import Seat
from tables.tarot.legal import Hand
from tables.tarot.messages import TarotQuestion
from tables.tarot.score_sheet import Call, Deal, ScoreSheet
from tables.tricks import numbers, open_hands

Hands = tuple[Hand, ...]


def bid_question(
    sheet: ScoreSheet, hands: Hands, seat: Seat, legal: Sequence[Call], calls: Sequence[Call]
) -> TarotQuestion:
    """The question before there is a taker."""
    return TarotQuestion(
        game="tarot",
        phase="bid",
        legal=",".join(map(str, legal)),
        seat=seat,
        dealer=sheet.dealer,
        hand=listed(hands[seat]),
        bids=sheet.calls_text(calls),
        taker="-",
        contract="-",
        dog="-",
        discard="-",
        shown="-",
        history="-",
        trick="-",
        scores=numbers(sheet.scores),
        deal=f"{sheet.number}/{sheet.options.deals}",
        hands=open_hands(sheet.options, hands),
    )


def deal_question(
    deal: Deal,
    hands: Hands,
    seat: Seat,
    phase: str,
    legal: Sequence[Card],
    *,
    shown: str = "-",
    history: str = "-",
    trick: str = "-",
) -> TarotQuestion:
    """The question once there is a taker."""
    sheet = deal.sheet
    return TarotQuestion(
        game="tarot",
        phase=phase,
        legal=",".join(legal),
        seat=seat,
        dealer=sheet.dealer,
        hand=listed(hands[seat]),
        bids=sheet.calls_text(deal.calls),
        taker=str(deal.taker),
        contract=str(deal.call),
        dog=listed(deal.dog_seen_by(seat)),
        discard=listed(deal.discard_seen_by(seat)),
        shown=shown,
        history=history,
        trick=trick,
        scores=numbers(sheet.scores),
        deal=f"{sheet.number}/{sheet.options.deals}",
        hands=open_hands(sheet.options, hands),
    )

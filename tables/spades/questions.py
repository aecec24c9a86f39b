"""A seat's knowledge at spades, as the question that it is asked."""

from __future__ import annotations

from tables.cards import listed
from tables.game import Seat
from tables.spades.messages import SpadesQuestion
from tables.spades.scoring import NIL, SEATS, Bids, Hands, Round, bids_text
from tables.tricks import numbers, open_hands


def first_bids(round: Round) -> Bids:
    """The bids when the cards are first seen: nil for blind bidders, none for the others."""
    return tuple(NIL if seat in round.blind else None for seat in SEATS)


def question(
    round: Round,
    seat: Seat,
    phase: str,
    legal: str,
    hands: Hands,
    bids: Bids,
    history: str = "-",
    trick: str = "-",
    took: tuple[int, ...] = (0, 0, 0, 0),
) -> SpadesQuestion:
    """Write down what this seat may know: its own hand, and everything played on the table."""
    options = round.options
    mine, hers = round.gave[seat], round.gave[(seat + 2) % 4]
    return SpadesQuestion(
        game="spades",
        phase=phase,
        legal=legal,
        seat=seat,
        dealer=round.dealer,
        hand=listed(hands[seat]),
        bids=bids_text(bids, round.blind),
        history=history,
        trick=trick,
        took=numbers(took),
        scores=numbers(round.scores),
        bags=numbers(round.bags),
        goal=options.winning_score,
        lose=str(options.lose or "-"),
        passed=f"{listed(mine)}/{listed(hers)}" if options.blind_exchange else None,
        hands=open_hands(options, hands),
    )

"""The rules of spades: legal plays and scoring (rules b.4, b.5).

Rules are cited from docs/rules/spades.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, Self

from pydantic import Field, model_validator

from card_arena.tables.cards import FULL_PACK, RANKS, SUITS, Card, card
from card_arena.tables.encoding import plain
from card_arena.tables.game import HandOptions, MalformedAnswer, Mistake, Seat
from card_arena.tables.tricks import of_suit

# The scoring of a round of spades, and the end of a game (rules b.4, b.5).


SEATS = range(4)
TRICKS = 13
TRUMP = "S"
NIL = 0


class Options(HandOptions):
    """The table's choice wherever the rules of spades can be read in more than one way."""

    goal: int = Field(500, ge=1, le=10_000, description="the score that ends the game")
    goal_test: Literal["reached", "exceeded"] = Field(
        "reached", description="whether the goal must be reached or exceeded"
    )
    lose: int = Field(
        -100, ge=-10_000, le=0, description="a side that falls to this score loses; 0: no limit"
    )
    max_rounds: int = Field(
        200, ge=0, le=10_000, description="after how many rounds the higher score wins; 0: no limit"
    )
    bag_penalty: Literal[110, 100] = Field(
        110, description="what ten bags cost: 100 points and their own ten, or just the 100"
    )
    failed_nil_tricks: Literal["bags", "contract", "both"] = Field(
        "bags",
        description="whether a failed nil bidder's tricks are only bags, or help the partner's"
        " contract and are bags beyond it (`both` is OpenSpiel's word for that)",
    )
    bid_cap: Literal["none", "side"] = Field(
        "none", description="whether the bids of a side may come to more than 13"
    )
    double_nil: bool = Field(True, description="whether both partners may bid nil")
    blind_nil: Literal["off", "behind100", "any"] = Field(
        "off", description="who may bid nil before seeing any cards, for twice the points"
    )
    blind_exchange: Literal[0, 2] = Field(
        0, description="how many cards a blind nil bidder and the partner exchange"
    )
    first_dealer: Literal["seat_0", "drawn"] = Field(
        "seat_0", description="who deals first: seat 0, or the seat that draws the highest card"
    )
    first_lead: Literal["dealers_left", "two_of_clubs"] = Field(
        "dealers_left",
        description="who leads to the first trick; the holder of 2C must lead that card",
    )

    @property
    def winning_score(self) -> int:
        """The lowest score that ends the game."""
        return self.goal + (self.goal_test == "exceeded")

    @model_validator(mode="after")
    def _exchange_needs_a_blind_nil(self) -> Self:
        if self.blind_exchange and self.blind_nil == "off":
            raise ValueError("blind_exchange: 2 needs a blind_nil, else nobody ever exchanges")
        return self

    @model_validator(mode="after")
    def _comes_to_an_end(self) -> Self:
        if not self.lose and not self.max_rounds:
            raise ValueError("lose: 0 needs max_rounds, else weak players may play for ever")
        return self


Hands = tuple[tuple[Card, ...], ...]
Bids = tuple[int | None, ...]
NO_CARDS: Hands = ((),) * 4
NO_BIDS: Bids = (None,) * 4


class Round(NamedTuple):
    """The state that lasts from the deal to the last trick.

    `scores`, `bags` and `won` (rounds) have one number per side, from before the round. `blind` are
    the seats that bid blind nil; `gave` the cards that each seat passed to its partner.
    """

    options: Options
    number: int
    dealer: Seat
    scores: tuple[int, ...] = (0, 0)
    bags: tuple[int, ...] = (0, 0)
    won: tuple[int, ...] = (0, 0)
    blind: tuple[Seat, ...] = ()
    gave: Hands = NO_CARDS

    @property
    def first(self) -> Seat:
        """The seat to the dealer's left, which bids first."""
        return (self.dealer + 1) % 4


@lru_cache(4096)
def bids_text(bids: Bids, blind: tuple[Seat, ...]) -> str:
    """Write the bids by seat, `3,-,0,B`; cached, as every question of a round repeats them."""
    return ",".join(
        "B" if seat in blind else "-" if bid is None else str(bid) for seat, bid in enumerate(bids)
    )


class Tally(NamedTuple):
    """The result of a round, one number per side."""

    points: tuple[int, ...]
    scores: tuple[int, ...]
    bags: tuple[int, ...]


def tally(round: Round, bids: Sequence[int], took: Sequence[int]) -> Tally:
    """Score a round for both sides (rule b.4), ten bags paid for at once."""
    points, scores, bags = [], [], []
    for side in (0, 1):
        made, more = _side_points(round, side, bids, took)
        held = round.bags[side] + more
        made -= held // 10 * round.options.bag_penalty
        points.append(made)
        scores.append(round.scores[side] + made)
        bags.append(held % 10)
    return Tally(tuple(points), tuple(scores), tuple(bags))


def _side_points(
    round: Round, side: int, bids: Sequence[int], took: Sequence[int]
) -> tuple[int, int]:
    """A side's result in a round before any penalty: points, and the bags among them."""
    points = 0
    for seat in (side, side + 2):
        if bids[seat] == NIL:
            stake = 200 if seat in round.blind else 100
            points += -stake if took[seat] else stake
    contract = of_side(bids, side)
    helping, bags = tricks_that_count(round, side, bids, took)
    if helping < contract:
        return points - 10 * contract + bags, bags
    bags += helping - contract
    return points + 10 * contract + bags, bags


def largest_margin(options: Options) -> int:
    """A bound of the margin between the sides at the end of a game.

    A round's bound is that of the worst and the best play: both seats of a side fail the highest
    bid or a nil and pay for bags twice, and the others win a nil and a nil or 13 tricks.
    """
    nil = 200 if options.blind_nil != "off" else 100
    worst = 2 * max(10 * TRICKS, nil) + 2 * options.bag_penalty
    of_a_round = worst + nil + max(10 * TRICKS, nil)
    rounds_before = options.max_rounds - 1 if options.max_rounds else None
    gaps = [] if rounds_before is None else [rounds_before * of_a_round]
    if options.lose:
        gaps.append(options.winning_score - 1 - (options.lose + 1))
    return min(gaps) + of_a_round


def tricks_that_count(
    round: Round, side: int, bids: Sequence[int], took: Sequence[int]
) -> tuple[int, int]:
    """A side's tricks: those that help its contract, and those that can only be bags."""
    tricks = of_side(took, side)
    if round.options.failed_nil_tricks != "bags":
        return tricks, 0
    of_nils = sum(took[seat] for seat in (side, side + 2) if bids[seat] == NIL)
    return tricks - of_nils, of_nils


def of_side(numbers: Sequence[int], side: int) -> int:
    """The sum over the two seats of a side."""
    return numbers[side] + numbers[side + 2]


def is_over(round: Round, scores: Sequence[int]) -> bool:
    """Return whether the game ends with these scores; with equal scores it continues."""
    options = round.options
    if round.number == options.max_rounds:
        return True
    won = max(scores) >= options.winning_score
    lost = bool(options.lose) and min(scores) <= options.lose
    return scores[0] != scores[1] and (won or lost)


TWO_OF_CLUBS = card("2C")

_POWER = {
    led: {
        held: RANKS.index(held.rank) + (26 if held.suit == TRUMP else 13 if held.suit == led else 0)
        for held in FULL_PACK
    }
    for led in SUITS
}
"""The strength of a card in a trick, by the suit that was led."""


def trick_winner(trick: Sequence[Card]) -> int:
    """The index, in order of play, of the card that takes a trick."""
    power = _POWER[trick[0].suit]
    return trick.index(max(trick, key=power.__getitem__))


def playable(
    hand: tuple[Card, ...], trick: Sequence[Card], *, broken: bool, two_of_clubs_leads: bool
) -> tuple[Card, ...]:
    """The cards of a hand that the rules allow: follow suit; lead no spade before one was played.

    With `two_of_clubs_leads`, the leader holds that card and must lead it.
    """
    if trick:
        return of_suit(hand, trick[0].suit) or hand
    if broken:
        return hand
    if two_of_clubs_leads:
        return (TWO_OF_CLUBS,)
    return tuple([held for held in hand if held.suit != TRUMP]) or hand


NO_CARD = Mistake("spades.card", "is not a card: expected one such as 7H")


def read_card(line: str) -> Card:
    """Read a card such as `7H`; raises `MalformedAnswer`."""
    if found := _CARDS.get(plain(line)):
        return found
    raise MalformedAnswer(NO_CARD, line)


_CARDS = {str(held): held for held in FULL_PACK}

"""The arithmetic of blot: legal bids and plays, who takes a trick, the score of a deal.

All functions here are about one call, one trick or one deal; `tables.blot` makes a game of them.

Rules are cited from docs/rules/blot.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, Self

from pydantic import Field, model_validator

from tables.blot.declarations import NO_TRUMP
from tables.cards import SUIT_NAMES, SUITS, Card, pack
from tables.game import Seat
from tables.options import HandOptions
from tables.tricks import of_suit

PACK = pack("789TJQKA")
STRAINS = SUITS + NO_TRUMP
LOWEST_LEVEL, HIGHEST_LEVEL = 8, 80
TRICKS = 8
LAST_TRICK = 10
CAPOT = 252
"""The card points of a side that took all eight tricks."""


class Options(HandOptions):
    """The table's choice wherever the rules of blot can be read in more than one way."""

    target: int = Field(301, ge=1, le=10_000, description="the score that ends the game")
    max_deals: int = Field(
        200,
        ge=1,
        le=10_000,
        description="after how many deals the higher score wins, including those all passed",
    )
    first_dealer: Literal["drawn", "seat_0"] = Field(
        "drawn", description="who deals first: the seat that draws the highest card, or seat 0"
    )
    auction_end: Literal["four_passes", "three_passes"] = Field(
        "four_passes",
        description="what ends the bidding: four passes, so a bidder may raise its own bid, or"
        " three after a bid",
    )
    capot_level: int = Field(
        25,
        ge=8,
        le=80,
        description="the lowest level of a capot bid; 8: every level. No word of a question"
        " tells it",
    )
    recontra_by: Literal["both", "declarer"] = Field(
        "both", description="who may answer a contra: both partners in turn, or the bidder alone"
    )
    ruff_partner_winning: Literal["free", "must"] = Field(
        "free",
        description="what a seat without the led suit plays while its partner's card wins:"
        " anything, or a trump if it has one",
    )
    trump_over_partner: Literal["any", "higher"] = Field(
        "any",
        description="the trumps that may be played on a partner's winning trump: all, or only"
        " higher ones while there is anything else to play",
    )
    undertrump: Literal["forced", "free"] = Field(
        "forced",
        description="what a seat plays when it must trump but can't overtrump: a lower trump, or"
        " anything",
    )
    declare: Literal["auto", "bot"] = Field(
        "auto",
        description="who announces: the referee for everybody, or each bot with its first card",
    )
    belote_overlap: bool = Field(
        False, description="whether the king and queen of a belote may count in a run or four too"
    )
    top_card: Literal["high", "low"] = Field(
        "high",
        description="which of two runs of a class is better: the one with the higher top card or"
        " with the lower",
    )
    fulfil: Literal["raw", "rounded"] = Field(
        "raw",
        description="what must reach the bid: the points (ten for each level), or the points"
        " rounded to tens",
    )
    capot_fulfils: Literal["its_points", "any_bid"] = Field(
        "its_points",
        description="which bids are made by taking all eight tricks: those that 252 points and"
        " the declarations reach, or every one",
    )
    decl_counts_for_contract: bool = Field(
        True, description="whether declarations help to fulfil the contract"
    )
    defenders_share: Literal["rest", "rounded"] = Field(
        "rest",
        description="the defenders' card points when the contract is made: what the bidders' leave"
        " of 16, or their own, rounded to tens",
    )
    loser_belote: Literal["lost", "kept"] = Field(
        "lost", description="what happens to the belote of a side that otherwise scores nothing"
    )
    no_trump_double: Literal["3/5", "4/8"] = Field(
        "3/5", description="what each level counts at no-trump after a contra and a recontra"
    )
    revoke: Literal["round", "substitute"] = Field(
        "round",
        description="what an illegal card or none costs: the round, for which the opponents score"
        " 16 and both sides' declarations; or nothing, and the lowest legal card is played",
    )

    @model_validator(mode="after")
    def _only_a_free_trump_can_be_held_to_a_height(self) -> Self:
        if self.ruff_partner_winning == "must" and self.trump_over_partner == "higher":
            raise ValueError(
                "trump_over_partner: higher is for tables where trumping a partner is free;"
                " ruff_partner_winning: must asks for an overtrump anyhow"
            )
        return self


class Bid(NamedTuple):
    """A number of tens of points in a suit or without trumps; `capot` promises all eight tricks."""

    level: int
    strain: str
    capot: bool = False

    def __str__(self) -> str:
        return f"{self.level}{self.strain}{'c' * self.capot}"


class Contract(NamedTuple):
    """The standing bid, its seat, and how often it was doubled: 1 is contra, 2 recontra."""

    bid: Bid
    seat: Seat
    doubled: int = 0

    def __str__(self) -> str:
        return f"{self.bid}{'x' * self.doubled}@{self.seat}"

    @property
    def name(self) -> str:
        """The contract in words: `10Sx@2` is "10 spades, contra"."""
        strain = SUIT_NAMES.get(self.bid.strain, "no-trump")
        capot = ", capot" if self.bid.capot else ""
        return f"{self.bid.level} {strain}{capot}{('', ', contra', ', recontra')[self.doubled]}"


_TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3, "8": 0, "7": 0}
_PLAIN_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
_NO_TRUMP_POINTS = {**_PLAIN_POINTS, "A": 19}


def _ranking(suit: str, strain: str) -> dict[str, int]:
    """A suit's ranks from the highest, each with its points: they rank as they count."""
    if strain == NO_TRUMP:
        return _NO_TRUMP_POINTS
    return _TRUMP_POINTS if suit == strain else _PLAIN_POINTS


def _power(card: Card, led: str, strain: str) -> int:
    """The strength of a card in a trick: 0 if it can't win."""
    height = TRICKS - list(_ranking(card.suit, strain)).index(card.rank)
    return height + 8 if card.suit == strain else height if card.suit == led else 0


POINTS = {
    strain: {card: _ranking(card.suit, strain)[card.rank] for card in PACK} for strain in STRAINS
}
"""What each card counts, by the contract's strain."""

_POWER = {
    strain: {led: {card: _power(card, led, strain) for card in PACK} for led in SUITS}
    for strain in STRAINS
}

LOWEST_FIRST = {
    strain: {
        card: place
        for place, card in enumerate(sorted(PACK, key=lambda one: _power(one, one.suit, strain)))
    }
    for strain in STRAINS
}
"""The cards from the lowest on, trumps last, by the contract's strain."""


def winner(trick: Sequence[Card], strain: str) -> int:
    """The index, in order of play, of the card that takes a trick (rule d.4)."""
    power = _POWER[strain][trick[0].suit]
    return trick.index(max(trick, key=power.__getitem__))


def playable(
    hand: tuple[Card, ...], trick: Sequence[Card], strain: str, options: Options
) -> tuple[Card, ...]:
    """The cards of a hand that may be played to a trick (rules d.1 to d.3)."""
    if not trick:
        return hand
    led = trick[0].suit
    suit = of_suit(hand, led)
    if suit and led != strain:
        return suit
    trumps = suit or of_suit(hand, strain)
    if not trumps:
        return hand
    power = _POWER[strain][led]
    best = max([power[card] for card in trick])
    higher = tuple([card for card in trumps if power[card] > best])
    if suit:
        return higher or suit
    if len(trick) >= 2 and power[trick[-2]] == best and options.ruff_partner_winning == "free":
        if options.trump_over_partner == "any":
            return hand
        return tuple([card for card in hand if card in higher or card not in trumps]) or hand
    return higher or (hand if options.undertrump == "free" else trumps)


def tens(points: int) -> int:
    """Card points in tens, a remainder of six or more rounded up (rule e.2): 85 is 8, 86 is 9."""
    return (points + 4) // 10


class Sides(NamedTuple):
    """A pair of values: the bidders' and the defenders'."""

    bidders: int
    defenders: int


class DealResult(NamedTuple):
    """The result of a deal: whether the contract was made, and the points for both sides."""

    made: bool
    points: Sides


def result(
    options: Options, contract: Contract, cards: Sides, tricks: int, declared: Sides, belotes: Sides
) -> DealResult:
    """Score a deal that was played to its end (rules e.1 to e.3).

    `cards` are the card points with the last trick's ten, `tricks` those that the bidders took,
    `declared` what both sides' declarations count, the belote with them, `belotes` that alone.
    """
    bid = contract.bid
    counted = CAPOT if tricks == TRICKS else cards.bidders
    if options.decl_counts_for_contract:
        counted += declared.bidders
    reached = tens(counted) if options.fulfil == "rounded" else counted // 10
    if tricks == TRICKS:
        made = reached >= bid.level or options.capot_fulfils == "any_bid"
    else:
        made = reached >= bid.level and not bid.capot
    winner, loser = (0, 1) if made else (1, 0)
    capot = tricks == (TRICKS if made else 0)
    left = declared[loser]
    if not made or contract.doubled:  # the winner takes it all
        share, rest = 25 if capot else 16, 0
        left = belotes[loser] if options.loser_belote == "kept" else 0
    elif capot:
        share, rest = 25, 0
    else:
        share = tens(cards.bidders)
        rest = tens(cards.defenders) if options.defenders_share == "rounded" else 16 - share
    points = [0, 0]
    points[winner] = bid.level * _factor(options, contract) + share + declared[winner] // 10
    points[loser] = rest + left // 10
    return DealResult(made, Sides(*points))


_FACTORS = (1, 2, 4)
_FACTORS_AT_NO_TRUMP = {"3/5": (2, 3, 5), "4/8": (2, 4, 8)}


def _factor(options: Options, contract: Contract) -> int:
    """What each level of a contract counts."""
    if contract.bid.strain != NO_TRUMP:
        return _FACTORS[contract.doubled]
    return _FACTORS_AT_NO_TRUMP[options.no_trump_double][contract.doubled]


def highest_factor(options: Options) -> int:
    """The most that a level of any contract counts."""
    return max(*_FACTORS, *_FACTORS_AT_NO_TRUMP[options.no_trump_double])

"""The rules of blot: bids and plays, declarations, the score sheet.

Rules are cited from docs/rules/blot.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from typing import Literal, NamedTuple, Self

from pydantic import Field, model_validator

from card_arena.tables.blot.messages import DealOver
from card_arena.tables.cards import SUIT_NAMES, SUITS, Card, card, pack
from card_arena.tables.game import HandOptions, Seat, Terminal
from card_arena.tables.tricks import of_suit

# Declarations at blot: runs, fours of a kind and the belote, and whose is best.
#
# A tierce is three cards of a suit in a row and counts 20, a fifty four and 50, a hundred five or
# more and 100. Four of a kind count by their rank and the contract. The belote, king and queen of
# trumps in one hand, counts 20. The order of the suits' cards is A K Q J T 9 8 7 in every
# contract.
#
# A card counts in one declaration only, so a hand may have to choose. It lays out some of its
# fours and perhaps the belote, and then the runs of the cards that are left: a run may be
# shortened for a card that counts elsewhere, but it is never cut in two for its own sake.


NO_TRUMP = "N"

FOUR, HUNDRED, FIFTY, TIERCE, BELOTE = "4HFTB"
CLASSES = "TFH4"
"""The declarations that are compared, in ascending order."""

NAMES = {
    TIERCE: "tierce",
    FIFTY: "fifty",
    HUNDRED: "hundred",
    FOUR: "four of a kind",
    BELOTE: "belote",
}

_RUN_RANKS = "789TJQKA"
_RUN_VALUES = {TIERCE: 20, FIFTY: 50, HUNDRED: 100}
_FOURS_AT_TRUMP = {"J": 200, "9": 140, "A": 110, "K": 100, "Q": 100, "T": 100}
_FOURS_AT_NO_TRUMP = {"A": 190, "K": 100, "Q": 100, "J": 100, "T": 100}
HIGHEST_DECLARED = max(sum(_FOURS_AT_TRUMP.values()), sum(_FOURS_AT_NO_TRUMP.values())) + 20
"""A bound of what all four hands of a deal can declare: every four, and the belote."""

_FOURS_FROM_LOWEST = "QKTA9J"

_BIT = {rank: 1 << place for place, rank in enumerate(_RUN_RANKS)}
_CARD = {(rank, suit): card(rank + suit) for rank in _RUN_RANKS for suit in SUITS}


class Declaration(NamedTuple):
    """A declaration: its class, its cards from the highest, and its points."""

    kind: str
    cards: tuple[Card, ...]
    value: int


Declared = tuple[Declaration, ...]
"""All declarations of one hand."""


def largest(hand: Sequence[Card], strain: str, *, belote_overlap: bool) -> Declared:
    """A hand's declarations for the most points; of equal totals those with fewer cards (rule c.2).

    With `belote_overlap` the cards of the belote may count a second time.
    """
    return max(_layouts(hand, strain, belote_overlap), key=_worth)


def announceable(hand: Sequence[Card], strain: str, *, belote_overlap: bool) -> tuple[str, ...]:
    """Every group of classes that a hand may announce, the best class first; `""` means none.

    A hand with four kings and a tierce may say `4T`, `4`, `T` or nothing.
    """
    groups = {
        "".join(declaration.kind for declaration in chosen)
        for layout in _layouts(hand, strain, belote_overlap)
        for chosen in _subsets(_compared(layout))
    }
    return tuple(sorted(groups, key=lambda group: (len(group), group)))


def announced(hand: Sequence[Card], strain: str, classes: str, *, belote_overlap: bool) -> Declared:
    """The declarations of a hand that announces these classes: those with the most points.

    The belote, which need not be announced, is included if its cards are not used up.
    """
    return max(
        (
            (*chosen, *(one for one in layout if one.kind == BELOTE))
            for layout in _layouts(hand, strain, belote_overlap)
            for chosen in _subsets(_compared(layout))
            if "".join(one.kind for one in chosen) == classes
        ),
        key=lambda declared: (*_worth(declared), [strength(one, strain) for one in declared]),
    )


def strength(
    declaration: Declaration, strain: str, *, low_runs: bool = False
) -> tuple[int, int, int]:
    """The key that decides between two declarations (rule c.4): the greater is better.

    First the class; then fours by value and rank (J 9 A T K Q), and runs by their top card, a run
    of trumps before one of another suit. With `low_runs` the lower top card is the better one.
    """
    top = declaration.cards[0]
    order = CLASSES.find(declaration.kind)
    if declaration.kind == FOUR:
        return order, declaration.value, _FOURS_FROM_LOWEST.index(top.rank)
    height = _RUN_RANKS.index(top.rank)
    return order, -height if low_runs else height, top.suit == strain


def best_seat(
    declared: Sequence[Declared], strain: str, leader: Seat, *, low_runs: bool = False
) -> Seat | None:
    """The seat with the best declaration, among equals the first from the leader; or None."""
    seats = [(leader + step) % len(declared) for step in range(len(declared))]
    contenders = [(seat, one) for seat in seats for one in _compared(declared[seat])]
    if not contenders:
        return None
    return max(contenders, key=lambda said: strength(said[1], strain, low_runs=low_runs))[0]


def awarded(
    declared: Sequence[Declared], strain: str, leader: Seat, *, low_runs: bool = False
) -> tuple[int, int]:
    """The points of the sides {0, 2} and {1, 3}: the side with the best declaration counts all its
    own.

    The other side counts nothing but a belote.
    """
    best = best_seat(declared, strain, leader, low_runs=low_runs)
    points = [0, 0]
    for seat, said in enumerate(declared):
        counts = best is not None and (seat - best) % 2 == 0
        points[seat % 2] += sum(one.value for one in said if counts or one.kind == BELOTE)
    return points[0], points[1]


def belotes(declared: Sequence[Declared]) -> tuple[int, int]:
    """The points of the sides {0, 2} and {1, 3} for a belote alone."""
    points = [0, 0]
    for seat, said in enumerate(declared):
        points[seat % 2] += sum(one.value for one in said if one.kind == BELOTE)
    return points[0], points[1]


def _compared(declared: Declared) -> Declared:
    return tuple(one for one in declared if one.kind != BELOTE)


def _worth(declared: Declared) -> tuple[int, int]:
    return sum(one.value for one in declared), -sum(len(one.cards) for one in declared)


def _layouts(hand: Sequence[Card], strain: str, belote_overlap: bool) -> Iterator[Declared]:
    """Every way to lay out a hand: fours and the belote of different cards, then the runs."""
    held = dict.fromkeys(SUITS, 0)
    for one in hand:
        held[one.suit] |= _BIT[one.rank]
    fours, belote = _fours(held, strain), _belote(held, strain)
    for taken in _subsets(fours if belote_overlap else (*fours, *belote)):
        cards = [one for declaration in taken for one in declaration.cards]
        if len(cards) == len(set(cards)):
            free = dict(held)
            for one in cards:
                free[one.suit] &= ~_BIT[one.rank]
            yield _in_order((*taken, *_runs(free), *(belote if belote_overlap else ())))


def _in_order(declared: Declared) -> Declared:
    """The same declarations, the best class first and the belote last."""
    if len(declared) < 2:
        return declared
    return tuple(sorted(declared, key=lambda one: CLASSES.find(one.kind), reverse=True))


def _fours(held: dict[str, int], strain: str) -> Declared:
    everywhere = held["C"] & held["D"] & held["H"] & held["S"]
    if not everywhere:
        return ()
    values = _FOURS_AT_NO_TRUMP if strain == NO_TRUMP else _FOURS_AT_TRUMP
    return tuple(
        Declaration(FOUR, tuple(_CARD[rank, suit] for suit in SUITS), value)
        for rank, value in values.items()
        if everywhere & _BIT[rank]
    )


def _belote(held: dict[str, int], strain: str) -> Declared:
    pair = _BIT["K"] | _BIT["Q"]
    if strain == NO_TRUMP or held[strain] & pair != pair:
        return ()
    return (Declaration(BELOTE, (_CARD["K", strain], _CARD["Q", strain]), 20),)


def _runs(held: dict[str, int]) -> Iterator[Declaration]:
    """The longest runs of three cards and more."""
    for suit, bits in held.items():
        if bits & bits >> 1 & bits >> 2:
            row: list[Card] = []
            for rank in reversed(_RUN_RANKS):
                if bits & _BIT[rank]:
                    row.append(_CARD[rank, suit])
                    continue
                yield from _run(row)
                row = []
            yield from _run(row)


def _run(row: Sequence[Card]) -> Iterator[Declaration]:
    if len(row) >= 3:
        kind = {3: TIERCE, 4: FIFTY}.get(len(row), HUNDRED)
        yield Declaration(kind, tuple(row), _RUN_VALUES[kind])


def _subsets(declared: Declared) -> Iterator[Declared]:
    if not declared:
        return iter(((),))
    return chain.from_iterable(combinations(declared, n) for n in range(len(declared) + 1))


# The arithmetic of blot: legal bids and plays, who takes a trick, the score of a deal.
#
# All functions here are about one call, one trick or one deal; `tables.blot` makes a game of
# them.


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


# Blot's score sheet before a deal, and the finished deal that is entered in it.


Hands = tuple[tuple[Card, ...], ...]

SEATS = range(4)

NOTHING_DECLARED: tuple[Declared, ...] = ((),) * 4


class ScoreSheet(NamedTuple):
    """The score sheet before a deal.

    `played` counts the deals with a contract; `scores` and `won` (deals) have one number per side.
    """

    options: Options
    dealer: Seat
    deal: int = 1
    scores: tuple[int, int] = (0, 0)
    played: int = 0
    won: tuple[int, int] = (0, 0)

    @property
    def first(self) -> Seat:
        """The seat after the dealer, which opens the auction and leads to the first trick."""
        return (self.dealer + 1) % 4

    def after(self, last: Finished) -> ScoreSheet | Terminal:
        """Enter a deal; return the next deal's sheet, or the end of the game (rule e.4)."""
        mine, theirs = last.gained
        won = self.won[0] + (mine > theirs), self.won[1] + (theirs > mine)
        played = self.played + (last.contract is not None)
        scores = last.scores
        decided = max(scores) >= self.options.target and scores[0] != scores[1]
        if decided or self.deal == self.options.max_deals:
            return Terminal(scores * 2, (played,) * 4, won * 2)
        return ScoreSheet(self.options, self.first, self.deal + 1, scores, played, won)


class Finished(NamedTuple):
    """A finished deal; if everybody passed, it has no contract.

    `points` are the card points and `gained` the score of the deal, one number per side; `revoker`
    is the seat whose revoke ended it.
    """

    sheet: ScoreSheet
    contract: Contract | None = None
    declared: tuple[Declared, ...] = NOTHING_DECLARED
    history: str = ""
    points: tuple[int, int] = (0, 0)
    gained: tuple[int, int] = (0, 0)
    revoker: Seat | None = None

    @property
    def scores(self) -> tuple[int, int]:
        """The scores after this deal."""
        return self.sheet.scores[0] + self.gained[0], self.sheet.scores[1] + self.gained[1]

    def notices(self) -> DealOver:
        """The public notices of the deal."""
        turns = ((self.sheet.first + step) % 4 for step in SEATS)
        said = (declaration_text(seat, one) for seat in turns for one in self.declared[seat])
        return DealOver(
            number=self.sheet.deal,
            contract=str(self.contract or "-"),
            declarations="/".join(said) or "-",
            history=self.history or "-",
            points=by_side(self.points),
            gained=by_side(self.gained),
            scores=by_side(self.scores),
        )


def by_side(numbers: Sequence[int]) -> str:
    """Write one number per side: `28,8`."""
    return f"{numbers[0]},{numbers[1]}"


def declaration_text(seat: Seat, declaration: Declaration) -> str:
    """Write a declaration whose cards everybody has seen: `2:T:QS,JS,TS`."""
    return f"{seat}:{declaration.kind}:{','.join(declaration.cards)}"

"""The rules of French tarot: legal plays, scoring, the score sheet.

Rules are cited from docs/rules/tarot.md.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from pydantic import Field

from card_arena.tables.cards import EXCUSE, TAROT_PACK, TAROT_RANKS, TRUMP, Card, card, listed
from card_arena.tables.choices import Cards, Choice, Word
from card_arena.tables.game import HandOptions, Seat
from card_arena.tables.legal_actions import OUTLINES, Action, Outline, Pick
from card_arena.tables.tricks import of_suit

# What a deal of French tarot is worth: points, the Excuse's owner, poignées, petit and chelem.
#
# Points are counted in half points, so that everything is a whole number: the pack holds 182.


TRICKS = 24
PETIT = card("A1")
BOUTS = frozenset((PETIT, card("A21"), EXCUSE))
MULTIPLIERS = {"petite": 1, "garde": 2, "sans": 4, "contre": 6}
NEEDED = (56, 51, 41, 36)
"""The points that a taker needs with no, one, two and three bouts."""
POIGNEES = (20, 30, 40)
"""The values of a single, a double and a triple poignée."""

_RANK_HALF_POINTS = {"K": 9, "Q": 7, "N": 5, "J": 3}
HALF_POINTS = {
    card: 9 if card in BOUTS else 1 if card.suit == TRUMP else _RANK_HALF_POINTS.get(card.rank, 1)
    for card in TAROT_PACK
}

HALF_POINTS_IN_ALL = sum(HALF_POINTS.values())

LastExcuse = Literal["changes_side", "to_winner"]
Reach = Literal["at_least", "more"]
Halves = Literal["rounded", "kept"]


class Trick(NamedTuple):
    """A finished trick: who led, the cards as they were played, and who took it."""

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat


class Count(NamedTuple):
    """What the taker has won: half points and bouts."""

    half_points: int
    bouts: int


class DealResult(NamedTuple):
    """The result of a deal for the taker.

    `price` is what every defender pays him, negative if he pays them; it is in half points if the
    table keeps them.
    """

    counted: Count
    made: bool
    price: int


def points_text(half_points: int) -> str:
    """Write half points as points: `40.5`."""
    return f"{half_points // 2}{'.5' * (half_points % 2)}"


def excuse_share(
    player: Seat, winner: Seat, taker: Seat, *, last: bool, rule: LastExcuse = "changes_side"
) -> int:
    """The half points of the Excuse that the taker gets (rule b.5); with 8 or 9 it is his bout.

    It stays with the side that played it, which gives a card of half a point for it if the other
    side took the trick. In the last trick it changes sides, or goes with the trick under the rule
    `to_winner`, unless it won the trick itself at the end of a chelem.
    """
    own, won = player == taker, winner == taker
    if last and player != winner:
        return 9 * (won if rule == "to_winner" else not own)
    if own == won:
        return 9 * own
    return 8 if own else 1


def taker_count(
    tricks: Sequence[Trick],
    taker: Seat,
    aside: Sequence[Card] = (),
    rule: LastExcuse = "changes_side",
) -> Count:
    """Count what the taker has won so far; `aside` is a discard or a dog that counts for him."""
    half_points = sum(HALF_POINTS[card] for card in aside)
    bouts = len(BOUTS.intersection(aside))
    for number, (leader, cards, winner) in enumerate(tricks, 1):
        for place, played in enumerate(cards):
            if played == EXCUSE:
                player = (leader + place) % 3
                share = excuse_share(player, winner, taker, last=number == TRICKS, rule=rule)
                half_points += share
                bouts += share >= 8
            elif winner == taker:
                half_points += HALF_POINTS[played]
                bouts += played in BOUTS
    return Count(half_points, bouts)


def petit_au_bout(tricks: Sequence[Trick], taker: Seat) -> int:
    """Say which side took the 1 of trumps in the last trick: +1 the taker, -1 the defence, or 0.

    If the taker ends a chelem with the Excuse, the previous trick counts as the last one.
    """
    last = tricks[-1]
    if last.winner == last.leader == taker and last.cards[0] == EXCUSE:
        last = tricks[-2]
    if PETIT not in last.cards:
        return 0
    return 1 if last.winner == taker else -1


def chelem(
    tricks: Sequence[Trick], taker: Seat, *, by_taker: bool = False, by_defence: bool = False
) -> int:
    """The taker's points for a side that has taken all tricks, or has announced that it would.

    Nobody pays for a missed announcement on top of the other side's chelem.
    """
    taken = sum(trick.winner == taker for trick in tricks)
    if taken == TRICKS:
        return 400 if by_taker else 200
    if not taken:
        return -400 if by_defence else -200
    return 200 * by_defence - 200 * by_taker


def result(
    contract: str,
    counted: Count,
    *,
    poignees: int = 0,
    petit: int = 0,
    chelem: int = 0,
    reach: Reach = "at_least",
    halves: Halves = "rounded",
) -> DealResult:
    """Price a deal for the taker (rule b.6).

    `poignees` is the sum of all that were shown, `petit` and `chelem` what the functions of these
    names give. An odd half point counts for the winner, unless the halves are `kept`: then the
    price is in half points.
    """
    multiplier, over = MULTIPLIERS[contract], counted.half_points - 2 * NEEDED[counted.bouts]
    made = over >= 0 if reach == "at_least" else over > 0
    sign = 1 if made else -1
    extras = petit * 10 * multiplier + sign * poignees + chelem
    if halves == "kept":
        return DealResult(counted, made, sign * (50 + abs(over)) * multiplier + 2 * extras)
    return DealResult(counted, made, sign * (25 + (abs(over) + 1) // 2) * multiplier + extras)


def highest_price(halves: Halves) -> int:
    """The most that a deal can cost a taker or a defender, in the units of `result`."""
    points = max(NEEDED[0], HALF_POINTS_IN_ALL // 2 - NEEDED[3])
    extras = 10 * MULTIPLIERS["contre"] + POIGNEES[-1] + 400
    highest = (25 + points) * MULTIPLIERS["contre"] + extras
    return 2 * highest if halves == "kept" else highest


def marks(taker: Seat, price: int) -> tuple[int, ...]:
    """What each of the three seats scores: the taker twice the price, the others pay it."""
    return tuple(2 * price if seat == taker else -price for seat in range(3))


# Which cards of French tarot may be played, put away or shown, and which one takes a trick.


DOG = 6
PUTS_AWAY = "puts away"
"""The number of cards in the dog, which is also how many the taker puts away."""

Hand = tuple[Card, ...]
Hands = tuple[Hand, ...]

_BY_NAME = {str(card): card for card in TAROT_PACK}
_PLACES = {card: place for place, card in enumerate(TAROT_PACK)}
_HEIGHTS = {
    card: 100 + int(card.rank) if card.suit == TRUMP else TAROT_RANKS.find(card.rank)
    for card in TAROT_PACK
}


def card_named(text: str) -> Card | None:
    """Find a card of the tarot pack; None if there is no such card."""
    return _BY_NAME.get(text)


def in_order(cards: Iterable[Card]) -> Hand:
    """Sort cards as a hand is held: suit by suit, then the trumps and the Excuse."""
    return tuple(sorted(cards, key=_PLACES.__getitem__))


def dealt(order: Hand) -> tuple[tuple[Hand, Hand, Hand], Hand]:
    """Deal a pack: three hands, the first for the seat after the dealer, and the dog.

    The cards are dealt four by four, and in each of the six rounds the dog gets one after the
    first four, so that neither the first nor the last card of the pack can lie in it.
    """
    rounds = [order[start : start + 13] for start in range(0, 78, 13)]
    first = in_order(card for cards in rounds for card in cards[:4])
    second = in_order(card for cards in rounds for card in cards[5:9])
    third = in_order(card for cards in rounds for card in cards[9:])
    return (first, second, third), in_order(cards[4] for cards in rounds)


def is_petit_sec(hand: Hand) -> bool:
    """Say whether the petit is the hand's only trump, without the Excuse beside it."""
    return EXCUSE not in hand and of_suit(hand, TRUMP) == (PETIT,)


@lru_cache(1024)
def playable(hand: Hand, trick: Hand) -> Hand:
    """The cards that may follow these cards of a trick (rule b.5); cached for the rest of the turn.

    Suit must be followed, else trumped; a trump must beat the highest one of the trick if possible.
    The Excuse may be played at any time, and led it leaves the suit to the next card.
    """
    led = trick[0] if trick else EXCUSE
    if led == EXCUSE:
        if len(trick) < 2:
            return hand
        led = trick[1]
    if led.suit != TRUMP:
        following = [card for card in hand if card.suit == led.suit or card == EXCUSE]
        if following and following != [EXCUSE]:
            return tuple(following)
    trumps = of_suit(hand, TRUMP)
    if not trumps:
        return hand
    highest = max([_HEIGHTS[card] for card in trick])
    over = tuple([card for card in trumps if _HEIGHTS[card] > highest]) or trumps
    return (*over, EXCUSE) if EXCUSE in hand else over


def winning_place(trick: Hand) -> int:
    """The index of the card that takes a trick; the Excuse never does."""
    led = trick[1] if trick[0] == EXCUSE else trick[0]
    heights = [
        _HEIGHTS[card] if card.suit == led.suit or card.suit == TRUMP else -1 for card in trick
    ]
    return heights.index(max(heights))


def discards(cards: Hand, *, trumps: bool = True) -> Pick | None:
    """What a taker who holds these cards may put away (rule b.3): never a king nor a bout.

    Trumps may only go if there are fewer than six other cards, which then must all go; if `trumps`
    may never go, such a hand has no discard at all and the result is None.
    """
    plain = tuple(card for card in cards if card.suit != TRUMP and not _is_kept(card))
    if len(plain) >= DOG:
        return Pick(DOG, plain, verb=PUTS_AWAY)
    if not trumps:
        return None
    others = tuple(card for card in of_suit(cards, TRUMP) if card not in BOUTS)
    return Pick(DOG, (*plain, *others), forced=plain, verb=PUTS_AWAY)


def _is_kept(card: Card) -> bool:
    return card.rank == "K" or card in BOUTS


class Poignee(NamedTuple):
    """The first card of a deal, played after showing many trumps."""

    card: Card
    shown: frozenset[Card]

    def __str__(self) -> str:
        return f"{self.card} show {listed(in_order(self.shown))}"


@dataclass(frozen=True, slots=True)
class FirstCard:
    """Any of some cards, optionally preceded by a poignée of one of these sizes.

    A poignée is made of trumps; the Excuse may replace a missing one if no trump is left unshown.
    The fallback action shows nothing.
    """

    cards: Hand
    hand: Hand
    sizes: tuple[int, ...]

    def __contains__(self, action: object) -> bool:
        if isinstance(action, Poignee):
            return action.card in self.cards and self._may_show(action.shown)
        return action in self.cards

    def _may_show(self, shown: frozenset[Card]) -> bool:
        trumps = of_suit(self.hand, TRUMP)
        if EXCUSE in shown:
            return len(shown) in self.sizes and EXCUSE in self.hand and shown == {*trumps, EXCUSE}
        return len(shown) in self.sizes and shown.issubset(trumps)

    def sample(self, rng: random.Random) -> Action:
        """Pick one of the cards, and now and then a poignée with it."""
        card = rng.choice(self.cards)
        trumps = of_suit(self.hand, TRUMP)
        sizes = [size for size in self.sizes if size <= len(trumps) + (EXCUSE in self.hand)]
        if not sizes or rng.random() < 0.5:
            return card
        size = rng.choice(sizes)
        if size > len(trumps):
            return Poignee(card, frozenset((*trumps, EXCUSE)))
        return Poignee(card, frozenset(rng.sample(trumps, size)))

    @property
    def fallback_action(self) -> Action:
        """The first card, and nothing shown."""
        return self.cards[0]

    def choices(self, write: Callable[[Action], str]) -> Iterator[Choice]:
        """The cards, and a poignée of each size with each of them."""
        trumps = of_suit(self.hand, TRUMP)
        for played in self.cards:
            yield Word(write(played))
            for size in self.sizes:
                if size <= len(trumps):
                    yield Cards(f"{write(played)} show ", size, tuple(map(str, trumps)))
                if size == len(trumps) + 1 and EXCUSE in self.hand:
                    yield Word(write(Poignee(played, frozenset((*trumps, EXCUSE)))))

    def outline(self, write: Callable[[Action], str]) -> Outline:
        """List the cards and the sizes of poignées that may be shown with one."""
        words = list(map(write, self.cards))
        return {"kind": "tarot.poignees", "words": words, "sizes": list(self.sizes)}


def _poignees_text(outline: Outline) -> str:
    *sizes, last = outline["sizes"]
    return (
        f"{', '.join(outline['words'])}; with it, a poignée of {', '.join(map(str, sizes))} or"
        f" {last} of your trumps"
    )


OUTLINES["tarot.poignees"] = _poignees_text


SEATS = range(3)
CONTRACTS = ("petite", "garde", "sans", "contre")
PASS = "pass"


class Options(HandOptions):
    """The table's choice wherever French clubs play differently."""

    deals: int = Field(
        12,
        ge=1,
        le=1000,
        description="the number of deals in a game; with a multiple of 3 all deal equally often",
    )
    petite: bool = Field(
        True, description="whether a petite may be bid; otherwise bids begin at garde"
    )
    chelem_by: Literal["taker", "any"] = Field(
        "taker",
        description="who may announce all tricks: the taker, or the others too, with a pass",
    )
    trump_discards: Literal["forced", "never"] = Field(
        "forced",
        description="whether a taker with too few other cards puts trumps away for all to see, or"
        " the deal is annulled",
    )
    poignees: Literal["13/15/18", "10/13/15"] = Field(
        "13/15/18", description="how many trumps a single, double and triple poignée show"
    )
    petit_sec: Literal["annul", "ignore"] = Field(
        "annul", description="what happens to a deal in which the petit is somebody's only trump"
    )
    redeals: int = Field(
        10,
        ge=0,
        le=100,
        description="after how many redeals a deal that all pass counts as nothing; 0: at once",
    )
    dog: Literal["shown", "hidden"] = Field(
        "shown", description="whether all see the dog of a petite or a garde"
    )
    excuse_last: LastExcuse = Field(
        "changes_side", description="who gets the Excuse when it is played to the last trick"
    )
    reach: Reach = Field(
        "at_least", description="whether the needed points suffice or must be exceeded"
    )
    half_points: Halves = Field(
        "rounded",
        description="whether half a point goes to the winner or is kept; then scores have half"
        " points, too",
    )

    @property
    def poignee_sizes(self) -> tuple[int, ...]:
        """The number of trumps in each of the three kinds of poignée."""
        return tuple(map(int, self.poignees.split("/")))


class Call(NamedTuple):
    """A bid: `pass` or a contract, and whether all tricks are announced with it."""

    contract: str
    chelem: bool = False

    def __str__(self) -> str:
        return self.contract + "!" * self.chelem


class ScoreSheet(NamedTuple):
    """The score sheet from one deal to the next.

    `again` counts how often the deal with this number was annulled; `played` the deals that had a
    taker, and `won` by seat those it won.
    """

    options: Options
    dealer: Seat
    number: int = 1
    again: int = 0
    scores: tuple[int, ...] = (0, 0, 0)
    played: int = 0
    won: tuple[int, ...] = (0, 0, 0)

    @property
    def first(self) -> Seat:
        """The seat after the dealer, which bids first."""
        return (self.dealer + 1) % 3

    def calls_text(self, calls: Sequence[Call]) -> str:
        """Write the bids by seat: `-,garde,pass`."""
        by_seat = ["-"] * 3
        for turn, call in enumerate(calls):
            by_seat[(self.first + turn) % 3] = str(call)
        return ",".join(by_seat)

    def next_deal(self) -> ScoreSheet:
        """The same scores before the next deal, by the next dealer."""
        return self._replace(dealer=self.first, number=self.number + 1, again=0)


class Deal(NamedTuple):
    """The state that lasts from the end of the bidding to the last trick: the contract and the dog.

    `call` is the taker's bid. `discard` is what he has put away, empty under sans and contre.
    """

    sheet: ScoreSheet
    calls: tuple[Call, ...]
    taker: Seat
    call: Call
    dog: Hand
    discard: Hand = ()

    @property
    def takes_dog(self) -> bool:
        """Whether the taker takes the dog in hand."""
        return self.call.contract in ("petite", "garde")

    @property
    def defence_announced(self) -> tuple[Seat, ...]:
        """The defenders who have announced all tricks, in the order of their bids."""
        return tuple(
            (self.sheet.first + turn) % 3
            for turn, call in enumerate(self.calls)
            if call.chelem and call.contract == PASS
        )

    @property
    def leads(self) -> Seat:
        """The leader of the first trick: a seat that announced all tricks, else the first."""
        if self.call.chelem:
            return self.taker
        return (*self.defence_announced, self.sheet.first)[0]

    @property
    def aside(self) -> Hand:
        """The cards that count for the taker without having been played."""
        if self.takes_dog:
            return self.discard
        return self.dog if self.call.contract == "sans" else ()

    def dog_seen_by(self, seat: Seat) -> Hand:
        """The dog, as far as this seat has seen it."""
        seen = self.takes_dog and (seat == self.taker or self.sheet.options.dog == "shown")
        return self.dog if seen else ()

    def discard_seen_by(self, seat: Seat) -> Hand:
        """The discard, as far as this seat has seen it: the others see the trumps."""
        if seat == self.taker:
            return self.discard
        return tuple(card for card in self.discard if card.suit == TRUMP)

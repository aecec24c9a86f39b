"""A bout of durak: the order of cards, the options, the answers, the cards on the table.

Rules are cited from docs/rules/durak.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import combinations
from typing import Literal, NamedTuple, Self

from pydantic import Field, model_validator

from card_arena.tables.cards import FULL_PACK, RANKS, SUITS, Card, card, pack
from card_arena.tables.encoding import plain
from card_arena.tables.game import HandOptions, MalformedAnswer, Mistake, Seat
from card_arena.tables.tricks import replaced, without

HEIGHT = {rank: height for height, rank in enumerate(RANKS)}


@cache
def beating(attack: Card, trumps: str, deuce_beats_ace: bool = False) -> frozenset[Card]:
    """The cards that beat this one: the higher of its suit, and any trump where it is none.

    With `deuce_beats_ace` the 2 of its suit beats an ace too.
    """
    suit = [card for card in FULL_PACK if card.suit == attack.suit]
    higher = {card for card in suit if HEIGHT[card.rank] > HEIGHT[attack.rank]}
    if deuce_beats_ace and attack.rank == "A":
        higher.update(card for card in suit if card.rank == "2")
    if attack.suit != trumps:
        higher.update(card for card in FULL_PACK if card.suit == trumps)
    return frozenset(higher)


@cache
def _places(trumps: str) -> Mapping[Card, int]:
    suits = SUITS.replace(trumps, "") + trumps
    return {card: place for place, card in enumerate(pack(RANKS, suits))}


def in_order(cards: Iterable[Card], trumps: str) -> tuple[Card, ...]:
    """Put a hand in order: suit by suit, the lowest card first, trumps last."""
    return tuple(sorted(cards, key=_places(trumps).__getitem__))


class Options(HandOptions):
    """The table's choice wherever durak is played in more than one way."""

    deck: Literal[52, 36, 32, 24] = Field(
        52, description="cards in the pack: from the 2, the 6, the 7 or the 9 up to the ace"
    )
    throwers: Literal["all", "neighbours", "attacker"] = Field(
        "all",
        description="who may throw in: all but the defender; the attacker and the player after the"
        " defender; or the attacker alone",
    )
    throw_in: Literal["one", "several"] = Field(
        "one", description="whether cards of one rank can be laid together, also to attack"
    )
    throw_after_take: bool = Field(
        True, description="whether cards can be thrown in when the defender takes"
    )
    first_limit: Literal[6, 5] = Field(
        6, description="how many attack cards the first bout may have"
    )
    transfer: Literal["never", "card", "show_trump"] = Field(
        "never",
        description="whether the defender can pass an attack on by adding a card of its rank, or"
        " also by showing the trump of its rank",
    )
    transfer_back: bool = Field(
        True, description="whether the last two players can pass an attack back and forth"
    )
    deuce_beats_ace: bool = Field(False, description="whether a 2 beats the ace of its suit")
    refill: Literal["attacker_first", "throwers", "seats"] = Field(
        "attacker_first",
        description="who draws first: the attacker, the others clockwise, the defender last; the"
        " attackers in the order they laid cards, the defender last; or by seats from 0",
    )
    last_cards: Literal["draw", "attacker_wins"] = Field(
        "draw", description="who wins if nobody has cards left after a bout"
    )
    partners: bool = Field(
        False, description="whether seats 0 and 2 play against seats 1 and 3; needs four players"
    )
    redeal: bool = Field(
        False, description="whether a hand with five cards of one suit makes the dealer deal again"
    )

    @model_validator(mode="after")
    def _has_deuces(self) -> Self:
        if self.deuce_beats_ace and self.deck != 52:
            raise ValueError(f"deuce_beats_ace needs deck: 52, there is no 2 in {self.deck} cards")
        return self


class Say(StrEnum):
    """The answers that are a word."""

    TAKE = "take"
    DONE = "done"


@dataclass(frozen=True, slots=True)
class Together:
    """Lay several cards of one rank at once; they are named in the order of the pack."""

    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return "+".join(self.cards)


@dataclass(frozen=True, slots=True)
class Transfer:
    """Pass the attack on with one more card of its rank."""

    card: Card

    def __str__(self) -> str:
        return f"pass:{self.card}"


@dataclass(frozen=True, slots=True)
class Show:
    """Pass the attack on by showing the trump of its rank, which stays in the hand."""

    card: Card

    def __str__(self) -> str:
        return f"show:{self.card}"


Answer = Card | Say | Together | Transfer | Show

_WORDS: Mapping[str, Answer] = {card: card for card in FULL_PACK} | {say: say for say in Say}
_CARD = f"[{RANKS}][{SUITS}]"
_ANSWER = re.compile(
    rf"(?P<word>TAKE|DONE)"
    rf"|(?P<passing>PASS|SHOW)[ \t:]+(?P<same>{_CARD})"
    rf"|(?P<laid>{_CARD}(?:\+{_CARD})*)"
)


NO_ANSWER = Mistake(
    "durak.answer", "is not an answer: expected a card such as 7H, take, done or pass 7H"
)
TWICE = Mistake("durak.twice", "names a card twice: expected different cards")


def read_answer(line: str) -> Answer:
    """Read an answer, in small letters too; raises `MalformedAnswer`."""
    if line in _WORDS:
        return _WORDS[line]
    found = _ANSWER.fullmatch(plain(line))
    if not found:
        raise MalformedAnswer(NO_ANSWER, line)
    if found["word"]:
        return Say(found["word"].lower())
    if found["same"]:
        same = card(found["same"])
        return Transfer(same) if found["passing"] == "PASS" else Show(same)
    laid = [card(text) for text in found["laid"].split("+")]
    if len(set(laid)) < len(laid):
        raise MalformedAnswer(TWICE, line)
    return laid[0] if len(laid) == 1 else together(laid)


def together(cards: Iterable[Card]) -> Together:
    """Cards laid at once, in whatever order they were named."""
    return Together(in_order(cards, SUITS[-1]))


# What lies on the table in a bout of durak, and what can be laid, thrown in and passed on.


HAND = 6
"""The number of cards dealt to each, and the size that hands are refilled to; also the most attack
cards."""


@cache
def clockwise(seat: Seat, seats: int) -> tuple[Seat, ...]:
    """The other seats in turn, beginning with the next one."""
    return tuple((seat + step) % seats for step in range(1, seats))


@cache
def first_of(seat: Seat, others: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """This seat, and then the others in turn."""
    return (seat, *[other for other in others if other != seat])


def sides(options: Options, seats: int) -> tuple[tuple[Seat, ...], ...]:
    """The seats that win and lose together at a table with these options."""
    return ((0, 2), (1, 3)) if options.partners else tuple((seat,) for seat in range(seats))


class Bout(NamedTuple):
    """Everything on the table and in the hands.

    `trump` is the card that shows trumps: the last of the `talon`, whose first is drawn first.
    `out` is the bout in which each seat went out, 0 while it is in. `limit` is how many attack
    cards there may be. The first of the `attacks` is beaten by the first of the `defences`, and so
    on. `laid_by` are the seats that laid attack cards, in turn, and `done` those that have said
    `done` since the last card; `shown` says that the trump of the attack's rank was shown. `swept`
    is what the previous bout left on the table when it was beaten, for display.

    A new one is made for every answer, so the methods copy slices of the fields: `_replace` would
    take twice as long.
    """

    hands: tuple[tuple[Card, ...], ...]
    options: Options
    trump: Card
    talon: tuple[Card, ...]
    out: tuple[int, ...]
    number: int = 1
    swept: tuple[tuple[Card, Card], ...] = ()
    attacker: Seat = 0
    defender: Seat = 0
    limit: int = 0
    history: str = ""
    attacks: tuple[Card, ...] = ()
    defences: tuple[Card, ...] = ()
    laid_by: tuple[Seat, ...] = ()
    done: tuple[Seat, ...] = ()
    taking: bool = False
    shown: bool = False

    @property
    def left(self) -> int:
        """Attack cards that can still be laid."""
        return self.limit - len(self.attacks)

    @property
    def discarded(self) -> int:
        """Cards that have left the game."""
        on_table = len(self.attacks) + len(self.defences)
        return self.options.deck - len(self.talon) - on_table - sum(map(len, self.hands))

    def next_in(self, seat: Seat) -> Seat:
        """The next seat clockwise that is still in (rule b.6)."""
        for other in clockwise(seat, len(self.out)):
            if not self.out[other]:
                return other
        raise LookupError(f"seat {seat} is the only one that is still in")

    def next_opponent(self, seat: Seat) -> Seat:
        """The seat that this seat attacks: the next one still in that is not a partner."""
        other = self.next_in(seat)
        if self.options.partners:
            while other % 2 == seat % 2:
                other = self.next_in(other)
        return other

    def limit_against(self, defender: Seat) -> int:
        """The most attack cards against this defender, bounded by the size of his hand."""
        most = self.options.first_limit if self.number == 1 else HAND
        return min(most, len(self.hands[defender]))

    def attacked_by(self, attacker: Seat) -> Bout:
        """The same table with this attacker: the defender and the limit follow from it."""
        defender = self.next_opponent(attacker)
        limit = self.limit_against(defender)
        return Bout(*self[:7], attacker, defender, limit, *self[10:])

    def said(self, seat: Seat, answer: Answer) -> str:
        """The history with one more answer."""
        between = "," if self.attacks else "/" if self.history else ""
        return f"{self.history}{between}{seat}:{answer}"

    def laid(self, seat: Seat, answer: Answer, cards: tuple[Card, ...]) -> Bout:
        """The table with more attack cards; seats that were done are asked again (rule b.3)."""
        hand = tuple([card for card in self.hands[seat] if card not in cards])
        return Bout(
            replaced(self.hands, seat, hand),
            *self[1:10],
            self.said(seat, answer),
            self.attacks + cards,
            self.defences,
            (*self.laid_by, seat),
            (),
            self.taking,
            self.shown,
        )

    def beaten(self, card: Card) -> Bout:
        """The table after the defender has beaten the first unbeaten card with this one."""
        seat = self.defender
        return Bout(
            replaced(self.hands, seat, without(self.hands[seat], card)),
            *self[1:10],
            self.said(seat, card),
            self.attacks,
            (*self.defences, card),
            self.laid_by,
            self.done,
        )

    def layable(self, cards: Sequence[Card]) -> tuple[Answer, ...]:
        """Each of these cards alone; on a table that allows it, also those of a rank together."""
        if self.options.throw_in == "one":
            return tuple(cards)
        groups = ([card for card in cards if card.rank == rank] for rank in RANKS)
        several = (
            together(some)
            for group in groups
            for count in range(2, min(len(group), self.left) + 1)
            for some in combinations(group, count)
        )
        return (*cards, *several)

    def defences_to(self, attack: Card) -> tuple[Card, ...]:
        """The defender's cards that beat this one."""
        better = beating(attack, self.trump.suit, self.options.deuce_beats_ace)
        return tuple([card for card in self.hands[self.defender] if card in better])

    def transfers(self) -> Sequence[Transfer | Show]:
        """The ways to pass the attack on: nothing is beaten, and the next hand is big enough."""
        options = self.options
        if options.transfer == "never" or self.defences:
            return ()
        following = self.next_opponent(self.defender)
        if following == self.attacker and not options.transfer_back:
            return ()
        room, rank = self.limit_against(following) - len(self.attacks), self.attacks[0].rank
        same = [card for card in self.hands[self.defender] if card.rank == rank]
        ways: list[Transfer | Show] = []
        if room > 0:
            ways += map(Transfer, same)
        if options.transfer == "show_trump" and not self.shown and room >= 0:
            ways += [Show(card) for card in same if card.suit == self.trump.suit]
        return ways

    def throwers(self) -> Sequence[Seat]:
        """The seats that may throw in, in order: the attacker, then clockwise (rule b.3)."""
        attacker, defender, options = self.attacker, self.defender, self.options
        others: tuple[Seat, ...] = ()
        if options.throwers == "all":
            others = clockwise(defender, len(self.hands))
        elif options.throwers == "neighbours":
            others = (self.next_in(defender),)
        if options.partners:
            others = tuple([seat for seat in others if seat % 2 != defender % 2])
        return first_of(attacker, others)

    def next_thrower(self) -> tuple[Seat, tuple[Answer, ...]] | None:
        """The next seat that can throw in and has not said that it is done, with its possible
        cards.

        None if nobody can, or the limit is reached (rule b.4), at the latest when the defender lays
        his last card.
        """
        if not self.left:
            return None
        hands, done = self.hands, self.done
        ranks = {card.rank for card in self.attacks + self.defences}
        for seat in self.throwers():
            if seat not in done:
                matching = [card for card in hands[seat] if card.rank in ranks]
                if matching:
                    return seat, self.layable(matching)
        return None

    def drawing_order(self) -> Iterable[Seat]:
        """The order of drawing from the talon after the bout (rule b.5)."""
        attacker, defender, seats = self.attacker, self.defender, len(self.hands)
        if self.options.refill == "seats":
            return range(seats)
        first = (attacker, *clockwise(attacker, seats))
        if self.options.refill == "throwers":
            first = tuple(dict.fromkeys(self.laid_by))
        return (*[seat for seat in first if seat != defender], defender)

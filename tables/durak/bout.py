"""What lies on the table in a bout of durak, and what can be laid, thrown in and passed on.

Rules are cited from docs/rules/durak.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations
from typing import NamedTuple

from tables.cards import RANKS, Card
from tables.durak.answers import Answer, Show, Transfer, together
from tables.durak.options import Options
from tables.durak.ranking import beating
from tables.game import Seat
from tables.tricks import replaced, without

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

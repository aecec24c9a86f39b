"""What a deal of spades gave each side: the round is played out by rule, with the hands exchanged.

All seats bid and play by the same rules, after [Cohensius 2019] (bots/spades), once with the hands
as they lie and once with all hands one, two and three seats further, which were as likely. Luck is
a side's points more than the other's with the hands as they lie, less the mean of all four.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import product
from math import comb, factorial, prod
from typing import NamedTuple

from tables.cards import RANKS, SUITS, Card
from tables.game import Phase, Seat, Terminal
from tables.luck import UNIT, Luck
from tables.spades.phases import Bidding, GoingBlind, Shuffling
from tables.spades.rules import NIL, SEATS, TRICKS, Hands, Round, tally

Sets = list[int]
"""Cards as a number for each suit, one bit a card, the lowest card first."""

_SPADES = 3
_JACK, _QUEEN, _KING, _ACE = (1 << RANKS.index(rank) for rank in "JQKA")
_SUIT = (1 << len(RANKS)) - 1


def luck(before: Phase, after: Phase | Terminal) -> Sequence[int]:
    """The hands that were dealt."""
    if isinstance(before, Shuffling) and isinstance(after, GoingBlind | Bidding):
        return luck_of_deal(after.round, after.hands)
    return ()


def luck_of_deal(round: Round, hands: Hands) -> Luck:
    """What the deal is worth to each seat above the mean of all seats for the hands in turn."""
    sets = [_sets(hand) for hand in hands]
    margins = [_margin(round, [*sets[turn:], *sets[:turn]]) for turn in SEATS]
    side = UNIT // 8 * (4 * margins[0] - sum(margins))
    return side, -side, side, -side


def _sets(hand: Sequence[Card]) -> Sets:
    return [
        sum(1 << RANKS.index(card.rank) for card in hand if card.suit == suit) for suit in SUITS
    ]


def _margin(round: Round, hands: Sequence[Sets]) -> int:
    """The points of side 0 more than those of side 1 in a round that is played by rule."""
    bids: list[int | None] = [None] * 4
    for turn in SEATS:
        seat = (round.first + turn) % 4
        before = [bids[(seat - back) % 4] for back in range(1, turn + 1)]
        bids[seat] = bid(hands[seat], [said for said in before if said is not None])
    made = [said or NIL for said in bids]
    took = _Play([hand[:] for hand in hands], made).took(round.first)
    points = tally(round, made, took).points
    return points[0] - points[1]


# Bids: takes are counted in thousandths of a trick.

_BIG = 5
"""The bid of a side's first bidder that asks for a nil, as it covers one."""


def bid(hand: Sets, before: Sequence[int]) -> int:
    """What a hand bids after other bids, those of its right, of its partner and of its left."""
    partner = before[1] if len(before) > 1 else None
    if partner != NIL and _bids_nil(hand, before, encouraged=partner == _BIG):
        return NIL
    takes = _takes(hand, 1 if NIL in before[::2] else 2) - 300
    takes -= 150 * sum(before) - 396 * len(before)
    own = min(TRICKS, max(1, (takes + 500) // 1000))
    if partner is None:
        tops = [cards.bit_length() > RANKS.index("J") for cards in hand[:_SPADES] if cards]
        if 4 <= own <= 6 and hand[_SPADES] & (_ACE | _KING) and all(tops):
            return _BIG
        return own - (own == _BIG)
    return own


@lru_cache(256)
def _chance(own: int, more: int, opponents: int) -> int:
    """The chance in thousandths that each opponent has more than so many cards of a suit."""
    out = len(RANKS) - own
    ways = sum(
        comb(TRICKS, left) * comb(TRICKS, right) * comb(TRICKS, out - left - right)
        for left in range(more + 1, out + 1)
        for right in range(more + 1 if opponents > 1 else 0, out - left + 1)
    )
    return 1000 * ways // comb(39, out)


def _takes(hand: Sets, opponents: int) -> int:
    """The tricks that high cards take, and spades as high or long ones or as cuts."""
    takes, cuts = 0, []
    for cards in hand[:_SPADES]:
        length = cards.bit_count()
        for nth, rank in enumerate((_ACE, _KING, _QUEEN)):
            if length <= nth:
                cuts.append(_chance(length, nth, opponents))
            elif cards & rank:
                takes += _chance(length, nth, opponents)
    spades = hand[_SPADES]
    many = spades.bit_count()
    sure = (spades & _ACE != 0) + (spades & _KING != 0 and many > 1)
    high = 0
    for rank in range(RANKS.index("J"), len(RANKS)):
        if spades >> rank & 1:
            above = (spades >> rank + 1).bit_count()
            high += many - above - 1 >= len(RANKS) - 1 - rank - above
    long = min(many, high + max(0, many - 4))
    return takes + max(1000 * long, 1000 * sure + sum(sorted(cuts)[::-1][: many - sure]))


def _bids_nil(hand: Sets, before: Sequence[int], *, encouraged: bool) -> bool:
    """Say whether a nil is likely enough: by logistic regression on nils that were tried."""
    spades = hand[_SPADES] & ~(_KING | _QUEEN) if encouraged else hand[_SPADES]
    value = _nil_value(spades, trumps=True)
    for cards in hand[:_SPADES]:
        value = value * _nil_value(cards, trumps=False) // 1000
    if value < 50:
        return False
    if not all(hand[:_SPADES]):
        value = min(1000, value * 115 // 100)
    right, partner, left = (said - 3 for said in (*before, 3, 3, 3)[:3])
    logit = -2040 + 7340 * value // 1000 - 3090 * value * value // 1_000_000
    logit += 194 * (len(before) > 1)
    logit += ((923 - 922 * value // 1000) * partner + 6 * right + 21 * left) // 3
    return logit > (-201 if encouraged else 511)


@lru_cache(4096)
def _nil_value(cards: int, *, trumps: bool) -> int:
    """The chance in thousandths that no trick of a suit can be lost to a hand that bids nil."""
    ranks = [rank for rank in range(len(RANKS)) if cards >> rank & 1]
    if trumps and len(ranks) > 3:
        return 0
    lowest = ranks[:3]
    gaps = [rank - below - 1 for below, rank in zip((-1, *lowest), lowest, strict=False)]
    return _safe((*gaps, len(RANKS) - len(ranks) - sum(gaps)), trumps=trumps)


@lru_cache(4096)
def _safe(gaps: tuple[int, ...], *, trumps: bool) -> int:
    """The same by the numbers of unseen cards below our lowest, ..., above our third card.

    Trick j is lost if both opponents stay below our j-th card and the partner can't go above it.
    """
    ways = 0
    for partner in product(*(range(gap + 1) for gap in gaps)):
        helpless = _helpless(partner, trumps=trumps)
        if not helpless:
            continue
        left_over = [gap - held for gap, held in zip(gaps, partner, strict=True)]
        for left in product(*(range(gap + 1) for gap in left_over)):
            right = tuple(gap - held for gap, held in zip(left_over, left, strict=True))
            if helpless & _stays_below(left) & _stays_below(right):
                ways += _hands(partner) * _hands(left) * _hands(right)
    deals = factorial(39) // prod(map(factorial, (*gaps, 39 - sum(gaps))))
    return 1000 - 1000 * ways // deals


@lru_cache(4096)
def _hands(held: tuple[int, ...]) -> int:
    """In how many orders a hand of 13 can hold so many cards of each group."""
    beside = TRICKS - sum(held)
    return factorial(TRICKS) // prod(map(factorial, (*held, beside))) if beside >= 0 else 0


@lru_cache(4096)
def _stays_below(held: tuple[int, ...]) -> int:
    """The tricks, as bits, in which an opponent can stay below our card."""
    return sum(1 << j for j in range(1, len(held)) if sum(held) < j or sum(held[:j]) >= j)


@lru_cache(4096)
def _helpless(held: tuple[int, ...], *, trumps: bool) -> int:
    """The tricks, as bits, in which the partner can't go above our card."""
    return sum(
        1 << j
        for j in range(1, len(held))
        if (trumps or sum(held) >= j) and sum(held[j:]) < (2 if j == 2 else 1)
    )


# The play of a round. A card is its suit and its bit.

Move = tuple[int, int]

_ORDER = (_SPADES, 2, 1, 0)
"""Of equal cards the first in this order of the suits is played."""


def _low(cards: int) -> int:
    return cards & -cards


def _high(cards: int) -> int:
    return 1 << cards.bit_length() - 1


def _cost(suit: int, card: int) -> int:
    """What it costs to part with a card: spades are dearer than all others."""
    return card << 13 if suit == _SPADES else card


class _Play:
    """A round being played: the seats' cards, all that are out, and what play has shown.

    `lacks` are the suits of which a seat has shown that it has none. `best` is the card that is
    winning the trick, `winner` its seat, `led` the suit that was led.
    """

    def __init__(self, hands: Sequence[Sets], bids: Sequence[int]) -> None:
        self.hands, self.bids = hands, bids
        self.out = [_SUIT] * 4
        self.lacks: list[set[int]] = [set() for _ in SEATS]
        self.tricks = [0] * 4
        self.broken = False
        self.left = TRICKS

    def took(self, leader: Seat) -> list[int]:
        """Play all tricks; return how many each seat took."""
        hands, out = self.hands, self.out
        for self.left in range(TRICKS, 0, -1):
            self.led, self.best, self.winner = -1, (-1, 0), leader
            for turn in SEATS:
                seat = (leader + turn) % 4
                hand = hands[seat]
                suit, card = self._card(seat, hand, turn)
                hand[suit] ^= card
                out[suit] ^= card
                if turn == 0:
                    self.led = suit
                    if suit == _SPADES and not self.broken:
                        self.lacks[seat].update((0, 1, 2))
                elif suit != self.led:
                    self.lacks[seat].add(self.led)
                self.broken = self.broken or suit == _SPADES
                best_suit, best = self.best
                if turn == 0 or (card > best if suit == best_suit else suit == _SPADES):
                    self.best, self.winner = (suit, card), seat
            leader = self.winner
            self.tricks[leader] += 1
        return self.tricks

    def _tries_nil(self, seat: Seat) -> bool:
        return self.bids[seat] == NIL and not self.tricks[seat]

    def _missing(self, seat: Seat) -> int:
        """The tricks that a side's contract still needs; those of a failed nil don't help."""
        pair = (seat, (seat + 2) % 4)
        return max(0, sum(self.bids[one] - self.tricks[one] for one in pair if self.bids[one]))

    def _wants_tricks(self, seat: Seat) -> bool:
        """Say whether to go for the next trick: for the contract, or to set the opponents."""
        needed, theirs = self._missing(seat), self._missing((seat + 1) % 4)
        if needed > self.left:
            needed = 0
        elif needed > self._sure_takes(seat):
            return True
        return 0 < theirs <= self.left

    def _sure_takes(self, seat: Seat) -> int:
        """The tricks that a hand's spades take, were all the others in one hand."""
        mine = self.hands[seat][_SPADES]
        theirs = self.out[_SPADES] ^ mine
        sure = 0
        while mine and theirs:
            if mine > theirs:
                sure += 1
                mine ^= _high(mine)
                theirs ^= _low(theirs)
            else:
                lowest = _low(mine)
                mine ^= lowest
                theirs ^= _low(theirs & -lowest)
        return sure + mine.bit_count()

    def _card(self, seat: Seat, hand: Sets, turn: int) -> Move:
        """The card that a seat plays."""
        partner = (seat + 2) % 4
        attacked = [one for one in ((seat + 1) % 4, (seat + 3) % 4) if self._tries_nil(one)]
        if turn == 0:
            legal = hand if self.broken or not any(hand[:_SPADES]) else [*hand[:_SPADES], 0]
            if self._tries_nil(seat):
                return self._lead_low(hand, legal)
            if self._tries_nil(partner):
                return self._lead_to_cover(partner, legal)
            if attacked and self._missing(seat) < self.left:
                return self._lead_to_attack(attacked, hand, legal)
            return self._lead(seat, hand, legal)
        suit, best = self.best
        if hand[self.led]:
            legal = [0] * 4
            legal[self.led] = hand[self.led]
            takes = legal[self.led] & -best << 1 if suit == self.led else 0
            takes_suit = self.led
        else:
            legal = [*hand]
            takes = hand[_SPADES] & -best << 1 if suit == _SPADES else hand[_SPADES]
            takes_suit = _SPADES
        loses = [*legal]
        loses[takes_suit] ^= takes
        follow = _Following(self, seat, hand, turn, legal, takes_suit, takes, loses)
        if self._tries_nil(seat):
            return follow.duck_under()
        if self._tries_nil(partner):
            return follow.cover(partner)
        if attacked and self._missing(seat) < self.left:
            return follow.attack(attacked)
        return follow.play()

    def _lead_low(self, hand: Sets, legal: Sets) -> Move:
        """The card that most of the unseen ones beat."""
        return _best(
            legal,
            _low,
            lambda suit, card: (
                ((self.out[suit] ^ hand[suit]) & -card).bit_count(),
                -_cost(suit, card),
            ),
        )

    def _lead_to_cover(self, partner: Seat, legal: Sets) -> Move:
        """What a partner with a nil can throw on, else the highest card."""
        lacks = self.lacks[partner]
        return _best(legal, _high, lambda suit, card: (suit in lacks, card, -_cost(suit, card)))

    def _lead_to_attack(self, attacked: Sequence[Seat], hand: Sets, legal: Sets) -> Move:
        """The lowest card of a suit that a nil bidder may have to win."""
        return _best(
            legal,
            _low,
            lambda suit, card: (
                not all(suit in self.lacks[one] for one in attacked),
                -((self.out[suit] ^ hand[suit]) & card - 1).bit_count(),
                -_cost(suit, card),
            ),
        )

    def _lead(self, seat: Seat, hand: Sets, legal: Sets) -> Move:
        """Winners while tricks are wanted, suits that the partner can cut, else low cards."""
        if not self._wants_tricks(seat):
            return self._lead_low(hand, legal)
        cutters = [
            self.lacks[one]
            for one in ((seat + 1) % 4, (seat + 3) % 4)
            if _SPADES not in self.lacks[one]
        ]
        winners = [
            cards if cards > self.out[suit] ^ hand[suit] else 0 for suit, cards in enumerate(legal)
        ]
        if any(winners):
            return _best(
                winners,
                _high,
                lambda suit, _: (
                    suit == _SPADES or not any(suit in lacks for lacks in cutters),
                    suit != _SPADES,
                    -hand[suit].bit_count(),
                ),
            )
        cuts = self.lacks[(seat + 2) % 4]
        return _best(
            legal,
            _low,
            lambda suit, card: (
                suit != _SPADES,
                suit in cuts and _SPADES not in cuts,
                -hand[suit].bit_count(),
                -card,
            ),
        )


def _best(
    cards: Sets, of_suit: Callable[[int], int], worth: Callable[[int, int], tuple[int, ...]]
) -> Move:
    """The card of some suit that is worth most, of one card a suit."""
    moves = [(suit, of_suit(cards[suit])) for suit in _ORDER if cards[suit]]
    return moves[0] if len(moves) == 1 else max(moves, key=lambda move: worth(*move))


class _Following(NamedTuple):
    """A seat that follows to a trick: its legal cards, those that take it, and the others."""

    table: _Play
    seat: Seat
    hand: Sets
    turn: int
    legal: Sets
    suit: int
    """The suit of the cards that take the trick."""
    takes: int
    loses: Sets

    def duck_under(self) -> Move:
        """Lose with the most dangerous card, else take cheaply: somebody may go higher."""
        if any(self.loses):
            return _best(self.loses, _high, lambda suit, card: (_cost(suit, card),))
        return self.suit, _low(self.takes)

    def cover(self, partner: Seat) -> Move:
        """Take what the partner is winning or may have to win."""
        suit, best = self.table.best
        if self.table.winner == partner:
            return (self.suit, _low(self.takes)) if self.takes else self._throw()
        if self.turn == 1 and self.takes and not self._is_highest(suit, best):
            return self.suit, _high(self.takes) if self.suit == suit else _low(self.takes)
        return self.play()

    def attack(self, attacked: Sequence[Seat]) -> Move:
        """Stay below a nil bidder who is winning or may still have to."""
        suit, best = self.table.best
        waits = self.turn < 3 and (self.seat + 1) % 4 in attacked
        if any(self.loses) and (
            self.table.winner in attacked or (waits and suit != _SPADES and best <= _JACK)
        ):
            return _best(self.loses, _high, lambda suit, card: (card, -_cost(suit, card)))
        return self.play()

    def play(self) -> Move:
        """Win as cheaply as is safe while tricks are wanted, else lose as high as possible."""
        table, takes, last = self.table, self.takes, self.turn == 3
        if not table._wants_tricks(self.seat):
            if any(self.loses):
                return _best(self.loses, _high, lambda suit, card: (suit != _SPADES, card))
            return self.suit, _high(takes) if last else _low(takes)
        suit, best = table.best
        holds = last or best >= _JACK or self._is_highest(suit, best)
        if not takes or (table.winner == (self.seat + 2) % 4 and holds):
            return self._throw()
        if last or self.suit != table.led:
            return self.suit, _low(takes)
        unseen = table.out[self.suit] ^ self.hand[self.suit]
        if takes > unseen:
            return self.suit, _low(takes >> unseen.bit_length() << unseen.bit_length())
        return (self.suit, _high(takes)) if self.turn == 2 else self._throw()

    def _is_highest(self, suit: int, card: int) -> bool:
        return card > self.table.out[suit] ^ self.hand[suit]

    def _throw(self) -> Move:
        """Part with a cheap card: the higher of two low ones, or one of the shortest suit."""
        led = self.table.led
        if cards := self.hand[led]:
            doubleton = led != _SPADES and cards.bit_count() == 2 and self.hand[_SPADES]
            return led, _high(cards) if doubleton and cards < _JACK else _low(cards)
        return _best(
            self.hand,
            _low,
            lambda suit, card: (
                suit != _SPADES,
                card < _JACK,
                -self.hand[suit].bit_count(),
                -card,
            ),
        )

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

from card_arena.tables.cards import RANKS, SUITS, Card
from card_arena.tables.game import Phase, Seat, Terminal
from card_arena.tables.luck import UNIT, Luck
from card_arena.tables.spades.phases import Bidding, GoingBlind, Shuffling
from card_arena.tables.spades.rules import NIL, SEATS, TRICKS, Hands, Round, tally

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


def _low(cards: int) -> int:
    return cards & -cards


def _high(cards: int) -> int:
    return 1 << cards.bit_length() - 1


def _cost(suit: int, card: int) -> int:
    """What it costs to part with a card: spades are dearer than all others."""
    return card << 13 if suit == _SPADES else card


def _best(
    cards: Sets, of_suit: Callable[[int], int], worth: Callable[[int, int], tuple[int, ...]]
) -> Move:
    """The card that is worth most, of one of each suit; of equal ones a spade, heart, diamond."""
    moves = [(suit, of_suit(cards[suit])) for suit in (3, 2, 1, 0) if cards[suit]]
    return max(moves, key=lambda move: worth(*move))


class _Play:
    """A round being played: the seats' cards, all that are out, and what play has shown.

    `lacks` are the suits of which a seat has shown that it has none. `led` is the suit that was
    led, `best` the card that is winning the trick, `winner` its seat; `seat` plays from `hand`.
    """

    def __init__(self, hands: Sequence[Sets], bids: Sequence[int]) -> None:
        self.hands, self.bids = hands, bids
        self.out = [_SUIT] * 4
        self.lacks: list[set[int]] = [set() for _ in SEATS]
        self.tricks = [0] * 4

    def took(self, leader: Seat) -> list[int]:
        """Play all tricks; return how many each seat took."""
        broken = False
        for self.left in range(TRICKS, 0, -1):
            self.winner = leader
            for self.turn in SEATS:
                seat = self.seat = (leader + self.turn) % 4
                hand = self.hand = self.hands[seat]
                if self.turn == 0:
                    free = broken or not any(hand[:_SPADES])
                    suit, card = self._lead(hand if free else [*hand[:_SPADES], 0])
                    self.led, self.best = suit, (suit, card)
                    if suit == _SPADES and not broken:
                        self.lacks[seat].update((0, 1, 2))
                else:
                    suit, card = self._follow()
                    if suit != self.led:
                        self.lacks[seat].add(self.led)
                    if card > self.best[1] if suit == self.best[0] else suit == _SPADES:
                        self.best, self.winner = (suit, card), seat
                hand[suit] ^= card
                self.out[suit] ^= card
                broken = broken or suit == _SPADES
            leader = self.winner
            self.tricks[leader] += 1
        return self.tricks

    def _unseen(self, suit: int) -> int:
        return self.out[suit] ^ self.hand[suit]

    def _length(self, suit: int) -> int:
        return self.hand[suit].bit_count()

    def _tries_nil(self, seat: Seat) -> bool:
        return self.bids[seat] == NIL and not self.tricks[seat]

    def _attacked(self) -> list[Seat]:
        """The opponents whose nil is to be broken, where tricks can be spared for it."""
        if self._missing(self.seat) >= self.left:
            return []
        return [seat for seat in self._opponents() if self._tries_nil(seat)]

    def _opponents(self) -> tuple[Seat, Seat]:
        return (self.seat + 1) % 4, (self.seat + 3) % 4

    def _missing(self, seat: Seat) -> int:
        """The tricks that a side's contract still needs; those of a failed nil don't help."""
        pair = (seat, (seat + 2) % 4)
        return max(0, sum(self.bids[one] - self.tricks[one] for one in pair if self.bids[one]))

    def _wants_tricks(self) -> bool:
        """Say whether to go for the next trick: for the contract, or to set the opponents."""
        needed, theirs = self._missing(self.seat), self._missing(self._opponents()[0])
        return 0 < theirs <= self.left or self._sure_takes() < needed <= self.left

    def _sure_takes(self) -> int:
        """The tricks that a hand's spades take, were all the others in one hand."""
        mine, theirs, sure = self.hand[_SPADES], self._unseen(_SPADES), 0
        while mine and theirs:
            if mine > theirs:
                sure += 1
                mine ^= _high(mine)
                theirs ^= _low(theirs)
            else:
                theirs ^= _low(theirs & -_low(mine))
                mine ^= _low(mine)
        return sure + mine.bit_count()

    def _lead(self, legal: Sets) -> Move:
        """Winners while tricks are wanted, suits that the partner can cut, else low cards."""
        partner = (self.seat + 2) % 4
        cuts = self.lacks[partner]
        if not self._tries_nil(self.seat):
            if self._tries_nil(partner):
                return _best(legal, _high, lambda suit, card: (suit in cuts, card, suit != _SPADES))
            if attacked := self._attacked():
                return self._lead_to_attack(legal, attacked)
            if self._wants_tricks():
                winners = [
                    card if card > self._unseen(suit) else 0 for suit, card in enumerate(legal)
                ]
                if any(winners):
                    return self._lead_winner(winners)
                return _best(
                    legal,
                    _low,
                    lambda suit, card: (
                        *(suit != _SPADES, suit in cuts and _SPADES not in cuts),
                        *(-self._length(suit), -card),
                    ),
                )
        # The card that most of the unseen ones beat.
        return _best(
            legal,
            _low,
            lambda suit, card: ((self._unseen(suit) & -card).bit_count(), -_cost(suit, card)),
        )

    def _lead_to_attack(self, legal: Sets, attacked: Sequence[Seat]) -> Move:
        """The lowest card of a suit that a nil bidder may have to win."""
        return _best(
            legal,
            _low,
            lambda suit, card: (
                any(suit not in self.lacks[one] for one in attacked),
                *(-(self._unseen(suit) & card - 1).bit_count(), -_cost(suit, card)),
            ),
        )

    def _lead_winner(self, winners: Sets) -> Move:
        """The highest card of a suit that nobody is known to cut, of a short side suit first."""
        lacks = [self.lacks[one] for one in self._opponents()]
        cut = {suit for short in lacks if _SPADES not in short for suit in short}
        return _best(
            winners,
            _high,
            lambda suit, _: (suit not in cut, suit != _SPADES, -self._length(suit)),
        )

    def _follow(self) -> Move:
        """Duck with a nil, cover that of the partner, attack others, or else play for tricks."""
        suit, best = self.best
        cut = self.led if self.hand[self.led] else _SPADES
        takes = self.hand[cut] & -best << 1 if cut == suit else self.hand[cut] * (cut == _SPADES)
        loses = [0] * 4 if self.hand[self.led] else [*self.hand]
        loses[cut] = self.hand[cut] ^ takes
        partner, last = (self.seat + 2) % 4, self.turn == 3
        if self._tries_nil(self.seat):
            if any(loses):
                return _best(loses, _high, lambda suit, card: (_cost(suit, card),))
            return cut, _low(takes)
        if self._tries_nil(partner):
            if self.winner == partner:
                return (cut, _low(takes)) if takes else self._throw()
            if self.turn == 1 and takes and best < self._unseen(suit):
                return cut, _high(takes) if cut == suit else _low(takes)
        elif (attacked := self._attacked()) and any(loses):
            waits = not last and self._opponents()[0] in attacked
            if self.winner in attacked or (waits and suit != _SPADES and best <= _JACK):
                return _best(loses, _high, lambda suit, card: (card, -_cost(suit, card)))
        if not self._wants_tricks():
            if any(loses):
                return _best(loses, _high, lambda suit, card: (suit != _SPADES, card))
            return cut, _high(takes) if last else _low(takes)
        holds = last or best >= _JACK or best > self._unseen(suit)
        if not takes or (self.winner == partner and holds):
            return self._throw()
        if last or cut != self.led:
            return cut, _low(takes)
        unseen = self._unseen(cut)
        if takes > unseen:
            return cut, _low(takes >> unseen.bit_length() << unseen.bit_length())
        return (cut, _high(takes)) if self.turn == 2 else self._throw()

    def _throw(self) -> Move:
        """Part with a cheap card: the higher of two low ones, or one of the shortest suit."""
        if cards := self.hand[self.led]:
            doubleton = self.led != _SPADES and self._length(self.led) == 2 and self.hand[_SPADES]
            return self.led, _high(cards) if doubleton and cards < _JACK else _low(cards)
        return _best(
            self.hand,
            _low,
            lambda suit, card: (suit != _SPADES, card < _JACK, -self._length(suit), -card),
        )

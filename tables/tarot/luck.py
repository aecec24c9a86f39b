"""What a deal of French tarot gave each seat: it is played out by rule, with the hands exchanged.

All seats bid, put away and play by the same rules of thumb, once with the hands as they lie and
once for each of the other five ways to give them to the seats, which were as likely. Luck is a
seat's score with the hand it has, less its mean score in all six.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations

from card_arena.tables.cards import EXCUSE, SUITS, TAROT_PACK, TRUMP, Card
from card_arena.tables.game import Phase, Seat, Terminal
from card_arena.tables.luck import Luck
from card_arena.tables.tarot.phases import Bidding, Shuffling
from card_arena.tables.tarot.rules import (
    BOUTS,
    DOG,
    HALF_POINTS,
    SEATS,
    TRICKS,
    Count,
    Hand,
    Hands,
    ScoreSheet,
    excuse_share,
    marks,
    result,
)

DEALT, SWAPPED = 660, 330
"""Weights in thousandths: of the score as the hands lie, and with the other two exchanged.

The score as they lie tells more of players who play alike, the mean of both more of all others.
Their sum can be divided by the six orders, so that luck is exact.
"""

Sets = list[int]
"""Cards as six numbers, one bit a card, the lowest card first: four suits, trumps, the Excuse."""

_TRUMPS, _EXCUSE = 4, 5
_SUITS = (*SUITS, TRUMP, EXCUSE.suit)
_CARDS = [[card for card in TAROT_PACK if card.suit == suit] for suit in _SUITS]
_BITS = {card: (suit, 1 << n) for suit, cards in enumerate(_CARDS) for n, card in enumerate(cards)}
_PACK = [(1 << len(cards)) - 1 for cards in _CARDS]
_POINTS = [[0, *(HALF_POINTS[card] for card in cards)] for cards in _CARDS]
"""Half points of a card by its set and the length of its bit."""
_PETIT = 1
_BOUTS = [sum(_BITS[card][1] for card in BOUTS.intersection(cards)) for cards in _CARDS]
_NO_KINGS = _PACK[0] >> 1

_LEAST = {"contre": 59, "sans": 51, "garde": 41, "petite": 36}
"""The values of a hand from which it bids, the highest bid first."""
_HONOURS = {"K": 6, "Q": 3, "N": 2, "J": 1}
_SHORT = {0: 6, 1: 3}


def luck(before: Phase, after: Phase | Terminal) -> Sequence[int]:
    """The hands that were dealt; a deal that is annulled at once gives nobody anything."""
    if isinstance(before, Shuffling) and isinstance(after, Bidding):
        return luck_of_deal(after.sheet, after.hands, after.dog)
    return ()


def luck_of_deal(sheet: ScoreSheet, hands: Hands, dog: Hand) -> Luck:
    """What the deal is worth to each seat above the mean of all orders of the hands."""
    bids = [_bid(hand, petite=sheet.options.petite) for hand in hands]
    if not any(bids):
        return (0, 0, 0)
    sets = [_sets(hand) for hand in hands]
    scores = {
        order: _scores(sheet, [sets[n][:] for n in order], dog, [bids[n] for n in order])
        for order in permutations(SEATS)
    }
    luck = []
    for seat in SEATS:
        dealt, swapped = (scores[order][seat] for order in scores if order[seat] == seat)
        every = sum(score[seat] for score in scores.values())
        luck.append(DEALT * dealt + SWAPPED * swapped - (DEALT + SWAPPED) // 6 * every)
    return tuple(luck)


def value(hand: Hand) -> int:
    """Bouts, length in trumps, honours, and suits to be trumped, added up."""
    held = _sets(hand)
    trumps = held[_TRUMPS].bit_count()
    points = 2 * trumps + 2 * max(0, trumps - 8) + 10 * (held[_TRUMPS] >> 20) + 8 * held[_EXCUSE]
    if held[_TRUMPS] & _PETIT:
        points += 3 + min(trumps - 1, 9)
    return (
        points
        + sum(_SHORT.get(cards.bit_count(), 0) for cards in held[:_TRUMPS])
        + sum(_HONOURS.get(card.rank, 0) for card in hand if card.suit in SUITS)
    )


def _bid(hand: Hand, *, petite: bool) -> str:
    """The highest contract that a hand is worth; empty for a pass."""
    held = value(hand)
    contract = next((name for name, least in _LEAST.items() if held >= least), "")
    return "" if contract == "petite" and not petite else contract


def _scores(
    sheet: ScoreSheet, hands: Sequence[Sets], dog: Hand, bids: Sequence[str]
) -> tuple[int, ...]:
    """The score of every seat when a deal is bid and played by rule."""
    turns = [(sheet.first + turn) % 3 for turn in SEATS]
    contract = next(name for name in _LEAST if name in bids)
    taker = next(seat for seat in turns if bids[seat] == contract)
    unseen, counted = [*_PACK], Count(0, 0)
    if contract in ("petite", "garde"):
        held = hands[taker]
        held[:] = map(int.__or__, held, _sets(dog))
        counted = Count(_put_away(held, unseen), 0)
    elif contract == "sans":
        counted = Count(sum(HALF_POINTS[card] for card in dog), len(BOUTS.intersection(dog)))
    counted, petit, swept = _played_out(hands, unseen, sheet.first, taker, counted)
    chelem = 200 * (swept == TRICKS) - 200 * (swept == 0)
    reach, halves = sheet.options.reach, sheet.options.half_points
    ended = result(contract, counted, petit=petit, chelem=chelem, reach=reach, halves=halves)
    return marks(taker, ended.price)


def _sets(cards: Iterable[Card]) -> Sets:
    sets = [0] * len(_SUITS)
    for card in cards:
        suit, bit = _BITS[card]
        sets[suit] |= bit
    return sets


def _put_away(held: Sets, unseen: Sets) -> int:
    """Take the discard out of a hand; return its half points.

    Cards of the shortest suits without a king go first, from the top.
    """
    half_points, left = 0, DOG
    shortest = sorted(range(4), key=lambda suit: (held[suit] > _NO_KINGS, held[suit].bit_count()))
    for suit in (*shortest, _TRUMPS):
        free = held[suit] & (_NO_KINGS if suit < _TRUMPS else ~_BOUTS[_TRUMPS])
        while free and left:
            card = _highest(free) if suit < _TRUMPS else free & -free
            free ^= card
            held[suit] ^= card
            unseen[suit] ^= card
            half_points += _POINTS[suit][card.bit_length()]
            left -= 1
    return half_points


def _highest(cards: int) -> int:
    return 1 << cards.bit_length() - 1


def _played_out(
    hands: Sequence[Sets], unseen: Sets, leader: Seat, taker: Seat, counted: Count
) -> tuple[Count, int, int]:
    """Play all tricks: what the taker has in the end, who brought the petit home, his tricks.

    `unseen` are the cards that the taker has not put away; the others have seen none of them.
    """
    half_points, bouts = counted
    petit = swept = 0
    of_taker, of_others = unseen, [*_PACK]
    for left in range(TRICKS, 0, -1):
        trick: list[tuple[Seat, int, int]] = []
        led, best_suit, best, winner = -1, -1, 0, leader
        for turn in SEATS:
            seat = (leader + turn) % 3
            hand, alone = hands[seat], seat == taker
            out = of_taker if alone else of_others
            if hand[_EXCUSE] and 1 < left < 6:  # in the last trick it would be lost
                suit, card = _EXCUSE, 1
            elif led < 0:
                suit, card = _lead(hand, out, alone=alone)
            else:
                friend = not alone and winner != taker
                suit, card = _follow(hand, out, led, best_suit, best, friend=friend, last=turn == 2)
            hand[suit] ^= card
            trick.append((seat, suit, card))
            if suit == _EXCUSE:
                continue
            if led < 0:
                led = suit
            elif (suit != best_suit and suit != _TRUMPS) or (suit == best_suit and card < best):
                continue
            best_suit, best, winner = suit, card, seat
        won = winner == taker
        swept += won
        for seat, suit, card in trick:
            of_taker[suit] ^= card
            of_others[suit] ^= card
            if suit == _EXCUSE:
                share = excuse_share(seat, winner, taker, last=left == 1)
                half_points += share
                bouts += share >= 8
                continue
            if won:
                half_points += _POINTS[suit][card.bit_length()]
                bouts += card & _BOUTS[suit] != 0
            if left == 1 and suit == _TRUMPS and card == _PETIT:
                petit = 1 if won else -1
        leader = winner
    return Count(half_points, bouts), petit, swept


def _lead(hand: Sets, unseen: Sets, *, alone: bool) -> tuple[int, int]:
    """Draw trumps while the taker has more than the others; else win, or lead the longest suit."""
    trumps = hand[_TRUMPS]
    others = (unseen[_TRUMPS] ^ trumps).bit_count()
    if alone and 0 < others < trumps.bit_count():
        return _TRUMPS, _highest(trumps)
    safe: tuple[int, int, int] | None = None
    longest: tuple[int, int, int] | None = None
    for suit in range(_TRUMPS):
        cards = hand[suit]
        if not cards:
            continue
        out, length = unseen[suit] ^ cards, cards.bit_count()
        if cards > out and (not others or out.bit_count() > 6):
            points = _POINTS[suit][cards.bit_length()]
            if safe is None or points > safe[0]:
                safe = points, suit, _highest(cards)
        low = cards & -cards
        if longest is None or (length, -low) > (longest[0], -longest[2]):
            longest = length, suit, low
    if best := safe or longest:
        return best[1:]
    return (_TRUMPS, _lowest_trump(trumps)) if trumps else (_EXCUSE, 1)


def _follow(
    hand: Sets, unseen: Sets, led: int, best_suit: int, best: int, *, friend: bool, last: bool
) -> tuple[int, int]:
    """Take the trick where that is for good; give points to a friend, else as few as possible."""
    suit = led if hand[led] else _TRUMPS
    cards = hand[suit]
    if not cards:
        return _throw(hand, points=friend and last)
    above = cards >> best.bit_length() << best.bit_length()
    if suit == _TRUMPS:
        if best_suit == _TRUMPS:
            cards = above or cards
        else:
            above = cards
    elif suit != best_suit:
        above = 0
    below = cards ^ above
    if friend and last and below:
        return suit, below & _PETIT if suit == _TRUMPS and below & _PETIT else _highest(below)
    if above and not friend:
        if suit == _TRUMPS:
            return suit, _PETIT if last and above & _PETIT else _lowest_trump(above)
        if last or above > unseen[suit] ^ hand[suit]:
            return suit, _highest(above)
    card = _lowest_trump(cards) if suit == _TRUMPS else cards & -cards
    if hand[_EXCUSE] and _POINTS[suit][card.bit_length()] > 1:
        return _EXCUSE, 1
    return suit, card


def _throw(hand: Sets, *, points: bool) -> tuple[int, int]:
    """A card of a hand that can neither follow nor trump: the one that counts most, or least."""
    thrown: tuple[int, int, int] | None = None
    for suit in range(_TRUMPS):
        if cards := hand[suit]:
            card = _highest(cards) if points else cards & -cards
            place = card.bit_length()
            cost = 100 * _POINTS[suit][place] + place
            if thrown is None or (cost > thrown[0] if points else cost < thrown[0]):
                thrown = cost, suit, card
    if thrown is None or (hand[_EXCUSE] and not points and thrown[0] >= 200):
        return _EXCUSE, 1
    return thrown[1:]


def _lowest_trump(trumps: int) -> int:
    """The lowest trump that is no bout, where there is one; else the 21."""
    plain = trumps & ~_BOUTS[_TRUMPS] or trumps & ~_PETIT or trumps
    return plain & -plain

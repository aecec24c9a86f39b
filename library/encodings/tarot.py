"""French tarot as numbers: the actions, and an observation from the words of a question.

Seats are counted from the observer: 0 is the observer itself, 1 plays after it. Cards are numbered
1C, 2C ... KC, 1D ... KS, A1 ... A21, EX, from 0 to 77. Nothing is imported, so a bot can take this
file along.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

CARDS = (
    *(rank + suit for suit in "CDHS" for rank in "123456789TJNQK"),
    *(f"A{number}" for number in range(1, 22)),
    "EX",
)
TRUMPS, EXCUSE = 56, 77
"""The numbers of the lowest trump and of the Excuse."""

BIDS = ("pass", "petite", "garde", "sans", "contre")

ACTIONS = (
    *CARDS,
    *BIDS,
    *(bid + "!" for bid in BIDS),
    *(f"show {size}" for size in (10, 13, 15, 18)),
)
"""The answer that each action stands for, or the part of one.

A discard is its six cards in ascending order. A first card with a poignée is `show 13`, the cards
that are shown in ascending order, and the card that is played.
"""

LAYOUT = (
    ("phase", 3, "1 for the phase: bid, discard, play"),
    ("hand", 78, "1 for each card in the observer's hand"),
    ("played", 234, "for each seat 78 numbers: 1 for each card that it has played"),
    ("when", 78, "for each card the trick in which it was played, from 1; 0 for none"),
    ("trick", 78, "1 for each card of the trick that is being played"),
    ("dog", 78, "1 for each card of the dog, if the observer has seen it"),
    ("discard", 78, "1 for each card that the taker has put away, as far as the observer knows"),
    ("shown", 66, "for each seat 22 numbers, from A1 to EX: 1 for each card of its poignée"),
    ("picked", 78, "1 for each card picked so far for the observer's discard or poignée"),
    ("size", 1, "how many cards the poignée has that the observer is picking; 0 for none"),
    ("laid", 3, "1 for the number of cards in the trick, from 0 to 2"),
    ("dealer", 3, "1 for the dealer"),
    ("bids", 3, "for each seat its bid: 1 pass, 2 petite, 3 garde, 4 sans, 5 contre; 0 for none"),
    ("chelem", 3, "1 for each seat that announced the chelem with its bid"),
    ("taker", 3, "1 for the taker"),
    ("contract", 4, "1 for the taker's bid: petite, garde, sans, contre"),
    ("took", 3, "for each seat the tricks that it has taken"),
    ("points", 3, "for each seat the points in these without the Excuse, rounded down"),
    ("scores", 3, "for each seat its score in tens, rounded down"),
    ("deals", 2, "the deal's number, and how many follow it"),
)
"""The parts of an observation in turn: name, length, meaning. Numbers are cut at -127 and 127."""


def parts(answer: str) -> tuple[str, ...]:
    """The actions, as texts of `ACTIONS`, that make up an answer."""
    card, show, poignee = answer.partition(" show ")
    if not show:
        return tuple(answer.split(","))
    shown = poignee.split(",")
    return (f"show {len(shown)}", *shown, card)


def sides(words: Sequence[str], phase: Any) -> Sequence[Sequence[int]]:  # noqa: ARG001
    """The seats of the taker and of the defenders once a trick has been played, else nothing."""
    if words[1] != "play" or words[12] == "-":
        return ()
    taker = int(words[7])
    return (taker,), tuple(seat for seat in range(3) if seat != taker)


def observation(words: Sequence[str], begun: Sequence[str] = ()) -> list[int]:
    """The numbers of `LAYOUT` for a question's words.

    `begun` are the actions that the observer has taken of an answer that is not complete.
    """
    phase, seat, bids = words[1], int(words[3]), words[6].split(",")
    taker, contract = words[7], words[8].strip("!")
    played, when, trick, shown = [0] * 234, [0] * 78, [0] * 78, [0] * 66
    took, half_points = [0] * 3, [0] * 3
    tricks = [] if words[12] == "-" else words[12].split("/")
    under_way = [] if words[13] == "-" else [words[13]]
    laid = 0
    for number, text in enumerate([*tricks, *under_way], start=1):
        leader, _, names = text.partition(":")
        turn = (int(leader) - seat) % 3
        cards = numbers_of(names)
        for place, card in enumerate(cards):
            played[78 * ((turn + place) % 3) + card] = 1
            when[card] = number
        if number > len(tricks):
            laid = len(cards)
            trick = planes(cards)
        else:
            winner = (turn + winning_place(cards)) % 3
            took[winner] += 1
            half_points[winner] += sum(map(half_points_of, cards))
    for text in words[11].split("/") if words[11] != "-" else []:
        who, _, names = text.partition(":")
        for card in numbers_of(names):
            shown[22 * ((int(who) - seat) % 3) + card - TRUMPS] = 1
    seats = [(seat + turn) % 3 for turn in range(3)]
    scores, (number, deals) = words[14].split(","), map(int, words[15].split("/"))
    size = int(begun[0][5:]) if begun and begun[0].startswith("show") else 0
    return [
        *(int(phase == name) for name in ("bid", "discard", "play")),
        *planes(numbers_of(words[5])),
        *played,
        *when,
        *trick,
        *planes(numbers_of(words[9])),
        *planes(numbers_of(words[10])),
        *shown,
        *planes([CARDS.index(name) for name in begun[int(size > 0) :]]),
        size,
        *(int(laid == count) for count in range(3)),
        *(int(str(other) == words[4]) for other in seats),
        *(BIDS.index(bids[other].strip("!")) + 1 if bids[other] != "-" else 0 for other in seats),
        *(int("!" in bids[other]) for other in seats),
        *(int(str(other) == taker) for other in seats),
        *(int(contract == bid) for bid in BIDS[1:]),
        *took,
        *(half // 2 for half in half_points),
        *(in_tens(int(scores[other])) for other in seats),
        min(number, 127),
        min(deals - number, 127),
    ]


def numbers_of(names: str) -> list[int]:
    """The numbers of cards that are joined by commas."""
    return [] if names == "-" else [CARDS.index(name) for name in names.split(",")]


def planes(cards: Sequence[int]) -> list[int]:
    """For each card of the pack 1 if it is among these."""
    return [int(card in cards) for card in range(len(CARDS))]


def winning_place(cards: Sequence[int]) -> int:
    """The index of the card that takes a trick; the Excuse never does."""
    led = cards[1] if cards[0] == EXCUSE else cards[0]
    follows = [card != EXCUSE and (card >= TRUMPS or card // 14 == led // 14) for card in cards]
    heights = [card if can_win else -1 for card, can_win in zip(cards, follows, strict=True)]
    return heights.index(max(heights))


def half_points_of(card: int) -> int:
    """What a card counts in half points, the Excuse nothing."""
    if card >= TRUMPS:
        return {TRUMPS: 9, EXCUSE - 1: 9, EXCUSE: 0}.get(card, 1)
    return {10: 3, 11: 5, 12: 7, 13: 9}.get(card % 14, 1)


def in_tens(score: int) -> int:
    """A score in tens, rounded down, from -127 to 127."""
    return max(-127, min(127, score // 10))

"""Blackjack as numbers: the actions, and an observation from the words of a prefixed question.

Ranks are numbered 2 to 9, then 10 for T, J 11, Q 12, K 13, A 14; suits play no part. A question
tells nothing of the other seats but their cards, and of the observer's own answers in a hand only
the cards and the stake that came of them. Nothing is imported, so a bot can take this file along.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

RANKS = "23456789TJQKA"

PACKS = 2
"""How many of the last packs may have cards that a seat has not seen: a hand can go over two."""

ACTIONS = ("H", "S", "D", "B low", "B quarter", "B half", "B all")
"""The answer that each action stands for: a hit, a stand, a double, a few of the raises."""

LAYOUT = (
    ("seat", 4, "1 for the observer's seat at the table"),
    ("double", 1, "1 if the observer is to act and may double"),
    ("score", 1, "the score of the observer's hand, 0 for a bust"),
    ("soft", 1, "1 if an ace of the hand counts 11"),
    ("hand", 16, "the ranks of the observer's cards as they came, then 0"),
    ("open", 13, "1 for the rank named before the hidden card: the dealer's, if it is named first"),
    ("dealt", 40, "the ranks named after the hidden card as they are named, then 0"),
    ("seen", 13, "for each rank the number of all visible cards"),
    ("stake", 5, "the stake, in digits of base 100 from the lowest"),
    ("chips", 5, "the chips that are left, likewise; all digits are negative if they are"),
)
"""The parts of an observation in turn: name, length, meaning. Numbers are cut at -127 and 127."""


def parts(answer: str) -> tuple[str, ...]:
    """The actions, as texts of `ACTIONS`, that make up an answer."""
    return (answer,)


def offered(low: int, high: int) -> Mapping[str, int]:
    """The raises that are actions, each with its chips, if those from `low` to `high` are legal."""
    raises: dict[str, int] = {}
    for name, chips in zip(ACTIONS[3:], (low, high // 4, high // 2, high), strict=True):
        if chips >= low and chips not in raises.values():
            raises[name] = chips
    return raises


def observation(words: Sequence[str], begun: Sequence[str] = ()) -> list[int]:  # noqa: ARG001
    """The numbers of `LAYOUT` for a question's words."""
    _, _, legal, seat, score, hand, visible, stake, chips = words
    own = ranks(hand.strip("-"))
    before, _, after = visible.partition("#")
    total = sum({14: 1}.get(rank, min(rank, 10)) for rank in own)
    seen = ranks(before + after)
    return [
        *(int(seat == str(number)) for number in range(4)),
        int("D" in legal.split(",")),
        int(score),
        int(int(score) > total),
        *padded(own, 16),
        *(int(before[-1:].upper() == rank) for rank in RANKS),
        *padded(ranks(after), 40),
        *(min(seen.count(rank), 127) for rank in range(2, 15)),
        *digits(int(stake)),
        *digits(int(chips)),
    ]


def ranks(letters: str) -> list[int]:
    """The numbers of ranks."""
    return [RANKS.index(letter) + 2 for letter in letters.upper()]


def padded(numbers: Sequence[int], length: int) -> list[int]:
    """The numbers, and zeros up to a length."""
    return [*numbers, *[0] * (length - len(numbers))]


def digits(number: int) -> list[int]:
    """Five digits of base 100, the lowest first, each with the number's sign."""
    rest, sign = min(abs(number), 100**5 - 1), -1 if number < 0 else 1
    return [sign * (rest // 100**place % 100) for place in range(5)]

"""Spades as numbers: the actions, and an observation from the words of a question.

Seats are counted from the observer: 0 is the observer itself, 2 its partner. Cards are numbered
2C, 3C ... AC, 2D ... AS, from 0 to 51. Nothing is imported, so a bot can take this file along.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

CARDS = tuple(rank + suit for suit in "CDHS" for rank in "23456789TJQKA")

ACTIONS = (*CARDS, *map(str, range(14)), "-", "BN")
"""The answer that each action stands for: a card, a bid, a look at the cards, a blind nil."""

LAYOUT = (
    ("phase", 4, "1 for the phase: blind, bid, pass, play"),
    ("hand", 52, "1 for each card in the observer's hand"),
    ("played", 208, "for each seat 52 numbers: 1 for each card that it has played"),
    ("when", 52, "for each card the trick in which it was played, from 1; 0 for none"),
    ("trick", 52, "1 for each card of the trick that is being played"),
    ("passed", 52, "1 for each card that the observer gave its partner, 2 for each that it got"),
    ("laid", 4, "1 for the number of cards in the trick, from 0 to 3"),
    ("dealer", 4, "1 for the dealer"),
    ("bids", 4, "for each seat its bid and one more; 0 for none yet"),
    ("blind", 4, "1 for each seat that bid blind nil"),
    ("took", 4, "for each seat the tricks that it has taken"),
    ("scores", 2, "the scores in tens, rounded down, of the observer's side and the other one"),
    ("bags", 2, "the bags of both sides"),
    ("missing", 2, "what both sides' scores lack to the goal, in tens, rounded down"),
)
"""The parts of an observation in turn: name, length, meaning. Numbers are cut at -127 and 127."""


def parts(answer: str) -> tuple[str, ...]:
    """The actions, as texts of `ACTIONS`, that make up an answer."""
    return (answer,)


def sides(words: Sequence[str], phase: Any) -> Sequence[Sequence[int]]:  # noqa: ARG001
    """The seats of both sides where the rest of the deal can be solved, else nothing."""
    return ((0, 2), (1, 3)) if words[1] == "play" else ()


def observation(words: Sequence[str], begun: Sequence[str] = ()) -> list[int]:  # noqa: ARG001
    """The numbers of `LAYOUT` for a question's words."""
    phase, seat, dealer = words[1], int(words[3]), int(words[4])
    hand, bids, took = words[5].split(","), words[6].split(","), words[9].split(",")
    played, when, trick, passed = [0] * 208, [0] * 52, [0] * 52, [0] * 52
    tricks = [] if words[7] == "-" else words[7].split("/")
    laid = [] if words[8] == "-" else words[8].partition(":")[2].split(",")
    for number, text in enumerate([*tricks, words[8]] if laid else tricks, start=1):
        leader, _, cards = text.partition(":")
        for turn, name in enumerate(cards.split(",")):
            card = CARDS.index(name)
            played[52 * ((int(leader) + turn - seat) % 4) + card] = 1
            when[card] = number
            trick[card] = int(number > len(tricks))
    exchanged = next((word for word in words[14:] if word.count("/") == 1), "-/-")
    for value, names in enumerate(exchanged.split("/"), start=1):
        for name in names.split(","):
            if name != "-":
                passed[CARDS.index(name)] += value
    seats = [(seat + turn) % 4 for turn in range(4)]
    sides = [int(words[10].split(",")[(seat + turn) % 2]) for turn in range(2)]
    bags = [int(words[11].split(",")[(seat + turn) % 2]) for turn in range(2)]
    return [
        *(int(phase == name) for name in ("blind", "bid", "pass", "play")),
        *(int(card in hand) for card in CARDS),
        *played,
        *when,
        *trick,
        *passed,
        *(int(len(laid) == count) for count in range(4)),
        *(int(other == dealer) for other in seats),
        *(
            {"-": 0, "B": 1}.get(bids[other]) or int(bids[other].strip("-") or -1) + 1
            for other in seats
        ),
        *(int(bids[other] == "B") for other in seats),
        *(int(took[other]) for other in seats),
        *map(in_tens, sides),
        *bags,
        *(in_tens(int(words[12]) - score) for score in sides),
    ]


def in_tens(score: int) -> int:
    """A score in tens, rounded down, from -127 to 127."""
    return max(-127, min(127, score // 10))

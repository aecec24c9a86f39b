"""Blot as numbers: the actions, and an observation from the words of a question.

Seats are counted from the observer: 0 is the observer itself, 2 its partner. Cards are numbered
7C, 8C ... AC, 7D ... AS, from 0 to 31. Nothing is imported, so a bot can take this file along.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

CARDS = tuple(rank + suit for suit in "CDHS" for rank in "789TJQKA")
STRAINS = tuple(strain + capot for capot in ("", "c") for strain in "CDHSN")
LEVELS = range(8, 81)
CLASSES = "TFH4"
GROUPS = ("+T", "+F", "+H", "+4", "+TT", "+FT", "+FF", "+HT", "+4T", "+4F", "+44")

ACTIONS = (*CARDS, "P", "X", "XX", *STRAINS, *map(str, LEVELS), *GROUPS)
"""What answers are made of: a card or a call; a strain, and then the level of the bid; classes that
are announced, and then the card."""

PENALTIES = ("revoke",)
"""What is played for a seat that gives no legal answer, as an action beyond the others."""

LAYOUT = (
    ("phase", 2, "1 for the phase: bid, play"),
    ("hand", 32, "1 for each card in the observer's hand"),
    ("played", 128, "for each seat 32 numbers: 1 for each card that it has played"),
    ("when", 32, "for each card the trick in which it was played, from 1; 0 for none"),
    ("trick", 32, "1 for each card of the trick that is being played"),
    ("laid", 4, "1 for the number of cards in the trick, from 0 to 3"),
    ("dealer", 4, "1 for the dealer"),
    ("bidders", 73, "for each level, from 8 on, the seat that bid it and one more; 0 for none"),
    ("strains", 73, "and the bid's strain: 1 to 5 for C, D, H, S, N; 6 to 10 with capot"),
    ("passes", 2, "the passes since the last bid, or since the deal, and those after a contra"),
    ("level", 1, "the level of the standing bid; 0 for none"),
    ("strain", 5, "1 for its strain: C, D, H, S, N"),
    ("capot", 1, "1 if it promises all tricks"),
    ("bidder", 4, "1 for its seat"),
    ("doubled", 2, "1 for what was said against it: contra, recontra"),
    ("announced", 16, "for each seat how many tierces, fifties, hundreds, fours it has announced"),
    ("belote", 4, "1 for each seat that has announced a belote"),
    ("shown", 128, "for each seat 32 numbers: the class, 1 to 4, in which it has shown each card"),
    ("points", 2, "half the card points of the observer's side and the other one, rounded down"),
    ("scores", 2, "the scores of both sides in tens, rounded down"),
    ("missing", 2, "what both sides' scores lack to the target"),
    ("begun", 21, "1 for the strain or the classes with which the observer's answer has begun"),
)
"""The parts of an observation in turn: name, length, meaning. Numbers are cut at -127 and 127."""


def parts(answer: str) -> tuple[str, ...]:
    """The actions, as texts of `ACTIONS`, that make up a bid, a call, or a card with classes.

    A card alone is an action by itself; here `9C` is a bid.
    """
    card, plus, classes = answer.partition("+")
    if plus:
        return plus + classes, card
    strain = answer.lstrip("0123456789")
    level = answer.removesuffix(strain)
    return (strain, level) if level else (answer,)


def sides(words: Sequence[str], phase: Any) -> Sequence[Sequence[int]]:
    """The seats of both sides where the rest of the deal can be solved, else nothing."""
    if words[1] != "play" or (phase.sheet.options.declare == "bot" and not phase.history):
        return ()  # a card may come with an announcement
    return (0, 2), (1, 3)


def observation(words: Sequence[str], begun: Sequence[str] = ()) -> list[int]:
    """The numbers of `LAYOUT` for a question's words.

    `begun` are the actions of the observer's answer as long as it is not complete.
    """
    phase, seat, dealer, hand = words[1], int(words[3]), int(words[4]), words[5].split(",")
    played, when, trick = [0] * 128, [0] * 32, [0] * 32
    tricks = [] if words[9] == "-" else words[9].split("/")
    laid = [] if words[10] == "-" else words[10].partition(":")[2].split(",")
    for number, text in enumerate([*tricks, words[10]] if laid else tricks, start=1):
        leader, _, cards = text.partition(":")
        for turn, name in enumerate(cards.split(",")):
            card = CARDS.index(name)
            played[32 * ((int(leader) + turn - seat) % 4) + card] = 1
            when[card] = number
            trick[card] = int(number > len(tricks))
    bidders, strains, passes, doubled = [0] * 73, [0] * 73, [0, 0], 0
    for turn, call in enumerate([] if words[6] == "-" else words[6].split(","), start=dealer + 1):
        if call == "P":
            passes[doubled] += 1
        elif call in ("X", "XX"):
            doubled = 1
        else:
            strain, level = parts(call)
            bidders[int(level) - 8] = (turn - seat) % 4 + 1
            strains[int(level) - 8] = STRAINS.index(strain) + 1
            passes[0] = 0
    bid, _, bidder = words[7].partition("@")
    strain, level = parts(bid.rstrip("x")) if bidder else ("-", "0")
    announced, belote, shown = [0] * 16, [0] * 4, [0] * 128
    for said in [] if words[8] == "-" else words[8].split("/"):
        by, kind, *names = said.replace(",", ":").split(":")
        turn = (int(by) - seat) % 4
        if kind == "B":
            belote[turn] = 1
        else:
            announced[4 * turn + CLASSES.index(kind)] += 1
            for name in names:
                shown[32 * turn + CARDS.index(name)] = CLASSES.index(kind) + 1
    points, scores = (
        [int(words[place].split(",")[(seat + turn) % 2]) for turn in range(2)] for place in (11, 12)
    )
    seats = [(seat + turn) % 4 for turn in range(4)]
    return [
        *(int(phase == name) for name in ("bid", "play")),
        *(int(card in hand) for card in CARDS),
        *played,
        *when,
        *trick,
        *(int(len(laid) == count) for count in range(4)),
        *(int(other == dealer) for other in seats),
        *bidders,
        *strains,
        *passes,
        int(level),
        *(int(strain[0] == name) for name in "CDHSN"),
        int(strain.endswith("c")),
        *(int(str(other) == bidder) for other in seats),
        *(int(bid.endswith(x) and not bid.endswith("x" + x)) for x in ("x", "xx")),
        *announced,
        *belote,
        *shown,
        *(count // 2 for count in points),
        *(cut(score // 10) for score in scores),
        *(cut(int(words[13]) - score) for score in scores),
        *(int(text in begun) for text in (*STRAINS, *GROUPS)),
    ]


def cut(number: int) -> int:
    """The number, from -127 to 127."""
    return max(-127, min(127, number))

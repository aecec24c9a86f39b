"""Durak as numbers: the actions, and an observation from the words of a question.

Seats are counted from the observer, clockwise: 0 is the observer itself. Cards are numbered 2C,
3C ... AC, 2D ... AS, from 0 to 51, in smaller packs too. Nothing is imported, so a bot can take
this file along.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

CARDS = tuple(rank + suit for suit in "CDHS" for rank in "23456789TJQKA")
SUITS = ("CD", "CH", "CS", "DH", "DS", "HS", "CDH", "CDS", "CHS", "DHS", "CDHS")
TOGETHER = tuple(
    "+".join(rank + suit for suit in suits) for rank in "23456789TJQKA" for suits in SUITS
)

ACTIONS = (
    *CARDS,
    *TOGETHER,
    *(f"pass {card}" for card in CARDS),
    *(f"show {card}" for card in CARDS),
    "take",
    "done",
)
"""The answer that each action stands for: a card, several of a rank, a transfer, a word."""

LAYOUT = (
    ("phase", 4, "1 for the phase: attack, defend, throw, give"),
    ("held", 312, "for each of 6 seats 52 numbers: 1 for each card that it is known to hold"),
    ("discarded", 52, "1 for each card that has left the game"),
    ("attacks", 52, "for each attack card on the table its place, from 1; 0 for other cards"),
    ("defences", 52, "for each card that beats one, the place of that attack card"),
    ("together", 6, "for each attack card in turn 1 if it was laid together with the one before"),
    ("done", 30, "for 1 to 5 attack cards 6 numbers each: 1 for each seat that said `done` then"),
    ("taken", 1, "how many attack cards there were when the defender took; 0 if he did not"),
    ("shown", 1, "1 if the attack was passed on by showing a trump"),
    ("laid_by", 52, "for each card the seat that laid it last and one more; 0 for none"),
    ("when", 52, "for each card how many bouts ago it was laid last, 1 for this one; 0 for never"),
    ("trump", 52, "1 for the card that shows trumps: it is drawn last"),
    ("trumps", 4, "1 for the suit of trumps: C, D, H, S"),
    ("seats", 6, "1 for each seat at the table"),
    ("sizes", 6, "for each seat the number of its cards"),
    ("attacker", 6, "1 for the attacker"),
    ("defender", 6, "1 for the defender"),
    ("left", 1, "how many attack cards can still be laid"),
    ("talon", 1, "the cards in the talon"),
    ("bout", 1, "the number of the bout, from 1"),
)
"""The parts of an observation in turn: name, length, meaning. Numbers are cut at -127 and 127."""


Play = tuple[int, str, list[int]]
"""The seat of a play, its word (`lay` for a card alone) and its cards."""


def parts(answer: str) -> tuple[str, ...]:
    """The actions, as texts of `ACTIONS`, that make up an answer."""
    return (answer,)


def sides(words: Sequence[str], phase: Any) -> Sequence[Sequence[int]]:
    """The seats of both sides once the talon is empty and only two are left, else nothing.

    Nothing either where these could pass attacks on to each other: positions would come again.
    """
    bout, options = phase.bout, phase.bout.options
    seats = range(len(bout.out))
    sides = ((0, 2), (1, 3)) if options.partners else [(seat,) for seat in seats]
    left = [side for side in sides if not all(bout.out[seat] for seat in side)]
    again = options.transfer != "never" and (options.transfer_back or options.partners)
    if words[6] != "0" or len(left) != 2 or again:
        return ()
    return [[seat for seat in side if not bout.out[seat]] for side in left]


def observation(words: Sequence[str], begun: Sequence[str] = ()) -> list[int]:  # noqa: ARG001
    """The numbers of `LAYOUT` for a question's words."""
    phase, seat, trump, talon = words[1], int(words[3]), words[5][2:], int(words[6])
    hand, sizes = words[4].split(","), [int(size) for size in words[7].split(",")]
    seats = [*range(seat, len(sizes)), *range(seat)]
    turns = [seats.index(other) for other in range(len(sizes))]
    attacks, defences = [0] * 52, [0] * 52
    for place, pair in enumerate([] if words[8] == "-" else words[8].split(","), start=1):
        for plane, name in zip((attacks, defences), pair.split("-"), strict=True):
            if name:
                plane[CARDS.index(name)] = place
    bouts = [[*plays(bout, turns)] for bout in words[12].split("/") if bout != "-"]
    if phase == "attack":
        bouts.append([])
    laid_by, when, holders, discarded = known(bouts)
    on_table = sum(map(bool, (*attacks, *defences)))
    cards = talon + sum(sizes) + on_table + sum(discarded)
    if cards == 6 * len(sizes) and not when[CARDS.index(trump)]:
        holders[CARDS.index(trump)] = turns[-1]  # the last card of the deal
    return [
        *(int(phase == name) for name in ("attack", "defend", "throw", "give")),
        *(int(card in hand) for card in CARDS),
        *(int(holders.get(card) == turn) for turn in range(1, 6) for card in range(52)),
        *discarded,
        *attacks,
        *defences,
        *this_bout(bouts[-1], defences),
        *laid_by,
        *when,
        *(int(card == trump) for card in CARDS),
        *(int(trump[1] == suit) for suit in "CDHS"),
        *by_seat([1] * len(sizes)),
        *by_seat([sizes[other] for other in seats]),
        *by_seat([int(other == int(words[9])) for other in seats]),
        *by_seat([int(other == int(words[10])) for other in seats]),
        int(words[11]),
        talon,
        min(len(bouts), 127),
    ]


def plays(bout: str, turns: Sequence[int]) -> Iterator[Play]:
    """The plays of a bout that is written as in a question; `turns` has the turn of each seat."""
    for play in bout.split(","):
        by, *said = play.split(":")
        word = said[0] if said[1:] or said[0] in ("take", "done") else "lay"
        cards = [CARDS.index(name) for name in said[-1].split("+") if name != word]
        yield turns[int(by)], word, cards


def known(
    bouts: Sequence[Sequence[Play]],
) -> tuple[list[int], list[int], dict[int, int], list[int]]:
    """The parts `laid_by` and `when`, who is known to hold which cards, the part `discarded`."""
    laid_by, when, discarded = [0] * 52, [0] * 52, [0] * 52
    holders: dict[int, int] = {}
    for ago, bout in zip(range(len(bouts), 0, -1), bouts, strict=True):
        takers = [turn for turn, word, _ in bout if word == "take"]
        for turn, word, cards in bout:
            for card in cards:
                if word == "show":
                    holders[card] = turn
                    continue
                holders.pop(card, None)
                laid_by[card], when[card] = turn + 1, min(ago, 127)
        for card in [card for _, word, cards in bout if word != "show" for card in cards]:
            if ago > 1 and takers:
                holders[card] = takers[0]
            elif ago > 1:
                discarded[card] = 1
    return laid_by, when, holders, discarded


def this_bout(bout: Sequence[Play], defences: Sequence[int]) -> list[int]:
    """The parts `together`, `done`, `taken` and `shown`."""
    together, done, attacks, taken, shown = [0] * 6, [0] * 30, 0, 0, 0
    for turn, word, cards in bout:
        if word == "done":
            done[6 * (attacks - 1) + turn] = 1
        elif word == "take":
            taken = attacks
        elif word == "show":
            shown = 1
        elif not defences[cards[0]]:
            together[attacks : attacks + len(cards)] = [0] + [1] * (len(cards) - 1)
            attacks += len(cards)
    return [*together, *done, taken, shown]


def by_seat(numbers: Sequence[int]) -> list[int]:
    """The numbers of all seats at the table, and 0 for those that there could be."""
    return [*numbers, *[0] * (6 - len(numbers))]

"""How a seat at durak treats the others, as attacker, as defender and when throwing in.

Rules are cited from docs/rules/durak.md.
"""

from __future__ import annotations

from collections.abc import Iterator

from card_arena.tables.game import Observation
from card_arena.tables.record import Record

RANKS = "23456789TJQKA"


def observations(record: Record) -> Iterator[Observation]:
    """Every decision that spares an opponent or doesn't; none where partners play.

    Throwing nothing in although one could spares the defender, and so does an attack with a card
    below most of the hand. Taking although one could beat leaves the attacker the initiative.
    """
    if record.options.get("partners"):
        return
    for turn in record.turns:
        if not turn.question or turn.fault is not None:
            continue
        words = turn.question.split()
        phase, legal, hand = words[1], words[2].split(","), words[4].split(",")
        trump, talon, sizes = words[5][0], int(words[6]), words[7].split(",")
        attacker, defender = int(words[9]), int(words[10])
        cards = [word for word in legal if len(word) == 2]
        if not cards or len({*legal}) < 2:
            continue
        stage = f"{phase} {_few(talon, 1, 12)} of {sum(size != '0' for size in sizes)}"
        cheap = _few(min(_height(card, trump) for card in cards), 5, 9, 13)
        if phase in ("throw", "give"):
            role = "first" if turn.seat == attacker else "other"
            about = f"{stage} {role} {cheap} {_few(int(sizes[defender]), 2, 4, 7)}"
            yield Observation(turn.seat, defender, about, float(turn.action == "done"))
        elif phase == "attack" and turn.action in cards:
            rank = sum(_height(card, trump) > _height(turn.action, trump) for card in cards)
            about = f"{stage} {_few(len(hand), 3, 6, 7)} {_few(int(sizes[defender]), 2, 4, 7)}"
            yield Observation(
                turn.seat, defender, about, rank / (len(cards) - 1) if cards[1:] else 0
            )
        elif phase == "defend":
            laid = words[8].split(",")
            about = f"{stage} {cheap} {min(len(laid), 3)} {_few(len(hand), 3, 6, 7)}"
            yield Observation(turn.seat, attacker, about, float(turn.action == "take"))


def _height(card: str, trump: str) -> int:
    return RANKS.index(card[0]) + (13 if card[1] == trump else 0)


def _few(number: int, *steps: int) -> int:
    """The number of steps that a number has reached."""
    return sum(number >= step for step in steps)

"""How a seat at tarot treats the others: what it plays on a trick that another one is winning.

Rules are cited from docs/rules/tarot.md.
"""

from __future__ import annotations

from collections.abc import Iterator

from card_arena.tables.game import Observation, Seat
from card_arena.tables.record import Record
from card_arena.tables.tarot.rules import card_named, winning_place

_WORTH = {"K": 4.5, "Q": 3.5, "N": 2.5, "J": 1.5}
_BOUTS = {"A1": 4.5, "A21": 4.5, "EX": 4.5}
_MOST = 4.5


def observations(record: Record) -> Iterator[Observation]:
    """Every card by which a seat could give the trick's winner more or less, or take the trick.

    The value is the points that the card leaves with whoever was winning, as a share of the largest
    card, and nothing if it beats that seat. What the actor could do is part of the stratum: whether
    it can win, how little and how much it can give, and whether the three are taker and defenders.
    """
    for turn in record.turns:
        if not turn.question or turn.fault is not None:
            continue
        words = turn.question.split()
        if words[1] != "play" or words[13] == "-":
            continue
        legal = words[2].split(",")
        played = turn.action.split()[0]
        if len(legal) < 2 or played not in legal:
            continue
        if words[13].endswith(":EX"):
            continue  # nobody is winning yet
        target, cards = winning_seat(words[13])
        left = {card: left_with(cards, card) for card in legal}
        taker = int(words[7])
        role = "taker" if turn.seat == taker else "against" if target == taker else "beside"
        wins = sum(value is None for value in left.values())
        gifts = [value for value in left.values() if value is not None]
        least, most = (min(gifts), max(gifts)) if gifts else (0.0, 0.0)
        if not gifts or (least == most and not wins):
            continue
        about = f"{role} {len(cards)} {min(wins, 1)} {least:g} {most:g} {_few(words[12])}"
        gift = left[played]
        yield Observation(turn.seat, target, about, 0.0 if gift is None else gift / _MOST)


def winning_seat(trick: str) -> tuple[Seat, list[str]]:
    """The seat that is winning a trick such as `1:KS,2S`, and the cards in it."""
    leader, _, laid = trick.partition(":")
    cards = laid.split(",")
    return (int(leader) + _winner(cards)) % 3, cards


def _winner(cards: list[str]) -> int:
    return winning_place(tuple(card for name in cards if (card := card_named(name)) is not None))


def left_with(cards: list[str], card: str) -> float | None:
    """The points that this card gives to the winner so far; None if it takes the trick."""
    if _winner([*cards, card]) == len(cards):
        return None
    return _BOUTS.get(card, _WORTH.get(card[0] if card[0] != "A" else "", 0.5))


def _few(history: str) -> int:
    """Whether the deal is in its first, second or last third."""
    return 0 if history == "-" else min((history.count("/") + 1) // 8, 2)

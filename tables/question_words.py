"""The words of a record's questions: they follow from the rules, so a record can do without them.

A record that was stripped of them is filled again by the same version of the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from card_arena.tables.encoding import asked_words
from card_arena.tables.game import CHANCE, Game, IllegalAction, MalformedAnswer, Phase, Terminal
from card_arena.tables.record import Record
from card_arena.tables.registry import GAMES


class WordsLost(ValueError):
    """The words of a record's questions can't be told again; the message says why."""


def stripped(data: Mapping[str, Any]) -> dict[str, Any] | None:
    """A record's plain data without the words of its questions.

    None if the rules as they are now would not give the same words back.
    """
    try:
        if [*_asked(data)] != data["turns"]["question"]:
            return None
    except WordsLost:
        return None
    return {**data, "turns": {**data["turns"], "question": None}}


def filled(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """A record's plain data with the words of its questions, whether it was stripped or not.

    Raises `WordsLost`.
    """
    turns = data["turns"]
    if not isinstance(turns, Mapping) or turns["question"] is not None:
        return data  # of another format, or whole
    return {**data, "turns": {**turns, "question": [*_asked(data)]}}


def _asked(data: Mapping[str, Any]) -> Iterator[str]:
    """The words of each turn's question; empty for the dealer and for a seat that is out."""
    turns = data["turns"]
    blank = {**turns, "question": [""] * len(turns["seat"])}
    record = Record.from_data({**data, "turns": blank})
    game = GAMES.get(record.game)
    if game is None or game.version != record.version:
        there = "no such game" if game is None else f"version {game.version}"
        raise WordsLost(
            f"only version {record.version} of the rules of {record.game} can tell them again, and"
            f" here is {there}"
        )
    try:
        yield from _by_rules(game, record)
    except (MalformedAnswer, IllegalAction, TypeError, LookupError, AttributeError) as error:
        raise WordsLost(f"its turns can't be played: {error}") from error


def _by_rules(game: Game, record: Record) -> Iterator[str]:
    options = game.options(**record.options)
    phase: Phase | Terminal = game.resume(options, record.seats, record.purses, record.shoe)
    last_strikes = record.last_strikes
    for number, turn in enumerate(record.turns):
        if isinstance(phase, Terminal) or phase.to_act != turn.seat:
            raise WordsLost(f"turn {number} belongs to seat {turn.seat}, out of turn")
        out = turn.seat == CHANCE or number > last_strikes.get(turn.seat, number)
        yield "" if out else " ".join(asked_words(game, phase, turn.seat, record.prefixed))
        phase, _ = phase.apply(phase.read(turn.action))

"""Questions to words: the one encoder for both protocols and for the manual.

A question is a dataclass; every field is one of its words, in order of declaration, and documents
its meaning. It lives only while it is being asked, and is not frozen: freezing would cost more than
encoding. Later versions of a question only append fields.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import Field, field, fields
from functools import lru_cache
from operator import attrgetter
from typing import Any

from card_arena.tables.game import Game, Notice, Phase, Question, Seat

Words = tuple[str, ...]


def word(kind: str, means: str, example: str) -> Any:
    """Declare a question's field: its type in plain words, its meaning, and an example.

    The examples of a question come from one moment of a game, since people compare them.
    """
    return field(metadata={"kind": kind, "means": means, "example": example})


def fact(means: str, example: str) -> Any:
    """Declare a field of notices: its meaning, and an example."""
    return field(metadata={"means": means, "example": example})


@lru_cache
def word_fields(said: type[Question] | type[Notice]) -> tuple[Field[Any], ...]:
    """The fields of a question or of notices, in the order of their words."""
    return fields(said)


@lru_cache
def _values(question: type[Question]) -> attrgetter[Any]:
    return attrgetter(*(item.name for item in word_fields(question)))


def words(question: Question) -> Words:
    """Turn a question into its words; an empty text is `-`.

    A field that is None has no word; only the last fields can be None, on tables without them.
    """
    values = _values(type(question))(question)
    return tuple([str(value) or "-" for value in values if value is not None])


def asked_words(game: Game, phase: Phase, seat: Seat, prefixed: Collection[Seat]) -> Words:
    """The words of the question for a seat; for those that are `prefixed`, with the prefix."""
    return words(game.prefixed_question(phase, seat) if seat in prefixed else phase.question(seat))


def plain(line: str) -> str:
    """A bot's line in capital letters, without surrounding blanks.

    A line that isn't ASCII becomes empty, because a long s (ſ) would become an S.
    """
    return line.strip(" \t").upper() if line.isascii() else ""


def specimen(notice: type[Notice]) -> Notice:
    """Make an example of this kind of notice."""
    return notice(**{item.name: item.metadata["example"] for item in word_fields(notice)})

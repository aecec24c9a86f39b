"""Matches in a terminal, for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from leaderboard.matches import GameDetail, MatchDetail
from leaderboard.models import Shape, Text


class ReplayedMatch(MatchDetail):
    """A stored match with every question and answer."""

    played: tuple[GameDetail, ...]
    """Its games, turn by turn."""


class Sat(Shape):
    """A bot in a match that is not stored."""

    name: Text
    """Its name at the table."""
    side: int
    """The side that it plays for."""
    rank: int
    """Its place, 1 the best."""
    score: int
    """Its score."""
    hands: int
    """How many hands it was dealt."""
    decisions: int
    """How many questions it was asked."""
    faults: int
    """How many of its answers were faults."""
    forgiven: int
    """How many of these the tournament forgives: they count for nothing."""
    struck_out: bool
    """Whether it was struck out."""
    slowest: int
    """Its longest answer, in microseconds."""


class Exhibition(Shape):
    """A match that was played for somebody and not stored."""

    seed: str
    """What deals the same cards again, in hexadecimal."""
    entrants: tuple[Sat, ...]
    """The bots."""
    records: tuple[Mapping[str, Any], ...]
    """The records of its games, as the file of a match has them."""

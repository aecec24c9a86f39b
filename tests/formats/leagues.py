"""Leagues after some results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from card_arena.ratings.match_results import Result
from card_arena.tests.tournament.seasons import (
    Season,
)


def after(season: Season, past: Sequence[Result]) -> Season:
    """The same season with these results of earlier ones."""
    return replace(season, field=replace(season.field, earlier=lambda: past))

"""The formats that a tournament can be played in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from card_arena.formats.base import Format
from card_arena.formats.contest import Contest
from card_arena.formats.cut import Cut
from card_arena.formats.gauntlet import Gauntlet
from card_arena.formats.knockout import Knockout
from card_arena.formats.ladder import Ladder
from card_arena.formats.league import League
from card_arena.formats.stages import Stages
from card_arena.formats.swiss import Swiss

_STAGES = {kind.name: kind for kind in (Contest(), League(), Cut(), Swiss(), Knockout())}
"""Formats that can be a stage: a ladder never ends, and in a gauntlet entrants never meet."""

FORMATS: Mapping[str, Format[Any]] = {
    **_STAGES,
    Gauntlet.name: Gauntlet(),
    Ladder.name: Ladder(),
    Stages.name: Stages(_STAGES),
}

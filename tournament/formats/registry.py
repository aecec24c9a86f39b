"""The formats that a tournament can be played in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournament.formats.base import Format
from tournament.formats.contest import Contest
from tournament.formats.cut import Cut
from tournament.formats.gauntlet import Gauntlet
from tournament.formats.knockout import Knockout
from tournament.formats.ladder import Ladder
from tournament.formats.league import League
from tournament.formats.stages import Stages
from tournament.formats.swiss import Swiss

_STAGES = {each.name: each for each in (Contest(), League(), Cut(), Swiss(), Knockout())}
"""Formats that can be a stage: a ladder never ends, and in a gauntlet entrants never meet."""

FORMATS: Mapping[str, Format[Any]] = {
    **_STAGES,
    Gauntlet.name: Gauntlet(),
    Ladder.name: Ladder(),
    Stages.name: Stages(_STAGES),
}

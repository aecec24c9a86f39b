"""The formats that a tournament can be played in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from formats.base import Format
from formats.contest import Contest
from formats.cut import Cut
from formats.gauntlet import Gauntlet
from formats.knockout import Knockout
from formats.ladder import Ladder
from formats.league import League
from formats.stages import Stages
from formats.swiss import Swiss

_STAGES = {kind.name: kind for kind in (Contest(), League(), Cut(), Swiss(), Knockout())}
"""Formats that can be a stage: a ladder never ends, and in a gauntlet entrants never meet."""

FORMATS: Mapping[str, Format[Any]] = {
    **_STAGES,
    Gauntlet.name: Gauntlet(),
    Ladder.name: Ladder(),
    Stages.name: Stages(_STAGES),
}

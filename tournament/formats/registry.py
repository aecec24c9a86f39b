"""The formats that a tournament can be played in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournament.formats.base import Format
from tournament.formats.contest import Contest
from tournament.formats.cut import Cut
from tournament.formats.knockout import Knockout
from tournament.formats.ladder import Ladder
from tournament.formats.stages import Stages
from tournament.formats.swiss import Swiss

_ENDING = {each.name: each for each in (Contest(), Cut(), Swiss(), Knockout())}
"""Formats that can be a stage among others: a ladder never ends."""

FORMATS: Mapping[str, Format[Any]] = {
    **_ENDING,
    Ladder.name: Ladder(),
    Stages.name: Stages(_ENDING),
}

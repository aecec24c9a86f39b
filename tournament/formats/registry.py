"""The formats that a tournament can be played in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournament.formats.base import Format
from tournament.formats.contest import Contest
from tournament.formats.knockout import Knockout
from tournament.formats.stages import Stages
from tournament.formats.swiss import Swiss

_SINGLE = {each.name: each for each in (Contest(), Swiss(), Knockout())}

FORMATS: Mapping[str, Format[Any]] = {**_SINGLE, Stages.name: Stages(_SINGLE)}

"""The formats that a tournament can be played in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournament.formats.base import Format
from tournament.formats.contest import Contest
from tournament.formats.gauntlet import Gauntlet
from tournament.formats.league import League

FORMATS: Mapping[str, Format[Any]] = {each.name: each for each in (Contest(), League(), Gauntlet())}

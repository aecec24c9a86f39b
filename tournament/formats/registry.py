"""The formats that a tournament can be played in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournament.formats.base import Format
from tournament.formats.contest import Contest
from tournament.formats.cut import Cut
from tournament.formats.ladder import Ladder

FORMATS: Mapping[str, Format[Any]] = {each.name: each for each in (Contest(), Cut(), Ladder())}

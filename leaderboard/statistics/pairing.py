"""Whether results decided who met whom, which intervals have to take into account."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FIXED = frozenset({"contest", "gauntlet", "league"})
"""The formats in which who meets whom is fixed, or drawn by lot, before anything is played."""


def by_results(settings: Mapping[str, Any]) -> bool:
    """Whether a season, by its frozen settings, paired bots by how they had done so far."""
    return not FIXED.issuperset(settings["format"])

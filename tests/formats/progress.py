"""The state of a season's schedule as one value, to compare and to look into."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from card_arena.formats.field import Pairing, Placing
from card_arena.formats.panels import Panel
from card_arena.formats.schedule import Schedule
from card_arena.ratings.match_results import Result


@dataclass(frozen=True)
class Progress:
    """How far a season has come."""

    ready: tuple[Pairing, ...]
    standings: tuple[Placing, ...]
    to_come: int
    at_most: bool
    panels: tuple[Panel, ...]

    @property
    def points(self) -> Mapping[int, float]:
        """The format's own score of every version that has one."""
        return {placing.version: placing.points for placing in self.standings}


def progress(schedule: Schedule, results: Iterable[Result] = ()) -> Progress:
    """Count these results; return the state after them."""
    for result in results:
        schedule.tell(result)
    return Progress(
        schedule.ready, schedule.standings, schedule.to_come, schedule.at_most, schedule.panels
    )

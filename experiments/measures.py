"""The material of a measure: an experiment's stored seasons, and the figures computed from them.

A measure is a pure function from seasons to figures and plots. It reads records and results and
knows nothing of files, published figures or pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from ratings.intervals import Estimate
from ratings.match_results import Result
from results.entries import Season
from results.store import Store
from tables.game import News
from tables.record import Record
from tables.referee import replay
from tables.registry import GAMES
from tables.seating import Seating
from tournament.settings.model import Settings, thaw

Told = TypeVar("Told", bound=News)


@dataclass(frozen=True, slots=True)
class Match:
    """A stored match: its result, the name of every entrant, and its games with their seating."""

    result: Result
    bots: tuple[str, ...]
    games: tuple[tuple[Seating, Record], ...]


class Stage:
    """A finished season of one of an experiment's tournaments."""

    def __init__(self, store: Store, season: Season) -> None:
        self.settings: Settings[Any] = thaw(season.settings)
        self._store = store
        self._season = season
        versions = store.versions([entrant.version_id for entrant in store.entrants(season.id)])
        self._names = {number: version.bot for number, version in versions.items()}
        self.bots: Sequence[str] = tuple(self._names.values())

    def results(self) -> Iterator[tuple[Result, tuple[str, ...]]]:
        """The result of every match with the names of its entrants, in key order."""
        for result in self._store.results(self._season.id):
            yield result, tuple(self._names[version] for version in result.versions)

    def matches(self) -> Iterator[Match]:
        """Every match with its records, in key order, one read at a time."""
        for result, bots in self.results():
            yield Match(result, bots, self._store.games(result.key))


def news_of(record: Record, kind: type[Told]) -> Iterator[Told]:
    """Replay a game and return its news of one kind; raises `BadRecord`."""
    for step in replay(GAMES[record.game], record):
        for news in step.news:
            if isinstance(news, kind):
                yield news


@dataclass(frozen=True, slots=True)
class Boxes:
    """A box plot: the values of each group. With `log` the axis is logarithmic from 1 on."""

    title: str
    axis: str
    groups: Mapping[str, Sequence[float]]
    log: bool = False


@dataclass(frozen=True, slots=True)
class Bars:
    """A bar chart: an estimate for each label of each series, drawn with its interval."""

    title: str
    axis: str
    series: Mapping[str, Mapping[str, Estimate]]


@dataclass(frozen=True, slots=True)
class Histogram:
    """A histogram: how often each value occurs, drawn as a share of all values.

    `edges` divide the values into bins; the last bin includes its upper edge. Without them the
    values are whole numbers, and each is a bin.
    """

    title: str
    axis: str
    seen: Mapping[float, int]
    edges: Sequence[float] = ()


Plot = Boxes | Bars | Histogram


@dataclass(frozen=True, slots=True)
class Measures:
    """A figure for each row of the table, and plots by file name."""

    rows: Mapping[str, Estimate]
    plots: Mapping[str, Plot]


Measure = Callable[[Mapping[str, Stage]], Measures]
"""Measures an experiment from its seasons, given by the names of their tournaments."""

Size = Literal["quick", "usual", "full"]
"""How long a simulation takes: seconds, minutes or hours."""

Drawn = Mapping[str, Sequence[Mapping[str, float]]]
"""What a simulation has drawn: for each cell of its table the figures of every run, in order."""

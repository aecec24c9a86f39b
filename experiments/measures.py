"""The material of a measure: an experiment's stored seasons, and the figures computed from them.

A measure is a pure function from seasons to figures and plots. It reads records and results and
knows nothing of files, published figures or pictures.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from card_arena.ratings.intervals import Cluster, Estimate, mean, rate
from card_arena.ratings.match_results import Result
from card_arena.results.entries import Season
from card_arena.results.store import Store
from card_arena.tables.game import Notice
from card_arena.tables.record import Record
from card_arena.tables.referee import replay
from card_arena.tables.registry import GAMES
from card_arena.tables.seating import Seating
from card_arena.tournament.settings import Settings, thaw

Kind = TypeVar("Kind", bound=Notice)


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


def notices_of(record: Record, kind: type[Kind]) -> Iterator[Kind]:
    """Replay a game and return its notices of one kind; raises `BadRecord`."""
    for step in replay(GAMES[record.game], record):
        for notices in step.notices:
            if isinstance(notices, kind):
                yield notices


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
"""The duration of a simulation: seconds, minutes or hours."""

Drawn = Mapping[str, Sequence[Mapping[str, float]]]
"""The runs of a simulation: for each cell of its table the figures of every run, in order."""


def measures(stages: Mapping[str, Stage], champion: str) -> Measures:
    """Measure a champion; a tournament is named by its opponent, twice at a table of three."""
    rows: dict[str, Estimate] = {}
    won: dict[str, Estimate] = {}
    for name, stage in stages.items():
        games = [_shares_and_margins(match, champion) for match in stage.matches()]
        won[name] = rate([(sum(share for share, _ in match), len(match)) for match in games])
        rows[f"{name}: games won"] = won[name]
        rows[f"{name}: margin in a game"] = mean([_margins(match) for match in games])
    return Measures(rows, {"won": Bars("The champion", "games won", {"against": won})})


def _margins(games: list[tuple[float, float]]) -> Cluster:
    return sum(margin for _, margin in games), len(games)


def _shares_and_margins(match: Match, champion: str) -> list[tuple[float, float]]:
    """Of every game the champion's share of the win, which a tie divides, and its margin.

    The margin is by how much its score is above the mean of its opponents', partners apart.
    """
    entrant = match.bots.index(champion)
    side = match.result.sides[entrant]
    games = []
    for seating, record in match.games:
        scores = record.over.scores
        own = scores[seating.index(entrant)]
        others = [
            scores[seating.index(other)]
            for other, theirs in enumerate(match.result.sides)
            if theirs != side
        ]
        best = [own, *others].count(own) if own >= max(others) else 0
        games.append((1 / best if best else 0.0, own - sum(others) / len(others)))
    return games


def duel(stage: Stage, bot: str) -> dict[str, Estimate]:
    """A bot's games won, and its points and its opponent's points a round.

    A match is a cluster, since its boards are played from both sides. Equal scores are half won.
    """
    won: list[tuple[float, int]] = []
    points: dict[str, list[tuple[float, int]]] = {"ours": [], "theirs": []}
    for games in _games(stage, bot):
        won.append((sum((a > b) + (a == b) / 2 for a, b, _ in games), len(games)))
        rounds = sum(hands for *_, hands in games)
        points["ours"].append((sum(a for a, _, _ in games), rounds))
        points["theirs"].append((sum(b for _, b, _ in games), rounds))
    return {
        "games won": rate(won),
        "points a round": mean(points["ours"]),
        "the other's points a round": mean(points["theirs"]),
    }


def duels(bots: Mapping[str, tuple[Stage, str]], title: str, series: str = "") -> Measures:
    """Measure the duels of some bots, each in its tournament: their rows, and a plot."""
    figures = {name: duel(stage, bot) for name, (stage, bot) in bots.items()}
    rows = {
        f"{name}: {what}": x for name, of_duel in figures.items() for what, x in of_duel.items()
    }
    won = {name: of_duel["games won"] for name, of_duel in figures.items()}
    return Measures(rows, {"won": Bars(title, "games won", {series: won})})


def _games(stage: Stage, bot: str) -> Iterator[list[tuple[int, int, int]]]:
    """Of every match the games: the bot's score, the other's, and the number of rounds."""
    for match in stage.matches():
        games = []
        for seating, record in match.games:
            over = record.over
            seat = seating.index(match.bots.index(bot))
            games.append((over.scores[seat], over.scores[(seat + 1) % 4], over.hands[seat]))
        yield games


def final_chips(stage: Stage) -> Mapping[str, Sequence[int]]:
    """The chips of every bot at the end of each leg, in order: zero where it can't pay."""
    game, options = GAMES[stage.settings.game], stage.settings.options
    held: dict[tuple[int, str], int] = {}
    for result, bots in stage.results():  # in key order, so the last round stays
        for bot, purse in zip(bots, result.purses, strict=True):
            held[result.leg, bot] = purse if game.can_sit(options, purse) else 0
    finals: dict[str, list[int]] = defaultdict(list)
    for (_, bot), chips in sorted(held.items()):
        finals[bot].append(chips)
    return finals

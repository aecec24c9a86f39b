"""What would be played if a season began now, and how long that takes, as far as was measured."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import fmean

from sqlalchemy import select
from sqlalchemy.orm import Session

from leaderboard.storage.models import MatchRow, SeasonRow, SeatRow, TournamentRow
from leaderboard.storage.store import Store
from leaderboard.views.of_paces import spoken
from leaderboard.views.of_plans import Candidate

LATEST = 50
"""How many of a version's latest matches say how long its games take."""


@dataclass(frozen=True, slots=True)
class Measured:
    """How long a game takes with some bots at the table.

    `seconds` is the mean over the bots of what their latest games took, `matches` counts these, and
    `bots` those that have played any. `where` is the tournament that they were in, or else the
    game.
    """

    seconds: float
    matches: int
    bots: int
    where: str


@dataclass(frozen=True, slots=True)
class DryRun:
    """A season that is not played.

    `trouble` says why it could not begin. `matches` is how many it would have, None if nobody can
    know, and only an upper bound if `at_most` is set; each has so many `games`. On so many `cores`
    it would take `time`, None where nothing like it was ever played. It is due next at `due`, which
    is None for one without a date; `start` says so in words.
    """

    tournament: str
    season: int
    game: str
    playing: tuple[Candidate, ...]
    sits_out: tuple[Candidate, ...]
    references: tuple[Candidate, ...]
    trouble: str
    matches: int | None
    at_most: bool
    games: int
    cores: int
    measured: Measured | None
    due: datetime | None
    zone: str
    start: str

    @property
    def time(self) -> timedelta | None:
        """How long it would take."""
        if self.measured is None or self.matches is None:
            return None
        games = self.matches * self.games
        at_once = max(1, min(self.cores, self.matches))
        return timedelta(seconds=games * self.measured.seconds / at_once)

    @property
    def duration(self) -> str:
        """The same in words, and what it was measured by."""
        time = self.time
        if time is None:
            return "nobody can say: nothing like it has been played here yet"
        bound = "at most " if self.at_most else "about "
        said = spoken(time)
        said = said if said.startswith("less") else bound + said
        assert self.measured is not None
        return (
            f"{said} on {self.cores} {'core' if self.cores == 1 else 'cores'}, by"
            f" {self.measured.matches} matches of {self.measured.where}"
        )


def measured(
    store: Store, tournament: str, game: str, versions: Collection[int]
) -> Measured | None:
    """How long a game of these versions takes: in this tournament, else anywhere; None if unknown.

    A bot that has not played counts as the mean of the others.
    """
    with store.database.reading() as session:
        seasons = session.execute(
            select(SeasonRow.id, SeasonRow.settings, TournamentRow.name).join(TournamentRow)
        ).all()
        here = [row.id for row in seasons if row.name == tournament]
        alike = [row.id for row in seasons if row.settings.game == game]
        for where, chosen in ((tournament, here), (f"{game} in any tournament", alike)):
            found = _games(session, versions, chosen)
            if found:
                matches = sum(len(each) for each in found.values())
                means = [
                    sum(seconds for seconds, _ in each) / sum(games for _, games in each)
                    for each in found.values()
                ]
                return Measured(fmean(means), matches, len(found), where)
    return None


def _games(
    session: Session, versions: Collection[int], seasons: Sequence[int]
) -> Mapping[int, Sequence[tuple[float, int]]]:
    """What each version's latest matches took in seconds, and their games."""
    found = {}
    for version in versions if seasons else ():
        rows = session.execute(
            select(MatchRow.seconds, MatchRow.games)
            .join(SeatRow, SeatRow.match_id == MatchRow.id)
            .where(SeatRow.version_id == version, SeatRow.season_id.in_(seasons))
            .order_by(SeatRow.match_id.desc())
            .limit(LATEST)
        ).all()
        if rows:
            found[version] = [(row.seconds, row.games) for row in rows]
    return found

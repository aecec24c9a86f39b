"""A tournament over all its seasons: one fit of all versions, and who leads whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from leaderboard.panels.cross_table import cross_table
from leaderboard.results import Result
from leaderboard.statistics.certainty import Certainty
from leaderboard.statistics.cycles import Cycle, three_cycles
from leaderboard.statistics.intervals import FEWEST, Estimate
from leaderboard.statistics.lead_fit import LeadTally
from leaderboard.statistics.pairing import by_results
from leaderboard.statistics.rank_fit import RankTally
from leaderboard.statistics.same_contest import table_changes
from leaderboard.statistics.shrinkage import shrunk
from leaderboard.storage import rating_cache
from leaderboard.storage.models import BotRow, SeasonRow, TournamentRow, VersionRow
from leaderboard.storage.store import Store
from leaderboard.views.of_seasons import SeasonFacts, season_facts


@dataclass(frozen=True, slots=True)
class Rival:
    """A version in a fit over all seasons.

    `strength` is in points a game above the mean of those it is linked with or, without leads, a
    logarithm of worth; `low` and `high` are its 95 % interval, None with too little data. With
    other cards it might have any place from `best` to `worst`. `seen` counts its boards or, without
    leads, its matches or legs; with fewer than five it is `provisional`.
    """

    version_id: int
    bot: str
    version: int
    author: str
    strength: float
    low: float | None
    high: float | None
    best: int
    worst: int
    seen: int

    @property
    def provisional(self) -> bool:
        """Whether it has played too little for an interval."""
        return self.low is None


@dataclass(frozen=True, slots=True)
class Step:
    """A bot's version beside the one before it: how much stronger it is, with the 95 % interval."""

    bot: str
    version: int
    before: int
    gain: Estimate


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Seasons that were played at another table, by their numbers, and what differed, in words."""

    seasons: tuple[int, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Versus:
    """All versions that played in a tournament's seasons at its newest season's table.

    `seasons` are these seasons, `left_out` the others; `by_results` says that one of them paired
    bots by how they had done so far. `rivals` are in order of strength, the best
    first. `tied` are runs of versions of which none is surely better than another. Where there are
    leads, `panel` is the cross table of all common boards, and `cycles` are the three-cycles that
    luck does not explain. `steps` compare each version of a bot with the one before it, where both
    have played enough.
    """

    season: SeasonFacts
    seasons: tuple[int, ...]
    left_out: tuple[LeftOut, ...]
    by_leads: bool
    by_results: bool
    rivals: tuple[Rival, ...]
    tied: tuple[tuple[int, ...], ...]
    panel: Mapping[str, Any] | None
    cycles: tuple[Cycle, ...]
    steps: tuple[Step, ...]


def versus(store: Store, tournament: str) -> Versus:
    """Fit all that a tournament has played; raises `UnknownSeason`."""
    with store.database.reading() as session:
        facts = season_facts(session, tournament, None)
        alike, left_out, results = played_alike(session, facts)
        seasons = tuple(row.number for row in alike)
        paired = any(by_results(row.settings) for row in alike)
        tally = LeadTally(results)
        chips = any(result.purses for result in results)
        ranks = RankTally(results) if chips else None
        fit: Certainty = ranks.fit() if ranks else tally.fit()
        if paired:
            fit = shrunk(fit)
        panel = None if chips or not fit.values else cross_table(tally, fit.order).to_data()
        lines = tuple(rivals(session, fit))
        return Versus(
            season=facts,
            seasons=seasons,
            left_out=left_out,
            by_leads=not chips,
            by_results=paired,
            rivals=lines,
            tied=fit.tied if _known(fit) else (),
            panel=panel,
            cycles=() if chips else three_cycles(tally.pairs()),
            steps=tuple(_steps(lines, fit)),
        )


def played_alike(
    session: Session, newest: SeasonFacts
) -> tuple[Sequence[SeasonRow], tuple[LeftOut, ...], Sequence[Result]]:
    """The seasons at the table of a tournament's newest season, the others, and all matches of the
    former.
    """
    rows = session.scalars(
        select(SeasonRow)
        .join(TournamentRow)
        .where(TournamentRow.name == newest.tournament)
        .order_by(SeasonRow.number)
    ).all()
    alike, others = [], defaultdict[str, list[int]](list)
    for row in rows:
        if changes := table_changes(row.contest, newest.contest):
            others["; ".join(map(str, changes))].append(row.number)
        else:
            alike.append(row)
    left_out = tuple(LeftOut(tuple(numbers), why) for why, numbers in others.items())
    found = [result for row in alike for result in rating_cache.results(session, row.id)]
    return alike, left_out, found


def rivals(session: Session, fit: Certainty) -> Iterator[Rival]:
    """The versions of a fit in order of strength."""
    rows = session.execute(
        select(VersionRow.id, VersionRow.number, BotRow.name, BotRow.author)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .where(VersionRow.id.in_(fit.values))
    )
    named = {row.id: row for row in rows}
    for version in fit.order:
        found = fit.estimate(version)
        best, worst = fit.places(version)
        yield Rival(
            version_id=version,
            bot=named[version].name,
            version=named[version].number,
            author=named[version].author,
            strength=fit.values[version],
            low=None if found is None else found.low,
            high=None if found is None else found.high,
            best=best,
            worst=worst,
            seen=fit.seen[version],
        )


def _steps(lines: Sequence[Rival], fit: Certainty) -> Iterator[Step]:
    """Each version of a bot beside the one before it."""
    ordered = sorted(lines, key=lambda line: (line.bot, line.version))
    for older, newer in pairwise(ordered):
        gain = fit.difference(newer.version_id, older.version_id)
        if older.bot == newer.bot and gain is not None:
            yield Step(newer.bot, newer.version, older.version, gain)


def _known(fit: Certainty) -> bool:
    """Whether enough was played to call anybody tied rather than unknown."""
    return bool(fit.seen) and min(fit.seen.values()) >= FEWEST

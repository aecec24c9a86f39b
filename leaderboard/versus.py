"""A tournament over all its seasons: one fit of all versions, and who leads whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from formats.panels import cross_table
from leaderboard.seasons import SeasonFacts, season_facts
from ratings.certainty import Certainty
from ratings.intervals import FEWEST, Estimate
from ratings.lead_errors import with_unseen
from ratings.lead_fit import MANY, LeadTally
from ratings.match_results import Result
from ratings.rank_fit import RankTally
from ratings.same_contest import table_changes
from ratings.shrinkage import shrunk
from ratings.versus import Cycle, all_games, of_leads, of_ranks, three_cycles
from results import rating_cache
from results.counts import RATED
from results.curtain import curtain_of
from results.models import BotRow, EntrantRow, LegRow, SeasonRow, TournamentRow, VersionRow
from results.store import Store


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


ENOUGH = 50_000
"""Matches that are fitted together; older seasons are left out of a tournament that has more."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Seasons that don't count, by their numbers, and why in words."""

    seasons: tuple[int, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Versus:
    """All versions that played in a tournament's seasons at its newest season's table.

    `seasons` are these seasons, `left_out` the others; `pairs_by_results` says that one of them
    paired bots by how they had done so far. `rivals` are in order of strength, the best first.
    `tied` are runs of versions of which none is surely better than another. Where there are leads,
    `panel` is the cross table of all common boards, and `cycles` are the three-cycles that luck
    does not explain. `steps` compare each version of a bot with the one before it, where both have
    played enough. With `too_many` versions nothing is fitted.
    """

    season: SeasonFacts
    seasons: tuple[int, ...]
    left_out: tuple[LeftOut, ...]
    by_leads: bool
    pairs_by_results: bool
    rivals: tuple[Rival, ...]
    tied: tuple[tuple[int, ...], ...]
    panel: Mapping[str, Any] | None
    cycles: tuple[Cycle, ...]
    steps: tuple[Step, ...]
    too_many: bool = False


def versus(store: Store, tournament: str) -> Versus:
    """Fit all that a tournament has played; raises `UnknownSeason`."""
    with store.database.reading() as session:
        facts = season_facts(session, tournament, None)
        alike, left_out = alike_seasons(session, facts)
        if too_many(session, alike):
            nothing: dict[str, Any] = dict.fromkeys(("rivals", "tied", "cycles", "steps"), ())
            return Versus(facts, (), left_out, False, False, panel=None, too_many=True, **nothing)
        alike, older, results = played_alike(session, alike)
        left_out = (*left_out, *older)
        seasons = tuple(row.number for row in alike)
        paired = any(row.settings.facts.pairs_by_results for row in alike)
        tally = LeadTally(results)
        chips = any(result.purses for result in results)
        ranks = RankTally(results) if chips else None
        fit: Certainty = (
            ranks.fit() if ranks else with_unseen(tally.fit(), facts.settings.facts.widest)
        )
        if paired:
            fit = shrunk(fit)
        panel = None if chips or not fit.values else cross_table(tally, fit.order).to_data()
        lines = tuple(rivals(session, fit, tournament))
        if short := curtain_of(session).shortens(tournament):
            lines = tuple(line for line in lines if line.author)  # whose names are told
            panel = None
        return Versus(
            season=facts,
            seasons=seasons,
            left_out=left_out,
            by_leads=not chips,
            pairs_by_results=paired,
            rivals=lines,
            tied=fit.tied if _known(fit) and not short else (),
            panel=panel,
            cycles=() if chips or short else three_cycles(tally.pairs()),
            steps=tuple(_steps(lines, fit)),
        )


def alike_seasons(
    session: Session, newest: SeasonFacts
) -> tuple[Sequence[SeasonRow], tuple[LeftOut, ...]]:
    """The seasons at the table of a tournament's newest season, and the others."""
    rows = session.scalars(
        select(SeasonRow)
        .join(TournamentRow)
        .where(TournamentRow.name == newest.tournament)
        .order_by(SeasonRow.number)
    ).all()
    alike, others = [], defaultdict[str, list[int]](list)
    for row in rows:
        if row.annulled:
            others["annulled"].append(row.number)
        elif changes := table_changes(row.contest, newest.contest):
            others["; ".join(map(str, changes))].append(row.number)
        else:
            alike.append(row)
    return alike, tuple(LeftOut(tuple(numbers), why) for why, numbers in others.items())


def too_many(session: Session, seasons: Sequence[SeasonRow]) -> bool:
    """Whether more versions played in these seasons than a page can fit and compare."""
    played = select(func.count(EntrantRow.version_id.distinct())).where(
        EntrantRow.season_id.in_([row.id for row in seasons]), EntrantRow.matches > 0
    )
    return (session.scalar(played) or 0) > MANY


def played_alike(
    session: Session, alike: Sequence[SeasonRow]
) -> tuple[Sequence[SeasonRow], tuple[LeftOut, ...], Sequence[Result]]:
    """All matches of these seasons; of very many, those of the newest seasons.

    Returns the seasons that count, those that don't, and the matches.
    """
    counted = {
        row.season_id: row.matches
        for row in session.execute(
            select(LegRow.season_id, func.sum(LegRow.matches).label("matches"))
            .where(LegRow.season_id.in_([row.id for row in alike]))
            .group_by(LegRow.season_id)
        )
    }
    first, total = len(alike), 0
    for place in range(len(alike) - 1, -1, -1):
        total += counted.get(alike[place].id, 0)
        if total > ENOUGH and first < len(alike):
            break
        first = place
    older = tuple(row.number for row in alike[:first])
    why = f"the newest seasons have {ENOUGH:,} matches without them"
    found = [result for row in alike[first:] for result in rating_cache.results(session, row.id)]
    return alike[first:], (LeftOut(older, why),) if older else (), found


def rivals(session: Session, fit: Certainty, tournament: str = "") -> Iterator[Rival]:
    """The versions of a fit in order of strength, as they are called in a tournament."""
    curtain = curtain_of(session)
    rows = session.execute(
        select(VersionRow.id, VersionRow.number, BotRow.name, BotRow.author)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .where(VersionRow.id.in_(fit.values))
    )
    named = {row.id: row for row in rows}
    for version in fit.order:
        found = fit.estimate(version)
        best, worst = fit.places(version)
        row = named[version]
        alias = curtain.alias(tournament, row.name)
        told = alias == row.name
        yield Rival(
            version_id=version,
            bot=alias,
            version=row.number if told else 1,
            author=row.author if told else "",
            strength=fit.values[version],
            low=None if found is None else found.low,
            high=None if found is None else found.high,
            best=best,
            worst=worst,
            seen=fit.seen[version],
        )


def _steps(lines: Sequence[Rival], fit: Certainty) -> Iterator[Step]:
    ordered = sorted(lines, key=lambda line: (line.bot, line.version))
    for older, newer in pairwise(ordered):
        gain = fit.difference(newer.version_id, older.version_id)
        if older.bot == newer.bot and gain is not None:
            yield Step(newer.bot, newer.version, older.version, gain)


def _known(fit: Certainty) -> bool:
    """Whether enough was played to call anybody tied rather than unknown."""
    return bool(fit.seen) and min(fit.seen.values()) >= FEWEST


@dataclass(frozen=True, slots=True)
class Counted:
    """A tournament that counts for its game: its seasons at one table, their bots and matches."""

    tournament: str
    game: str
    seasons: tuple[int, ...]
    bots: int
    matches: int
    by_leads: bool


@dataclass(frozen=True, slots=True)
class AllGames:
    """The versions of all games in order of strength, which is in standard deviations of one lead.

    `counted` are the tournaments behind it, one for each game. `games` says at which of these games
    each version played. `groups` is how many groups of versions never met. `pairs_by_results` says
    that a season among them paired bots by how they had done so far. `crowded` are tournaments with
    too many bots to be fitted here.
    """

    rivals: tuple[Rival, ...]
    counted: tuple[Counted, ...]
    games: dict[int, tuple[str, ...]]
    groups: int
    pairs_by_results: bool
    crowded: tuple[str, ...] = ()


def over_all_games(store: Store) -> AllGames:
    """Fit the rated tournament of each game that has the most matches (ratings i.1)."""
    counted, fits, crowded = [], [], []
    paired = False
    games: dict[int, tuple[str, ...]] = {}
    with store.database.reading() as session:
        rows = session.execute(
            select(
                TournamentRow.name,
                SeasonRow.id,
                RATED,
                func.coalesce(func.sum(LegRow.matches), 0),
            )
            .join(SeasonRow, SeasonRow.tournament_id == TournamentRow.id)
            .outerjoin(LegRow, LegRow.season_id == SeasonRow.id)
            .group_by(TournamentRow.name, SeasonRow.id, RATED)
            .order_by(TournamentRow.name, SeasonRow.id)
        )
        matches: dict[str, int] = {}
        for name, _, rated, played in rows:
            matches[name] = matches.get(name, 0) + (played if rated else 0)
        chosen: set[str] = set()
        for name in sorted(matches, key=lambda name: (-matches[name], name)):
            if curtain_of(session).masks(name):  # whose bots would have their names here
                continue
            facts = season_facts(session, name, None)
            if not matches[name] or not facts.rated or facts.game in chosen:
                continue
            alike, _ = alike_seasons(session, facts)
            if too_many(session, alike):
                crowded.append(name)
                continue
            alike, _, results = played_alike(session, alike)
            chips = any(result.purses for result in results)
            fit = of_ranks(RankTally(results)) if chips else of_leads(LeadTally(results))
            if not fit.met or not fit.unit:
                continue
            chosen.add(facts.game)
            fits.append((facts.game, fit))
            paired = paired or any(row.settings.facts.pairs_by_results for row in alike)
            seasons = tuple(row.number for row in alike)
            counted.append(
                Counted(name, facts.game, seasons, len(fit.fit.values), len(results), not chips)
            )
        found = all_games([fit for _, fit in sorted(fits, key=lambda each: each[0])])
        for version in found.values:
            games[version] = tuple(sorted(game for game, fit in fits if version in fit.fit.values))
        return AllGames(
            rivals=tuple(rivals(session, shrunk(found) if paired else found)),
            counted=tuple(sorted(counted, key=lambda each: each.game)),
            games=games,
            groups=len(found.groups),
            pairs_by_results=paired,
            crowded=tuple(crowded),
        )

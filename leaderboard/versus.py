"""A tournament over all its seasons: one fit of all versions, and head-to-head margins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from card_arena.formats.panels import cross_table
from card_arena.leaderboard.models import Figure, PageOnly, Shape, Text, VersionName
from card_arena.leaderboard.seasons import Season, season_facts
from card_arena.ratings.certainty import Certainty
from card_arena.ratings.intervals import FEWEST
from card_arena.ratings.margin_errors import with_unseen
from card_arena.ratings.margin_fit import MANY, MarginTally
from card_arena.ratings.match_results import Result
from card_arena.ratings.rank_fit import RankTally
from card_arena.ratings.same_contest import table_changes
from card_arena.ratings.shrinkage import shrunk
from card_arena.ratings.versus import all_games, of_margins, of_ranks, three_cycles
from card_arena.results import rating_cache
from card_arena.results.counts import RATED
from card_arena.results.models import (
    BotRow,
    EntrantRow,
    LegRow,
    SeasonRow,
    TournamentRow,
    VersionRow,
)
from card_arena.results.store import Store
from card_arena.results.visibility import policy_of


class Rival(VersionName):
    """A version in a fit over several seasons."""

    version_id: PageOnly[int] = 0
    """The version's id in the store."""
    author: Text
    """Its author."""
    strength: float
    """Its strength, in the unit of the containing model."""
    low: float | None
    """The lower end of the 95 % interval; null with too little data."""
    high: float | None
    """The upper end of the interval."""
    best: int
    """The best place that it might have with other cards (95 %)."""
    worst: int
    """The worst place that it might have."""
    seen: int
    """The boards behind its strength or, without margins, the matches or legs."""
    provisional: bool
    """Whether it has played too little for an interval."""


class Met(Shape):
    """Two versions on the boards that they have in common."""

    one: VersionName
    """One of them."""
    other: VersionName
    """The other."""
    boards: int
    """How many boards they have in common."""
    margin: float
    """The margin of the one over the other, in points a game."""
    reach: float | None
    """Half the width of the 95 % interval; null with too few boards."""


class Cycle(Shape):
    """Three versions: each leads the next, and the last leads the first."""

    versions: tuple[VersionName, ...]
    """The three."""
    margins: PageOnly[tuple[float, ...]] = ()
    """The margin of each over the next, in points a game."""
    chance: float
    """An upper bound of the probability that luck alone shows such a cycle."""


class Step(Shape):
    """A version of a bot beside the one before it."""

    bot: Text
    """The bot's name."""
    version: int
    """The newer version."""
    before: int
    """The version before it."""
    gain: Figure
    """The gain of the newer version."""


ENOUGH = 50_000
"""The most matches that are fitted together; older seasons are left out."""


class LeftOut(Shape):
    """Seasons that do not count."""

    seasons: tuple[int, ...]
    """Their numbers."""
    why: Text
    """The reason."""


class Versus(Shape):
    """A tournament over all its seasons."""

    tournament: str
    """The tournament's name."""
    game: PageOnly[str] = ""
    """Its game."""
    points_title: PageOnly[Text] = ""
    """The name of the points of its newest season."""
    seasons: tuple[int, ...] = ()
    """The seasons that count."""
    left_out: tuple[LeftOut, ...]
    """The seasons that do not."""
    by_margins: bool = False
    """Whether strengths are points a game; otherwise they are logarithms of worth."""
    pairs_by_results: bool = False
    """Whether the pairings of some season depended on results, which shifts intervals."""
    too_many: bool = False
    """Whether there are too many versions for a fit; everything else is then empty."""
    rivals: tuple[Rival, ...] = ()
    """The versions, the strongest first."""
    tied: tuple[tuple[VersionName, ...], ...] = ()
    """Groups in which no version is significantly better than another."""
    panel: PageOnly[Mapping[str, Any] | None] = None
    """The cross table of all common boards; None where there are no margins."""
    met: tuple[Met, ...] = ()
    """Every two versions with common boards."""
    cycles: tuple[Cycle, ...] = ()
    """Cycles that luck does not explain."""
    steps: tuple[Step, ...] = ()
    """Each version beside the one before it."""

    @property
    def names(self) -> Mapping[int, str]:
        """The name of each version, by its id."""
        return {rival.version_id: rival.label for rival in self.rivals}


def versus(store: Store, tournament: str) -> Versus:
    """A tournament over all its seasons: strengths and head-to-head margins."""
    with store.database.reading() as session:
        facts = season_facts(session, tournament, None)
        alike, left_out = alike_seasons(session, facts)
        about = {
            "tournament": tournament,
            "game": facts.game,
            "points_title": facts.points_title,
        }
        if too_many(session, alike):
            return Versus(**about, left_out=left_out, too_many=True)
        alike, older, results = played_alike(session, alike)
        paired = any(row.settings.facts.pairs_by_results for row in alike)
        tally = MarginTally(results)
        chips = any(result.purses for result in results)
        ranks = RankTally(results) if chips else None
        fit: Certainty = (
            ranks.fit() if ranks else with_unseen(tally.fit(), facts.settings.facts.widest)
        )
        if paired:
            fit = shrunk(fit)
        panel = None if chips or not fit.values else cross_table(tally, fit.order).to_data()
        lines = tuple(rivals(session, fit, tournament))
        if short := policy_of(session).shortens(tournament):
            lines = tuple(line for line in lines if line.author)  # only of visible names
            panel = None
        names = {line.version_id: line for line in lines}
        return Versus(
            **about,
            seasons=tuple(row.number for row in alike),
            left_out=(*left_out, *older),
            by_margins=not chips,
            pairs_by_results=paired,
            rivals=lines,
            tied=tuple(
                tuple(names[version] for version in group)
                for group in (fit.tied if _known(fit) and not short else ())
            ),
            panel=panel,
            met=tuple(_met(panel, names)) if panel else (),
            cycles=tuple(
                Cycle(
                    versions=tuple(names[version] for version in cycle.versions),
                    margins=tuple(margin.margin for margin in cycle.margins),
                    chance=cycle.chance,
                )
                for cycle in (() if chips or short else three_cycles(tally.pairs()))
            ),
            steps=tuple(_steps(lines, fit)),
        )


def _met(panel: Mapping[str, Any], names: Mapping[int, VersionName]) -> Iterator[Met]:
    """The upper half of the cross table; the lower half mirrors it."""
    order = panel["order"]
    for at, (one, cells) in enumerate(zip(order, panel["rows"], strict=True)):
        for other, cell in zip(order[at + 1 :], cells[at + 1 :], strict=True):
            if cell is not None:
                boards, margin, reach = cell
                yield Met(
                    one=names[one], other=names[other], boards=boards, margin=margin, reach=reach
                )


def alike_seasons(
    session: Session, newest: Season
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
    return alike, tuple(LeftOut(seasons=numbers, why=why) for why, numbers in others.items())


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
    results = [result for row in alike[first:] for result in rating_cache.results(session, row.id)]
    return alike[first:], (LeftOut(seasons=older, why=why),) if older else (), results


def rivals(session: Session, fit: Certainty, tournament: str = "") -> Iterator[Rival]:
    """The versions of a fit in order of strength, as they are called in a tournament."""
    policy = policy_of(session)
    rows = session.execute(
        select(VersionRow.id, VersionRow.number, BotRow.name, BotRow.author)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .where(VersionRow.id.in_(fit.values))
    )
    named = {row.id: row for row in rows}
    for version in fit.order:
        estimate = fit.estimate(version)
        best, worst = fit.places(version)
        row = named[version]
        alias = policy.alias(tournament, row.name)
        is_named = alias == row.name
        yield Rival(
            version_id=version,
            bot=alias,
            version=row.number if is_named else 1,
            author=row.author if is_named else "",
            strength=fit.values[version],
            low=None if estimate is None else estimate.low,
            high=None if estimate is None else estimate.high,
            best=best,
            worst=worst,
            seen=fit.seen[version],
            provisional=estimate is None or estimate.low is None,
        )


def _steps(lines: Sequence[Rival], fit: Certainty) -> Iterator[Step]:
    ordered = sorted(lines, key=lambda line: (line.bot, line.version))
    for older, newer in pairwise(ordered):
        gain = fit.difference(newer.version_id, older.version_id)
        if older.bot == newer.bot and gain is not None:
            yield Step(bot=newer.bot, version=newer.version, before=older.version, gain=gain)


def _known(fit: Certainty) -> bool:
    """Whether every version has enough boards for ties."""
    return bool(fit.seen) and min(fit.seen.values()) >= FEWEST


class AllGamesRival(Rival):
    """A version in the order over all games."""

    games: tuple[str, ...]
    """The games that it played."""


class Counted(Shape):
    """A tournament that counts for its game."""

    tournament: str
    """The tournament's name."""
    game: str
    """The game."""
    seasons: tuple[int, ...]
    """The seasons that count."""
    bots: int
    """How many versions played in them."""
    matches: int
    """How many matches they have."""
    by_margins: bool
    """Whether margins count; otherwise ranks do."""


class AllGames(Shape):
    """One order over all games; strengths are in standard deviations of a margin."""

    counted: tuple[Counted, ...]
    """The tournaments behind it, one for each game."""
    crowded: tuple[str, ...]
    """Tournaments with too many bots for a fit."""
    groups: int
    """The number of groups of versions that never met."""
    pairs_by_results: bool
    """Whether the pairings of some season depended on results."""
    rivals: tuple[AllGamesRival, ...]
    """The versions, the strongest first."""


def over_all_games(store: Store) -> AllGames:
    """Fit the rated tournament of each game that has the most matches (ratings i.1)."""
    counted, fits, crowded = [], [], []
    paired = False
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
            if policy_of(session).masks(name):  # the ranking would show hidden names
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
            fit = of_ranks(RankTally(results)) if chips else of_margins(MarginTally(results))
            if not fit.met or not fit.unit:
                continue
            chosen.add(facts.game)
            fits.append((facts.game, fit))
            paired = paired or any(row.settings.facts.pairs_by_results for row in alike)
            counted.append(
                Counted(
                    tournament=name,
                    game=facts.game,
                    seasons=tuple(row.number for row in alike),
                    bots=len(fit.fit.values),
                    matches=len(results),
                    by_margins=not chips,
                )
            )
        overall = all_games([fit for _, fit in sorted(fits, key=lambda pair: pair[0])])
        return AllGames(
            rivals=tuple(
                AllGamesRival(
                    **dict(rival),
                    games=sorted(game for game, fit in fits if rival.version_id in fit.fit.values),
                )
                for rival in rivals(session, shrunk(overall) if paired else overall)
            ),
            counted=tuple(sorted(counted, key=lambda pair: pair.game)),
            groups=len(overall.groups),
            pairs_by_results=paired,
            crowded=tuple(crowded),
        )

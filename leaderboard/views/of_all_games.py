"""One order over all games, in which every game has the same weight."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import func, select

from leaderboard.statistics.all_games import all_games, of_leads, of_ranks
from leaderboard.statistics.lead_fit import LeadTally
from leaderboard.statistics.rank_fit import RankTally
from leaderboard.statistics.shrinkage import shrunk
from leaderboard.storage.counting import RATED
from leaderboard.storage.curtain import curtain_of
from leaderboard.storage.models import SeasonRow, TournamentRow
from leaderboard.storage.models_of_counts import LegRow
from leaderboard.storage.store import Store
from leaderboard.views.of_seasons import season_facts
from leaderboard.views.of_versus import Rival, alike_seasons, played_alike, rivals, too_many


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

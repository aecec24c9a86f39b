"""An audit for the organiser: who was treated more softly than others; never shown on a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from card_arena.collusion.pairs import Observation, PairTest, soft_play
from card_arena.leaderboard.standings import standings
from card_arena.results.entries import Season, Version
from card_arena.results.store import Store
from card_arena.tables.registry import GAMES


@dataclass(frozen=True, slots=True)
class SoftPlay:
    """A tournament's test of soft play: its pairs, the most suspicious first.

    `observed` counts the decisions that were looked at; there are none in games in which no seat
    can play for another. `versions` are the players by the ids in `pairs`.
    """

    tournament: str
    matches: int
    observed: int
    pairs: tuple[PairTest, ...]
    versions: Mapping[int, Version]


def check_collusion(store: Store, tournament: str) -> SoftPlay:
    """Test all pairs of versions over all seasons; raises what `standings` does for unknown names.

    Every record is read, so it takes seconds for a thousand games. Raises `DamagedRecord`.
    """
    seasons = store.seasons(tournament)
    if not seasons:
        standings(store, tournament)  # raises the error for an unknown name
    counting = [season for season in seasons if not season.annulled]
    found = [each for season in counting for each in _observations(store, season)]
    pairs = soft_play(found)
    versions = store.versions(sorted({v for pair in pairs for v in (pair.one, pair.other)}))
    return SoftPlay(tournament, len({each.table for each in found}), len(found), pairs, versions)


def _observations(store: Store, season: Season) -> Iterator[Observation]:
    """All observations in a season; two seats of one version don't treat each other."""
    for result in store.results(season.id):
        for seating, record in store.games(result.key):
            sitting = [result.versions[entrant] for entrant in seating]
            for each in GAMES[record.game].statistics.observations(record):
                actor, target = sitting[each.actor], sitting[each.target]
                if actor != target:
                    yield Observation(result.key, actor, target, each.stratum, each.value)

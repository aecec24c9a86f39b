"""Playing the seasons of one tournament: first those that were interrupted, then those due."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from leaderboard.storage.entries import Season, Version
from leaderboard.storage.store import Store
from sandbox.backends.registry import backend
from tables.game import UNRATED
from tournament.orders.orders import Orders
from tournament.play.claim import Claim, Mixing
from tournament.play.continuity import demand_continuity, demand_same_rules
from tournament.play.lanes import Lane, Pool
from tournament.play.lineup import entered, line_up
from tournament.play.outages import Outages
from tournament.play.season import Audience, play_season
from tournament.play.steps import Steps
from tournament.proof.beginning import begin, demand_value
from tournament.settings import Settings, thaw

NO_WALLS = "every bot can read and change anything that you can, so admit only bots that you trust"


def play_seasons(
    store: Store,
    settings: Settings[Any],
    unfinished: Sequence[Season],
    due: Sequence[datetime],
    audience: Audience,
    pool: Pool,
    seed: bytes | None = None,
    orders: Orders | None = None,
    outages: Outages | None = None,
) -> Steps[int]:
    """Finish a tournament's seasons, then play one for each due time; return the last one's size.

    How many matches it plays at a time, and its share, follow from its file as it is now: results
    don't depend on them.
    """
    matches = 0

    def interrupted() -> bool:
        return orders is not None and orders.interrupts(settings.name)

    with pool.lane(settings.name, settings.share, settings.workers) as lane:
        for begun in unfinished:
            season = demand_value(store, begun)
            demand_same_rules(season)
            began_with = thaw(season.settings)
            lane.claim = _claim(store, began_with, settings.hosts, season)
            pool.demand([began_with])
            _warn(began_with, audience, pool)
            audience.begins(season, again=True)
            matches = yield from play_season(store, season, lane, audience, interrupted, outages)
        for moment in due:
            _warn(settings, audience, pool)
            season = yield from _begun(store, settings, lane, audience, moment, seed)
            matches = yield from play_season(store, season, lane, audience, interrupted, outages)
    return matches


def _claim(
    store: Store, settings: Settings[Any], mixing: Mixing, season: Season | None = None
) -> Claim:
    """What a season, begun or not, asks of the hosts of a cluster.

    Which of them may be mixed is up to the tournament's file as it is now.
    """
    versions: Iterable[Version]
    if season is None:
        versions = entered(store, settings)
    else:
        entrants = store.entrants(season.id)
        versions = store.versions([each.version_id for each in entrants]).values()
    model = None if season is None else next(iter(store.hosts(season.id)), None)
    return Claim.of(settings, mixing, versions, model)


def _begun(
    store: Store,
    settings: Settings[Any],
    lane: Lane,
    audience: Audience,
    due: datetime,
    seed: bytes | None,
) -> Steps[Season]:
    demand_continuity(settings, store.seasons(settings.name))
    lane.claim = _claim(store, settings, settings.hosts)
    tried = yield from line_up(store, settings, lane, audience.tried)
    there = store.versions([entrant.version_id for entrant in tried])
    entrants = [entrant for entrant in tried if entrant.version_id in there]  # or deleted meanwhile
    season = begin(store, settings, entrants, due, seed)
    audience.begins(season, again=False)
    return demand_value(store, season)


def _warn(settings: Settings[Any], audience: Audience, pool: Pool) -> None:
    if not backend(settings.box).isolated:
        audience.say(f"{settings.name} is played without boxes: {NO_WALLS}")
    if not settings.rated:
        audience.say(f"{settings.name} is {UNRATED}")
    if settings.workers and settings.workers > pool.workers:
        audience.say(
            f"{settings.name} wants {settings.workers} matches at a time; there are cores for"
            f" {pool.workers} now"
        )

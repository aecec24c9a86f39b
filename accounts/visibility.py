"""From an organiser's decisions about a tournament's results to a reader's visibility policy.

`snapshot_standings` has to be called now and then: by the site, and the program that
plays. It copies the standings of seasons that are frozen by now.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime, timedelta
from typing import Any

from card_arena.accounts.entries import StandingsSnapshot, Visibility
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.common.moments import from_iso
from card_arena.leaderboard.standings import Span, snapshot_of, spans, standings
from card_arena.results.store import Store
from card_arena.results.visibility import Frozen, Masked, VisibilityPolicy

LATE = timedelta(minutes=1)
"""How late standings may be copied. After that they have results that were to be hidden."""


def policy_for(
    store: Store, accounts: AccountStore, own: AbstractSet[str], now: datetime
) -> VisibilityPolicy:
    """What is hidden at a moment from somebody whose bots are those of the `own` authors."""
    frozen: dict[int, Frozen] = {}
    masked: dict[int, Masked] = {}
    unnamed = set()
    seasons: dict[str, frozenset[int]] = {}
    for wanted in accounts.visibilities():
        snapshots = accounts.snapshots(wanted.tournament)
        there = spans(store, wanted.tournament)
        if wanted.names != "all" or (wanted.frozen is not None and wanted.frozen <= now):
            seasons[wanted.tournament] = frozenset(season.id for season in there)
        for season in there:
            if is_frozen(wanted, season, now):
                frozen[season.id] = _frozen(wanted, snapshots.get(season.id))
            if wanted.names != "all":
                snapshot = frozen[season.id].snapshot if season.id in frozen else None
                ranks = _ranks(season) if season.id not in frozen else _ranks_on(snapshot)
                masked[season.id] = _masked(accounts, wanted, season, ranks, own)
        if wanted.names != "all":
            unnamed.add(wanted.tournament)
    key = (
        frozenset(own),
        tuple((number, each.since, each.snapshot is None) for number, each in frozen.items()),
        tuple(
            (number, each.top, tuple(sorted(each.aliases.items())), tuple(sorted(each.named)))
            for number, each in masked.items()
        ),
        frozenset(unnamed),
        frozenset(seasons.items()),
    )
    return VisibilityPolicy(frozen, masked, frozenset(unnamed), frozenset(own), seasons, key)


def is_frozen(wanted: Visibility, season: Span, now: datetime) -> bool:
    """Whether a season has results that a freeze hides; those that ended before it have none."""
    if wanted.frozen is None or wanted.frozen > now:
        return False
    return season.finished is None or season.finished > wanted.frozen


def snapshot_standings(store: Store, accounts: AccountStore, now: datetime) -> None:
    """Copy the standings of seasons that are frozen and were being played when that began."""
    for wanted in accounts.visibilities():
        if wanted.frozen is None or wanted.frozen > now:
            continue
        snapshots = accounts.snapshots(wanted.tournament)
        for season in spans(store, wanted.tournament):
            taken = snapshots.get(season.id)
            if taken is not None and taken.frozen == wanted.frozen:
                continue
            if is_frozen(wanted, season, now) and season.started <= wanted.frozen:
                table = standings(store, wanted.tournament, season.number)
                newest = table.season.newest
                late = newest is not None and newest > wanted.frozen + LATE
                snapshot = {} if late else snapshot_of(table.season, table.standings)
                accounts.add_snapshot(wanted.tournament, season.id, wanted.frozen, snapshot)


def _frozen(wanted: Visibility, taken: StandingsSnapshot | None) -> Frozen:
    assert wanted.frozen is not None
    if taken is None or taken.frozen != wanted.frozen or not taken.standings:
        return Frozen(wanted.frozen)
    newest = taken.standings["newest"]
    since = max(wanted.frozen, from_iso(newest)) if newest else wanted.frozen
    return Frozen(since, taken.standings)


def _masked(
    accounts: AccountStore,
    wanted: Visibility,
    season: Span,
    ranks: Mapping[str, int | None],
    own: AbstractSet[str],
) -> Masked:
    aliases = accounts.aliases(wanted.tournament, season.entrants)
    named = {
        bot
        for bot, (author, _) in season.entrants.items()
        if author in own or bot in season.references or _is_first(ranks.get(bot), wanted.top)
    }
    hidden = {bot: alias for bot, alias in aliases.items() if bot not in named}
    return Masked(wanted.tournament, hidden, named, wanted.top)


def _is_first(rank: int | None, top: int | None) -> bool:
    return rank is not None and top is not None and rank <= top


def _ranks(season: Span) -> Mapping[str, int | None]:
    return {bot: rank for bot, (_, rank) in season.entrants.items()}


def _ranks_on(snapshot: Mapping[str, Any] | None) -> Mapping[str, int | None]:
    """The best place of each bot in a snapshot of standings; empty without one."""
    lines: list[dict[str, Any]] = snapshot["lines"] if snapshot else []
    return {line["bot"]: line["rank"] for line in reversed(lines)}

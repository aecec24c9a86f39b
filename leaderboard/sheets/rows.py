"""The lines of each sheet, read from a store a few at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from leaderboard import views
from leaderboard.storage.store import Store
from leaderboard.views.of_matches import MatchLine, in_key_order
from tables.record import Record
from tables.seating import Seating

Row = Mapping[str, Any]

AT_ONCE = 20
"""Matches whose games are in memory at a time."""


def standings(store: Store, tournament: str, season: int) -> Iterator[Row]:
    """A season's standings with their intervals; raises `UnknownSeason`."""
    table = views.standings(store, tournament, season)
    sure = views.season_figures(store, table).points
    for line in table.standings:
        known = sure is not None and line.version_id in sure.values
        interval = sure.estimate(line.version_id) if sure is not None and known else None
        yield {
            "season": season,
            "rank": line.rank,
            "bot": line.bot,
            "version": line.version,
            "author": line.author,
            "language": line.language,
            "points": line.points,
            "points_low": interval.low if interval else None,
            "points_high": interval.high if interval else None,
            "rating": line.rating.mu if line.rating else None,
            "rating_low": line.rating.low if line.rating else None,
            "rating_high": line.rating.high if line.rating else None,
            "matches": line.matches,
            "struck_out": line.struck_out,
            "hands": line.hands,
            "decisions": line.decisions,
            "faults": line.faults,
            "forgiven": line.forgiven,
            "slowest_us": line.slowest,
            "sits_out": line.sits_out,
        }


def matches(store: Store, tournament: str, season: int) -> Iterator[Row]:
    """A season's matches, entrant by entrant; raises `UnknownSeason`."""
    for match in in_key_order(store, tournament, season):
        for seat in match.seats:
            yield {
                "key": match.key,
                "leg": match.leg,
                "round": match.round,
                "label": ", ".join(match.labels),
                "stored": match.stored,
                "seconds": match.seconds,
                "seat": seat.seat,
                "side": seat.side,
                "bot": seat.bot,
                "version": seat.version,
                "author": seat.author,
                "rank": seat.rank,
                "score": seat.score,
                "purse": seat.purse,
                "hands": seat.hands,
                "decisions": seat.decisions,
                "faults": seat.faults,
                "forgiven": seat.forgiven,
                "struck_out": seat.struck_out,
                "slowest_us": seat.slowest,
            }


def decisions(store: Store, tournament: str, season: int) -> Iterator[Row]:
    """Every question of a season; raises `UnknownSeason` and `DamagedRecord`."""
    for match, games in _with_games(store, in_key_order(store, tournament, season)):
        for number, (seating, record) in enumerate(games, start=1):
            for at, turn in enumerate(record.turns):
                if not turn.question:  # the dealer's, or of a seat that is out
                    continue
                entrant = match.seats[seating[turn.seat]]
                yield {
                    "key": match.key,
                    "game": number,
                    "turn": at,
                    "seat": turn.seat,
                    "bot": entrant.bot,
                    "version": entrant.version,
                    "question": turn.question,
                    "answer": turn.answer,
                    "action": turn.action,
                    "fault": str(turn.fault.kind) if turn.fault else None,
                    "struck": turn.fault.struck if turn.fault else None,
                    "wall_us": turn.wall,
                    "cpu_us": turn.cpu,
                    "peak": turn.peak,
                }


def _with_games(
    store: Store, matches: Iterator[MatchLine]
) -> Iterator[tuple[MatchLine, Sequence[tuple[Seating, Record]]]]:
    """Matches with their games, which are read a few matches at a time."""
    while some := [*islice(matches, AT_ONCE)]:
        games = store.games_of([match.key for match in some])
        for match in some:
            yield match, games[match.key]


def versions(store: Store) -> Iterator[Row]:
    for version in views.all_versions(store):
        yield {
            "bot": version.bot,
            "version": version.number,
            "author": version.author,
            "games": " ".join(version.games),
            "language": version.language,
            "protocol": version.protocol,
            "sha256": version.digest,
            "submitted": version.submitted,
            "withdrawn": version.withdrawn,
            "tags": " ".join(version.organiser_tags),
        }

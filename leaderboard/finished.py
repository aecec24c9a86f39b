"""A finished match as it is stored: its records packed, and everything that follows from them.

All of it is worked out where the match was played, so that the one process that stores the results
of many has little to do with each.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from common.canonical_json import canonical, sha256
from leaderboard.chairs import Chairs, chairs
from leaderboard.hosts import Host
from leaderboard.proof.lines import match_line
from leaderboard.results import Lucks, Played, Result, Scorecard, lucks_of, scorecard
from leaderboard.statistics.probation import answered
from tables.record import Record
from tables.seating import Seating


@dataclass(frozen=True, slots=True)
class Finished:
    """A match that is ready to be stored.

    `games` are the packed records with their seatings. `stderr` is what bots wrote on standard
    error, compressed, by game (from 0) and seat; bots that wrote nothing are left out. `line` is
    the match's hash in the ledger, `derived` its result, `chairs` what its entrants did chair by
    chair, and `answers` how the last answers of each ended. The rest is as in `Played`.
    """

    key: str
    leg: int
    round: int
    labels: tuple[str, ...]
    versions: tuple[int, ...]
    games: tuple[tuple[Seating, bytes], ...] = field(repr=False)
    stderr: tuple[tuple[int, int, bytes], ...] = field(repr=False)
    seconds: float
    line: str
    derived: Scorecard
    chairs: tuple[Chairs, ...]
    answers: tuple[str, ...] = ()
    host: Host | None = None

    @property
    def result(self) -> Result:
        """The match in brief."""
        return self.derived.result(self.key, self.leg, self.round, self.versions)


def finished(played: Played, lucks: Lucks = lucks_of) -> Finished:
    """Work out all that is stored of a match; `lucks` is as in `scorecard`.

    Raises `LookupError`, `TypeError` or `ValueError` if its records and seatings don't match.
    """
    return Finished(
        key=played.key,
        leg=played.leg,
        round=played.round,
        labels=played.labels,
        versions=played.versions,
        games=tuple(zip(played.seatings, map(packed, played.records), strict=True)),
        stderr=tuple(
            (game, seat, zlib.compress(text.encode()))
            for game, seats in enumerate(played.stderr)
            for seat, text in enumerate(seats)
            if text
        ),
        seconds=played.seconds,
        line=_line(played),
        derived=scorecard(played.records, played.seatings, played.sides, lucks),
        chairs=chairs(played.records, played.seatings, played.sides),
        answers=answered(played.records, played.seatings),
        host=played.host,
    )


def packed(record: Record) -> bytes:
    """Convert a record to its stored form: compressed canonical JSON."""
    return compressed(record.to_data())


def compressed(data: Mapping[str, Any]) -> bytes:
    """Compress a record's plain data."""
    return zlib.compress(canonical(data).encode("ascii"))


def _line(played: Played) -> str:
    return sha256(
        match_line(
            key=played.key,
            leg=played.leg,
            round=played.round,
            labels=played.labels,
            entrants=played.versions,
            sides=played.sides,
            seatings=played.seatings,
            records=[canonical(record.to_data()) for record in played.records],
        )
    )

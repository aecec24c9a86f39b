"""Checking matches one by one: what has to be known of each to follow the season afterwards.

The functions that check many matches run in workers, so they take and give plain data alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Protocol

from common.json import canonical, sha256
from ratings.match_results import Lucks, Result
from results.checkpoint import Finding, SeasonFindings
from results.proof.ledger import match_line
from results.season_settings import SeasonSettings
from results.store import Store
from results.stored_match import Checked, Chunk
from tables.registry import GAMES
from tables.seating import SeatingPlan
from tournament.settings import Settings, thaw
from tournament.version import __version__, revision
from verify.matches import Replay
from verify.seats import Seated, seated


@dataclass(frozen=True, slots=True)
class Terms:
    """What the matches of a season are checked against: its settings, and the key of its deals.

    The key is None while it is not known, so that packs and seats can't be checked.
    """

    settings: SeasonSettings
    key: bytes | None

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def digest(self) -> str:
        """A hash of them and of the program that checks; findings made by another don't hold."""
        versions = {name: game.version for name, game in GAMES.items()}
        secret = None if self.key is None else sha256(self.key.hex())
        return sha256(canonical([self.settings.data(), secret, versions, __version__, revision()]))


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A match of which an earlier finding still holds."""

    key: str


@dataclass(frozen=True, slots=True)
class Task:
    """Matches to be checked, either by a worker or in this process."""

    function: Callable[..., Sequence[Finding | Unchanged]]
    arguments: tuple[object, ...]
    here: Callable[[], Sequence[Finding | Unchanged]]


class Kept(Protocol):
    """A match as it is kept somewhere."""

    @property
    def key(self) -> str: ...

    @property
    def fingerprint(self) -> str:
        """A hash of all that is kept of it."""
        ...

    def checked(self, lucks: Lucks) -> Checked:
        """Compare what was derived from its records with what they come to."""
        ...


def of_chunk(
    url: str, terms: Terms, chunk: Chunk, known: Mapping[str, str]
) -> Sequence[Finding | Unchanged]:
    """Check stored matches, in a worker that opens the database for itself, to read alone.

    `known` are the fingerprints of matches that were checked before.
    """
    return of_matches(read_only(url).stored_matches(chunk), terms, known)


@lru_cache(maxsize=1)
def read_only(url: str) -> Store:
    """A store as a worker opens it once, to read alone."""
    return Store(url, read_only=True)


def of_matches(
    matches: Sequence[Kept], terms: Terms, known: Mapping[str, str]
) -> Sequence[Finding | Unchanged]:
    """Check matches, except those whose fingerprint is known."""
    settings = _thawed(terms)
    return [
        Unchanged(match.key)
        if known.get(match.key) == match.fingerprint
        else of_match(match, settings, terms)
        for match in matches
    ]


@lru_cache(maxsize=1)
def _thawed(terms: Terms) -> Settings[Any]:
    return thaw(terms.settings)


def of_match(match: Kept, settings: Settings[Any], terms: Terms) -> Finding:
    """Replay a match, and compare what is kept of it with what that comes to."""
    replay = Replay(match.key, settings, terms.settings.options, terms.key)
    checked = match.checked(replay)
    found = tuple(map(str, checked.differences))
    if checked.derived is None:  # its records say nothing about the rules
        return Finding(match.key, match.fingerprint, sha256(checked.line), 0, 0, 0, found, None)
    sitting = seated(checked)
    if _rewritten(checked) != checked.line:
        found = (*found, f"{match.key}: it is not written as the arena writes a match")
    return Finding(
        key=match.key,
        fingerprint=match.fingerprint,
        line=sha256(checked.line),
        turns=replay.turns,
        packs=replay.packs,
        other_packs=replay.other_packs,
        differences=(*found, *replay.differences),
        seated=None if sitting is None else written(sitting),
    )


def _rewritten(match: Checked) -> str:
    """The line of a match, written again from what was read of it."""
    return match_line(
        key=match.key,
        leg=match.leg,
        round=match.round,
        labels=match.labels,
        entrants=match.versions,
        sides=match.sides,
        seatings=match.seatings,
        records=[canonical(record.to_data()) for record in match.records],
    )


def written(sitting: Seated) -> str:
    """Who sat where, as text."""
    return json.dumps(sitting, separators=(",", ":"), default=_fields)


def _fields(value: Seated | Result | SeatingPlan) -> Sequence[object]:
    return [getattr(value, each.name) for each in fields(value)]


def read(text: str) -> Seated:
    result, labels, (sides, seatings), *others = _tuples(json.loads(text))
    return Seated(Result(*result), labels, SeatingPlan(sides, seatings), *others)


def _tuples(data: list[Any]) -> tuple[Any, ...]:
    """JSON's lists as tuples, all the way down."""
    return tuple([_tuples(each) if isinstance(each, list) else each for each in data])


@dataclass(frozen=True, slots=True)
class Sittings:
    """Who sat where in the matches of a season, read from its findings one by one."""

    findings: SeasonFindings

    def seated(self, key: str) -> Seated | None:
        """Who sat where at a match; None if it was not played, or if that is not known."""
        text = self.findings.seated(key)
        return None if text is None else read(text)

    def seated_keys(self) -> Iterator[str]:
        """The keys of all matches of which that is known, in order."""
        return self.findings.seated_keys()

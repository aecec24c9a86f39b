"""The findings of a verification, match by match, and the file that keeps them.

The functions that check many matches run in workers, so they take and give plain data alone.
The file is SQLite, apart from what is verified, so that an interrupted verification can resume. A
finding counts only for rows that still have the SHA-256 that they had when it was made.
"""

from __future__ import annotations

import fcntl
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, Protocol, Self

from card_arena.common.errors import UserError
from card_arena.common.json import canonical, sha256
from card_arena.common.moments import from_iso, to_iso
from card_arena.ratings.match_results import Lucks, Result
from card_arena.ratings.probation import answered
from card_arena.results.records import rewritten
from card_arena.results.season_settings import SeasonSettings
from card_arena.results.sqlite_file import make_private, with_beside
from card_arena.results.store import Store
from card_arena.results.stored_match import Checked, Chunk
from card_arena.tables.registry import GAMES
from card_arena.tables.seating import SeatingPlan
from card_arena.tournament.settings import Settings, thaw
from card_arena.tournament.version import __version__, revision
from card_arena.verify.matches import Replay


@dataclass(frozen=True, slots=True)
class Seated:
    """A stored match: the result of its records, its seating, the seats' purses and shoes, and how
    the last answers of each entrant ended.

    `wall` is the time of all its answers and what sandboxes took beside them as far as it is told,
    in microseconds. `without_sandbox` are the entrants that got none, each with whether sandboxes
    fail where it is alone. `seconds` is its recorded duration, and `stored` the recorded time of
    its storing, None in a file.
    """

    result: Result
    labels: tuple[str, ...]
    seating_plan: SeatingPlan
    brought: tuple[tuple[int, ...], ...]
    shoes: tuple[tuple[str, ...], ...]
    answers: tuple[str, ...] = ()
    wall: int = 0
    without_sandbox: tuple[tuple[int, bool], ...] = ()
    seconds: float | None = None
    stored: str | None = None


def seated(match: Checked) -> Seated:
    """Return who sat where at a match whose records can be read."""
    assert match.derived is not None
    faults = [
        (number, match.seatings[number][seat], fault)
        for number, record in enumerate(match.records)
        for _, seat, fault in record.faults
    ]
    beside = {
        (game, entrant): fault.facts["microseconds"]
        for game, entrant, fault in faults
        if fault.code == "sandbox-time"
    }
    without_sandbox = {
        (entrant, fault.facts["bots"] == 0)
        for _, entrant, fault in faults
        if fault.code == "no-sandbox"
    }
    answers = sum(turn.wall for record in match.records for turn in record.turns)
    return Seated(
        match.derived.result(match.key, match.leg, match.round, match.versions),
        match.labels,
        SeatingPlan(match.sides, match.seatings),
        tuple(record.purses for record in match.records),
        tuple(record.shoe for record in match.records),
        answered(match.records, match.seatings),
        answers + sum(beside.values()),
        tuple(sorted(without_sandbox)),
        match.seconds,
        None if match.stored is None else to_iso(match.stored),
    )


@dataclass(frozen=True, slots=True)
class Finding:
    """The outcome of checking one match.

    `fingerprint` is the hash of the rows that were checked. `line` is the SHA-256 of the match as
    the ledger hashes it, empty if a record can't be read. `turns` and `packs` count what was
    played again, `other_packs` the packs that the key gives otherwise. `seated` is the `Seated` of
    the match as JSON, None if its records can't be read.
    """

    key: str
    fingerprint: str
    line: str
    turns: int
    packs: int
    other_packs: int
    differences: tuple[str, ...]
    seated: str | None


@dataclass(frozen=True, slots=True)
class Terms:
    """The settings of a season and the key of its deals, against which matches are checked.

    The key is None while it is not known, so that packs and seats can't be checked.
    """

    settings: SeasonSettings
    key: bytes | None

    def __hash__(self) -> int:
        return hash(self.key)

    @property
    def digest(self) -> str:
        """A hash of them and of this program; findings with another digest are dropped."""
        versions = {name: game.version for name, game in GAMES.items()}
        secret = None if self.key is None else sha256(self.key.hex())
        return sha256(canonical([self.settings.data(), secret, versions, __version__, revision()]))


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A match whose earlier finding is still valid."""

    key: str


@dataclass(frozen=True, slots=True)
class Task:
    """Matches to be checked, either by a worker or in this process."""

    function: Callable[..., Sequence[Finding | Unchanged]]
    arguments: tuple[object, ...]
    in_process: Callable[[], Sequence[Finding | Unchanged]]


class Kept(Protocol):
    """A match in the database or in a file."""

    @property
    def key(self) -> str: ...

    @property
    def fingerprint(self) -> str:
        """A hash of all its rows."""
        ...

    def checked(self, lucks: Lucks) -> Checked:
        """Compare its stored numbers with its records."""
        ...


def of_chunk(
    url: str, terms: Terms, chunk: Chunk, earlier: Mapping[str, str]
) -> Sequence[Finding | Unchanged]:
    """Check stored matches, in a worker that opens the database for itself, to read alone.

    `earlier` are the fingerprints of matches that were checked before.
    """
    return of_matches(read_only(url).stored_matches(chunk), terms, earlier)


@lru_cache(maxsize=1)
def read_only(url: str) -> Store:
    """Open a store for reading, once in each worker."""
    return Store(url, read_only=True)


def of_matches(
    matches: Sequence[Kept], terms: Terms, earlier: Mapping[str, str]
) -> Sequence[Finding | Unchanged]:
    """Check matches, except those whose fingerprint is known."""
    settings = _thawed(terms)
    return [
        Unchanged(match.key)
        if earlier.get(match.key) == match.fingerprint
        else of_match(match, settings, terms)
        for match in matches
    ]


@lru_cache(maxsize=1)
def _thawed(terms: Terms) -> Settings[Any]:
    return thaw(terms.settings)


def of_match(match: Kept, settings: Settings[Any], terms: Terms) -> Finding:
    """Replay a match, and compare its stored numbers with the result."""
    replay = Replay(match.key, settings, terms.settings.options, terms.key)
    checked = match.checked(replay)
    differences = tuple(map(str, checked.differences))
    if checked.derived is None:  # its records say nothing about the rules
        line = sha256(checked.line)
        return Finding(match.key, match.fingerprint, line, 0, 0, 0, differences, None)
    if rewritten(checked) != checked.line:
        differences += (f"{match.key}: it is not written as the arena writes a match",)
    return Finding(
        key=match.key,
        fingerprint=match.fingerprint,
        line=sha256(checked.line),
        turns=replay.turns,
        packs=replay.packs,
        other_packs=replay.other_packs,
        differences=(*differences, *replay.differences),
        seated=json.dumps(seated(checked), separators=(",", ":"), default=_fields),
    )


def _fields(value: Seated | Result | SeatingPlan) -> Sequence[object]:
    return [getattr(value, field.name) for field in fields(value)]


def _read(text: str) -> Seated:
    result, labels, (sides, seatings), *others = _tuples(json.loads(text))
    return Seated(Result(*result), labels, SeatingPlan(sides, seatings), *others)


def _tuples(data: list[Any]) -> tuple[Any, ...]:
    """Convert nested lists to tuples."""
    return tuple([_tuples(value) if isinstance(value, list) else value for value in data])


# The file.


_FORMAT = 2
"""The version of these files; one of another version is replaced."""

_TABLES = """
CREATE TABLE seasons (
    id INTEGER PRIMARY KEY, place TEXT UNIQUE, terms TEXT, sitting INTEGER, latest TEXT
);
CREATE TABLE findings (
    season INTEGER, key TEXT, sitting INTEGER, fingerprint TEXT, line TEXT,
    turns INTEGER, packs INTEGER, other_packs INTEGER, differences TEXT, seated TEXT,
    PRIMARY KEY (season, key)
) WITHOUT ROWID;
"""


class NoCheckpoint(UserError):
    """The file of a verification can't be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Totals:
    """The numbers of matches, turns and packs that were checked."""

    matches: int
    turns: int
    packs: int
    other_packs: int


class Checkpoint:
    """The findings of a verification, season by season; without a path in memory.

    Raises `NoCheckpoint` if the file can't be written, or if another program is using it.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._lock: IO[bytes] | None = None
        if path is None:
            self._database = _opened(":memory:")
            return
        try:
            self._lock = _locked(path)
            try:
                self._database = _opened(str(path))
            except sqlite3.DatabaseError:  # cut off by a power failure, or of another version
                _remove(path)
                self._database = _opened(str(path))
        except BlockingIOError:
            raise NoCheckpoint(f"another program is using {path}") from None
        except (OSError, sqlite3.Error) as error:
            if self._lock is not None:
                self._lock.close()
            raise NoCheckpoint(f"{path} can't be written: {error}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file, so that another run can resume."""
        self._database.close()
        if self._lock is not None:
            self._lock.close()

    def season(self, place: str, terms: str) -> SeasonFindings:
        """The findings of the season at this place; those of other `terms` are deleted."""
        old = "SELECT id FROM seasons WHERE place = ? AND terms != ?"
        with _transaction(self._database) as database:
            database.execute(f"DELETE FROM findings WHERE season IN ({old})", (place, terms))
            database.execute(f"DELETE FROM seasons WHERE id IN ({old})", (place, terms))
            database.execute(
                "INSERT INTO seasons (place, terms, sitting) VALUES (?, ?, 1)"
                " ON CONFLICT (place) DO UPDATE SET sitting = sitting + 1",
                (place, terms),
            )
            number, sitting, latest = database.execute(
                "SELECT id, sitting, latest FROM seasons WHERE place = ?", (place,)
            ).fetchone()
        return SeasonFindings(
            self._database, number, sitting, None if latest is None else from_iso(latest)
        )

    def clear(self) -> None:
        """Delete all findings."""
        with _transaction(self._database):
            self._database.execute("DELETE FROM findings")
            self._database.execute("DELETE FROM seasons")

    def remove(self) -> None:
        """Close and delete the file."""
        self.close()
        if self.path is not None:
            _remove(self.path)
            self.path.with_name(self.path.name + ".lock").unlink(missing_ok=True)


@contextmanager
def _transaction(database: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """A transaction; raises `NoCheckpoint` if it can't be written."""
    try:
        with database:
            yield database
    except sqlite3.OperationalError as error:
        path = database.execute("PRAGMA database_list").fetchone()[2]
        raise NoCheckpoint(f"findings can't be stored in {path}: {error}") from error


class SeasonFindings:
    """The findings of one season in this run, or sitting, and in earlier ones.

    `latest` is the time of the last finding of an earlier run, and `earlier` counts those findings
    that were `confirm`ed: their matches have not changed. `twice` are the keys of matches that
    occurred twice in this run.
    """

    def __init__(
        self, database: sqlite3.Connection, season: int, sitting: int, latest: datetime | None
    ) -> None:
        self._database = database
        self._season = season
        self._sitting = sitting
        self.latest = latest
        self.earlier = 0
        self.twice: list[str] = []

    def fingerprints(self, first: str, last: str) -> Mapping[str, str]:
        """Return the fingerprints of earlier runs by key, in this range of keys."""
        return dict(
            self._database.execute(
                "SELECT key, fingerprint FROM findings WHERE season = ? AND key BETWEEN ? AND ?",
                (self._season, first, last),
            )
        )

    def confirm(self, keys: Iterable[str]) -> None:
        """Keep the findings of earlier runs for these matches."""
        with _transaction(self._database):
            rows = [(self._sitting, self._season, key) for key in keys]
            self._database.executemany(
                "UPDATE findings SET sitting = ? WHERE season = ? AND key = ?", rows
            )
        self.earlier += len(rows)

    def add(self, findings: Sequence[Finding]) -> None:
        with _transaction(self._database):
            for finding in findings:
                earlier = self._database.execute(
                    "SELECT sitting FROM findings WHERE season = ? AND key = ?",
                    (self._season, finding.key),
                ).fetchone()
                if earlier == (self._sitting,):
                    self.twice.append(finding.key)
                values = {
                    **{field.name: getattr(finding, field.name) for field in fields(finding)},
                    "season": self._season,
                    "sitting": self._sitting,
                    "differences": json.dumps(finding.differences),
                }
                self._database.execute(
                    "INSERT OR REPLACE INTO findings VALUES (:season, :key, :sitting, :fingerprint,"
                    " :line, :turns, :packs, :other_packs, :differences, :seated)",
                    values,
                )
            self._database.execute(
                "UPDATE seasons SET latest = ? WHERE id = ?",
                (to_iso(datetime.now(UTC).replace(microsecond=0)), self._season),
            )

    def complete(self) -> Totals:
        """Delete the findings of matches that no longer exist; return the totals."""
        with _transaction(self._database):
            self._database.execute(
                "DELETE FROM findings WHERE season = ? AND sitting != ?",
                (self._season, self._sitting),
            )
        counted = self._database.execute(
            "SELECT count(*), coalesce(sum(turns), 0), coalesce(sum(packs), 0),"
            " coalesce(sum(other_packs), 0) FROM findings WHERE season = ?",
            (self._season,),
        ).fetchone()
        return Totals(*counted)

    def differences(self) -> Iterator[str]:
        """Return all differences, in the order of the matches' keys."""
        rows = self._database.execute(
            "SELECT differences FROM findings WHERE season = ? AND differences != '[]'"
            " ORDER BY key",
            (self._season,),
        )
        for (sentences,) in rows:
            yield from json.loads(sentences)

    def lines(self) -> Iterator[tuple[str, str]]:
        """Return every match's key with the hash of its line, in order."""
        yield from self._database.execute(
            "SELECT key, line FROM findings WHERE season = ? ORDER BY key", (self._season,)
        )

    def line(self, key: str) -> str | None:
        """Return the hash of a match's line; None if there is no such match."""
        return self._of_match("line", key)

    def seated(self, key: str) -> Seated | None:
        """Return who sat where at a match; None if it was not played, or if that is not known."""
        text = self._of_match("seated", key)
        return None if text is None else _read(text)

    def _of_match(self, column: str, key: str) -> str | None:
        row = self._database.execute(
            f"SELECT {column} FROM findings WHERE season = ? AND key = ?", (self._season, key)
        ).fetchone()
        return row[0] if row else None

    def seated_keys(self) -> Iterator[str]:
        """Return the keys of the matches with known seats, in order."""
        rows = self._database.execute(
            "SELECT key FROM findings WHERE season = ? AND seated IS NOT NULL ORDER BY key",
            (self._season,),
        )
        return (key for (key,) in rows)


def _locked(path: Path) -> IO[bytes]:
    """Lock the checkpoint while the returned file is open."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".lock")
    make_private(beside)
    lock = beside.open("r+b")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BaseException:
        lock.close()
        raise
    return lock


def _opened(name: str) -> sqlite3.Connection:
    if name != ":memory:":
        make_private(Path(name))
    database = sqlite3.connect(name)
    try:
        # Programs that are killed leave it whole; so do power failures.
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=NORMAL")
        version = database.execute("PRAGMA user_version").fetchone()[0]
        if version == 0:
            database.executescript(f"BEGIN; {_TABLES} PRAGMA user_version={_FORMAT}; COMMIT;")
        elif version != _FORMAT:
            raise sqlite3.DatabaseError(f"it is of version {version}")
    except BaseException:
        database.close()
        raise
    return database


def _remove(path: Path) -> None:
    for file in with_beside(path):
        if not file.name.endswith(".lock"):
            file.unlink(missing_ok=True)

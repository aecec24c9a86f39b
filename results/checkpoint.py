"""What a verification has found so far, so that one that was interrupted can go on.

It is a SQLite file of its own, apart from what is verified. A finding counts only
for rows that still have the SHA-256 that they had when it was made; whoever trusts no earlier
finding begins with an empty file.
"""

from __future__ import annotations

import fcntl
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Self

from common.errors import UserError
from common.moments import from_iso, to_iso
from results.sqlite_file import make_private, with_beside

_FORMAT = 1
"""The version of these files; one of another version is made anew."""

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
class Finding:
    """What was found in a match.

    `fingerprint` names what was looked at. `line` is the SHA-256 of the match as the ledger hashes
    it, empty if a record can't be read. `turns` and `packs` count what was played again,
    `other_packs` the packs that the key gives otherwise. `seated` is who sat where, as text of the
    caller's, None if that is not known.
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
class Totals:
    """How much was looked at."""

    matches: int
    turns: int
    packs: int
    other_packs: int


class Checkpoint:
    """The findings of a verification, season by season; without a path they are in memory.

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
        """Keep the file for another time."""
        self._database.close()
        if self._lock is not None:
            self._lock.close()

    def season(self, place: str, terms: str) -> SeasonFindings:
        """The findings of the season at this place; those made by other `terms` are forgotten."""
        with _kept(self._database):
            row = self._database.execute(
                "SELECT id, terms, sitting, latest FROM seasons WHERE place = ?", (place,)
            ).fetchone()
            if row is not None and row[1] != terms:
                self._forget(row[0])
                row = None
            if row is None:
                number = self._database.execute(
                    "INSERT INTO seasons (place, terms, sitting) VALUES (?, ?, 1)", (place, terms)
                ).lastrowid
                return SeasonFindings(self._database, number or 0, 1, None)
            self._database.execute(
                "UPDATE seasons SET sitting = ? WHERE id = ?", (row[2] + 1, row[0])
            )
        latest = None if row[3] is None else from_iso(row[3])
        return SeasonFindings(self._database, row[0], row[2] + 1, latest)

    def clear(self) -> None:
        """Drop all findings, to begin from scratch."""
        with _kept(self._database):
            self._database.execute("DELETE FROM findings")
            self._database.execute("DELETE FROM seasons")

    def remove(self) -> None:
        """Remove the file, since all is checked."""
        self.close()
        if self.path is not None:
            _remove(self.path)
            self.path.with_name(self.path.name + ".lock").unlink(missing_ok=True)

    def _forget(self, season: int) -> None:
        self._database.execute("DELETE FROM findings WHERE season = ?", (season,))
        self._database.execute("DELETE FROM seasons WHERE id = ?", (season,))


@contextmanager
def _kept(database: sqlite3.Connection) -> Iterator[None]:
    """A transaction; raises `NoCheckpoint` if it can't be written."""
    try:
        with database:
            yield
    except sqlite3.OperationalError as error:
        path = database.execute("PRAGMA database_list").fetchone()[2]
        raise NoCheckpoint(f"what was checked can't be kept in {path}: {error}") from error


class SeasonFindings:
    """The findings of one season in this sitting and in earlier ones.

    `latest` is when the last finding of an earlier sitting was made, and `earlier` counts those of
    them that were `confirm`ed: what they are about has not changed. `twice` are the keys of matches
    that were found twice in this sitting.
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
        """What earlier sittings looked at, by the matches' keys from one to another."""
        return dict(
            self._database.execute(
                "SELECT key, fingerprint FROM findings WHERE season = ? AND key BETWEEN ? AND ?",
                (self._season, first, last),
            )
        )

    def confirm(self, keys: Iterable[str]) -> None:
        """Take over what earlier sittings found in these matches."""
        with _kept(self._database):
            rows = [(self._sitting, self._season, key) for key in keys]
            self._database.executemany(
                "UPDATE findings SET sitting = ? WHERE season = ? AND key = ?", rows
            )
        self.earlier += len(rows)

    def add(self, findings: Sequence[Finding]) -> None:
        with _kept(self._database):
            for each in findings:
                known = self._database.execute(
                    "SELECT sitting FROM findings WHERE season = ? AND key = ?",
                    (self._season, each.key),
                ).fetchone()
                if known == (self._sitting,):
                    self.twice.append(each.key)
                self._database.execute(
                    "INSERT OR REPLACE INTO findings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        *(self._season, each.key, self._sitting, each.fingerprint, each.line),
                        *(each.turns, each.packs, each.other_packs),
                        *(json.dumps(each.differences), each.seated),
                    ),
                )
            self._database.execute(
                "UPDATE seasons SET latest = ? WHERE id = ?",
                (to_iso(datetime.now(UTC).replace(microsecond=0)), self._season),
            )

    def complete(self) -> Totals:
        """Drop what is no longer there, and count the rest."""
        with _kept(self._database):
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
        """All that was found wrong, in the order of the matches' keys."""
        rows = self._database.execute(
            "SELECT differences FROM findings WHERE season = ? AND differences != '[]'"
            " ORDER BY key",
            (self._season,),
        )
        for (told,) in rows:
            yield from json.loads(told)

    def lines(self) -> Iterator[tuple[str, str]]:
        """Every match's key with the hash of its line, in the order of the keys."""
        yield from self._database.execute(
            "SELECT key, line FROM findings WHERE season = ? ORDER BY key", (self._season,)
        )

    def line(self, key: str) -> str | None:
        """The hash of a match's line; None if there is no such match."""
        found = self._database.execute(
            "SELECT line FROM findings WHERE season = ? AND key = ?", (self._season, key)
        ).fetchone()
        return None if found is None else str(found[0])

    def seated(self, key: str) -> str | None:
        """Who sat where at a match; None if that is not known."""
        found = self._database.execute(
            "SELECT seated FROM findings WHERE season = ? AND key = ?", (self._season, key)
        ).fetchone()
        return None if found is None or found[0] is None else str(found[0])

    def seated_keys(self) -> Iterator[str]:
        """The keys of the matches of which it is known who sat where, in order."""
        rows = self._database.execute(
            "SELECT key FROM findings WHERE season = ? AND seated IS NOT NULL ORDER BY key",
            (self._season,),
        )
        for (key,) in rows:
            yield key


def _locked(path: Path) -> IO[bytes]:
    """Keep other programs out for as long as the returned file is open."""
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

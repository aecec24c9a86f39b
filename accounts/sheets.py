"""All sheets of an arena: those of its results, and those of its people."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from tempfile import TemporaryFile
from typing import IO, get_args

from card_arena.accounts.entries import Quota, Student
from card_arena.accounts.marks import Counts, marks, moodle
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.common.moments import written
from card_arena.leaderboard import sheets
from card_arena.leaderboard.seasons import Season
from card_arena.leaderboard.seasons import season as read_season
from card_arena.leaderboard.sheets import LOG, PEOPLE, SHEETS, SUBMISSIONS, Row, as_csv, row
from card_arena.leaderboard.standings import standings
from card_arena.leaderboard.tournaments import tournaments as read_tournaments
from card_arena.results.proof.season_file import file_name
from card_arena.results.store import Store

OF_RESULTS = {
    "standings": sheets.standings,
    "matches": sheets.matches,
    "decisions": sheets.decisions,
}
OF_MARKS = {"marks": marks, "moodle": moodle}
OF_SEASONS = (*OF_RESULTS, *OF_MARKS)
"""The sheets that are about a season."""

AT_ONCE = 500
"""Acts of the log that are read at a time."""


@dataclass(frozen=True, slots=True)
class Source:
    """What sheets are read from; without a `accounts` those of people are empty.

    `usual` is what may be submitted where organisers have set nothing else, and `counts` says which
    version counts for marks.
    """

    store: Store
    accounts: AccountStore | None
    usual: Quota
    counts: Counts = "last"

    def rows(self, sheet: str, tournament: str = "", season: int = 0) -> Iterator[Row]:
        """The lines of a sheet by its name; those of seasons are about this one."""
        if sheet in OF_RESULTS:
            return OF_RESULTS[sheet](self.store, tournament, season)
        if sheet == "versions":
            return sheets.versions(self.store)
        if self.accounts is None:
            return iter(())
        if sheet in OF_MARKS:
            about = self.store, self.accounts, self.usual, tournament, season, self.counts
            return OF_MARKS[sheet](*about)
        return {"submissions": submissions, "people": people, "log": log}[sheet](self.accounts)


def submissions(accounts: AccountStore) -> Iterator[Row]:
    for upload in accounts.each_upload():
        yield row(SUBMISSIONS, upload, bot=upload.bot or None, reason=upload.reason or None)


def people(accounts: AccountStore) -> Iterator[Row]:
    students = accounts.students()
    for person in accounts.people():
        student = students.get(person.id, Student())
        yield row(
            PEOPLE,
            person,
            number=student.number or None,
            teams="; ".join(team.name for team in person.teams) or None,
            excuse=student.reason or None,
            deadline=student.deadline,
        )


def log(accounts: AccountStore) -> Iterator[Row]:
    """All that was done or requested; it is read a few hundred entries at a time."""
    before: int | None = None
    while True:
        entries, before = accounts.log(AT_ONCE, before)
        for entry in entries:
            yield row(
                LOG,
                entry,
                person=entry.person or None,
                about=entry.about or None,
                details=json.dumps(entry.details) if entry.details else None,
                answer=entry.answer or None,
            )
        if before is None:
            return


OF_ARENA = ("people", "submissions", "versions", "log")
"""The sheets about the whole arena that an archive has."""

README = """An archive of the tournaments {names}.

It was written on {when}. It has names, addresses, marks and
programs of people: keep it where nobody else can read it.

people.csv        everybody with an account, student numbers and excuses
submissions.csv   every upload, late ones marked
versions.csv      every version of every bot, with the SHA-256 of its bundle
log.csv           who did what, and when
bots/BOT/N.tar.gz the files of version N of a bot that was in a season
TOURNAMENT/N/     of season N:
  standings.csv matches.csv decisions.csv
  marks-last.csv marks-best.csv     the marks, by the last version that came in time or the best
  moodle-last.csv moodle-best.csv   the same for Moodle's import of grades
  TOURNAMENT-N.zip                  the season's file: `arena verify FILE` checks all of it
SHA256SUMS        the SHA-256 of each file: `sha256sum -c SHA256SUMS`

Each line of the marks names the season, its manifest and the ledger's head. `arena verify` of the
season's file deals, replays and counts everything again and compares it with these. The columns
are described in docs/sheets.md. Times are in UTC.
"""


class _Archive:
    """A zip that notes the SHA-256 of every file in it."""

    def __init__(self, target: IO[bytes]) -> None:
        self._zip = zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED)
        self._sums: list[str] = []

    def put(self, name: str, parts: Iterable[bytes]) -> None:
        found = hashlib.sha256()
        with self._zip.open(name, "w", force_zip64=True) as file:
            for part in parts:
                found.update(part)
                file.write(part)
        self._sums.append(f"{found.hexdigest()}  {name}\n")

    def close(self) -> None:
        """Add the sums and end the zip."""
        self._zip.writestr("SHA256SUMS", "".join(self._sums))
        self._zip.close()


def write_archive(target: IO[bytes], source: Source, tournaments: Sequence[str] = ()) -> None:
    """Write an archive of these tournaments to an open file; without any, of all that were played.

    Raises `UnknownSeason` for a tournament of which nothing is stored.
    """
    names = [*tournaments] or [line.name for line in read_tournaments(source.store)]
    seasons = [
        read_season(source.store, name, number)
        for name in names
        for number in read_season(source.store, name).seasons
    ]
    archive = _Archive(target)
    readme = README.format(names=", ".join(names) or "none", when=written(datetime.now(UTC)))
    archive.put("README.txt", [readme.encode()])
    for sheet in OF_ARENA:
        archive.put(f"{sheet}.csv", _csv(sheet, source.rows(sheet)))
    entered: set[str] = set()
    for season in seasons:
        _put_season(archive, source, season)
        for line in standings(source.store, season.tournament, season.number).standings:
            entered.add(f"{line.bot}@{line.version}")
    for name in sorted(entered):
        version = source.store.version(name)
        packed = source.store.archive(version.id)
        archive.put(f"bots/{version.bot}/{version.number}.tar.gz", [packed])
    archive.close()


def _put_season(archive: _Archive, source: Source, season: Season) -> None:
    name, number = season.tournament, season.number
    folder = f"{name}/{number}"
    for sheet in OF_RESULTS:
        archive.put(f"{folder}/{sheet}.csv", _csv(sheet, source.rows(sheet, name, number)))
    counts: Counts
    for counts in get_args(Counts):
        counting = replace(source, counts=counts)
        for sheet in OF_MARKS:
            rows = counting.rows(sheet, name, number)
            archive.put(f"{folder}/{sheet}-{counts}.csv", _csv(sheet, rows))
    with TemporaryFile() as file:
        source.store.export(name, number, file)
        file.seek(0)
        archive.put(f"{folder}/{file_name(name, number)}", _parts(file))


def _csv(sheet: str, rows: Iterable[Row]) -> Iterator[bytes]:
    return (part.encode() for part in as_csv(SHEETS[sheet], rows))


def _parts(file: IO[bytes]) -> Iterator[bytes]:
    while part := file.read(2**20):
        yield part

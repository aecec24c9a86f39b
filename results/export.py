"""Writing a stored season to a file that anybody can check."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from typing import IO

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from common.json import canonical
from results import records
from results.curtain import curtain_of
from results.database import Database
from results.errors import Unknown
from results.ledger import entries_between, head, manifest_of, standings_of
from results.models import MatchRow, SeasonRow, TournamentRow
from results.proof.manifest import FORMAT, Manifest
from results.proof.season_file import Facts, write
from results.repository import Repository

AT_ONCE = 200
"""How many matches are read at a time."""


@dataclass(frozen=True, slots=True)
class SeasonAsFile:
    """A season's file without its contents: files with the same `key` have the same ones."""

    season_id: int
    facts: Facts
    key: str

    @property
    def finished(self) -> bool:
        """Whether the season is over, so that its file stays as it is."""
        return self.facts.finished


class ExportRepository(Repository):
    """Seasons as files."""

    def season_as_file(self, tournament: str, number: int) -> SeasonAsFile:
        """What a season's file would be now; no match is read. Raises `Unknown`."""
        with self.database.reading() as session:
            row = _season(session, tournament, number)
            manifest = manifest_of(session, row.id)
            facts = _facts(row, tournament, manifest, head(session, row.tournament_id, number)[1])
            stated = [FORMAT, astuple(facts), standings_of(session, row)]
        key = hashlib.sha256(canonical(stated).encode()).hexdigest()
        return SeasonAsFile(row.id, facts, key)

    def export(self, tournament: str, number: int, target: IO[bytes]) -> Facts:
        """Write a season to an open file; without its seed while it runs.

        It is as it was at one moment, though matches may be stored meanwhile. Raises `Unknown`
        and `DamagedRecord`.
        """
        with self.database.reading() as session:
            row = _season(session, tournament, number)
            manifest = manifest_of(session, row.id)
            last, newest = head(session, row.tournament_id, number)
            until = session.scalar(
                select(func.max(MatchRow.id)).where(MatchRow.season_id == row.id)
            )
            facts = _facts(row, tournament, manifest, newest)
            standings = standings_of(session, row)
            ledger = entries_between(self.database, row.tournament_id, 1, last)
            matches = _lines(self.database, row.id, until or 0)
        told = (entry for _, entry in ledger)
        write(target, facts, manifest, told, matches, standings)
        return facts


def _season(session: Session, tournament: str, number: int) -> SeasonRow:
    """A season that whoever asks may have as a file; raises `Unknown`."""
    row = session.scalar(
        select(SeasonRow)
        .join(TournamentRow)
        .where(TournamentRow.name == tournament, SeasonRow.number == number)
    )
    if row is None:
        raise Unknown(f"nothing is stored of season {number} of the tournament {tournament[:80]!r}")
    curtain = curtain_of(session)
    if row.id in curtain.frozen or row.id in curtain.masked:
        raise Unknown(
            f"season {number} of {tournament} can be had as a file when everybody may see all its"
            " results"
        )
    return row


def _facts(row: SeasonRow, tournament: str, manifest: Manifest, newest: str) -> Facts:
    return Facts(
        tournament=tournament,
        season=row.number,
        finished=row.finished is not None,
        seed=row.seed.hex() if row.finished is not None else None,
        public_value=row.public_value,
        key=row.key_from,
        manifest=manifest.sha256,
        head=newest,
    )


def _lines(database: Database, season_id: int, until: int) -> Iterator[str]:
    """The lines of a season's matches that were stored by then, in the order of their keys.

    They are read a few at a time, so a writer never waits long.
    """
    matches = (
        select(MatchRow.id, MatchRow.key, MatchRow.leg, MatchRow.round, MatchRow.labels)
        .where(MatchRow.season_id == season_id, MatchRow.id <= until)
        .order_by(MatchRow.key)
        .limit(AT_ONCE)
    )
    last = ""
    while True:
        with database.reading() as session:
            rows = session.execute(matches.where(MatchRow.key > last)).all()
            found = [*records.lines(session, rows)]
        if not rows:
            return
        yield from found
        last = rows[-1].key

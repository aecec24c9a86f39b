"""Writing a stored season to a file that anybody can check."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import IO

from sqlalchemy import select

from leaderboard.proof.season_file import Facts, head_of, write
from leaderboard.storage import audit
from leaderboard.storage.curtain import curtain_of
from leaderboard.storage.database import Database, StoreError, Unknown
from leaderboard.storage.ledger import entries, manifest_of, standings_of
from leaderboard.storage.models import MatchRow, SeasonRow, SeatRow, TournamentRow
from leaderboard.storage.repository import Repository


class NoManifest(StoreError):
    """A season has no manifest, so there is nothing to export."""


class ExportRepository(Repository):
    """Seasons as files."""

    def export(self, tournament: str, number: int, target: IO[bytes]) -> Facts:
        """Write a season to an open file; without its seed while it runs.

        It is as it was at one moment, though matches may be stored meanwhile. Raises `Unknown`,
        `NoManifest` and `DamagedRecord`.
        """
        with self.database.reading() as session:
            row = session.scalar(
                select(SeasonRow)
                .join(TournamentRow)
                .where(TournamentRow.name == tournament, SeasonRow.number == number)
            )
            if row is None:
                raise Unknown(
                    f"nothing is stored of season {number} of the tournament {tournament[:80]!r}"
                )
            curtain = curtain_of(session)
            if row.id in curtain.frozen or row.id in curtain.masked:
                raise Unknown(
                    f"season {number} of {tournament} can be had as a file when everybody may see"
                    " all its results"
                )
            manifest = manifest_of(session, row.id)
            if manifest is None:
                raise NoManifest(
                    f"season {number} of {tournament} was begun by an arena that made no manifests,"
                    " so it can't be exported; `arena verify` checks it here"
                )
            told = entries(session, row.tournament_id, number)
            keys = session.scalars(
                select(MatchRow.key).where(MatchRow.season_id == row.id).order_by(MatchRow.key)
            ).all()
            facts = Facts(
                tournament=tournament,
                season=number,
                finished=row.finished is not None,
                seed=row.seed.hex() if row.finished is not None else None,
                public_value=row.public_value,
                key=row.key_from,
                manifest=manifest.sha256,
                head=head_of(told),
            )
            standings = standings_of(session, row)
        write(target, facts, manifest, told, _lines(self.database, keys), standings)
        return facts


def _lines(database: Database, keys: Sequence[str]) -> Iterator[str]:
    """The lines of these matches; they are read one at a time, so a writer never waits long."""
    for key in keys:
        with database.reading() as session:
            match = session.execute(select(MatchRow).where(MatchRow.key == key)).scalar_one()
            seats = session.execute(
                select(SeatRow.version_id, SeatRow.side)
                .where(SeatRow.match_id == match.id)
                .order_by(SeatRow.seat)
            ).all()
            versions, sides = zip(*seats, strict=True)
            line = audit.line(session, match, versions, sides)
        yield line

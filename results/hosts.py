"""Which hosts of a cluster played which matches."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from common.hosts import Host
from results.models import HostRow, MatchRow, PlayedOnRow, SeasonHostRow
from results.repository import Repository


class HostRepository(Repository):
    """Hosts, and what they played."""

    def hosts(self, season_id: int) -> Sequence[Host]:
        """The hosts that played matches of a season, the one first that first joined."""
        with self.database.reading() as session:
            rows = session.scalars(
                select(HostRow)
                .join(SeasonHostRow, SeasonHostRow.host_id == HostRow.id)
                .where(SeasonHostRow.season_id == season_id)
                .order_by(HostRow.id)
            )
            return [Host.from_data(row.facts) for row in rows]

    def matches_by_host(self, season_id: int) -> Sequence[tuple[Host, int]]:
        """The hosts that played a season, and how many of its matches; the busiest first."""
        with self.database.reading() as session:
            rows = session.execute(
                select(HostRow, SeasonHostRow.matches)
                .join(SeasonHostRow, SeasonHostRow.host_id == HostRow.id)
                .where(SeasonHostRow.season_id == season_id)
                .order_by(SeasonHostRow.matches.desc(), HostRow.name, HostRow.id)
            )
            return [(Host.from_data(row.facts), matches) for row, matches in rows]

    def host_of(self, key: str) -> Host | None:
        """The host that played a match; None for one that the runner's own machine played."""
        with self.database.reading() as session:
            row = session.scalar(
                select(HostRow)
                .join(PlayedOnRow, PlayedOnRow.host_id == HostRow.id)
                .join(MatchRow, MatchRow.id == PlayedOnRow.match_id)
                .where(MatchRow.key == key)
            )
            return None if row is None else Host.from_data(row.facts)


def note_host(session: Session, season_id: int, match_id: int, host: Host) -> None:
    """Store which host played a match, in the transaction that stores the match.

    The season's row is locked, so nobody else counts its matches meanwhile.
    """
    host_id = _id_of(session, host)
    session.add(PlayedOnRow(match_id=match_id, host_id=host_id))
    counted = session.execute(
        update(SeasonHostRow)
        .where(SeasonHostRow.season_id == season_id, SeasonHostRow.host_id == host_id)
        .values(matches=SeasonHostRow.matches + 1)
    )
    if not counted.rowcount:  # type: ignore[attr-defined]
        session.add(SeasonHostRow(season_id=season_id, host_id=host_id, matches=1))
    session.flush()


def _id_of(session: Session, host: Host) -> int:
    """The number of a host; only the program with the lease makes new ones."""
    found = session.scalar(select(HostRow.id).where(HostRow.digest == host.sha256))
    if found is not None:
        return found
    row = HostRow(
        digest=host.sha256, name=host.name, facts=host.to_data(), joined=datetime.now(UTC)
    )
    session.add(row)
    session.flush()
    return row.id

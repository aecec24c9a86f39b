"""Making the door's database smaller by what nobody needs any more."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import ColumnElement, func, select, update

from common.moments import day
from leaderboard.door.entries import WAITS
from leaderboard.door.storage.models import UploadRow
from leaderboard.storage.pruning import SHORT, Prunable, Pruned, batched
from leaderboard.storage.repository import Repository


class UploadPruneRepository(Repository):
    """Taking away what uploads have left behind."""

    def prunable_upload_logs(self, before: datetime) -> Prunable:
        """The logs of uploads that were settled before a moment, where they are not short."""
        query = select(func.count(), func.coalesce(func.sum(func.length(UploadRow.log)), 0))
        with self.database.reading() as session:
            return Prunable(*session.execute(query.where(*_prunable(before))).one())

    def prune_upload_logs(self, before: datetime) -> Pruned:
        """Put a sentence in the place of these logs; what became of an upload stays."""
        sentence = f"(pruned on {day(datetime.now(UTC))})\n"
        found = self.prunable_upload_logs(before)
        with self.database.reading() as session:
            keys = session.scalars(select(UploadRow.id).where(*_prunable(before))).all()
        for some in batched(keys):
            with self.database.writing() as session:
                session.execute(
                    update(UploadRow)
                    .where(UploadRow.id.in_(some), *_prunable(before))
                    .values(log=sentence)
                )
        return Pruned(found.pieces, found.size - found.pieces * len(sentence))


def _prunable(before: datetime) -> tuple[ColumnElement[bool], ...]:
    return (
        UploadRow.changed < before,
        UploadRow.state.not_in(WAITS),
        func.length(UploadRow.log) > SHORT,
    )

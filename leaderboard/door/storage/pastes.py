"""The program that somebody pasted last, so that it can be mended where it was pasted."""

from __future__ import annotations

from common.escaping import storable
from leaderboard.door.entries import Paste
from leaderboard.door.storage.models import PasteRow, PersonRow
from leaderboard.storage.repository import Repository


class PasteRepository(Repository):
    """One program a person, which the next one replaces."""

    def keep_paste(self, person_id: int, upload_id: int, paste: Paste) -> None:
        """Remember what somebody pasted, and the upload that it is."""
        row = PasteRow(
            person_id=person_id,
            upload_id=upload_id,
            name=paste.name,
            language=paste.language,
            protocol=paste.protocol,
            games=list(paste.games),
            source=storable(paste.source),
        )
        with self.database.writing() as session:
            session.get(PersonRow, person_id, with_for_update=True)  # one after the other
            session.merge(row)

    def paste(self, person_id: int, upload_id: int) -> Paste | None:
        """What somebody pasted as this upload; None if nothing, or if they pasted again since."""
        with self.database.reading() as session:
            row = session.get(PasteRow, person_id)
            if row is None or row.upload_id != upload_id:
                return None
            return Paste(row.name, row.language, row.protocol, tuple(row.games), row.source)

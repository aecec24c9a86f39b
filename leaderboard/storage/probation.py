"""Putting bots on probation in the transaction of the match after which they have to be."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from leaderboard.finished import Finished
from leaderboard.proof.interventions import Intervention
from leaderboard.statistics.probation import failing, later
from leaderboard.storage.interventions import interventions_of, record
from leaderboard.storage.models import EntrantRow, SeasonRow


def put_on_probation(session: Session, season_id: int, match_id: int, match: Finished) -> bool:
    """Look at the entrants of a match that is being stored; say whether one has to leave."""
    rows = session.execute(
        select(EntrantRow.version_id, EntrantRow.lately).where(
            EntrantRow.season_id == season_id, EntrantRow.version_id.in_(match.versions)
        )
    )
    before = {row.version_id: row.lately for row in rows}
    failed = []
    for version, answers in zip(match.versions, match.answers, strict=True):
        lately = later(before.get(version, ""), answers)
        session.execute(
            update(EntrantRow)
            .where(EntrantRow.season_id == season_id, EntrantRow.version_id == version)
            .values(lately=lately)
        )
        if reason := failing(lately):
            failed.append((version, reason))
    if not failed:
        return False
    known = interventions_of(session, season_id)
    gone = {each.version for each in known if each.leaves}
    row = session.get_one(SeasonRow, season_id)
    new = [each for each in failed if each[0] not in gone]
    for number, (version, reason) in enumerate(new, start=len(known) + 1):
        now = datetime.now(UTC).replace(microsecond=0)
        what = Intervention(number, 0, now, "probation", reason, version, after=match_id)
        record(session, row, what)
    return bool(new)

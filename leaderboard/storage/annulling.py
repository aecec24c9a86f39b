"""Annulling a match or a season: it stays as it is, and counts for nothing."""

from __future__ import annotations

from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from leaderboard.storage.chair_sums import add_again
from leaderboard.storage.counting import RATED
from leaderboard.storage.counts import recount
from leaderboard.storage.models import EntrantRow, MatchRow, SeasonRow, SeatRow
from leaderboard.storage.models_of_counts import TallyRow


def annul_match(session: Session, row: SeasonRow, key: str) -> None:
    """Let a match count for nothing: no sums, and no ratings, which are folded anew from there."""
    match = session.execute(
        select(MatchRow).where(MatchRow.season_id == row.id, MatchRow.key == key)
    ).scalar_one()
    match.annulled = True
    session.execute(update(SeatRow).where(SeatRow.match_id == match.id).values(mu=None, sigma=None))
    session.flush()
    recount(session, row.id)
    add_again(session, row.id)
    _forget_tally(session, row)
    versions = session.scalars(select(SeatRow.version_id).where(SeatRow.match_id == match.id)).all()
    for version in versions:
        newest = session.execute(
            select(SeatRow.mu, SeatRow.sigma)
            .join(MatchRow, MatchRow.id == SeatRow.match_id)
            .where(
                SeatRow.season_id == row.id,
                SeatRow.version_id == version,
                SeatRow.mu.is_not(None),
            )
            .order_by(MatchRow.key.desc())
            .limit(1)
        ).first()
        mu, sigma = newest or (None, None)
        session.execute(
            update(EntrantRow)
            .where(EntrantRow.season_id == row.id, EntrantRow.version_id == version)
            .values(mu=mu, sigma=sigma, lately="")
        )
    if row.rated:
        row.unrated_from = key if row.unrated_from is None else min(key, row.unrated_from)


def annul_season(session: Session, row: SeasonRow) -> None:
    """Let a season count for nothing; the ratings of later ones are folded anew."""
    row.annulled = True
    row.unrated_from = None
    for table in (SeatRow, EntrantRow):
        session.execute(update(table).where(table.season_id == row.id).values(mu=None, sigma=None))
    _forget_tally(session, row)
    session.flush()
    following = session.scalar(
        select(SeasonRow)
        .where(SeasonRow.tournament_id == row.tournament_id, SeasonRow.number > row.number, RATED)
        .order_by(SeasonRow.number)
        .limit(1)
        .with_for_update()
    )
    if row.rated and following is not None:
        following.unrated_from = ""


def _forget_tally(session: Session, row: SeasonRow) -> None:
    """Drop what the next season would go on from, if this season is in it."""
    later = select(SeasonRow.id).where(
        SeasonRow.tournament_id == row.tournament_id, SeasonRow.number >= row.number
    )
    session.execute(delete(TallyRow).where(TallyRow.season_id.in_(later)))

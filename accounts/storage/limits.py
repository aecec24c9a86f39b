"""Limits on uploads: for everybody, and for one team with its extension."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from card_arena.accounts.entries import Limits, Quota, Team
from card_arena.accounts.storage.audit_log import note
from card_arena.accounts.storage.models import LimitRow, TeamRow
from card_arena.accounts.storage.people import BadAccount, student_of, team_of
from card_arena.common.errors import UserError
from card_arena.common.moments import in_utc, to_iso
from card_arena.common.text import storable
from card_arena.results.database import Repository
from card_arena.results.errors import checked_reason

EVERYBODY = 0
"""The number of a team that stands for all of them."""

MOST = 10_000
LARGEST = 2**30
LONGEST_GRACE = timedelta(days=30)


class BadLimit(UserError):
    """A limit can't be set; the message says what was expected."""


class LimitRepository(Repository):
    """Limits that organisers set on the admin pages, over those of arena.yaml."""

    def quota(self, team_id: int, usual: Quota, person_id: int | None = None) -> Quota:
        """The limits of a team: those set for it, else for everybody, else the usual ones.

        For one of its people, an excuse of theirs counts as well.
        """
        with self.database.reading() as session:
            return quota_of(session, team_id, usual, person_id)

    def largest(self, usual: Quota) -> int:
        """The bytes of the largest upload that any team may make."""
        with self.database.reading() as session:
            return max(usual.size, session.scalar(select(func.max(LimitRow.size))) or 0)

    def limits(self) -> tuple[Limits | None, Mapping[Team, Limits]]:
        """What is set for everybody, None if nothing is, and for each team, in order of name."""
        query = (
            select(LimitRow, TeamRow)
            .join(TeamRow, TeamRow.id == LimitRow.team_id)
            .order_by(TeamRow.name)
        )
        with self.database.reading() as session:
            everybody = session.get(LimitRow, EVERYBODY)
            teams = {team_of(team): _entry(row) for row, team in session.execute(query).all()}
            return (None if everybody is None else _entry(everybody)), teams

    def set_limits(self, limits: Limits, team: str | None = None, by: int | None = None) -> None:
        """Set the limits of everybody, or of one team, in place of those set before.

        Raises `BadLimit` and `BadReason`, and `BadAccount` for an unknown team.
        """
        limits = checked(limits)
        with self.database.writing() as session:
            number = _number(session, team)
            row = session.get(LimitRow, number)
            if row is None:
                row = LimitRow(team_id=number)
                session.add(row)
            for name, value in limits:
                seconds = value.total_seconds() if isinstance(value, timedelta) else value
                setattr(row, name, storable(seconds) if isinstance(seconds, str) else seconds)
            note(session, by, "limit", team or "everybody", **_told(limits))

    def clear_limits(self, team: str | None = None, by: int | None = None) -> None:
        """Take back what was set for everybody, or for one team; raises `BadAccount`."""
        with self.database.writing() as session:
            row = session.get(LimitRow, _number(session, team))
            if row is not None:
                session.delete(row)
                note(session, by, "limit as usual", team or "everybody")


def quota_of(session: Session, team_id: int, usual: Quota, person_id: int | None = None) -> Quota:
    """The limits of a team, or of one of its people, as read in a transaction."""
    rows = {
        row.team_id: row
        for row in session.scalars(
            select(LimitRow).where(LimitRow.team_id.in_((EVERYBODY, team_id)))
        )
    }
    for number in (EVERYBODY, team_id):
        if number in rows:
            usual = _entry(rows[number]).over(usual)
    return usual.excused(student_of(session, person_id))


def checked(limits: Limits) -> Limits:
    """These limits; raises `BadLimit` for one that is too small or too large, and `BadReason`."""
    whole = {
        "uploads a day": limits.a_day,
        "bots": limits.bots,
        "bots a person": limits.bots_a_person,
    }
    for what, value in whole.items():
        if value is not None and not 1 <= value <= MOST:
            raise BadLimit(f"{what} must be from 1 to {MOST}; got {value}")
    if limits.size is not None and not 1 <= limits.size <= LARGEST:
        raise BadLimit("the size must be from 1B to 1GiB")
    if limits.deadline is not None:
        # what decides is what is shown, and that is to the second
        deadline = in_utc(limits.deadline).replace(microsecond=0)
        limits = limits.model_copy(update={"deadline": deadline})
    if limits.grace is not None and not timedelta() <= limits.grace <= LONGEST_GRACE:
        raise BadLimit(f"the grace must be from 0 to {LONGEST_GRACE.days} days")
    if limits.reason:
        return limits.model_copy(update={"reason": checked_reason(limits.reason)})
    return limits


def _number(session: Session, team: str | None) -> int:
    if team is None:
        return EVERYBODY
    found = session.scalar(select(TeamRow.id).where(TeamRow.name == team))
    if found is None:
        raise BadAccount(f"no team is called {team[:80]!r}")
    return found


def _entry(row: LimitRow) -> Limits:
    return Limits.model_validate(row)


def _told(limits: Limits) -> Mapping[str, object]:
    """What is set, as the log keeps it."""
    return {
        name: to_iso(value)
        if isinstance(value, datetime)
        else value.total_seconds()
        if isinstance(value, timedelta)
        else value
        for name, value in limits.given.items()
    }

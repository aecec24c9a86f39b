"""The operations on people, which are carried out at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeAlias

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from card_arena.accounts.entries import AuditEntry
from card_arena.accounts.storage.audit_log import entry_of, note
from card_arena.accounts.storage.models import (
    IdentityRow,
    InvitationRow,
    MemberRow,
    PersonRow,
    TeamRow,
)
from card_arena.accounts.storage.people import (
    BadAccount,
    by_email,
    join_team,
    printable,
    set_number,
    team_called,
)
from card_arena.accounts.storage.sessions import end_access
from card_arena.results.database import Repository
from card_arena.results.errors import checked_reason

Change: TypeAlias = Callable[[Session, PersonRow, Mapping[str, Any]], str]
"""Changes a person in a transaction, and returns a sentence for the log."""


class PersonChangeRepository(Repository):
    """The operations on people."""

    def change_person(
        self, operation: str, email: str, by: int | None = None, **details: Any
    ) -> AuditEntry:
        """Carry out an operation on a person; raises `BadAccount` and `BadReason`."""
        if "reason" in details:
            details["reason"] = checked_reason(details["reason"])
        with self.database.writing() as session:
            row = by_email(session, email)
            if row.id == by and (operation == "suspend" or details.get("role") == "author"):
                raise BadAccount(
                    "you cannot suspend your own account, or give up its role as organiser:"
                    " ask another organiser"
                )
            answer = CHANGES[operation](session, row, details)
            entry = note(session, by, operation, row.email, **details)
            entry.answer = f"{row.email} {answer}"
            return entry_of(session, entry)


def _set_role(_: Session, row: PersonRow, details: Mapping[str, Any]) -> str:
    row.role = details["role"]
    return f"is an {row.role}"


def _suspend(session: Session, row: PersonRow, _: Mapping[str, Any]) -> str:
    row.suspended = row.suspended or datetime.now(UTC)
    end_access(session, row.id)
    session.execute(delete(InvitationRow).where(InvitationRow.by == row.id))
    return "is suspended"


def _restore(_: Session, row: PersonRow, __: Mapping[str, Any]) -> str:
    row.suspended = None
    return "can sign in again, with a new link"


def _sign_out(session: Session, row: PersonRow, _: Mapping[str, Any]) -> str:
    end_access(session, row.id)
    return "is signed out everywhere, and their links and tokens have ended"


def _unlink(session: Session, row: PersonRow, _: Mapping[str, Any]) -> str:
    session.execute(delete(IdentityRow).where(IdentityRow.person_id == row.id))
    end_access(session, row.id)
    return "is linked to no other account; the next one with this address is linked to it"


def _move(session: Session, row: PersonRow, details: Mapping[str, Any]) -> str:
    team = printable(details["team"], "the team's name")
    left = session.execute(
        select(MemberRow, TeamRow.name)
        .join(TeamRow, TeamRow.id == MemberRow.team_id)
        .where(MemberRow.person_id == row.id, TeamRow.name != team)
        .order_by(TeamRow.name)
    ).all()
    for member, _ in left:
        session.delete(member)
    join_team(session, row.id, team_called(session, team, datetime.now(UTC)))
    before = f", and no longer in {', '.join(name for _, name in left)}" if left else ""
    return f"is in {team}{before}"


def _set_number(session: Session, row: PersonRow, details: Mapping[str, Any]) -> str:
    number = set_number(session, row, details.get("number", ""))
    return f"has the student number {number}" if number else "has no student number"


CHANGES: Mapping[str, Change] = {
    "role": _set_role,
    "suspend": _suspend,
    "restore": _restore,
    "sign-out": _sign_out,
    "unlink": _unlink,
    "team": _move,
    "number": _set_number,
}

"""The log of all that people did, and of what they requested."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Select, func, or_, select, update
from sqlalchemy.orm import Session

from card_arena.accounts.entries import AuditEntry, AuditState
from card_arena.accounts.storage.models import AuditRow, MemberRow, PersonRow, TeamRow
from card_arena.results.database import Repository


def note(
    session: Session, person_id: int | None, what: str, about: str = "", **details: Any
) -> AuditRow:
    """Write an entry in the transaction in which something is done.

    `what` is a word such as "invite", `about` the name of what it was done to.
    """
    row = AuditRow(
        at=datetime.now(UTC), person_id=person_id, what=what, about=about, details=details
    )
    session.add(row)
    return row


class AuditRepository(Repository):
    """Reading the log, which is written by whatever does something; and requesting operations."""

    def audit_log(
        self, most: int = 100, before: int | None = None, searched: str = ""
    ) -> Sequence[AuditEntry]:
        """The newest entries, newest first; only those older than the entry `before`, if given.

        `searched` is part of what was done, of what it was done to, or of who did it.
        """
        query = _entries()
        if before is not None:
            query = query.where(AuditRow.id < before)
        if searched:
            columns = (AuditRow.what, AuditRow.about, PersonRow.name, PersonRow.email)
            query = query.where(
                or_(*(each.icontains(searched, autoescape=True) for each in columns))
            )
        with self.database.reading() as session:
            return [
                _entry(row)
                for row in session.execute(query.order_by(AuditRow.id.desc()).limit(most))
            ]

    def log(
        self, most: int = 100, before: int | None = None, searched: str = ""
    ) -> tuple[Sequence[AuditEntry], int | None]:
        """The same, and what `before` has to be for those that are older still; None if none is."""
        found = self.audit_log(most + 1, before, searched)
        return found[:most], found[most - 1].id if len(found) > most else None

    def audit_entry(self, entry_id: int) -> AuditEntry | None:
        """An entry by its number; None if there is none."""
        with self.database.reading() as session:
            row = session.execute(_entries().where(AuditRow.id == entry_id)).one_or_none()
            return None if row is None else _entry(row)

    def operations_on(
        self, about: str, most: int = 5, *, whats: Collection[str], since: datetime
    ) -> Sequence[AuditEntry]:
        """The operations on something, the newest first, with what became of it.

        Only operations of these kinds, and only those since it was there: tournaments have the
        names of bots, and a name that was given up is given again.
        """
        ordered = or_(AuditRow.state != "done", AuditRow.answer != "")
        meant = AuditRow.about == about, AuditRow.what.in_(whats), AuditRow.at >= since
        query = _entries().where(*meant, ordered).order_by(AuditRow.id.desc())
        with self.database.reading() as session:
            return [_entry(row) for row in session.execute(query.limit(most))]

    def is_kept_out(self, bots: Collection[str]) -> bool:
        """Whether organisers have withdrawn a bot since it was last readmitted.

        `bots` are all names that it has or had. What waits counts as well. A bot of this name that
        was deleted was another one.
        """
        query = (
            select(AuditRow)
            .where(
                AuditRow.about.in_(bots),
                AuditRow.what.in_(("withdraw", "readmit", "delete")),
                AuditRow.state != "declined",
            )
            .order_by(AuditRow.id.desc())
        )
        with self.database.reading() as session:
            for entry in session.scalars(query):
                is_gone = entry.state == "done" and entry.details.get("number") is None
                if entry.what == "readmit" or (entry.what == "delete" and is_gone):
                    return False
                if entry.what == "withdraw" and entry.organiser:
                    return True
        return False

    def may_still(self, entry_id: int, author: str | None) -> bool:
        """Whether the person who requested an operation still may.

        They must not be suspended, and must be an organiser or in the team of this `author`, if one
        is given. The arena's own shell always may.
        """
        member = (
            select(MemberRow.person_id)
            .join(TeamRow, TeamRow.id == MemberRow.team_id)
            .where(TeamRow.author == author, MemberRow.person_id == AuditRow.person_id)
        )
        query = (
            select(AuditRow.person_id, PersonRow.role, PersonRow.suspended, member.exists())
            .outerjoin(PersonRow, PersonRow.id == AuditRow.person_id)
            .where(AuditRow.id == entry_id)
        )
        with self.database.reading() as session:
            person_id, role, suspended, belongs = session.execute(query).one()
        return person_id is None or (suspended is None and (role == "organiser" or belongs))

    def request_operation(
        self, person_id: int | None, what: str, about: str, **details: Any
    ) -> AuditEntry:
        """Have something done by the program that plays, which alone writes results.

        `what` is one of the kinds of tournament/operations.py, `about` the bot or the
        tournament that it is about. `may_still` is asked again when it is carried out.
        Raises `UnicodeEncodeError` for what is no text.
        """
        # JSON would keep what is no text, and nobody could carry the order out
        json.dumps([what, about, details], ensure_ascii=False).encode()
        role = select(PersonRow.role).where(PersonRow.id == person_id)
        with self.database.writing() as session:
            row = AuditRow(
                at=datetime.now(UTC),
                person_id=person_id,
                what=what,
                about=about,
                details=details,
                state="waiting",
                organiser=person_id is None or session.scalar(role) == "organiser",
            )
            session.add(row)
            return entry_of(session, row)

    def requested(self, what: str, about: str, since: datetime) -> int:
        """How often something was requested about something since then."""
        query = select(func.count()).where(
            AuditRow.what == what, AuditRow.about == about, AuditRow.at > since
        )
        with self.database.reading() as session:
            return session.scalars(query).one()

    def waiting_operations(self, most: int = 100) -> Sequence[AuditEntry]:
        """The operations that wait, the oldest first."""
        query = _entries().where(AuditRow.state == "waiting").order_by(AuditRow.id).limit(most)
        with self.database.reading() as session:
            return [_entry(row) for row in session.execute(query)]

    def answer(self, entry_id: int, state: AuditState, answer: str) -> None:
        """Say what became of an operation; one that has been answered stays as it is."""
        waits = (AuditRow.id == entry_id, AuditRow.state == "waiting")
        with self.database.writing() as session:
            session.execute(update(AuditRow).where(*waits).values(state=state, answer=answer))


def _entries() -> Select[AuditRow, str | None]:
    return select(AuditRow, PersonRow.name).outerjoin(PersonRow, PersonRow.id == AuditRow.person_id)


def entry_of(session: Session, row: AuditRow) -> AuditEntry:
    """An entry as everybody else reads it, in the transaction that wrote it."""
    session.flush()
    return _entry(session.execute(_entries().where(AuditRow.id == row.id)).one())


def _entry(found: Any) -> AuditEntry:
    row, name = found
    return AuditEntry(
        id=row.id,
        at=row.at,
        person=name or "",
        person_id=row.person_id,
        what=row.what,
        about=row.about,
        details=row.details,
        state=row.state,
        answer=row.answer,
    )

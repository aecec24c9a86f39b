"""Students: their numbers at their university, and what organisers excuse them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, UniqueConstraint, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from common.moments import in_utc, to_iso
from leaderboard.door.entries import Student
from leaderboard.door.storage.acts import note
from leaderboard.door.storage.models import Base, PersonRow
from leaderboard.door.storage.people import BadAccount, by_email, printable
from leaderboard.storage.reasons import checked_reason
from leaderboard.storage.repository import Repository

LONGEST_NUMBER = 40


class StudentRow(Base):
    """What a course knows of a person: their number, and the `reason` of an excuse.

    `deadline` is one that an organiser has given to this person alone.
    """

    __tablename__ = "students"
    __table_args__ = (UniqueConstraint("number"),)

    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), primary_key=True)
    number: Mapped[str | None]
    reason: Mapped[str]
    deadline: Mapped[datetime | None]


class StudentRepository(Repository):
    """What a course knows of people; every change is in the log."""

    def students(self) -> Mapping[int, Student]:
        """The students of whom anything is known, by the number of the person."""
        with self.database.reading() as session:
            return {row.person_id: _entry(row) for row in session.scalars(select(StudentRow))}

    def student(self, person_id: int) -> Student:
        """What is known of a person as a student."""
        with self.database.reading() as session:
            return student_of(session, person_id)

    def set_number(self, email: str, number: str, by: int | None = None) -> None:
        """Set a person's student number; an empty one takes it away. Raises `BadAccount`."""
        number = checked_number(number)
        with self.database.writing() as session:
            person = by_email(session, email)
            if number:
                other = session.scalar(
                    select(PersonRow.email)
                    .join(StudentRow, StudentRow.person_id == PersonRow.id)
                    .where(StudentRow.number == number, PersonRow.id != person.id)
                )
                if other is not None:
                    raise BadAccount(
                        f"the student number {number!r} belongs to {other}: check both"
                    )
            _row(session, person.id).number = number or None
            note(session, by, "set a student number", person.email, number=number)

    def demand_free_numbers(self, wanted: Mapping[str, str]) -> None:
        """Raise `BadAccount` unless each address may have the student number beside it."""
        seen: dict[str, str] = {}
        for email, number in wanted.items():
            if number and seen.setdefault(number, email) != email:
                raise BadAccount(
                    f"the student number {number!r} stands beside {seen[number]} and {email}"
                )
        query = (
            select(StudentRow.number, PersonRow.email)
            .join(PersonRow, StudentRow.person_id == PersonRow.id)
            .where(StudentRow.number.is_not(None))
        )
        with self.database.reading() as session:
            for held, email in session.execute(query):
                if seen.get(held or "", email) != email:
                    raise BadAccount(f"the student number {held!r} belongs to {email}: check both")

    def excuse(
        self, email: str, reason: str, deadline: datetime | None = None, by: int | None = None
    ) -> None:
        """Excuse a person, with a later deadline if one is given, in place of an excuse before.

        Raises `BadAccount` and `BadReason`.
        """
        reason = checked_reason(reason)
        deadline = None if deadline is None else in_utc(deadline).replace(microsecond=0)
        with self.database.writing() as session:
            person = by_email(session, email)
            row = _row(session, person.id)
            row.reason, row.deadline = reason, deadline
            told: dict[str, Any] = {"reason": reason}
            if deadline is not None:
                told["deadline"] = to_iso(deadline)
            note(session, by, "excuse", person.email, **told)

    def take_excuse_back(self, email: str, by: int | None = None) -> None:
        """Take a person's excuse back; raises `BadAccount`."""
        with self.database.writing() as session:
            person = by_email(session, email)
            row = _row(session, person.id)
            if row.reason or row.deadline is not None:
                row.reason, row.deadline = "", None
                note(session, by, "take an excuse back", person.email)


def student_of(session: Session, person_id: int | None) -> Student:
    """What is known of a person as a student, as read in a transaction."""
    row = None if person_id is None else session.get(StudentRow, person_id)
    return Student() if row is None else _entry(row)


def checked_number(number: str) -> str:
    """Return a student number, empty for none; raises `BadAccount`."""
    number = number.strip()
    if len(number) > LONGEST_NUMBER:
        raise BadAccount(f"a student number has at most {LONGEST_NUMBER} characters")
    return printable(number, "the student number") if number else ""


def _row(session: Session, person_id: int) -> StudentRow:
    row = session.get(StudentRow, person_id)
    if row is None:
        row = StudentRow(person_id=person_id, number=None, reason="", deadline=None)
        session.add(row)
    return row


def _entry(row: StudentRow) -> Student:
    return Student(row.number or "", row.reason, row.deadline)

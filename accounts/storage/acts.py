"""The log of all that people did, and of what they ordered."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Select, func, or_, select, update
from sqlalchemy.orm import Session

from accounts.entries import Act, ActState
from accounts.storage.models import ActRow, MemberRow, PersonRow, TeamRow
from results.repository import Repository


def note(
    session: Session, person_id: int | None, what: str, about: str = "", **details: Any
) -> None:
    """Write something down in the transaction in which it is done.

    `what` is a word such as "invite", `about` the name of what it was done to.
    """
    row = ActRow(at=datetime.now(UTC), person_id=person_id, what=what, about=about, details=details)
    session.add(row)


class ActRepository(Repository):
    """Reading the log, which is written by whatever does something; and giving orders."""

    def acts(self, most: int = 100, before: int | None = None, searched: str = "") -> Sequence[Act]:
        """The newest acts, newest first; only those older than the act `before`, if it is given.

        `searched` is part of what was done, of what it was done to, or of who did it.
        """
        query = _acts()
        if before is not None:
            query = query.where(ActRow.id < before)
        if searched:
            columns = (ActRow.what, ActRow.about, PersonRow.name, PersonRow.email)
            query = query.where(
                or_(*(each.icontains(searched, autoescape=True) for each in columns))
            )
        with self.database.reading() as session:
            return [
                _act(row) for row in session.execute(query.order_by(ActRow.id.desc()).limit(most))
            ]

    def log(
        self, most: int = 100, before: int | None = None, searched: str = ""
    ) -> tuple[Sequence[Act], int | None]:
        """The same, and what `before` has to be for those that are older still; None if none is."""
        found = self.acts(most + 1, before, searched)
        return found[:most], found[most - 1].id if len(found) > most else None

    def act(self, act_id: int) -> Act | None:
        """An act by its number; None if there is none."""
        with self.database.reading() as session:
            row = session.execute(_acts().where(ActRow.id == act_id)).one_or_none()
            return None if row is None else _act(row)

    def orders_about(
        self, about: str, most: int = 5, *, whats: Collection[str], since: datetime
    ) -> Sequence[Act]:
        """What was ordered about something, the newest first, with what became of it.

        Only orders of these kinds, and only those since it was there: tournaments have the names of
        bots, and a name that was given up is given again.
        """
        ordered = or_(ActRow.state != "done", ActRow.answer != "")
        meant = ActRow.about == about, ActRow.what.in_(whats), ActRow.at >= since
        query = _acts().where(*meant, ordered).order_by(ActRow.id.desc())
        with self.database.reading() as session:
            return [_act(row) for row in session.execute(query.limit(most))]

    def is_kept_out(self, bots: Collection[str]) -> bool:
        """Whether organisers have withdrawn a bot since it was last let in again.

        `bots` are all names that it has or had. What waits counts as well. A bot of this name that
        was deleted was another one.
        """
        query = (
            select(ActRow)
            .where(
                ActRow.about.in_(bots),
                ActRow.what.in_(("withdraw", "readmit", "delete")),
                ActRow.state != "declined",
            )
            .order_by(ActRow.id.desc())
        )
        with self.database.reading() as session:
            for act in session.scalars(query):
                is_gone = act.state == "done" and act.details.get("number") is None
                if act.what == "readmit" or (act.what == "delete" and is_gone):
                    return False
                if act.what == "withdraw" and act.organiser:
                    return True
        return False

    def may_still(self, act_id: int, author: str | None) -> bool:
        """Whether whoever gave an order may still give it.

        They are not shut out, and are organisers or in the team of this `author`; without one, they
        are organisers. The arena's own shell may always.
        """
        member = (
            select(MemberRow.person_id)
            .join(TeamRow, TeamRow.id == MemberRow.team_id)
            .where(TeamRow.author == author, MemberRow.person_id == ActRow.person_id)
        )
        query = (
            select(ActRow.person_id, PersonRow.role, PersonRow.shut_out, member.exists())
            .outerjoin(PersonRow, PersonRow.id == ActRow.person_id)
            .where(ActRow.id == act_id)
        )
        with self.database.reading() as session:
            person_id, role, shut_out, belongs = session.execute(query).one()
        return person_id is None or (shut_out is None and (role == "organiser" or belongs))

    def order(self, person_id: int | None, what: str, about: str, **details: Any) -> Act:
        """Have something done by the program that plays, which alone writes results.

        `what` is one of the kinds of tournament/operations.py, `about` the bot or the
        tournament that it is about. `may_still` is asked again when it is carried out.
        Raises `UnicodeEncodeError` for what is no text.
        """
        # JSON would keep what is no text, and nobody could carry the order out
        json.dumps([what, about, details], ensure_ascii=False).encode()
        role = select(PersonRow.role).where(PersonRow.id == person_id)
        with self.database.writing() as session:
            row = ActRow(
                at=datetime.now(UTC),
                person_id=person_id,
                what=what,
                about=about,
                details=details,
                state="waiting",
                organiser=person_id is None or session.scalar(role) == "organiser",
            )
            session.add(row)
            session.flush()
            return _act(session.execute(_acts().where(ActRow.id == row.id)).one())

    def ordered(self, what: str, about: str, since: datetime) -> int:
        """How often something was ordered about something since then."""
        query = select(func.count()).where(
            ActRow.what == what, ActRow.about == about, ActRow.at > since
        )
        with self.database.reading() as session:
            return session.scalars(query).one()

    def orders(self, most: int = 100) -> Sequence[Act]:
        """The orders that wait, the oldest first."""
        query = _acts().where(ActRow.state == "waiting").order_by(ActRow.id).limit(most)
        with self.database.reading() as session:
            return [_act(row) for row in session.execute(query)]

    def answer(self, act_id: int, state: ActState, answer: str) -> None:
        """Say what became of an order; one that has been answered stays as it is."""
        waits = (ActRow.id == act_id, ActRow.state == "waiting")
        with self.database.writing() as session:
            session.execute(update(ActRow).where(*waits).values(state=state, answer=answer))


def _acts() -> Select[ActRow, str | None]:
    return select(ActRow, PersonRow.name).outerjoin(PersonRow, PersonRow.id == ActRow.person_id)


def _act(found: Any) -> Act:
    row, name = found
    return Act(
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

"""What organisers tell everybody, or one team."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import Select, or_, select
from sqlalchemy.orm import Session

from card_arena.accounts.entries import Message, Person, Team
from card_arena.accounts.storage.audit_log import note
from card_arena.accounts.storage.models import DismissalRow, MessageRow, TeamRow
from card_arena.accounts.storage.people import BadAccount
from card_arena.common.errors import UserError
from card_arena.common.text import storable
from card_arena.results.database import Repository

LONGEST_MESSAGE = 2000
MOST_SHOWN = 10
"""How many messages somebody sees at a time, the newest ones."""


class BadMessage(UserError):
    """A message can't be sent; the message of the error says why."""


class NoMessage(BadMessage):
    """There is no message of this number."""


class MessageRepository(Repository):
    """Messages, and who has dismissed them."""

    def send_message(
        self,
        text: str,
        team: str | None = None,
        ends: datetime | None = None,
        by: int | None = None,
    ) -> int:
        """Show a text to everybody, or to a team, until it ends; return its number.

        Raises `BadMessage`, and `BadAccount` for an unknown team.
        """
        text = text.replace("\r\n", "\n").strip()
        if not text or len(text) > LONGEST_MESSAGE:
            raise BadMessage(f"a message has 1 to {LONGEST_MESSAGE} characters")
        now = datetime.now(UTC)
        if ends is not None and (ends.tzinfo is None or ends <= now):
            raise BadMessage("a message ends in the future, at a time with its zone")
        with self.database.writing() as session:
            number = None
            if team is not None:
                number = session.scalar(select(TeamRow.id).where(TeamRow.name == team))
                if number is None:
                    raise BadAccount(f"no team is called {team[:80]!r}")
            row = MessageRow(team_id=number, text=storable(text), written=now, ends=ends)
            session.add(row)
            session.flush()
            note(session, by, "tell", team or "everybody", message=row.id, text=row.text)
            return row.id

    def end_message(self, message_id: int, by: int | None = None) -> None:
        """Show a message no longer; raises `NoMessage` if there is none."""
        now = datetime.now(UTC)
        with self.database.writing() as session:
            row = session.get(MessageRow, message_id)
            if row is None:
                raise NoMessage(f"there is no message {message_id}")
            row.ends = now if row.ends is None else min(row.ends, now)
            note(session, by, "take a message back", str(message_id))

    def messages_for(self, person: Person) -> Sequence[Message]:
        """What somebody is told now: the newest first, without what they have dismissed."""
        now = datetime.now(UTC)
        dismissed = select(DismissalRow.message_id).where(DismissalRow.person_id == person.id)
        query = (
            _messages()
            .where(
                or_(
                    MessageRow.team_id.is_(None),
                    MessageRow.team_id.in_([team.id for team in person.teams]),
                ),
                or_(MessageRow.ends.is_(None), MessageRow.ends > now),
                MessageRow.id.not_in(dismissed),
            )
            .limit(MOST_SHOWN)
        )
        with self.database.reading() as session:
            return _entries(session, query)

    def messages(self, most: int = 50) -> Sequence[Message]:
        """The newest messages, also those that have ended."""
        with self.database.reading() as session:
            return _entries(session, _messages().limit(most))

    def message(self, message_id: int) -> Message:
        """A message by its number; raises `NoMessage`."""
        with self.database.reading() as session:
            found = _entries(session, _messages().where(MessageRow.id == message_id))
        if not found:
            raise NoMessage(f"there is no message {message_id}")
        return found[0]

    def dismiss(self, person: Person, message_id: int) -> None:
        """Show somebody a message no more; nothing happens if it is not for them."""
        if not any(message.id == message_id for message in self.messages_for(person)):
            return
        with self.database.writing() as session:
            if session.get(DismissalRow, (message_id, person.id)) is None:
                session.add(DismissalRow(message_id=message_id, person_id=person.id))


def _messages() -> Select[MessageRow, str | None]:
    return (
        select(MessageRow, TeamRow.name)
        .outerjoin(TeamRow, TeamRow.id == MessageRow.team_id)
        .order_by(MessageRow.id.desc())
    )


def _entries(session: Session, query: Select[MessageRow, str | None]) -> Sequence[Message]:
    return [
        Message(
            id=row.id,
            team=None if row.team_id is None else Team(id=row.team_id, name=team or ""),
            text=row.text,
            written=row.written,
            ends=row.ends,
        )
        for row, team in session.execute(query)
    ]

"""The browsers in which people have signed in, and what ends whatever signs somebody in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from card_arena.accounts.secrets import hashed, new_secret
from card_arena.accounts.storage.audit_log import note
from card_arena.accounts.storage.models import (
    InvitationRow,
    LinkRow,
    PersonRow,
    SessionRow,
    TokenRow,
)
from card_arena.results.database import Repository

LASTS = timedelta(days=30)
"""How long a browser stays signed in without a visit."""

SEEN_EVERY = timedelta(hours=1)
"""How exactly a session's last visit is known; a read should not write each time."""


class SessionRepository(Repository):
    """Sessions of browsers. A cookie holds a secret, and is worth nothing once its row is gone."""

    def begin_session(self, person_id: int) -> str:
        """Begin a session; return its secret, which is not kept."""
        secret, now = new_secret(), datetime.now(UTC)
        with self.database.writing() as session:
            old = (SessionRow.person_id == person_id, SessionRow.seen < now - LASTS)
            session.execute(delete(SessionRow).where(*old))
            row = SessionRow(sha256=hashed(secret), person_id=person_id, made=now, seen=now)
            session.add(row)
        return secret

    def whose_session(self, secret: str, *, noted: bool = True) -> int | None:
        """The number of the person whose session this is; None if it has ended.

        The visit is `noted`, which may have to wait for others who write.
        """
        now, sha256 = datetime.now(UTC), hashed(secret)
        with self.database.reading() as session:
            row = session.scalar(
                select(SessionRow)
                .join(PersonRow, PersonRow.id == SessionRow.person_id)
                .where(
                    SessionRow.sha256 == sha256,
                    SessionRow.seen > now - LASTS,
                    PersonRow.suspended.is_(None),
                )
            )
            if row is None:
                return None
            person_id, seen = row.person_id, row.seen
        if noted and now - seen > SEEN_EVERY:
            with self.database.writing() as session:
                this = update(SessionRow).where(SessionRow.sha256 == sha256)
                session.execute(this.values(seen=now))
        return person_id

    def sessions(self, person_id: int) -> int:
        """In how many browsers somebody is signed in."""
        since = datetime.now(UTC) - LASTS
        query = select(func.count()).where(
            SessionRow.person_id == person_id, SessionRow.seen > since
        )
        with self.database.reading() as session:
            return session.scalars(query).one()

    def end_session(self, secret: str) -> None:
        """End one session; the others of its person live on."""
        with self.database.writing() as session:
            session.execute(delete(SessionRow).where(SessionRow.sha256 == hashed(secret)))

    def sign_out_everywhere(self, person_id: int, *, keeps_tokens: bool = False) -> None:
        """End all that a person is signed in with, except for tokens if they want to keep those."""
        with self.database.writing() as session:
            end_access(session, person_id, keeps_tokens=keeps_tokens)
            note(session, person_id, "sign out everywhere", keeps_tokens=keeps_tokens)


def end_access(session: Session, person_id: int, *, keeps_tokens: bool = False) -> None:
    """End a person's sessions, one-time links and tokens for good."""
    now = datetime.now(UTC)
    session.execute(delete(SessionRow).where(SessionRow.person_id == person_id))
    links = (LinkRow.person_id == person_id, LinkRow.used.is_(None), LinkRow.expires > now)
    session.execute(update(LinkRow).where(*links).values(expires=now))
    if not keeps_tokens:
        valid = select(TokenRow.id).where(
            TokenRow.person_id == person_id, TokenRow.revoked.is_(None)
        )
        end_tokens(session, session.scalars(valid).all())


def end_tokens(session: Session, tokens: Sequence[int]) -> None:
    """End tokens for good, with the links and the invitations to teams that came by them."""
    now = datetime.now(UTC)
    session.execute(update(TokenRow).where(TokenRow.id.in_(tokens)).values(revoked=now))
    links = (LinkRow.token_id.in_(tokens), LinkRow.used.is_(None), LinkRow.expires > now)
    session.execute(update(LinkRow).where(*links).values(expires=now))
    session.execute(delete(InvitationRow).where(InvitationRow.token_id.in_(tokens)))

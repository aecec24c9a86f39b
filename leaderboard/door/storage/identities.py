"""Whom somebody else knows who signs people in: a university, or GitHub."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from sqlalchemy import delete, select

from common.errors import UserError
from leaderboard.door.entries import Person, lowered
from leaderboard.door.storage.acts import note
from leaderboard.door.storage.models import IdentityRow, PersonRow, TeamRow
from leaderboard.door.storage.people import (
    LONGEST_EMAIL,
    BadAccount,
    NoEntry,
    address,
    by_email,
    entry_of,
    is_linked,
    join_team,
    new_person,
    team_called,
    unlike,
)
from leaderboard.door.storage.sessions import end_access
from leaderboard.storage.bots import LONGEST_AUTHOR
from leaderboard.storage.reasons import checked_reason
from leaderboard.storage.repository import Repository


class LinkedOtherwise(UserError):
    """The account with somebody's address is another one's at the same provider."""

    def __init__(self, email: str) -> None:
        super().__init__(
            f"the account of {email[:LONGEST_EMAIL]} here is linked to another account at this"
            " provider: if it is yours, ask an organiser to unlink it; if not, ask for an"
            " invitation at another address of yours"
        )


class IdentityRepository(Repository):
    """Accounts by what providers call their people, which no address changes."""

    def identify(self, provider: str, subject: str, email: str) -> Person:
        """Sign somebody in whom a provider knows; `email` must be one that it has verified.

        The first time, it is the person with this address. Raises `NoEntry` if there is none, and
        `LinkedOtherwise` for a person whom the same provider knows as somebody else.
        """
        with self.database.writing() as session:
            known = session.get(IdentityRow, (provider, subject))
            if known is not None:
                row = session.get(PersonRow, known.person_id)
            else:
                wanted = PersonRow.email == lowered(email)
                by_address = select(PersonRow).where(wanted).with_for_update()
                row = session.scalar(by_address) if email else None
                if row is not None and row.shut_out is None:
                    if is_linked(session, row.id, provider):
                        raise LinkedOtherwise(row.email)
                    new = IdentityRow(provider=provider, subject=subject, person_id=row.id)
                    session.add(new)
            if row is None or row.shut_out is not None:
                raise NoEntry
            note(session, row.id, "sign in", how=provider)
            return entry_of(session, row)

    def welcome(
        self, provider: str, subject: str, email: str, name: str, authors: Collection[str]
    ) -> Person:
        """Make an account for somebody who comes by themselves, and sign them in.

        They get a team of their own, whose name nobody would take for another team's or for one of
        the `authors` of bots. Raises `NoEntry` for an address that has an account or can't be one.
        """
        try:
            email = address(email)
        except BadAccount:
            raise NoEntry from None
        shown = "".join(sign for sign in name if sign.isprintable())[: LONGEST_AUTHOR - 8]
        name = (
            " ".join(shown.split()).lstrip("- .") or email.partition("@")[0][: LONGEST_AUTHOR - 8]
        )
        now = datetime.now(UTC)
        with self.database.writing() as session:
            known = session.get(IdentityRow, (provider, subject))  # somebody who is shut out
            same = session.scalar(select(PersonRow.id).where(PersonRow.email == email))
            if known is not None or same is not None:
                raise NoEntry
            row = new_person(session, name, email, now)
            session.add(IdentityRow(provider=provider, subject=subject, person_id=row.id))
            team = unlike(name, {*session.scalars(select(TeamRow.name)), *authors})
            join_team(session, row.id, team_called(session, team, now))
            note(session, row.id, "come without an invitation", email, team=team, how=provider)
            return entry_of(session, row)

    def identities(self, person_id: int) -> Sequence[tuple[str, str]]:
        """The providers that sign somebody in, each with its own name for them."""
        query = (
            select(IdentityRow.provider, IdentityRow.subject)
            .where(IdentityRow.person_id == person_id)
            .order_by(IdentityRow.provider)
        )
        with self.database.reading() as session:
            return [(provider, subject) for provider, subject in session.execute(query)]

    def unlink(self, email: str, reason: str, by: int | None = None) -> None:
        """Forget whom providers know somebody as, and end all that they are signed in with.

        Whoever comes next from a provider with their address is them. Raises `BadAccount` and
        `BadReason`.
        """
        reason = checked_reason(reason)
        with self.database.writing() as session:
            row = by_email(session, email)
            session.execute(delete(IdentityRow).where(IdentityRow.person_id == row.id))
            end_access(session, row.id)
            note(session, by, "unlink", row.email, reason=reason)

"""Teams as their members manage them: asking others in, joining, and leaving.

Nobody is put into a team by another member: who is asked says yes themselves. Whether an address
has an account shows in nothing here.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import ColumnElement, delete, func, or_, select
from sqlalchemy.orm import Session

from card_arena.accounts.entries import Invitation, Person, RosterLine, Team, Token
from card_arena.accounts.storage.audit_log import note
from card_arena.accounts.storage.models import (
    InvitationRow,
    MemberRow,
    PersonRow,
    TeamRow,
    UploadRow,
)
from card_arena.accounts.storage.people import (
    BadAccount,
    add_link,
    address,
    by_email,
    demand_unlike,
    entry_of,
    letter_link,
    printable,
    suspended,
    team_of,
)
from card_arena.results.database import Repository


class InvitationRepository(Repository):
    """Teams, their members, and who is invited."""

    def team(self, team_id: int) -> Team | None:
        """A team by its number; None if there is none."""
        with self.database.reading() as session:
            row = session.get(TeamRow, team_id)
            return None if row is None else team_of(row)

    def members(self, team_id: int) -> Sequence[str]:
        """The names of a team's members, in order."""
        query = (
            select(PersonRow.name)
            .join(MemberRow, MemberRow.person_id == PersonRow.id)
            .where(MemberRow.team_id == team_id)
            .order_by(PersonRow.name)
        )
        with self.database.reading() as session:
            return session.scalars(query).all()

    def invitations(self, team_id: int) -> Sequence[Invitation]:
        """Who is invited to a team and has not answered, the oldest first."""
        return self._invitations(InvitationRow.team_id == team_id)

    def invitations_for(self, person: Person) -> Sequence[Invitation]:
        """The teams that somebody is invited to, the oldest first."""
        return self._invitations(InvitationRow.email == person.email)

    def invite_member(
        self, person_id: int, team_id: int, email: str, most: int, token: Token | None = None
    ) -> None:
        """Invite the person with this address to a team of at most `most` people.

        An invitation that comes by a `token` ends with it. Raises `BadAccount` if it isn't an
        address, or if the team would be too large with all who are invited. Inviting again without
        a token makes it last; otherwise it changes nothing.
        """
        email = address(email)
        with self.database.writing() as session:
            session.execute(select(TeamRow.id).where(TeamRow.id == team_id).with_for_update())
            there = session.scalars(
                select(PersonRow.email)
                .join(MemberRow, MemberRow.person_id == PersonRow.id)
                .where(MemberRow.team_id == team_id)
            ).all()
            rows = session.scalars(
                select(InvitationRow).where(InvitationRow.team_id == team_id, _holds())
            )
            asked = {row.email: row for row in rows}
            if email in asked and token is None:
                asked[email].token_id = asked[email].expires = None
            if email in there or email in asked:
                return
            if len(there) + len(asked) >= most:
                raise BadAccount(f"a team has up to {most} people, with those who are invited")
            now = datetime.now(UTC)
            same = (InvitationRow.team_id == team_id, InvitationRow.email == email)
            session.execute(delete(InvitationRow).where(*same))  # which has ended
            row = InvitationRow(team_id=team_id, email=email, by=person_id, made=now)
            if token is not None:
                row.token_id, row.expires = token.id, token.expires
            session.add(row)
            note(session, person_id, "invite to a team", email, team=team_id)

    def withdraw_invitation(self, person_id: int, team_id: int, invitation_id: int) -> bool:
        """Undo `invite_member`; False if the team has no such invitation."""
        with self.database.writing() as session:
            row = session.get(InvitationRow, invitation_id)
            if row is None or row.team_id != team_id:
                return False
            session.delete(row)
            note(session, person_id, "take an invitation back", row.email, team=team_id)
            return True

    def answer_invitation(self, person: Person, invitation_id: int, *, joins: bool) -> Team | None:
        """Answer an invitation; None if there is none for this person under this number."""
        with self.database.writing() as session:
            mine = (InvitationRow.id == invitation_id, InvitationRow.email == person.email)
            row = session.scalar(select(InvitationRow).where(*mine, _holds()))
            if row is None:
                return None
            team = session.get_one(TeamRow, row.team_id)
            session.delete(row)
            if joins and session.get(MemberRow, (team.id, person.id)) is None:
                session.add(MemberRow(team_id=team.id, person_id=person.id))
            note(session, person.id, "join" if joins else "decline to join", team.name)
            return team_of(team)

    def leave_team(self, person: Person, team_id: int) -> None:
        """Leave a team, whose bots stay with it; raises `BadAccount` for its only member."""
        with self.database.writing() as session:
            session.execute(select(TeamRow.id).where(TeamRow.id == team_id).with_for_update())
            member = session.get(MemberRow, (team_id, person.id))
            if member is None:
                return
            if _size(session, team_id) == 1:
                raise BadAccount("you are the only member: the team's bots would be nobody's")
            session.delete(member)
            note(session, person.id, "leave", session.get_one(TeamRow, team_id).name)

    def link_for_invited(self, email: str) -> tuple[Person, str] | None:
        """A one-time link for somebody who is invited to a team, whose account is made.

        It is empty for somebody who signs in through a provider, and ends with the newest
        invitation. None if nobody has invited them, or if they are suspended.
        """
        email = address(email)
        with self.database.writing() as session:
            theirs = select(InvitationRow).where(InvitationRow.email == email, _holds())
            asked = session.scalar(theirs.order_by(InvitationRow.id.desc()).limit(1))
            if asked is None:
                return None
            token = None
            if asked.token_id is not None and asked.expires is not None:
                token = asked.token_id, asked.expires
            return letter_link(session, email, asked.by, token)

    def _invitations(self, where: ColumnElement[bool]) -> Sequence[Invitation]:
        query = (
            select(InvitationRow, TeamRow.name, PersonRow.name)
            .join(TeamRow, TeamRow.id == InvitationRow.team_id)
            .join(PersonRow, PersonRow.id == InvitationRow.by)
            .where(where, _holds())
            .order_by(InvitationRow.id)
        )
        with self.database.reading() as session:
            return [
                Invitation(
                    id=row.id,
                    team=Team(id=row.team_id, name=team),
                    email=row.email,
                    by=by,
                    made=row.made,
                )
                for row, team, by in session.execute(query)
            ]


def _holds() -> ColumnElement[bool]:
    return or_(InvitationRow.expires.is_(None), InvitationRow.expires > datetime.now(UTC))


def _size(session: Session, team_id: int) -> int:
    query = select(func.count()).select_from(MemberRow).where(MemberRow.team_id == team_id)
    return session.scalars(query).one()


class RosterRepository(Repository):
    """People and teams as organisers change them; each act is written down with who did it."""

    def teams(self) -> Sequence[RosterLine]:
        """Every team, in order of name."""
        members = select(func.count()).where(MemberRow.team_id == TeamRow.id).scalar_subquery()
        uploads = select(func.count()).where(UploadRow.team_id == TeamRow.id).scalar_subquery()
        query = select(TeamRow, members, uploads).order_by(TeamRow.name)
        with self.database.reading() as session:
            return [
                RosterLine(**dict(team_of(row)), members=people, uploads=uploads)
                for row, people, uploads in session.execute(query)
            ]

    def team_named(self, name: str) -> Team:
        """A team by its name; raises `BadAccount`."""
        with self.database.reading() as session:
            row = session.scalar(select(TeamRow).where(TeamRow.name == name))
            if row is None:
                raise BadAccount(f"no team is called {name[:80]!r}")
            return team_of(row)

    def has_team(self, name: str) -> bool:
        with self.database.reading() as session:
            return session.scalar(select(TeamRow.id).where(TeamRow.name == name)) is not None

    def author_of(self, team_id: int) -> str | None:
        """The author whose bots are a team's; None if it was given none."""
        with self.database.reading() as session:
            return session.scalar(select(TeamRow.author).where(TeamRow.id == team_id))

    def give_author(self, team_id: int, by: int | None = None) -> str:
        """Give a team the author of its name, whose bots are the team's from then on.

        Raises `BadAccount` for one that was given to another team.
        """
        with self.database.writing() as session:
            row = session.get_one(TeamRow, team_id, with_for_update=True)
            if row.author is None:
                taken = select(TeamRow.id).where(TeamRow.author == row.name)
                if session.scalar(taken) is not None:
                    raise BadAccount(f"the bots of {row.name} are another team's")
                row.author = row.name
                note(session, by, "give an author", row.name, team=row.id)
            return row.author

    def new_link(
        self, email: str, by: int | None = None, token: Token | None = None
    ) -> tuple[Person, str]:
        """A new one-time link for somebody, which ends the older ones; raises `BadAccount`.

        If it comes by a `token`, it lasts no longer than that.
        """
        with self.database.writing() as session:
            row = by_email(session, email)
            if row.suspended is not None:
                raise suspended(row.email)
            secret = add_link(session, row.id, datetime.now(UTC), token.end if token else None)
            note(session, by, "make a link", row.email)
            return entry_of(session, row), secret

    def rename_team(self, name: str, new: str, by: int | None = None) -> None:
        """Rename a team that has no uploads yet; raises `BadAccount`.

        Its name is the author's of its bots, which keep theirs.
        """
        new = printable(new, "the team's name")
        with self.database.writing() as session:
            row = session.scalar(select(TeamRow).where(TeamRow.name == name).with_for_update())
            if row is None:
                raise BadAccount(f"no team is called {name[:80]!r}")
            demand_unlike(session, new, row.id)
            if row.author is not None:
                raise BadAccount(f"{row.author} is the author of bots: it keeps its name")
            there = select(UploadRow.id).where(
                UploadRow.team_id == row.id, UploadRow.state != "rejected"
            )
            if session.scalar(there.limit(1)) is not None:
                raise BadAccount(
                    f"{row.name} has uploaded bots, whose author it is: it keeps its name"
                )
            note(session, by, "rename a team", row.name, to=new)
            row.name = new

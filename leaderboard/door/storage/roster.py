"""What organisers do with people and teams besides inviting them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import get_args

from sqlalchemy import func, select

from leaderboard.door.entries import Person, Role, Team, Token
from leaderboard.door.storage.acts import note
from leaderboard.door.storage.models import MemberRow, TeamRow, UploadRow
from leaderboard.door.storage.people import (
    BadAccount,
    add_link,
    by_email,
    demand_unlike,
    entry_of,
    join_team,
    printable,
    team_called,
    team_of,
)
from leaderboard.storage.repository import Repository


@dataclass(frozen=True, slots=True)
class Roster:
    """A team with the number of its members, and of the uploads that it handed in."""

    team: Team
    members: int
    uploads: int


class RosterRepository(Repository):
    """People and teams as organisers change them; each act is written down with who did it."""

    def teams(self) -> Sequence[Roster]:
        """Every team, in order of name."""
        members = select(func.count()).where(MemberRow.team_id == TeamRow.id).scalar_subquery()
        uploads = select(func.count()).where(UploadRow.team_id == TeamRow.id).scalar_subquery()
        query = select(TeamRow, members, uploads).order_by(TeamRow.name)
        with self.database.reading() as session:
            return [
                Roster(team_of(row), people, handed_in)
                for row, people, handed_in in session.execute(query)
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
            if row.shut_out is not None:
                raise BadAccount(f"{row.email} is shut out: let them in first")
            secret = add_link(session, row.id, datetime.now(UTC), token.end if token else None)
            note(session, by, "make a link", row.email)
            return entry_of(session, row), secret

    def set_role(self, email: str, role: Role, by: int | None = None) -> None:
        """Make somebody an organiser, or an author again; raises `BadAccount`.

        Nobody takes the role of an organiser from themselves: one would always be left.
        """
        if role not in get_args(Role):
            raise BadAccount(f"a role is author or organiser; got {str(role)[:20]!r}")
        with self.database.writing() as session:
            row = by_email(session, email)
            if row.id == by and role != "organiser":
                raise BadAccount("somebody else has to take the role of an organiser from you")
            row.role = role
            note(session, by, "give a role", row.email, role=role)

    def move_person(self, email: str, team: str, by: int | None = None) -> None:
        """Take somebody out of all teams and into this one, which is made if it is new.

        Bots stay with the teams that handed them in. Raises `BadAccount`.
        """
        team = printable(team, "the team's name")
        with self.database.writing() as session:
            row = by_email(session, email)
            left = session.execute(
                select(MemberRow, TeamRow.name)
                .join(TeamRow, TeamRow.id == MemberRow.team_id)
                .where(MemberRow.person_id == row.id, TeamRow.name != team)
                .order_by(TeamRow.name)
            ).all()
            for member, _ in left:
                session.delete(member)
            join_team(session, row.id, team_called(session, team, datetime.now(UTC)))
            note(session, by, "move", row.email, team=team, left=[name for _, name in left])

    def rename_team(self, name: str, new: str, by: int | None = None) -> None:
        """Rename a team that has handed in nothing yet; raises `BadAccount`.

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
                UploadRow.team_id == row.id, UploadRow.state != "refused"
            )
            if session.scalar(there.limit(1)) is not None:
                raise BadAccount(
                    f"{row.name} has handed in bots, whose author it is: it keeps its name"
                )
            note(session, by, "rename a team", row.name, to=new)
            row.name = new

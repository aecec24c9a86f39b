"""People, their teams, and what signs them in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import chain, count
from typing import Any

from sqlalchemy import ColumnElement, ForeignKey, UniqueConstraint, select, update
from sqlalchemy.orm import Mapped, Session, mapped_column

from card_arena.accounts.entries import Person, Role, Student, Team, Token, TokenEnd, lowered
from card_arena.accounts.secrets import hashed, new_secret
from card_arena.accounts.storage.audit_log import note
from card_arena.accounts.storage.models import (
    Base,
    IdentityRow,
    LinkRow,
    MemberRow,
    PersonRow,
    TeamRow,
)
from card_arena.common.errors import UserError
from card_arena.common.moments import in_utc, to_iso
from card_arena.common.text import name_flaw, skeleton
from card_arena.results.bots import LONGEST_AUTHOR, author_flaw
from card_arena.results.database import Repository, retry_on_conflict
from card_arena.results.errors import checked_reason

LONGEST_EMAIL = 254
"""The longest address that mail can be sent to (RFC 5321, 4.5.3.1.3)."""

LINK_LASTS = timedelta(days=14)


class BadAccount(UserError):
    """A name, an address or a team can't be used; the message says why."""


class NoEntry(UserError):
    """Somebody can't be signed in.

    The sentence is the same for each reason, so that nobody can find out who has an account.
    """

    def __init__(self) -> None:
        super().__init__("this link is wrong, used or expired: ask the organiser for a new one")


class PeopleRepository(Repository):
    """Accounts. Every operation is logged with who did it, None being the arena's shell."""

    def invite(
        self,
        name: str,
        email: str,
        team: str = "",
        role: Role = "author",
        by: int | None = None,
        *,
        authors: Collection[str] = (),
        token: Token | None = None,
    ) -> tuple[Person, str]:
        """Make an account with a one-time link; return the person, and the link's secret.

        Somebody who has an account keeps it, joins the team, and gets a new link, which ends the
        older ones. Somebody who signs in through a provider gets none: the secret is empty. Without
        a name for the team, it is the person's own, whose name nobody would take for another team's
        or for one of the `authors` of bots. If it comes by a `token`, the link lasts no longer than
        that. Raises `BadAccount`.
        """
        name, email = printable(name, "the name"), address(email)
        team = printable(team, "the team's name") if team else ""
        now = datetime.now(UTC)

        def write() -> tuple[Person, str]:
            with self.database.writing() as session:
                row = session.scalar(select(PersonRow).where(PersonRow.email == email))
                if row is None:
                    row = new_person(session, name, email, now, role)
                elif row.suspended is not None:
                    raise suspended(email)
                elif role == "organiser":
                    row.role = role
                joined = team or _own_name(session, row.id, name, authors)
                join_team(session, row.id, team_called(session, joined, now))
                linked = is_linked(session, row.id)
                ends = token.end if token else None
                secret = "" if linked else add_link(session, row.id, now, ends)
                note(session, by, "invite", email, team=joined, role=row.role)
                return entry_of(session, row), secret

        return retry_on_conflict(write)

    def demand_welcome(self, emails: Iterable[str]) -> None:
        """Raise `BadAccount` if somebody with one of these addresses is suspended."""
        query = select(PersonRow.email).where(PersonRow.suspended.is_not(None))
        with self.database.reading() as session:
            out = {*session.scalars(query)}
        for email in emails:
            if email in out:
                raise suspended(email)

    def demand_unlike_teams(self, names: Iterable[str]) -> None:
        """Raise `BadAccount` if one of these is no team's name yet, but looks like another one."""
        with self.database.reading() as session:
            there = {*session.scalars(select(TeamRow.name))}
        known = {skeleton(name): name for name in there}
        for name in names:
            if name not in there and (other := known.setdefault(skeleton(name), name)) != name:
                raise BadAccount(_taken(other))

    def link_on_request(self, email: str) -> tuple[Person, str] | None:
        """A new one-time link for somebody who asks for one; None if nobody has this address.

        Somebody who signs in through a provider gets none: an address may be somebody else's by
        now, and the provider knows whom it signs in.
        """
        with self.database.writing() as session:
            row = session.scalar(select(PersonRow).where(PersonRow.email == lowered(email)))
            if row is None or row.suspended is not None or is_linked(session, row.id):
                return None
            secret = add_link(session, row.id, datetime.now(UTC))
            note(session, row.id, "ask for a link")
            return entry_of(session, row), secret

    def enter(self, secret: str) -> Person:
        """Use up a one-time link; raises `NoEntry`."""
        now = datetime.now(UTC)
        with self.database.writing() as session:
            used = session.execute(
                update(LinkRow)
                .where(
                    LinkRow.sha256 == hashed(secret),
                    LinkRow.used.is_(None),
                    LinkRow.expires > now,
                )
                .values(used=now)
                .returning(LinkRow.person_id)
            ).scalar()
            row = session.get(PersonRow, used) if used is not None else None
            if row is None or row.suspended is not None:
                raise NoEntry
            note(session, row.id, "sign in", how="link")
            return entry_of(session, row)

    def person(self, person_id: int) -> Person | None:
        """Somebody by their number; None if there is nobody, or if they are suspended."""
        with self.database.reading() as session:
            row = session.get(PersonRow, person_id)
            return None if row is None or row.suspended is not None else entry_of(session, row)

    def people(self) -> Sequence[Person]:
        """Everybody, in order of name, those who are suspended as well."""
        with self.database.reading() as session:
            rows = session.scalars(select(PersonRow).order_by(PersonRow.name, PersonRow.id)).all()
            teams = _teams(session)
            return [_entry(row, teams.get(row.id, ())) for row in rows]

    def join(self, email: str, team: str, by: int | None = None) -> None:
        """Add somebody to a team, which is made if it is new; raises `BadAccount`."""
        team = printable(team, "the team's name")
        with self.database.writing() as session:
            row = by_email(session, email)
            join_team(session, row.id, team_called(session, team, datetime.now(UTC)))
            note(session, by, "join", row.email, team=team)

    def leave(self, email: str, team: str, by: int | None = None) -> None:
        """Take somebody out of a team, whose bots stay with it; raises `BadAccount`."""
        with self.database.writing() as session:
            row = by_email(session, email)
            found = session.scalar(select(TeamRow).where(TeamRow.name == team))
            member = found and session.get(MemberRow, (found.id, row.id))
            if not member:
                raise BadAccount(f"{row.email} is not in a team called {team[:LONGEST_AUTHOR]!r}")
            session.delete(member)
            note(session, by, "leave", row.email, team=team)


def printable(text: str, what: str) -> str:
    """A name with single blanks, as it is shown; raises `BadAccount`."""
    name = " ".join(text.split())
    if flaw := author_flaw(name):
        raise BadAccount(f"{what} {flaw}; got {text[:LONGEST_AUTHOR]!r}")
    return name


def address(text: str) -> str:
    """An email address in lower case; raises `BadAccount`."""
    email = lowered(text)
    name, at, host = email.rpartition("@")
    sound = name and at and "." in host.strip(".") and len(email) <= LONGEST_EMAIL
    dots = name.startswith(".") or name.endswith(".") or ".." in email
    if (
        not sound
        or dots
        or "@" in name
        or name_flaw(email)
        or any(each in email for each in " ,;<>\"'")
    ):
        raise BadAccount(f"{text[:80]!r} is not an e-mail address")
    return email


def unlike(name: str, taken: Collection[str]) -> str:
    """A name for a team that looks like no other: the given one, or one with a number."""
    looks = {skeleton(each) for each in taken}
    numbered = (f"{name} {number}" for number in count(2))
    return next(each for each in chain([name], numbered) if skeleton(each) not in looks)


def _own_name(session: Session, person_id: int, name: str, authors: Collection[str]) -> str:
    """What the team of somebody's own is called: their name, if that is nobody else's."""
    mine = select(MemberRow.team_id).where(MemberRow.person_id == person_id)
    others = session.scalars(select(TeamRow.name).where(TeamRow.id.not_in(mine))).all()
    own = session.scalars(select(TeamRow.name).where(TeamRow.id.in_(mine))).all()
    taken = {*others, *(each for each in authors if each not in own)}
    return unlike(name[: LONGEST_AUTHOR - 8].rstrip(), taken)


def new_person(
    session: Session, name: str, email: str, now: datetime, role: Role = "author"
) -> PersonRow:
    row = PersonRow(name=name, email=email, role=role, joined=now)
    session.add(row)
    session.flush()
    return row


def by_email(session: Session, email: str) -> PersonRow:
    """Somebody by their address; raises `BadAccount`."""
    row = session.scalar(select(PersonRow).where(PersonRow.email == lowered(email)))
    if row is None:
        raise BadAccount(f"nobody has the address {email[:80]!r}")
    return row


def team_called(session: Session, name: str, now: datetime) -> int:
    """The number of a team, which is made if it is new.

    Raises `BadAccount` for a new one that looks like another one's.
    """
    row = session.scalar(select(TeamRow).where(TeamRow.name == name))
    if row is None:
        demand_unlike(session, name)
        row = TeamRow(name=name, made=now)
        session.add(row)
        session.flush()
    return row.id


def join_team(session: Session, person_id: int, team_id: int) -> None:
    """Put somebody into a team, unless they are in it."""
    if session.get(MemberRow, (team_id, person_id)) is None:
        session.add(MemberRow(team_id=team_id, person_id=person_id))
        session.flush()


def suspended(email: str) -> BadAccount:
    return BadAccount(f"the account with the address {email} is suspended: restore it first")


def demand_unlike(session: Session, name: str, but: int | None = None) -> None:
    """Raise `BadAccount` if a name looks like that of a team, not counting one."""
    for other in session.scalars(select(TeamRow.name).where(TeamRow.id.is_distinct_from(but))):
        if skeleton(other) == skeleton(name):
            raise BadAccount(_taken(other))


def _taken(team: str) -> str:
    return f"there is a team called {team!r} already: write its name so, or choose another one"


def add_link(session: Session, person_id: int, now: datetime, token: TokenEnd | None = None) -> str:
    """Make a one-time link; those before it end.

    One that comes by a `token` lasts no longer than it.
    """
    before = (LinkRow.person_id == person_id, LinkRow.used.is_(None), LinkRow.expires > now)
    session.execute(update(LinkRow).where(*before).values(expires=now))
    secret = new_secret()
    row = LinkRow(sha256=hashed(secret), person_id=person_id, made=now, expires=now + LINK_LASTS)
    if token is not None:
        row.token_id, row.expires = token[0], min(row.expires, token[1])
    session.add(row)
    return secret


def is_linked(session: Session, person_id: int, provider: str = "") -> bool:
    """Whether somebody signs in through a provider, or through this one."""
    query = select(IdentityRow.subject).where(IdentityRow.person_id == person_id)
    if provider:
        query = query.where(IdentityRow.provider == provider)
    return session.scalar(query.limit(1)) is not None


def letter_link(
    session: Session, email: str, by: int, token: TokenEnd | None
) -> tuple[Person, str] | None:
    """A link for an address, whose account is made without a team; None if it is suspended.

    It is empty for somebody who signs in through a provider.
    """
    now = datetime.now(UTC)
    row = session.scalar(select(PersonRow).where(PersonRow.email == email))
    if row is None:
        name = email.partition("@")[0][:LONGEST_AUTHOR]
        row = new_person(session, name, email, now)
        note(session, by, "invite", email)
    if row.suspended is not None:
        return None
    secret = "" if is_linked(session, row.id) else add_link(session, row.id, now, token)
    return entry_of(session, row), secret


def _teams(session: Session, *where: ColumnElement[bool]) -> Mapping[int, tuple[Team, ...]]:
    """The teams of each person, in order of name."""
    rows = session.execute(
        select(MemberRow.person_id, TeamRow)
        .join(TeamRow, TeamRow.id == MemberRow.team_id)
        .where(*where)
        .order_by(TeamRow.name)
    )
    found: dict[int, tuple[Team, ...]] = {}
    for person_id, row in rows:
        found[person_id] = (*found.get(person_id, ()), team_of(row))
    return found


def team_of(row: TeamRow) -> Team:
    return Team(id=row.id, name=row.name, author=row.author)


def entry_of(session: Session, row: PersonRow) -> Person:
    """Somebody with their teams, as everybody else reads it."""
    session.flush()
    teams = _teams(session, MemberRow.person_id == row.id)
    return _entry(row, teams.get(row.id, ()))


def _entry(row: PersonRow, teams: tuple[Team, ...]) -> Person:
    return Person(
        id=row.id,
        name=row.name,
        email=row.email,
        role="organiser" if row.role == "organiser" else "author",
        teams=teams,
        joined=row.joined,
        suspended=row.suspended,
    )


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
                if row is not None and row.suspended is None:
                    if is_linked(session, row.id, provider):
                        raise LinkedOtherwise(row.email)
                    new = IdentityRow(provider=provider, subject=subject, person_id=row.id)
                    session.add(new)
            if row is None or row.suspended is not None:
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
            known = session.get(IdentityRow, (provider, subject))  # somebody who is suspended
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
            return {row.person_id: _student(row) for row in session.scalars(select(StudentRow))}

    def student(self, person_id: int) -> Student:
        """What is known of a person as a student."""
        with self.database.reading() as session:
            return student_of(session, person_id)

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
    return Student() if row is None else _student(row)


def set_number(session: Session, person: PersonRow, number: str) -> str:
    """Set a person's student number, or remove it if it is empty; raises `BadAccount`."""
    number = checked_number(number)
    if number:
        other = session.scalar(
            select(PersonRow.email)
            .join(StudentRow, StudentRow.person_id == PersonRow.id)
            .where(StudentRow.number == number, PersonRow.id != person.id)
        )
        if other is not None:
            raise BadAccount(f"the student number {number!r} belongs to {other}: check both")
    _row(session, person.id).number = number or None
    return number


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


def _student(row: StudentRow) -> Student:
    return Student(number=row.number or "", reason=row.reason, deadline=row.deadline)

"""The tables of accounts, the same for SQLite and PostgreSQL.

The row classes stay inside this package. A change here needs a migration; a test compares the two.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Double, ForeignKey, Index, MetaData, Text, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from card_arena.results.models import NAMES, Moment


class Base(DeclarativeBase):
    """The base of all tables of accounts."""

    metadata = MetaData(naming_convention=NAMES)
    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy reads it so
        datetime: Moment,
        float: Double,
        str: Text,
        dict[str, Any]: JSON,
        list[str]: JSON,
    }


class PersonRow(Base):
    """Somebody with an account.

    `email` is in lower case. `role` is "author" or "organiser"; a visitor has no account.
    """

    __tablename__ = "people"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    email: Mapped[str] = mapped_column(unique=True)
    role: Mapped[str]
    joined: Mapped[datetime]
    suspended: Mapped[datetime | None]


class SessionRow(Base):
    """A browser in which a person has signed in; only the SHA-256 of its secret is kept.

    `seen` is its last visit, without which it ends after a while.
    """

    __tablename__ = "sessions"
    __table_args__ = (Index(None, "person_id"),)

    sha256: Mapped[str] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    made: Mapped[datetime]
    seen: Mapped[datetime]


class IdentityRow(Base):
    """Who a person is to somebody else who signs people in, such as a university."""

    __tablename__ = "identities"
    __table_args__ = (Index(None, "person_id"),)

    provider: Mapped[str] = mapped_column(primary_key=True)
    subject: Mapped[str] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))


class TeamRow(Base):
    """People who share bots: those of the `author` in the store that this team was given.

    Without one it has no bots, whatever it is called. It gets the author of its name with its first
    bot, or by an organiser.
    """

    __tablename__ = "teams"
    __table_args__ = (Index(None, "author", unique=True),)

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)
    made: Mapped[datetime]
    author: Mapped[str | None]


class MemberRow(Base):
    """A person in a team."""

    __tablename__ = "members"
    __table_args__ = (Index(None, "person_id"),)

    team_id: Mapped[int] = mapped_column(ForeignKey("teams.id"), primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), primary_key=True)


class InvitationRow(Base):
    """Somebody whom the member `by` asks into a team; they may have no account yet.

    One that came by the token `token_id` ends with it; another has no end, and `expires` is None.
    """

    __tablename__ = "invitations"
    __table_args__ = (
        UniqueConstraint("team_id", "email"),
        Index(None, "email"),
        Index(None, "token_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    team_id: Mapped[int] = mapped_column(ForeignKey("teams.id"))
    email: Mapped[str]
    by: Mapped[int] = mapped_column(ForeignKey("people.id"))
    made: Mapped[datetime]
    token_id: Mapped[int | None]
    expires: Mapped[datetime | None]


class LinkRow(Base):
    """A one-time link that signs a person in; only the SHA-256 of its secret is kept.

    One that came by the token `token_id` ends with it.
    """

    __tablename__ = "links"
    __table_args__ = (Index(None, "person_id"), Index(None, "token_id"))

    sha256: Mapped[str] = mapped_column(primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    made: Mapped[datetime]
    expires: Mapped[datetime]
    used: Mapped[datetime | None]
    token_id: Mapped[int | None]


class TokenRow(Base):
    """A secret with which a program acts for a person; only its SHA-256 is kept.

    `scope` is "read", "submit" or "manage", each of which includes those before it.
    """

    __tablename__ = "tokens"
    __table_args__ = (UniqueConstraint("sha256"), Index(None, "person_id"))

    id: Mapped[int] = mapped_column(primary_key=True)
    sha256: Mapped[str]
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    name: Mapped[str]
    scope: Mapped[str]
    made: Mapped[datetime]
    expires: Mapped[datetime]
    used: Mapped[datetime | None]
    revoked: Mapped[datetime | None]


class AuditRow(Base):
    """Something that was done: by a person, or from the arena's own shell where there is none.

    An operation has the `state` "waiting" until it is "done" or "declined", with an `answer`;
    other entries are "done" from the start. `organiser` says whether an organiser or the arena's
    own shell requested it.
    """

    __tablename__ = "audit_log"
    __table_args__ = (
        Index(None, "person_id", "id"),
        Index(None, "about", "id"),
        Index(None, "state", "id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    person_id: Mapped[int | None] = mapped_column(ForeignKey("people.id"))
    what: Mapped[str]
    about: Mapped[str]
    details: Mapped[dict[str, Any]]
    state: Mapped[str] = mapped_column(default="done")
    answer: Mapped[str] = mapped_column(default="")
    organiser: Mapped[bool] = mapped_column(default=False)


class UploadRow(Base):
    """An upload of a team; its `file` is in the spool until it is `settled`.

    `state` is "waiting", "building", "accepted" or "rejected". `version_id` is the version that it
    became in the results, `bot` and `number` what that was called then. `reason` is why it became
    none, `log` is of its build, and `remarks` are notes of the check that reject no bot.
    `began` is when its build began, and `steps` are those of its check. `late` is one that
    came after the deadline.
    """

    __tablename__ = "uploads"
    __table_args__ = (
        Index(None, "team_id", "id"),
        Index(None, "state", "id"),
        Index(None, "team_id", "sha256"),
        Index(None, "version_id"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    team_id: Mapped[int] = mapped_column(ForeignKey("teams.id"))
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"))
    received: Mapped[datetime]
    filename: Mapped[str]
    file: Mapped[str]
    sha256: Mapped[str]
    size: Mapped[int]
    state: Mapped[str]
    changed: Mapped[datetime]
    settled: Mapped[datetime | None]
    bot: Mapped[str]
    number: Mapped[int | None]
    version_id: Mapped[int | None]
    reason: Mapped[str]
    log: Mapped[str]
    remarks: Mapped[str]
    began: Mapped[datetime | None]
    steps: Mapped[list[Any]] = mapped_column(JSON, default=list)
    late: Mapped[bool] = mapped_column(default=False)


class PasteRow(Base):
    """The program that a person pasted last, as the form had it, and the upload that it became."""

    __tablename__ = "pastes"
    __table_args__ = (Index(None, "upload_id"),)

    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), primary_key=True)
    upload_id: Mapped[int] = mapped_column(ForeignKey("uploads.id"))
    name: Mapped[str]
    language: Mapped[str]
    protocol: Mapped[str]
    games: Mapped[list[Any]] = mapped_column(JSON)
    source: Mapped[str]


class LimitRow(Base):
    """The limits for everybody, or for one team: what is None is as without this row.

    `team_id` is 0 for everybody. `grace` is in seconds, `reason` an organiser's words.
    """

    __tablename__ = "limits"

    team_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    a_day: Mapped[int | None]
    size: Mapped[int | None]
    bots: Mapped[int | None]
    bots_a_person: Mapped[int | None]
    deadline: Mapped[datetime | None]
    grace: Mapped[float | None]
    reason: Mapped[str]


class MessageRow(Base):
    """What an organiser tells everybody, or one team, until `ends` if that is set."""

    __tablename__ = "messages"

    id: Mapped[int] = mapped_column(primary_key=True)
    team_id: Mapped[int | None] = mapped_column(ForeignKey("teams.id"))
    text: Mapped[str]
    written: Mapped[datetime]
    ends: Mapped[datetime | None]


class DismissalRow(Base):
    """A message that somebody has read and no longer wants to see."""

    __tablename__ = "dismissals"
    __table_args__ = (Index(None, "person_id"),)

    message_id: Mapped[int] = mapped_column(ForeignKey("messages.id"), primary_key=True)
    person_id: Mapped[int] = mapped_column(ForeignKey("people.id"), primary_key=True)


class VisibilityRow(Base):
    """Who sees a tournament's results; a tournament without a row is public.

    `names` says whose names others see: "all", "top" (of the first `top`) or "own". From `frozen`
    on, new results are hidden.
    """

    __tablename__ = "visibility"

    tournament: Mapped[str] = mapped_column(primary_key=True)
    names: Mapped[str]
    top: Mapped[int | None]
    frozen: Mapped[datetime | None]


class SnapshotRow(Base):
    """A season's standings as they were when they were frozen; `taken` is when they were copied."""

    __tablename__ = "standings_snapshots"

    season_id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    tournament: Mapped[str]
    frozen: Mapped[datetime]
    taken: Mapped[datetime]
    standings: Mapped[dict[str, Any]]


class AliasRow(Base):
    """The number by which a bot is called in a tournament whose names are hidden."""

    __tablename__ = "aliases"
    __table_args__ = (UniqueConstraint("tournament", "number"),)

    tournament: Mapped[str] = mapped_column(primary_key=True)
    bot: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int]

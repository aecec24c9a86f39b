"""What the database of accounts holds, as pages show it and as programs read it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

from card_arena.common.moments import written
from card_arena.common.units import write_size
from card_arena.leaderboard.models import PageOnly, PageShape, Shape, Text
from card_arena.results.entries import Version

Role = Literal["author", "organiser"]
Scope = Literal["read", "submit", "manage"]

SCOPES: tuple[Scope, ...] = ("read", "submit", "manage")
"""What a token may do; each includes what those before it may."""


TokenEnd: TypeAlias = tuple[int, datetime]
"""The number of a token, and when it expires."""

Seconds = Annotated[
    timedelta,
    PlainSerializer(lambda span: int(span.total_seconds()), int),
    WithJsonSchema({"type": "integer"}),
]
"""A span of time, in JSON as whole seconds."""


def lowered(address: str) -> str:
    """An email address with its ASCII letters in lower case.

    `str.lower` makes a k of the Kelvin sign: two people would have one address.
    """
    return "".join(sign.lower() if sign.isascii() else sign for sign in address.strip())


class Team(Shape):
    """A team: people who share bots."""

    id: int
    """Its number."""
    name: Text
    """Its name, which is the author of its bots."""
    author: PageOnly[str | None] = None
    """Whose bots everywhere else are this team's; None if it was given none yet."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Team) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)


NamedTeam = Annotated[
    Team,
    BeforeValidator(lambda team: Team(id=0, name=team) if isinstance(team, str) else team),
    PlainSerializer(lambda team: team.name, str),
    WithJsonSchema({"type": "string"}),
]
"""A team, in JSON its name alone."""


class MyTeams(Shape):
    """The teams that somebody is in."""

    items: tuple[Team, ...]
    """The teams, in order of name."""


class Person(Shape):
    """Somebody with an account."""

    id: int
    """The person's number."""
    name: Text
    """The person's name."""
    email: Text
    """The person's address."""
    role: Role
    """What the person is here."""
    teams: tuple[NamedTeam, ...]
    """The person's teams."""
    joined: datetime
    """When the account was made."""
    suspended: datetime | None
    """Since when the person may not sign in; null if they may."""

    @property
    def organises(self) -> bool:
        """Whether the person may use the admin pages."""
        return self.role == "organiser"

    def belongs_to(self, author: str) -> bool:
        """Whether an author's bots are this person's own."""
        return any(team.author == author for team in self.teams)


class People(PageShape):
    """Everybody with an account."""

    items: tuple[Person, ...]
    """The people of this page, in order of name."""


class InvitedPeople(Shape):
    """Those who were just invited."""

    items: tuple[Person, ...]
    """The people, in the order in which they were named."""


class Student(Shape):
    """What a course knows of a person; organisers alone read it."""

    number: Text = ""
    """The student number; empty where none is known."""
    reason: Text = ""
    """Why the person is excused; empty where they are not."""
    deadline: datetime | None = None
    """The deadline of this person alone; null for the same as others have."""


class Invitation(Shape):
    """Somebody is invited to a team, and has not answered."""

    id: int
    """Its number."""
    team: Team
    """The team."""
    email: Text
    """The email address of the invited person."""
    by: Text
    """The member who invites them."""
    made: datetime
    """Since when."""


class Invitations(Shape):
    """The teams that somebody is invited to."""

    items: tuple[Invitation, ...]
    """The invitations, the oldest first."""


class Token(Shape):
    """A token, without its secret."""

    id: int
    """The token's number."""
    person_id: PageOnly[int] = 0
    """Whose it is."""
    name: Text
    """What it is for, in its owner's words."""
    scope: Scope
    """What it may do."""
    made: datetime
    """When it was made."""
    expires: datetime
    """Until when it is valid."""
    used: datetime | None
    """When it was used last, to the minute; null if it never was."""

    @property
    def end(self) -> TokenEnd:
        """Its number and its end, with which what came by it ends."""
        return self.id, self.expires

    def allows(self, scope: Scope) -> bool:
        """Whether it may do what needs this scope."""
        return SCOPES.index(scope) <= SCOPES.index(self.scope)


class Me(Shape):
    """Who a token belongs to, and what it may do."""

    name: Text
    """The person's name."""
    role: Role
    """What the person is here."""
    teams: tuple[NamedTeam, ...]
    """The person's teams; a team is the author of its bots."""
    token: Text
    """The token's name."""
    scope: Scope
    """What the token may do; `manage` includes `submit`, and that includes `read`."""
    expires: datetime
    """Until when it is valid."""


class Tokens(Shape):
    """Somebody's valid tokens."""

    items: tuple[Token, ...]
    """The tokens, the newest first."""


State = Literal["waiting", "building", "accepted", "rejected"]

WAITS: tuple[State, ...] = ("waiting", "building")
"""The states of an upload that is not settled."""


class CheckedStep(Shape):
    """A step of the check in one game, as `arena check` numbers and titles it."""

    game: str
    """The game."""
    number: int
    """The number of the step."""
    title: Text
    """What the bot has to do."""
    passed: bool
    """Whether it did."""
    detail: Text
    """What was seen, or what is wrong."""
    output: Text
    """What the program wrote, if it failed."""


class UploadLine(Shape):
    """An upload and its state."""

    id: int
    """Its number."""
    team: NamedTeam
    """Its team."""
    person: Text
    """Who uploaded it."""
    received: datetime
    """When it was received."""
    filename: Text
    """The name of the file."""
    sha256: str
    """The SHA-256 of the file."""
    size: int
    """Its bytes."""
    state: State
    """Its state; `accepted` and `rejected` are final."""
    changed: datetime
    """When its state last changed."""
    bot: Text
    """The name of its bot; empty if not known."""
    version: int | None
    """The number of its version; null if it has none."""
    reason: Text
    """Why it was rejected, in a sentence; else empty."""
    late: bool
    """Whether it was received after the deadline, within the grace period."""


class Uploads(PageShape):
    """The uploads of teams."""

    items: tuple[UploadLine, ...]
    """The uploads of this page, the newest first."""


class Upload(UploadLine):
    """An upload as its team sees it."""

    ahead: int = 0
    """The number of uploads before it in the queue, while it waits."""
    began: datetime | None
    """When its build began; null if it has not."""
    steps: tuple[CheckedStep, ...]
    """The steps of its check so far."""
    log: Text
    """The output of its build and check so far."""
    remarks: Text
    """Remarks of the check for its author."""
    file: PageOnly[str] = ""
    """The name of its file in the spool."""
    version_id: PageOnly[int | None] = None
    """The id of the version that it became."""

    def became(self, version: Version) -> bool:
        """Whether it became this version; the id of one that is deleted may be given again."""
        return self.version_id == version.id and self.changed >= version.submitted

    @property
    def failed(self) -> CheckedStep | None:
        """The step that rejected it; None if it is not rejected or was never checked."""
        wrong = [step for step in self.steps if not step.passed]
        return wrong[-1] if wrong and self.state == "rejected" else None

    @property
    def waits(self) -> bool:
        return self.state in WAITS


class SubmittedUpload(Upload):
    """An upload that was just received."""

    new: bool
    """False if these are the files of the team's last upload: nothing changes then."""


@dataclass(frozen=True, slots=True)
class Paste:
    """A program as it was pasted into the form, and the fields beside it."""

    name: str
    language: str
    protocol: str
    games: tuple[str, ...]
    source: str


class Quota(Shape):
    """The limits on uploads of a team."""

    a_day: int = 20
    """Uploads in 24 hours."""
    deadline: datetime | None = None
    """Until when; null for ever."""
    grace: Seconds = timedelta()
    """For how many seconds after the deadline an upload is taken and marked late."""
    size: int = 16 * 2**20
    """The most bytes of an upload."""
    bots: int | None = None
    """The most bots of a team; null for as many as it likes."""
    bots_a_person: int | None = None
    """The most bots of one person; null for as many as they like."""
    zone: PageOnly[str] = "UTC"
    """The time zone in which people are told of the deadline."""

    @property
    def largest(self) -> str:
        """The size as people write it, such as 16MiB."""
        return write_size(self.size)

    def excused(self, student: Student) -> Quota:
        """The quota of one person: with the deadline of an excuse, if that is later."""
        if self.deadline is None or student.deadline is None:
            return self
        return self.model_copy(update={"deadline": max(self.deadline, student.deadline)})

    @property
    def last(self) -> datetime | None:
        """The last moment at which an upload is accepted; None if there is none."""
        return None if self.deadline is None else self.deadline + self.grace


class Limits(Shape):
    """What organisers have set; what is null is as it was without."""

    a_day: int | None = None
    """Uploads in 24 hours."""
    deadline: datetime | None = None
    """Until when."""
    grace: Seconds | None = None
    """For how many seconds after the deadline an upload is taken and marked late."""
    size: int | None = None
    """The most bytes of an upload."""
    bots: int | None = None
    """The most bots of a team."""
    bots_a_person: int | None = None
    """The most bots of one person."""
    reason: Text = ""
    """Why; empty if nobody has said."""

    @property
    def given(self) -> Mapping[str, Any]:
        """The limits that are set, by name, with the reason."""
        return {name: value for name, value in self if value not in (None, "")}

    def over(self, quota: Quota) -> Quota:
        """The quota with these limits in place of its own."""
        mine = {name: value for name, value in self.given.items() if name != "reason"}
        return quota.model_copy(update=mine)


class LimitsOfTeam(Shape):
    """What organisers have set for one team."""

    team: NamedTeam
    """The team's name."""
    limits: Limits
    """What is set."""


class AllLimits(Shape):
    """The limits of uploads, for everybody and for single teams."""

    usual: Quota
    """What the arena's settings say."""
    everybody: Limits
    """What organisers have set for everybody."""
    now: Quota
    """The limits of a team without limits of its own."""
    teams: tuple[LimitsOfTeam, ...]
    """The teams for which something else is set, in order of name."""

    @classmethod
    def of(cls, usual: Quota, everybody: Limits, teams: Mapping[Team, Limits]) -> AllLimits:
        """The limits of uploads that are set for everybody and for single teams."""
        return cls(
            usual=usual,
            everybody=everybody,
            now=everybody.over(usual),
            teams=tuple(LimitsOfTeam(team=team, limits=its) for team, its in teams.items()),
        )


class OwnTeam(Team):
    """A team as its members see it."""

    members: tuple[Text, ...]
    """The names of its members."""
    asked: tuple[Invitation, ...]
    """Who is invited and has not answered, the oldest first."""
    most: int
    """How many people it may have, with those who are invited."""


class RosterLine(Team):
    """A team in the organisers' list."""

    members: int
    """How many members it has."""
    uploads: int
    """The number of its uploads."""


class TeamsRoster(PageShape):
    """Every team."""

    items: tuple[RosterLine, ...]
    """The teams of this page, in order of name."""


class AdminTeam(RosterLine):
    """A team as organisers see it."""

    people: tuple[Person, ...]
    """Its members."""
    bots: tuple[str, ...]
    """The names of its bots."""
    quota: Quota
    """Its limits now."""
    limits: Limits
    """What is set for it alone."""


class Message(Shape):
    """What organisers tell everybody, or one team."""

    id: int
    """Its number."""
    team: NamedTeam | None
    """The team that it is for; null for everybody."""
    text: Text
    """The text."""
    written: datetime
    """Since when it is shown."""
    ends: datetime | None
    """Until when it is shown; null for ever."""


class Messages(Shape):
    """Some messages."""

    items: tuple[Message, ...]
    """The messages, the newest first."""


AuditState = Literal["waiting", "done", "declined"]


class AuditEntry(Shape):
    """Something that was done or requested."""

    id: int
    """Its number."""
    at: datetime
    """When."""
    person: Text
    """Who; empty for the arena's own shell."""
    person_id: PageOnly[int | None] = None
    """The number of that person."""
    what: Text
    """What, in a word or two."""
    about: Text
    """What it was done to."""
    details: Mapping[str, Any]
    """More of it."""
    state: AuditState = "done"
    """Whether an operation waits, was carried out or declined; what was done at once is done."""
    answer: Text = ""
    """What was said of it then."""

    @property
    def is_operation(self) -> bool:
        """Whether it is for the program that plays; everything else was done at once."""
        return self.state != "done" or bool(self.answer)


class Log(Shape):
    """What people did."""

    items: tuple[AuditEntry, ...]
    """The entries, the newest first."""
    older: int | None
    """What `before` has to be for those that are older still; null if there are none."""


class OperationQueue(Shape):
    """What was requested."""

    items: tuple[AuditEntry, ...]
    """The orders."""


Names = Literal["all", "top", "own"]
"""Whose names others see in a tournament."""


@dataclass(frozen=True, slots=True)
class Visibility:
    """Who sees the results of a tournament.

    With `names` "own", each team sees the names of its own bots alone; with "top", everybody sees
    those of the first `top` as well, and no standings below them. From the moment `frozen` on, new
    results are hidden. Organisers see everything.
    """

    tournament: str
    names: Names = "all"
    top: int | None = None
    frozen: datetime | None = None

    def sentence(self, zone: str) -> str:
        """What it comes to, for people who live in a time zone."""
        names = {
            "all": "everybody sees all names",
            "top": f"others see the names of the first {self.top}",
            "own": "each team sees its own names alone",
        }[self.names]
        if self.frozen is None:
            return names
        return f"{names}; results are frozen from {written(self.frozen, zone, exact=True)} on"


class VisibilityShape(Shape):
    """Who sees the results of a tournament; organisers see everything."""

    tournament: str
    """The tournament's name."""
    names: Names
    """Whose names others see: `all`, those of the first places (`top`), or one's `own` alone."""
    top: int | None
    """How many places are told with `top`; null otherwise."""
    frozen: datetime | None
    """From when on new results are hidden; null if none are."""
    sentence: str
    """The same in words."""

    @classmethod
    def of(cls, found: Visibility, zone: str) -> VisibilityShape:
        """A tournament's visibility, in words for people who live in this time zone."""
        return cls(**asdict(found), sentence=found.sentence(zone))


@dataclass(frozen=True, slots=True)
class StandingsSnapshot:
    """Standings that were copied for a freeze at this moment; empty if nobody came in time."""

    frozen: datetime
    standings: Mapping[str, Any]

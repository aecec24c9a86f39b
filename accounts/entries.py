"""What the door knows of people, as everybody else reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Literal, TypeAlias

from common.moments import written
from common.units import write_size
from results.entries import Version

Role = Literal["author", "organiser"]
Scope = Literal["read", "submit", "manage"]

SCOPES: tuple[Scope, ...] = ("read", "submit", "manage")
"""What a token may do; each includes what those before it may."""


TokenEnd: TypeAlias = tuple[int, datetime]
"""The number of a token, and when it expires."""


def lowered(address: str) -> str:
    """An address for mail in small letters, of which only those of ASCII are made small.

    `str.lower` makes a k of the Kelvin sign: two people would have one address.
    """
    return "".join(sign.lower() if sign.isascii() else sign for sign in address.strip())


@dataclass(frozen=True, slots=True)
class Team:
    """People who share bots.

    `author` is whose bots everywhere else are this team's; None if it was given none yet.
    """

    id: int
    name: str
    author: str | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with an account, and the teams that they belong to, in order of name.

    `shut_out` is since when the person may not sign in, None where that never happened.
    """

    id: int
    name: str
    email: str
    role: Role
    joined: datetime
    shut_out: datetime | None
    teams: tuple[Team, ...]

    @property
    def organises(self) -> bool:
        """Whether the person may use the organiser's desk."""
        return self.role == "organiser"

    def belongs_to(self, author: str) -> bool:
        """Whether an author's bots are this person's own."""
        return any(team.author == author for team in self.teams)

    def is_in(self, team: Team) -> bool:
        return any(each.id == team.id for each in self.teams)


@dataclass(frozen=True, slots=True)
class Student:
    """What a course knows of a person: the `number` at the university, and an excuse.

    `reason` is empty where there is no excuse, and `deadline` the one that this person alone has.
    """

    number: str = ""
    reason: str = ""
    deadline: datetime | None = None


@dataclass(frozen=True, slots=True)
class Invitation:
    """Somebody at an address is invited to a team; `by` is the name of the member."""

    id: int
    team: Team
    email: str
    by: str
    made: datetime


@dataclass(frozen=True, slots=True)
class Token:
    """A token without its secret, which is known to its owner alone."""

    id: int
    person_id: int
    name: str
    scope: Scope
    made: datetime
    expires: datetime
    used: datetime | None

    @property
    def end(self) -> TokenEnd:
        """Its number and its end, with which what came by it ends."""
        return self.id, self.expires

    def allows(self, scope: Scope) -> bool:
        """Whether it may do what needs this scope."""
        return SCOPES.index(scope) <= SCOPES.index(self.scope)


State = Literal["waiting", "building", "admitted", "refused"]

WAITS: tuple[State, ...] = ("waiting", "building")
"""The states of an upload that is not settled."""


@dataclass(frozen=True, slots=True)
class ExaminedStep:
    """A step of an upload's examination in one game, as `arena check` numbers and titles it.

    `detail` says what was seen or what is wrong; `output` is the program's own, if the step failed.
    """

    game: str
    number: int
    title: str
    passed: bool
    detail: str
    output: str


@dataclass(frozen=True, slots=True)
class Upload:
    """Something that was handed in, and what became of it.

    `file` is its name in the spool, `sha256` that of its content, `size` its bytes. `bot` and
    `number` are the version that it became, as it was called then, and `version_id` is its id in
    the results; `reason` says why it became none. `log` is of its build, `steps` are those of its
    examination, and `remarks` findings that keep no bot out. The log and the steps grow while it is
    built and examined, which `began` at some time. It is `late` if it came after the deadline,
    within the grace.
    """

    id: int
    team: Team
    person: str
    received: datetime
    filename: str
    file: str
    sha256: str
    size: int
    state: State
    changed: datetime
    bot: str = ""
    number: int | None = None
    version_id: int | None = None
    reason: str = ""
    log: str = ""
    remarks: str = ""
    began: datetime | None = None
    steps: tuple[ExaminedStep, ...] = ()
    late: bool = False

    def became(self, version: Version) -> bool:
        """Whether it became this version; the id of one that is deleted may be given again."""
        return self.version_id == version.id and self.changed >= version.submitted

    @property
    def failed(self) -> ExaminedStep | None:
        """The step that kept it out; None if it came that far, or was never examined."""
        wrong = [step for step in self.steps if not step.passed]
        return wrong[-1] if wrong and self.state == "refused" else None

    @property
    def waits(self) -> bool:
        return self.state in WAITS


@dataclass(frozen=True, slots=True)
class Paste:
    """A program as it was pasted into the form, and what was said of it there."""

    name: str
    language: str
    protocol: str
    games: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class Quota:
    """What a team may hand in: `a_day` uploads in 24 hours, each of `size` bytes at most.

    A team may have so many `bots`, and each of its people so many (`bots_a_person`); None is as
    many as they like. After the `deadline`, if there is one, an upload is taken and marked late for
    as long as the `grace`. People are told of both in the time zone `zone`.
    """

    a_day: int = 20
    deadline: datetime | None = None
    size: int = 16 * 2**20
    bots: int | None = None
    bots_a_person: int | None = None
    grace: timedelta = timedelta()
    zone: str = "UTC"

    @property
    def largest(self) -> str:
        """The size as people write it, such as 16MiB."""
        return write_size(self.size)

    def excused(self, student: Student) -> Quota:
        """The quota of one person: with the deadline of an excuse, if that is later."""
        if self.deadline is None or student.deadline is None:
            return self
        return replace(self, deadline=max(self.deadline, student.deadline))

    @property
    def last(self) -> datetime | None:
        """Until when an upload is taken at all; None for ever."""
        return None if self.deadline is None else self.deadline + self.grace


@dataclass(frozen=True, slots=True)
class Limits:
    """What an organiser has set for everybody, or for one team; None is as it was without."""

    a_day: int | None = None
    deadline: datetime | None = None
    size: int | None = None
    bots: int | None = None
    bots_a_person: int | None = None
    grace: timedelta | None = None
    reason: str = ""

    def over(self, quota: Quota) -> Quota:
        """The quota with these limits in place of its own."""
        names = ("a_day", "deadline", "size", "bots", "bots_a_person", "grace")
        mine = {name: getattr(self, name) for name in names}
        return replace(quota, **{name: value for name, value in mine.items() if value is not None})


@dataclass(frozen=True, slots=True)
class Message:
    """What organisers tell everybody, or one `team`, until it `ends` if it does."""

    id: int
    team: Team | None
    text: str
    written: datetime
    ends: datetime | None


ActState = Literal["waiting", "done", "declined"]


@dataclass(frozen=True, slots=True)
class Act:
    """Something that was done or ordered.

    `person` is a name and `person_id` that person's number, empty and None for the arena's own
    shell. An order waits until the program that plays has carried it out or declined it; `answer`
    is the sentence that it then gave.
    """

    id: int
    at: datetime
    person: str
    what: str
    about: str
    details: Mapping[str, Any]
    state: ActState = "done"
    answer: str = ""
    person_id: int | None = None

    @property
    def is_order(self) -> bool:
        """Whether it is for the program that plays; everything else was done at once."""
        return self.state != "done" or bool(self.answer)


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


@dataclass(frozen=True, slots=True)
class KeptBoard:
    """Standings that were copied for a freeze at this moment; empty if nobody came in time."""

    frozen: datetime
    board: Mapping[str, Any]

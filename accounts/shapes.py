"""What people did and ordered, for programs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from accounts.entries import (
    Act,
    ActState,
    Invitation,
    Limits,
    Message,
    Names,
    Person,
    Quota,
    Role,
    Scope,
    State,
    Student,
    Team,
    Token,
    Upload,
    Visibility,
)
from accounts.invitations import Invited
from accounts.own_matches import Written
from accounts.storage.teams import Roster
from leaderboard.bots import Decision
from leaderboard.matches import TurnFault
from leaderboard.paging import Page
from leaderboard.shapes.base import PageShape, Shape, Text


class ActShape(Shape):
    """Something that was done or ordered."""

    id: int
    """Its number."""
    at: datetime
    """When."""
    person: Text
    """Who; empty for the arena's own shell."""
    what: Text
    """What, in a word or two."""
    about: Text
    """What it was done to."""
    details: Mapping[str, Any]
    """More of it."""
    state: ActState
    """Whether an order waits, was carried out or declined; what was done at once is done."""
    answer: Text
    """What was said of it then."""


class Log(Shape):
    """What people did."""

    items: tuple[ActShape, ...]
    """The acts, the newest first."""
    older: int | None
    """What `before` has to be for those that are older still; null if there are none."""


class Orders(Shape):
    """What was ordered."""

    items: tuple[ActShape, ...]
    """The orders."""


def act(done: Act) -> ActShape:
    return ActShape.model_validate(done)


def log(acts: Sequence[Act], older: int | None) -> Log:
    return Log(items=tuple(map(act, acts)), older=older)


def orders(acts: Sequence[Act]) -> Orders:
    return Orders(items=tuple(map(act, acts)))


class QuotaShape(Shape):
    """What a team may hand in."""

    a_day: int
    """Uploads in 24 hours."""
    deadline: datetime | None
    """Until when; null for ever."""
    grace: int
    """For how many seconds after the deadline an upload is taken and marked late."""
    size: int
    """The most bytes of an upload."""
    bots: int | None
    """The most bots of a team; null for as many as it likes."""
    bots_a_person: int | None
    """The most bots of one person; null for as many as they like."""


class LimitsShape(Shape):
    """What organisers have set; what is null is as it was without."""

    a_day: int | None
    """Uploads in 24 hours."""
    deadline: datetime | None
    """Until when."""
    grace: int | None
    """For how many seconds after the deadline an upload is taken and marked late."""
    size: int | None
    """The most bytes of an upload."""
    bots: int | None
    """The most bots of a team."""
    bots_a_person: int | None
    """The most bots of one person."""
    reason: Text
    """Why; empty if nobody has said."""


class LimitsOfTeam(Shape):
    """What organisers have set for one team."""

    team: Text
    """The team's name."""
    limits: LimitsShape
    """What is set."""


class AllLimits(Shape):
    """What may be handed in, by everybody and by single teams."""

    usual: QuotaShape
    """What the arena's settings say."""
    everybody: LimitsShape
    """What organisers have set for everybody."""
    now: QuotaShape
    """What a team may hand in for which nothing else is set."""
    teams: tuple[LimitsOfTeam, ...]
    """The teams for which something else is set, in order of name."""


def quota_shape(found: Quota) -> QuotaShape:
    facts = {name: getattr(found, name) for name in QuotaShape.model_fields}
    return QuotaShape(**{**facts, "grace": _seconds(found.grace)})


def limits_shape(found: Limits) -> LimitsShape:
    facts = {name: getattr(found, name) for name in LimitsShape.model_fields}
    return LimitsShape(**{**facts, "grace": None if found.grace is None else _seconds(found.grace)})


def all_limits(usual: Quota, everybody: Limits, teams: Mapping[Team, Limits]) -> AllLimits:
    return AllLimits(
        usual=quota_shape(usual),
        everybody=limits_shape(everybody),
        now=quota_shape(everybody.over(usual)),
        teams=tuple(
            LimitsOfTeam(team=team.name, limits=limits_shape(each)) for team, each in teams.items()
        ),
    )


def _seconds(span: timedelta) -> int:
    return int(span.total_seconds())


class DecisionShape(Shape):
    """A question to a bot, and what came of it."""

    game: int
    """The game's number in the match, from 1."""
    turn: int
    """The turn's number in the game, from 0."""
    seat: int
    """The bot's seat."""
    bot: str
    """The bot."""
    version: int
    """The number of its version."""
    question: Text
    """The words that it was asked."""
    answer: Text | None
    """The line that came back; null if none did."""
    action: Text
    """What was played."""
    fault: TurnFault | None
    """Why the action is not the bot's own; null if it is."""
    wall: int
    """How long the answer took, in microseconds."""
    cpu: int
    """The processor's time for it, in microseconds."""
    peak: int
    """The most memory that its box was seen to use, in bytes; 0 if it was not measured."""


class WrittenShape(Shape):
    """What a bot wrote on standard error in a game."""

    game: int
    """The game's number in the match, from 1."""
    seat: int
    """The bot's seat."""
    bot: str
    """The bot."""
    version: int
    """The number of its version."""
    text: Text
    """The end of what it wrote."""


class OwnMatch(PageShape):
    """What one's own bots decided in a match."""

    match: str
    """The match's address."""
    bots: tuple[str, ...]
    """One's own bots in it."""
    faults: int
    """How many of all their answers were faults."""
    stderr: tuple[WrittenShape, ...]
    """What they wrote on standard error, game by game."""
    items: tuple[DecisionShape, ...]
    """The decisions of this page, in order."""


def own_match(
    key: str,
    bots: Collection[str],
    faults: int,
    stderr: Sequence[Written],
    page: Page[Decision],
) -> OwnMatch:
    """What one's own bots decided in a match."""
    return OwnMatch.of(
        page,
        match=key,
        bots=tuple(sorted(bots)),
        faults=faults,
        stderr=tuple(map(WrittenShape.model_validate, stderr)),
        items=tuple(map(_decision, page.items)),
    )


def _decision(found: Decision) -> DecisionShape:
    turn = found.turn
    return DecisionShape(
        game=found.game,
        turn=found.number,
        seat=found.seat,
        bot=found.bot,
        version=found.version,
        question=turn.question,
        answer=turn.answer,
        action=turn.action,
        fault=TurnFault.model_validate(turn.fault) if turn.fault else None,
        wall=turn.wall,
        cpu=turn.cpu,
        peak=turn.peak,
    )


class MessageShape(Shape):
    """What organisers tell everybody, or one team."""

    id: int
    """Its number."""
    team: Text | None
    """The team that it is for; null for everybody."""
    text: Text
    """The text."""
    written: datetime
    """Since when it is shown."""
    ends: datetime | None
    """Until when it is shown; null for ever."""


class Messages(Shape):
    """Some messages."""

    items: tuple[MessageShape, ...]
    """The messages, the newest first."""


def message(found: Message) -> MessageShape:
    facts = {name: getattr(found, name) for name in MessageShape.model_fields}
    return MessageShape(**{**facts, "team": found.team.name if found.team else None})


def messages(found: Sequence[Message]) -> Messages:
    return Messages(items=tuple(map(message, found)))


class Me(Shape):
    """Who a token belongs to, and what it may do."""

    name: Text
    """The person's name."""
    role: Role
    """What the person is here."""
    teams: tuple[Text, ...]
    """The person's teams; a team is the author of its bots."""
    token: Text
    """The token's name."""
    scope: Scope
    """What the token may do; `manage` includes `submit`, and that includes `read`."""
    expires: datetime
    """Until when it is valid."""


class PersonShape(Shape):
    """Somebody with an account."""

    id: int
    """The person's number."""
    name: Text
    """The person's name."""
    email: Text
    """The person's address."""
    role: Role
    """What the person is here."""
    teams: tuple[Text, ...]
    """The person's teams."""
    joined: datetime
    """When the account was made."""
    shut_out: datetime | None
    """Since when the person may not sign in; null if they may."""


class People(PageShape):
    """Everybody with an account."""

    items: tuple[PersonShape, ...]
    """The people of this page, in order of name."""


class InvitedPeople(Shape):
    """Those who were just invited."""

    items: tuple[PersonShape, ...]
    """The people, in the order in which they were named."""


class TokenShape(Shape):
    """A token, without its secret."""

    id: int
    """The token's number."""
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


class Tokens(Shape):
    """Somebody's valid tokens."""

    items: tuple[TokenShape, ...]
    """The tokens, the newest first."""


def me(person: Person, token: Token) -> Me:
    return Me(
        name=person.name,
        role=person.role,
        teams=tuple(team.name for team in person.teams),
        token=token.name,
        scope=token.scope,
        expires=token.expires,
    )


def person(one: Person) -> PersonShape:
    names = [name for name in PersonShape.model_fields if name != "teams"]
    facts = {name: getattr(one, name) for name in names}
    return PersonShape(**facts, teams=tuple(team.name for team in one.teams))


def people(page: Page[Person]) -> People:
    items = tuple(map(person, page.items))
    return People.of(page, items=items)


def invited_people(them: Sequence[Invited]) -> InvitedPeople:
    return InvitedPeople(items=tuple(person(each.person) for each in them))


def tokens(them: Sequence[Token]) -> Tokens:
    return Tokens(items=tuple(map(TokenShape.model_validate, them)))


class StudentShape(Shape):
    """What a course knows of a person; organisers alone read it."""

    number: Text
    """The student number; empty where none is known."""
    reason: Text
    """Why the person is excused; empty where they are not."""
    deadline: datetime | None
    """The deadline of this person alone; null for the same as others have."""


def student(found: Student) -> StudentShape:
    return StudentShape.model_validate(found)


class UploadLine(Shape):
    """Something that was handed in, and what became of it."""

    id: int
    """Its number."""
    team: Text
    """The team that it belongs to."""
    person: Text
    """Who handed it in."""
    received: datetime
    """When it came."""
    filename: Text
    """What the file was called."""
    sha256: str
    """The SHA-256 of the file."""
    size: int
    """Its bytes."""
    state: State
    """What has become of it; it is decided when it is `admitted` or `refused`."""
    changed: datetime
    """Since when that is so."""
    bot: Text
    """The bot that it became, or would have become; empty if nobody knows."""
    version: int | None
    """The number of the version that it became; null if it is none."""
    reason: Text
    """Why it became none, in a sentence; empty if it did or may yet."""
    late: bool
    """Whether it came after the deadline, within the grace."""


class Uploads(PageShape):
    """What teams handed in."""

    items: tuple[UploadLine, ...]
    """The uploads of this page, the newest first."""


class ExaminedStepShape(Shape):
    """A step of an examination in one game, as `arena check` numbers and titles it."""

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


class UploadShape(UploadLine):
    """An upload with all that its author may know."""

    ahead: int
    """How many are decided before it, while it waits."""
    began: datetime | None
    """When its build began; null if it has not."""
    steps: tuple[ExaminedStepShape, ...]
    """The steps of its examination, as far as they have come."""
    log: Text
    """What its build and its examination said, as far as they have come."""
    remarks: Text
    """What its author should know, though it keeps no bot out."""


class HandedIn(UploadShape):
    """An upload that was just handed in."""

    new: bool
    """False if these are the files that the team handed in last: nothing changes then."""


def uploads(page: Page[Upload]) -> Uploads:
    items = tuple(UploadLine(**_facts(upload)) for upload in page.items)
    return Uploads.of(page, items=items)


def upload_shape(upload: Upload, ahead: int) -> UploadShape:
    """An upload; `ahead` others are decided before it."""
    return UploadShape(**_facts(upload), **_story(upload, ahead))


def handed_in(upload: Upload, ahead: int, *, new: bool) -> HandedIn:
    return HandedIn(**_facts(upload), **_story(upload, ahead), new=new)


def _facts(upload: Upload) -> dict[str, object]:
    names = [name for name in UploadLine.model_fields if name not in ("team", "version")]
    facts = {name: getattr(upload, name) for name in names}
    return {**facts, "team": upload.team.name, "version": upload.number}


def _story(upload: Upload, ahead: int) -> dict[str, object]:
    return {
        "ahead": ahead,
        "began": upload.began,
        "steps": tuple(ExaminedStepShape(**asdict(step)) for step in upload.steps),
        "log": upload.log,
        "remarks": upload.remarks,
    }


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


def visibility(found: Visibility, zone: str) -> VisibilityShape:
    """Who sees a tournament's results; the sentence is for people who live in this time zone."""
    facts = {name: getattr(found, name) for name in ("tournament", "names", "top", "frozen")}
    return VisibilityShape(**facts, sentence=found.sentence(zone))


class TeamName(Shape):
    """A team in a list."""

    id: int
    """Its number."""
    name: Text
    """Its name, which is the author of its bots."""


class MyTeams(Shape):
    """The teams that somebody is in."""

    items: tuple[TeamName, ...]
    """The teams, in order of name."""


class InvitationShape(Shape):
    """Somebody is invited to a team, and has not answered."""

    id: int
    """Its number."""
    team: TeamName
    """The team."""
    email: Text
    """The address of whoever is invited."""
    by: Text
    """The member who invites them."""
    made: datetime
    """Since when."""


class Invitations(Shape):
    """The teams that somebody is invited to."""

    items: tuple[InvitationShape, ...]
    """The invitations, the oldest first."""


class TeamShape(TeamName):
    """A team as its members see it."""

    members: tuple[Text, ...]
    """The names of its members."""
    asked: tuple[InvitationShape, ...]
    """Who is invited and has not answered, the oldest first."""
    most: int
    """How many people it may have, with those who are invited."""


class RosterLine(TeamName):
    """A team in the organisers' list."""

    members: int
    """How many members it has."""
    uploads: int
    """How many uploads it handed in."""


class TeamsRoster(PageShape):
    """Every team."""

    items: tuple[RosterLine, ...]
    """The teams of this page, in order of name."""


class TeamAtDesk(RosterLine):
    """A team as organisers see it."""

    people: tuple[PersonShape, ...]
    """Its members."""
    bots: tuple[str, ...]
    """The names of its bots."""
    quota: QuotaShape
    """What it may hand in now."""
    limits: LimitsShape
    """What is set for it alone."""


def my_teams(person: Person) -> MyTeams:
    return MyTeams(items=tuple(map(TeamName.model_validate, person.teams)))


def invitations(found: Sequence[Invitation]) -> Invitations:
    return Invitations(items=tuple(map(InvitationShape.model_validate, found)))


def team(found: Team, members: Sequence[str], asked: Sequence[Invitation], most: int) -> TeamShape:
    return TeamShape(
        id=found.id,
        name=found.name,
        members=tuple(members),
        asked=invitations(asked).items,
        most=most,
    )


def roster(page: Page[Roster]) -> TeamsRoster:
    items = tuple(RosterLine(**_team_facts(each)) for each in page.items)
    return TeamsRoster.of(page, items=items)


def at_desk(
    found: Roster, people: Sequence[Person], bots: Sequence[str], quota: Quota, limits: Limits
) -> TeamAtDesk:
    return TeamAtDesk(
        **_team_facts(found),
        people=tuple(map(person, people)),
        bots=tuple(bots),
        quota=quota_shape(quota),
        limits=limits_shape(limits),
    )


def _team_facts(found: Roster) -> dict[str, object]:
    return {
        "id": found.team.id,
        "name": found.team.name,
        "members": found.members,
        "uploads": found.uploads,
    }

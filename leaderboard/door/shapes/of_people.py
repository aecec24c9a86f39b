"""People with an account, for programs: oneself, and at the desk everybody."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from leaderboard.door.entries import Person, Role, Scope, Token
from leaderboard.door.inviting import Invited
from leaderboard.shapes.base import PageShape, Shape, Text
from leaderboard.views.paging import Page


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

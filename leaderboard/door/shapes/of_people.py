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


class InvitedPerson(Shape):
    """Somebody who was invited."""

    person: PersonShape
    """Who."""
    link: Text | None
    """The one-time link, which nobody can look up later; null if it was sent."""


class InvitedPeople(Shape):
    """Those who were just invited."""

    items: tuple[InvitedPerson, ...]
    """The people, in the order in which they were named."""


def me(person: Person, token: Token) -> Me:
    """Who a token belongs to."""
    return Me(
        name=person.name,
        role=person.role,
        teams=tuple(team.name for team in person.teams),
        token=token.name,
        scope=token.scope,
        expires=token.expires,
    )


def person(one: Person) -> PersonShape:
    """Somebody with an account."""
    names = [name for name in PersonShape.model_fields if name != "teams"]
    facts = {name: getattr(one, name) for name in names}
    return PersonShape(**facts, teams=tuple(team.name for team in one.teams))


def people(page: Page[Person]) -> People:
    """A page of people."""
    items = tuple(map(person, page.items))
    return People.of(page, items=items)


def invited(one: Invited) -> InvitedPerson:
    """Somebody who was invited, or who got a new link."""
    return InvitedPerson(person=person(one.person), link=one.link or None)


def invited_people(them: Sequence[Invited]) -> InvitedPeople:
    """Those who were just invited."""
    return InvitedPeople(items=tuple(map(invited, them)))

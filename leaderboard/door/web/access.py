"""Who may do what: each page of the door names its rule, and one without a rule is shut."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from flask import current_app, request

from leaderboard.door.entries import Scope
from leaderboard.door.web.visitors import Forbidden, person, token_of_request

View = TypeVar("View", bound=Callable[..., object])


class Needs(Enum):
    """Who a page is for.

    `TEAM` is for people who have signed in, about something that belongs to a team: the page itself
    says that there is no such thing to whoever is neither in the team nor an organiser, so that
    nobody learns which numbers and names exist.
    """

    NOTHING = "anybody"
    PERSON = "somebody who has signed in"
    TEAM = "a member of the team, or an organiser"
    ORGANISER = "an organiser"


@dataclass(frozen=True, slots=True)
class Rule:
    """What a page needs of people, and of the scope of the token of a program."""

    needs: Needs
    scope: Scope


RULES: dict[Callable[..., object], Rule] = {}
"""The rule of each view function of the door."""


def needs(rule: Needs, scope: Scope = "read") -> Callable[[View], View]:
    """Say who a view is for; it stands below the route."""

    def remembered(view: View) -> View:
        RULES[view] = Rule(rule, scope)
        return view

    return remembered


def rule_of(endpoint: str) -> Rule:
    """The rule of an endpoint of the door; raises `Forbidden` where it has none."""
    view = current_app.view_functions[endpoint]
    rule = RULES.get(view)
    if rule is None:
        raise Forbidden("nobody has said who this page is for")
    return rule


def guard() -> None:
    """Let nobody in who may not come in; raises `NotSignedIn` and `Forbidden`.

    It comes before every request for a page of the door.
    """
    if request.endpoint is None:
        return
    rule = rule_of(request.endpoint)
    if rule.needs is Needs.NOTHING:
        return
    who = person()
    if rule.needs is Needs.ORGANISER and not who.organises:
        raise Forbidden("this is for organisers")
    token = token_of_request()
    if token is not None and not token.allows(rule.scope):
        raise Forbidden(f"this needs a token whose scope is {rule.scope}; yours is {token.scope}")

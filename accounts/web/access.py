"""Who may do what: each page of accounts names its rule, and one without a rule is shut."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from http.cookies import CookieError, SimpleCookie
from typing import TypeVar

from flask import Flask, current_app, request
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import BadSignature
from werkzeug.exceptions import NotFound

from card_arena.accounts.administration import (
    ABOUT_BOTS,
    Arena,
    BotLimitReached,
    NotPermitted,
    TooManyOperations,
    WithdrawnByOrganiser,
    carry_out,
    first_submitted,
)
from card_arena.accounts.entries import AuditEntry, Person, Scope, Team, Upload
from card_arena.accounts.guests import BadList
from card_arena.accounts.invitations import NotInvited
from card_arena.accounts.operations import BadOperation, Operation, Values
from card_arena.accounts.storage.limits import BadLimit
from card_arena.accounts.storage.messages import BadMessage, NoMessage
from card_arena.accounts.storage.people import BadAccount, LinkedOtherwise, NoEntry
from card_arena.accounts.storage.uploads import NotAccepted
from card_arena.accounts.storage.visibility import BadVisibility
from card_arena.accounts.submission import BadForm, CutShort, TooLarge
from card_arena.accounts.web.context import accounts_context, accounts_context_of
from card_arena.accounts.web.fields import BadField
from card_arena.accounts.web.providers import NotSignedInElsewhere
from card_arena.accounts.web.visitors import BEARER, SECRET, Forbidden, person, token_of_request
from card_arena.leaderboard.matches import MatchDetail
from card_arena.leaderboard.sheets import NoParquet
from card_arena.leaderboard.web.api.failures import BadParameter
from card_arena.leaderboard.web.pages.site import site, whole_site
from card_arena.leaderboard.web.requests import Allowance
from card_arena.results.bots import UnknownBot
from card_arena.results.errors import BadReason, StoreError
from card_arena.results.matches import UnknownMatch

View = TypeVar("View", bound=Callable[..., object])


class Needs(Enum):
    """Who a page is for.

    `TEAM` is for people who have signed in, about something that belongs to a team: the page itself
    answers 404 to anybody who is neither in the team nor an organiser, so that
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
"""The rule of each view function of accounts."""


def needs(rule: Needs, scope: Scope = "read") -> Callable[[View], View]:
    """Say who a view is for; it stands below the route."""

    def remembered(view: View) -> View:
        RULES[view] = Rule(rule, scope)
        return view

    return remembered


def rule_of(endpoint: str) -> Rule:
    """The rule of an endpoint of accounts; raises `Forbidden` where it has none."""
    view = current_app.view_functions[endpoint]
    rule = RULES.get(view)
    if rule is None:
        raise Forbidden("nobody has said who this page is for")
    return rule


def guard() -> None:
    """Let nobody in who may not come in; raises `NotSignedIn` and `Forbidden`.

    It comes before every request for a page of accounts.
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


FORM = 16 * 1024
"""Bytes of a form that anybody may send, such as the one for signing in."""


def allowed(app: Flask, size: Callable[[], int], head: Mapping[str, str]) -> Allowance:
    """A person who has signed in may bring a file; anybody may bring a small form.

    It is decided before the file has come, so that a stranger can't fill the disk, and only by who
    asks: the pages themselves say whether they take the file. Everybody waits meanwhile, so nothing
    is written here: a reader of a SQLite file waits for no writer.
    """
    said = head.get("AUTHORIZATION", "")
    try:
        whose = _of_token(app, said) if said.startswith(BEARER) else _of_session(app, head)
        return Allowance(size(), whose) if whose else Allowance(FORM)
    except StoreError:
        return Allowance(FORM)  # the page says what is the matter


def _of_token(app: Flask, said: str) -> str:
    token = accounts_context_of(app).accounts.bearer(said.removeprefix(BEARER).strip(), noted=False)
    return f"person {token.person_id}" if token else ""


def _of_session(app: Flask, head: Mapping[str, str]) -> str:
    """Whose session the cookie is, unless it has ended since."""
    interface = app.session_interface
    assert isinstance(interface, SecureCookieSessionInterface)
    serializer = interface.get_signing_serializer(app)
    try:
        cookie = SimpleCookie(head.get("COOKIE", ""))[interface.get_cookie_name(app)]
        seconds = int(app.permanent_session_lifetime.total_seconds())
        session = serializer.loads(cookie.value, max_age=seconds) if serializer else {}
    except (CookieError, KeyError, BadSignature):
        return ""
    secret = session.get(SECRET)
    accounts = accounts_context_of(app).accounts
    person = accounts.whose_session(secret, noted=False) if isinstance(secret, str) else None
    return "" if person is None else f"person {person}"


# What somebody may look into: their own bots, matches, teams and uploads.
#
# What belongs to others is answered exactly like what isn't there.


def own_bot(who: Person, name: str) -> str:
    """The author of a bot that somebody may manage; raises `NotFound`."""
    author = _author(name)
    if author is None or not (who.organises or who.belongs_to(author)):
        raise NotFound("There is no such bot of yours.")
    return author


def own_match(who: Person, key: str) -> tuple[MatchDetail, frozenset[str]]:
    """A match and those of its bots that somebody may look into; raises `NotFound`."""
    try:
        match = site().match(key)
    except UnknownMatch:
        match = None
    seats = match.entrants if match else ()
    bots = frozenset(seat.bot for seat in seats if who.organises or who.belongs_to(seat.author))
    if match is None or not bots:
        raise NotFound("There is no such match of yours.")
    return match, bots


def own_team(who: Person, team_id: int) -> Team:
    """A team that somebody may look into; raises `NotFound`."""
    found = accounts_context().accounts.team(team_id)
    if found is None or not (who.organises or found in who.teams):
        raise NotFound("There is no such team of yours.")
    return found


def own_upload(who: Person, upload_id: int) -> Upload:
    """An upload that somebody may see; raises `NotFound`."""
    found = accounts_context().accounts.upload(upload_id)
    if found is None or not (who.organises or found.team in who.teams):
        raise NotFound("There is no such upload of yours.")
    return found


def own_operation(who: Person, operation_id: int) -> AuditEntry:
    """An operation that somebody gave, or that is about a bot of theirs; raises `NotFound`.

    The person who requested the deletion of a bot sees its result after the bot is gone. Operations
    from before a bot was submitted are left out: they were about a namesake.
    """
    found = accounts_context().accounts.audit_entry(operation_id)
    if found is None or not found.is_operation:
        raise NotFound("There is no such order of yours.")
    if not who.organises and found.person_id != who.id:
        author = _author(found.about)
        known = found.what in ABOUT_BOTS and author is not None and who.belongs_to(author)
        if not known or found.at < first_submitted(whole_site().store, found.about):
            raise NotFound("There is no such order of yours.")
    return found


def _author(name: str) -> str | None:
    """The author of a bot; None if there is no bot of this name."""
    if "@" in name:
        return None
    try:
        return site().store.version(name).author
    except UnknownBot:
        return None


def carry_out_here(operation: Operation, subject: str, values: Values) -> AuditEntry:
    """Carry out an operation for the sender of this request; raises what `carry_out` raises."""
    here = accounts_context()
    settings = here.settings
    arena = Arena(here.accounts, whole_site().store, settings.quota, settings.challenges)
    return carry_out(arena, operation, subject, values, person())


STATUS: Mapping[type[Exception], int] = {
    BadAccount: 400,
    BadField: 400,
    BadForm: 400,
    BadLimit: 400,
    BadList: 400,
    BadMessage: 400,
    BadOperation: 400,
    BadParameter: 400,
    BadReason: 400,
    BadVisibility: 400,
    CutShort: 400,
    Forbidden: 403,
    WithdrawnByOrganiser: 403,
    LinkedOtherwise: 403,
    NoEntry: 403,
    NoMessage: 404,
    NoParquet: 404,
    BotLimitReached: 409,
    NotInvited: 400,
    NotPermitted: 403,
    NotSignedInElsewhere: 403,
    NotAccepted: 409,
    TooLarge: 413,
    TooManyOperations: 429,
}


def status_of(error: Exception) -> int:
    """The status of the answer that has this failure's sentence."""
    return STATUS[type(error)]

"""What all addresses of the accounts' API have in common.

A program says who it is with a token and with nothing else. No cookie counts here, so no page of a
stranger can use somebody's browser for it, and no form needs a secret of its own. Nobody gets by a
token what would outlive it: tokens and organisers are made on pages, and links go to their owners.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from flask import Blueprint, Response, request
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    StringConstraints,
    ValidationError,
)

from card_arena.accounts.entries import Scope
from card_arena.accounts.web.access import STATUS, Needs, guard, needs, status_of
from card_arena.accounts.web.visitors import NotSignedIn, has_token
from card_arena.common.json import BadJson, canonical, read_json
from card_arena.common.moments import sound
from card_arena.leaderboard.web.api.answers import PREFIX, Query
from card_arena.leaderboard.web.api.description import Answers, api
from card_arena.leaderboard.web.api.failures import BadParameter, failure, parameter_sentence

blueprint = Blueprint("accounts_api", __name__, url_prefix=PREFIX)

LARGEST_BODY = 2**20
"""The most bytes of JSON that are read."""

SECURITY: Mapping[str, Sequence[str]] = {"token": []}
"""What the description says of addresses that need a token."""


blueprint.before_request(guard)


@blueprint.before_request
def bound_body() -> None:
    """Read no more than a form's worth of anything but a bundle."""
    if request.mimetype != "multipart/form-data":
        request.max_content_length = LARGEST_BODY


@blueprint.after_request
def keep_private(response: Response) -> Response:
    """Let nobody keep what is somebody's own."""
    response.cache_control.no_store = True
    return response


@blueprint.errorhandler(NotSignedIn)
def who_are_you(_: NotSignedIn) -> Response:
    """Say that a token is needed, and how it is sent."""
    why = (
        "this token is wrong, expired or revoked: make a new one on your page"
        if has_token()
        else "this needs a token of yours, sent as the header `Authorization: Bearer TOKEN`"
    )
    return failure(why, 401, {"WWW-Authenticate": "Bearer"})


def refused(error: Exception) -> Response:
    """Say why something can't be seen or done."""
    return failure(str(error), status_of(error))


for kind in STATUS:
    blueprint.register_error_handler(kind, refused)


View = TypeVar("View", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Routes:
    """Adds the addresses that the same people may ask, with the tag of their description.

    The first argument is the method and the path, such as "GET /me"; then come the model of the
    answer and the failures that it may be besides 401 and 403. `json` and `form` are read by the
    view itself (`sent`).
    """

    needs: Needs
    tag: str
    scope: Scope = "read"

    def __call__(
        self,
        rule: str,
        model: type[BaseModel] | None,
        *failures: int,
        scope: Scope | None = None,
        tag: str = "",
        json: type[Query] | None = None,
        form: type[Query] | None = None,
        **answers: Any,
    ) -> Callable[[View], View]:
        method, path = rule.split(" ", 1)

        def add(view: View) -> View:
            described: View = api.validate(
                json=json,
                form=form,
                resp=Answers(model, 401, 403, *failures, cached=False, **answers),
                skip_validation=bool(json or form),
                tags=[tag or self.tag],
                security=SECURITY,
            )(view)
            needs(self.needs, scope or self.scope)(described)
            blueprint.add_url_rule(path, view_func=described, methods=[method])
            return described

        return add


signed_in = Routes(Needs.PERSON, "people")
in_team = Routes(Needs.TEAM, "people")
admin = Routes(Needs.ORGANISER, "admin", "manage")


# Reading what a program sends along: one JSON object, checked member by member.
#
# A view reads it itself, after it has found out whether this person may do the thing at all: else
# an answer about what was sent would tell others what there is.


Body = TypeVar("Body", bound=Query)

Said = Annotated[
    str, StringConstraints(max_length=2_000, pattern=r"^[^\x00]*$", strip_whitespace=True)
]
"""A text that somebody sends; no database keeps a NUL."""

Moment = Annotated[AwareDatetime, AfterValidator(sound)]
"""A moment with its zone."""


def sent(model: type[Body]) -> Body:
    """What came with the request; raises `BadParameter`."""
    said = None
    if request.is_json:
        try:
            said = read_json(request.get_data())
        except BadJson as error:
            raise BadParameter(f"the JSON can't be read: {error}") from error
    if not isinstance(said, dict):
        raise BadParameter(
            "this needs a JSON object, sent with the header `Content-Type: application/json`"
        )
    try:
        # strict as JSON: `true` is no number, but a text may be a moment
        return model.model_validate_json(canonical(said), strict=True)
    except ValidationError as error:
        raise BadParameter(parameter_sentence(error)) from error

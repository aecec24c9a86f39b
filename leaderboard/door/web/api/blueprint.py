"""What all addresses of the door's API have in common.

A program says who it is with a token and with nothing else. No cookie counts here, so no page of a
stranger can use somebody's browser for it, and no form needs a secret of its own. Nobody gets by a
token what would outlive it: tokens and organisers are made on pages, and links go to their owners.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flask import Blueprint, Response, request

from leaderboard.door.web.access import guard
from leaderboard.door.web.statuses import STATUS, status_of
from leaderboard.door.web.visitors import NotSignedIn, has_token
from leaderboard.web.api.blueprint import PREFIX
from leaderboard.web.api.failures import failure

blueprint = Blueprint("door_api", __name__, url_prefix=PREFIX)

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

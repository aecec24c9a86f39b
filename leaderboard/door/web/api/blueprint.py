"""What all addresses of the door's API have in common.

A program says who it is with a token and with nothing else. No cookie counts here, so no page of a
stranger can use somebody's browser for it, and no form needs a secret of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from flask import Blueprint, Response, current_app, request

from leaderboard.door.inviting import NotInvited
from leaderboard.door.ordering import BadOrder, KeptOut, NoPlace, TooManyOrders
from leaderboard.door.packing import BadForm
from leaderboard.door.spool import CutShort, SpoolFull, TooLarge
from leaderboard.door.storage.limits import BadLimit
from leaderboard.door.storage.messages import BadMessage, NoMessage
from leaderboard.door.storage.people import BadAccount, NoEntry
from leaderboard.door.storage.uploads import NotTaken
from leaderboard.door.storage.visibility import BadVisibility
from leaderboard.door.web.access import guard
from leaderboard.door.web.fields import BadField
from leaderboard.door.web.visitors import Forbidden, NotSignedIn, has_token
from leaderboard.sheets.writing import NoParquet
from leaderboard.storage.reasons import BadReason
from leaderboard.web.api.blueprint import PREFIX
from leaderboard.web.api.failures import BadParameter, failure

blueprint = Blueprint("door_api", __name__, url_prefix=PREFIX)

LARGEST_BODY = 2**20
"""The most bytes of JSON that are read."""

SECURITY: Mapping[str, Sequence[str]] = {"token": []}
"""What the description says of addresses that need a token."""

STATUS: dict[type[Exception], int] = {
    BadAccount: 400,
    BadField: 400,
    BadForm: 400,
    BadLimit: 400,
    BadMessage: 400,
    BadOrder: 400,
    BadParameter: 400,
    BadReason: 400,
    BadVisibility: 400,
    CutShort: 400,
    Forbidden: 403,
    KeptOut: 403,
    NoEntry: 403,
    NoMessage: 404,
    NoParquet: 404,
    NoPlace: 409,
    NotInvited: 400,
    NotTaken: 409,
    TooLarge: 413,
    TooManyOrders: 429,
}
"""The status of each failure that has a sentence of its own."""


@blueprint.before_request
def only_tokens() -> None:
    """Let in nobody without a token; raises `NotSignedIn`."""
    if not has_token():
        raise NotSignedIn


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
        "this token is not valid, or not any more: make another one on your page"
        if has_token()
        else "this needs a token of yours, sent as the header `Authorization: Bearer TOKEN`"
    )
    return failure(why, 401, {"WWW-Authenticate": "Bearer"})


def refused(error: Exception) -> Response:
    """Say why something can't be seen or done."""
    return failure(str(error), STATUS[type(error)])


for kind in STATUS:
    blueprint.register_error_handler(kind, refused)


@blueprint.errorhandler(SpoolFull)
def no_room(error: SpoolFull) -> Response:
    """Log why nothing can be kept here: it is the organiser's business and not the author's."""
    current_app.logger.error("%s", error)
    return failure("the arena can't keep your file now: try again later", 503)

"""Reading what a program sends along: one JSON object, checked member by member.

A view reads it itself, after it has found out whether this person may do the thing at all: else an
answer about what was sent would tell others what there is.
"""

from __future__ import annotations

from typing import Annotated, TypeVar

from flask import request
from pydantic import AfterValidator, AwareDatetime, StringConstraints, ValidationError

from common.moments import sound
from common.untrusted_json import BadJson, read_json
from leaderboard.web.api.answers import Query
from leaderboard.web.api.failures import BadParameter, parameter_sentence

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
        return model.model_validate(said)
    except ValidationError as error:
        raise BadParameter(parameter_sentence(error)) from error

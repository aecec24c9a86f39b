"""What the API says when it has no answer: one sentence, in one shape."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Response, request
from pydantic import ValidationError
from werkzeug.exceptions import HTTPException

from common.errors import UserError
from leaderboard.models import Failure, written

SENTENCES: Mapping[int, str] = {
    404: "there is nothing at this address: /api/v1/openapi.json describes all that there are",
    405: "this address is not for this method: the header Allow has those that it is for",
    413: "the request is too large",
    429: "too many requests: try again in a moment",
    500: "the arena failed; it is not your fault",
    503: "the arena can't answer now: try again in a moment",
}
"""What is said where nobody says more."""

LATER = 30
"""Seconds after which to ask again where something can't be read or saved."""

UNSAVED = (
    "The arena can't save anything at the moment, so what you sent was not saved. Try again in"
    f" {LATER} seconds."
)

UNKEPT = f"The arena can't keep your file at the moment. Try again in {LATER} seconds."

ROOM = "/api/"
"""Where programs ask: every failure below it is JSON."""


class BadParameter(UserError):
    """A parameter is not what was expected; the message says which, and what was."""


def wants_json() -> bool:
    """Whether a program asks, which can't read a page."""
    return request.path.startswith(ROOM)


def failure(sentence: str, status: int, headers: Mapping[str, str] | None = None) -> Response:
    """Say why there is no answer."""
    body = written(Failure(error=as_sentence(sentence)))
    return Response(body + "\n", status, headers, mimetype="application/json")


def as_sentence(message: str) -> str:
    """The message of an error, with a capital letter and a full stop."""
    return f"{message[:1].upper()}{message[1:]}".rstrip(".") + "."


def failure_of(error: HTTPException) -> Response:
    """Say why there is no answer, where a page would show an error."""
    code = error.code or 500
    headers = {name: value for name, value in error.get_headers() if name not in ("Content-Type",)}
    own = error.description if error.description != type(error).description else None
    return failure(own or SENTENCES.get(code) or error.name, code, headers)


def bad_parameter(error: BadParameter) -> Response:
    """Say what is wrong with what was asked."""
    return failure(str(error), 400)


def parameter_sentence(error: ValidationError) -> str:
    """The first thing that is wrong with what was asked, where it is, and what was expected."""
    first = error.errors(include_url=False, include_context=False)[0]
    where = ".".join(map(str, first["loc"]))
    if first["type"] == "extra_forbidden":
        return f"there is no parameter {where[:80]!r}"
    if first["type"] == "missing":
        return f"the parameter {where!r} is missing"
    what = first["msg"][:1].lower() + first["msg"][1:]
    return f"the parameter {where!r} is {str(first['input'])[:80]!r}: {what}"

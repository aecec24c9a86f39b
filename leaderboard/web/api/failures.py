"""The failures of the API: one sentence, in one model."""

from __future__ import annotations

from collections.abc import Mapping

from flask import Response, request
from pydantic import ValidationError
from werkzeug.exceptions import HTTPException

from card_arena.common.errors import UserError
from card_arena.leaderboard.models import Failure, written

SENTENCES: Mapping[int, str] = {
    404: "address not found: /api/v1/openapi.json describes all addresses",
    405: "method not allowed: the header Allow has the methods of this address",
    413: "the request is too large",
    429: "too many requests: try again in a moment",
    500: "internal error of the arena",
    503: "the arena can't answer now: try again in a moment",
}
"""The sentences of failures without a description."""

LATER = 30
"""Seconds to wait if the database can't be read or written."""

UNSAVED = (
    "The arena can't write to its database, so your request was not saved. Try again in"
    f" {LATER} seconds."
)

UNKEPT = f"The arena can't store your file now. Try again in {LATER} seconds."

ROOT = "/api/"
"""The prefix of the API: every failure below it is JSON."""


class BadParameter(UserError):
    """A parameter is invalid; the message says which, and the expected value."""


def wants_json() -> bool:
    """Whether this request is for the API."""
    return request.path.startswith(ROOT)


def failure(sentence: str, status: int, headers: Mapping[str, str] | None = None) -> Response:
    """Return a failure as JSON."""
    body = written(Failure(error=as_sentence(sentence)))
    return Response(body + "\n", status, headers, mimetype="application/json")


def as_sentence(message: str) -> str:
    """The message of an error, with a capital letter and a full stop."""
    return f"{message[:1].upper()}{message[1:]}".rstrip(".") + "."


def failure_of(error: HTTPException) -> Response:
    """Return an HTTP error as JSON."""
    code = error.code or 500
    headers = {name: value for name, value in error.get_headers() if name not in ("Content-Type",)}
    own = error.description if error.description != type(error).description else None
    return failure(own or SENTENCES.get(code) or error.name, code, headers)


def bad_parameter(error: BadParameter) -> Response:
    return failure(str(error), 400)


def parameter_sentence(error: ValidationError) -> str:
    """Describe the first invalid parameter, its value and the expected one."""
    first = error.errors(include_url=False, include_context=False)[0]
    where = ".".join(map(str, first["loc"]))
    if first["type"] == "extra_forbidden":
        return f"there is no parameter {where[:80]!r}"
    if first["type"] == "missing":
        return f"the parameter {where!r} is missing"
    what = first["msg"][:1].lower() + first["msg"][1:]
    return f"the parameter {where!r} is {str(first['input'])[:80]!r}: {what}"

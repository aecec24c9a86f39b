"""Requests with the character NUL, which PostgreSQL neither keeps nor looks for."""

from __future__ import annotations

from flask import request
from werkzeug.exceptions import BadRequest, NotFound

from leaderboard.web.api.failures import wants_json


def refuse_nul() -> None:
    """Say that nothing is at an address with a NUL in it: raises `NotFound` and `BadRequest`."""
    if "\0" in request.path:
        raise NotFound
    if any("\0" in said for pair in request.args.items(multi=True) for said in pair):
        raise BadRequest("What stands behind the question mark holds the character NUL.")


def refuse_nul_in_forms() -> None:
    """Take no form with a NUL in it, as a browser sends it; raises `BadRequest`.

    Programs send JSON, which is checked where it is read.
    """
    if not wants_json() and any("\0" in said for _, said in request.form.items(multi=True)):
        raise BadRequest("A field of the form holds the character NUL.")

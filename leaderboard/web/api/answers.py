"""How the API answers: models as JSON, pages of lists, and what may be kept for ever."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, make_response, request, url_for
from pydantic import BaseModel, ConfigDict, Field
from spectree.plugins.flask_plugin import FlaskPlugin
from werkzeug.exceptions import NotFound

from leaderboard.models import PageShape, Shape, written

FOREVER = 365 * 24 * 3600
"""Seconds for which what never changes may be kept."""

NUMBER = "<int(min=1, max=999999999):number>"
"""The number of a season, a version or a game in an address."""


class Query(BaseModel):
    """What may be asked behind the `?` of an address."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class PageQuery(Query):
    """Which page of a list."""

    page: int = Field(1, ge=1, le=1_000_000)
    """The number of the page, from 1."""
    size: int = Field(50, ge=1, le=200)
    """The most entries on a page."""


class Answering(FlaskPlugin):
    """Writes the shapes that views return; nothing is read again to see whether it is right."""

    def validate_response(self, resp: Any, *_: Any, **__: Any) -> tuple[Response, None]:
        """Make the response of what a view returned."""
        shape, *rest = resp if isinstance(resp, tuple) else (resp,)
        if isinstance(shape, Shape):
            shape = as_json(shape)
        return make_response((shape, *rest) if rest else shape), None


def as_json(shape: Shape) -> Response:
    """The response with a shape."""
    return Response(f"{written(shape)}\n", mimetype="application/json")


def one_page(found: PageShape, query: PageQuery) -> tuple[PageShape, Mapping[str, str]]:
    """A page of a list, and where the others are; raises `NotFound` behind the last one."""
    if query.page > found.pages:
        there = "1 page" if found.pages == 1 else f"{found.pages} pages"
        raise NotFound(f"there is no page {query.page}: this list has {there}")
    wanted = {"first": 1, "prev": found.page - 1, "next": found.page + 1, "last": found.pages}
    links = [
        f'<{_of_page(number)}>; rel="{name}"'
        for name, number in wanted.items()
        if 1 <= number <= found.pages
    ]
    return found, {"Link": ", ".join(links)}


def for_ever(answer: Any) -> Response:
    """Let programs keep what never changes."""
    response = make_response(answer)
    response.cache_control.max_age = FOREVER
    response.cache_control.immutable = True
    return response


def _of_page(number: int) -> str:
    assert request.endpoint is not None
    asked = {**request.args.to_dict(), "page": number}
    return url_for(request.endpoint, **{**asked, **(request.view_args or {})})

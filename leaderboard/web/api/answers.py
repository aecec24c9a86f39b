"""The answers of the API: models as JSON, pages of lists, and caching."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, make_response, request, url_for
from pydantic import BaseModel, ConfigDict, Field
from spectree.plugins.flask_plugin import FlaskPlugin
from werkzeug.exceptions import NotFound

from card_arena.leaderboard.models import PageShape, Shape, written
from card_arena.leaderboard.web.api.failures import BadParameter, bad_parameter

PREFIX = "/api/v1"

blueprint = Blueprint("api", __name__, url_prefix=PREFIX)
blueprint.register_error_handler(BadParameter, bad_parameter)

FOREVER = 365 * 24 * 3600
"""The seconds for which an unchanging answer may be cached."""

NUMBER = "<int(min=1, max=999999999):number>"
"""The number of a season, a version or a game in an address."""


class Query(BaseModel):
    """The parameters of a request."""

    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class PageQuery(Query):
    """The page of a list."""

    page: int = Field(1, ge=1, le=1_000_000)
    """The number of the page, from 1."""
    size: int = Field(50, ge=1, le=200)
    """The most entries on a page."""


class Answering(FlaskPlugin):
    """Writes the models that views return, without validating them again."""

    def validate_response(self, resp: Any, *_: Any, **__: Any) -> tuple[Response, None]:
        """Make the response of a view's result."""
        shape, *rest = resp if isinstance(resp, tuple) else (resp,)
        if isinstance(shape, Shape):
            shape = as_json(shape)
        return make_response((shape, *rest) if rest else shape), None


def as_json(shape: Shape) -> Response:
    return Response(f"{written(shape)}\n", mimetype="application/json")


def one_page(result: PageShape, query: PageQuery) -> tuple[PageShape, Mapping[str, str]]:
    """Return a page with the links to the others; raises `NotFound` after the last one."""
    if query.page > result.pages:
        count = "1 page" if result.pages == 1 else f"{result.pages} pages"
        raise NotFound(f"there is no page {query.page}: this list has {count}")
    numbers = {"first": 1, "prev": result.page - 1, "next": result.page + 1, "last": result.pages}
    links = [
        f'<{_of_page(number)}>; rel="{name}"'
        for name, number in numbers.items()
        if 1 <= number <= result.pages
    ]
    return result, {"Link": ", ".join(links)}


def for_ever(answer: Any) -> Response:
    """Let clients cache an answer forever."""
    response = make_response(answer)
    response.cache_control.max_age = FOREVER
    response.cache_control.immutable = True
    return response


def _of_page(number: int) -> str:
    assert request.endpoint is not None
    arguments = {**request.args.to_dict(), "page": number}
    return url_for(request.endpoint, **{**arguments, **(request.view_args or {})})

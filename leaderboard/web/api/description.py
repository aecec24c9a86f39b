"""The description of the API as OpenAPI, made from its views and their models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError
from spectree import Response as Answer
from spectree import SecurityScheme, SpecTree
from spectree.models import SecureType, SecuritySchemeData

from card_arena.leaderboard.models import Failure, PageShape, public_name
from card_arena.leaderboard.web.api.answers import Answering
from card_arena.leaderboard.web.api.failures import BadParameter, parameter_sentence

TITLE = "Card Arena"
VERSION = "1"

ABOUT = (
    "The results of this arena, and the operations of authors and organisers. Failures are"
    ' `{"error": "a sentence"}`. docs/api.md explains tokens, pages and caching.'
)

WHY: Mapping[int, str] = {
    400: "A parameter is invalid.",
    401: "The token is missing or invalid.",
    403: "The token does not permit this, or the operation is another team's.",
    404: "Not found, or of another team.",
    405: "The address does not support this method.",
    409: "Not possible now; the sentence says when it is.",
    413: "The file is too large.",
    429: "Too many requests: try again after the seconds in `Retry-After`.",
    503: "The arena can't read its database now.",
}
"""The meaning of each failure."""

DONE: Mapping[int, str] = {200: "The answer.", 201: "Submitted, requested or created."}
"""The meaning of each success."""

ALWAYS = (400, 429, 503)
"""Failures that any address may answer with."""

HEADERS: Mapping[str, Mapping[str, Any]] = {
    "ETag": {
        "description": "The value for `If-None-Match`: the answer is 304 unless it has changed.",
        "schema": {"type": "string"},
    },
    "Link": {
        "description": "The addresses of the first, previous, next and last page (RFC 8288).",
        "schema": {"type": "string"},
    },
    "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}},
}


class Answers(Answer):
    """The answers of an address: a model (or a file of one of the types `media`), and failures.

    `status` are the codes of success. With `cached`, the answer may also be 304.
    """

    def __init__(
        self,
        shape: type[BaseModel] | None,
        *failures: int,
        media: tuple[str, ...] = ("application/json",),
        status: tuple[int, ...] = (200,),
        cached: bool = True,
    ) -> None:
        models: dict[str, Any] = {f"HTTP_{code}": shape for code in status}
        models |= {f"HTTP_{code}": (Failure, WHY[code]) for code in (*ALWAYS, *failures)}
        super().__init__(**models)
        self._media = media
        self._status = status
        self._cached = cached
        self._pages = shape is not None and issubclass(shape, PageShape)

    def generate_spec(self, *arguments: Any, **options: Any) -> dict[str, Any]:
        """The answers in OpenAPI, with their headers and the types of files."""
        responses = super().generate_spec(*arguments, **options)
        for code in map(str, self._status):
            answer = responses[code]
            answer["description"] = DONE[int(code)]
            if self._media != ("application/json",):
                schema = {"type": "string", "format": "binary"}
                answer["content"] = {media: {"schema": schema} for media in self._media}
        if self._cached:
            named = ("ETag", "Link") if self._pages else ("ETag",)
            responses["200"]["headers"] = {name: HEADERS[name] for name in named}
            responses["304"] = {"description": "Not modified."}
        responses["429"]["headers"] = {"Retry-After": HEADERS["Retry-After"]}
        return responses


class Description(SpecTree):
    """The OpenAPI description of all addresses."""

    def __init__(self, **options: Any) -> None:
        self._shapes: dict[str, Any] = {}
        super().__init__(
            backend=Answering,
            mode="strict",
            before=_refuse,
            validation_error_status=400,
            validation_error_model=Failure,
            naming_strategy=lambda model: public_name(model.__name__),
            nested_naming_strategy=lambda _parent, child: public_name(child),
            annotations=True,
            title=TITLE,
            version=VERSION,
            description=ABOUT,
            **options,
        )

    def _add_model(self, model: Any, mode: Any = "validation") -> str:
        """Add a model and those in it; raises `ValueError` if two have the same name."""
        name = super()._add_model(model, mode)
        schema = self.models[name]
        whole = {key: value for key, value in schema.items() if key != "$defs"}
        inner = {public_name(child): part for child, part in schema.get("$defs", {}).items()}
        for title, part in (*inner.items(), (name, whole)):
            if self._shapes.setdefault(title, part) != part:
                raise ValueError(f"two models have the name {title}")
        return name

    def _get_model_definitions(self) -> dict[str, Any]:
        """All models; spectree's own method forgets them after the first call."""
        for schema in self.models.values():
            schema.pop("$defs", None)
        return dict(self._shapes)

    def data(self) -> dict[str, Any]:
        """The OpenAPI of the site of this request."""
        return self._generate_spec()


def _refuse(_request: Any, _response: Any, error: Exception | None, *_: Any) -> None:
    """Raise `BadParameter` for an invalid request."""
    if isinstance(error, ValidationError):
        raise BadParameter(parameter_sentence(error)) from error


api = Description(
    security_schemes=[
        SecurityScheme(
            name="token",
            data=SecuritySchemeData(
                type=SecureType.HTTP, scheme="bearer", description="An API token."
            ),
        )
    ]
)
"""The description of this arena's API: views register themselves by `@api.validate(...)`."""

"""The description of the API as OpenAPI, made from its views and their models."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError
from spectree import Response as Answer
from spectree import SecurityScheme, SpecTree
from spectree.models import SecureType, SecuritySchemeData

from leaderboard.models import Failure, PageShape, public_name
from leaderboard.web.api.answers import Answering
from leaderboard.web.api.failures import BadParameter, parameter_sentence

TITLE = "Card Arena"
VERSION = "1"

ABOUT = (
    "What the pages of this arena show, and what authors can do here. Failures are"
    ' `{"error": "a sentence"}`. docs/api.md explains tokens, pages and caching.'
)

WHY: Mapping[int, str] = {
    400: "A parameter is not what was expected.",
    401: "No token came with the request, or none that is valid.",
    403: "The token may not do this, or the operation is somebody else's.",
    404: "There is no such thing, or it is another team's.",
    405: "The address is not for this method.",
    409: "It can't be taken now; the sentence says when it can.",
    413: "The file is too large.",
    429: "Too many requests: try again after so many seconds as `Retry-After` says.",
    503: "The arena can't read its database now.",
}
"""What the failures mean."""

DONE: Mapping[int, str] = {200: "The answer.", 201: "It was submitted, requested or made."}
"""What success means."""

ALWAYS = (400, 429, 503)
"""Failures that any address may answer with."""

HEADERS: Mapping[str, Mapping[str, Any]] = {
    "ETag": {
        "description": "What `If-None-Match` may name: unless it has changed, the answer is 304.",
        "schema": {"type": "string"},
    },
    "Link": {
        "description": "The addresses of the first, previous, next and last page (RFC 8288).",
        "schema": {"type": "string"},
    },
    "Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}},
}


class Answers(Answer):
    """What an address may answer: a shape (or a file of one of the types `media`), and failures.

    `status` is that of success. What programs may keep is also answered by 304.
    """

    def __init__(
        self,
        shape: type[BaseModel] | None,
        *failures: int,
        media: tuple[str, ...] = ("application/json",),
        status: tuple[int, ...] = (200,),
        kept: bool = True,
    ) -> None:
        models: dict[str, Any] = {f"HTTP_{code}": shape for code in status}
        models |= {f"HTTP_{code}": (Failure, WHY[code]) for code in (*ALWAYS, *failures)}
        super().__init__(**models)
        self._media = media
        self._status = status
        self._kept = kept
        self._pages = shape is not None and issubclass(shape, PageShape)

    def generate_spec(self, *arguments: Any, **options: Any) -> dict[str, Any]:
        """The answers as OpenAPI has them, with their headers and the types of files."""
        found = super().generate_spec(*arguments, **options)
        for code in map(str, self._status):
            answer = found[code]
            answer["description"] = DONE[int(code)]
            if self._media != ("application/json",):
                schema = {"type": "string", "format": "binary"}
                answer["content"] = {media: {"schema": schema} for media in self._media}
        if self._kept:
            named = ("ETag", "Link") if self._pages else ("ETag",)
            found["200"]["headers"] = {name: HEADERS[name] for name in named}
            found["304"] = {"description": "It has not changed since."}
        found["429"]["headers"] = {"Retry-After": HEADERS["Retry-After"]}
        return found


class Description(SpecTree):
    """What there is below one address, for a program that makes its client from that."""

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
        """Add a shape and those in it; raises `ValueError` where two have the same name."""
        name = super()._add_model(model, mode)
        schema = self.models[name]
        whole = {key: value for key, value in schema.items() if key != "$defs"}
        inner = {public_name(child): each for child, each in schema.get("$defs", {}).items()}
        for called, each in (*inner.items(), (name, whole)):
            if self._shapes.setdefault(called, each) != each:
                raise ValueError(f"two shapes are called {called}")
        return name

    def _get_model_definitions(self) -> dict[str, Any]:
        """All shapes; spectree's own way forgets them once it has told them."""
        for schema in self.models.values():
            schema.pop("$defs", None)
        return dict(self._shapes)

    def data(self) -> dict[str, Any]:
        """The OpenAPI of the site that this request is for: another one may have other accounts."""
        return self._generate_spec()


def _refuse(_request: Any, _response: Any, error: Exception | None, *_: Any) -> None:
    """Say in one sentence what is wrong with what was asked."""
    if isinstance(error, ValidationError):
        raise BadParameter(parameter_sentence(error)) from error


api = Description(
    security_schemes=[
        SecurityScheme(
            name="token",
            data=SecuritySchemeData(
                type=SecureType.HTTP, scheme="bearer", description="A token of one's own."
            ),
        )
    ]
)
"""The description of this arena's API: views register themselves by `@api.validate(...)`."""

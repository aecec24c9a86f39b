"""The protocol page by page, for people and as Markdown; transcripts; the start for programs."""

from __future__ import annotations

from flask import Response, abort, render_template, url_for

from leaderboard.web.pages.site import blueprint
from leaderboard.web.protocol import (
    GENERAL,
    Addresses,
    ProtocolPage,
    html,
    markdown,
    protocol_pages,
)
from tables.manual import transcript
from tables.registry import GAMES


@blueprint.get("/protocol")
@blueprint.get("/protocol/<name>")
def protocol(name: str = GENERAL) -> str:
    """A page of the protocol."""
    page = _page(name)
    return render_template(
        "protocol.html",
        page=page,
        text=html(page, _addresses("pages.protocol")),
        others=protocol_pages().values(),
    )


@blueprint.get("/protocol.md")
@blueprint.get("/protocol/<name>.md")
def protocol_text(name: str = GENERAL) -> Response:
    """The same page as Markdown."""
    text = markdown(_page(name), _addresses("pages.protocol_text"))
    return Response(text, mimetype="text/markdown")


@blueprint.get("/protocol/<name>.txt")
def protocol_transcript(name: str) -> Response:
    """A whole game, word by word."""
    if name not in GAMES:
        abort(404, f"The protocol has no transcript of {name[:80]!r}.")
    text = "\n".join(transcript(GAMES[name])) + "\n"
    return Response(text, mimetype="text/plain")


@blueprint.get("/llms.txt")
def llms() -> Response:
    """Where everything is, for programs that read (llmstxt.org)."""
    text = render_template("llms.txt", pages=protocol_pages().values(), address=_text_address)
    return Response(text, mimetype="text/plain")


def _page(name: str) -> ProtocolPage:
    page = protocol_pages().get(name)
    if page is None:
        abort(404, f"The protocol has no page {name[:80]!r}.")
    return page


def _addresses(endpoint: str) -> Addresses:
    return Addresses(
        lambda name: url_for(endpoint, name=name or None),
        lambda game: url_for("pages.protocol_transcript", name=game),
    )


def _text_address(name: str) -> str:
    return url_for("pages.protocol_text", name=name or None, _external=True)

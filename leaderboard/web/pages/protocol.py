"""The protocol page by page, for people and as Markdown; and what programs should read first."""

from __future__ import annotations

from functools import partial

from flask import Response, abort, render_template, url_for

from leaderboard.web.pages.site import blueprint
from leaderboard.web.protocol import (
    GENERAL,
    ProtocolPage,
    html,
    markdown,
    protocol_pages,
)


@blueprint.get("/protocol")
@blueprint.get("/protocol/<name>")
def protocol(name: str = GENERAL) -> str:
    """A page of the protocol."""
    page = _page(name)
    return render_template(
        "protocol.html",
        page=page,
        text=html(page, partial(_address, "pages.protocol")),
        others=protocol_pages().values(),
    )


@blueprint.get("/protocol.md")
@blueprint.get("/protocol/<name>.md")
def protocol_text(name: str = GENERAL) -> Response:
    """The same page as Markdown."""
    text = markdown(_page(name), partial(_address, "pages.protocol_text"))
    return Response(text, mimetype="text/markdown")


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


def _address(endpoint: str, name: str, anchor: str = "") -> str:
    return url_for(endpoint, name=name or None, _anchor=anchor or None)


def _text_address(name: str) -> str:
    return url_for("pages.protocol_text", name=name or None, _external=True)

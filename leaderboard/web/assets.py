"""Static files: addresses that change with their contents, and the style sheet in one piece."""

from __future__ import annotations

import hashlib
from pathlib import Path

from flask import Flask, Response, request, url_for

STATIC = Path(__file__).parent / "static"

SHEET = "style.css"
"""The style sheet that every page links to."""

SHEETS = (
    *("colours", "page", "type", "labels", "facts", "panels", "forms"),
    *("tables", "reflow", "faults", "plot"),
    *("cards", "felt", "player", "seat", "home"),
    *("cuts", "queue", "rounds", "bracket", "cross_table", "thresholds"),
)
"""The parts of the style sheet, `static/css/*.css`, in the order of the cascade."""

FOREVER = 365 * 24 * 3600


def style_sheet() -> str:
    """Join the parts of the style sheet, so that a page asks for one file and needs no build."""
    return "\n".join((STATIC / "css" / f"{part}.css").read_text("utf-8") for part in SHEETS)


class Assets:
    """The static files of a site, at addresses with a hash of their contents, to keep for ever."""

    def __init__(self, app: Flask) -> None:
        self._sheet = style_sheet().encode()
        contents = {
            str(path.relative_to(STATIC)): path.read_bytes()
            for path in STATIC.rglob("*")
            if path.is_file()
        }
        self._digests = {
            name: hashlib.sha256(content).hexdigest()[:12]
            for name, content in {**contents, SHEET: self._sheet}.items()
        }
        app.add_url_rule(
            f"{app.static_url_path}/{SHEET}",
            "style_sheet",
            self._serve_sheet,
            defaults={"filename": SHEET},
        )

    def __call__(self, name: str, *, external: bool = False) -> str:
        """Give the address of a static file; `external` with the site's own before it."""
        return url_for("static", filename=name, v=self._digests[name], _external=external)

    def _serve_sheet(self, filename: str) -> Response:  # noqa: ARG002 - as Flask's own files have it
        response = Response(self._sheet, mimetype="text/css")
        response.cache_control.no_cache = True  # like Flask's, until `keep` says otherwise
        response.add_etag()
        response.make_conditional(request)
        return response

    def owns(self, endpoint: str | None) -> bool:
        """Whether this endpoint answers with a static file."""
        return endpoint in ("static", "style_sheet")

    def keep(self, response: Response) -> bool:
        """Let browsers keep a static file; False where this request is for something else.

        Only the address that the contents have now is kept: any other may have other contents
        tomorrow.
        """
        if not self.owns(request.endpoint):
            return False
        name = (request.view_args or {}).get("filename")
        current = name in self._digests and request.args.getlist("v") == [self._digests[name]]
        if current and response.status_code in (200, 304):
            response.cache_control.no_cache = None
            response.cache_control.public = True
            response.cache_control.max_age = FOREVER
            response.cache_control.immutable = True
        return True

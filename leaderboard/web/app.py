"""The Flask application: what all responses have in common."""

from __future__ import annotations

from functools import partial

from flask import Flask, Response, current_app, render_template, request, url_for
from jinja2 import FileSystemBytecodeCache
from werkzeug.exceptions import HTTPException, NotFound, ServiceUnavailable

from leaderboard.storage.database import Unknown
from leaderboard.storage.store import Store, StoreError
from leaderboard.web import number_formats, pages, template_filters
from leaderboard.web.assets import Assets
from leaderboard.web.page_cache import PageCache
from leaderboard.web.public_address import PublicAddress, PublicAddressMiddleware

POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
"""The Content-Security-Policy: this site's own files and nothing else, nothing written inline."""

PLACES = ("game", "turn", "leg", "page")
"""The query parameters that are part of a page's canonical address."""


def create_app(url: str, address: PublicAddress | None = None, *, patience: float = 0.0) -> Flask:
    """Make the site of the store at `url`; raises `leaderboard.storage.store.StoreError`.

    It only reads the store. `address` is where visitors reach it; without one, links lead to
    the root of this server, and pages name no canonical address. With `patience` a page is kept
    for so many times as long as it took to be written.
    """
    app = Flask(__name__)
    if address is not None:
        app.wsgi_app = PublicAddressMiddleware(app.wsgi_app, address)  # type: ignore[method-assign]
    # They are compiled once and kept; so nothing but the template may go into what is kept.
    app.jinja_env.bytecode_cache = FileSystemBytecodeCache()
    app.jinja_env.optimized = False
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters.update(template_filters.FILTERS, game_title=pages.game_title)
    assets = Assets(app)
    app.jinja_env.globals.update(
        asset=assets,
        share=number_formats.share,
        repro_name=template_filters.repro_name,
        progress=number_formats.progress,
        time_left=template_filters.time_left,
        canonical=partial(_canonical, address),
    )
    app.extensions["arena"] = pages.Site(Store(url))
    app.register_blueprint(pages.blueprint)
    app.register_error_handler(HTTPException, _sorry)
    app.register_error_handler(Unknown, _unknown)
    app.register_error_handler(StoreError, _out_of_order)
    app.after_request(partial(_guard, assets))
    if patience:
        PageCache(patience).watch(app)  # it comes first, before headers that go by the request
    return app


def _canonical(address: PublicAddress | None) -> str:
    """The canonical address of the requested page; empty if the site's address is not known.

    Sorting and searching are left out: they show the same page in another way.
    """
    if address is None or request.endpoint is None:
        return ""
    kept = {name: value for name, value in request.args.items() if name in PLACES}
    return url_for(request.endpoint, **(request.view_args or {}), **kept, _external=True)


def _guard(assets: Assets, response: Response) -> Response:
    """Add security headers, and say how long a response may be cached."""
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "same-origin"
    if not assets.keep(response) and response.status_code == 200:
        # Browsers keep a page and ask each time whether it has changed.
        response.cache_control.no_cache = True
        response.add_etag()
        response.make_conditional(request)
    return response


def _sorry(error: HTTPException) -> tuple[str, int]:
    """Show an error as a page of the site."""
    code = error.code or 500
    return render_template("error.html", code=code, error=error), code


def _unknown(error: Unknown) -> tuple[str, int]:
    """Show that something is not in the store."""
    return _sorry(NotFound(f"{str(error)[:1].upper()}{str(error)[1:]}."))


def _out_of_order(error: StoreError) -> tuple[str, int]:
    """The store can't be read now: log why, and tell the reader that it isn't their fault."""
    current_app.logger.error("%s", error)
    return _sorry(ServiceUnavailable())

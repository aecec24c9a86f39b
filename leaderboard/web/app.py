"""The Flask application, with the error pages and headers of all responses."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from flask import Flask, Response, current_app, g, make_response, render_template, request, url_for
from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket
from werkzeug.exceptions import HTTPException, NotFound, ServiceUnavailable

from card_arena.exhibitions.settings import PlaySettings
from card_arena.exhibitions.store import ExhibitionStore
from card_arena.leaderboard.rules import LanguageShape
from card_arena.leaderboard.web import api, filters, pages
from card_arena.leaderboard.web.api.failures import LATER, UNSAVED, failure_of, wants_json
from card_arena.leaderboard.web.assets import Assets
from card_arena.leaderboard.web.caches import PageCache
from card_arena.leaderboard.web.filters import Times, refuse_bare
from card_arena.leaderboard.web.live_tables import LiveTables
from card_arena.leaderboard.web.pages import tables
from card_arena.leaderboard.web.requests import (
    PublicAddress,
    PublicAddressMiddleware,
    limit_rates,
    refuse_nul,
)
from card_arena.leaderboard.web.streams import Hub
from card_arena.results.errors import FOR_A_SITE, Damaged, StoreError, Unknown, Unwritable
from card_arena.results.store import Store

POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
"""The Content-Security-Policy: this site's own files and nothing else, nothing written inline."""

PLACES = ("game", "turn", "leg", "page")
"""The query parameters that are part of a page's canonical address."""


SITE_LINKS = [
    ("pages.home", "Watch"),
    ("pages.tournaments", "Tournaments"),
    ("pages.bots", "Bots"),
    ("pages.how", "How it works"),
]
"""The endpoints and the labels of the links in the header of each page."""


PLAY_LINK = ("tables.play", "Play")


class Compiled(FileSystemBytecodeCache):
    """The cache of compiled templates; on a full disk each process compiles its own."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            super().dump_bytecode(bucket)


def create_app(
    url: str,
    address: PublicAddress | None = None,
    *,
    patience: float = 0.0,
    rate: str = "",
    languages: Sequence[LanguageShape] = (),
    zone: str = "UTC",
    read_only: bool = False,
    rows: int = pages.ROWS,
    play: PlaySettings | None = None,
) -> Flask:
    """Make the site of the store at `url`; raises `results.errors.StoreError`.

    It only reads the store. `address` is the public address; without one, links lead to the root of
    this server, and pages name no canonical address. With `patience` a page is cached for so many
    times as long as it took to write. `rate` limits the requests of an address, such as
    "60/minute". `languages` are those of bots. Times are in the time zone `zone`, and in UTC beside
    it. A store that is opened `read_only` must exist in this version. One page of a long list shows
    so many `rows`.
    """
    app = Flask(__name__)
    if address is not None:
        app.wsgi_app = PublicAddressMiddleware(app.wsgi_app, address)  # type: ignore[method-assign]
    # Compiled templates are cached on disk, so they must depend on the template alone.
    app.jinja_env.bytecode_cache = Compiled()
    app.jinja_env.optimized = False
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    times = Times(zone)
    app.jinja_env.finalize = refuse_bare
    app.jinja_env.filters.update(filters.FILTERS, game_title=pages.game_title, **times.filters)
    assets = Assets(app)
    app.jinja_env.globals.update(
        asset=assets,
        share=filters.share,
        bot_title=pages.bot_title,
        shows_logs=True,
        archived="",
        for_authors={},
        repro_name=filters.repro_name,
        progress=filters.progress,
        arena_zone=zone,
        time_left=times.time_left,
        canonical=partial(_canonical, address),
    )
    app.extensions["arena"] = site = pages.Site(
        Store(url, FOR_A_SITE, read_only=read_only), languages, zone, rows
    )
    app.extensions["streams"] = Hub()
    app.extensions["site_links"] = SITE_LINKS
    app.jinja_env.globals["plays"] = play is not None and play.who != "nobody"
    if play is not None and play.who != "nobody":
        app.extensions["tables"] = LiveTables(ExhibitionStore(url, FOR_A_SITE), play)
        app.extensions["site_links"] = [SITE_LINKS[0], PLAY_LINK, *SITE_LINKS[1:]]
    app.jinja_env.globals["site_links"] = app.extensions["site_links"]
    app.after_request(_compress)
    app.after_request(_later)  # almost the last: rate limits set a `Retry-After` of their own
    limits = limit_rates(app)
    for blueprint in (pages.blueprint, tables.blueprint, api.blueprint):
        app.register_blueprint(blueprint)
        limits.blueprints[blueprint.name] = rate
    app.register_error_handler(HTTPException, sorry)
    app.register_error_handler(Unknown, _unknown)
    app.register_error_handler(StoreError, _out_of_order)
    app.before_request(refuse_nul)
    app.after_request(partial(_guard, assets, site))
    if patience:
        # first, before headers that depend on the request
        PageCache(patience, lambda: site.readers.is_somebody(), lambda: site.readers.state()).watch(
            app
        )
    return app


def _canonical(address: PublicAddress | None) -> str:
    """The canonical address of the requested page; empty if the site's address is not known.

    Sorting and searching are left out: they show the same page in another way.
    """
    if address is None or request.endpoint is None:
        return ""
    arguments = {name: value for name, value in request.args.items() if name in PLACES}
    return url_for(request.endpoint, **(request.view_args or {}), **arguments, _external=True)


def _guard(assets: Assets, site: pages.Site, response: Response) -> Response:
    response.headers["Content-Security-Policy"] = POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers.setdefault("Referrer-Policy", "same-origin")
    private = response.cache_control.no_store
    if site.readers.is_restricted() and not private and not assets.owns(request.endpoint):
        response.vary.update(("Cookie", "Authorization"))
        response.cache_control.public = False
        response.cache_control.private = site.readers.is_somebody() or None
        response.cache_control.max_age = None
        response.cache_control.immutable = False
    if not private and not assets.keep(response) and response.status_code == 200:
        # Browsers cache a page and ask each time whether it has changed.
        if response.cache_control.max_age is None:
            response.cache_control.no_cache = True
        response.add_etag()
        response.make_conditional(request)
    return response


def sorry(error: HTTPException) -> Response:
    """Return an error as a page, or as JSON to the API."""
    g.later = dict(error.get_headers()).get("Retry-After")
    if wants_json():
        return failure_of(error)
    code = error.code or 500
    headers = {name: value for name, value in error.get_headers() if name != "Content-Type"}
    return make_response(render_template("error.html", code=code, error=error), code, headers)


def _compress(response: Response) -> Response:
    """Compress the steps of a table, which repeat themselves."""
    if request.endpoint == "pages.frames" and response.status_code == 200:
        response.vary.add("Accept-Encoding")
        if request.accept_encodings["gzip"]:
            response.set_data(gzip.compress(response.get_data(), 5, mtime=0))
            response.content_encoding = "gzip"
            etag, _ = response.get_etag()
            if etag:
                response.set_etag(etag, weak=True)
    return response


def _later(response: Response) -> Response:
    if later := g.get("later"):
        response.headers["Retry-After"] = later
    return response


def _unknown(error: Unknown) -> Response:
    return sorry(NotFound(f"{str(error)[:1].upper()}{str(error)[1:]}."))


def _out_of_order(error: StoreError) -> Response:
    current_app.logger.error("%s", error)
    later = None if isinstance(error, Damaged) else LATER
    lost = isinstance(error, Unwritable) and request.method not in ("GET", "HEAD")
    return sorry(ServiceUnavailable(UNSAVED if lost else None, retry_after=later))

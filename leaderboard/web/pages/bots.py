"""The list of bots, and one bot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flask import render_template, request, url_for
from werkzeug import Response
from werkzeug.utils import redirect

from common.text import nearest
from leaderboard import bots
from leaderboard.bots import RatingPoint
from leaderboard.matches import Address
from leaderboard.models import RatingShape
from leaderboard.paging import paged
from leaderboard.seasons import bot_interventions
from leaderboard.web.filters import number
from leaderboard.web.pages.site import blueprint, game_title, matches_search, searched_text, site
from results.bots import UnknownBot

VERSIONS = 100
"""How many versions of a bot its page shows, the newest ones."""

LOGS = 5
"""How many build logs it shows, of the newest versions that could not be built."""


@dataclass(frozen=True, slots=True)
class Point:
    """A rating after one match.

    `season` and `new_version` say what started with this match; empty where nothing did.
    """

    match: Address
    version: int
    rating: RatingShape
    season: str
    new_version: str


@dataclass(frozen=True, slots=True)
class History:
    """A bot in one tournament."""

    tournament: str
    points: tuple[Point, ...]

    @property
    def summary(self) -> str:
        first, last = self.points[0], self.points[-1]
        return (
            f"From {number(first.rating.mu, 1)} after its first match to"
            f" {number(last.rating.mu, 1)} now; its 95 % interval is"
            f" {number(last.rating.low, 1)} to {number(last.rating.high, 1)}"
            f"{', so it is provisional' if last.rating.provisional else ''}."
        )


def history(tournament: str, ratings: Sequence[RatingPoint]) -> History:
    """Prepare ratings, given in playing order, for the page."""
    points = []
    season = version = None
    for point in ratings:
        now = point.match.season
        points.append(
            Point(
                match=point.match,
                version=point.version,
                rating=point.rating,
                season=f"season {now}" if now != season else "",
                new_version=f"v{point.version}" if point.version != version else "",
            )
        )
        season, version = now, point.version
    return History(tournament, tuple(points))


@blueprint.get("/bots", endpoint="bots")
def every_bot() -> str:
    """Every bot."""
    everybody = bots.bots(site().store)
    searched = searched_text()
    found = [
        line
        for line in everybody
        if matches_search(
            searched, line.bot, line.author, line.language, *map(game_title, line.games)
        )
    ]
    return render_template(
        "bots.html",
        everybody=everybody,
        wanted=searched,
        found=paged(found, request.args.get("page", 1, type=int), site().rows),
        game_title=game_title,
    )


@blueprint.get("/bot/<name>", endpoint="bot")
def one_bot(name: str) -> str | tuple[str, int] | Response:
    """One bot: ratings, results, versions and faults."""
    store = site().store
    try:
        bot = bots.bot(store, name)
    except UnknownBot:
        if now := store.moved_to(name):
            return redirect(url_for("pages.bot", name=now), 301)
        names = [line.bot for line in bots.bots(store)]
        near = nearest(name.lower(), names, 3, 0.5)
        return render_template("unknown_bot.html", name=name[:80], near=near), 404
    return render_template(
        "bot.html",
        bot=bot,
        newest=bot.versions[0],
        results=bots.results(store, name, request.args.get("page", 1, type=int), site().rows),
        faults=bots.faults(store, name).items,
        most_versions=VERSIONS,
        interventions=bot_interventions(store, bot.name).items,
        moves=store.moves(bot.name),
        unbuilt=[one for one in bot.versions if one.build and not one.build.ok][:LOGS],
        histories=[history(name, points) for name, points in bot.ratings.items()],
        game_title=game_title,
    )

"""Who margins whom: in one tournament over all its seasons, and over all games."""

from __future__ import annotations

from flask import render_template, request

from leaderboard.paging import paged
from leaderboard.web.pages.site import blueprint, game_title, matches_search, searched_text, site


@blueprint.get("/t/<name>/versus")
def versus(name: str) -> str:
    """A tournament over all its seasons: strengths, and who leads whom."""
    found = site().versus(name)
    searched = searched_text()
    lines = [line for line in found.rivals if matches_search(searched, line.bot, line.author)]
    return render_template(
        "versus.html",
        season=found,
        versus=found,
        panel=found.panel,
        game_title=game_title(found.game),
        wanted=searched,
        found=paged(lines, request.args.get("bots", 1, type=int), site().rows),
        bots={line.version_id: line for line in found.rivals},
    )


@blueprint.get("/all-games")
def all_games() -> str:
    """One order over all games."""
    found = site().all_games()
    return render_template(
        "all_games.html",
        board=found,
        found=paged(found.rivals, request.args.get("bots", 1, type=int), site().rows),
        game_title=game_title,
    )

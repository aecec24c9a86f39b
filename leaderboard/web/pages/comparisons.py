"""Strengths of bots in one tournament over all its seasons, and over all games."""

from __future__ import annotations

from flask import render_template, request

from card_arena.leaderboard.models import paged
from card_arena.leaderboard.web.pages.site import (
    blueprint,
    game_title,
    matches_search,
    searched_text,
    site,
)


@blueprint.get("/t/<name>/versus")
def versus(name: str) -> str:
    """A tournament over all its seasons: strengths and head-to-head margins."""
    comparison = site().versus(name)
    searched = searched_text()
    lines = [line for line in comparison.rivals if matches_search(searched, line.bot, line.author)]
    return render_template(
        "versus.html",
        season=comparison,
        versus=comparison,
        panel=comparison.panel,
        game_title=game_title(comparison.game),
        search=searched,
        bots_page=paged(lines, request.args.get("bots", 1, type=int), site().rows),
        bots={line.version_id: line for line in comparison.rivals},
    )


@blueprint.get("/all-games")
def all_games() -> str:
    """One ranking over all games."""
    ranking = site().all_games()
    return render_template(
        "all_games.html",
        board=ranking,
        bots_page=paged(ranking.rivals, request.args.get("bots", 1, type=int), site().rows),
        game_title=game_title,
    )

"""The list of bots, and one bot."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from itertools import islice

from flask import render_template, request, url_for
from werkzeug import Response
from werkzeug.utils import redirect

from card_arena.common.text import nearest
from card_arena.leaderboard import bots
from card_arena.leaderboard.models import paged
from card_arena.leaderboard.queue import next_match
from card_arena.leaderboard.reviews import VersionReview, reviewed_matches, version_review
from card_arena.leaderboard.seasons import bot_interventions
from card_arena.leaderboard.web.pages.matches import DEAREST
from card_arena.leaderboard.web.pages.site import (
    blueprint,
    game_title,
    matches_search,
    searched_text,
    site,
)
from card_arena.leaderboard.web.replays import drawn_answer
from card_arena.results.bots import UnknownBot
from card_arena.tables.referee import BadRecord
from card_arena.tables.registry import UnknownGame
from card_arena.tables.registry import game as game_of

VERSIONS = 100
"""How many versions of a bot its page shows, the newest ones."""

LOGS = 5
"""How many build logs it shows, of the newest versions that could not be built."""

REVIEWED = 20
"""How many reviewed matches of a version are summed up, the latest ones."""


@blueprint.get("/bots", endpoint="bots")
def every_bot() -> str:
    """Every bot."""
    all_bots = bots.bots(site().store)
    searched = searched_text()
    matching = [
        line
        for line in all_bots
        if matches_search(
            searched, line.bot, line.author, line.language, *map(game_title, line.games)
        )
    ]
    return render_template(
        "bots.html",
        all_bots=all_bots,
        search=searched,
        bots_page=paged(matching, request.args.get("page", 1, type=int), site().rows),
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
        next_match=next_match(store, name),
        unbuilt=[one for one in bot.versions if one.build and not one.build.ok][:LOGS],
        game_title=game_title,
    )


@blueprint.get("/bot/<name>/reviews")
def bot_reviews(name: str) -> str:
    """What the decisions of a bot cost: its newest version that was reviewed, and the one before.

    The matches of each game are summed up apart.
    """
    seen, games = site(), defaultdict[str, list[VersionReview]](list)
    for number, keys in islice(reviewed_matches(seen.store, name).items(), 2):
        by_game = defaultdict(list)
        for key in keys[:REVIEWED]:
            match = seen.match(key)
            try:
                review = seen.review(key)
            except (BadRecord, UnknownGame):
                continue  # of older rules: it can't be replayed
            if review is not None:
                by_game[match.records[0].game].append((match, review))
        for game, reviews in by_game.items():
            if version := version_review(name, number, reviews, DEAREST):
                games[game].append(version)
    return render_template(
        "bot_reviews.html",
        name=name,
        games=games,
        most=REVIEWED,
        drawn={game: partial(drawn_answer, game_of(game)) for game in games},
        game_title=game_title,
    )

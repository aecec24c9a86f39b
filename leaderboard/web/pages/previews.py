"""The picture of a position, which other sites show beside a link to a match."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

from flask import Response, abort, request

from card_arena.leaderboard.web import filters
from card_arena.leaderboard.web.pages.site import Site, blueprint, site
from card_arena.leaderboard.web.preview import drawing, png
from card_arena.leaderboard.web.replays import scene_after, seat_names, style_of
from card_arena.tables.referee import BadRecord, replay
from card_arena.tables.registry import UnknownGame, game

PICTURES = 64
"""The most pictures in memory."""

KEEP = 3600
"""For how many seconds others may keep a picture."""


@blueprint.get("/preview/<path:key>.png")
def preview(key: str) -> Response:
    """The table of a match after a turn, as a PNG."""
    match = site().match(key)
    number, turn = request.args.get("game", 1, type=int), request.args.get("turn", 0, type=int)
    record = match.records[number - 1] if 1 <= number <= len(match.records) else None
    if record is None or not 0 <= turn < len(record.turns):
        abort(404, f"Game {number} of this match has no turn {turn}.")
    try:
        picture = _picture(site(), key, number - 1, turn)
    except (BadRecord, UnknownGame) as error:
        abort(404, f"This position can't be drawn: {error}.")
    response = Response(picture, mimetype="image/png")
    response.cache_control.public = True
    response.cache_control.max_age = KEEP
    return response


@lru_cache(maxsize=PICTURES)
def _picture(seen: Site, key: str, number: int, turn: int) -> bytes:
    """The picture of a position, with what readers of this site see of its match."""
    match = seen.match(key)
    record, names = match.records[number], seat_names(match, number)
    rules = game(record.game)
    steps = [*islice(replay(rules, record), turn + 1)]
    last = scene_after(rules, steps[-1])
    around, _ = style_of(rules)
    framed, outcome = rules.presentation.framed, filters.outcome(match.entrants)
    return png(drawing(last, names, outcome, match.tournament, around=around, framed=framed))

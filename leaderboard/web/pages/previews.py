"""The picture of a position, which other sites show beside a link to a match."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from flask import Response, abort, request

from leaderboard.matches import Entrant
from leaderboard.web import filters
from leaderboard.web.pages.site import Site, blueprint, site
from leaderboard.web.preview import drawing, png
from leaderboard.web.replays import scene_after, seat_names, style_of
from tables.referee import BadRecord, replay
from tables.registry import UnknownGame, game

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
    framed = rules.presentation.framed
    return png(
        drawing(
            last, names, heading(match.entrants), match.tournament, around=around, framed=framed
        )
    )


def heading(seats: Sequence[Entrant]) -> str:
    """The result of a match: "ada 61 : −194 bob", or a list of bots and scores."""
    results = [
        (" and ".join(seat.bot for seat in side), filters.number(side[0].score))
        for side in filters.sides(seats)
    ]
    if len(results) == 2:
        (best, most), (other, least) = results
        return f"{best} {most} : {least} {other}"
    return ", ".join(f"{name} {score}" for name, score in results)

"""One match, and a question of it as a file."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from flask import Response, abort, render_template, request

from leaderboard.matches import MatchDetail
from leaderboard.question_file import QuestionFile, question_file
from leaderboard.web import card_svg, filters, replays
from leaderboard.web.pages.site import blueprint, game_title, site
from leaderboard.web.replays import boards, seat_names, totals
from results.season_settings import SeasonSettings
from tables.referee import BadRecord
from tables.registry import UnknownGame


@blueprint.get("/match/<path:key>")
def match(key: str) -> str:
    """One match, step by step."""
    match = site().match(key)
    number = request.args.get("game", 1, type=int)
    if not 1 <= number <= len(match.records):
        games = len(match.records)
        abort(404, f"This match has only {games} {'game' if games == 1 else 'games'}.")
    record = match.records[number - 1]
    replay = replays.Replay((), frozenset(), frozenset(), False, False)
    trouble = ""
    try:
        replay = site().replay(key, number - 1)
    except (BadRecord, UnknownGame) as error:
        trouble = str(error)
    cut = replays.pages(replay.parts) or ((),)
    turn = request.args.get("turn", 0, type=int)
    page = replays.page_of(cut, turn)
    frames = [frame for part in cut[page] for frame in part.frames]
    return render_template(
        "match.html",
        **overview(match),
        game_number=number,
        trouble=trouble,
        names=seat_names(match, number - 1),
        replay=replay,
        faces=card_svg.symbols(replay.deck, replay.framed),
        parts=cut[page],
        pages=cut,
        page=page,
        steps=len(frames),
        starts=list(accumulate((len(part.frames) for part in cut[page][:-1]), initial=0)),
        marks=[at for at, frame in enumerate(frames) if frame.fault],
        faults=record.faults,
        glance=replays.glance(replay.parts),
    )


def overview(match: MatchDetail) -> Mapping[str, Any]:
    """The parts of a match's page besides its games: the entrants and the result."""
    paired = boards(match)
    store = site().store
    return {
        "match": match,
        "host": store.host_of(match.key),
        "annulled": match.annulled,
        "game_title": game_title(match.records[0].game),
        "carries": any(seat.purse is not None for seat in match.entrants),
        "boards": paired if len(match.records) > 1 else (),
        "rotated": len(paired) < len(match.records),
        "totals": totals(match),
        "held_seats": {
            seat.seat: outcome.seats
            for seat, outcome in zip(match.entrants, paired[0].games[0].outcomes, strict=True)
        },
    }


@blueprint.get("/repro/<path:key>")
def repro(key: str) -> Response:
    """A question of a match as a file for `arena repro`, with the information of its seat alone.

    It has no standard error, which is for the author alone.
    """
    number, turn = request.args.get("game", 1, type=int), request.args.get("turn", -1, type=int)
    question = question_of(key, number, turn)
    name = filters.repro_name(key, number, turn)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(question.model_dump_json(indent=1) + "\n", 200, headers, "application/json")


def question_of(key: str, number: int, turn: int) -> QuestionFile:
    """The question of a turn in game `number` (from 1) of a match, as its file has it."""
    match = site().match(key)
    record = match.records[number - 1] if 1 <= number <= len(match.records) else None
    if record is None or not 0 <= turn < len(record.turns) or not record.turns[turn].question:
        abort(404, f"No bot was asked in turn {turn} of game {number} of this match.")
    try:
        return question_file(match, number - 1, turn, season_settings(match))
    except (BadRecord, UnknownGame) as error:
        abort(404, f"This question can't be asked again: {error}.")


def season_settings(match: MatchDetail) -> SeasonSettings:
    seasons = site().store.seasons(match.tournament)
    return next(season.settings for season in seasons if season.number == match.season)

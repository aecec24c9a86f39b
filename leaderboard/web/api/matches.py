"""Matches, for programs: their games, every question and answer, and files for authors."""

from __future__ import annotations

from flask import Response
from werkzeug.exceptions import NotFound

from leaderboard import views
from leaderboard.match_file import MatchFile, file_name, match_file
from leaderboard.question_file import QuestionFile
from leaderboard.shapes import matches
from leaderboard.shapes.matches import GameDetail, MatchDetail
from leaderboard.web.api.answers import NUMBER, as_json, for_ever
from leaderboard.web.api.blueprint import blueprint
from leaderboard.web.api.description import Answers, api
from leaderboard.web.pages.matches import question_of, season_settings
from leaderboard.web.pages.site import site


@blueprint.get("/matches/<path:key>")
@api.validate(resp=Answers(MatchDetail, 404), tags=["matches"])
def match(key: str) -> MatchDetail:
    """A match: who played, who won, and its games."""
    found = site().match(key)
    return matches.match_detail(found, views.match_annulled(site().store, key))


@blueprint.get(f"/matches/<path:key>/games/{NUMBER}")
@api.validate(resp=Answers(GameDetail, 404), tags=["matches"])
def game(key: str, number: int) -> Response:
    """A game of a match, turn by turn, with every question and answer."""
    found = site().match(key)
    if number > len(found.records):
        games = "1 game" if len(found.records) == 1 else f"{len(found.records)} games"
        raise NotFound(f"match {key} has {games}; there is no game {number}")
    return for_ever(as_json(matches.game_detail(found, number - 1)))


@blueprint.get(f"/matches/<path:key>/games/{NUMBER}/questions/<int(max=999999999):turn>")
@api.validate(resp=Answers(QuestionFile, 404), tags=["matches"])
def question(key: str, number: int, turn: int) -> Response:
    """A question as the file that `arena repro` reads, without standard error."""
    return for_ever(_json(question_of(key, number, turn).model_dump_json(indent=1) + "\n"))


@blueprint.get("/matches/<path:key>/file")
@api.validate(resp=Answers(MatchFile, 404), tags=["matches"])
def file(key: str) -> Response:
    """A match as the file that `arena pull` fetches, with all its records."""
    found = site().match(key)
    response = _json(match_file(found, season_settings(found)))
    response.headers["Content-Disposition"] = f'attachment; filename="{file_name(found.key)}"'
    return for_ever(response)


def _json(text: str) -> Response:
    return Response(text, mimetype="application/json")

"""Files for download: a question, a match, a season."""

from __future__ import annotations

from flask import Response

from leaderboard.match_file import MatchFile, file_name, match_file
from leaderboard.question_file import QuestionFile
from leaderboard.web.api.answers import NUMBER, for_ever
from leaderboard.web.api.blueprint import blueprint
from leaderboard.web.api.description import Answers, api
from leaderboard.web.pages.matches import question_of, season_settings
from leaderboard.web.pages.seasons import season_file as file_of
from leaderboard.web.pages.site import site


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


@blueprint.get(f"/tournaments/<name>/seasons/{NUMBER}/file")
@api.validate(resp=Answers(None, 404, media=("application/zip",)), tags=["tournaments"])
def season_file(name: str, number: int) -> Response:
    """A season as the file that `arena export` writes and `arena verify` checks."""
    return file_of(name, number)


def _json(text: str) -> Response:
    return Response(text, mimetype="application/json")

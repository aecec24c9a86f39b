"""Downloads: sheets as CSV, JSON and Parquet."""

from __future__ import annotations

from flask import Response

from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.api.blueprint import SECURITY, blueprint
from leaderboard.door.web.sheet_files import TYPES, arena_file, season_file
from leaderboard.web.api.answers import NUMBER
from leaderboard.web.api.description import Answers, api


@blueprint.get(f"/desk/tournaments/<name>/seasons/{NUMBER}/sheets/<sheet>.<ending>")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(None, 401, 403, 404, media=TYPES, kept=False), tags=["desk"], security=SECURITY
)
def season_sheet(name: str, number: int, sheet: str, ending: str) -> Response:
    """The `standings`, `matches` or `decisions` of a season as `csv`, `json` or `parquet`."""
    return season_file(name, number, sheet, ending)


@blueprint.get("/desk/sheets/<sheet>.<ending>")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(None, 401, 403, 404, media=TYPES, kept=False), tags=["desk"], security=SECURITY
)
def arena_sheet(sheet: str, ending: str) -> Response:
    """The `versions` or `submissions` of the arena as `csv`, `json` or `parquet`."""
    return arena_file(sheet, ending)

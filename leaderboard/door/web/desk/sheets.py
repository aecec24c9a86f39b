"""Downloads: sheets as CSV, JSON and Parquet."""

from __future__ import annotations

from flask import Response

from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.desk.blueprint import blueprint
from leaderboard.door.web.sheet_files import arena_file, season_file


@blueprint.get("/t/<name>/<int:number>/<sheet>.<form>")
@needs(Needs.ORGANISER, "manage")
def season_sheet(name: str, number: int, sheet: str, form: str) -> Response:
    """A sheet about a season."""
    return season_file(name, number, sheet, form)


@blueprint.get("/sheets/<sheet>.<form>")
@needs(Needs.ORGANISER, "manage")
def arena_sheet(sheet: str, form: str) -> Response:
    """A sheet about the whole arena."""
    return arena_file(sheet, form)

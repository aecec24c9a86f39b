"""Downloads: sheets as CSV, JSON and Parquet."""

from __future__ import annotations

from typing import cast, get_args

from flask import Response, abort, request

from leaderboard.door.marks import Counts
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.desk.blueprint import blueprint
from leaderboard.door.web.sheet_files import archive_file, arena_file, season_file


@blueprint.get("/t/<name>/<int:number>/<sheet>.<form>")
@needs(Needs.ORGANISER, "manage")
def season_sheet(name: str, number: int, sheet: str, form: str) -> Response:
    """A sheet about a season; `counts` says which version counts for marks."""
    counts = request.args.get("counts", "last")
    if counts not in get_args(Counts):
        abort(404, f"Marks count {' or '.join(get_args(Counts))}.")
    return season_file(name, number, sheet, form, cast(Counts, counts))


@blueprint.get("/t/<name>/archive.zip")
@needs(Needs.ORGANISER, "manage")
def tournament_archive(name: str) -> Response:
    """All that there is of a tournament."""
    return archive_file(name)


@blueprint.get("/archive.zip")
@needs(Needs.ORGANISER, "manage")
def archive() -> Response:
    """All that there is of all tournaments."""
    return archive_file()


@blueprint.get("/sheets/<sheet>.<form>")
@needs(Needs.ORGANISER, "manage")
def arena_sheet(sheet: str, form: str) -> Response:
    """A sheet about the whole arena."""
    return arena_file(sheet, form)

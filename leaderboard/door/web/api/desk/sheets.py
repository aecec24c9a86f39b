"""Downloads: sheets as CSV, JSON and Parquet."""

from __future__ import annotations

from flask import Response

from leaderboard.door.marks import Counts
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.api.blueprint import SECURITY, blueprint
from leaderboard.door.web.sheet_files import TYPES, ZIP, archive_file, arena_file, season_file
from leaderboard.web.api.answers import NUMBER, Query
from leaderboard.web.api.description import Answers, api


class MarksQuery(Query):
    """Which version counts for marks."""

    counts: Counts = "last"
    """The version that came `last` before the deadline, or the `best` of those that came before."""


@blueprint.get("/desk/tournaments/<name>/archive")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(None, 401, 403, 404, media=(ZIP,), kept=False), tags=["desk"], security=SECURITY
)
def tournament_archive(name: str) -> Response:
    """All that there is of a tournament: marks, results, programs and proofs, in one zip."""
    return archive_file(name)


@blueprint.get("/desk/archive")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(None, 401, 403, media=(ZIP,), kept=False), tags=["desk"], security=SECURITY
)
def archive() -> Response:
    """The same of all tournaments."""
    return archive_file()


@blueprint.get(f"/desk/tournaments/<name>/seasons/{NUMBER}/sheets/<sheet>.<ending>")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(None, 401, 403, 404, media=TYPES, kept=False), tags=["desk"], security=SECURITY
)
def season_sheet(name: str, number: int, sheet: str, ending: str, query: MarksQuery) -> Response:
    """A sheet of a season as `csv`, `json` or `parquet`.

    It is `standings`, `matches`, `decisions`, `marks` or `moodle`.
    """
    return season_file(name, number, sheet, ending, query.counts)


@blueprint.get("/desk/sheets/<sheet>.<ending>")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(None, 401, 403, 404, media=TYPES, kept=False), tags=["desk"], security=SECURITY
)
def arena_sheet(sheet: str, ending: str) -> Response:
    """The `versions`, `submissions`, `people` or `log` as `csv`, `json` or `parquet`."""
    return arena_file(sheet, ending)

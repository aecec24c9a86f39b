"""Sheets as files that are sent: CSV, JSON and Parquet."""

from __future__ import annotations

from tempfile import SpooledTemporaryFile
from typing import BinaryIO, cast, get_args

from flask import Response, abort, request, send_file, stream_with_context

from card_arena.accounts.marks import Counts
from card_arena.accounts.sheets import OF_MARKS, OF_SEASONS, Source, write_archive
from card_arena.accounts.web.context import accounts_context
from card_arena.leaderboard.seasons import season as read_season
from card_arena.leaderboard.sheets import SHEETS, Form, as_csv, as_json, ending, write_parquet
from card_arena.leaderboard.web.pages.site import whole_site

CSV, JSON, PARQUET = "text/csv", "application/json", "application/vnd.apache.parquet"
ZIP = "application/zip"
TYPES = (CSV, JSON, PARQUET)
"""The media types of sheets."""

SMALL = 8 * 2**20
"""The most bytes of a file that are kept in memory while it is sent."""


def season_file(
    tournament: str, season: int, sheet: str, form: str, counts: Counts = "last"
) -> Response:
    """A sheet about a season; `counts` says which versions count for marks.

    Raises `NotFound`, `Unknown` and `NoParquet`.
    """
    if sheet not in OF_SEASONS:
        abort(404, "There is no such sheet of a season.")
    read_season(whole_site().store, tournament, season)
    file = f"{tournament}-{season:04}-{sheet}"
    if sheet in OF_MARKS:
        file = f"{file}-{counts}"
    return _sent(sheet, form, file, tournament, season, counts)


def arena_file(sheet: str, form: str) -> Response:
    """A sheet about the whole arena; raises `NotFound` and `NoParquet`."""
    if sheet not in SHEETS or sheet in OF_SEASONS:
        abort(404, "There is no such sheet of the arena.")
    return _sent(sheet, form, sheet)


def archive_file(*tournaments: str) -> Response:
    """The archive of these tournaments, or of all of them; raises `Unknown`."""
    target = SpooledTemporaryFile(max_size=SMALL)  # noqa: SIM115 - it is sent after the return
    try:
        write_archive(cast(BinaryIO, target), _source(), tournaments)
    except BaseException:
        target.close()
        raise
    return _whole(target, f"{'-'.join(tournaments) or 'arena'}-archive.zip", ZIP)


def _source(counts: Counts = "last") -> Source:
    context = accounts_context()
    return Source(whole_site().store, context.accounts, context.settings.quota, counts)


def _whole(target: SpooledTemporaryFile[bytes], name: str, kind: str) -> Response:
    """A file that has been written, as it is sent."""
    target.seek(0)
    sent = send_file(cast(BinaryIO, target), as_attachment=True, download_name=name, mimetype=kind)
    sent.call_on_close(target.close)
    return sent


def _sent(
    name: str,
    form: str,
    file: str,
    tournament: str = "",
    season: int = 0,
    counts: Counts = "last",
) -> Response:
    """A sheet, written while it is sent; Parquet is written first."""
    if form not in get_args(Form):
        abort(404, f"Sheets come as {', '.join(get_args(Form))}.")
    sheet = SHEETS[name]
    rows = _source(counts).rows(name, tournament, season)
    file = f"{file}.{ending(sheet, cast(Form, form))}"
    if form == "parquet" and request.method == "GET":
        target = SpooledTemporaryFile(max_size=SMALL)  # noqa: SIM115 - it is sent after the return
        write_parquet(sheet, rows, cast(BinaryIO, target))
        return _whole(target, file, PARQUET)
    parts = as_csv(sheet, rows) if form == "csv" else as_json(sheet, rows)
    kind = {"csv": f"{CSV}; charset=utf-8", "json": JSON, "parquet": PARQUET}[form]
    headers = {"Content-Disposition": f'attachment; filename="{file}"'}
    return Response(stream_with_context(parts), 200, headers, content_type=kind)

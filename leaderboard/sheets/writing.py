"""Sheets written line by line: CSV that no spreadsheet takes for formulas, JSON, and Parquet."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import IO, Any, Literal

from common.errors import UserError
from common.moments import to_iso
from leaderboard.sheets.columns import Column, Sheet
from leaderboard.sheets.rows import Row

Form = Literal["csv", "json", "parquet"]

FORMULAS = (*"=+-@\t\r\n", *"\uff1d\uff0b\uff0d\uff20")
"""What a cell begins with that a spreadsheet would compute, wide signs included (OWASP, CSV
Injection)."""

ANOTHER_CELL = re.compile(rf"([;\t\r\n][\s\"']*)(?=[{re.escape(''.join(FORMULAS))}])")
"""Where a formula would begin if a spreadsheet parted cells by semicolons or tabs."""

AT_ONCE = 10_000
"""Lines of Parquet that are in memory at a time."""


class NoParquet(UserError):
    """pyarrow is not installed."""

    def __init__(self) -> None:
        super().__init__("Parquet needs pyarrow, of the extra `report`: pip install '.[report]'")


def ending(sheet: Sheet, form: Form) -> str:
    """How the name of a sheet's file ends."""
    return "jsonl" if form == "json" and sheet.long else form


def as_csv(sheet: Sheet, rows: Iterable[Row]) -> Iterator[str]:
    """CSV with a line of headings (RFC 4180); texts that look like formulas begin with '."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow([column.name for column in sheet.columns])
    for row in rows:
        writer.writerow([_cell(row.get(column.name)) for column in sheet.columns])
        if buffer.tell() > 2**16:
            yield buffer.getvalue()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue()


def as_json(sheet: Sheet, rows: Iterable[Row]) -> Iterator[str]:
    """JSON: an array of objects, or an object a line for a long sheet."""
    written = (
        json.dumps({column.name: _plain(row.get(column.name)) for column in sheet.columns})
        for row in rows
    )
    if sheet.long:
        yield from (f"{line}\n" for line in written)
        return
    yield "["
    for number, line in enumerate(written):
        yield f"{',' if number else ''}\n{line}"
    yield "\n]\n"


def write_parquet(sheet: Sheet, rows: Iterable[Row], target: IO[bytes]) -> None:
    """Parquet; raises `NoParquet`."""
    try:
        # it takes half a second, and is only there with an extra
        import pyarrow as arrow  # type: ignore[import-untyped]
        from pyarrow import parquet
    except ImportError as error:
        raise NoParquet from error
    types: Mapping[str, Callable[[], Any]] = {
        "text": arrow.string,
        "whole": arrow.int64,
        "number": arrow.float64,
        "yes or no": arrow.bool_,
        "moment": lambda: arrow.timestamp("us", tz="UTC"),
    }
    schema = arrow.schema([(each.name, types[each.kind]()) for each in sheet.columns])
    with parquet.ParquetWriter(target, schema, compression="zstd") as writer:
        lines = iter(rows)
        while part := [*islice(lines, AT_ONCE)]:
            writer.write_table(arrow.table(_by_column(sheet.columns, part), schema=schema))


def write(sheet: Sheet, rows: Iterable[Row], form: Form, target: IO[bytes]) -> None:
    """Write a sheet to an open file; raises `NoParquet`."""
    if form == "parquet":
        write_parquet(sheet, rows, target)
        return
    for part in as_csv(sheet, rows) if form == "csv" else as_json(sheet, rows):
        target.write(part.encode())


def _by_column(columns: Sequence[Column], rows: Sequence[Row]) -> dict[str, list[Any]]:
    return {column.name: [row.get(column.name) for row in rows] for column in columns}


def _cell(value: Any) -> Any:
    if isinstance(value, str):
        value = ANOTHER_CELL.sub(r"\1'", value)
        return f"'{value}" if value.startswith(FORMULAS) else value
    return "" if value is None else _plain(value)


def _plain(value: Any) -> Any:
    return to_iso(value) if isinstance(value, datetime) else value

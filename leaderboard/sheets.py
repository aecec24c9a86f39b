"""The sheets there are and their columns, which docs/sheets.md lists."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import IO, Any, Literal, TypeAlias

from card_arena.common.errors import UserError
from card_arena.common.moments import to_iso
from card_arena.leaderboard.bots import all_versions
from card_arena.leaderboard.matches import Match, in_key_order
from card_arena.leaderboard.standings import standings_with_figures
from card_arena.results.store import Store
from card_arena.tables.choices import choices
from card_arena.tables.luck import UNIT, luck_of
from card_arena.tables.record import Record
from card_arena.tables.referee import replay
from card_arena.tables.registry import game as game_of
from card_arena.tables.seating import Seating

Kind = Literal["text", "whole", "number", "yes or no", "moment"]
"""The type of a column; a moment is written as ISO 8601 in UTC. Any cell may be empty."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a sheet, and its meaning.

    `source` are the attributes with its value, such as "rating.mu"; its name if empty.
    """

    name: str
    kind: Kind
    means: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table: a line for each object that it is `of`. A `long` one is written line by line."""

    name: str
    of: str
    columns: Sequence[Column]
    long: bool = False


Line: TypeAlias = tuple[str, Kind, str] | tuple[str, Kind, str, str]


def _columns(*lines: Line) -> tuple[Column, ...]:
    return tuple(Column(*line) for line in lines)


_ENTRANT: tuple[Line, ...] = (
    ("bot", "text", "the bot's name"),
    ("version", "whole", "the number of its version"),
    ("author", "text", "its author or team"),
)

_COUNTS: tuple[Line, ...] = (
    ("hands", "whole", "hands that it was dealt"),
    ("decisions", "whole", "questions that it was asked"),
    ("faults", "whole", "faults among its answers"),
    ("forgiven", "whole", "faults of these that the tournament forgives"),
)

STANDINGS = Sheet(
    "standings",
    "a version in a season's line-up, in order of rank",
    _columns(
        ("season", "whole", "the number of the season"),
        ("rank", "whole", "its place; equals share one"),
        *_ENTRANT,
        ("language", "text", "the language that it is written in"),
        ("points", "number", "the format's points"),
        (
            "points_low",
            "number",
            "the lower end of their 95 % interval, where there is one",
            "interval.low",
        ),
        ("points_high", "number", "the upper end", "interval.high"),
        ("rating", "number", "the mean of its rating after the season", "rating.mu"),
        ("rating_low", "number", "the lower end of its 95 % interval", "rating.low"),
        ("rating_high", "number", "the upper end", "rating.high"),
        ("matches", "whole", "matches that it played"),
        ("struck_out", "whole", "matches in which it was struck out"),
        *_COUNTS,
        ("slowest_us", "whole", "its longest answer in microseconds", "slowest"),
        ("sits_out", "text", "why it did not play"),
    ),
)

MATCHES = Sheet(
    "matches",
    "an entrant of a match, in the order of the matches' keys",
    _columns(
        ("key", "text", "the match's name"),
        ("leg", "whole", "the leg of the season"),
        ("round", "whole", "the round of the leg"),
        ("label", "text", "its place in the season for people"),
        ("stored", "moment", "when its result was stored"),
        ("seconds", "number", "how long it was played"),
        ("seat", "whole", "the entrant's seat in the first game, from 0"),
        ("side", "whole", "the side that it played for; partners share one"),
        *_ENTRANT,
        ("rank", "whole", "its place in the match, 1 the best"),
        ("score", "whole", "its score"),
        ("purse", "whole", "the chips that it held afterwards, where they are carried on"),
        *_COUNTS,
        ("struck_out", "yes or no", "whether it was struck out"),
        ("slowest_us", "whole", "its longest answer in microseconds", "slowest"),
    ),
    long=True,
)

DECISIONS = Sheet(
    "decisions",
    "a question that a bot was asked, in playing order",
    _columns(
        ("key", "text", "the match's name"),
        ("game", "whole", "the game of the match, from 1"),
        ("turn", "whole", "the turn of the game, from 0, the dealer's turns counted"),
        ("seat", "whole", "the seat that was asked, from 0"),
        ("bot", "text", "the bot's name"),
        ("version", "whole", "the number of its version"),
        ("question", "text", "the words that it was asked"),
        ("answer", "text", "the line that came back"),
        ("action", "text", "the action that was played: the answer, or the fallback action"),
        ("fault", "text", "the kind of fault, if it was one"),
        ("struck", "yes or no", "whether that fault counts; no if it is forgiven"),
        ("wall_us", "whole", "microseconds until the answer"),
        ("cpu_us", "whole", "microseconds of processor time"),
        ("peak", "whole", "bytes of memory that the sandbox was seen to use"),
    ),
    long=True,
)

LEARNING = Sheet(
    "decisions",
    "a question that a bot was asked, in playing order",
    (
        *DECISIONS.columns,
        *_columns(
            (
                "legal",
                "text",
                "what could be answered, with `;` between two: a literal answer, one with a"
                " number such as `B {1..190}`, or a pick such as `{2 of 7H,8H,9H with KH}`",
            ),
            ("score", "whole", "the seat's score at the end of the game"),
            (
                "luck",
                "number",
                "the points that the cards gave the seat in the game, where it is known",
            ),
        ),
    ),
    long=True,
)
"""Decisions with what a program needs to learn from them."""

VERSIONS = Sheet(
    "versions",
    "a version of a bot that is stored",
    _columns(
        ("bot", "text", "the bot's name"),
        ("version", "whole", "the number of its version", "number"),
        ("author", "text", "its author or team"),
        ("games", "text", "the games that it plays, with a blank between two"),
        ("language", "text", "the language that it is written in"),
        ("protocol", "text", "how it is asked"),
        ("sha256", "text", "the SHA-256 of its bundle", "digest"),
        ("submitted", "moment", "when it was submitted"),
        ("withdrawn", "moment", "since when the bot enters no new season"),
        ("tags", "text", "the organiser's tags, with a blank between two"),
    ),
)

SUBMISSIONS = Sheet(
    "submissions",
    "an upload through the site, the oldest first",
    _columns(
        ("number", "whole", "the number of the upload", "id"),
        ("team", "text", "the team that submitted it", "team.name"),
        ("person", "text", "who did"),
        ("received", "moment", "when it came"),
        ("late", "yes or no", "whether that was after the deadline, within the grace"),
        ("size", "whole", "its bytes"),
        ("sha256", "text", "its SHA-256, as it was uploaded"),
        ("state", "text", "waiting, building, accepted or rejected"),
        ("bot", "text", "the bot that it became"),
        ("version", "whole", "the number of the version"),
        ("reason", "text", "why it was rejected"),
    ),
)

MARKS = Sheet(
    "marks",
    "a person with an account who is no organiser, in order of name",
    _columns(
        ("name", "text", "the person's name"),
        ("email", "text", "the person's address"),
        ("number", "text", "the student number"),
        ("team", "text", "the team whose version counts, or the person's teams"),
        ("mark", "text", "the highest threshold that is surely reached"),
        ("grade", "number", "what that is worth by `grades:`, 0 if none is reached"),
        ("perhaps", "text", "higher thresholds that are perhaps reached, with `; ` between two"),
        ("points", "number", "the format's points: in a gauntlet the mean margin a game"),
        ("points_low", "number", "the lower end of their 95 % interval, where there is one"),
        ("points_high", "number", "the upper end"),
        ("late", "yes or no", "whether the version that counts came after the deadline"),
        ("deadline", "moment", "the deadline of this person: excuses and extensions count"),
        ("excuse", "text", "why the deadline is another one, or what the person is excused"),
        ("bot", "text", "the bot that counts"),
        ("version", "whole", "the number of its version"),
        ("received", "moment", "when that was submitted"),
        ("sha256", "text", "the SHA-256 of its bundle"),
        ("season", "whole", "the season whose figures count"),
        ("boards", "whole", "the boards that the points are from, where the format says"),
        ("thresholds", "text", "the thresholds, such as `pass: 0; good: value v1`"),
        ("manifest", "text", "the SHA-256 of the season's manifest"),
        ("head", "text", "the hash of the season's last entry in the ledger so far"),
        ("counts", "text", "which version counts: last or best"),
        ("note", "text", "why there are no points, or what is not final"),
    ),
)

MOODLE = Sheet(
    "moodle",
    "a person of the marks, as Moodle imports grades",
    _columns(
        ("Email address", "text", "the person's address"),
        ("ID number", "text", "the student number"),
        ("Grade", "text", "the grade, or without `grades:` the mark; empty where there is none"),
        ("Feedback", "text", "the marks, the points and the version in a sentence"),
    ),
)

PEOPLE = Sheet(
    "people",
    "a person with an account, in order of name",
    _columns(
        ("name", "text", "the person's name"),
        ("email", "text", "the person's address"),
        ("number", "text", "the student number"),
        ("role", "text", "author or organiser"),
        ("teams", "text", "the person's teams, with `; ` between two"),
        ("joined", "moment", "when the account was made"),
        ("suspended", "moment", "since when the person may not sign in"),
        ("excuse", "text", "the reason of an excuse"),
        ("deadline", "moment", "the deadline of this person alone"),
    ),
)

LOG = Sheet(
    "log",
    "something that was done or requested, the newest first",
    _columns(
        ("number", "whole", "the number of the operation", "id"),
        ("at", "moment", "when"),
        ("person", "text", "who; empty for the arena's own shell"),
        ("what", "text", "what was done"),
        ("about", "text", "to whom or what"),
        ("details", "text", "more about it, as JSON"),
        ("state", "text", "done, or of an operation: waiting, done or declined"),
        ("answer", "text", "what became of an operation"),
    ),
    long=True,
)

SHEETS: Mapping[str, Sheet] = {
    sheet.name: sheet
    for sheet in (
        *(STANDINGS, MATCHES, DECISIONS, MARKS, MOODLE),
        *(VERSIONS, SUBMISSIONS, PEOPLE, LOG),
    )
}


def described() -> str:
    """All sheets and their columns as Markdown, for docs/sheets.md."""
    parts = []
    for sheet in SHEETS.values():
        lines = ["| column | kind | what |", "| --- | --- | --- |"]
        lines += (f"| `{col.name}` | {col.kind} | {col.means} |" for col in sheet.columns)
        table = "\n".join(lines)
        parts.append(f"### {sheet.name.capitalize()}\n\nA line is {sheet.of}.\n\n{table}\n")
    return "\n".join(parts)


Row = Mapping[str, Any]


def row(sheet: Sheet, *objects: object, **others: Any) -> Row:
    """A line of a sheet: `others`, and the attributes of the first object that has them."""
    return {
        column.name: others[column.name] if column.name in others else _value(column, objects)
        for column in sheet.columns
    }


def _value(column: Column, objects: Sequence[object]) -> Any:
    name, *names = (column.source or column.name).split(".")
    value = next(getattr(item, name) for item in objects if hasattr(item, name))
    for name in names:
        value = None if value is None else getattr(value, name)
    return value


MATCHES_AT_ONCE = 20
"""Matches whose games are in memory at a time."""


def standings(store: Store, tournament: str, season: int) -> Iterator[Row]:
    """A season's standings with their intervals; raises `UnknownSeason`."""
    for line in standings_with_figures(store, tournament, season).standings:
        yield row(STANDINGS, line, season=season)


def matches(store: Store, tournament: str, season: int) -> Iterator[Row]:
    """A season's matches, entrant by entrant; raises `UnknownSeason`."""
    for match in in_key_order(store, tournament, season):
        for seat in match.entrants:
            yield row(MATCHES, seat, match, label=", ".join(match.labels))


def decisions(store: Store, tournament: str, season: int) -> Iterator[Row]:
    """Every question of a season; raises `UnknownSeason` and `DamagedRecord`."""
    for match, games in _with_games(store, in_key_order(store, tournament, season)):
        for number, (seating, record) in enumerate(games, start=1):
            yield from _decisions_of(match, number, seating, record)


def learning(store: Store, tournament: str, season: int) -> Iterator[Row]:
    """The same with legal answers, scores and luck; raises `BadRecord`, too."""
    for match, games in _with_games(store, in_key_order(store, tournament, season)):
        for number, (seating, record) in enumerate(games, start=1):
            legal = {}
            game = game_of(record.game)
            for step in replay(game, record):
                if step.turn.question:
                    allowed = step.before.legal_actions(step.turn.seat)
                    legal[step.number] = ";".join(map(str, choices(allowed, step.before.write)))
            luck = luck_of(record)
            for line in _decisions_of(match, number, seating, record):
                seat = line["seat"]
                yield line | {
                    "legal": legal[line["turn"]],
                    "score": record.over.scores[seat],
                    "luck": luck and luck[seat] / UNIT,
                }


def _decisions_of(
    match: Match, number: int, seating: Seating, record: Record
) -> Iterator[dict[str, Any]]:
    for at, turn in enumerate(record.turns):
        if not turn.question:  # the dealer's, or of a seat that is out
            continue
        entrant = match.entrants[seating[turn.seat]]
        yield {
            "key": match.key,
            "game": number,
            "turn": at,
            "seat": turn.seat,
            "bot": entrant.bot,
            "version": entrant.version,
            "question": turn.question,
            "answer": turn.answer,
            "action": turn.action,
            "fault": str(turn.fault.kind) if turn.fault else None,
            "struck": turn.fault.struck if turn.fault else None,
            "wall_us": turn.wall,
            "cpu_us": turn.cpu,
            "peak": turn.peak,
        }


def _with_games(
    store: Store, matches: Iterator[Match]
) -> Iterator[tuple[Match, Sequence[tuple[Seating, Record]]]]:
    """Matches with their games, which are read a few matches at a time."""
    while some := [*islice(matches, MATCHES_AT_ONCE)]:
        games = store.games_of([match.key for match in some])
        for match in some:
            yield match, games[match.key]


def versions(store: Store) -> Iterator[Row]:
    for version in all_versions(store):
        games, tags = " ".join(version.games), " ".join(version.organiser_tags)
        yield row(VERSIONS, version, games=games, tags=tags)


Form = Literal["csv", "json", "parquet"]

FORMULAS = (*"=+-@\t\r\n", *"\uff1d\uff0b\uff0d\uff20")
"""The first characters of a cell that a spreadsheet would compute (OWASP, CSV Injection)."""

ANOTHER_CELL = re.compile(rf"([;\t\r\n][\s\"']*)(?=[{re.escape(''.join(FORMULAS))}])")
"""Where a formula would begin if a spreadsheet parted cells by semicolons or tabs."""

AT_ONCE = 10_000
"""Lines of Parquet that are in memory at a time."""


class NoParquet(UserError):
    """pyarrow is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "Parquet needs pyarrow, of the extra `report`: pip install 'card-arena[report]'"
        )


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
    schema = arrow.schema([(column.name, types[column.kind]()) for column in sheet.columns])
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

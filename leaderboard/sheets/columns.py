"""The sheets there are and their columns, which docs/sheets.md lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Kind = Literal["text", "whole", "number", "yes or no", "moment"]
"""What is in a column; a moment is written as ISO 8601 in UTC. Any cell may be empty."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a sheet, and what it means."""

    name: str
    kind: Kind
    means: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table: a line for each of what it is `of`. A `long` one is written line by line."""

    name: str
    of: str
    columns: Sequence[Column]
    long: bool = False


def _columns(*lines: tuple[str, Kind, str]) -> tuple[Column, ...]:
    return tuple(Column(*line) for line in lines)


_ENTRANT: tuple[tuple[str, Kind, str], ...] = (
    ("bot", "text", "the bot's name"),
    ("version", "whole", "the number of its version"),
    ("author", "text", "its author or team"),
)

_COUNTS: tuple[tuple[str, Kind, str], ...] = (
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
        ("points_low", "number", "the lower end of their 95 % interval, where there is one"),
        ("points_high", "number", "the upper end"),
        ("rating", "number", "the mean of its rating after the season"),
        ("rating_low", "number", "the lower end of its 95 % interval"),
        ("rating_high", "number", "the upper end"),
        ("matches", "whole", "matches that it played"),
        ("struck_out", "whole", "matches in which it was struck out"),
        *_COUNTS,
        ("slowest_us", "whole", "its longest answer in microseconds"),
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
        ("seat", "whole", "the entrant's chair in the first game, from 0"),
        ("side", "whole", "the side that it played for; partners share one"),
        *_ENTRANT,
        ("rank", "whole", "its place in the match, 0 the best"),
        ("score", "whole", "its score"),
        ("purse", "whole", "the chips that it held afterwards, where they are carried on"),
        *_COUNTS,
        ("struck_out", "yes or no", "whether it was struck out"),
        ("slowest_us", "whole", "its longest answer in microseconds"),
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
        ("action", "text", "what was played: the answer, or the stand-in's"),
        ("fault", "text", "the kind of fault, if it was one"),
        ("struck", "yes or no", "whether that fault counts; no if it is forgiven"),
        ("wall_us", "whole", "microseconds until the answer"),
        ("cpu_us", "whole", "microseconds of processor time"),
        ("peak", "whole", "bytes of memory that the box was seen to use"),
    ),
    long=True,
)

VERSIONS = Sheet(
    "versions",
    "a version of a bot that is stored",
    _columns(
        *_ENTRANT,
        ("games", "text", "the games that it plays, with a blank between two"),
        ("language", "text", "the language that it is written in"),
        ("protocol", "text", "how it is asked"),
        ("sha256", "text", "the SHA-256 of its bundle"),
        ("submitted", "moment", "when it was taken in"),
        ("withdrawn", "moment", "since when the bot enters no new season"),
        ("tags", "text", "the organiser's tags, with a blank between two"),
    ),
)

SUBMISSIONS = Sheet(
    "submissions",
    "an upload through the door, the oldest first",
    _columns(
        ("number", "whole", "the number of the upload"),
        ("team", "text", "the team that handed it in"),
        ("person", "text", "who did"),
        ("received", "moment", "when it came"),
        ("late", "yes or no", "whether that was after the deadline, within the grace"),
        ("size", "whole", "its bytes"),
        ("sha256", "text", "its SHA-256, as it was uploaded"),
        ("state", "text", "waiting, building, admitted or refused"),
        ("bot", "text", "the bot that it became"),
        ("version", "whole", "the number of the version"),
        ("reason", "text", "why it was refused"),
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
        ("points", "number", "the format's points: in a gauntlet the mean lead a game"),
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
        ("shut_out", "moment", "since when the person may not sign in"),
        ("excuse", "text", "the reason of an excuse"),
        ("deadline", "moment", "the deadline of this person alone"),
    ),
)

LOG = Sheet(
    "log",
    "something that was done or ordered, the newest first",
    _columns(
        ("number", "whole", "the number of the act"),
        ("at", "moment", "when"),
        ("person", "text", "who; empty for the arena's own shell"),
        ("what", "text", "what was done"),
        ("about", "text", "to whom or what"),
        ("details", "text", "more about it, as JSON"),
        ("state", "text", "done, or of an order: waiting, done or declined"),
        ("answer", "text", "what became of an order"),
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
        lines = [f"| `{each.name}` | {each.kind} | {each.means} |" for each in sheet.columns]
        table = "\n".join(["| column | kind | what |", "| --- | --- | --- |", *lines])
        parts.append(f"### {sheet.name.capitalize()}\n\nA line is {sheet.of}.\n\n{table}\n")
    return "\n".join(parts)

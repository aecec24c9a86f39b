"""Lists of people who are to be invited: CSV with a line of headings."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, replace

from card_arena.accounts.storage.people import BadAccount, address, checked_number, printable
from card_arena.common.errors import UserError

COLUMNS = ("name", "email", "team", "number")
"""The columns of a list; `team` and the student `number` may be missing or empty."""

MOST = 10_000
MOST_MISTAKES = 50


class BadList(UserError):
    """A list of people can't be read; the message has every mistake with its line."""


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who is to be invited.

    With `owns`, their team is given the bots of the author of its name.
    """

    name: str
    email: str
    team: str = ""
    owns: bool = False
    number: str = ""


def read_guests(text: str, where: str) -> list[Guest]:
    """Read people from CSV, which messages call `where`; raises `BadList`."""
    reader = csv.DictReader(io.StringIO(text, newline=""), skipinitialspace=True)
    try:
        headings = [*(reader.fieldnames or ())]
        rows = [(reader.line_num, row) for row in reader]
    except csv.Error as error:
        raise BadList(f"{where}: can't be read: {error}") from error
    if not {"name", "email"} <= {*headings} or not {*headings} <= {*COLUMNS}:
        said = ", ".join(map(repr, headings)) or "nothing"
        raise BadList(
            f"{where}:1: the first line names the columns name, email and, if wanted, team and"
            f" number; it has"
            f" {said}"
        )
    if twice := [each for each in COLUMNS if headings.count(each) > 1]:
        raise BadList(f"{where}:1: the first line names {twice[0]} twice")
    if len(rows) > MOST:
        raise BadList(f"{where}: at most {MOST:,} people can be invited at once")
    guests: list[Guest] = []
    mistakes: list[str] = []
    lines: dict[str, int] = {}
    for line, row in rows:
        if None in row:
            mistakes.append(
                f"{where}:{line}: it has more fields than the first line: put what has a comma in"
                " it in quotes"
            )
            continue
        values = {column: (row.get(column) or "").strip() for column in COLUMNS}
        if not any(values.values()):
            continue
        try:
            name, email, team, number = values.values()
            guest = sound(Guest(name, email, team, number=number))
            for said in filter(None, (guest.email, guest.number)):
                if (first := lines.setdefault(said, line)) != line:
                    raise BadAccount(f"{said!r} is in line {first} already: leave one of them out")
            guests.append(guest)
        except BadAccount as error:
            mistakes.append(f"{where}:{line}: {error}")
    if not guests and not mistakes:
        raise BadList(f"{where}: nobody is in it, only the line of headings")
    if mistakes:
        raise BadList("\n".join(mistakes[:MOST_MISTAKES]))
    return guests


def sound(guest: Guest) -> Guest:
    """This guest as they are stored; raises `BadAccount` for what nobody can have."""
    return replace(
        guest,
        name=printable(guest.name, "the name"),
        email=address(guest.email),
        team=printable(guest.team, "the team's name") if guest.team else "",
        number=checked_number(guest.number),
    )

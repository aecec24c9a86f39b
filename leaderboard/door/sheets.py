"""All sheets of an arena: those of its results, and those of its people."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from leaderboard.door.entries import Quota
from leaderboard.door.marks import Counts, marks, moodle
from leaderboard.door.storage.door import Door
from leaderboard.sheets import rows
from leaderboard.sheets.rows import Row
from leaderboard.storage.store import Store

OF_RESULTS = {"standings": rows.standings, "matches": rows.matches, "decisions": rows.decisions}
OF_MARKS = {"marks": marks, "moodle": moodle}
OF_SEASONS = (*OF_RESULTS, *OF_MARKS)
"""The sheets that are about a season."""

AT_ONCE = 500
"""Acts of the log that are read at a time."""


@dataclass(frozen=True, slots=True)
class Source:
    """What sheets are read from; without a `door` those of people are empty.

    `usual` is what may be submitted where organisers have set nothing else, and `counts` says which
    version counts for marks.
    """

    store: Store
    door: Door | None
    usual: Quota
    counts: Counts = "last"

    def rows(self, sheet: str, tournament: str = "", season: int = 0) -> Iterator[Row]:
        """The lines of a sheet by its name; those of seasons are about this one."""
        if sheet in OF_RESULTS:
            return OF_RESULTS[sheet](self.store, tournament, season)
        if sheet == "versions":
            return rows.versions(self.store)
        if self.door is None:
            return iter(())
        if sheet in OF_MARKS:
            about = self.store, self.door, self.usual, tournament, season, self.counts
            return OF_MARKS[sheet](*about)
        return {"submissions": submissions, "people": people, "log": log}[sheet](self.door)


def submissions(door: Door) -> Iterator[Row]:
    for upload in door.each_upload():
        yield {
            "number": upload.id,
            "team": upload.team.name,
            "person": upload.person,
            "received": upload.received,
            "late": upload.late,
            "size": upload.size,
            "sha256": upload.sha256,
            "state": upload.state,
            "bot": upload.bot or None,
            "version": upload.number,
            "reason": upload.reason or None,
        }


def people(door: Door) -> Iterator[Row]:
    students = door.students()
    for person in door.people():
        student = students.get(person.id)
        yield {
            "name": person.name,
            "email": person.email,
            "number": student.number or None if student else None,
            "role": person.role,
            "teams": "; ".join(team.name for team in person.teams) or None,
            "joined": person.joined,
            "shut_out": person.shut_out,
            "excuse": student.reason or None if student else None,
            "deadline": student.deadline if student else None,
        }


def log(door: Door) -> Iterator[Row]:
    """All that was done or ordered; it is read a few hundred acts at a time."""
    before: int | None = None
    while True:
        acts, before = door.log(AT_ONCE, before)
        for act in acts:
            yield {
                "number": act.id,
                "at": act.at,
                "person": act.person or None,
                "what": act.what,
                "about": act.about or None,
                "details": json.dumps(act.details) if act.details else None,
                "state": act.state,
                "answer": act.answer or None,
            }
        if before is None:
            return

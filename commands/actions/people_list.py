"""`arena people list`."""

from __future__ import annotations

from contextlib import closing

from accounts import shapes
from accounts.entries import Student
from accounts.storage.door import Door
from commands.arena_file import arena_zone
from commands.printer import say, say_shape
from common.moments import written
from leaderboard.paging import Page
from results.store import Store


def people_list(as_json: bool, store: Store) -> None:
    with closing(Door(store.database.address)) as door:
        found = door.people()
        if as_json:
            say_shape(shapes.people(Page(tuple(found), 1, len(found), max(1, len(found)))))
            return
        zone, students = arena_zone(), door.students()
        for person in found:
            said = [person.role, ", ".join(team.name for team in person.teams) or "no team"]
            if person.shut_out:
                said.append(f"shut out since {written(person.shut_out, zone)}")
            said += told(students.get(person.id, Student()), zone)
            say(f"{person.name} <{person.email}>: {', '.join(said)}")


def told(student: Student, zone: str) -> list[str]:
    """What is known of a student, in a few words each."""
    said = [f"number {student.number}"] if student.number else []
    if student.reason:
        until = student.deadline and f" until {written(student.deadline, zone, exact=True)}"
        said.append(f"excused{until or ''}: {student.reason}")
    return said

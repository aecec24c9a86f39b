"""`arena people ...`."""

from __future__ import annotations

from contextlib import closing
from datetime import datetime

import click

from accounts.entries import People, Role, Student
from accounts.invitations import new_link
from accounts.ownership import demand_new, demand_no_bots, give_bots
from accounts.storage.door import Door
from commands.arena_file import arena_zone
from commands.printer import say, say_shape
from common.moments import written
from leaderboard.paging import paged
from results.store import Store


def people_excuse(
    email: str, reason: str, deadline: datetime | None, as_usual: bool, store: Store
) -> None:
    if as_usual and (reason or deadline is not None):
        raise click.UsageError("--as-usual takes an excuse back, so it goes with nothing else")
    if not as_usual and not reason:
        raise click.UsageError("give a --reason, or --as-usual to take an excuse back")
    with closing(Door(store.database.address)) as door:
        if as_usual:
            door.take_excuse_back(email)
            say(f"{email} is not excused")
            return
        door.excuse(email, reason, deadline)
    until = f" until {written(deadline, arena_zone(), exact=True)}" if deadline else ""
    say(f"{email} is excused{until}: {reason}")


def people_give_bots(team: str, store: Store) -> None:
    """Give a team the bots that somebody of its name is the author of."""
    with closing(Door(store.database.address)) as door:
        give_bots(door, store, door.team_named(team))
        say(f"the bots of {team} are the team's")


def people_let_in(email: str, reason: str, store: Store) -> None:
    with closing(Door(store.database.address)) as door:
        door.let_in(email, reason)
        say(f"{email} can sign in again")


def people_link(email: str, host: str, port: int, public: str | None, store: Store) -> None:
    with closing(Door(store.database.address)) as door:
        made = new_link(door, email, public or f"http://{host}:{port}")
        say(f"{made.person.name} <{made.person.email}>: {made.link}")


def people_list(as_json: bool, store: Store) -> None:
    with closing(Door(store.database.address)) as door:
        found = door.people()
        if as_json:
            say_shape(People.of(paged(found, 1, max(1, len(found)))))
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


def people_move(email: str, team: str, store: Store) -> None:
    with closing(Door(store.database.address)) as door:
        demand_new(door, store, team)
        door.move_person(email, team)
        say(f"{email} is in {team}")


def people_number(email: str, number: str, store: Store) -> None:
    with closing(Door(store.database.address)) as door:
        door.set_number(email, number)
        say(f"{email} has the student number {number}" if number else f"{email} has no number")


def people_rename_team(team: str, name: str, store: Store) -> None:
    """Rename a team that has no bots yet; raises `BadAccount`."""
    with closing(Door(store.database.address)) as door:
        demand_no_bots(store, door.team_named(team), name)
        door.rename_team(team, name)
        say(f"{team} is called {name} now")


def people_role(email: str, role: Role, store: Store) -> None:
    with closing(Door(store.database.address)) as door:
        door.set_role(email, role)
        say(f"{email} is an {role}")


def people_shut_out(email: str, reason: str, store: Store) -> None:
    """Shut somebody out, and end their sessions, links and tokens for good."""
    with closing(Door(store.database.address)) as door:
        door.shut_out(email, reason)
        say(f"{email} is shut out")


def people_sign_out(email: str, reason: str, store: Store) -> None:
    with closing(Door(store.database.address)) as door:
        door.end_access(email, reason)
        say(f"{email} is signed out everywhere, and their links and tokens have ended")


def people_unlink(email: str, reason: str, store: Store) -> None:
    with closing(Door(store.database.address)) as door:
        door.unlink(email, reason)
        say(f"{email} is linked to no other account; the next one with this address gets it")

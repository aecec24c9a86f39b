"""`arena people ...`."""

from __future__ import annotations

import sys
from contextlib import closing, nullcontext
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import click

from card_arena.accounts.entries import (
    AllLimits,
    Limits,
    Message,
    Messages,
    People,
    Quota,
    Role,
    Student,
)
from card_arena.accounts.guests import BadList, Guest, read_guests
from card_arena.accounts.invitations import invite_one_by_one, new_link
from card_arena.accounts.mail import Mail, NotSent, sign_in_email
from card_arena.accounts.ownership import demand_no_bots, give_bots
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.accounts.storage.people import LINK_LASTS
from card_arena.commands.account_settings import account_settings, mail_server, usual_quota
from card_arena.commands.arena_file import arena_zone
from card_arena.commands.cli_errors import Stop
from card_arena.commands.printer import say, say_shape
from card_arena.common.moments import time_left, written
from card_arena.leaderboard.models import paged
from card_arena.results.store import Store


def people_excuse(
    email: str, reason: str, deadline: datetime | None, as_usual: bool, accounts: AccountStore
) -> None:
    if as_usual and (reason or deadline is not None):
        raise click.UsageError("--as-usual ends an excuse: leave out --reason and --deadline")
    if not as_usual and not reason:
        raise click.UsageError("give a --reason, or --as-usual to end an excuse")
    if as_usual:
        accounts.take_excuse_back(email)
        say(f"{email} is not excused")
        return
    accounts.excuse(email, reason, deadline)
    until = f" until {written(deadline, arena_zone(), exact=True)}" if deadline else ""
    say(f"{email} is excused{until}: {reason}")


def people_give_bots(team: str, store: Store) -> None:
    """Give a team the bots whose author has its name."""
    with closing(AccountStore(store.database.address)) as accounts:
        give_bots(accounts, store, accounts.team_named(team))
        say(f"the bots of {team} are the team's")


def people_link(
    email: str, host: str, port: int, public: str | None, accounts: AccountStore
) -> None:
    made = new_link(accounts, email, public or f"http://{host}:{port}")
    say(f"{made.person.name} <{made.person.email}>: {made.link}")


def people_list(as_json: bool, accounts: AccountStore) -> None:
    people = accounts.people()
    if as_json:
        say_shape(People.of(paged(people, 1, max(1, len(people)))))
        return
    zone, students = arena_zone(), accounts.students()
    for person in people:
        parts = [person.role, ", ".join(team.name for team in person.teams) or "no team"]
        if person.suspended:
            parts.append(f"suspended since {written(person.suspended, zone)}")
        parts += about_student(students.get(person.id, Student()), zone)
        say(f"{person.name} <{person.email}>: {', '.join(parts)}")


def about_student(student: Student, zone: str) -> list[str]:
    """The number and the excuse of a student, in words."""
    parts = [f"number {student.number}"] if student.number else []
    if student.reason:
        until = student.deadline and f" until {written(student.deadline, zone, exact=True)}"
        parts.append(f"excused{until or ''}: {student.reason}")
    return parts


def people_rename_team(team: str, name: str, store: Store) -> None:
    """Rename a team that has no bots yet; raises `BadAccount`."""
    with closing(AccountStore(store.database.address)) as accounts:
        demand_no_bots(store, accounts.team_named(team), name)
        accounts.rename_team(team, name)
        say(f"{team} is called {name} now")


def people_invite(
    people: Path | None,
    name: str | None,
    email: str | None,
    team: str,
    team_of: str | None,
    organiser: bool,
    host: str,
    port: int,
    public: str | None,
    links: str | None,
    store: Store,
) -> None:
    """Make accounts, and send or print a one-time link for each; none if one is invalid."""
    if (people is None) == (email is None):
        raise click.UsageError("give a CSV file of people, or --email for one person")
    if team and team_of is not None:
        raise click.UsageError("give --team or --team-of, not both")
    guests = read_list(people) if people else [Guest(name or email or "", email or "", team)]
    if team_of is not None:
        guests = [replace(guest, team=team_of, owns=True) for guest in guests]
    base = public or f"http://{host}:{port}"
    role: Role = "organiser" if organiser else "author"
    with closing(AccountStore(store.database.address)) as accounts:
        made = invite_one_by_one(accounts, store, guests, role, base)
        mail = _mail(accounts, links)
        failed = 0
        with mail.connected() if mail else nullcontext() as connection:
            for invited in made:
                who = f"{invited.person.name} <{invited.person.email}>"
                if invited.linked:
                    say(
                        f"{who}: signs in elsewhere and gets no link; `arena people link` makes one"
                    )
                    continue
                if mail is None or connection is None or links == "both":
                    say(f"{who}: {invited.link}")
                if mail is None or connection is None:
                    continue
                try:
                    mail.post(
                        connection, sign_in_email(invited.person, invited.link, LINK_LASTS.days)
                    )
                except NotSent as error:
                    failed += 1
                    say(f"{who}: not sent: {error}")
                else:
                    say(f"{who}: sent")
    if failed:
        raise Stop(
            f"{failed} of {len(guests)} emails were not sent. The accounts exist;"
            " use `arena people link` to print a link.",
            1,
        )


def _mail(accounts: AccountStore, links: str | None) -> Mail | None:
    """The mail server, unless links are only printed; raises `click.UsageError`."""
    settings = account_settings()
    mail = None if settings is None or links == "print" else mail_server(accounts.paths, settings)
    if mail is None and links in ("mail", "both"):
        raise click.UsageError("--links mail needs a mail server: set `accounts: {mail: ...}`")
    return mail


def read_list(path: Path) -> list[Guest]:
    """Read people from a CSV file with a line of headings; raises `BadList`."""
    try:
        data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
        text = data.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise BadList(f"{path}: can't be read: {reason}") from error
    return read_guests(text, str(path))


def people_limits(
    team: str | None,
    a_day: int | None,
    size: int | None,
    bots: int | None,
    bots_a_person: int | None,
    deadline: datetime | None,
    grace: float | None,
    reason: str,
    as_usual: bool,
    as_json: bool,
    accounts: AccountStore,
) -> None:
    """Set limits, if any are given; print the limits that apply."""
    limits = Limits(
        a_day=a_day,
        deadline=deadline,
        grace=None if grace is None else timedelta(seconds=grace),
        size=size,
        bots=bots,
        bots_a_person=bots_a_person,
        reason=reason,
    )
    if as_usual and limits != Limits():
        raise click.UsageError("--as-usual removes all limits: leave the others out")
    usual = usual_quota()
    if as_usual:
        accounts.clear_limits(team)
    elif limits != Limits():
        accounts.set_limits(limits, team)
    everybody, teams = accounts.limits()
    if as_json:
        say_shape(AllLimits.of(usual, everybody or Limits(), teams))
        return
    if team is None:
        say(f"everybody: {quota_text((everybody or Limits()).over(usual))}")
    for team_limits, own in teams.items():
        if team in (None, team_limits.name):
            why = f" ({own.reason})" if own.reason else ""
            say(f"{team_limits.name}: {quota_text(accounts.quota(team_limits.id, usual))}{why}")
    if team is not None and team not in {team_limits.name for team_limits in teams}:
        say(f"{team}: {quota_text(accounts.quota(accounts.team_named(team).id, usual))}")


def quota_text(quota: Quota) -> str:
    """The limits of a team in words."""
    parts = [f"{quota.a_day} uploads in 24 hours", f"of {quota.largest} at most"]
    if quota.bots is not None:
        parts.append(f"{quota.bots} bots a team")
    if quota.bots_a_person is not None:
        parts.append(f"{quota.bots_a_person} bots a person")
    if quota.deadline is not None and quota.last is not None:
        left = time_left(quota.deadline, datetime.now(UTC))
        parts.append(f"until {written(quota.deadline, quota.zone, exact=True)}, {left}")
        if quota.grace:
            parts.append(f"late ones until {written(quota.last, quota.zone, exact=True)}")
    return ", ".join(parts)


def people_message(
    text: str | None,
    team: str | None,
    until: datetime | None,
    end: int | None,
    as_json: bool,
    accounts: AccountStore,
) -> None:
    """Send a message, end one, or print all."""
    if text is not None and end is not None:
        raise click.UsageError("give a text, or --end with a number, not both")
    if text is not None:
        about = [accounts.message(accounts.send_message(text, team, until))]
        lines = [f"message {about[0].id} is shown to {team or 'everybody'}"]
    elif end is not None:
        accounts.end_message(end)
        about = [accounts.message(end)]
        lines = [f"message {end} has ended"]
    else:
        about = [*accounts.messages()]
        zone = arena_zone()
        lines = [message_text(message, zone) for message in about]
    if as_json:
        say_shape(Messages(items=about))
    else:
        for line in lines:
            say(line)


def message_text(message: Message, zone: str) -> str:
    """A message in one line, with its time in a time zone."""
    to = message.team.name if message.team else "everybody"
    over = ", ended" if message.ends is not None and message.ends <= datetime.now(UTC) else ""
    return f"{message.id} {written(message.written, zone)} to {to}{over}: {message.text}"

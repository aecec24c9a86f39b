"""`arena invite`."""

from __future__ import annotations

import sys
from contextlib import closing, nullcontext
from dataclasses import replace
from pathlib import Path

import click

from accounts.entries import Role
from accounts.guests import BadList, Guest, read_guests
from accounts.invitations import invite_one_by_one
from accounts.mail import Mail, NotSent, link_letter
from accounts.storage.door import Door
from accounts.storage.people import LINK_LASTS
from commands.cli_errors import Stop
from commands.door_settings import door_settings
from commands.outside_servers import mail_server
from commands.printer import say
from results.store import Store


def invite(
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
    """Make accounts, and send or print a one-time link for each; nobody if one can't be invited."""
    if (people is None) == (email is None):
        raise click.UsageError("give a CSV file of people, or --email for one person")
    if team and team_of is not None:
        raise click.UsageError("give --team or --team-of, not both")
    guests = read_list(people) if people else [Guest(name or email or "", email or "", team)]
    if team_of is not None:
        guests = [replace(guest, team=team_of, owns=True) for guest in guests]
    base = public or f"http://{host}:{port}"
    role: Role = "organiser" if organiser else "author"
    with closing(Door(store.database.address)) as door:
        made = invite_one_by_one(door, store, guests, role, base)
        mail = _mail(door, links)
        failed = 0
        with mail.connected() if mail else nullcontext() as connection:
            for each in made:
                who = f"{each.person.name} <{each.person.email}>"
                if each.linked:
                    say(
                        f"{who}: signs in elsewhere and gets no link; `arena people link` makes one"
                    )
                    continue
                if mail is None or connection is None or links == "both":
                    say(f"{who}: {each.link}")
                if mail is None or connection is None:
                    continue
                try:
                    mail.post(connection, link_letter(each.person, each.link, LINK_LASTS.days))
                except NotSent as error:
                    failed += 1
                    say(f"{who}: not sent: {error}")
                else:
                    say(f"{who}: sent")
    if failed:
        raise Stop(f"{failed} of {len(guests)} letters were not sent; the accounts are there", 1)


def _mail(door: Door, links: str | None) -> Mail | None:
    """The server that sends the links, unless they are only printed; raises `click.UsageError`."""
    settings = door_settings()
    mail = None if settings is None or links == "print" else mail_server(door.paths, settings)
    if mail is None and links in ("mail", "both"):
        raise click.UsageError("--links mail needs a mail server: set `door: {mail: ...}`")
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

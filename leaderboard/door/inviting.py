"""Inviting people to the arena, and asking them into a team; by a letter where letters are sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from common.errors import UserError
from leaderboard.door.entries import Person, Role, Team
from leaderboard.door.guests import Guest, sound
from leaderboard.door.mail import Letter, asked_letter, link_letter, sign_in_link
from leaderboard.door.mailroom import Mailroom
from leaderboard.door.storage.door import Door
from leaderboard.door.storage.people import LINK_LASTS, address

MOST_LETTERS = 300
"""How many people are sent their links at a time."""


class NotInvited(UserError):
    """Nobody can be invited so; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Invited:
    """Somebody who was invited, and their link, which nobody can look up later.

    The link is empty if it was sent.
    """

    person: Person
    link: str


def invite(
    door: Door,
    guests: Sequence[Guest],
    role: Role,
    by: Person,
    site: str,
    mailroom: Mailroom | None,
    *,
    by_mail: bool = False,
) -> Sequence[Invited]:
    """Invite people to the arena at the address `site`; nobody is invited if one can't be.

    Raises `NotInvited`, and `BadAccount` for a name or an address that nobody can have.
    """
    if not guests:
        raise NotInvited("name at least one person, with an address")
    if by_mail and mailroom is None:
        raise NotInvited("the settings name no mail server")
    if by_mail and len(guests) > MOST_LETTERS:
        raise NotInvited(f"at most {MOST_LETTERS} letters can be sent at once")
    for each in guests:
        sound(each)
    made = [door.invite(each.name, each.email, each.team, role, by.id) for each in guests]
    if not by_mail:
        return [Invited(guest, sign_in_link(site, secret)) for guest, secret in made]
    assert mailroom is not None
    for guest, secret in made:
        letter = link_letter(guest, site, secret, LINK_LASTS.days)
        mailroom.send(partial(_same, letter))
    return [Invited(guest, "") for guest, _ in made]


def new_link(door: Door, guest: Person, by: Person, site: str) -> Invited:
    """A new one-time link for somebody, which ends the older ones; raises `BadAccount`."""
    known, secret = door.new_link(guest.email, by.id)
    return Invited(known, sign_in_link(site, secret))


def ask_in(
    door: Door,
    by: Person,
    team: Team,
    email: str,
    most: int,
    site: str,
    mailroom: Mailroom | None,
) -> None:
    """Ask somebody into a team of at most so many; where letters are sent, they get one.

    Raises `BadAccount`.
    """
    email = address(email)
    door.ask_in(by.id, team.id, email, most)
    if mailroom is None:
        return

    def letter() -> Letter | None:
        link = door.link_for_invited(email)
        return link and asked_letter(link[0], by, team, site, link[1], LINK_LASTS.days)

    mailroom.ask(email, letter, by=str(by.id))


def _same(letter: Letter) -> Letter:
    return letter

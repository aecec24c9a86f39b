"""Inviting people to the arena, and asking them into a team; by a letter where letters are sent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    made = [*invite_one_by_one(door, guests, role, site, by.id)]
    if not by_mail:
        return made
    assert mailroom is not None
    for each in made:
        letter = link_letter(each.person, each.link, LINK_LASTS.days)
        mailroom.send(partial(_same, letter))
    return [Invited(each.person, "") for each in made]


def invite_one_by_one(
    door: Door, guests: Sequence[Guest], role: Role, site: str, by: int | None = None
) -> Iterator[Invited]:
    """Invite people as what is returned is gone through; raises `BadAccount` before the first.

    So whoever prints or sends the links has lost none if it ends halfway.
    """
    for each in guests:
        sound(each)
    made = (door.invite(each.name, each.email, each.team, role, by) for each in guests)
    return (Invited(person, sign_in_link(site, secret)) for person, secret in made)


def new_link(door: Door, email: str, site: str, by: int | None = None) -> Invited:
    """A new one-time link for somebody, which ends the older ones; raises `BadAccount`."""
    person, secret = door.new_link(email, by)
    return Invited(person, sign_in_link(site, secret))


def ask_in(
    door: Door,
    by: Person,
    team: Team,
    email: str,
    most: int,
    site: str,
    mailroom: Mailroom | None,
) -> None:
    """Invite somebody to a team of at most so many; where letters are sent, they get one.

    Raises `BadAccount`.
    """
    email = address(email)
    door.ask_in(by.id, team.id, email, most)
    if mailroom is None:
        return

    def letter() -> Letter | None:
        found = door.link_for_invited(email)
        if found is None:
            return None
        person, secret = found
        return asked_letter(person, by, team, sign_in_link(site, secret), LINK_LASTS.days)

    mailroom.ask(email, letter, by=str(by.id))


def _same(letter: Letter) -> Letter:
    return letter

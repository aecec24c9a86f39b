"""Invitations to the arena and to teams, by email if a mail server is configured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from card_arena.accounts.entries import Person, Role, Team, Token
from card_arena.accounts.guests import Guest, sound
from card_arena.accounts.mail import Email, Mailroom, invitation_email, sign_in_email, sign_in_link
from card_arena.accounts.ownership import authors, demand_teams, give_bots
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.accounts.storage.people import LINK_LASTS, BadAccount, address
from card_arena.common.errors import UserError
from card_arena.results.store import Store

MOST_EMAILS = 300
"""How many people are sent their links at a time."""


class NotInvited(UserError):
    """Nobody can be invited so; the message says what was expected."""


@dataclass(frozen=True, slots=True)
class Invited:
    """Somebody who was invited, and their link, which nobody can look up later.

    The link is empty if it was sent, and if they sign in through a provider (`linked`).
    """

    person: Person
    link: str
    linked: bool = False


def invite(
    accounts: AccountStore,
    store: Store,
    guests: Sequence[Guest],
    role: Role,
    by: Person,
    site: str,
    mailroom: Mailroom | None,
    *,
    by_mail: bool = False,
    token: Token | None = None,
) -> Sequence[Invited]:
    """Invite people to the arena at the address `site`; nobody is invited if one can't be.

    Links that come by a `token` end with it. Raises `NotInvited`, and `BadAccount` for a name or an
    address that nobody can have, and for a team of somebody else's name.
    """
    if not guests:
        raise NotInvited("name at least one person, with an address")
    if by_mail and mailroom is None:
        raise NotInvited("the settings name no mail server")
    if by_mail and len(guests) > MOST_EMAILS:
        raise NotInvited(f"at most {MOST_EMAILS} emails can be sent at once")
    made = [*invite_one_by_one(accounts, store, guests, role, site, by.id, token)]
    if not by_mail:
        return made
    assert mailroom is not None
    return [_mailed(mailroom, each) for each in made]


def invite_one_by_one(
    accounts: AccountStore,
    store: Store,
    guests: Sequence[Guest],
    role: Role,
    site: str,
    by: int | None = None,
    token: Token | None = None,
) -> Iterator[Invited]:
    """Invite people as what is returned is gone through; raises `BadAccount` before the first.

    So a caller that prints or sends the links has lost none if it ends halfway.
    """
    guests = [sound(each) for each in guests]
    demand_teams(accounts, store, guests)
    emails = Counter(each.email for each in guests)
    if twice := [email for email, times in emails.items() if times > 1]:
        raise BadAccount(f"{twice[0]} is named twice: leave one of them out")
    accounts.demand_welcome(emails)
    accounts.demand_free_numbers({each.email: each.number for each in guests})
    known = authors(store)

    def invited(guest: Guest) -> Invited:
        name, email, team = guest.name, guest.email, guest.team
        person, secret = accounts.invite(name, email, team, role, by, authors=known, token=token)
        if guest.number:
            accounts.change_person("number", email, by, number=guest.number)
        if guest.owns:
            give_bots(accounts, store, accounts.team_named(team), by)
        return Invited(person, sign_in_link(site, secret)) if secret else Invited(person, "", True)

    return map(invited, guests)


def new_link(accounts: AccountStore, email: str, site: str, by: int | None = None) -> Invited:
    """A new one-time link for somebody, which ends the older ones; raises `BadAccount`."""
    person, secret = accounts.new_link(email, by)
    return Invited(person, sign_in_link(site, secret))


def send_link(
    accounts: AccountStore,
    email: str,
    site: str,
    by: int,
    mailroom: Mailroom | None,
    token: Token | None,
) -> None:
    """Send somebody a new one-time link; one that comes by a `token` ends with it.

    Raises `BadAccount`, and `NotInvited` if no mail server is configured.
    """
    if mailroom is None:
        raise NotInvited("the settings name no mail server")
    person, secret = accounts.new_link(email, by, token)
    _mailed(mailroom, Invited(person, sign_in_link(site, secret)))


def invite_member(
    accounts: AccountStore,
    by: Person,
    team: Team,
    email: str,
    most: int,
    site: str,
    mailroom: Mailroom | None,
    token: Token | None = None,
) -> None:
    """Invite somebody to a team of at most `most` people, by email if a mail server is set.

    What comes by a `token` ends with it. Raises `BadAccount`.
    """
    email = address(email)
    accounts.invite_member(by.id, team.id, email, most, token)
    if mailroom is None:
        return

    def compose() -> Email | None:
        found = accounts.link_for_invited(email)
        if found is None:
            return None
        person, secret = found
        if not secret:
            return invitation_email(person, by, team, f"{site}/sign-in")
        return invitation_email(person, by, team, sign_in_link(site, secret), LINK_LASTS.days)

    mailroom.ask(email, compose, by=str(by.id))


def _mailed(mailroom: Mailroom, invited: Invited) -> Invited:
    """Somebody whose link, if they get one, is on its way to them, and nobody else's to see."""
    if invited.linked:
        return invited
    email = sign_in_email(invited.person, invited.link, LINK_LASTS.days)
    mailroom.send(lambda: email)
    return Invited(invited.person, "")

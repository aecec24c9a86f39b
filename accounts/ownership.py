"""Whose bots are a team's: those of the author that it was given, whatever it is called.

A team is given the author of its name with its first bot, if nobody has bots under a name that
looks like it. The bots that somebody has under it already are given to a team by organisers alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from card_arena.accounts.entries import Team
from card_arena.accounts.guests import Guest
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.accounts.storage.people import BadAccount
from card_arena.common.text import skeleton
from card_arena.leaderboard.bots import bots
from card_arena.results.store import Store


def authors(store: Store) -> frozenset[str]:
    return frozenset(line.author for line in bots(store))


def similar_scores(store: Store, name: str) -> str | None:
    """The author of bots whose name looks like this one; None if there is none."""
    look = skeleton(name)
    return next((each for each in sorted(authors(store)) if skeleton(each) == look), None)


def demand_new(accounts: AccountStore, store: Store, team: str) -> None:
    """Raise `BadAccount` for a team that would be new, and is called like the author of bots."""
    if not accounts.has_team(team) and (author := similar_scores(store, team)) is not None:
        raise BadAccount(
            f"{author} is the author of bots: choose another name for the team {team}, or invite"
            " somebody to the team of this author"
        )


def demand_teams(accounts: AccountStore, store: Store, guests: Sequence[Guest]) -> None:
    """Raise `BadAccount` if people are to be in a team of somebody else's name."""
    known = authors(store)
    accounts.demand_unlike_teams(guest.team for guest in guests if guest.team)
    for guest in guests:
        if not guest.owns:
            demand_new(accounts, store, guest.team)
        elif guest.team not in known:
            raise BadAccount(f"nobody called {guest.team[:80]!r} is the author of a bot")


def demand_no_bots(store: Store, team: Team, new: str) -> None:
    """Raise `BadAccount` if a team has an author, or if it would be called like another one."""
    if team.author is not None:
        raise BadAccount(f"{team.author} is the author of bots: it keeps its name")
    if (author := similar_scores(store, new)) is not None:
        raise BadAccount(f"{author} is the author of bots: choose another name for the team")


def give_bots(accounts: AccountStore, store: Store, team: Team, by: int | None = None) -> None:
    """Give a team the bots of the author of its name; raises `BadAccount` if there are none."""
    if team.name not in authors(store):
        raise BadAccount(f"nobody called {team.name[:80]!r} is the author of a bot")
    accounts.give_author(team.id, by)


def author_for(accounts: AccountStore, store: Store, team: Team) -> str:
    """The author of the bots that a team uploads; a team without one is given one.

    Raises `BadAccount` if somebody has bots already under a name that looks like the team's.
    """
    if (author := accounts.author_of(team.id)) is not None:
        return author
    if (other := similar_scores(store, team.name)) is not None:
        raise BadAccount(
            f"{other} is the author of bots that were not given to the team {team.name}: ask an"
            " organiser to give them to it, or to rename it"
        )
    return accounts.give_author(team.id)

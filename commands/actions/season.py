"""What an organiser does to a season: `arena annul`, `pause`, `resume`, `expel` and `admit`."""

from __future__ import annotations

from collections.abc import Sequence

import click

from commands.actions.bot import order_all
from commands.door import have_done
from commands.printer import say
from results.store import Store
from tournament.operations import demand_admissible, may_be_expelled


def annul(what: str, reason: str, store: Store) -> None:
    """Let a match or a season count for nothing."""
    tournament, *place = what.split("/")
    if not tournament or not place or not place[0].isdecimal() or not all(place):
        raise click.BadParameter(
            f"{what[:80]!r} is neither: expected a match's key, such as friday/0003/t01/r2/a, or a"
            " tournament and the number of its season, such as friday/3",
            param_hint="MATCH|TOURNAMENT/SEASON",
        )
    if len(place) > 1:
        said = have_done(store, "annul", what, tournament=tournament, key=what, reason=reason)
    else:
        season = int(place[0])
        said = have_done(
            store, "annul", tournament, tournament=tournament, season=season, reason=reason
        )
    say(said)


def pause(tournament: str, reason: str, store: Store) -> None:
    """Let nothing of a tournament begin until it is resumed."""
    say(have_done(store, "pause", tournament, tournament=tournament, reason=reason))


def resume(tournament: str, store: Store) -> None:
    say(have_done(store, "resume", tournament))


def expel(tournament: str, bots: Sequence[str], reason: str, store: Store) -> None:
    """Let bots leave the season that is being played: all of them or none."""

    def check(bot: str) -> None:
        may_be_expelled(store, tournament, bot)

    order_all(store, "expel", bots, check, tournament=tournament, reason=reason)


def admit(tournament: str, bots: Sequence[str], reason: str, store: Store) -> None:
    """Let bots join the season that is being played: all of them or none."""

    def check(bot: str) -> None:
        if len(bots) > 1:  # one alone that was admitted already is told so
            demand_admissible(store, tournament, bot)

    order_all(store, "admit", bots, check, tournament=tournament, reason=reason)

"""`arena annul`."""

from __future__ import annotations

import click

from commands.door import have_done
from commands.printer import say
from results.store import Store


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

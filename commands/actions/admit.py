"""`arena admit`."""

from __future__ import annotations

from collections.abc import Sequence

from commands.several import order_all
from results.store import Store
from tournament.operations import demand_admissible


def admit(tournament: str, bots: Sequence[str], reason: str, store: Store) -> None:
    """Let bots join the season that is being played: all of them or none."""

    def check(bot: str) -> None:
        if len(bots) > 1:  # one alone that was admitted already is told so
            demand_admissible(store, tournament, bot)

    order_all(store, "admit", bots, check, tournament=tournament, reason=reason)

"""`arena expel`."""

from __future__ import annotations

from collections.abc import Sequence

from commands.several import order_all
from results.store import Store
from tournament.operations import may_be_expelled


def expel(tournament: str, bots: Sequence[str], reason: str, store: Store) -> None:
    """Let bots leave the season that is being played: all of them or none."""

    def check(bot: str) -> None:
        may_be_expelled(store, tournament, bot)

    order_all(store, "expel", bots, check, tournament=tournament, reason=reason)

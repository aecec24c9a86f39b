"""How a season begins: its manifest is made and told of before the first card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from common.errors import UserError
from results.entries import Entrant, Season
from results.proof.manifest import Terms, address, wanted
from results.store import Store
from tables.registry import GAMES
from tournament.settings.model import Settings
from tournament.settings.parts import source
from tournament.version import __version__, revision


class ValueAwaited(UserError):
    """A season can't be dealt before its public value is known; the message says what to do."""

    def __init__(self, season: Season) -> None:
        self.season = season
        value_from = season.value_from or {}
        where = address(value_from)
        looked_up = f" ({where})" if where else ""
        typed = "type it in with `arena public {} VALUE`"
        if value_from.get("source") == "nonces":
            typed = "show each with `arena public {} BOT NONCE`"
        super().__init__(
            f"season {season.number} of {season.tournament} waits for {wanted(value_from)}"
            f"{looked_up}: {typed.format(season.tournament)}"
        )


class NoNonces(UserError):
    """A season's public value is to be made of nonces, and nobody who plays handed one in."""


def demand_value(store: Store, season: Season) -> Season:
    """A season with its public value, if it needs one; raises `ValueAwaited` until it is known."""
    if not season.awaits_value:
        return season
    value = store.settle_late(season.id)
    if value is None:
        raise ValueAwaited(season)
    return replace(season, public_value=value)


def begin(
    store: Store,
    settings: Settings[Any],
    entrants: Sequence[Entrant],
    due: datetime,
    seed: bytes | None = None,
) -> Season:
    """Begin a tournament's next season; without a `seed`, with the one that was announced.

    Raises `NoNonces`.
    """
    nonces = store.nonces([each.version_id for each in entrants if not each.sits_out])
    if settings.public_value and settings.public_value.nonces is not None and not nonces:
        raise NoNonces(
            f"{settings.name} can't begin: its public value is to be made of nonces, and no bot"
            " that plays has one (`arena submit my_bot/ --author YOU --nonce HASH`)"
        )
    terms = Terms(
        settings=settings.freeze(),
        rules={"game": settings.game, "version": GAMES[settings.game].version},
        arena={"version": __version__, "revision": revision()},
        public_value=source(settings.public_value, datetime.now(UTC), nonces),
    )
    return store.begin_season(
        settings.name,
        terms,
        seed,
        entrants,
        due,
    )

"""How a season begins: its manifest is made and told of before the first card."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from common.errors import UserError
from leaderboard.proof.manifest import Terms
from leaderboard.proof.public_value import address, wanted
from leaderboard.storage.entries import Entrant, Season
from leaderboard.storage.store import Store
from tables.registry import GAMES
from tournament.settings import Settings
from tournament.settings.public_value import source
from tournament.version import __version__, revision


class ValueAwaited(UserError):
    """A season can't be dealt before its public value is known; the message says what to do."""

    def __init__(self, season: Season) -> None:
        self.season = season
        value_from = season.value_from or {}
        where = address(value_from)
        looked_up = f" ({where})" if where else ""
        super().__init__(
            f"season {season.number} of {season.tournament} waits for {wanted(value_from)}"
            f"{looked_up}: type it in with `arena public {season.tournament} VALUE`"
        )


def begin(
    store: Store,
    settings: Settings[Any],
    entrants: Sequence[Entrant],
    due: datetime,
    seed: bytes | None = None,
) -> Season:
    """Begin a tournament's next season; without a `seed`, with the one that was announced."""
    frozen = settings.freeze()
    return store.begin_season(
        settings.name,
        frozen,
        settings.points_title,
        seed,
        entrants,
        due,
        rated=settings.rated,
        leg_title=settings.format.kind.leg_title,
        terms=Terms(
            settings=frozen,
            rules={"game": settings.game, "version": GAMES[settings.game].version},
            arena={"version": __version__, "revision": revision()},
            rated=settings.rated,
            public_value=source(settings.public_value, datetime.now(UTC)),
        ),
    )

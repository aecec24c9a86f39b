"""Matches played in this process, without sandboxes, as the arena's own code has them otherwise."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from card_arena.formats.field import Pairing
from card_arena.ratings.match_results import Played
from card_arena.tables.dealing import Packs
from card_arena.tables.referee import Player, play
from card_arena.tables.registry import GAMES
from card_arena.tables.seating import boards
from card_arena.tournament.settings import Settings


def played(
    pairing: Pairing, settings: Settings[Any], key: bytes, players: Sequence[Player]
) -> Played:
    """Play a match at a season's table; `players` are its entrants, `key` that of the deals."""
    seatings = pairing.seating_plan.seatings
    begun = time.monotonic()
    records = tuple(
        play(
            GAMES[settings.game],
            settings.options,
            [players[entrant] for entrant in seating],
            Packs(key, pairing.key, board),
            purses=pairing.purses,
            shoe=pairing.shoe,
            strikes=settings.strikes.strikes(),
        )
        for seating, board in zip(seatings, boards(seatings), strict=True)
    )
    return Played(
        key=pairing.key,
        leg=pairing.leg,
        round=pairing.round,
        labels=pairing.labels,
        versions=pairing.versions,
        sides=pairing.seating_plan.sides,
        seatings=seatings,
        records=records,
        seconds=time.monotonic() - begun,
    )

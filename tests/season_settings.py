"""Settings of seasons for tests that store and show them and play no cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from card_arena.results.season_settings import SeasonSettings
from card_arena.tables.registry import GAMES
from card_arena.tournament.settings import settings_of


def season_settings(settings: Mapping[str, Any], /, **facts: Any) -> SeasonSettings:
    """The settings of a season, by those that a file would have; `facts` replace what follows.

    A game that no arena has, such as snap, has as many seats as told, or four, each for itself.
    """
    wanted = {"name": "friday", "game": "snap", **settings}
    if wanted["game"] in GAMES:
        frozen = settings_of(wanted).freeze()
    else:
        frozen = settings_of({**wanted, "game": "tarot", "seats": 3, "options": {}}).freeze()
        seats = wanted.get("seats", 4)
        told = {"game": wanted["game"], "options": wanted.get("options", {}), "seats": seats}
        frozen = frozen.model_copy(update=told)
        table = tuple((seat,) for seat in range(seats))
        facts = {"tables": (table,), "luck_helps": False, **facts}
    return frozen.model_copy(update={"facts": frozen.facts.model_copy(update=facts)})

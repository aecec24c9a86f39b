"""What a contest for chips came to: the final chips of every bot, tourney by tourney."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from experiments.measures import Stage
from tables.registry import GAMES


def final_chips(stage: Stage) -> Mapping[str, Sequence[int]]:
    """What every bot held at the end of each tourney, in order: nothing where it can't pay."""
    game, options = GAMES[stage.settings.game], stage.settings.options
    held: dict[tuple[int, str], int] = {}
    for result, bots in stage.results():  # in key order, so the last round stays
        for bot, purse in zip(bots, result.purses, strict=True):
            held[result.leg, bot] = purse if game.can_sit(options, purse) else 0
    finals: dict[str, list[int]] = defaultdict(list)
    for (_, bot), chips in sorted(held.items()):
        finals[bot].append(chips)
    return finals

"""The leading bot of every game, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from leaderboard.statistics.certainty import Certainty
from leaderboard.views import Leader, SeasonTable, Standing, TournamentLine


@dataclass(frozen=True, slots=True)
class King:
    """Who leads a season of so large a `field`; several where they have the same points.

    `chance` is how likely the first is the best of that season, None where too little was played
    to say; `rivals` are those that may be first as well.
    """

    bots: tuple[Standing, ...]
    field: int
    chance: float | None
    rivals: tuple[Standing, ...]


def king(table: SeasonTable, sure: Certainty | None) -> King:
    """Crown the first of a season's standings."""
    first = tuple(line for line in table.standings if line.rank == 1)
    playing = [line for line in table.standings if not line.sits_out]
    chance = None
    rivals: list[Standing] = []
    if sure is not None and sure.best is not None:
        chance = sum(sure.best[line.version_id] for line in first) if len(first) == 1 else None
        rivals = [
            line for line in playing if line not in first and sure.places(line.version_id)[0] == 1
        ]
    return King(first, len(playing), chance, tuple(rivals))


def reigns(
    contests: Iterable[TournamentLine], leaders: Mapping[str, Sequence[Leader]]
) -> tuple[TournamentLine, ...]:
    """The tournament whose newest season says who is the king of a game, for every game.

    It is the one that began last among those in which somebody has points; one that is rated goes
    before one that is not. Games come in order of their names.
    """
    found: dict[str, TournamentLine] = {}
    for line in sorted(contests, key=lambda line: not line.rated):
        if leaders.get(line.name):
            found.setdefault(line.game, line)
    return tuple(found[name] for name in sorted(found))

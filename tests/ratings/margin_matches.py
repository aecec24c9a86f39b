"""Matches with margins."""

from __future__ import annotations

from collections.abc import Sequence

from card_arena.ratings.match_results import Result


def match(
    versions: Sequence[int], *boards: Sequence[int], sides: Sequence[int] = (), turns: int = 1
) -> Result:
    scores = tuple(map(sum, zip(*boards, strict=True)))
    return Result(
        key="-".join(map(str, versions)),
        leg=1,
        round=1,
        versions=tuple(versions),
        sides=tuple(sides or range(len(versions))),
        ranks=tuple(sum(other > own for other in scores) for own in scores),
        scores=scores,
        purses=(),
        boards=tuple(map(tuple, boards)),
        games=turns * len(boards),
    )

"""What formats draw beside the standings, as a season in `house.py` has it stored."""

from __future__ import annotations

from collections.abc import Sequence

from card_arena.formats.panels import Against, Contender, Cuts, Queue, Shares, Stage, Waiting


def cuts(ids: Sequence[int]) -> Cuts:
    """A cut of seven bots: in its first stage one is spared, its second is still being played."""
    first = (
        *(
            Against(each, 5.0 - at, 3.5 - at, 6.5 - at, 40, "stays")
            for at, each in enumerate(ids[:4])
        ),
        Against(ids[4], 0.0, None, None, 40, "stays"),
        Against(ids[5], -0.5, -2.0, 1.0, 40, "spared"),
        Against(ids[6], -11.25, -13.0, -9.5, 40, "out"),
    )
    second = (
        Against(ids[0], 1.25, -0.75, 3.25, 52, "open"),
        Against(ids[1], 0.0, None, None, 52, "open"),
        *(Against(each, None, None, None, 40, "open") for each in ids[2:6]),
    )
    return Cuts(3, 0.5, (Stage(1, 5, 60, True, first), Stage(2, 2, 60, False, second)))


def queue(ids: Sequence[int]) -> Queue:
    """An epoch of a ladder with two new versions."""
    return Queue(
        error=0.1,
        boards=100,
        waiting=(Waiting(ids[6], 0, 100), Waiting(ids[5], 61, 40)),
        contenders=(Contender(ids[0], 81), Contender(ids[1], 18)),
        now=Shares(70, 9, 21),
        then=Shares(28, 22, 50),
    )

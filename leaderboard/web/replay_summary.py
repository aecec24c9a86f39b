"""A film cut into pages, and summed up in one small table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from leaderboard.web.replay_scene import Spot
from leaderboard.web.replays import Frame, Kind, Part
from tables.game import DEALER

PAGE = 100
"""The most frames on a page, unless a single part has more."""


def pages(parts: Sequence[Part]) -> tuple[tuple[Part, ...], ...]:
    """Cut a long film into pages of whole parts."""
    cut: list[list[Part]] = []
    room = 0
    for part in parts:
        if len(part.frames) > room or not cut:
            cut.append([])
            room = PAGE
        cut[-1].append(part)
        room -= len(part.frames)
    return tuple(map(tuple, cut))


def page_of(cut: Sequence[Sequence[Part]], turn: int) -> int:
    """The page that shows a turn, counted from 0; the last one where no page does."""
    ends = [page[-1].frames[-1].number for page in cut if page]
    return next((at for at, end in enumerate(ends) if turn <= end), max(0, len(ends) - 1))


HELD = "cards in hand"
"""What every seat has in a game that counts nothing until its end."""


@dataclass(frozen=True, slots=True)
class Glance:
    """A film as a small table: a value for every seat at the end of each part.

    `label` is the fact that the game's last scene names first ("chips"), or `HELD` where seats
    have no such fact while they play; a row is a part with a (value, status) pair a seat.
    """

    label: str
    rows: tuple[tuple[Part, tuple[tuple[str, str], ...]], ...]


def glance(parts: Sequence[Part]) -> Glance | None:
    """Sum up a film; None if it has too few parts or no common value to sum it up by."""
    if len(parts) < 3:
        return None
    *played, end = parts
    closing = [part.frames[-1] for part in played]
    label = next((spot.facts[0].label for spot in _seated(end.frames[-1]) if spot.facts), "")
    if not all(any(spot.value(label) for spot in _seated(frame)) for frame in closing):
        label = HELD
    if end.frames[0].kind is not Kind.END:
        closing[-1] = end.frames[-1]  # the last card of the last part ended the game as well
    rows = tuple(
        (part, tuple((_had(spot, label), spot.status) for spot in _seated(frame)))
        for part, frame in zip(played, closing, strict=True)
    )
    if not any(value for _, row in rows for value, _ in row):
        return None
    return Glance(label, rows)


def _had(spot: Spot, label: str) -> str:
    if label != HELD:
        return spot.value(label)
    return "" if spot.held is None else str(spot.held)


def _seated(frame: Frame) -> list[Spot]:
    """The places of a frame but for the dealer's."""
    return [spot for spot in frame.spots if spot.seat != DEALER]

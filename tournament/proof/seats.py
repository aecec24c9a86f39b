"""Checking who sat where: the season is followed from its first match by its format."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from leaderboard.results import Result
from leaderboard.storage.audit import Checked
from tables.seating import Seating, SeatingPlan
from tournament.formats.base import Pairing, Schedule
from tournament.proof.report import listed

LONGEST = 4
"""The most games of a match that a difference names."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A match as it was kept: the result of its records, who sat where, and the seats' purses and
    shoes.
    """

    result: Result
    labels: tuple[str, ...]
    seating_plan: SeatingPlan
    brought: tuple[tuple[int, ...], ...]
    shoes: tuple[tuple[str, ...], ...]


def seated(match: Checked) -> Seated | None:
    """Who sat at a match; None if its records can't be read."""
    if match.derived is None:
        return None
    return Seated(
        match.derived.result(match.key, match.leg, match.round, match.versions),
        match.labels,
        SeatingPlan(match.sides, match.seatings),
        tuple(record.purses for record in match.records),
        tuple(record.shoe for record in match.records),
    )


def of_seats(schedule: Schedule, played: Mapping[str, Seated], *, finished: bool) -> Iterator[str]:
    """Follow the season from its first round: who should have sat where, and with which purse."""
    found: set[str] = set()
    wave: Sequence[Pairing] = schedule.ready
    while wave := [pairing for pairing in wave if pairing.key in played]:
        for pairing in wave:
            yield from _of_match(pairing, played[pairing.key])
        found.update(pairing.key for pairing in wave)
        if any(played[pairing.key].result.versions != pairing.versions for pairing in wave):
            return  # later rounds' seats depend on these
        wave = [new for each in wave for new in schedule.tell(played[each.key].result)]
    for key in sorted(played.keys() - found):
        yield f"{key}: the season has no such match"
    missing = schedule.ready
    if finished and missing:
        yield f"{missing[0].key}: the season is finished without this match"


def _of_match(pairing: Pairing, seated: Seated) -> Iterator[str]:
    """Compare who sat at a table, where, and with which purse, with what follows from the seed."""
    result = seated.result
    if result.versions != pairing.versions:
        yield (
            f"{pairing.key}: versions {listed(result.versions)} sat down,"
            f" but the seed gives {listed(pairing.versions)}"
        )
    for brought in sorted({*seated.brought} - {pairing.purses}):
        yield (
            f"{pairing.key}: the seats brought {listed(brought)},"
            f" but the rounds before left them {listed(pairing.purses)}"
        )
    for shoe in sorted({*seated.shoes} - {pairing.shoe}):
        yield (
            f"{pairing.key}: the shoe began with {','.join(shoe) or 'a new pack'},"
            f" but the round before left {','.join(pairing.shoe) or 'nothing'}"
        )
    yield from _of_seating_plan(pairing, seated.seating_plan)
    if (result.leg, result.round) != (pairing.leg, pairing.round):
        yield (
            f"{pairing.key}: stored as leg {result.leg}, round {result.round},"
            f" but is leg {pairing.leg}, round {pairing.round}"
        )
    if seated.labels != pairing.labels:
        yield (
            f"{pairing.key}: it is labelled {', '.join(seated.labels) or 'nothing'},"
            f" but is {', '.join(pairing.labels)}"
        )


def _of_seating_plan(pairing: Pairing, stored: SeatingPlan) -> Iterator[str]:
    if stored.sides != pairing.seating_plan.sides:
        yield (
            f"{pairing.key}: its entrants are stored on sides {listed(stored.sides)},"
            f" but the settings give {listed(pairing.seating_plan.sides)}"
        )
    if stored.seatings != pairing.seating_plan.seatings:
        yield (
            f"{pairing.key}: entrants sat in {_seats(stored.seatings)},"
            f" but the settings give {_seats(pairing.seating_plan.seatings)}"
        )


def _seats(seatings: Sequence[Seating]) -> str:
    """Name the entrants of every game, seat by seat."""
    games = " and ".join(f"({listed(seating)})" for seating in seatings[:LONGEST])
    return f"{games} and so on" if len(seatings) > LONGEST else games

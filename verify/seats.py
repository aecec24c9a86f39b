"""Check seats: follow the season by its format from the first match."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from datetime import datetime

from card_arena.common.moments import from_iso
from card_arena.formats.field import CantAdmit, Pairing
from card_arena.formats.schedule import Schedule
from card_arena.tables.seating import Seating, SeatingPlan
from card_arena.tournament.play.schedules import Course
from card_arena.verify.findings import SeasonFindings, Seated
from card_arena.verify.matches import listed

LONGEST = 4
"""The most games of a match that a difference names."""


def of_seats(
    schedule: Schedule, played: SeasonFindings, course: Course, *, finished: bool
) -> Iterator[str]:
    """Follow the season from its first round: who should have sat where, and with which purse.

    The `course` says what was done to it, and when. Held at a time are those matches alone that the
    schedule has open together.
    """
    keys: set[str] = set()
    parts = course.parts
    last = len(course.interventions)
    for number in range(last + 1):
        others = yield from _of_part(schedule, played, parts, (number, last), keys)
        if others:
            return  # later rounds' seats depend on these
        if number < last:
            what = course.interventions[number]
            try:
                schedule.intervene(what)
            except (CantAdmit, ValueError) as error:
                yield f"the ledger's entry {what.entry} can't have happened: {error}"
                return
    for key in played.seated_keys():
        if key not in keys:
            yield f"{key}: the season has no such match"
    missing = schedule.ready
    if finished and missing:
        yield f"{missing[0].key}: the season is finished without this match"


def _of_part(
    schedule: Schedule,
    played: SeasonFindings,
    parts: Mapping[str, int],
    part: tuple[int, int],
    keys: set[str],
) -> Generator[str, None, bool]:
    """Follow the matches between two interventions; say whether others sat at one of them.

    `part` is the number of this part and that of the last one, and `keys` gets its matches.
    """
    number, last = part
    wave: Sequence[Pairing] = schedule.ready
    others = False
    while wave:
        results = []
        for pairing in wave:
            if parts.get(pairing.key, last) != number:
                continue
            if (sitting := played.seated(pairing.key)) is not None:
                results.append(sitting.result)
                yield from _of_match(pairing, sitting)
                others |= sitting.result.versions != pairing.versions
        keys.update(result.key for result in results)
        if others:
            break
        wave = [new for result in results for new in schedule.tell(result)]
    return others


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
    games = " and ".join(f"({listed(seating)})" for seating in seatings[:LONGEST])
    return f"{games} and so on" if len(seatings) > LONGEST else games


CLOCK_SET = 60.0
"""Seconds by which the clock of the ledger may have been set back during a season."""


def of_times(match: Seated, began: datetime | None, ended: datetime | None) -> Iterator[str]:
    """Compare a match's times with those of the ledger: when its season began, and its own entry.

    None stands for a time that the ledger does not say.
    """
    if began is None or ended is None:
        return
    key, room = match.result.key, (ended - began).total_seconds() + CLOCK_SET
    answers, seconds = match.wall / 1e6, match.seconds
    if answers > room:
        yield (
            f"{key}: its answers took {answers:.0f} s, but by the ledger it was over"
            f" {room - CLOCK_SET:.0f} s after the season had begun"
        )
    if seconds is not None and not answers - 0.001 <= seconds <= max(room, answers):
        yield (
            f"{key}: it is stored as having lasted {seconds:.3f} s, but its answers took"
            f" {answers:.3f} s, and the ledger leaves it {room - CLOCK_SET:.0f} s"
        )
    if match.stored is not None:
        stored = from_iso(match.stored)
        if abs((stored - ended).total_seconds()) > CLOCK_SET:
            yield f"{key}: it is said to have been stored at {stored}, the ledger says {ended}"

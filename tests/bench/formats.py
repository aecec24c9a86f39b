"""What it costs to decide who plays whom in a season of many matches."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime

from card_arena.experiments.simulated import result_of
from card_arena.formats.contest import Contest, ContestOptions
from card_arena.formats.field import Field, Pairing, Player
from card_arena.formats.schedule import Schedule
from card_arena.ratings.match_results import Result
from card_arena.tables.seating import seating_plan
from card_arena.tests.bench.timing import Row
from card_arena.tests.formats.progress import progress

HEADINGS = ("format", "matches", "told one by one", "a match", "all again after each (estimated)")
MATCHES = (1_000, 10_000, 100_000)
BOTS, ROUNDS = 20, 5


def format_rows() -> Iterator[Row]:
    """Contests of bots at tables of four, with chips and without, of more and more legs."""
    for carries in (True, False):
        for matches in MATCHES:
            yield _row(matches, carries=carries)


def _row(matches: int, *, carries: bool) -> Row:
    options = ContestOptions(legs=matches // (ROUNDS * BOTS // 4), rounds=ROUNDS)
    field = _field(carries=carries)
    begun = time.perf_counter()
    schedule = Contest().schedule(field, options)
    waiting = list(schedule.ready)
    results = []
    while waiting:
        results.append(_result(waiting.pop()))
        waiting += schedule.tell(results[-1])
    slowly = time.perf_counter() - begun
    at_once = _whole(field, options, results)
    again = len(results) * at_once / 2  # on average half of them are there
    what = f"contest, {'chips carried on' if carries else 'margins'}"
    each = f"{1e6 * slowly / len(results):.0f} µs"
    return what, f"{len(results):,}", f"{slowly:.2f} s", each, f"{again:,.0f} s"


def _whole(field: Field, options: ContestOptions, results: list[Result]) -> float:
    begun = time.perf_counter()
    schedule: Schedule = Contest().schedule(field, options)
    assert not progress(schedule, results).ready, "all of them are told"
    return time.perf_counter() - begun


def _field(*, carries: bool) -> Field:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    return Field(
        tournament="bench",
        season=1,
        seed=bytes(32),
        players=tuple(Player(n, f"bot{n}", 1, "ada", noon) for n in range(1, BOTS + 1)),
        tables=(seating_plan([(seat,) for seat in range(4)], duplicate=not carries),),
        carries=carries,
        can_sit=lambda _: True,
    )


def _result(pairing: Pairing) -> Result:
    scores = tuple(version % 7 for version in pairing.versions)
    return result_of(pairing, scores, purses=scores)

"""Checking what a host answers, before anything of it counts.

Nothing that follows from something else is taken from a host. Of a match its answer has the
records, the standard error and how long it took; whose match it is, follows from what was handed
out, and its result from the records, which must follow from the rules and the season's packs.
What can't be seen from outside is which program gave an answer, and how long it took.

All of this happens in a process of its own, where it takes no time of the one that stores results.
"""

from __future__ import annotations

import asyncio
import json
import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from types import TracebackType
from typing import Any, Self, get_type_hints

from pydantic import TypeAdapter

from cluster import parcels
from cluster.parcels import NotOnShelf, outcome
from cluster.slot import Outcome
from ratings.match_results import Lucks, Played
from results.records import Finished, finished
from sandbox.box import BackendMissing, BoxBroken
from sandbox.bundles.bundle import Bundle
from sandbox.limits import LARGEST_BUNDLE
from sandbox.seat import LONGEST_STDERR
from tables.record import Record
from tournament.intake import Examined, examine_upload
from tournament.play.match import MatchVoid, Ticket, breaks_sandboxes, finish_match, play_match
from tournament.play.pool import PlaceLost, Task, WorkerLost, WorkerPool
from tournament.settings import thaw
from tournament.submissions import described
from verify.matches import Replay

MATCHES = (finish_match, play_match)
"""The functions whose answer is a match."""

LARGEST_RECORD = 64 * 2**20
"""The most bytes of a game's record."""

LARGEST_NUMBER = 2**53
"""What times and sizes are below: every number that JSON and databases keep exactly."""

EXPECTED: Mapping[type, Callable[[str], Exception]] = {
    kind: kind for kind in (WorkerLost, BoxBroken, BackendMissing)
}
"""What any call may end with, beside what is only for matches."""

LONGEST_REASON = 4096
"""The most characters of what a host says of a failure."""


class Disbelieved(PlaceLost):
    """A host's answer contradicts what it was asked, or the rules; the message says how."""


def known_arguments(arguments: Sequence[Any]) -> tuple[Any, ...]:
    """Return what `checked` has to know of a call's arguments: a match's without its bots."""
    return tuple(
        replace(each, bundles=()) if isinstance(each, Ticket) else each for each in arguments
    )


def checked(
    function: Callable[..., Any], arguments: Sequence[Any], data: bytes
) -> tuple[bool, Any]:
    """Return whether a call succeeded, and its answer or its exception.

    Raises `Disbelieved`.
    """
    try:
        good, answer = outcome(data)
        if good:
            return True, _answer(function, arguments, answer)
        return False, _failure(function, arguments, answer)
    except Disbelieved:
        raise
    except Exception as error:
        what = " ".join(f"{type(error).__name__}: {error}".split())
        raise Disbelieved(f"its answer can't be read ({what[:LONGEST_REASON]})") from error


def _answer(function: Callable[..., Any], arguments: Sequence[Any], answer: Any) -> Any:
    """An answer, made anew from what only the host can know."""
    if function in MATCHES:
        played, lucks = _match(arguments[0], answer)
        return finished(played, lucks) if function is finish_match else played
    returned = _returned(function)
    made: Any = returned.validate_python(returned.dump_python(answer, warnings=False))
    if function is examine_upload:
        _demand_same_bot(arguments[0], made)
    return made


@cache
def _returned(function: Callable[..., Any]) -> TypeAdapter[Any]:
    return TypeAdapter(get_type_hints(function)["return"])


def _match(ticket: Ticket, answer: Any) -> tuple[Played, Lucks]:
    """A match that was handed out, as a host played it, and what counts its luck."""
    if not isinstance(answer, Finished | Played):
        raise Disbelieved(f"it answered with {type(answer).__name__} and not with a match")
    if isinstance(answer, Finished):
        data = [_unpacked(each) for _, each in answer.games]
        stderr = _stderr(answer, len(data))
    else:
        data = [json.loads(json.dumps(record.to_data())) for record in answer.records]
        stderr = answer.stderr
    pairing = ticket.pairing
    if answer.key != pairing.key:
        raise Disbelieved(f"it answered with match {answer.key!s:.80}")
    if answer.versions != pairing.versions:
        raise Disbelieved("it answered with a match of other bots")
    records = tuple(map(Record.from_data, data))
    seatings = pairing.seating_plan.seatings
    if len(records) != len(seatings):
        raise Disbelieved(f"it played {len(records)} games of {len(seatings)}")
    for record in records:
        if (record.purses, record.shoe) != (pairing.purses, pairing.shoe):
            raise Disbelieved("it began with other chips or cards than the table has")
        _demand_plain(record)
    replay = Replay(pairing.key, thaw(ticket.settings), ticket.settings.options, ticket.seed)
    lucks = replay([*zip(records, seatings, strict=True)])
    if replay.differences:
        raise Disbelieved(replay.differences[0])
    if not (type(answer.seconds) is float and 0 <= answer.seconds < math.inf):
        raise Disbelieved("it says no number of seconds that the match took")
    played = Played(
        key=pairing.key,
        leg=pairing.leg,
        round=pairing.round,
        labels=pairing.labels,
        versions=pairing.versions,
        sides=pairing.seating_plan.sides,
        seatings=seatings,
        records=records,
        seconds=answer.seconds,
        stderr=tuple(tuple(str(text)[-LONGEST_STDERR:] for text in texts) for texts in stderr),
    )
    return played, lambda _: lucks


def _unpacked(packed: bytes) -> Mapping[str, Any]:
    data: Mapping[str, Any] = json.loads(_decompressed(packed, LARGEST_RECORD))
    return data


def _decompressed(data: bytes, most: int) -> bytes:
    reader = zlib.decompressobj()
    text = reader.decompress(data, most)
    if not reader.eof:
        raise Disbelieved(f"its answer has more than {most} bytes where they end otherwise")
    return text


def _stderr(answer: Finished, games: int) -> Sequence[Sequence[str]]:
    """The standard error of a match by game and seat, empty where nothing was written."""
    texts = {
        (game, seat): _decompressed(packed, 4 * LONGEST_STDERR).decode(errors="replace")
        for game, seat, packed in answer.stderr
    }
    seats = [len(seating) for seating, _ in answer.games]
    if any(not (0 <= g < games and 0 <= s < seats[g]) for g, s in texts):
        raise Disbelieved("it has standard error of a seat that there is not")
    return [[texts.get((game, seat), "") for seat in range(seats[game])] for game in range(games)]


def _demand_plain(record: Record) -> None:
    """Raise `Disbelieved` if what is measured of a game can't be stored."""
    for number, turn in enumerate(record.turns):
        measured = (turn.wall, turn.cpu, turn.peak)
        texts = [turn.answer] * (turn.answer is not None)
        texts += [] if turn.fault is None else [turn.fault.detail]
        if any(type(each) is not int or not 0 <= each < LARGEST_NUMBER for each in measured):
            raise Disbelieved(f"turn {number} has times or sizes that are none")
        if not all(isinstance(text, str) for text in texts):
            raise Disbelieved(f"turn {number} has an answer or a fault that is no text")


def _demand_same_bot(archive: bytes, examined: Examined) -> None:
    """Raise `Disbelieved` if an upload came back as other files, or as another bot."""
    if examined.submission is not None and examined.submission != described(
        Bundle.from_archive(archive, LARGEST_BUNDLE)
    ):
        raise Disbelieved("it answered with other files than those that it was to examine")


def _failure(function: Callable[..., Any], arguments: Sequence[Any], error: Any) -> Exception:
    """Why a call failed, in an exception of a kind that is expected of it."""
    text = str(error)[:LONGEST_REASON]
    if isinstance(error, NotOnShelf):
        return NotOnShelf(tuple(map(str, error.digests)))
    if isinstance(error, MatchVoid) and function in (*MATCHES, breaks_sandboxes):
        return _void(arguments[0], error)
    if type(error) in EXPECTED:
        return EXPECTED[type(error)](text)
    if function in MATCHES:
        raise Disbelieved(f"it answered with {type(error).__name__}: {text}")
    return WorkerLost(f"{type(error).__name__}: {text}")


def _void(ticket: Ticket, void: MatchVoid) -> MatchVoid:
    pairing = ticket.pairing
    places = range(len(pairing.versions))
    running = [place for place in places if place in void.running]
    if void.key != pairing.key or not (void.broken is None or void.broken in places):
        raise Disbelieved("it says of another match, or of nobody in it, that a sandbox failed")
    works = bool(void.machine_works)
    return MatchVoid(pairing.key, str(void.reason)[:LONGEST_REASON], void.broken, running, works)


SLOWER = 1.01
"""How many times as long something may seem by the clock of another machine."""


def arrived(answer: object, took: float) -> Sequence[Outcome]:
    """The outcomes that a slot gave back after so many seconds; none of them took longer.

    Raises `Disbelieved` if it gave back anything else.
    """
    if not isinstance(answer, list | tuple) or not all(map(_is_outcome, answer)):
        raise Disbelieved("it answered with something else than the outcomes of tasks")
    return [Outcome(data, lost, min(seconds, SLOWER * took)) for data, lost, seconds in answer]


def _is_outcome(each: object) -> bool:
    return (
        isinstance(each, list | tuple)
        and [*map(type, each)] == [bytes, str, float]
        and each[2] >= 0  # which no number that is none is
    )


class Checkers:
    """Processes that check answers; there are none where all hosts are `trusted`.

    Use it in a `with` block.
    """

    def __init__(self, *, trusted: bool) -> None:
        self._pool = None if trusted else WorkerPool()

    def __enter__(self) -> Self:
        if self._pool is not None:
            self._pool.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.__exit__(kind, error, trace)

    async def read_all(
        self, host: str, tasks: Sequence[Task], outcomes: Sequence[Outcome | None]
    ) -> Sequence[tuple[bool, Any]]:
        """Return whether each task succeeded, and its answer or its exception."""
        pairs = zip(tasks, outcomes, strict=True)
        return await asyncio.gather(*(self._read(host, *pair) for pair in pairs))

    async def _read(self, host: str, task: Task, came: Outcome | None) -> tuple[bool, Any]:
        if came is None:
            return False, PlaceLost(f"the host {host} dropped it")
        if came.lost:
            return False, WorkerLost(str(came.lost)[:LONGEST_REASON])
        if self._pool is None:
            return parcels.outcome(came.data)
        try:
            told = known_arguments(task.arguments)
            check = self._pool.submit(checked, task.function, told, came.data)
            good, answer = await asyncio.wrap_future(check)
            if isinstance(answer, Finished) and answer.seconds > came.seconds:
                raise Disbelieved("it says that a match took longer than its answer")
            return good, answer
        except Disbelieved as error:
            return False, Disbelieved(f"the answer of the host {host}: {error}")
        except (WorkerLost, asyncio.CancelledError) as error:
            return False, PlaceLost(f"an answer could not be checked: {error}")

"""Checks the answers of hosts before they count.

Only facts that can't be derived are taken from a host: the records of a match, its standard error
and its duration. The bots and the key follow from the ticket, and the result from the records,
which must follow from the rules and the season's packs. The arena can't check which program gave an
answer, and how long it took.

Answers are checked in processes of their own, so that storing results need not wait.
"""

from __future__ import annotations

import asyncio
import json
import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, get_type_hints

from pydantic import TypeAdapter

from card_arena.cluster import parcels
from card_arena.cluster.parcels import BlobMissing, outcome
from card_arena.cluster.slot import Outcome
from card_arena.common.faults import NO_FACTS
from card_arena.ratings.match_results import LONGEST_TEXT, Lucks, Played
from card_arena.results.records import Finished, finished
from card_arena.sandbox.bundles.bundle import Bundle
from card_arena.sandbox.limits import LARGEST_BUNDLE
from card_arena.sandbox.sandbox import BackendMissing, SandboxBroken
from card_arena.sandbox.seat import LONGEST_STDERR
from card_arena.tables.record import Record
from card_arena.tournament.intake import CheckedUpload, check_upload
from card_arena.tournament.play.match import (
    MatchVoid,
    Ticket,
    as_played,
    breaks_sandboxes,
    finish_match,
    play_match,
)
from card_arena.tournament.play.pool import PlaceLost, Task, WorkerLost, WorkerPool
from card_arena.tournament.settings import thaw
from card_arena.tournament.submissions import described
from card_arena.verify.matches import Replay

MATCHES = (finish_match, play_match)
"""The functions whose answer is a match."""

LARGEST_RECORD = 64 * 2**20
"""The most bytes of a game's record."""

LARGEST_NUMBER = 2**53
"""Times and sizes are less than this: JSON and databases keep such numbers exactly."""

EXPECTED: Mapping[type, Callable[[str], Exception]] = {
    kind: kind for kind in (WorkerLost, SandboxBroken, BackendMissing)
}
"""The exceptions of any call, besides those of matches."""

LONGEST_REASON = 4096
"""The most characters of a host's description of a failure."""


class Disbelieved(PlaceLost):
    """A host's answer contradicts what it was asked, or the rules; the message says how."""


def known_arguments(arguments: Sequence[Any]) -> tuple[Any, ...]:
    """Return the arguments of a call that `checked` needs: a match's without its bots."""
    return tuple(
        replace(argument, bundles=()) if isinstance(argument, Ticket) else argument
        for argument in arguments
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
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise Disbelieved(f"its answer can't be read ({reason[:LONGEST_REASON]})") from error


def _answer(function: Callable[..., Any], arguments: Sequence[Any], answer: Any) -> Any:
    """Make an answer again from the facts that only the host can know."""
    if function in MATCHES:
        played, lucks = _match(arguments[0], answer)
        return finished(played, lucks) if function is finish_match else played
    returned = _returned(function)
    made: Any = returned.validate_python(returned.dump_python(answer, warnings=False))
    if function is check_upload:
        _demand_same_bot(arguments[0], made)
    return made


@cache
def _returned(function: Callable[..., Any]) -> TypeAdapter[Any]:
    return TypeAdapter(get_type_hints(function)["return"])


def _match(ticket: Ticket, answer: Any) -> tuple[Played, Lucks]:
    """Return a ticket's match as a host played it, and the function that counts its luck."""
    if not isinstance(answer, Finished | Played):
        raise Disbelieved(f"it answered with {type(answer).__name__} and not with a match")
    if isinstance(answer, Finished):
        data = [json.loads(_decompressed(packed, LARGEST_RECORD)) for _, packed in answer.games]
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
        raise Disbelieved("the duration of its match is not a number of seconds")
    texts = tuple(tuple(str(text)[-LONGEST_STDERR:] for text in texts) for texts in stderr)
    played = as_played(pairing, records, answer.seconds, texts)
    return played, lambda _: lucks


def _decompressed(data: bytes, most: int) -> bytes:
    reader = zlib.decompressobj()
    text = reader.decompress(data, most)
    if not reader.eof:
        raise Disbelieved(f"its answer has more than {most} bytes where they end otherwise")
    return text


def _stderr(answer: Finished, games: int) -> Sequence[Sequence[str]]:
    """Return the standard error of a match by game and seat."""
    texts = {
        (game, seat): _decompressed(packed, 4 * LONGEST_STDERR).decode(errors="replace")
        for game, seat, packed in answer.stderr
    }
    seats = [len(seating) for seating, _ in answer.games]
    if any(not (0 <= g < games and 0 <= s < seats[g]) for g, s in texts):
        raise Disbelieved("it has standard error of a seat that does not exist")
    return [[texts.get((game, seat), "") for seat in range(seats[game])] for game in range(games)]


def _demand_plain(record: Record) -> None:
    """Raise `Disbelieved` if the times, sizes or texts of a game can't be stored."""
    for number, turn in enumerate(record.turns):
        measured = (turn.wall, turn.cpu, turn.peak)
        facts = turn.fault.facts if turn.fault else NO_FACTS
        texts = [turn.fault.code if turn.fault else "", turn.answer or ""]
        if any(type(value) is not int or not 0 <= value < LARGEST_NUMBER for value in measured):
            raise Disbelieved(f"turn {number} has invalid times or sizes")
        if not _is_plain(facts) or not all(isinstance(text, str) for text in texts):
            raise Disbelieved(f"turn {number} has an answer or a fault that is not a text")


def _is_plain(facts: object) -> bool:
    """Whether facts of a fault are what JSON can have, and no more than is kept of a text."""
    try:
        return isinstance(facts, dict) and len(json.dumps(facts)) <= LONGEST_TEXT
    except (TypeError, ValueError):
        return False


def _demand_same_bot(archive: bytes, upload: CheckedUpload) -> None:
    """Raise `Disbelieved` if an upload has other files, or is another bot."""
    if upload.submission is not None and upload.submission != described(
        Bundle.from_archive(archive, LARGEST_BUNDLE)
    ):
        raise Disbelieved("it answered with other files than those that it was to check")


def _failure(function: Callable[..., Any], arguments: Sequence[Any], error: Any) -> Exception:
    """Return a call's failure as an exception of an expected kind."""
    text = str(error)[:LONGEST_REASON]
    if isinstance(error, BlobMissing):
        return BlobMissing(tuple(map(str, error.digests)))
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
        raise Disbelieved("it reports a failed sandbox of another match or bot")
    works = bool(void.machine_works)
    return MatchVoid(pairing.key, str(void.reason)[:LONGEST_REASON], void.broken, running, works)


SLOWER = 1.01
"""The largest ratio between the times that two machines measure."""


def arrived(answer: object, took: float) -> Sequence[Outcome]:
    """Return the outcomes in a slot's answer, which came after `took` seconds; none took longer.

    Raises `Disbelieved` if the answer is anything else.
    """
    if not isinstance(answer, list | tuple) or not all(map(_is_outcome, answer)):
        raise Disbelieved("it answered with something else than the outcomes of tasks")
    return [Outcome(data, lost, min(seconds, SLOWER * took)) for data, lost, seconds in answer]


def _is_outcome(entry: object) -> bool:
    return (
        isinstance(entry, list | tuple)
        and [*map(type, entry)] == [bytes, str, float]
        and entry[2] >= 0  # which is false for NaN
    )


async def read_outcome(
    pool: WorkerPool | None, host: str, task: Task, outcome: Outcome | None
) -> tuple[bool, Any]:
    """Return whether a task succeeded, and its answer or its exception.

    The answer is checked by a process of the pool; without a pool the host is trusted.
    """
    if outcome is None:
        return False, PlaceLost(f"the host {host} dropped it")
    if outcome.lost:
        return False, WorkerLost(str(outcome.lost)[:LONGEST_REASON])
    if pool is None:
        return parcels.outcome(outcome.data)
    try:
        arguments = known_arguments(task.arguments)
        check = pool.submit(checked, task.function, arguments, outcome.data)
        good, answer = await asyncio.wrap_future(check)
        if isinstance(answer, Finished) and answer.seconds > outcome.seconds:
            raise Disbelieved("it says that a match took longer than its answer")
        return good, answer
    except Disbelieved as error:
        return False, Disbelieved(f"the answer of the host {host}: {error}")
    except (WorkerLost, asyncio.CancelledError) as error:
        return False, PlaceLost(f"an answer could not be checked: {error}")

"""What a host answers counts only if it follows from what it was asked, and from the rules."""

from __future__ import annotations

import asyncio
import json
import pickle
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from card_arena.cluster.checking import Disbelieved, arrived, checked, known_arguments, read_outcome
from card_arena.cluster.slot import Outcome
from card_arena.results.records import Finished
from card_arena.tests.cluster.harness import Cluster, Season, lying_host, wait_for
from card_arena.tests.results.fresh import fresh_store
from card_arena.tests.tournament import stage
from card_arena.tournament.intake import CheckedUpload, check_upload
from card_arena.tournament.play.match import (
    MatchVoid,
    Ticket,
    breaks_sandboxes,
    finish_match,
    play_match,
    try_out,
)
from card_arena.tournament.play.pool import Task, WorkerLost, WorkerPool
from card_arena.tournament.submissions import Trial

pytestmark = pytest.mark.timeout(600)


@pytest.fixture
def ticket(tmp_path: Path) -> Iterator[Ticket]:
    store = fresh_store(tmp_path / "arena.db")
    bots = [stage.shell("lim15", 15), stage.shell("lim17", 17), stage.shell("lim12", 12)]
    versions = [stage.submit(store, bot.write(tmp_path)) for bot in bots]
    yield stage.ticket(store, *versions, sandbox="bare")
    store.close()


def read(ticket: Ticket, answer: object, *, good: bool = True) -> tuple[bool, Any]:
    """What is believed of an answer to the question for this match."""
    return checked(finish_match, known_arguments((ticket,)), pickle.dumps((good, answer)))


def with_record(match: Finished, change: Callable[[Any], object]) -> Finished:
    """A match with another record of its first game, as plain data."""
    (seating, packed), *others = match.games
    data = json.loads(zlib.decompress(packed))
    change(data)
    return replace(match, games=((seating, zlib.compress(json.dumps(data).encode())), *others))


def set_turn(column: str, value: object) -> Callable[[Any], object]:
    """Put something else into a turn that a bot was asked at."""

    def change(data: Any) -> None:
        turn = next(number for number, asked in enumerate(data["turns"]["question"]) if asked)
        data["turns"][column][turn] = value

    return change


def drop_last_turn(data: Any) -> None:
    for column in ("seat", "action", "question", "wall", "cpu", "peak"):
        data["turns"][column].pop()


def other_score(data: Any) -> None:
    data["over"]["scores"][0] += 10


LIES: dict[str, Callable[[Finished], object]] = {
    "no match": lambda match: {"key": match.key},
    "nothing": lambda match: None,
    "another key": lambda match: replace(match, key="small/0001/t01/r2/b"),
    "an invented key": lambda match: replace(match, key="x" * 10_000),
    "other bots": lambda match: replace(match, versions=match.versions[::-1]),
    "no bots": lambda match: replace(match, versions=None),  # type: ignore[arg-type]
    "one game more": lambda match: replace(match, games=match.games * 2),
    "no games": lambda match: replace(match, games=()),
    "text for a game": lambda match: replace(match, games="game"),  # type: ignore[arg-type]
    "a game that is not compressed": lambda match: replace(match, games=(((0, 1, 2), b"{}"),)),
    "a game without an end": lambda match: replace(
        match, games=((match.games[0][0], match.games[0][1][:-9]),)
    ),
    "a bomb": lambda match: replace(
        match, games=((match.games[0][0], zlib.compress(bytes(2**27))),)
    ),
    "a time that is none": lambda match: replace(match, seconds=float("nan")),
    "a negative time": lambda match: replace(match, seconds=-1.0),
    "a time in words": lambda match: replace(match, seconds="1"),  # type: ignore[arg-type]
    "stderr of nobody": lambda match: replace(match, stderr=((0, 7, zlib.compress(b"x")),)),
    "stderr that is a number": lambda match: replace(match, stderr=5),  # type: ignore[arg-type]
    "another game": lambda match: with_record(match, lambda data: data.update(game="durak")),
    "other rules": lambda match: with_record(match, lambda data: data.update(version=99)),
    "other options": lambda match: with_record(match, lambda data: data["options"].popitem()),
    "other chips": lambda match: with_record(match, lambda data: data.update(purses=[1, 2, 3])),
    "more seats": lambda match: with_record(match, lambda data: data.update(seats=4)),
    "another pack": lambda match: with_record(
        match, lambda data: data["turns"]["action"].__setitem__(0, "As")
    ),
    "another answer": lambda match: with_record(match, set_turn("action", "X")),
    "another question": lambda match: with_record(match, set_turn("question", "21 A")),
    "somebody else's turn": lambda match: with_record(match, set_turn("seat", 2)),
    "an early end": lambda match: with_record(match, drop_last_turn),
    "another score": lambda match: with_record(match, other_score),
    "a bot that is struck out": lambda match: with_record(
        match, lambda data: data.update(struck_out=[0])
    ),
    "a negative clock": lambda match: with_record(match, set_turn("wall", -1)),
    "a late answer": lambda match: with_record(match, set_turn("wall", 10**9)),
    "a number that is too large to store": lambda match: with_record(
        match, set_turn("peak", 10**30)
    ),
    "a size in words": lambda match: with_record(match, set_turn("peak", "much")),
    "a size with a fraction": lambda match: with_record(match, set_turn("peak", 0.5)),
    "another field": lambda match: with_record(match, lambda data: data.update(winner=1)),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_match_that_was_not_played_as_it_was_handed_out_is_not_believed(
    ticket: Ticket, lie: str
) -> None:
    match = _played(ticket)
    assert read(ticket, match) == (True, match)
    with pytest.raises(Disbelieved):
        read(ticket, LIES[lie](match))


_MATCHES: dict[str, Finished] = {}


def _played(ticket: Ticket) -> Finished:
    """The match of a ticket, which is played once for all tests: the bots are the same."""
    if ticket.pairing.key not in _MATCHES:
        _MATCHES[ticket.pairing.key] = finish_match(ticket)
    return _MATCHES[ticket.pairing.key]


DERIVED: dict[str, Callable[[Finished], Finished]] = {
    "line": lambda match: replace(match, line="0" * 64),
    "derived": lambda match: replace(match, derived=replace(match.derived, boards=((9, 9, 9),))),
    "held_seats": lambda match: replace(match, held_seats=()),
    "answers": lambda match: replace(match, answers=("x",)),
    "labels": lambda match: replace(match, labels=("final",)),
    "round": lambda match: replace(match, round=9),
    "leg": lambda match: replace(match, leg=9),
}


@pytest.mark.parametrize("name", DERIVED)
def test_nothing_that_follows_from_records_is_taken_from_a_host(ticket: Ticket, name: str) -> None:
    match = _played(ticket)
    assert read(ticket, DERIVED[name](match)) == (True, match)


def test_a_played_match_of_a_comparison_is_checked_alike(ticket: Ticket) -> None:
    played = play_match(ticket)
    answer = pickle.dumps((True, played))
    assert checked(play_match, known_arguments((ticket,)), answer) == (True, played)
    wrong = pickle.dumps((True, replace(played, versions=(9, 9, 9))))
    with pytest.raises(Disbelieved, match="other bots"):
        checked(play_match, known_arguments((ticket,)), wrong)


class Odd(Exception):
    """An exception that the runner expects nowhere."""


@pytest.mark.parametrize(
    "failure",
    [
        Odd("surprise"),
        "no exception",
        MatchVoid("small/0001/t01/r2/b", "another match"),
        MatchVoid(stage.KEY, "nobody", broken=7),
        MatchVoid(stage.KEY, "odd", broken=0, running=5),  # type: ignore[arg-type]
    ],
    ids=["odd", "text", "another key", "nobody", "running"],
)
def test_a_failure_that_no_match_has_is_not_believed(ticket: Ticket, failure: object) -> None:
    with pytest.raises(Disbelieved):
        read(ticket, failure, good=False)


def test_a_failure_is_read_as_what_it_says(ticket: Ticket) -> None:
    void = MatchVoid(stage.KEY, "a sandbox failed", 1, [1, 2, 9], machine_works=True)
    good, answer = read(ticket, void, good=False)
    assert not good
    assert (answer.key, answer.reason, answer.broken) == (stage.KEY, "a sandbox failed", 1)
    assert answer.running == [1, 2]
    for lost in (WorkerLost("gone"), OSError("No space left on device")):
        good, answer = checked(try_out, (b"", {}), pickle.dumps((False, lost)))
        assert not good
        assert type(answer) is WorkerLost
        assert str(lost) in str(answer)


@pytest.mark.parametrize(
    ("function", "answer"),
    [(try_out, "fine"), (try_out, {"ok": []}), (breaks_sandboxes, "perhaps"), (finish_match, 1)],
)
def test_an_answer_of_another_kind_is_not_believed(
    ticket: Ticket, function: Callable[..., object], answer: object
) -> None:
    with pytest.raises(Disbelieved):
        checked(function, known_arguments((ticket,)), pickle.dumps((True, answer)))


def test_what_can_not_be_unpacked_is_not_believed(ticket: Ticket) -> None:
    for data in (b"", b"junk", pickle.dumps(5), pickle.dumps((True,))):
        with pytest.raises(Disbelieved):
            checked(finish_match, known_arguments((ticket,)), data)


def test_an_upload_comes_back_as_the_bot_that_was_examined(tmp_path: Path) -> None:
    from card_arena.sandbox.bundles.bundle import read_bundle
    from card_arena.tournament.submissions import described

    one, other = (
        read_bundle(stage.shell(name, limit).write(tmp_path))
        for name, limit in (("one", 15), ("other", 16))
    )
    for bundle, believed in ((one, True), (other, False)):
        answer = pickle.dumps((True, CheckedUpload(Trial(), described(bundle))))
        if believed:
            good, examined = checked(check_upload, (one.archive(), "bare"), answer)
            assert good
            assert examined.submission == described(one)
        else:
            with pytest.raises(Disbelieved, match="other files"):
                checked(check_upload, (one.archive(), "bare"), answer)


def test_a_season_with_a_liar_among_its_hosts_ends_as_one_without(
    cluster: Cluster, tmp_path: Path, calm: list[object]
) -> None:
    lying_host(cluster, tmp_path / "liar", speed=99.0)
    season, said = Season.prepared(tmp_path / "season"), []
    with cluster.pool(said, trusted=False) as pool, season.being_played(pool):
        wait_for(lambda: any("the host liar is banned" in each for each in said), "it is found")
        cluster.host("honest")  # which is half as fast as the liar said that it is, or less
    assert season.everything() == calm
    voids = season.told("void")
    assert voids
    assert all("the answer of the host liar" in entry["reason"] for entry in voids)
    assert season.hosts() <= {"honest", "liar"}  # its first answer is the match that it played


NO_OUTCOMES = """

async def _play_nothing(self, parcels, comm):
    while True:
        calls = await parcels.get()
        await comm.write({})


SlotPlugin._play_all = _play_nothing
"""
FORGETFUL = """

def do(data, blobs):
    return pickle.dumps((False, BlobMissing(("0" * 64,))))
"""


@pytest.mark.parametrize(
    ("file", "lie"),
    [
        ("slot", NO_OUTCOMES.format("None")),
        ("slot", NO_OUTCOMES.format("[(b'', '', 'long')] * len(calls)")),
        ("parcels", FORGETFUL),
    ],
    ids=["nothing", "a time in words", "contents that it lacks"],
)
def test_a_host_that_plays_nothing_stops_no_season(
    cluster: Cluster, tmp_path: Path, calm: list[object], file: str, lie: str
) -> None:
    lying_host(cluster, tmp_path / "liar", lie=lie, file=file)
    season, said = Season.prepared(tmp_path / "season", nap=0.1), []
    with cluster.pool(said, trusted=False) as pool, season.being_played(pool):
        wait_for(lambda: any("the host liar is banned" in each for each in said), "it is found")
        cluster.host("honest")
    assert season.everything() == calm
    assert season.hosts() == {"honest"}


@pytest.mark.parametrize("seconds", [float("nan"), -1.0])
def test_a_time_that_no_task_takes_is_not_believed(seconds: float) -> None:
    with pytest.raises(Disbelieved):
        arrived([Outcome(b"", "", seconds)], 1.0)


def test_no_task_takes_longer_than_its_answer(ticket: Ticket) -> None:
    match = replace(_played(ticket), seconds=1.0)
    task = Task(finish_match, (ticket,), frozenset())
    for seconds, believed in ((1.0, True), (1e300, False)):
        data = pickle.dumps((True, replace(match, seconds=seconds)))
        (outcome,) = arrived([Outcome(data, "", 1e301)], 2.0)
        # in a thread of its own, since a browser that other tests began has a loop in this one
        with WorkerPool(1) as pool, ThreadPoolExecutor(1) as thread:
            reading = read_outcome(pool, "liar", task, outcome)
            good, answer = thread.submit(asyncio.run, reading).result()
        assert good == believed
        assert isinstance(answer, Finished if believed else Disbelieved)

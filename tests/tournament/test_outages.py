"""Seasons wait for a database or sandboxes that can't be used, as if that had not happened."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread, Timer
from typing import Any

import pytest

from card_arena.results.errors import Unwritable, Waits
from card_arena.results.store import Store
from card_arena.tests.databases import new_server
from card_arena.tests.needs import need
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.intervened import first_cannot_be_played
from card_arena.tournament import requirements
from card_arena.tournament.play import steps
from card_arena.tournament.play.runner import run, run_once
from card_arena.tournament.play.season import LOST
from card_arena.verify.verify import verify_season

BOTS = {"lim15": 15, "lim17": 17, "lim12": 12, "lim19": 19}


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "SHORTEST", 0.05)
    monkeypatch.setattr(steps, "LONGEST", 0.2)


@contextmanager
def opened(url: str) -> Iterator[Store]:
    store = Store(url, Waits(write=0.2, read=0.2))
    try:
        yield store
    finally:
        store.close()


class Trouble(stage.Notes):
    """An audience that takes the database away when some matches are stored, and gives it back.

    It comes back when the season has said that it waits for it, and a little later.
    """

    def __init__(self, begin: Callable[[], object], end: Callable[[], object]) -> None:
        super().__init__()
        self._begin = begin
        self._end = end
        self._waits = Event()
        self.times = 0
        self._due = [2, 5]
        """After how many stored matches it is taken away."""
        self._threads: list[Thread] = []

    def advances(self, headway: Any) -> None:
        super().advances(headway)
        if self._due and headway.played >= self._due[0] and not self._waiting():
            self._due.pop(0)
            self._waits.clear()
            self._begin()
            self.times += 1
            self._threads.append(Thread(target=self._give_back))
            self._threads[-1].start()

    def say(self, sentence: str) -> None:
        super().say(sentence)
        if "trying again" in sentence:
            self._waits.set()

    def _waiting(self) -> bool:
        return any(thread.is_alive() for thread in self._threads)

    def _give_back(self) -> None:
        self._waits.wait(60)
        time.sleep(0.5)
        self._end()

    def join(self) -> None:
        for thread in self._threads:
            thread.join()


def entered(store: Store, folder: Path) -> None:
    for name, limit in BOTS.items():
        stage.submit(store, stage.shell(name, limit).write(folder))


def settings(**changes: Any) -> Any:
    return stage.tournament(**{"legs": 2, "rounds": 4, **changes})


def came_to(store: Store) -> tuple[object, object]:
    """The last season's standings and the keys and hashes of its matches, which must verify."""
    season = store.seasons("small")[-1]
    assert season.finished is not None
    report = verify_season(store, season)
    assert not report.differences, report.differences
    standings = [(each.version, each.points) for each in store.standings(season.id)]
    return standings, [result.key for result in store.results(season.id)]


def kinds(store: Store) -> list[str]:
    return [entry.kind for entry in store.ledger("small")]


@pytest.fixture
def calm(tmp_path: Path) -> tuple[object, object]:
    """What the season comes to that nothing disturbs."""
    with opened(f"sqlite:///{tmp_path}/calm/arena.db") as store:
        entered(store, tmp_path / "calm")
        run_once(store, settings(), stage.Notes(), stage.SEED)
        return came_to(store)


def played_through(store: Store, folder: Path, trouble: Trouble) -> tuple[object, object]:
    entered(store, folder)
    try:
        run_once(store, settings(), trouble, stage.SEED)
    finally:
        trouble.join()
    assert trouble.times == 2
    waited = [said for said in trouble.said if "trying again" in said]
    again = [said for said in trouble.said if "can be used again" in said]
    assert len(waited) == len(again) == 2, trouble.said
    told = kinds(store)
    assert not {"pause", "resume"} & {*told}
    return came_to(store)


def test_a_write_lock_that_another_program_holds_is_waited_out(
    tmp_path: Path, calm: tuple[object, object]
) -> None:
    file = tmp_path / "arena.db"
    with opened(f"sqlite:///{file}") as store:
        other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        trouble = Trouble(lambda: other.execute("BEGIN IMMEDIATE"), other.rollback)
        assert played_through(store, tmp_path / "bots", trouble) == calm
        assert any("is locked" in said for said in trouble.said)
        other.close()


def test_a_full_disk_is_waited_out(tmp_path: Path, calm: tuple[object, object]) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can mount a file system")
    disk = tmp_path / "disk"
    disk.mkdir()
    small = "size=4m,mode=755"
    subprocess.run(["mount", "-t", "tmpfs", "-o", small, "tmpfs", disk], check=True)
    try:
        filler = disk / "filler"

        def fill() -> None:
            with suppressed_full(), filler.open("wb", buffering=0) as file:
                while True:
                    file.write(bytes(512))

        with opened(f"sqlite:///{disk}/arena.db") as store:
            trouble = Trouble(fill, filler.unlink)
            assert played_through(store, tmp_path / "bots", trouble) == calm
            assert any("its disk is full" in said for said in trouble.said)
    finally:
        subprocess.run(["umount", "--lazy", disk], check=True)


@contextmanager
def suppressed_full() -> Iterator[None]:
    with pytest.raises(OSError, match="No space left on device"):
        yield


def test_a_restart_of_postgresql_is_waited_out(tmp_path: Path, calm: tuple[object, object]) -> None:
    with new_server() as server, opened(server.address) as store:
        trouble = Trouble(server.stop, server.start)
        assert played_through(store, tmp_path / "bots", trouble) == calm


def test_a_runner_whose_database_is_locked_plays_what_became_due(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "arena.db"
    with opened(f"sqlite:///{file}") as store:
        stage.submit(store, stage.shell("lim15", 15).write(tmp_path / "bots"))
        notes = stage.Notes()
        other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        paused = store.paused

        def locked() -> Any:
            """Find what is paused, just before another program begins to write."""
            if not notes.said and not other.in_transaction:
                other.execute("BEGIN IMMEDIATE")
                Timer(1, other.rollback).start()
            return paused()

        monkeypatch.setattr(store, "paused", locked)
        assert not run(store, [settings(legs=1, rounds=1)], notes, wait=False)
        assert notes.ended == [1]
        assert any("is locked" in said for said in notes.said)
        other.close()


def test_a_match_that_was_to_begin_when_the_database_went_away_is_void_in_the_ledger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(f"sqlite:///{tmp_path}/arena.db") as store:
        entered(store, tmp_path / "bots")
        lost: list[str] = []
        note = store.note_attempts

        def told_and_lost(season: int, keys: list[str]) -> None:
            """Store it, and fail as a connection does that breaks before the answer comes."""
            note(season, keys)
            if keys and not lost:
                lost.extend(keys)
                raise Unwritable("the server closed the connection")

        monkeypatch.setattr(store, "note_attempts", told_and_lost)
        run_once(store, settings(), stage.Notes(), stage.SEED)
        voids = [entry for entry in store.ledger("small") if entry.kind == "void"]
        assert [entry["key"] for entry in voids] == lost
        assert {entry["reason"] for entry in voids} == {LOST}
        came_to(store)


def test_matches_whose_storing_was_not_confirmed_are_stored_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(f"sqlite:///{tmp_path}/arena.db") as store:
        entered(store, tmp_path / "bots")
        failed: list[object] = []
        save = store.save_matches

        def stored_and_lost(season: int, matches: Any) -> Any:
            results = save(season, matches)
            if not failed:
                failed.extend(matches)
                raise Unwritable("the server closed the connection")
            return results

        monkeypatch.setattr(store, "save_matches", stored_and_lost)
        run_once(store, settings(), stage.Notes(), stage.SEED)
        assert failed
        told = [entry["key"] for entry in store.ledger("small") if entry.kind == "match"]
        assert sorted(told) == sorted({*told})
        assert "void" not in kinds(store)
        came_to(store)


def test_a_match_that_is_left_out_when_the_database_goes_away_is_left_out_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(f"sqlite:///{tmp_path}/arena.db") as store:
        entered(store, tmp_path / "bots")
        began = first_cannot_be_played(monkeypatch)
        failed: list[object] = []
        intervene = store.intervene

        def unwritable_first(season: int, what: Any) -> None:
            if not failed:
                failed.append(what)
                raise Unwritable("the disk is full")
            intervene(season, what)

        monkeypatch.setattr(store, "intervene", unwritable_first)
        with stage.Here() as pool:
            run_once(store, settings(), stage.Notes(), stage.SEED, pool)
        (season,) = store.seasons("small")
        told = [(each.kind, each.key) for each in store.interventions(season.id)]
        assert failed
        assert told == [("unplayed", began[0])]
        came_to(store)


def test_the_ledger_says_what_ended_a_season_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(f"sqlite:///{tmp_path}/arena.db") as store:
        entered(store, tmp_path / "bots")

        names = ["small", "other"]

        class Failing(stage.Notes):
            def advances(self, headway: Any) -> None:
                if len(self.began) == len(names):
                    raise LookupError("a mistake of ours")

        with pytest.raises(LookupError):
            run(store, [settings(name=name, rounds=40) for name in names], Failing(), wait=False)
        for name in names:
            (pause,) = [entry for entry in store.ledger(name) if entry.kind == "pause"]
            assert pause["reason"] == "the arena failed: LookupError: a mistake of ours"


def test_sandboxes_that_break_before_the_first_season_are_waited_for(
    file_url: str, tmp_path: Path
) -> None:
    need("bwrap")
    requirements._examined.cache_clear()
    calm = Event()

    def strike() -> None:
        while not calm.is_set():
            with suppress(Exception):  # of looking at what is dying just now
                stage.break_sandboxes(os.getpid())

    class Listener(stage.Notes):
        def say(self, sentence: str) -> None:
            super().say(sentence)
            calm.set()

    notes, hammer = Listener(), Thread(target=strike)
    with opened(file_url) as store:
        stage.submit(store, stage.shell("lim17", 17).write(tmp_path))
        hammer.start()
        assert run(store, [stage.tournament(legs=1, rounds=1)], notes, wait=False) == {}
        hammer.join()
        assert [season.finished is not None for season in store.seasons("small")] == [True]
    first, second = notes.said
    assert first.endswith("; trying again until it can be used")
    assert second.startswith("the sandbox can be used again after ")

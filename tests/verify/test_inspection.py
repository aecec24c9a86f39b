"""A verification in several sittings and by several workers finds what one at a time finds."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from card_arena.results import stored_match
from card_arena.results.store import Store
from card_arena.tests.cli.home import ROOT
from card_arena.tests.full_disk import no_file_larger_than
from card_arena.tests.needs import need
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.stage import Notes
from card_arena.tests.verify.changes import KEY, change, edit_record
from card_arena.tournament.play.pool import WorkerPool
from card_arena.tournament.play.runner import run_once
from card_arena.verify import evidence, findings
from card_arena.verify.findings import Checkpoint, Finding, NoCheckpoint
from card_arena.verify.verify import Headway, Inspector, Report, verify_file, verify_season

MATCHES = 4
OF_MATCH = f"match_id = (SELECT id FROM matches WHERE key = '{KEY}')"


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A database with a finished season of three bots."""
    need("bwrap")
    folder = tmp_path_factory.mktemp("season")
    with closing(Store(f"sqlite:///{folder}/arena.db")) as store:
        for limit in (12, 16, 20):
            stage.submit(store, stage.shell(f"sh{limit}", limit).write(folder / "bots"))
        run_once(store, stage.tournament(), Notes(), stage.SEED)
    return (folder / "arena.db").read_bytes()


@pytest.fixture
def store(season: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """The same, of which one match is read at a time."""
    monkeypatch.setattr(stored_match, "CHUNK", 1)
    monkeypatch.setattr(evidence, "CHUNK", 1)
    (tmp_path / "arena.db").write_bytes(season)
    with closing(Store(f"sqlite:///{tmp_path}/arena.db")) as store:
        yield store


@pytest.fixture
def replayed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The keys of the matches that are replayed."""
    keys: list[str] = []

    class Noting(findings.Replay):
        def __init__(self, key: str, *rest: object) -> None:
            keys.append(key)
            super().__init__(key, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(findings, "Replay", Noting)
    return keys


def interrupted(after: int) -> Callable[[Headway], None]:
    def watch(headway: Headway) -> None:
        if headway.matches == after:
            raise KeyboardInterrupt

    return watch


def begun(store: Store, path: Path, matches: int = 2) -> None:
    """Verify so many matches and no more."""
    with Checkpoint(path) as checkpoint, pytest.raises(KeyboardInterrupt):
        verify(store, Inspector(checkpoint, watch=interrupted(matches)))


def verify(store: Store, inspector: Inspector | None = None) -> Report:
    (season,) = store.seasons("small")
    return verify_season(store, season, inspector)


def gone_on(store: Store, path: Path) -> Report:
    with Checkpoint(path) as checkpoint:
        return verify(store, Inspector(checkpoint))


def test_after_an_interruption_only_the_other_matches_are_replayed(
    store: Store, tmp_path: Path, replayed: list[str]
) -> None:
    begun(store, tmp_path / "kept.db")
    assert len(replayed) == 2
    report = gone_on(store, tmp_path / "kept.db")
    assert len(replayed) == len({*replayed}) == report.totals.matches == MATCHES
    assert (report.differences, report.earlier) == ([], 2)
    assert report.latest is not None
    alone = verify(store)
    assert (alone.earlier, alone.totals) == (0, report.totals)
    assert (alone.entries, alone.head) == (report.entries, report.head)


@pytest.mark.parametrize(
    "statement",
    [
        f"UPDATE seats SET score = score + 1 WHERE seat = 0 AND {OF_MATCH}",
        f"UPDATE held_seats SET margin = margin + 1 WHERE seat = 0 AND {OF_MATCH}",
        f"UPDATE matches SET boards = '[[1, 2, 3]]' WHERE key = '{KEY}'",
        f"UPDATE records SET seating = '[0, 0, 0]' WHERE {OF_MATCH}",
        f"DELETE FROM records WHERE {OF_MATCH}",
    ],
)
def test_what_was_changed_after_it_was_checked_is_found_all_the_same(
    statement: str, store: Store, tmp_path: Path
) -> None:
    begun(store, tmp_path / "kept.db")
    change(store, statement)
    report = gone_on(store, tmp_path / "kept.db")
    assert report.earlier == 1
    assert report.differences
    assert report.differences == verify(store).differences


def test_an_answer_that_was_changed_after_it_was_checked_is_found(
    store: Store, tmp_path: Path
) -> None:
    begun(store, tmp_path / "kept.db")
    edit_record(store, lambda data: data["turns"]["wall"].__setitem__(-1, 7))
    assert any(
        "the match was changed" in found
        for found in gone_on(store, tmp_path / "kept.db").differences
    )


def test_a_match_that_was_dropped_after_it_was_checked_is_missed(
    store: Store, tmp_path: Path
) -> None:
    begun(store, tmp_path / "kept.db")
    for table in ("records", "held_seats", "seats"):
        change(store, f"DELETE FROM {table} WHERE {OF_MATCH}")
    change(store, f"DELETE FROM matches WHERE key = '{KEY}'")
    report = gone_on(store, tmp_path / "kept.db")
    assert report.totals.matches == MATCHES - 1
    assert any(f"{KEY}: the match was dropped" in found for found in report.differences)


def test_with_another_seed_all_matches_are_replayed(
    store: Store, tmp_path: Path, replayed: list[str]
) -> None:
    begun(store, tmp_path / "kept.db")
    change(store, "UPDATE seasons SET seed = x'00'")
    report = gone_on(store, tmp_path / "kept.db")
    assert len(replayed) == 2 + MATCHES
    assert report.earlier == 0
    assert report.differences[0].startswith("the seed is another one")


def test_what_was_wrong_before_an_interruption_is_told_after_it(
    store: Store, tmp_path: Path
) -> None:
    change(store, f"UPDATE seats SET score = score + 1 WHERE seat = 0 AND {OF_MATCH}")
    begun(store, tmp_path / "kept.db")
    report = gone_on(store, tmp_path / "kept.db")
    assert report.earlier == 2
    assert report.differences == verify(store).differences != []


@pytest.mark.parametrize("score", [0, 1])
def test_workers_find_what_one_process_finds(score: int, store: Store) -> None:
    change(store, f"UPDATE seats SET score = score + {score} WHERE {OF_MATCH}")
    with WorkerPool() as pool:
        several = verify(store, Inspector(pool=pool))
    alone = verify(store)
    assert several.differences == alone.differences
    assert bool(alone.differences) == bool(score)
    assert (several.totals, several.head) == (alone.totals, alone.head)


def test_a_file_is_checked_by_workers_and_in_several_sittings_too(
    store: Store, tmp_path: Path, replayed: list[str]
) -> None:
    path = tmp_path / "1.zip"
    with path.open("wb") as target:
        store.export("small", 1, target)
    with Checkpoint(tmp_path / "kept.db") as checkpoint, pytest.raises(KeyboardInterrupt):
        verify_file(path, inspector=Inspector(checkpoint, watch=interrupted(3)))
    assert len(replayed) == 3
    with Checkpoint(tmp_path / "kept.db") as checkpoint, WorkerPool() as pool:
        report = verify_file(path, inspector=Inspector(checkpoint, pool))
    assert (report.differences, report.totals.matches, report.earlier) == ([], MATCHES, 3)


def test_a_match_that_is_twice_in_a_file_is_named(store: Store, tmp_path: Path) -> None:
    with Checkpoint() as checkpoint:
        found = checkpoint.season("small/1", "t")
        found.add([Finding(KEY, "f", "l", 0, 0, 0, (), None)])
        found.add([Finding(KEY, "f", "l", 0, 0, 0, (), None)])
        assert found.twice == [KEY]


def test_what_was_found_survives_a_program_that_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "kept.db"
    program = f"""
import time
from pathlib import Path
from card_arena.verify.findings import Checkpoint, Finding
checkpoint = Checkpoint(Path({str(path)!r}))
found = checkpoint.season("small/1", "terms")
found.add([Finding({KEY!r}, "f", "l", 5, 1, 0, ("wrong",), None)])
print("kept", flush=True)
time.sleep(600)
"""
    child = subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"kept\n"
    with pytest.raises(NoCheckpoint, match="another program is using"):
        Checkpoint(path)
    child.kill()
    child.wait()
    child.stdout.close()
    with Checkpoint(path) as checkpoint:
        found = checkpoint.season("small/1", "terms")
        assert found.fingerprints(KEY, KEY) == {KEY: "f"}
        found.confirm([KEY])
        assert found.complete().turns == 5
        assert [*found.differences()] == ["wrong"]
        assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", [b"no database at all" * 100, b"SQLite format 3\0" + bytes(84)])
def test_a_file_that_is_cut_or_foreign_is_begun_anew(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "kept.db"
    path.write_bytes(content)
    with Checkpoint(path) as checkpoint:
        assert checkpoint.season("small/1", "terms").latest is None
        checkpoint.remove()
    assert [*tmp_path.iterdir()] == []


def test_what_can_not_be_kept_is_one_sentence_and_what_was_kept_stays(tmp_path: Path) -> None:
    path = tmp_path / "kept.db"
    with Checkpoint(path) as checkpoint:
        found = checkpoint.season("small/1", "terms")
        found.add([Finding(KEY, "f", "", 5, 2, 0, (), None)])
        long = Finding("k", "f", "", 5, 2, 0, ("wrong " * 100_000,), None)
        sentence = f"findings can't be stored in {path}: "
        with no_file_larger_than(100_000), pytest.raises(NoCheckpoint, match=sentence):
            found.add([long])
    with Checkpoint(path) as checkpoint:
        assert checkpoint.season("small/1", "terms").fingerprints("", "z") == {KEY: "f"}

"""The file of a season: made once for everybody, kept, and made anew when the season changed."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from card_arena.leaderboard.web import season_files
from card_arena.leaderboard.web.season_files import NotYet, SeasonFiles
from card_arena.results.entries import Entrant, Season
from card_arena.results.store import Store
from card_arena.tests.results.made import (
    DUE,
    made_bots,
    made_match,
    made_record,
    made_terms,
    ranked,
    save_match,
)
from card_arena.tests.results.query_plans import Asked, listening

Open = Callable[[str], FlaskClient]
PATH = "/t/friday/1/season.zip"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(f"sqlite:///{tmp_path}/arena.db")) as store:
        made_bots(store, "ann", "bob")
        yield store


@pytest.fixture
def client(store: Store, open_site: Open) -> FlaskClient:
    return open_site(store.database.address)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "arena.seasons"


def begun(store: Store, tournament: str = "friday") -> Season:
    entrants = [Entrant(1), Entrant(2)]
    return store.begin_season(tournament, made_terms({}), None, entrants, DUE)


def play(store: Store, season: Season, matches: int = 3) -> None:
    for number in range(1, matches + 1):
        key = f"{season.tournament}/{season.number:04}/t01/r{number}/a"
        save_match(store, season.id, made_match(key, (1, 2), made_record((3, 1))))
    store.save_standings(season.id, ranked({1: 3.0, 2: 1.0}))


def finished(store: Store, tournament: str = "friday", matches: int = 3) -> Season:
    season = begun(store, tournament)
    play(store, season, matches)
    store.finish_season(season.id)
    return season


def of_records(asked: list[Asked]) -> int:
    """How often records were read, of which making a file reads all."""
    return sum("records" in statement for statement, _ in asked)


def fetched(client: FlaskClient, **headers: str) -> Any:
    with client.get(PATH, headers=headers) as sent:
        sent.get_data()
        return sent


def test_a_finished_season_is_read_once_for_all_and_after_a_restart(
    store: Store, client: FlaskClient, open_site: Open
):
    finished(store)
    with listening() as asked:
        first = fetched(client)
    assert of_records(asked) > 0
    with listening() as asked:
        again = fetched(client)
        restarted = fetched(open_site(store.database.address))
    assert of_records(asked) == 0
    assert again.data == restarted.data == first.data
    assert again.headers["ETag"] == restarted.headers["ETag"] == first.headers["ETag"]


def test_its_head_and_its_parts_are_had_without_making_it(store: Store, client: FlaskClient):
    finished(store)
    with listening() as asked:
        before = client.head(PATH)
    assert of_records(asked) == 0
    assert "Content-Length" not in before.headers, "nobody knows it yet"
    whole = fetched(client)
    head = client.head(PATH)
    assert head.headers["Content-Length"] == str(len(whole.data))
    assert before.headers["ETag"] == head.headers["ETag"] == whole.headers["ETag"]
    part = fetched(client, Range="bytes=10-19")
    assert (part.status_code, part.data) == (206, whole.data[10:20])
    assert fetched(client, **{"If-None-Match": whole.headers["ETag"]}).status_code == 304


def test_it_is_sent_also_where_the_database_is_named_from_the_present_folder(
    store: Store, open_site: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    finished(store)
    monkeypatch.chdir(tmp_path)
    assert fetched(open_site("sqlite:///arena.db")).status_code == 200


def test_many_who_want_it_at_the_same_time_make_one(store: Store, folder: Path):
    finished(store)
    files = SeasonFiles(store, folder)
    with listening() as alone:
        SeasonFiles(store, folder.with_name("other")).file("friday", 1)
    with listening() as asked, ThreadPoolExecutor(3) as people:
        with files.one:  # until all of them wait
            wanted = [people.submit(files.file, "friday", 1) for _ in range(3)]
        found = [each.result() for each in wanted]
    assert of_records(asked) == of_records(alone)
    assert len({file.path for file in found}) == 1


def test_who_would_wait_too_long_is_told_when_to_ask_again(
    store: Store, client: FlaskClient, folder: Path
):
    finished(store)
    files = SeasonFiles(store, folder, wait=0.0)
    with files.one:
        with pytest.raises(NotYet, match=r"is being made\. Try again in 5 seconds"):
            files.file("friday", 1)
        client.application.extensions["arena"].season_files = files
        answer = client.get(PATH)
        assert answer.status_code == 503
        assert answer.headers["Retry-After"] == "5"
        assert "This file is being made. Try again in 5 seconds." in answer.text
        assert client.get("/t/friday/1").status_code == 200
    while files.kept("friday", 1) is None:  # it is made while the store is open
        time.sleep(0.01)


def test_no_more_than_a_few_wait_so_that_others_get_their_pages(store: Store, folder: Path):
    finished(store)
    files = SeasonFiles(store, folder)
    many = season_files.WAITING + 4
    with ThreadPoolExecutor(many) as people:
        with files.one:
            wanted = [people.submit(files.file, "friday", 1) for _ in range(many)]
            while sum(each.done() for each in wanted) < many - season_files.WAITING:
                pass
        failures = [each.exception() for each in wanted]
    assert [type(each) for each in failures].count(NotYet) == many - season_files.WAITING


def test_a_season_that_was_intervened_in_has_another_file(store: Store, client: FlaskClient):
    season = finished(store)
    before = fetched(client)
    annulled = store.proposed(season, "annul", "the dealer slept", key="friday/0001/t01/r1/a")
    store.intervene(season.id, annulled)
    after = fetched(client)
    assert after.headers["ETag"] != before.headers["ETag"]
    ledger = zipfile.ZipFile(io.BytesIO(after.data)).read("ledger.jsonl")
    assert b"the dealer slept" in ledger
    old = {"If-None-Match": before.headers["ETag"]}
    assert fetched(client, **old).status_code == 200


def test_a_running_seasons_file_is_a_little_older_than_the_season(store: Store, folder: Path):
    season = begun(store)
    play(store, season, 1)
    lazy = SeasonFiles(store, folder, patience=1e9)
    first = lazy.file("friday", 1)
    save_match(store, season.id, made_match("friday/0001/t01/r2/a", (1, 2), made_record((3, 1))))
    assert lazy.file("friday", 1) == first
    eager = SeasonFiles(store, folder, patience=0.0)
    newer = eager.file("friday", 1)
    assert newer.key != first.key
    assert [*folder.iterdir()] == [newer.path], "the older one is gone"
    store.finish_season(season.id)
    assert lazy.file("friday", 1).key not in (first.key, newer.key)


def test_files_take_no_more_room_than_they_may(store: Store, folder: Path):
    for tournament in ("friday", "saturday", "sunday"):
        finished(store, tournament)
    one = SeasonFiles(store, folder).file("friday", 1)
    size = one.path.stat().st_size
    files = SeasonFiles(store, folder, most=int(2.5 * size))
    for tournament in ("saturday", "sunday"):
        files.file(tournament, 1)
    assert len([*folder.iterdir()]) == 2
    assert not one.path.exists()
    small = SeasonFiles(store, folder, most=1)
    assert small.file("friday", 1).path.exists(), "it is still to be sent"
    assert len([*folder.iterdir()]) == 1


def test_a_disk_that_takes_no_file_is_the_arenas_fault_and_pages_go_on(
    store: Store, client: FlaskClient, folder: Path
):
    finished(store)
    folder.write_text("no folder")
    answer = client.get(PATH)
    assert answer.status_code == 503
    assert answer.headers["Retry-After"]
    assert "write this file now. Try again later." in answer.text
    assert client.get("/t/friday/1").status_code == 200
    folder.unlink()
    assert fetched(client).status_code == 200


def test_only_the_arena_may_look_into_the_folder(store: Store, client: FlaskClient, folder: Path):
    finished(store)
    fetched(client)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in folder.iterdir()} == {0o600}

"""What a season publishes to be checked by: on its page, and as a file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from card_arena.results.entries import Entrant, Season
from card_arena.results.proof.manifest import NO_PUBLIC_VALUE
from card_arena.results.store import Store
from card_arena.tests.results.made import (
    DUE,
    SEED,
    made_bots,
    made_match,
    made_record,
    made_terms,
    ranked,
    save_match,
)
from card_arena.tests.season_settings import season_settings

Open = Callable[[str], FlaskClient]
DRAWN = {"source": "drawn", "how": "dice <b>on film</b>"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(f"sqlite:///{tmp_path}/arena.db")) as store:
        made_bots(store, "ann", "bob")
        yield store


def begun(
    store: Store, seed: bytes | None = None, value: Mapping[str, Any] = NO_PUBLIC_VALUE
) -> Season:
    terms = made_terms({}, public_value=value)
    return store.begin_season("friday", terms, seed, [Entrant(1), Entrant(2)], DUE)


def play(store: Store, season: Season) -> None:
    key = f"friday/{season.number:04}/t01/r1/a"
    save_match(store, season.id, made_match(key, (1, 2), made_record((3, 1))))
    store.save_standings(season.id, ranked({1: 3.0, 2: 1.0}))


def text(client: FlaskClient, path: str) -> str:
    page = client.get(path)
    assert page.status_code == 200
    return " ".join(re.sub("<[^>]*>", " ", page.text).split())


def test_an_announced_season_shows_the_hash_of_its_seed(
    store: Store, tmp_path: Path, open_site: Open
) -> None:
    store.announce({"friday": season_settings({})}, all_there_are=True)
    (promise,) = store.ledger("friday")
    page = text(open_site(f"sqlite:///{tmp_path}/arena.db"), "/t/friday/next")
    assert f"SHA-256 of the seed {promise['sha256']}" in page


def test_a_seasons_page_shows_manifest_and_head_while_it_is_played(
    store: Store, tmp_path: Path, open_site: Open
) -> None:
    season = begun(store)
    client = open_site(f"sqlite:///{tmp_path}/arena.db")
    before = store.ledger("friday")[-1].sha256
    page = text(client, "/t/friday/1")
    assert f"SHA-256 of the manifest {season.manifest}" in page
    assert f"Head of the ledger {before} after 3 entries so far" in page
    assert "These deals use no public value." in page
    play(store, season)
    assert before not in text(client, "/t/friday/1")
    store.finish_season(season.id)
    closing = store.ledger("friday")[-1].sha256
    begun(store)
    assert f"Head of the ledger {closing} after 5 entries " in text(client, "/t/friday/1")


def test_a_public_value_is_waited_for_and_then_shown(
    store: Store, tmp_path: Path, open_site: Open
) -> None:
    begun(store, value=DRAWN)
    client = open_site(f"sqlite:///{tmp_path}/arena.db")
    page = client.get("/t/friday/1").text
    assert "not known yet" in page
    assert "<b>on film</b>" not in page
    store.reveal("friday", "4 2")
    shown = text(client, "/t/friday/1")
    assert "Public value 4 2 the value drawn in public: dice" in shown
    assert "These deals use no public value" not in shown


def test_a_beacons_value_can_be_looked_up(store: Store, tmp_path: Path, open_site: Open) -> None:
    beacon = {"source": "drand", "chain": "c" * 64, "genesis": 1, "period": 3, "round": 5}
    begun(store, value=beacon)
    page = open_site(f"sqlite:///{tmp_path}/arena.db").get("/t/friday/1").text
    assert f'href="https://api.drand.sh/{"c" * 64}/public/5"' in page


def test_a_seed_given_by_hand_is_called_that(store: Store, tmp_path: Path, open_site: Open) -> None:
    begun(store, SEED)
    page = text(open_site(f"sqlite:///{tmp_path}/arena.db"), "/t/friday/1")
    assert "The organiser chose this seed" in page


def test_the_download_is_the_exported_file_and_is_not_made_again_for_who_has_it(
    store: Store, tmp_path: Path, open_site: Open
) -> None:
    season = begun(store)
    play(store, season)
    store.finish_season(season.id)
    client = open_site(f"sqlite:///{tmp_path}/arena.db")
    with (tmp_path / "exported.zip").open("wb") as target:
        store.export("friday", 1, target)
    page = client.get("/t/friday/1").text
    (link,) = re.findall(r'href="([^"]*season\.zip)"', page)
    with client.get(link) as sent:
        assert sent.data == (tmp_path / "exported.zip").read_bytes()
    assert sent.headers["Content-Disposition"] == "attachment; filename=friday-0001.zip"
    assert client.get("/t/saturday/1/season.zip").status_code == 404
    again = client.get(link, headers={"If-None-Match": sent.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")

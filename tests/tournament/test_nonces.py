"""A public value of nonces: authors hand in hashes, show the texts, and nobody can change them."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from card_arena.results.bots import UnknownBot
from card_arena.results.entries import Entrant
from card_arena.results.ledger import NothingAwaited
from card_arena.results.proof.ledger import value_of
from card_arena.results.proof.manifest import BadPublicValue
from card_arena.results.store import Store
from card_arena.tests.needs import need
from card_arena.tests.results.fresh import fresh_store
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.stage import Notes
from card_arena.tests.verify.forging import Parts, put_together, taken_apart
from card_arena.tournament.play.pool import WorkerPool
from card_arena.tournament.play.runner import run, run_once
from card_arena.tournament.play.schedules import NoNonces, ValueAwaited, begin, demand_value
from card_arena.tournament.play.season import play_season
from card_arena.tournament.play.steps import finish
from card_arena.tournament.settings import Settings
from card_arena.verify.verify import verify_file

PROGRAM = Path(__file__).parents[2] / "examples" / "verify"
LINE_UP = [Entrant(1), Entrant(2), Entrant(3)]
NONCES = {"sh12": "seven red herrings", "sh16": "4f0c"}


def hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def settings() -> Settings[Any]:
    return stage.tournament(legs=1, rounds=1, public_value={"nonces": "3d"})


@pytest.fixture
def entered(store: Store, tmp_path: Path) -> Store:
    """An arena with three bots, the third without a nonce."""
    for limit in (12, 16, 20):
        stage.submit(store, stage.shell(f"sh{limit}", limit).write(tmp_path / "bots"))
    for bot, text in NONCES.items():
        store.submit_nonce(bot, hashed(text))
    return store


def kinds(store: Store) -> list[str]:
    return [entry.kind for entry in store.ledger("small") if entry.season == 1]


def test_the_hashes_stand_in_the_manifest_before_anybody_shows_anything(
    entered: Store,
) -> None:
    season = begin(entered, settings(), LINE_UP, datetime.now(UTC))
    manifest = entered.manifest(season.id)
    assert manifest.public_value["source"] == "nonces"
    assert manifest.public_value["hashes"] == {bot: hashed(text) for bot, text in NONCES.items()}
    assert kinds(entered) == ["announce", "begin"]


def test_a_hash_is_replaced_until_a_season_begins_and_then_no_more(entered: Store) -> None:
    entered.submit_nonce("sh12", hashed("better"))
    begin(entered, settings(), LINE_UP, datetime.now(UTC))
    entered.submit_nonce("sh12", hashed("too late"))
    with pytest.raises(BadPublicValue, match="that is not the nonce of sh12"):
        entered.show("small", "sh12", "too late")
    assert entered.show("small", "sh12", "better").shown == ["sh12"]


def test_the_last_nonce_makes_the_value_in_whatever_order_they_are_shown(entered: Store) -> None:
    season = begin(entered, settings(), LINE_UP, datetime.now(UTC))
    found = entered.show("small", "sh16", NONCES["sh16"])
    assert (found.value, found.missing) == (None, ["sh12"])
    with pytest.raises(
        ValueAwaited, match=r"nonces of sh12, sh16, .*`arena ledger public small BOT NONCE`"
    ):
        demand_value(entered, season)
    found = entered.show("small", "sh12", NONCES["sh12"])
    assert found.value == value_of(NONCES) == hashed("sh12 seven red herrings\nsh16 4f0c\n")
    assert demand_value(entered, season).public_value == found.value
    assert kinds(entered) == ["announce", "begin", "nonce", "nonce", "value"]
    with pytest.raises(NothingAwaited):
        entered.show("small", "sh12", NONCES["sh12"])


def test_who_does_not_show_in_time_is_named_and_left_out(
    entered: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Later(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return datetime.now(UTC) + timedelta(days=3, minutes=1)

    season = begin(entered, settings(), LINE_UP, datetime.now(UTC))
    entered.show("small", "sh16", NONCES["sh16"])
    assert entered.settle_late(season.id) is None
    monkeypatch.setattr("card_arena.results.bots.datetime", Later)
    assert entered.settle_late(season.id) == value_of({"sh16": NONCES["sh16"]})
    assert kinds(entered) == ["announce", "begin", "nonce", "unshown", "value"]
    (unshown,) = (each for each in entered.ledger("small") if each.kind == "unshown")
    assert unshown["bots"] == ["sh12"]


@pytest.mark.parametrize(
    ("bot", "text", "said"),
    [
        ("sh12", "4f0c", "that is not the nonce of sh12"),
        ("sh12", "seven red herrings\n", "can't be a nonce"),
        (
            "sh20",
            "anything",
            "no nonce of 'sh20' went into this season: expected one of sh12, sh16",
        ),
    ],
)
def test_what_was_not_handed_in_is_refused(entered: Store, bot: str, text: str, said: str) -> None:
    begin(entered, settings(), LINE_UP, datetime.now(UTC))
    with pytest.raises(BadPublicValue, match=said):
        entered.show("small", bot, text)
    assert kinds(entered) == ["announce", "begin"]


def test_a_value_typed_in_is_refused_where_nonces_are_awaited_and_the_other_way_round(
    entered: Store,
) -> None:
    begin(entered, settings(), LINE_UP, datetime.now(UTC))
    with pytest.raises(BadPublicValue, match="expected a bot's name and its nonce"):
        entered.reveal("small", "3 6")
    drawn = stage.tournament(name="other", public_value={"drawn": "dice"})
    begin(entered, drawn, LINE_UP, datetime.now(UTC))
    with pytest.raises(BadPublicValue, match="waits for no nonces"):
        entered.show("other", "sh12", NONCES["sh12"])
    with pytest.raises(BadPublicValue, match="waits for no nonces"):
        entered.settle("other")


def test_a_nonce_is_shown_once(entered: Store) -> None:
    begin(entered, settings(), LINE_UP, datetime.now(UTC))
    entered.show("small", "sh12", NONCES["sh12"])
    with pytest.raises(BadPublicValue, match="already shown"):
        entered.show("small", "sh12", NONCES["sh12"])


def test_a_season_without_any_nonce_does_not_begin(entered: Store) -> None:
    with pytest.raises(NoNonces, match="no bot that plays has one"):
        begin(entered, settings(), LINE_UP[2:], datetime.now(UTC))
    assert not entered.seasons("small")


def test_what_is_no_hash_and_no_bot_is_refused(entered: Store) -> None:
    with pytest.raises(BadPublicValue, match="64 hexadecimal digits"):
        entered.submit_nonce("sh12", "my secret text")
    with pytest.raises(UnknownBot):
        entered.submit_nonce("nobody", hashed("x"))


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a season whose nonces were all shown."""
    need("bwrap")
    folder = tmp_path_factory.mktemp("nonces")
    store = fresh_store(folder / "arena.db")
    for limit in (12, 16, 20):
        stage.submit(store, stage.shell(f"sh{limit}", limit).write(folder / "bots"))
    for bot, text in NONCES.items():
        store.submit_nonce(bot, hashed(text))
    with WorkerPool(2) as pool, pool.queue("small", 1, 2) as queue:
        season = begin(store, settings(), LINE_UP, datetime.now(UTC))
        for bot, text in NONCES.items():
            store.show("small", bot, text)
        finish(play_season(store, demand_value(store, season), queue, Notes()))
    store.refresh_ratings("small")
    file = folder / "small-0001.zip"
    with file.open("wb") as target:
        store.export("small", 1, target)
    store.close()
    return file


def checked(file: Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-I", "-S", PROGRAM, file], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


def problems(file: Path) -> str:
    return "\n".join(verify_file(file).differences)


def test_a_published_season_is_sound_by_the_arena_and_by_a_stranger(published: Path) -> None:
    assert problems(published) == ""
    assert checked(published)[0] == 0


def swapped(parts: Parts) -> None:
    """Another text of the same author, with the value that it gives."""
    parts.told("nonce")[0]["nonce"] = "eight red herrings"
    value(parts, {**NONCES, "sh12": "eight red herrings"})


def dropped(parts: Parts) -> None:
    parts.ledger.remove(parts.told("nonce")[0])
    value(parts, {"sh16": NONCES["sh16"]})


def dropped_as_unshown(parts: Parts) -> None:
    parts.told("nonce")[0] |= {"kind": "unshown", "bots": ["sh12"]}
    value(parts, {"sh16": NONCES["sh16"]})


def another_value(parts: Parts) -> None:
    parts.facts["public_value"] = parts.told("value")[0]["value"] = "0" * 64


def put_in(parts: Parts) -> None:
    parts.told("nonce")[0]["bot"] = "sh20"


def value(parts: Parts, shown: dict[str, str]) -> None:
    parts.facts["public_value"] = parts.told("value")[0]["value"] = value_of(shown)


@pytest.mark.parametrize(
    ("forge", "said", "by_a_stranger"),
    [
        (swapped, "the nonce of sh12 was swapped", "the nonce of sh12 was swapped"),
        (dropped, "a nonce was dropped", "a nonce was dropped"),
        (dropped_as_unshown, "could still have shown a nonce", "before the time for it was over"),
        (another_value, "but the nonces give", "not the one that the nonces give"),
        (put_in, "a nonce of sh20 was put in", "the nonce of sh20 was swapped"),
    ],
)
def test_a_forged_nonce_is_named(
    published: Path,
    tmp_path: Path,
    forge: Callable[[Parts], None],
    said: str,
    by_a_stranger: str,
) -> None:
    parts = taken_apart(published)
    forge(parts)
    parts.cover_up()
    file = put_together(parts, tmp_path / "forged.zip")
    assert said in problems(file)
    code, told = checked(file)
    assert code == 1
    assert by_a_stranger in told


def test_an_arena_that_waits_plays_on_when_the_last_nonce_is_shown(entered: Store) -> None:
    with pytest.raises(ValueAwaited):
        run_once(entered, settings(), Notes(), pool=stage.Here())
    kept = run(entered, [settings()], Notes(), wait=False)
    assert isinstance(kept["small"], ValueAwaited)
    for bot, text in NONCES.items():
        entered.show("small", bot, text)
    run_once(entered, settings(), Notes(), pool=stage.Here())
    assert entered.seasons("small")[0].finished

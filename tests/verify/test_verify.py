"""`verify` finds what was changed: each test changes one thing in the database by hand.

These are the changes that the records and the seed give away; test_forgeries.py has those that
contradict the manifest and the ledger.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from card_arena.common.json import canonical
from card_arena.results.store import Store
from card_arena.tests.needs import need
from card_arena.tests.results.made import checked_matches
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.stage import Notes
from card_arena.tests.verify.changes import KEY, change, edit_record
from card_arena.tournament.play.runner import run_once
from card_arena.verify.verify import Report, verify_file, verify_ratings, verify_season

OF_MATCH = f"match_id = (SELECT id FROM matches WHERE key = '{KEY}')"


Play = Callable[[Store, Path], None]


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Play], Path]:
    """Plays a season the first time that it is asked for, and gives its database."""
    need("bwrap")
    there: dict[Play, Path] = {}

    def database(play: Play) -> Path:
        if play not in there:
            there[play] = tmp_path_factory.mktemp("season") / "arena.db"
            store = Store(f"sqlite:///{there[play]}")
            play(store, there[play].parent / "bots")
            store.close()
        return there[play]

    return database


def copied(database: Path, folder: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{shutil.copy(database, folder)}")
    yield store
    store.close()


@pytest.fixture
def played(once: Callable[[Play], Path], tmp_path: Path) -> Iterator[Store]:
    """A finished season of three bots."""
    yield from copied(once(play_usual), tmp_path)


def play_usual(store: Store, bots: Path) -> None:
    for limit in (12, 16, 20):
        stage.submit(store, stage.shell(f"sh{limit}", limit).write(bots))
    run_once(store, stage.tournament(), Notes(), stage.SEED, pool=stage.Here())


def verified(store: Store) -> Report:
    (season,) = store.seasons("small")
    return verify_season(store, season)


def differences(store: Store) -> list[str]:
    """Return what is found besides what the manifest or an entry of the ledger contradicts."""
    published = re.compile("the manifest says|the ledger's entry")
    return [line for line in verified(store).differences if not published.search(line)]


def test_a_season_from_before_an_option_was_made_is_sound(played: Store) -> None:
    """Its settings and its records don't name it: it was played as the default has it."""
    (season,) = played.seasons("small")
    options = {name: value for name, value in season.settings.options.items() if name != "push"}
    settings = json.dumps({**season.settings.data(), "options": options})
    change(played, "UPDATE seasons SET settings = ?", settings)
    edit_record(played, lambda data: data["options"].pop("push"))
    assert differences(played) == []
    edit_record(played, lambda data: data["options"].update(push="return"))
    assert any("other options than the season's" in found for found in differences(played))


def test_nothing_is_found_where_nothing_was_changed(played: Store) -> None:
    report = verified(played)
    assert report.differences == []
    assert report.totals.matches == 4
    assert 4 <= report.totals.packs < report.totals.turns
    assert verify_ratings(played, "small") == []


def test_a_record_with_the_same_content_in_another_writing_is_found(played: Store) -> None:
    edit_record(played, lambda data: None, written=json.dumps)
    (rewritten,) = differences(played)
    assert rewritten == f"{KEY}: it is not written as the arena writes a match"
    edit_record(played, lambda data: None, written=lambda data: f"{canonical(data)}\n")
    (unreadable, *_) = differences(played)
    assert unreadable.startswith(f"{KEY}: a record is stored as ")


def test_a_pack_that_was_put_in_another_order_is_found(played: Store) -> None:
    def swap(data: dict[str, Any]) -> None:
        actions = data["turns"]["action"]
        top, second, *rest = actions[0].split(",")
        actions[0] = ",".join((second, top, *rest))

    edit_record(played, swap)
    luck, pack, *_ = differences(played)
    assert luck.startswith(f"{KEY}: the luck on its boards is stored as")
    assert pack.startswith(f"{KEY}, game 1, turn 0: the dealer played")
    assert "the seed gives" in pack


def test_an_action_that_was_changed_is_found(played: Store) -> None:
    def stand(data: dict[str, Any]) -> None:
        actions = data["turns"]["action"]
        actions[actions.index("H")] = "S"

    edit_record(played, stand)
    assert any(line.startswith(f"{KEY}, game 1: ") for line in differences(played))


def test_words_that_nobody_was_asked_are_found(played: Store) -> None:
    def ask_otherwise(data: dict[str, Any]) -> None:
        data["turns"]["question"][1] += "0"

    edit_record(played, ask_otherwise)
    (found,) = differences(played)
    assert found.startswith(f"{KEY}, game 1: turn 1 of the record keeps the question")
    assert "the rules ask" in found


def test_a_score_that_was_changed_is_found(played: Store) -> None:
    change(played, f"UPDATE seats SET score = score + 1 WHERE {OF_MATCH} AND seat = 0")
    (found,) = differences(played)
    assert "seat 0: score is stored as" in found


def test_points_that_were_changed_are_found(played: Store) -> None:
    change(played, "UPDATE entrants SET points = points + 1 WHERE version_id = 1")
    (found,) = differences(played)
    assert found.startswith("the points of version 1 are stored as")


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (
            "UPDATE entrants SET rank = 9 WHERE version_id = 1",
            r"the rank of version 1 is stored as 9, but is \d",
        ),
        (
            "UPDATE entrants SET tie_breaks = '[[\"wins\", 1]]' WHERE version_id = 1",
            r"the tie-breaks of version 1 are stored as \(\('wins', 1\),\), but are \(\)",
        ),
        (
            "UPDATE entrants SET legs = '[[1, 5]]' WHERE version_id = 1",
            r"the legs of version 1 are stored as \(\(1, 5\),\), but are \(\(1, \d+\),",
        ),
        (
            f"UPDATE held_seats SET margin = 1e6 WHERE {OF_MATCH} AND seat = 0",
            f"{KEY}, entrant 1 in seats 0: margin is stored as 1000000.0, but is",
        ),
        (
            f"DELETE FROM held_seats WHERE {OF_MATCH} AND seat = 1",
            f"{KEY}, entrant 2 in seats 1: the entry is stored as None, but is",
        ),
        (
            f"UPDATE matches SET labels = '[\"final\"]' WHERE key = '{KEY}'",
            f"{KEY}: it is labelled final, but is leg 1, round 1, table A",
        ),
        (
            f"UPDATE matches SET boards = '[[1, 2, 3]]' WHERE key = '{KEY}'",
            f"{KEY}: what its boards came to is stored as \\(\\(1, 2, 3\\),\\), but is",
        ),
    ],
)
def test_what_pages_show_of_a_season_is_compared_with_what_its_format_says(
    played: Store, statement: str, sentence: str
) -> None:
    change(played, statement)
    found = differences(played)
    assert re.match(sentence, found[0])
    assert all("in seats" in each for each in found[1:]), "the sums over held seats differ as well"


def test_a_rating_that_was_changed_is_found(played: Store) -> None:
    change(played, "UPDATE entrants SET mu = mu + 1 WHERE version_id = 1")
    assert differences(played) == []
    (found,) = verify_ratings(played, "small")
    assert "rating is stored as" in found


def test_another_seed_than_the_one_that_was_played_is_found(played: Store) -> None:
    change(played, "UPDATE seasons SET seed = ?", bytes(32))
    found = differences(played)
    assert any("the dealer played" in line for line in found)
    assert any("sat down, but the seed gives" in line for line in found)


def test_other_bots_at_a_table_are_found(played: Store) -> None:
    change(played, f"UPDATE seats SET version_id = 9 - version_id WHERE {OF_MATCH}")
    assert any("sat down, but the seed gives" in line for line in differences(played))


def test_a_match_that_was_taken_away_is_found(played: Store) -> None:
    for table in ("records", "seats"):
        of_it = "match_id = (SELECT id FROM matches WHERE key = ?)"
        change(played, f"DELETE FROM {table} WHERE {of_it}", KEY)
    change(played, "DELETE FROM matches WHERE key = ?", KEY)
    found = differences(played)
    assert f"{KEY}: the season is finished without this match" in found
    assert "small/0001/t01/r2/a: the season has no such match" in found


def test_another_leg_or_round_beside_a_match_is_found(played: Store) -> None:
    change(played, "UPDATE matches SET leg = 5, round = 3 WHERE key = ?", KEY)
    found = differences(played)
    assert [each for each in found if "in seats" not in each] == [
        f"{KEY}: stored as leg 5, round 3, but is leg 1, round 1",
        "leg 1: matches is stored as 2, but is 1",
        "leg 5: matches is stored as 0, but is 1",
    ]
    assert any("in seats 0 of 3, leg 5: matches is stored as 0, but is 1" in e for e in found)


def test_files_of_a_bot_that_were_changed_are_found(played: Store) -> None:
    change(played, "UPDATE versions SET archive = x'00' WHERE id = 1")
    (found,) = differences(played)
    assert found.startswith("version 1: its files can't be read: ")


def test_a_digest_that_was_changed_is_found(played: Store) -> None:
    change(played, "UPDATE versions SET digest = '00' WHERE id = 1")
    (found,) = differences(played)
    assert found.startswith("version 1: its digest is stored as 00, but is ")


SIDES = "small/0001/t01/r1/a"
TURNS = "(0, 1, 0, 1) and (1, 0, 1, 0)"
OF_SIDES = f"(SELECT id FROM matches WHERE key = '{SIDES}')"


@pytest.fixture
def partners(once: Callable[[Play], Path], tmp_path: Path) -> Iterator[Store]:
    """A finished season of two bots that are partners of themselves, two games a match."""
    yield from copied(once(play_partners), tmp_path)


def play_partners(store: Store, bots: Path) -> None:
    for which in ("first", "last"):
        bot = stage.legal(which, "spades", which)  # type: ignore[arg-type]
        stage.submit(store, bot.write(bots))
    settings = stage.tournament(game="spades", options="one_round", legs=1)
    run_once(store, settings, Notes(), stage.SEED, pool=stage.Here())
    assert differences(store) == []


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        (
            f"UPDATE records SET seating = '[1, 0, 1, 0]' WHERE match_id = {OF_SIDES}",
            f"{SIDES}: entrants sat in (1, 0, 1, 0) and (1, 0, 1, 0),"
            f" but the settings give {TURNS}",
        ),
        (
            f"UPDATE records SET seating = '[0, 1, 0, 1]' WHERE match_id = {OF_SIDES}",
            f"{SIDES}, game 2, turn 0: the dealer played",
        ),
        (
            f"UPDATE seats SET side = 0 WHERE match_id = {OF_SIDES}",
            f"{SIDES}: its entrants are stored on sides 0, 0, but the settings give 0, 1",
        ),
        (
            f"DELETE FROM records WHERE number = 1 AND match_id = {OF_SIDES}",
            f"{SIDES}: entrants sat in (0, 1, 0, 1), but the settings give {TURNS}",
        ),
        (
            "UPDATE seasons SET rated = false",
            "the season is stored as unrated, but its options make it rated",
        ),
        (
            "UPDATE seasons SET settings = json_set(settings, '$.facts.points_title', 'wins')",
            "the fact points_title does not follow from the settings: it is stored as wins",
        ),
        (
            "UPDATE seasons SET settings = json_set(settings, '$.duplicate', json('false'))",
            f"{SIDES}: entrants sat in {TURNS}, but the settings give (0, 1, 0, 1)",
        ),
        (
            "UPDATE seasons SET settings = json_set(settings, '$.boards', 9)",
            f"{SIDES}: entrants sat in {TURNS},"
            f" but the settings give {TURNS} and {TURNS} and so on",
        ),
        (
            "UPDATE entrants SET points = points + 1 WHERE version_id = 1",
            "the points of version 1 are stored as",
        ),
    ],
)
def test_a_change_of_sides_and_seats_is_found(
    partners: Store, statement: str, sentence: str
) -> None:
    change(partners, statement)
    assert any(sentence in line for line in differences(partners))


@pytest.fixture
def shoes(once: Callable[[Play], Path], tmp_path: Path) -> Iterator[Store]:
    """A finished season of three bots whose rounds go on with the shoe of the ones before."""
    yield from copied(once(play_shoes), tmp_path)


def play_shoes(store: Store, bots: Path) -> None:
    for limit in (12, 16, 20):
        stage.submit(store, stage.shell(f"sh{limit}", limit).write(bots))
    settings = stage.tournament(options={"shoe": "exhausted", "hands": 1}, legs=1, rounds=4)
    run_once(store, settings, Notes(), stage.SEED, pool=stage.Here())


def test_a_shoe_goes_on_from_round_to_round_and_is_verified(shoes: Store) -> None:
    (season,) = shoes.seasons("small")
    rounds = [match.records[0] for match in checked_matches(shoes, season.id)]
    assert len(rounds) == 4
    assert rounds[0].shoe == ()
    for before, after in pairwise(rounds):
        assert after.shoe == before.over.shoe
        assert after.shoe
    assert differences(shoes) == []


@pytest.fixture
def prefixes(once: Callable[[Play], Path], tmp_path: Path) -> Iterator[Store]:
    """A finished season of three bots, one of which asks for the common prefix."""
    yield from copied(once(play_prefixes), tmp_path)


def play_prefixes(store: Store, bots: Path) -> None:
    stage.submit(store, stage.prefixed("pre17", 17).write(bots))
    for limit in (12, 20):
        stage.submit(store, stage.shell(f"sh{limit}", limit).write(bots))
    run_once(store, stage.tournament(), Notes(), stage.SEED, pool=stage.Here())


def test_a_season_with_a_bot_that_asks_for_the_prefix_is_sound_in_the_store_and_in_a_file(
    prefixes: Store, tmp_path: Path
) -> None:
    (season,) = prefixes.seasons("small")
    for match in checked_matches(prefixes, season.id):
        entrant = match.versions.index(1)  # pre17 was submitted first
        assert match.records[0].prefixed == (match.seatings[0].index(entrant),)
    assert differences(prefixes) == []
    with (tmp_path / "season.zip").open("wb") as file:
        prefixes.export("small", 1, file)
    assert verify_file(tmp_path / "season.zip").differences == []


def test_a_prefix_that_nobody_was_asked_with_is_found(prefixes: Store) -> None:
    edit_record(prefixes, lambda data: data.pop("prefixed"))
    assert any("keeps the question" in found for found in differences(prefixes))


def test_a_shoe_that_was_swapped_is_found(shoes: Store) -> None:
    kept = json.dumps(["AS", "AH", "AD", "AC"])
    change(shoes, "UPDATE matches SET shoe = ? WHERE key = ?", kept, KEY)
    assert any("what is left in the shoe" in found for found in differences(shoes))


def test_a_shoe_that_a_round_never_began_with_is_found(shoes: Store) -> None:
    key = KEY.replace("/r1/", "/r2/")
    (season,) = shoes.seasons("small")
    record = next(match for match in checked_matches(shoes, season.id) if match.key == key).records[
        0
    ]
    assert record.shoe
    edit_record(shoes, lambda data: data["shoe"].reverse(), key)
    began = f"{key}: the shoe began with"
    assert any(found.startswith(began) for found in differences(shoes))


def test_a_purse_that_a_seat_never_brought_is_found(played: Store) -> None:
    def lend(data: dict[str, Any]) -> None:
        data["purses"] = [500] * data["seats"]

    edit_record(played, lend)
    sentence = f"{KEY}: the seats brought 500, 500, 500, but the rounds before left them nothing"
    assert sentence in differences(played)


def test_another_limit_of_strikes_than_the_one_that_was_played_is_found(
    store: Store, tmp_path: Path
) -> None:
    need("bwrap")
    bad = stage.Bot("bad", "argv", "shell", '[ "$1" = 21 ] && echo S || exit 3\n')
    for bot in (bad, stage.shell("sh12", 12)):
        stage.submit(store, bot.write(tmp_path / "bots"))
    run_once(store, stage.tournament(), Notes(), stage.SEED, pool=stage.Here())
    assert differences(store) == []
    change(store, "UPDATE seasons SET settings = json_set(settings, '$.strikes.limit', 999)")
    assert any("999 strikes give nothing" in found for found in differences(store))


def test_a_bot_that_was_renamed_is_found(played: Store) -> None:
    change(played, "UPDATE bots SET name = 'somebody' WHERE id = 1")
    assert any("its name is stored as somebody, but is " in line for line in differences(played))

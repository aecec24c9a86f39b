"""`examples/verify`, a program by somebody else: it agrees with seasons that were really played.

It runs as a stranger would run it: without the arena, and without any package.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from card_arena.results.entries import Entrant
from card_arena.results.store import Store
from card_arena.tests.needs import need
from card_arena.tests.results.fresh import fresh_store
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.foreign import PROGRAM
from card_arena.tests.tournament.stage import Notes
from card_arena.tests.verify.example import run
from card_arena.tests.verify.forgeries import (
    FORGERIES,
    Published,
    change_a_score,
    deal_another_pack,
    three_seasons,
)
from card_arena.tests.verify.forging import Forgery, Parts, put_together, taken_apart
from card_arena.tournament.play.schedules import begin
from card_arena.tournament.play.season import play_season
from card_arena.tournament.play.steps import finish
from card_arena.tournament.settings import settings_of

PATIENT: dict[str, Any] = {
    "clock": {"question": "20s", "start": "60s"},
    "limits": {"cpu": "20s"},
    "same_author": "together",
}


def contest(legs: int = 1, rounds: int = 1, **more: Any) -> dict[str, Any]:
    return {"format": {"contest": {"legs": legs, "rounds": rounds}}, **more}


def played_as(name: str, **said: Any) -> dict[str, Any]:
    """Settings of a format; `seats` and `options` are the table's."""
    table = {word: said.pop(word) for word in ("seats", "options") if word in said}
    return {"format": {name: said}, **table}


STAGES = [{"swiss": {"rounds": 1}, "best": 2}, {"knockout": {"until": "boards", "boards": 1}}]

SEASONS: dict[str, dict[str, Any]] = {
    "blackjack": contest(2, 2),
    "blackjack-of-2011": contest(2, 3, options="contest"),
    "blackjack-league": played_as("league", meetings=1, seats=2, options={"hands": 2}),
    "spades-knockout": played_as("knockout", until="boards", boards=1),
    "spades-partners": contest(partners="different", options="one_round", boards=2),
    "blot-gauntlet": played_as("gauntlet", against=["blot-random"], meetings=1, options="one_deal"),
    "tarot": contest(options={"deals": 2}),
    "durak-cut": played_as("cut", rounds=1, seats=2, options={"deck": 36}),
    "durak-stages": {"format": {"stages": STAGES}, "seats": 2},
    "durak-ladder": played_as("ladder", matches=4, error=1.0, by_lot=1.0, seats=3),
}
"""Settings by a name that begins with the game's; house bots play them."""

BOTS = {
    "blackjack": ["lim15", "lim17", "lim19", "linearbet", "random"],
    "spades": ["io", "random", "ms-wrp", "io-srp"],
    "blot": ["v1", "v2", "random"],
    "tarot": ["points", "random", "mcts-30ms"],
    "durak": ["lowest", "value", "random", "value-intended"],
}


def published_by(folder: Path, name: str) -> Published:
    """Play a season with house bots, and export it."""
    game = name.partition("-")[0]
    settings = settings_of({"name": "small", "game": game, **PATIENT, **SEASONS[name]})
    store = fresh_store(folder / "arena.db")
    try:
        with stage.Here() as pool, pool.queue("small", 1, 2) as queue:
            players = []
            for bot in BOTS[game]:
                version = stage.submit(store, PROGRAM.parents[1] / "bots" / game / bot, bot)
                players.append(Entrant(version.id))
            season = begin(store, settings, players, datetime.now(UTC))
            finish(play_season(store, season, queue, Notes()))
        store.refresh_ratings("small")
        with (folder / "small-0001.zip").open("wb") as target:
            head = store.export("small", 1, target).head
    finally:
        store.close()
    return Published(folder / "arena.db", folder / "small-0001.zip", head)


def take_a_point(parts: Parts) -> None:
    parts.standings["standings"][0]["points"] += 1


def play_another_card(parts: Parts) -> None:
    turns = parts.matches[0]["records"][0]["turns"]
    seats = [turn for turn, seat in enumerate(turns["seat"]) if seat >= 0]
    turns["action"][seats[0]], turns["action"][seats[-1]] = "25Dc", "25Dc"


def change_places(parts: Parts) -> None:
    parts.matches[0]["entrants"] = parts.matches[0]["entrants"][::-1]


def change_a_rank(parts: Parts) -> None:
    parts.standings["standings"][0]["rank"] += 1


FORGED: list[tuple[Forgery, str]] = [
    (deal_another_pack, "WRONG: .*another deal: pack"),
    (change_a_score, "WRONG: .*scores were changed"),
    (play_another_card, "WRONG: .*game 1: "),
    (change_places, "WRONG: small/0001/.*: .* sat there, not"),
    (take_a_point, "WRONG: place 1 of the standings was changed: points"),
    (change_a_rank, "WRONG: place 1 of the standings was changed: rank 2, the matches give 1"),
]


@pytest.mark.parametrize("name", SEASONS)
def test_a_season_of_house_bots_is_sound_and_what_is_forged_in_it_is_named(
    tmp_path: Path, name: str
) -> None:
    """A forger who writes every hash anew, so that only the cards and the rules tell."""
    need("bwrap")
    season = published_by(tmp_path, name)
    code, said = run(season.file, "--head", season.head)
    assert code == 0, said
    (chosen,) = SEASONS[name]["format"]
    assert f"standings: by the format {chosen}\n" in said
    notes = re.findall("not checked: (.*)", said)
    assert notes in ([], ["the pictures beside the standings"])
    for forge, sentence in FORGED:
        parts = taken_apart(season.file)
        forge(parts)
        parts.cover_up()
        code, said = run(put_together(parts, tmp_path / "forged.zip"))
        assert code == 1
        assert re.search(sentence, said), said


def test_a_season_that_is_still_played_is_checked_as_far_as_it_goes(
    published: Published, tmp_path: Path
) -> None:
    store = Store(f"sqlite:///{published.database}")
    with (tmp_path / "running.zip").open("wb") as target:
        store.export("small", 2, target)
    store.close()
    code, said = run(tmp_path / "running.zip")
    assert code == 0, said
    assert "not checked: the seed is still secret: packs and seats aren't checked" in said


def test_files_of_one_tournament_have_one_ledger(published: Published, tmp_path: Path) -> None:
    store = Store(f"sqlite:///{published.database}")
    first = tmp_path / "small-0001.zip"
    with first.open("wb") as target:
        store.export("small", 1, target)
    store.close()
    code, said = run(published.file, str(first), "--head", published.head)
    assert (code, said.count("standings: by the format contest")) == (0, 2), said
    parts = taken_apart(first)
    parts.ledger[0]["time"] = "2020-01-01T00:00:00Z"
    parts.cover_up()
    code, said = run(published.file, str(put_together(parts, first)))
    assert code == 1
    assert "WRONG: the ledger was rewritten: season 1's file has another" in said


def test_a_league_goes_by_earlier_seasons_and_asks_for_their_files(tmp_path: Path) -> None:
    need("bwrap")
    table = played_as("league", meetings=1, seats=2, options={"hands": 1})
    settings = settings_of({"name": "sunday", "game": "blackjack", **PATIENT, **table})
    store = fresh_store(tmp_path / "arena.db")
    line_up, files = [], [tmp_path / f"sunday-{number:04}.zip" for number in (1, 2)]
    with stage.Here() as pool, pool.queue("sunday", 1, 2) as queue:
        for number, limits in enumerate([(12, 16), (19,)], start=1):
            for limit in limits:
                bot = stage.shell(f"sh{limit}", limit).write(tmp_path / "bots")
                line_up.append(Entrant(stage.submit(store, bot).id))
            season = begin(store, settings, line_up, datetime.now(UTC))
            finish(play_season(store, season, queue, Notes()))
            with files[number - 1].open("wb") as target:
                store.export("sunday", number, target)
    store.close()
    code, said = run(files[1])
    assert code == 0, said
    assert "they go by earlier seasons, whose files are needed too: 1\n" in said
    code, said = run(files[1], str(files[0]))
    assert (code, said.count("standings: by the format league")) == (0, 2), said
    parts = taken_apart(files[0])
    change_a_score(parts)
    parts.cover_up()
    code, said = run(files[1], str(put_together(parts, files[0])))
    assert (code, "WRONG: the ledger was rewritten: season 1's file has" in said) == (1, True), said


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04 and more"])
def test_what_is_no_seasons_file_is_refused_in_a_sentence(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "odd.zip").write_bytes(data)
    code, said = run(tmp_path / "odd.zip")
    assert (code, said.count("\n")) == (1, 1)
    assert "can't be followed as a season's file" in said


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Published:
    """The third season of a tournament, whose second was aborted."""
    need("bwrap")
    return three_seasons(tmp_path_factory.mktemp("three"))


MATCH = r"small/0003/t01/r\d/a"
SENTENCES: dict[str, tuple[str, str]] = {
    "deal_another_pack": (f"{MATCH}, game 1: another deal", f"{MATCH}, game 1: another deal"),
    "sit_in_another_order": (f"{MATCH}: entrants sat in another order",) * 2,
    "change_a_score": (f"{MATCH}, game 1: scores were changed",) * 2,
    "drop_a_match": (f"{MATCH}: the match was dropped", "is finished without this match"),
    "play_fewer_rounds": (f"{MATCH}: the match was dropped", "no pack is the one"),
    "swap_a_bundle": ("the manifest was changed after .* bundle", "no pack is the one"),
    "change_a_setting": ("the manifest was changed after .* setting", "no pack is the one"),
    "change_a_fact": ("the manifest was changed after .* setting", "the fact carries does not"),
    "send_the_winner_off": (r"version \d played, but is said to sit out",) * 2,
    "leave_the_aborted_season_out": ("out of turn: season 2 comes next",) * 2,
    "change_the_public_value": ("the public value is not the one",) * 2,
    "crown_another_bot": ("its standings, were changed", "place 1 of the standings was changed"),
    "tell_the_winner_twice": ("its standings, were changed", "the standings have 4 places, not 3"),
    "turn_the_standings_around": (
        "its standings, were changed",
        "place 1 of the standings was changed",
    ),
    "hide_the_seed": ("is finished, but its seed is not there",) * 2,
}


def test_every_forgery_has_a_sentence() -> None:
    assert [*SENTENCES] == [forge.__name__ for forge, _, _ in FORGERIES]


@pytest.mark.parametrize("covered", [False, True], ids=["as it is", "with all hashes anew"])
@pytest.mark.parametrize("forge", [forge for forge, _, _ in FORGERIES])
def test_a_forged_file_is_refused_with_a_sentence_that_names_it(
    published: Published, tmp_path: Path, forge: Forgery, covered: bool
) -> None:
    parts = taken_apart(published.file)
    forge(parts)
    if covered:
        parts.cover_up()
    code, said = run(put_together(parts, tmp_path / "forged.zip"))
    assert code == 1
    assert re.search(f"WRONG: .*{SENTENCES[forge.__name__][covered]}", said), said


def test_a_rewritten_ledger_is_refused_against_a_saved_head(
    published: Published, tmp_path: Path
) -> None:
    parts = taken_apart(published.file)
    parts.ledger[-1]["time"] = "2020-01-01T00:00:00Z"
    parts.cover_up()
    forged = put_together(parts, tmp_path / "forged.zip")
    assert run(published.file, "--head", published.head)[0] == 0
    assert run(forged)[0] == 0  # nothing in the file itself tells
    code, said = run(forged, "--head", published.head)
    assert (code, "WRONG: the ledger was rewritten" in said) == (1, True)

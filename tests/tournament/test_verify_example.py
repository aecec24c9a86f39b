"""`examples/verify.py`, a program by somebody else: it agrees with seasons that were really played.

It runs as a stranger would run it: without the arena, and without any package.
"""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from leaderboard.storage.store import Entrant, Store
from tests.needs import need
from tests.tournament import stage
from tests.tournament.forging import Forgery, put_together, taken_apart
from tests.tournament.stage import Notes
from tests.tournament.test_forgeries import FORGERIES, Published, three_seasons
from tournament.play.season import play_season
from tournament.play.steps import finish
from tournament.play.worker_pool import WorkerPool
from tournament.proof.beginning import begin

PROGRAM = Path(__file__).parents[2] / "examples" / "verify.py"
PATIENT = {"clock": {"question": "20s", "start": "60s"}, "limits": {"cpu": "20s"}, "workers": 2}

SEASONS: dict[str, dict[str, Any]] = {
    "blackjack": {"legs": 2, "rounds": 2},
    "blackjack-contest": {"game": "blackjack", "legs": 2, "rounds": 3, "options": "contest"},
    "blackjack-duplicate": {"game": "blackjack", "rounds": 2, "legs": 1, "duplicate": True},
    "spades": {},
    "blot": {"options": {"target": 101}},
    "tarot": {"options": {"deals": 3}},
    "durak": {"options": {"deck": 36}, "seats": 3},
}


BOTS = {
    "blackjack": ["lim15", "lim17", "lim19", "linearbet", "random"],
    "spades": ["io", "random", "ms-wrp"],
    "blot": ["v1", "v2", "random"],
    "tarot": ["points", "random", "mcts-30ms"],
    "durak": ["lowest", "value", "random", "champion"],
}


def published_by(folder: Path, name: str) -> Published:
    """Play a season with house bots, and export it."""
    game = name.partition("-")[0]
    settings = stage.tournament(**{"game": game, "legs": 1, "rounds": 1, **SEASONS[name]})
    store = Store(f"sqlite:///{folder}/arena.db")
    try:
        with WorkerPool(2) as pool, pool.lane("small", 1, 2) as lane:
            players = []
            for bot in BOTS[game]:
                version = stage.submit(store, PROGRAM.parents[1] / "bots" / game / bot, bot)
                players.append(Entrant(version.id))
            season = begin(store, settings, players, datetime.now(UTC))
            finish(play_season(store, season, lane, Notes()))
        store.refresh_ratings("small")
        with (folder / "small-0001.zip").open("wb") as target:
            head = store.export("small", 1, target).head
    finally:
        store.close()
    return Published(folder / "arena.db", folder / "small-0001.zip", head)


@pytest.fixture(scope="module", params=SEASONS)
def season(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Published:
    need("bwrap", "bubblewrap")
    return published_by(tmp_path_factory.mktemp(request.param), request.param)


def run(path: Path, *more: str) -> tuple[int, str]:
    """What the program says, without site packages and away from the arena."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", PROGRAM, path, *more],
        capture_output=True, text=True, cwd=path.parent, timeout=100, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def test_a_season_as_it_was_published_is_sound(season: Published) -> None:
    code, said = run(season.file, season.head)
    assert code == 0, said
    assert "not checked" not in said


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Published:
    """The third season of a tournament, whose second was aborted."""
    need("bwrap", "bubblewrap")
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
    "send_the_winner_off": (r"version \d played, but is said to sit out",) * 2,
    "leave_the_aborted_season_out": ("season 2 was left out",) * 2,
    "change_the_public_value": ("the public value is not the one",) * 2,
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
    assert run(published.file, published.head)[0] == 0
    assert run(forged)[0] == 0  # nothing in the file itself tells
    code, said = run(forged, published.head)
    assert (code, "WRONG: the ledger was rewritten" in said) == (1, True)

"""What formats draw, on a season's page and in a terminal."""

from __future__ import annotations

from collections.abc import Callable

from flask.testing import FlaskClient

from card_arena.commands.standings_table import panel_lines
from card_arena.leaderboard.standings import standings
from card_arena.results.store import Store
from card_arena.tests.leaderboard.web.house import begin, submitted
from card_arena.tests.leaderboard.web.page_texts import text


def test_a_cut_shows_every_stage_and_who_was_spared(client: FlaskClient) -> None:
    said = " ".join(text(client, "/t/cup").split())
    assert "Stage 1 of 3: 7 bots for 5 places, 6 stayed" in said
    assert "Stage 2 of 3: 6 bots for 2 places, still being played" in said
    assert "−0.5 −2.0 to +1.0" in said
    assert "stays, too close" in said
    assert said.index("Stage 2 of 3") < said.index("Stage 1 of 3"), "the newest comes first"


def test_a_ladder_shows_what_new_versions_need_and_what_comes_next(client: FlaskClient) -> None:
    said = " ".join(text(client, "/t/ladder").split())
    assert "is about 10 % of the standard deviation of one board" in said
    assert "0 boards, about 100 more" in said
    assert "61 boards, about 40 more" in said
    assert "davey v1 81 %" in said
    assert "28 of new versions, 22 drawn at random among all and 50 among bots that may be" in said


def test_a_terminal_says_in_words_what_a_page_draws(store: Store) -> None:
    cup = panel_lines(standings(store, "cup"))
    assert cup[0].startswith("stage 1 of 3: 7 bots; 5 places; too close to be cut: lim19 v1; out:")
    assert cup[1] == "stage 2 of 3: 6 bots; 2 places; still being played"
    ladder = panel_lines(standings(store, "ladder"))
    assert ladder[1] == "lim19 v1 needs about 40 more boards"
    assert ladder[2] == "chance to be the best: davey v1 81 %, lim17 v1 18 %"


def test_a_picture_that_a_newer_arena_drew_is_left_out(
    new_store: Store, open_site: Callable[[str], FlaskClient]
) -> None:
    season = begin(new_store, "later", [submitted(new_store, "davey")])
    new_store.save_standings(season.id, (), [{"kind": "hologram"}])
    client = open_site(new_store.database.url.render_as_string())
    assert "Standings" in text(client, "/t/later")
    assert panel_lines(standings(new_store, "later")) == []

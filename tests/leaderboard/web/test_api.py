"""The API for programs: what the pages show, as JSON."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from card_arena.leaderboard.matches import matches
from card_arena.leaderboard.question_file import read_question
from card_arena.leaderboard.rules import LanguageShape
from card_arena.leaderboard.standings import standings
from card_arena.leaderboard.web import caches
from card_arena.leaderboard.web.app import create_app
from card_arena.results.store import Store
from card_arena.tables.registry import GAMES


@pytest.fixture
def get(client: FlaskClient) -> Callable[..., Any]:
    def asked(path: str, status: int = 200) -> Any:
        answer = client.get(f"/api/v1/{path}")
        assert answer.status_code == status, answer.text
        assert answer.mimetype == "application/json"
        return answer.json

    return asked


def key_of(store: Store, tournament: str = "friday") -> str:
    return matches(store, tournament, 1).items[0].key


def test_standings_are_those_of_the_page(get, store: Store):
    found = get("tournaments/two-halls/standings")
    table = standings(store, "two-halls")
    assert [(line["bot"], line["rank"], line["points"]) for line in found["standings"]] == [
        (line.bot, line.rank, line.points) for line in table.standings
    ]
    assert found["season"]["matches"] == table.season.matches


def test_a_place_has_its_interval_and_its_rating(get):
    line = get("tournaments/friday/seasons/1/standings")["standings"][0]
    assert line["interval"]["low"] < line["points"] < line["interval"]["high"]
    assert line["best"] <= line["rank"] <= line["worst"]
    assert 0 < line["chance"] <= 1
    assert line["rating"]["low"] < line["rating"]["mu"] < line["rating"]["high"]


def test_the_seed_of_a_season_that_is_played_is_nobodys(get):
    assert get("tournaments/friday/seasons/2")["seed"] is None
    assert get("tournaments/friday/seasons/1")["seed"]


def test_a_tournament_says_what_comes_next(get):
    found = get("tournaments/sunday")
    assert found["newest"] is None
    assert found["coming"]["season"] == 1
    assert {each["bot"] for each in found["entered"]} >= {"davey", "lim17"}
    assert "sunday" in [each["tournament"] for each in get("coming")["items"]]


def test_a_match_has_every_question_and_answer_but_no_standard_error(get, store: Store):
    key = key_of(store)
    match = get(f"matches/{key}")
    game = get(f"matches/{key}/games/1")
    asked = [turn for turn in game["played"] if turn["question"]]
    assert len(game["played"]) == match["games"][0]["turns"]
    assert asked
    assert all(turn["answer"] for turn in asked if not turn["fault"])
    assert all(turn["seat"] is None for turn in game["played"] if not turn["question"])
    whole = json.dumps([match, game, get(f"matches/{key}/file")])
    assert "stderr" not in whole
    assert "thinking ..." not in whole


def test_a_question_is_the_file_that_repro_reads(get, client: FlaskClient, store: Store):
    key = key_of(store)
    turns = get(f"matches/{key}/games/1")["played"]
    asked = next(turn for turn in turns if turn["question"])
    answer = client.get(f"/api/v1/matches/{key}/games/1/questions/{asked['number']}")
    assert read_question(answer.data, "it").question == asked["question"]
    dealt = next(turn for turn in turns if not turn["question"])
    refused = get(f"matches/{key}/games/1/questions/{dealt['number']}", 404)
    assert "No bot was asked" in refused["error"]


def test_a_seasons_file_is_that_of_the_page(client: FlaskClient):
    with (
        client.get("/api/v1/tournaments/two-halls/seasons/1/file") as by_api,
        client.get("/t/two-halls/1/season.zip") as by_page,
    ):
        assert by_api.data == by_page.data
        assert "ledger.jsonl" in zipfile.ZipFile(io.BytesIO(by_api.data)).namelist()


def test_bots_have_versions_results_and_faults(get):
    bots = get("bots?game=blackjack&author=grace")["items"]
    assert [bot["bot"] for bot in bots] == ["lim17"]
    bot = get("bots/silent")
    assert bot["versions"][0] == get("bots/silent/versions/1")
    assert bot["fault_counts"]["timeout"] > 0
    faults = get("bots/silent/faults")["items"]
    assert faults[0]["detail"] == "no answer within 1 s"
    assert {result["rank"] for result in get("bots/silent/results")["items"]} <= {1, 2, 3, 4}


def test_who_margins_whom_is_told_pair_by_pair(get):
    found = get("tournaments/tarot/versus")
    pairs = [frozenset((met["one"]["bot"], met["other"]["bot"])) for met in found["met"]]
    assert len(pairs) == len({*pairs}) > 0
    assert {name for pair in pairs for name in pair} <= {each["bot"] for each in found["rivals"]}


def test_the_order_over_all_games_says_what_it_counts(get):
    found = get("all-games")
    assert [each["tournament"] for each in found["counted"]] == ["friday"]
    assert all(rival["games"] == ["blackjack"] for rival in found["rivals"])


def test_the_languages_are_those_that_the_site_was_told(store: Store, url: str):
    told = LanguageShape(name="c", title="C", suffixes=(".c",), package="gcc")
    app = create_app(url, languages=[told])
    found = app.test_client().get("/api/v1/languages").json
    app.extensions["arena"].store.close()
    assert found == {"items": [{"name": "c", "title": "C", "suffixes": [".c"], "package": "gcc"}]}
    assert [game["name"] for game in _games(app)] == list(GAMES)


def _games(app: Flask) -> list[dict[str, Any]]:
    answer = app.test_client().get("/api/v1/games").json
    assert answer is not None
    return list(answer["items"])


def pages(client: FlaskClient, path: str) -> Iterator[dict[str, Any]]:
    """Every page of a list, by the header that leads to the next."""
    while path:
        answer = client.get(path)
        assert answer.json is not None
        yield answer.json
        led = re.search(r'<([^>]+)>; rel="next"', answer.headers["Link"])
        path = led[1] if led else ""


def test_the_header_link_margins_through_all_pages(client: FlaskClient):
    found = list(pages(client, "/api/v1/tournaments/friday/seasons/1/matches?size=5&leg=3"))
    keys = [match["key"] for page in found for match in page["items"]]
    assert len(keys) == len(set(keys)) == found[0]["total"]
    assert keys == sorted(keys)
    assert [page["page"] for page in found] == list(range(1, found[0]["pages"] + 1))


def test_the_page_after_the_last_is_not_there(get):
    assert get("bots?page=2", 404) == {"error": "There is no page 2: this list has 1 page."}


@pytest.mark.parametrize(
    ("path", "status", "sentence"),
    [
        ("bots?page=0", 400, "The parameter 'page' is '0': input should be greater than"),
        ("bots?pgae=1", 400, "There is no parameter 'pgae'."),
        ("bots?page=1&page=2", 400, "The parameter 'page' is"),
        ("bots/nobody", 404, "No bot is called 'nobody'."),
        ("bots/davey/versions/9", 404, "The bot davey has 2 versions; there is no version 9."),
        ("tournaments/friday/seasons/9", 404, "Nothing is stored of season 9"),
        ("matches/friday/0001/t01/r1/a/games/7", 404, "Match friday/0001/t01/r1/a has 1 game"),
        ("matches/none", 404, "No match 'none' is stored."),
        ("what", 404, "Address not found"),
        ("tournaments/friday/seasons/one", 404, "Address not found"),
        (f"tournaments/friday/seasons/{10**30}/matches", 404, "Address not found"),
    ],
)
def test_a_mistake_is_told_in_one_sentence(get, path: str, status: int, sentence: str):
    failure = get(path, status)
    assert list(failure) == ["error"]
    assert failure["error"].startswith(sentence)


def test_a_wrong_method_is_told_which_are_right(client: FlaskClient):
    answer = client.post("/api/v1/bots")
    assert answer.status_code == 405
    assert "GET" in answer.headers["Allow"]
    assert answer.json == {
        "error": "Method not allowed: the header Allow has the methods of this address."
    }


def test_what_never_changes_may_be_kept_for_ever(client: FlaskClient, store: Store):
    for path in (f"matches/{key_of(store)}/file", "bots/davey/versions/1"):
        answer = client.get(f"/api/v1/{path}")
        assert answer.cache_control.immutable
        assert answer.cache_control.max_age == 365 * 24 * 3600
        again = client.get(f"/api/v1/{path}", headers={"If-None-Match": answer.headers["ETag"]})
        assert again.status_code == 304


def test_everything_else_is_asked_for_again(client: FlaskClient):
    answer = client.get("/api/v1/tournaments/friday/standings")
    assert answer.cache_control.no_cache
    again = client.get(
        "/api/v1/tournaments/friday/standings", headers={"If-None-Match": answer.headers["ETag"]}
    )
    assert again.status_code == 304


def test_an_answer_that_is_kept_for_a_moment_still_margins_to_the_next_page(
    url: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(caches, "LONGEST", 1e9)
    app = create_app(url, patience=1e6)
    client = app.test_client()
    path = "/api/v1/tournaments/friday/seasons/1/matches?size=5"
    first, again = client.get(path), client.get(path)
    app.extensions["arena"].store.close()
    assert first.headers["Link"] == again.headers["Link"]
    assert first.headers["ETag"] == again.headers["ETag"]
    assert first.json == again.json


def test_the_description_is_whole_whenever_it_is_asked_for(client: FlaskClient):
    first, second = (client.get("/api/v1/openapi.json").json for _ in range(2))
    assert first == second
    assert first is not None
    named = set(re.findall(r"#/components/schemas/(\w+)", json.dumps(first)))
    assert named <= {*first["components"]["schemas"]}
    assert "Entrant" in named


def test_every_address_is_described(client: FlaskClient):
    described = client.get("/api/v1/openapi.json").json
    assert described is not None
    rules = {
        re.sub(r"<(?:[^<>]+:)?(\w+)>", r"{\1}", rule.rule)
        for rule in client.application.url_map.iter_rules()
        if rule.rule.startswith("/api/")
    }
    assert rules - {"/api/v1/openapi.json"} == set(described["paths"])
    for operations in described["paths"].values():
        for operation in operations.values():
            assert operation["summary"]
            assert {"200", "304", "400", "429"} <= {*operation["responses"], "200"}

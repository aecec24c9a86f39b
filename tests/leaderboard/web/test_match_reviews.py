"""The review of a match, on its page and in the API."""

from __future__ import annotations

import re

from card_arena.leaderboard.web.archive.site import Source, write_site
from card_arena.tables.registry import game
from card_arena.tests.coach.records import store_review
from card_arena.tests.leaderboard.web.archive_files import whole
from card_arena.tests.leaderboard.web.house import play_duplicate, submitted

KEY = "spades/0001/t01/r1/a"
REVIEW = f"/api/v1/matches/{KEY}/review"


def furnished(store):
    versions = [submitted(store, name) for name in ("davey", "lim17", "lim15", "lim19")]
    play_duplicate(store, "spades", game("spades"), versions)


def section(client, query=""):
    return client.get(f"/match/{KEY}{query}").text.partition('id="review"')[2]


def test_a_match_without_a_review_says_how_to_ask_for_one(new_store, open_site):
    furnished(new_store)
    client = open_site(new_store.database.url.render_as_string())
    assert "Nobody has asked for a review" in section(client)
    answer = client.get(REVIEW)
    assert answer.status_code == 404
    assert "has no review" in answer.json["error"]
    assert client.get("/api/v1/matches/ghost/0001/t01/r1/a/review").status_code == 404


def test_a_review_lists_the_dearest_decisions_and_what_became_of_each_bot(new_store, open_site):
    furnished(new_store)
    store_review(new_store, KEY)
    client = open_site(new_store.database.url.render_as_string())
    data, html = client.get(REVIEW).json, section(client)
    flagged = [mark for mark in data["marks"] if mark["flagged"]]
    assert (data["reviewer"], data["waiting"]) == ("reviewer", 0)
    first, _, rest = html.partition("<details")
    assert first.count('class="marks"') == 1
    assert first.count("<li>") == 10
    assert f"{len(flagged) - 10} more" in rest
    assert "data-hx-get" not in html
    assert "Others lost" in rest
    places = re.findall(rf'href="(/match/{KEY}\?[^"]*as=[^"]*)#play"', html)
    assert all(client.get(place.replace("&amp;", "&")).status_code == 200 for place in places[:3])
    question = re.search(r'href="(/repro/[^"]*)"', html)[1].replace("&amp;", "&")
    assert client.get(question).status_code == 200


def test_an_archive_keeps_the_reviews_of_matches(new_store, open_site, tmp_path):
    furnished(new_store)
    store_review(new_store, KEY)
    address = new_store.database.url.render_as_string()
    on_site = section(open_site(address))
    write_site(Source(address), tmp_path, lambda *_: None)
    archived = whole(tmp_path, tmp_path / f"match/{KEY}.html").partition('id="review"')[2]
    marks = re.findall(r"is better by <b>[0-9.]+ points</b>", on_site)
    assert len(marks) > 10
    assert re.findall(r"is better by <b>[0-9.]+ points</b>", archived) == marks
    assert "Others lost" in archived


def test_the_player_shows_the_better_answer_at_a_flagged_decision(new_store, open_site):
    furnished(new_store)
    store_review(new_store, KEY)
    client = open_site(new_store.database.url.render_as_string())
    mark = next(mark for mark in client.get(REVIEW).json["marks"] if mark["game"] == 2)
    shown = client.get(f"/match/{KEY}?game=2&turn={mark['turn']}").text
    assert "better was" in shown
    assert "better was" not in client.get(f"/match/{KEY}?game=2&turn=0").text


def test_a_review_that_is_under_way_says_what_waits_and_updates_itself(new_store, open_site):
    furnished(new_store)
    store_review(new_store, KEY, waiting=7)
    html = section(open_site(new_store.database.url.render_as_string()))
    assert "7 decisions are still to be evaluated" in html
    assert "data-hx-get" in html


def test_a_review_that_failed_says_why(new_store, open_site):
    furnished(new_store)
    new_store.ask_for_review(KEY, "ada")
    new_store.finish_review(KEY, "<b>there is no reviewer</b>")
    html = section(open_site(new_store.database.url.render_as_string()))
    assert "could not be reviewed: &lt;b&gt;there is no reviewer" in html


def test_the_reviews_of_a_bot_sum_up_what_its_decisions_lost(new_store, open_site):
    furnished(new_store)
    store_review(new_store, KEY)
    client = open_site(new_store.database.url.render_as_string())
    html = client.get("/bot/davey/reviews").text
    lost = re.findall(r'data-label="In [a-z ]*" class="num">([^<]*)', html)
    assert len(lost) == 4
    assert {value.strip() for value in lost} == {"5"}
    assert html.partition('class="marks"')[2].count("<li>spades, season 1") == 10
    submitted(new_store, "davey", "2")
    assert "spades, season 1" in client.get("/bot/davey/reviews").text
    submitted(new_store, "silent")
    assert "No match of silent was reviewed" in client.get("/bot/silent/reviews").text
    assert client.get("/bot/ghost/reviews").status_code == 404

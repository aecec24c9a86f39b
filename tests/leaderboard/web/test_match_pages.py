"""The page of a match."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest

from leaderboard.matches import match as read_match
from leaderboard.question_file import read_question
from leaderboard.web import filters
from leaderboard.web.replays import totals
from ratings.match_results import Played
from results.store import Store
from tables.record import Record
from tables.registry import game
from tests.leaderboard.web.house import begin, play_duplicate, submitted, table
from tests.leaderboard.web.test_pages import MATCH, text
from tests.results.made import labels, save_match


def test_a_match_page_marks_the_fault_at_the_turn_where_it_happened(client, store: Store):
    (record,) = store.records("friday/0001/t01/r1/a")
    html = client.get(MATCH).text
    for number, _, fault in record.faults:
        step = html.partition(f'id="turn-{number}"')[2].partition("</li>")[0]
        assert f'<span class="tag fault">{fault.kind}</span>' in step
        turn = record.turns[number]
        assert turn.question in step
        assert f"turn {number}, {filters.took(turn.wall)}" in step
        assert f"arena repro friday/0001/t01/r1/a 1 {number} ./my_bot" in step
        assert "Traceback" not in step
        assert "thinking ..." not in step
    assert html.count("step faulty") == len(record.faults)


def test_a_fault_offers_its_question_as_a_file_without_what_its_author_alone_may_know(
    client, store: Store
):
    (record,) = store.records("friday/0001/t01/r1/a")
    number = record.faults[0][0]
    step = client.get(MATCH).text.partition(f'id="turn-{number}"')[2].partition("</li>")[0]
    link = re.search(r'href="(/repro/[^"]+)" download', step)
    assert link
    assert f"arena repro friday-0001-t01-r1-a-1-{number}.json ./my_bot" in step
    answer = client.get(unescape(link[1]))
    assert answer.headers["Content-Disposition"].endswith(f'r1-a-1-{number}.json"')
    question = read_question(answer.data, "q")
    assert question.question == record.turns[number].question
    assert question.then.fault is not None
    assert question.stderr == ""
    assert "Traceback" not in answer.text


@pytest.mark.parametrize(
    "query", ["", "?game=1", "?game=1&turn=0", "?game=9&turn=1", "?turn=-1", "?game=1&turn=99999"]
)
def test_there_is_no_file_of_a_question_that_nobody_was_asked(client, query):
    answer = client.get(f"/repro/friday/0001/t01/r1/a{query}")
    assert answer.status_code == 404
    assert "No bot was asked in turn" in answer.text


def test_a_match_page_shows_every_turn_and_every_card_of_the_record(client, store: Store):
    (record,) = store.records("friday/0001/t01/r1/a")
    html = client.get(MATCH).text
    assert [int(n) for n in re.findall(r'id="turn-(\d+)"', html)] == list(range(len(record.turns)))
    first = html.partition('id="turn-0"')[2].partition("</li>")[0]
    # Four seats in order, the dealer, and the same again; the dealer's second card lies face down.
    pack = record.turns[0].action.split(",")
    dealt = [pack[at] for at in (4, 9, 0, 5, 1, 6, 2, 7, 3, 8)]
    ranks = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "10"}
    suits = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
    names = [f"{ranks.get(rank, rank)} of {suits[suit]}" for rank, suit in dealt]
    names[1] += ", face down"
    shown = re.findall(r'role="img" aria-label="([^"]+)"', first)
    assert [name for row in shown for name in row.split("; ")] == names


def test_the_result_of_a_match_is_the_records_own(client, store: Store):
    (record,) = store.records("friday/0001/t01/r1/a")
    page = text(client, MATCH)
    for name, purse in zip(("davey", "lim17", "chatty"), record.over.purses, strict=False):
        assert re.search(rf"{name} v1 seat \d .{{0,60}} {purse} ", page)
    assert re.search(r"silent v1 seat \d .{0,60} 0 ", page), "a bot that was struck out lost it all"
    assert "struck out" in page


def stored(store: Store, *records: Record) -> str:
    """Keep one match of two bots and give its page's address."""
    bots = [submitted(store, "davey"), submitted(store, "lim17")]
    season = begin(store, "friday", bots)
    key = "friday/0001/t01/r1/a"
    ids, seatings = (bots[0].id, bots[1].id), ((0, 1),) * len(records)
    save_match(
        store,
        season.id,
        Played(key, 1, 1, labels(key, legs=1), ids, (0, 1), seatings, records, 0.1),
    )
    return f"/match/{key}"


def test_a_match_with_a_bot_that_was_struck_out_says_what_counts(new_store, open_site):
    bots = [submitted(new_store, name) for name in ("davey", "lim17")]
    play_duplicate(new_store, "quiet", game("spades"), bots, mute=0)
    client = open_site(new_store.database.url.render_as_string())
    match = read_match(new_store, "quiet/0001/t01/r1/a")
    margin = filters.difference(totals(match)[0][1])
    page = text(client, "/match/quiet/0001/t01/r1/a")
    assert "davey was struck out and finished last" in page
    margin = " ".join(margin.split())  # `text` makes every blank a plain one
    assert f"The margins are therefore {margin} for davey" in page
    assert f"counted {margin}" in page
    tables = text(client, "/t/quiet").partition(" Matches ")[2]
    assert re.search(r"davey \S+ struck out", tables)


def two_handed(label: str) -> Record:
    return table(label, ("davey", "lim17"))


def test_a_record_of_other_rules_is_our_trouble_and_the_result_still_stands(new_store, open_site):
    path = stored(new_store, replace(two_handed("one"), version=99))
    page = text(open_site(new_store.database.url.render_as_string()), path)
    assert "played by version 99 of the rules" in page
    assert "not a bot." in page
    assert "lim17 v1" in page


def test_the_games_of_a_match_are_pages_of_their_own(new_store, open_site):
    records = two_handed("one"), two_handed("two")
    path = stored(new_store, *records)
    client = open_site(new_store.database.url.render_as_string())
    second = client.get(f"{path}?game=2").text
    assert len(re.findall(r'id="turn-\d+"', second)) == len(records[1].turns)
    assert f'<a href="{path}?game=2#play" aria-current="true">Game 2</a>' in second
    assert client.get(f"{path}?game=3").status_code == 404


def test_the_games_on_the_same_cards_stand_side_by_side(client, store: Store):
    match = read_match(store, "spades/0001/t01/r1/a")
    page = text(client, "/match/spades/0001/t01/r1/a?game=2")
    ours, theirs = match.records[0].over.scores[:2]
    won, lost = filters.number(ours), filters.number(theirs)
    assert f"Board 1, rotation 1 {won} seats 0 and 2 {lost} seats 1 and 3" in page
    less = match.entrants[0].score - match.entrants[1].score
    assert f"Margin {filters.signed(less)} {filters.signed(-less)}" in page
    assert less
    assert "Board 1, rotation 2, step by step" in page
    assert "lim17 (seat 0)" in page


def test_a_match_that_carries_nothing_is_named_by_its_round(client):
    assert "Round 1, table A" in text(client, "/match/spades/0001/t01/r1/a")
    assert "Leg" not in text(client, "/match/spades/0001/t01/r1/a")
    assert "Leg 1, round 1, table A" in text(client, MATCH)


def test_who_played_with_whom_is_said(client):
    assert re.search(r"davey v2 with chatty · c ·", text(client, "/match/mixed/0001/t01/r1/a"))
    season = text(client, "/t/mixed")
    assert re.search("(davey and chatty|chatty and davey)", season)
    assert "with chatty v1" in text(client, "/bot/davey")


@pytest.mark.parametrize("name", ["blot", "tarot", "durak"])
def test_whose_turn_it_is_can_always_be_seen(client, store: Store, name):
    record, *_ = store.records(f"{name}/0001/t01/r1/a")
    html = client.get(f"/match/{name}/0001/t01/r1/a").text
    for number, following in enumerate(record.turns[1:60]):
        step = html.partition(f'id="turn-{number}"')[2].partition("</li>")[0]
        waiting = [
            f"p{seat}"
            for seat in re.findall(r'class="seat p(\d)(?:(?!class="seat).)*to act', step, re.S)
        ]
        assert waiting == ([] if following.seat < 0 else [f"p{following.seat}"])


def test_hands_are_open_and_the_page_says_why(client):
    page = text(client, "/match/tarot/0001/t01/r1/a")
    assert "All hands are shown, since the game is over. Hatched cards were face down." in page


@pytest.mark.parametrize("name", ["spades", "blot", "tarot", "durak"])
def test_the_film_of_a_game_stays_light(client, name):
    page = client.get(f"/match/{name}/0001/t01/r1/a")
    assert len(page.data) < 1_000_000

"""The page of a match."""

from __future__ import annotations

import gzip
import re
from dataclasses import replace
from html import unescape
from typing import Any

import pytest

from card_arena.leaderboard.matches import match as read_match
from card_arena.leaderboard.question_file import read_question
from card_arena.leaderboard.web import filters
from card_arena.leaderboard.web.replays import totals
from card_arena.ratings.match_results import Played
from card_arena.results.store import Store
from card_arena.tables.record import Record
from card_arena.tables.registry import game
from card_arena.tests.leaderboard.web.house import begin, play_duplicate, submitted, table
from card_arena.tests.leaderboard.web.page_texts import MATCH, text
from card_arena.tests.results.made import labels, save_match


def fault_of(client, number: int) -> str:
    """The details of the fault in a turn of `MATCH`."""
    return client.get(MATCH).text.partition(f'id="fault-{number}"')[2].partition("</li>")[0]


def steps(client, key: str, part: int, query: str = "") -> list[dict[str, Any]]:
    """The drawn steps of one part of a game, as the script of a table gets them."""
    return client.get(f"/frames/{key}?part={part}{query}").json["steps"]


def test_a_match_page_tells_all_about_a_fault(client, store: Store):
    (record,) = store.records("friday/0001/t01/r1/a")
    html = client.get(MATCH).text
    for number, _, fault in record.faults:
        details, turn = fault_of(client, number), record.turns[number]
        assert f", {fault.kind}</summary>" in details
        assert turn.question in details
        assert filters.took(turn.wall) in details
        assert f"arena repro friday/0001/t01/r1/a 1 {number} ./my_bot" in details
        assert "Traceback" not in details
        assert "thinking ..." not in details
        assert f'{MATCH}?turn={number}#play"' in details
        at_table = client.get(f"{MATCH}?turn={number}").text
        assert f'<span class="tag fault">{fault.kind}</span>' in at_table
    assert html.count('<details id="fault-') == len(record.faults)


def test_a_fault_offers_its_question_as_a_file_without_what_its_author_alone_may_know(
    client, store: Store
):
    (record,) = store.records("friday/0001/t01/r1/a")
    number = record.faults[0][0]
    details = fault_of(client, number)
    link = re.search(r'href="(/repro/[^"]+)" download', details)
    assert link
    assert f"arena repro friday-0001-t01-r1-a-1-{number}.json ./my_bot" in details
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


def test_the_table_shows_every_card_of_the_record(client, store: Store):
    (record,) = store.records("friday/0001/t01/r1/a")
    table = client.get(f"{MATCH}?turn=0").text.partition('id="frame"')[2].partition('"controls"')[0]
    # Four seats in order, the dealer, and the same again; the dealer's second card lies face down.
    pack = record.turns[0].action.split(",")
    dealt = [pack[at] for at in (4, 9, 0, 5, 1, 6, 2, 7, 3, 8)]
    ranks = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "10"}
    suits = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
    names = [f"{ranks.get(rank, rank)} of {suits[suit]}" for rank, suit in dealt]
    names[1] += ", face down"
    shown = re.findall(r'class="cards" role="img" aria-label="([^"]+)"', table)
    assert [name for row in shown for name in row.split("; ")] == names


def test_every_position_is_a_page_and_leads_to_its_neighbours(client, store: Store):
    (record,) = store.records("friday/0001/t01/r1/a")
    last = len(record.turns) - 1
    html = client.get(f"{MATCH}?turn=3").text
    assert f'data-go="back" href="{MATCH}?turn=2"' in html
    assert f'data-go="on" href="{MATCH}?turn=4"' in html
    assert 'data-go="on" aria-disabled' in client.get(f"{MATCH}?turn={last}").text
    assert 'data-go="back" aria-disabled' in client.get(f"{MATCH}?turn=0").text
    for turn in (last + 1, -1):
        answer = client.get(f"{MATCH}?turn={turn}")
        assert answer.status_code == 404
        assert f"This game has turns 0 to {last}." in answer.text


def test_a_script_gets_the_same_tables_as_the_pages_show(client):
    for part in (0, 1):
        answer = client.get(f"/frames/friday/0001/t01/r1/a?part={part}").json
        for turn, step in enumerate(answer["steps"], start=answer["first"]):
            assert step["html"] in client.get(f"{MATCH}?turn={turn}").text


def test_a_finished_trick_is_held(client):
    held = [step["hold"] for step in steps(client, "spades/0001/t01/r1/a", 0)]
    # the bids are complete, then each of thirteen tricks
    assert [at for at, hold in enumerate(held) if hold] == [4, *range(8, 57, 4)]


def test_a_seats_view_hides_the_hands_of_others(client):
    (own, *_) = steps(client, "spades/0001/t01/r1/a", 0, "&as=2")[10:]
    assert own["html"].count('class="back"') > 30
    assert own["html"].count("hidden cards") == 3
    front = re.search(r'seat p2.*?aria-label="([^"]*)"', own["html"], re.DOTALL)
    assert front
    assert "hidden card" not in front[1]
    assert client.get("/match/spades/0001/t01/r1/a?as=4").status_code == 404
    everything = steps(client, "spades/0001/t01/r1/a", 0)[10]["html"]
    assert "hidden card" not in everything


def test_the_steps_of_a_table_are_compressed_where_the_reader_takes_that(client):
    address = "/frames/spades/0001/t01/r1/a"
    plain = client.get(address)
    packed = client.get(address, headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < len(plain.data) / 8
    etag = packed.headers["ETag"]
    again = client.get(address, headers={"Accept-Encoding": "gzip", "If-None-Match": etag})
    assert again.status_code == 304
    assert client.get(f"{address}?part=99").status_code == 404


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
    assert f'max="{len(records[1].turns) - 1}"' in second
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
    assert "Round 1, table A, board 1, rotation 2" in page
    assert "lim17 seat 0" in page


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
    shown = steps(client, f"{name}/0001/t01/r1/a", 0)
    for step, following in zip(shown, record.turns[1:60], strict=False):
        waiting = re.findall(r'class="seat (p\d) turn"', step["html"])
        assert waiting == ([] if following.seat < 0 else [f"p{following.seat}"])


def test_hands_are_open_and_the_page_says_why(client):
    page = text(client, "/match/tarot/0001/t01/r1/a")
    assert "All hands are shown, since the game is over. Hatched cards were face down." in page


@pytest.mark.parametrize("name", ["spades", "blot", "tarot", "durak"])
def test_a_match_page_stays_light(client, name):
    page = client.get(f"/match/{name}/0001/t01/r1/a")
    assert len(page.data) < 100_000


def test_two_tables_of_a_board_are_in_step_and_part_where_the_bots_differ(client):
    key = "spades/0001/t01/r1/a"
    html = client.get(f"/match/{key}?beside=2").text
    assert html.count('class="board"') == 2
    shown = steps(client, key, 0, "&beside=2")
    parted = [step["html"] for step in shown if "parted" in step["html"]]
    assert parted
    assert "points parted here" in "".join(parted)
    answer = client.get(f"/match/{key}?game=1&beside=1")
    assert answer.status_code == 404
    assert "Only two games of one board can be shown side by side." in answer.text

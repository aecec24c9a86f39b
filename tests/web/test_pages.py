"""Every page as the server writes it."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, event

from leaderboard import views
from leaderboard.question_file import read_question
from leaderboard.results import Played
from leaderboard.storage.store import Entrant, Store, StoreError, Submission
from leaderboard.web import number_formats
from leaderboard.web.assets import SHEETS, STATIC
from leaderboard.web.duplicates import totals
from tables.record import Record
from tables.registry import game
from tests.web.house import begin, play_duplicate, play_tables, points, submitted, table

MATCH = "/match/friday/0001/t01/r1/a"
PAGES = (
    "/",
    "/t/friday",
    "/t/friday/1",
    "/t/friday/1?by=rating&tourney=2",
    "/t/two-halls",
    "/t/sunday",
    "/t/friday/next",
    "/bots",
    "/bot/davey",
    "/bot/chatty",
    "/bot/homeless",
    "/how",
    MATCH,
    "/t/mixed",
    "/match/mixed/0001/t01/r1/a",
    "/match/tarot/0001/t01/r1/a?game=2",
)
MISSING = ("/nothing", "/t/nothing", "/t/friday/9", "/bot/davy", "/match/friday/0009/t01/r1/a")


def text(client: FlaskClient, path: str) -> str:
    """What a page says, without its markup."""
    answer = client.get(path)
    assert answer.status_code == 200, path
    return " ".join(unescape(re.sub("<[^>]*>", " ", answer.text)).split())


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_one_heading_a_title_and_a_way_past_the_header(client, path):
    page = client.get(path)
    assert page.status_code == 200
    assert page.text.count("<h1") == 1
    assert re.search(r"<title>[^<]+ · Card Arena</title>", page.text)
    assert '<a class="skip" href="#main">' in page.text


@pytest.mark.parametrize("path", PAGES)
def test_a_link_to_a_page_has_a_title_and_a_description_of_its_own(client, path):
    page = client.get(path).text
    described = re.findall(
        r'<meta (?:name|property)="(?:og:)?description" content="([^"]*)">', page
    )
    assert len(described) == 2
    assert described[0] == described[1]
    assert 40 < len(unescape(described[0])) < 300
    title = re.search(r'<meta property="og:title" content="([^"]+)">', page)[1]
    assert f"<title>{title} · Card Arena</title>" in page


@pytest.mark.parametrize("path", MISSING)
def test_what_is_not_there_gets_a_page_of_the_house(client, path):
    page = client.get(path)
    assert page.status_code == 404
    assert '<header class="site">' in page.text


def test_an_unknown_bot_suggests_names_that_are_near(client):
    page = client.get("/bot/davy")
    assert page.status_code == 404
    assert 'Did you mean <a href="/bot/davey">davey</a>?' in page.text


@pytest.mark.parametrize("path", [*PAGES, *MISSING])
def test_nothing_but_our_own_files_may_be_loaded_and_nothing_is_inline(client, path):
    page = client.get(path)
    policy = page.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'self';")
    assert "unsafe" not in policy
    assert not re.search(
        r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]* src=)", strip_quoted(page.text)
    )
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", page.text)


def strip_quoted(html: str) -> str:
    """Drop what is escaped: it is text and not markup."""
    return re.sub(r"&lt;.*?(&gt;|…)", "", html)


@pytest.mark.parametrize("path", ["/bot/chatty", MATCH, "/t/friday/1", "/bots"])
def test_the_words_of_strangers_are_shown_and_not_obeyed(client, path):
    html = client.get(path).text
    assert "<b>eve" not in html
    assert "<script>alert" not in html
    assert "<img src=x" not in html
    for sign in "\x1b\u202e\u200b":
        assert sign not in html
    assert '&lt;b&gt;eve&lt;/b&gt; <span class="odd">\\u202e</span>lave' in html


def test_a_fault_is_shown_with_question_answer_reason_and_the_bots_own_output(client):
    page = text(client, "/bot/chatty")
    assert "malformed" in page
    assert "is not an answer: expected H, S, D or B and a number" in page
    assert re.search(r"Question \d+ [2-9TJQKA]+ \S+ 10 \d+", page)
    assert "Traceback: all wrong" not in page
    assert re.search(r"Took 0\.8 ms, computing 0\.5 ms, with 2\.0 MiB of memory", page)
    assert re.search(r"arena repro friday/0002/t02/r2/a 1 \d+ \./my_bot", page)
    assert "arena stderr friday/0002/t02/r2/a chatty --game 1" in page
    assert "What goes wrong on our side is never listed here" in page
    assert text(client, "/bot/lim17").count("None: it has answered every question") == 1


def test_a_bots_page_tells_the_organisers_tags_from_its_authors(client, store: Store):
    store.untag("davey", ["house"])
    assert "The organiser’s tags" not in text(client, "/bot/davey")
    store.tag("davey", ["student"])
    page = text(client, "/bot/davey")
    store.untag("davey", ["student"])
    store.tag("davey", ["house"])
    assert "The organiser’s tags student tournaments choose by them" in page
    assert "Its author’s tags house" in page


def test_a_match_page_marks_the_fault_at_the_turn_where_it_happened(client, store: Store):
    (record,) = store.records("friday/0001/t01/r1/a")
    html = client.get(MATCH).text
    for number, _, fault in record.faults:
        step = html.partition(f'id="turn-{number}"')[2].partition("</li>")[0]
        assert f'<span class="tag fault">{fault.kind}</span>' in step
        turn = record.turns[number]
        assert turn.question in step
        assert f"turn {number}, {number_formats.took(turn.wall)}" in step
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
    assert "Nobody was asked in turn" in answer.text


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
    for name, purse in zip(("davey", "lim17", "chatty", "silent"), record.over.purses, strict=True):
        assert re.search(rf"{name} v1 seat \d .{{0,60}} {purse} ", page)
    assert "struck out" in page


def stored(store: Store, *records: Record) -> str:
    """Keep one match of two bots and give its page's address."""
    bots = [submitted(store, "davey"), submitted(store, "lim17")]
    season = begin(store, "friday", bots)
    key = "friday/0001/t01/r1/a"
    ids, seatings = (bots[0].id, bots[1].id), ((0, 1),) * len(records)
    store.save_match(season.id, Played(key, 1, 1, ids, (0, 1), seatings, records, 0.1))
    return f"/match/{key}"


def test_a_match_with_a_bot_that_was_struck_out_says_what_counts(new_store, open_site):
    bots = [submitted(new_store, name) for name in ("davey", "lim17")]
    play_duplicate(new_store, "quiet", game("spades"), bots, mute=0)
    client = open_site(new_store.database.url.render_as_string())
    match = views.match(new_store, "quiet/0001/t01/r1/a")
    lead = number_formats.difference(totals(match)[0][1])
    page = text(client, "/match/quiet/0001/t01/r1/a")
    assert "davey was struck out and so finished last" in page
    assert f"the lead is {lead} for davey" in page
    assert f"counted {lead}" in page
    tables = text(client, "/t/quiet").partition(" Tables ")[2]
    assert re.search(r"davey \S+ struck out", tables)


def two_handed(label: str) -> Record:
    return table(label, ("davey", "lim17"))


def test_a_record_of_other_rules_is_our_trouble_and_the_result_still_stands(new_store, open_site):
    path = stored(new_store, replace(two_handed("one"), version=99))
    page = text(open_site(new_store.database.url.render_as_string()), path)
    assert "played by version 99 of the rules" in page
    assert "no bot's fault" in page
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
    match = views.match(store, "spades/0001/t01/r1/a")
    page = text(client, "/match/spades/0001/t01/r1/a?game=2")
    ours, theirs = match.records[0].over.scores[:2]
    won, lost = number_formats.number(ours), number_formats.number(theirs)
    assert f"Board 1, turn 1 {won} seats 0 and 2 {lost} seats 1 and 3" in page
    less = match.seats[0].score - match.seats[1].score
    assert f"Difference {number_formats.signed(less)} {number_formats.signed(-less)}" in page
    assert less
    assert "Board 1, turn 2, step by step" in page
    assert "lim17 (seat 0)" in page


def test_a_match_that_carries_nothing_is_named_by_its_round(client):
    assert "Round 1, table A" in text(client, "/match/spades/0001/t01/r1/a")
    assert "Tourney" not in text(client, "/match/spades/0001/t01/r1/a")
    assert "Tourney 1, round 1, table A" in text(client, MATCH)


def test_who_played_with_whom_is_said(client):
    assert re.search(r"davey v2 with chatty · c ·", text(client, "/match/mixed/0001/t01/r1/a"))
    season = text(client, "/t/mixed")
    assert re.search("(davey and chatty|chatty and davey)", season)
    assert "with chatty v1" in text(client, "/bot/davey")


@pytest.mark.parametrize(
    "path", ["/", "/t/mixed", "/match/mixed/0001/t01/r1/a", "/bot/davey", "/bot/silent"]
)
def test_an_unrated_season_is_called_so_wherever_it_is_shown(client, path):
    assert "unrated: open hands" in text(client, path)


def test_a_rated_season_is_not_called_unrated(client):
    assert "unrated" not in text(client, "/t/spades")
    assert "Rating" in text(client, "/t/spades")
    assert "mu ± 3 sigma" not in text(client, "/t/mixed")


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
    assert (
        "All hands are shown, and cards that lay face down are hatched: the game is over." in page
    )


@pytest.mark.parametrize("name", ["spades", "blot", "tarot", "durak"])
def test_the_film_of_a_game_stays_light(client, name):
    page = client.get(f"/match/{name}/0001/t01/r1/a")
    assert len(page.data) < 1_000_000


def test_the_standings_can_be_sorted_by_every_column_without_a_script(client):
    html = client.get("/t/friday/1").text
    for key in re.findall(r'\?by=(\w+)#standings"', html):
        page = client.get(f"/t/friday/1?by={key}").text
        assert page.count("aria-sort=") == 1
        assert re.search(rf'aria-sort="\w+"><a href="[^"]*by={key}#', page)
    by_rating = client.get("/t/friday/1?by=rating").text
    ratings = [
        float(r.replace("−", "-")) for r in re.findall(r"<strong>([−\d.]+)</strong><", by_rating)
    ]
    assert len(ratings) == 7
    assert ratings == sorted(ratings, reverse=True)


def test_a_seed_is_secret_until_its_season_is_over(client):
    running, finished = text(client, "/t/friday/2"), text(client, "/t/friday/1")
    seed = bytes(range(32)).hex()
    commitment = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert seed not in running
    assert "secret until the season is over" in running
    assert seed in finished
    assert commitment in running
    assert commitment in finished


def test_ratings_of_bots_that_never_met_are_said_to_be_incomparable(client):
    apart, together = text(client, "/t/two-halls"), text(client, "/t/friday/1")
    assert "Not all ratings can be compared" in apart
    assert re.search(r"group 1 (davey v1, lim17 v1|lim17 v1, davey v1)", apart)
    assert "Not all ratings can be compared" not in together


def test_who_sits_out_is_listed_with_the_reason(client):
    page = text(client, "/t/friday/1")
    assert "homeless v1 : its language, Common Lisp, is not installed here" in page


def test_only_a_running_season_asks_for_itself_again(client):
    assert 'data-hx-trigger="every 10s"' in client.get("/t/friday/2").text
    assert "data-hx-get" not in client.get("/t/friday/1").text


def test_a_page_that_did_not_change_is_not_sent_again(client):
    first = client.get("/t/friday/1")
    again = client.get("/t/friday/1", headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304
    assert not again.data


def test_static_files_keep_for_ever_under_an_address_that_knows_their_contents(client):
    sheet = re.search(r'href="(/static/style\.css\?v=\w+)"', client.get("/").text)
    with client.get(sheet[1]) as answer:
        assert answer.status_code == 200
        assert answer.cache_control.immutable
        assert answer.cache_control.max_age > 30_000_000
        assert not answer.cache_control.no_cache
        etag = answer.headers["ETag"]
    with client.get(sheet[1], headers={"If-None-Match": etag}) as answer:
        assert answer.status_code == 304


def test_the_style_sheet_is_one_file_made_of_every_part_there_is(client):
    page = client.get("/").text
    assert page.count('rel="stylesheet"') == 1
    with client.get(re.search(r'href="(/static/style\.css\?v=\w+)"', page)[1]) as answer:
        assert answer.mimetype == "text/css"
        sheet = answer.text
    parts = sorted(path.stem for path in (STATIC / "css").iterdir())
    assert parts == sorted(SHEETS)
    for part in parts:
        assert (STATIC / "css" / f"{part}.css").read_text() in sheet


@pytest.mark.parametrize(
    "asked", ["?v=", "?v=0", "?v=zz", "?v={other}", "?v={v}&v=0", "?w={v}", ""]
)
def test_under_any_other_address_a_static_file_is_asked_for_again(asked, client):
    page = client.get("/").text
    sheet, v = re.search(r'href="(/static/style\.css)\?v=(\w+)"', page).groups()
    other = re.search(r"/static/icon\.svg\?v=(\w+)", page)[1]
    with client.get(sheet + asked.format(v=v, other=other)) as answer:
        assert answer.status_code == 200
        assert answer.cache_control.no_cache
        assert not answer.cache_control.immutable
        assert answer.cache_control.max_age is None


@pytest.mark.parametrize("long", ["x" * 184_000, "\x1b[2J\u202e<b>& " * 15_000, "a\x1b" * 92_000])
def test_a_page_stays_one_however_long_is_what_somebody_wrote(long, new_store, open_site):
    absent = submitted(new_store, "davey")
    for number in range(150):
        digest = f"{number:064}"
        version, _ = new_store.submit(
            Submission(
                name="davey",
                games=("blackjack",),
                protocol=long,
                language=long,
                about=long,
                tags=(long,),
                digest=digest,
                archive=b"",
            ),
            "ada",
        )
        new_store.note_build(version.id, False, f"it lacks {long}", f"first {long} last")
    there = submitted(new_store, "lim17")
    begin(new_store, "friday", [there], [Entrant(absent.id, f"it lacks {long}")])
    client = open_site(new_store.database.url.render_as_string())
    for path in ("/", "/bots", "/bot/davey", "/t/friday", f"/bot/{long[:9000]}"):
        page = client.get(path)
        assert page.status_code in (200, 404)
        assert len(page.data) < 1_500_000, path
    page = client.get("/bot/davey").text
    assert "it lacks" in page
    assert re.search(r"\(\d{3}\u202f\d{3} characters in all\)", page)
    assert page.count("characters left out") == 5
    assert " last</pre>" in page
    assert "The newest 100 of 151." in page


def test_an_empty_store_has_pages_too(new_store, open_site):
    client = open_site(new_store.database.url.render_as_string())
    assert "Nothing has been played yet" in text(client, "/")
    assert "Nobody has submitted a bot yet" in text(client, "/bots")


def test_a_failure_of_ours_says_so_and_tells_no_details(client, monkeypatch):
    def broken(*_: object) -> None:
        raise RuntimeError("the secret path")

    monkeypatch.setattr("leaderboard.views.bots", broken)
    page = client.get("/bots")
    assert page.status_code == 500
    assert "Something broke on our side" in page.text
    assert "secret path" not in page.text


def test_a_store_out_of_reach_is_our_trouble_and_for_now(client, monkeypatch):
    def locked(*_: object) -> None:
        raise StoreError("/secret/path is locked")

    monkeypatch.setattr("leaderboard.views.bots", locked)
    page = client.get("/bots")
    assert page.status_code == 503
    assert "try again in a moment" in page.text
    assert "secret" not in page.text


@pytest.mark.parametrize("path", ["/", "/t/friday/1", "/bots", "/bot/davey", MATCH])
def test_a_page_asks_the_store_no_more_often_the_more_it_shows(new_store, open_site, path):
    url = new_store.database.url.render_as_string()
    bots = [submitted(new_store, name) for name in ("davey", "lim17", "chatty", "silent")]
    season = begin(new_store, "friday", bots)
    played = play_tables(new_store, season, range(1, 2), [bots])
    new_store.save_points(season.id, points(played))
    few = queries(open_site(url), path)
    played += play_tables(new_store, season, range(2, 6), [bots])
    new_store.save_points(season.id, points(played))
    for number in range(5):
        submitted(new_store, f"spare{number}")
    assert queries(open_site(url), path) == few <= 12


def queries(client: FlaskClient, path: str) -> int:
    """How often a page asks the database."""
    asked: list[str] = []

    @event.listens_for(Engine, "before_cursor_execute")
    def note(connection, cursor, statement, *_: object) -> None:
        asked.append(statement)

    try:
        assert client.get(path).status_code == 200
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    return sum(statement.startswith("SELECT") for statement in asked)

"""Every page as the server writes it."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask.testing import FlaskClient
from sqlalchemy import Engine, event

from card_arena.leaderboard.versus import over_all_games, versus
from card_arena.results.entries import Entrant, Submission
from card_arena.results.errors import StoreError
from card_arena.results.store import Store
from card_arena.tests.leaderboard.web.house import begin, placed, play_tables, submitted
from card_arena.tests.leaderboard.web.page_texts import MATCH, PAGES, text

MISSING = ("/nothing", "/t/nothing", "/t/friday/9", "/bot/davy", "/match/friday/0009/t01/r1/a")


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
        r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]* src=| type=.application/json.)",
        strip_quoted(page.text),
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
    assert re.search(r"Time 0\.8 ms, of which 0\.5 ms computing; 2\.0 MiB of memory", page)
    assert re.search(r"arena repro friday/0002/t02/r2/a 1 \d+ \./my_bot", page)
    assert "arena show stderr friday/0002/t02/r2/a chatty --game 1" in page
    assert "A failure of the arena makes a match void" in page
    assert text(client, "/bot/lim17").count("None. The bot answered every question") == 1


def test_a_bots_page_tells_the_organisers_tags_from_its_authors(client, store: Store):
    store.untag("davey", ["house"])
    assert "Organiser’s tags" not in text(client, "/bot/davey")
    store.tag("davey", ["student"])
    page = text(client, "/bot/davey")
    store.untag("davey", ["student"])
    store.tag("davey", ["house"])
    assert "Organiser’s tags student used by tournaments to choose entrants" in page
    assert "Author’s tags house" in page


@pytest.mark.parametrize(
    "path", ["/tournaments", "/t/mixed", "/match/mixed/0001/t01/r1/a", "/bot/davey", "/bot/silent"]
)
def test_an_unrated_season_is_called_so_wherever_it_is_shown(client, path):
    assert "unrated" in text(client, path)


def test_a_rated_season_is_not_called_unrated(client):
    assert ">unrated</span>" in client.get("/t/mixed").text
    assert ">unrated</span>" not in client.get("/t/spades").text
    assert "Rating" in text(client, "/t/spades")
    assert "TrueSkill" not in text(client, "/t/mixed")


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


def test_standings_by_margins_say_what_the_cards_gave_and_what_that_means(client):
    page = text(client, "/t/durak/1")
    assert re.search(r"less luck -?[\d.,−]+", page)
    assert "without the estimated luck of the cards" in page
    for address in ("/t/friday/1", "/t/spades/1"):  # chips; and turns that make up for all luck
        assert "less luck" not in text(client, address)


def test_a_seed_is_secret_until_its_season_is_over(client):
    running, finished = text(client, "/t/friday/2"), text(client, "/t/friday/1")
    seed = bytes(range(32)).hex()
    commitment = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert seed not in running
    assert "secret until the season ends" in running
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


def test_a_link_margins_to_a_leg_of_a_season(client):
    page = text(client, "/t/friday/1?leg=2")
    assert "Leg 2, round 1" in page
    assert "Leg 6, round 1" not in page


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
    assert "Only the newest 100 of 151 versions are shown." in page


def test_an_empty_store_has_pages_too(new_store, open_site):
    client = open_site(new_store.database.url.render_as_string())
    assert "Nothing has been played yet" in text(client, "/")
    assert "No bot has been submitted yet" in text(client, "/bots")


def test_a_failure_of_ours_says_so_and_tells_no_details(client, monkeypatch):
    def broken(*_: object) -> None:
        raise RuntimeError("the secret path")

    monkeypatch.setattr("card_arena.leaderboard.bots.bots", broken)
    page = client.get("/bots")
    assert page.status_code == 500
    assert "Server error" in page.text
    assert "secret path" not in page.text


def test_a_store_out_of_reach_is_our_trouble_and_for_now(client, monkeypatch):
    def locked(*_: object) -> None:
        raise StoreError("/secret/path is locked")

    monkeypatch.setattr("card_arena.leaderboard.bots.bots", locked)
    page = client.get("/bots")
    assert page.status_code == 503
    assert "Try again in a moment" in page.text
    assert "secret" not in page.text


@pytest.mark.parametrize("path", ["/", "/t/friday/1", "/bots", "/bot/davey", MATCH])
def test_a_page_asks_the_store_no_more_often_the_more_it_shows(new_store, open_site, path):
    url = new_store.database.url.render_as_string()
    bots = [submitted(new_store, name) for name in ("davey", "lim17", "chatty", "silent")]
    season = begin(new_store, "friday", bots)
    played = play_tables(new_store, season, range(1, 2), [bots])
    new_store.save_standings(season.id, placed(played))
    few = queries(open_site(url), path)
    played += play_tables(new_store, season, range(2, 6), [bots])
    new_store.save_standings(season.id, placed(played))
    for number in range(5):
        submitted(new_store, f"spare{number}")
    assert queries(open_site(url), path) == few <= 22


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


def test_a_tournament_has_a_page_of_who_beats_whom_over_all_its_seasons(client, store):
    found = versus(store, "spades")
    page = text(client, "/t/spades/versus")
    assert found.by_margins
    assert "Season 1." in page
    for rival in found.rivals:
        assert f"{rival.bot} v{rival.version} by" in page
        assert rival.provisional  # one board says nothing
    assert "provisional" in page
    assert "Head-to-head margins" in page
    assert "There is no cycle of three bots" in page
    assert "/t/spades/versus" in client.get("/t/spades").text


def test_where_chips_are_carried_strengths_come_from_ranks(client, store):
    found = versus(store, "friday")
    assert not found.by_margins
    assert found.seasons == (1, 2)
    assert found.panel is None
    page = text(client, "/t/friday/versus")
    assert "Seasons 1, 2." in page
    assert "logarithm of a bot’s worth" in page
    assert [line.strength for line in found.rivals] == sorted(
        (line.strength for line in found.rivals), reverse=True
    )


def test_a_tournament_that_was_never_played_has_no_versus(client):
    assert client.get("/t/sunday/versus").status_code == 404


def test_all_games_are_one_order_and_the_page_says_what_counts(client, store):
    board = over_all_games(store)
    games = [each.game for each in board.counted]
    assert games == sorted({*games})
    assert "friday" in {each.tournament for each in board.counted}  # the most matches
    assert "mixed" not in {each.tournament for each in board.counted}  # open hands
    page = text(client, "/all-games")
    for each in board.counted:
        assert f"{each.tournament} for " in page
    for rival in board.rivals[:15]:
        assert f"{rival.bot} v{rival.version}" in page
    assert 'href="/all-games"' in client.get("/tournaments").text


def test_a_bots_page_says_how_it_does_seat_by_seat(client, store: Store):
    page = text(client, "/bot/davey")
    seats = page.partition("Results by seat")[2]
    columns = "95 % interval"
    assert re.search(rf"friday, v2 Seat Games Score a game {columns} 1 of 4 4 \S+ too few", seats)
    assert re.search(rf"spades, v2 Seat Games Margin a game {columns} 1 and 3 of 4 1 \S+", seats)
    assert re.search(r" \S+ too few 2 and 4 of 4 1 \S+ too few", seats)
    assert "A margin is the score" in seats


def test_a_bot_that_is_measured_by_scores_alone_is_told_nothing_about_margins(client):
    seats = text(client, "/bot/lim15").partition("Results by seat")[2]
    assert "Score a game" in seats
    assert "A margin is the score" not in seats

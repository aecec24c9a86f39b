"""What a visitor is told at first sight: who leads, what comes next, and what is sure of it."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from flask.testing import FlaskClient
from sqlalchemy import update

from card_arena.commands.actions.standings import standings
from card_arena.commands.standings_table import standings_table
from card_arena.leaderboard import standings as standings_views
from card_arena.leaderboard.matches import match as read_match
from card_arena.leaderboard.matches import recent
from card_arena.leaderboard.models import Page
from card_arena.leaderboard.plans import Announcement
from card_arena.leaderboard.standings import season_figures, standings_with_figures
from card_arena.leaderboard.standings import standings as read_standings
from card_arena.leaderboard.tournaments import upcoming
from card_arena.leaderboard.web import filters
from card_arena.leaderboard.web.pages.seasons import disagreement
from card_arena.ratings.certainty import percent
from card_arena.results.models import MatchRow
from card_arena.results.store import Store
from card_arena.tests.leaderboard.web.house import (
    SETTINGS,
    begin,
    crowd,
    placed,
    play_tables,
    submitted,
)
from card_arena.tests.leaderboard.web.page_texts import text
from card_arena.tests.results.made import ranked
from card_arena.tests.season_settings import season_settings


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """Sixty bots in one season, most of them much alike."""
    path = tmp_path_factory.mktemp("crowd") / "arena.sqlite"
    with closing(Store(f"sqlite:///{path}")) as store:
        crowd(store, 60, 8)
        yield store


@pytest.fixture
def visitor(crowded: Store, open_site) -> FlaskClient:
    return open_site(crowded.database.url.render_as_string())


def part(page: str, heading: str, until: str) -> str:
    return page.partition(f" {heading} ")[2].partition(f" {until} ")[0]


def test_the_first_page_crowns_one_bot_a_game_and_says_how_sure_that_is(crowded, visitor):
    table = standings_with_figures(crowded, "crowd")
    leader = table.standings[0]
    crowned = part(text(visitor, "/tournaments"), "Leaders", "All tournaments")
    assert f"Blackjack {leader.bot} v1 crowd, season 1 : " in crowned
    assert f"{percent(leader.chance)} sure to be the best of 60" in crowned
    assert re.search("Statistically tied with crowd-.* more: the margin may be luck", crowned)
    home = part(text(visitor, "/"), "Leaders", "Watch next")
    assert f"Blackjack {leader.bot} {percent(leader.chance)} sure, tied" in home


def test_who_left_without_points_is_no_rival_of_the_leader(crowded: Store):
    """As one does that is put on probation before its first leg is over."""
    table = read_standings(crowded, "crowd")
    without = {"version_id": 10**6, "rank": None, "points": None}
    gone = table.standings[-1].model_copy(update=without)
    table = table.model_copy(update={"standings": (*table.standings, gone)})
    rivals = table.with_figures(season_figures(crowded, table)).rivals
    assert rivals
    assert gone.version_id not in {rival.version_id for rival in rivals}


def test_a_leader_of_too_few_matches_is_called_no_sure_one(client):
    crowned = part(text(client, "/tournaments"), "Leaders", "Upcoming seasons")
    assert crowned.count("too few matches for a probability") == 4
    assert "level on points" in crowned, "the two of the fifth game"
    assert "% sure" not in crowned
    assert "unrated" not in crowned


def test_those_who_are_level_share_the_crown(new_store, open_site):
    bots = [submitted(new_store, name) for name in ("davey", "lim17", "lim15")]
    season = begin(new_store, "friday", bots)
    play_tables(new_store, season, range(1, 8), [bots])
    level = {bots[0].id: 190, bots[1].id: 190, bots[2].id: 100}
    new_store.save_standings(season.id, ranked(level))
    page = text(open_site(new_store.database.url.render_as_string()), "/tournaments")
    assert "davey v1 , lim17 v1 friday, season 1 , still running: 190" in page
    assert "level on points" in page


def test_decisive_matches_are_told_by_who_beat_whom_and_the_score(client, store: Store):
    page = client.get("/").text.partition("Watch next")[2]
    listed = re.findall('<a href="/match/([^"]+)">', page)
    assert len(listed) >= 3
    for key in listed:
        match = read_match(store, key)
        title = filters.lower_first(filters.match_title(match.address))
        assert html.escape(filters.outcome(match.entrants)) in page
        assert f"{filters.season_title(match.address)}, {title}" in page


def test_a_match_that_faults_decided_is_not_called_decisive(client, store: Store):
    struck = [line for line in recent(store, 50) if any(seat.struck_out for seat in line.entrants)]
    page = client.get("/").text
    assert struck
    assert not [line for line in struck if f'/match/{line.key}"' in page]


def test_what_comes_next_is_told_in_its_own_zone_with_the_way_in(client):
    page = part(text(client, "/tournaments"), "Upcoming seasons", "All tournaments")
    assert re.search(
        r"sunday Blackjack Sun \d+ \w+ \d{4}, 09:30 America/ New_ York \(1[34]:30 UTC\)", page
    )
    assert "All bots that play Blackjack and have the tag house are entered." in page
    assert "how to write and enter a bot" in page
    assert "named Blackjack when its organiser starts it" in page


def test_the_next_season_begins_when_the_announced_settings_say():
    now = datetime(2026, 11, 22, 12, tzinfo=UTC)
    moved = season_settings(SETTINGS | {"schedule": {"cron": "0 18 * * MON", "zone": "UTC"}})
    (only,) = upcoming([Announcement("friday", moved, 2, "")], now)
    assert only.begins == datetime(2026, 11, 23, 18, tzinfo=UTC)
    once = season_settings(SETTINGS | {"schedule": None})
    assert upcoming([Announcement("friday", once, 2, "")], now) == []
    assert upcoming([Announcement("new", once, 0, "")], now)[0].begins is None


def test_a_tournament_that_is_always_played_has_a_next_season_without_a_date():
    now = datetime(2026, 11, 22, 12, tzinfo=UTC)
    always = season_settings(SETTINGS | {"schedule": "always"})
    (later,) = upcoming([Announcement("ladder", always, 3, "")], now)
    assert (later.begins, later.start) == (None, "as soon as the season before is finished")
    wanted = season_settings(SETTINGS | {"schedule": "new bots"})
    for settings in (always, wanted):  # the first one waits for nobody but its players
        (first,) = upcoming([Announcement("ladder", settings, 0, "")], now)
        assert first.start == "as soon as enough bots are entered"
    (later,) = upcoming([Announcement("n", wanted, 3, "")], now)
    assert later.start == "as soon as a bot is new"


def test_the_page_of_a_season_that_another_one_follows_says_so(new_store: Store, open_site):
    begin(new_store, "friday", [submitted(new_store, name) for name in ("davey", "lim17")])
    always = season_settings(SETTINGS | {"schedule": "always"})
    new_store.announce({"friday": always}, all_there_are=False)
    client = open_site(new_store.database.url.render_as_string())
    follows = "as soon as the season before is finished"
    assert f"Next season {follows}" in text(client, "/t/friday")
    assert f"Starts {follows}" in text(client, "/t/friday/next")
    assert f"friday Blackjack {follows}" in text(client, "/tournaments")
    assert f"friday {follows} Blackjack" in text(client, "/")


def test_a_tournament_has_a_page_before_its_first_season(client):
    page = text(client, "/t/sunday")
    assert "sunday, season 1 not started" in page
    assert re.search(r"Starts Sun \d+ \w+ \d{4}, 09:30 America/ New_ York", page)
    assert re.search(r"Entry closes Sun \d+ \w+ \d{4}, 09:30 America/ New_ York", page)
    assert "arena submit my_bot/ --author you" in page
    assert "davey v2 by ada" in page
    assert "silent v1 by ada would sit out it lacks" in page
    assert "2 of the 17 rules differ from the game’s defaults." in page
    assert re.search("dealer_stands_at 18 differs 17 The dealer draws below this score", page)
    assert text(client, "/t/sunday/next") == page


def test_bots_that_are_named_and_not_there_are_said_to_be_missing(client):
    page = text(client, "/t/named")
    assert "davey v1 by ada" in page
    assert "ghost would sit out it has not been submitted yet" in page
    assert "Starts when its organiser starts it" in page


def test_the_bots_that_everybody_plays_in_a_gauntlet_are_announced(
    new_store: Store, open_site, capsys
):
    for name in ("davey", "lim17", "chatty"):
        submitted(new_store, name)
    new_store.announce(
        {"marks": season_settings(SETTINGS, references=("lim17", "ghost"))},
        all_there_are=True,
    )
    client = open_site(new_store.database.url.render_as_string())
    page = text(client, "/t/marks")
    entrants, references = page.split("Reference bots")
    assert "davey v1 by" in entrants
    assert "lim17" not in entrants
    assert "lim17 v1 by" in references
    assert "ghost prevents the season from starting it has not been submitted yet" in references
    standings("marks", None, lambda: new_store)
    told = capsys.readouterr().out.splitlines()
    assert "  entered  chatty v1, davey v1" in told
    assert "  against  lim17 v1, ghost (it has not been submitted yet)" in told


def test_a_season_margins_to_the_next_one(client):
    html = client.get("/t/friday/1").text
    assert re.search(r'Next season</dt><dd><a href="/t/friday/next"><time[^>]*>Fri ', html)
    assert "friday, season 3 not started" in text(client, "/t/friday/next")
    assert client.get("/t/spades/next").status_code == 404


def test_a_running_season_says_how_far_it_is_wherever_it_is_shown(client):
    assert "8 of 24 matches played" in text(client, "/tournaments")
    assert "Matches played 8 of 24" in text(client, "/t/friday")
    assert '<progress max="24" value="8"' in client.get("/t/friday").text
    assert "Matches played 24 Bots" in text(client, "/t/friday/1")


@pytest.mark.parametrize(
    ("at_most", "ago", "said"),
    [
        (False, 0, r"8 of 24 matches played, about 24 min left at the pace of the last 7\."),
        (True, 0, r"8 of at most 24 matches played, at most 24 min left at the pace of the last 7"),
        (
            False,
            6 * 60,
            r"8 of 24 matches played. None has been stored since \w{3} \d+ \w+ 20\d\d, \d\d:\d\d"
            r" UTC ?; after it resumes, about 24 min left at the pace of the last 7",
        ),
    ],
)
def test_a_running_season_says_how_long_what_is_left_takes(
    new_store: Store, open_site, at_most: bool, ago: int, said: str
):
    bots = [submitted(new_store, name) for name in ("davey", "lim17", "chatty", "silent")]
    season = begin(new_store, "friday", bots)
    play_tables(new_store, season, range(1, 5), [bots])
    new_store.plan_season(season.id, 24, at_most=at_most)
    results = new_store.results(season.id)
    assert len(results) == 8
    first = datetime.now(UTC) - timedelta(minutes=ago)
    with new_store.database.writing() as session:
        for number, result in enumerate(reversed(results)):
            session.execute(
                update(MatchRow)
                .where(MatchRow.key == result.key)
                .values(stored=first - timedelta(seconds=90 * number))
            )
    client = open_site(new_store.database.url.render_as_string())
    assert re.search(said, text(client, "/"))
    assert re.search(said, text(client, "/t/friday"))
    new_store.finish_season(season.id)
    assert "at the pace" not in text(client, "/t/friday")


def test_places_that_luck_may_have_made_are_marked_as_a_tie(client, store: Store):
    table = standings_with_figures(store, "friday", 1)
    page = text(client, "/t/friday/1")
    tied = [line for line in table.standings if line.tied]
    assert tied
    for line in tied:
        assert re.search(rf"\b{line.rank} tie {line.best} to {line.worst} {line.bot} v", page)
    assert "is a statistical tie" in page
    assert f"{percent(table.chance)} sure to be the best" in page
    assert " tie 1 to " not in text(client, "/t/friday/2")


def test_rank_and_rating_that_disagree_are_explained_where_they_stand(client, store: Store):
    lines = read_standings(store, "friday", 1).standings
    odd = disagreement(lines)
    page = text(client, "/t/friday/1")
    standings = part(page, "Standings", "Find a bot")
    assert "Rank and rating differ, because they measure different things" in standings
    assert f"For example, {odd.bot} is {odd.rank}th by mean chips" in standings
    assert re.search(rf"{odd.bot} v1 .{{0,90}}{odd.rating_rank}th by rating", page)


def test_rank_and_rating_that_agree_need_no_word(client, store: Store):
    assert disagreement(read_standings(store, "blot").standings) is None
    assert "Rank and rating differ" not in text(client, "/t/blot")


def test_a_large_season_comes_in_pages_that_margin_to_each_other(visitor):
    names: list[str] = []
    for number in (1, 2, 3, 4):
        html = visitor.get(f"/t/crowd?bots={number}").text
        table = html.partition('<table class="standings"')[2].partition("</table>")[0]
        names += re.findall(r'href="/bot/([^"]+)"', table)
        assert f'/t/crowd/1?bots={5 - number}#standings"' in html
    assert sorted(names) == [f"crowd-{number:03}" for number in range(60)]
    assert visitor.get("/t/crowd?bots=99").status_code == 200


def test_a_bot_of_a_large_season_is_found_by_its_name_without_a_script(visitor):
    page = text(visitor, "/t/crowd?bot=CROWD-017")
    assert "1 of 60 bots matches “CROWD-017”; only their matches are listed below." in page
    tables = part(page.partition(" Matches Leg")[2], "8", "Fair deals")
    rounds = tables.split("Leg 8, round ")[1:]
    assert len(rounds) == 2
    assert all("crowd-017" in row for row in rounds)
    assert "0 of 60 bots match “nobody”" in text(visitor, "/t/crowd?bot=nobody")
    assert "60 of 60 bots match" in text(visitor, "/t/crowd?bot=python")
    html = visitor.get("/t/crowd?bot=<script>").text
    assert "<script>" not in html.partition("<main")[2]


def test_the_list_of_bots_is_searched_and_paged_too(visitor):
    assert visitor.get("/bots").text.count('role="rowheader"') == 15
    found = text(visitor, "/bots?bot=crowd-05")
    assert "10 of 60 bots match “crowd-05”." in found
    assert "Page 1 Page 2 Page 3 Page 4" in text(visitor, "/bots")


def test_a_rule_other_than_the_default_stands_out(client):
    page = text(client, "/t/mixed")
    assert re.search(r"\d+ of the \d+ rules differs? from the game’s defaults", page)
    assert re.search(r"open_hands true differs false Whether every question ends", page)
    usual = text(client, "/t/friday/1")
    assert "All rules have the game’s default values." in usual
    assert "options." not in usual
    assert "clock.question 1s" in usual


def test_where_standings_go_by_rating_the_pages_and_the_terminal_say_so(new_store, open_site):
    """Ratings stand before points, and nothing is said of ties by points."""
    bots = [submitted(new_store, name) for name in ("davey", "lim15", "chatty", "lim19")]
    season = begin(new_store, "friday", bots, settings={"rank_by": "rating"})
    played = play_tables(new_store, season, range(1, 8), [bots])
    new_store.refresh_ratings("friday")
    mus = {
        line.version_id: line.rating.mu for line in read_standings(new_store, "friday").standings
    }
    by_points = placed(played)
    order = sorted(by_points, key=lambda each: -mus[each.version])
    assert order != [*by_points]
    new_store.save_standings(
        season.id, [replace(each, rank=rank) for rank, each in enumerate(order, start=1)]
    )
    table = read_standings(new_store, "friday")
    assert [line.version_id for line in table.standings] == [each.version for each in order]
    client = open_site(new_store.database.url.render_as_string())
    page = text(client, "/t/friday")
    assert "These standings are ordered by rating, which depends on" in page
    assert "The order of this season by rating." in page
    assert re.search("Rank Bot Rating 95 % interval Mean chips Matches", page)
    assert "Rank and rating differ" not in page
    assert " tie " not in page
    leader = table.standings[0]
    cells = re.search(
        rf"1 {leader.bot} v1 .{{0,60}}?by \S+ ([\d.]+) [\d.]+ to [\d.]+ ([\d.]+)", page
    )
    assert cells is not None
    assert float(cells[1]) == round(leader.rating.mu, 1)
    home = text(client, "/tournaments")
    assert f"friday, season 1 , still running: rating {leader.rating.mu:.1f}, " in home
    assert "first by rating" in home
    assert "by rating, with mean chips" in home
    drawn = standings_table(standings_with_figures(new_store, "friday"), 100)
    headings = [str(column.header) for column in drawn.columns]
    assert headings.index("rating") < headings.index("mean\nchips")
    assert "tie" not in headings
    assert "ranked by rating, with mean chips beside it" in str(drawn.caption)


def test_a_crowd_too_large_for_intervals_is_told_and_led_to_no_page_that_lacks_them(
    crowded, open_site, monkeypatch
):
    url = crowded.database.url.render_as_string()
    monkeypatch.setattr(standings_views, "MANY", 59)
    page = text(open_site(url), "/t/crowd")
    assert "Confidence is not computed" in page
    assert "All seasons of crowd: strengths" not in page
    monkeypatch.undo()
    page = text(open_site(url), "/t/crowd")
    assert "Confidence is not computed" not in page
    assert "All seasons of crowd: strengths" in page


def test_pages_that_are_left_out_between_others_are_dots(visitor):
    def numbers(page: int, items: int) -> list[str]:
        with visitor.application.test_request_context():
            shown = parts.pager("Pages", Page((), page, items, 15), "pages.bots", "bots")
        return re.findall(r"\d+(?=</a>)|…", shown)

    parts = visitor.application.jinja_env.get_template("_parts.html").module
    assert numbers(6, 1000) == ["1", "…", "4", "5", "6", "7", "8", "…", "67"]
    assert numbers(1, 60) == ["1", "2", "3", "4"]

"""A small contest made by hand, and every number that the pages show of it.

Two legs of two rounds among five bots; eve sits out. The numbers of each seat:

    key         seats (score)            faults
    t01/r1/a    ann 30, bob 10, cid 20   bob crash
    t01/r1/b    dan 5
    t01/r2/a    ann 10, dan 40           ann timeout twice and struck out
    t02/r1/a    bob 7, cid 7             -
"""

from dataclasses import replace

import pytest
from sqlalchemy import event

from card_arena.formats.field import Placing
from card_arena.leaderboard.bots import bot as read_bot
from card_arena.leaderboard.bots import bots as read_bots
from card_arena.leaderboard.bots import faults as bot_faults
from card_arena.leaderboard.bots import results as bot_results
from card_arena.leaderboard.matches import Address, matches
from card_arena.leaderboard.matches import match as read_match
from card_arena.leaderboard.seasons import UnknownSeason
from card_arena.leaderboard.standings import season_figures, standings
from card_arena.leaderboard.tournaments import Leader, tournaments
from card_arena.leaderboard.tournaments import leaders as read_leaders
from card_arena.leaderboard.versus import versus
from card_arena.ratings.margin_fit import MarginTally
from card_arena.ratings.match_results import Result, among
from card_arena.ratings.trueskill_ratings import fold
from card_arena.results.bots import UnknownBot
from card_arena.results.entries import Entrant, Season
from card_arena.results.matches import UnknownMatch
from card_arena.results.store import Store
from card_arena.tests.results.made import (
    DUE,
    SEED,
    made_bots,
    made_duplicate,
    made_match,
    made_record,
    made_season,
    made_submission,
    made_terms,
    ranked,
    save_match,
    shown_ratings,
)


@pytest.fixture
def season(store: Store) -> Season:
    ann, bob, cid, dan, eve = made_bots(store, "ann", "bob", "cid", "dan", "eve")
    season = store.begin_season(
        "friday",
        made_terms({}, points_title="mean final chips"),
        SEED,
        [*(Entrant(bot.id) for bot in (ann, bob, cid, dan)), Entrant(eve.id, "no Lisp here")],
        DUE,
    )
    for key, bots, record in [
        (
            "t01/r1/a",
            (ann, bob, cid),
            made_record([30, 10, 20], purses=[130, 110, 120], faults={1: ["crash"]}),
        ),
        ("t01/r1/b", (dan,), made_record([5], purses=[105], wall=9000)),
        (
            "t01/r2/a",
            (ann, dan),
            made_record(
                [10, 40],
                purses=[140, 145],
                faults={0: ["timeout", "timeout"]},
                struck_out=[0],
            ),
        ),
        ("t02/r1/a", (bob, cid), made_record([7, 7], purses=[107, 107])),
    ]:
        match = made_match(f"friday/0001/{key}", [bot.id for bot in bots], record)
        assert save_match(store, season.id, match)
    store.refresh_ratings("friday")
    points = {ann.id: 140.0, bob.id: 107.0, cid.id: 107.0, dan.id: 145.0}
    store.save_standings(season.id, ranked(points))
    return season


def test_the_standings_are_in_order_of_points_and_those_that_sit_out_come_last(
    store: Store, season: Season
):
    lines = standings(store, "friday").standings
    assert [(line.rank, line.bot, line.points) for line in lines] == [
        (1, "dan", 145.0),
        (2, "ann", 140.0),
        (3, "cid", 107.0),
        (3, "bob", 107.0),
        (None, "eve", None),
    ]
    assert [line.sits_out for line in lines] == ["", "", "", "", "no Lisp here"]


def test_the_standings_are_ranked_as_they_are_stored_and_not_by_points_again(
    store: Store, season: Season
):
    """Cid and bob have equal points: the format's tie-break parts them."""
    ann, bob, cid = (store.version(name).id for name in ("ann", "bob", "cid"))
    parted = [
        Placing(cid, 1, 107.0, (("wins", 3.0),)),
        Placing(bob, 2, 107.0, (("wins", 1.0),)),
        Placing(ann, 3, 140.0),
    ]
    store.save_standings(season.id, parted)
    store.save_standings(season.id, [Placing(store.version("dan").id, 4, 145.0)])
    lines = standings(store, "friday").standings
    assert [(line.rank, line.bot) for line in lines[:4]] == [
        (1, "cid"),
        (2, "bob"),
        (3, "ann"),
        (4, "dan"),
    ]
    assert [[(part.title, part.value) for part in line.tie_breaks] for line in lines[:3]] == [
        [("wins", 3.0)],
        [("wins", 1.0)],
        [],
    ]
    assert [leader.bot for leader in read_leaders(store)["friday"]] == ["cid", "bob", "ann"]
    (entered,) = read_bot(store, "bob").seasons
    assert entered.rank == 2


def test_the_standings_count_what_each_version_did(store: Store, season: Season):
    found = {
        line.bot: (
            line.matches,
            line.hands,
            line.decisions,
            line.faults,
            line.struck_out,
            line.slowest,
        )
        for line in standings(store, "friday").standings
    }
    assert found == {
        "ann": (2, 10, 5, 2, 1, 1000),
        "bob": (2, 10, 6, 1, 0, 1001),
        "cid": (2, 10, 6, 0, 0, 1002),
        "dan": (2, 10, 6, 0, 0, 9000),
        "eve": (0, 0, 0, 0, 0, 0),
    }


def test_the_standings_show_the_rating_after_the_last_match(store: Store, season: Season):
    lines = {line.bot: line for line in standings(store, "friday").standings}
    alone = fold(store.results(season.id)).current[store.version("ann").id]
    assert shown_ratings([lines["ann"]]) == {store.version("ann").id: alone}
    for line in lines.values():
        if line.bot == "eve":
            assert line.rating is line.rating_rank is None
        else:
            assert line.rating.low == pytest.approx(line.rating.mu - 1.959964 * line.rating.sigma)
            assert line.rating.low + line.rating.high == pytest.approx(2 * line.rating.mu)
    # dan beat ann, who had beaten both others; they tied.
    by_rating = sorted((line.rating_rank, line.bot) for line in lines.values() if line.rating)
    assert [rank for rank, _ in by_rating] == [1, 2, 3, 4]
    assert lines["dan"].rating.mu > lines["ann"].rating.mu
    assert lines["cid"].rating.mu > lines["bob"].rating.mu


def test_the_seed_stays_secret_until_the_season_is_finished(store: Store, season: Season):
    facts = standings(store, "friday").season
    assert (facts.state, facts.seed, facts.finished) == ("running", None, None)
    assert facts.commitment == season.commitment
    assert SEED.hex() not in repr(standings(store, "friday"))
    store.finish_season(season.id)
    facts = standings(store, "friday").season
    assert (facts.state, facts.seed) == ("finished", SEED.hex())


def test_the_facts_of_a_season(store: Store, season: Season):
    made_season(store, [])
    facts = standings(store, "friday", 1).season
    assert (facts.number, facts.matches, facts.legs, facts.seasons) == (1, 4, (1, 2), (1, 2))
    assert (facts.due, facts.game, facts.settings.seats) == (DUE, "snap", 4)
    newest = read_match(store, "friday/0001/t02/r1/a")
    assert facts.newest == newest.stored
    facts = standings(store, "friday").season
    assert (facts.number, facts.matches, facts.legs, facts.newest) == (2, 0, (), None)


def test_all_that_met_or_have_met_somebody_in_common_are_one_group(store: Store, season: Season):
    table = standings(store, "friday")
    assert table.groups == 1
    assert {line.bot: line.group for line in table.standings}["eve"] is None


def test_versions_that_never_met_are_told_apart(store: Store):
    bots = made_bots(store, "ann", "bob", "cid", "dan", "eve")
    a, b, c, d, e = (bot.id for bot in bots)
    season = made_season(store, bots)
    for table, versions in (("a", [d, e]), ("b", [a, b]), ("c", [b, c])):
        record = made_record(range(len(versions)))
        save_match(store, season.id, made_match(f"friday/0001/t01/r1/{table}", versions, record))
    table = standings(store, "friday")
    assert table.groups == 2
    groups = {line.bot: line.group for line in table.standings}
    assert groups == {"ann": 1, "bob": 1, "cid": 1, "dan": 2, "eve": 2}


def test_a_meeting_in_an_earlier_season_links_versions_too(store: Store):
    bots = made_bots(store, "ann", "bob", "cid", "dan")
    a, b, c, d = (bot.id for bot in bots)
    first, second, third = (made_season(store, bots) for _ in range(3))
    for season, number, tables in (
        (first, 1, [[a, c]]),
        (second, 2, [[a, b], [c, d]]),
        (third, 3, [[a, d]]),
    ):
        for table, versions in enumerate(tables):
            key = f"friday/{number:04}/t01/r1/{table}"
            save_match(store, season.id, made_match(key, versions, made_record([1, 2])))
    assert standings(store, "friday", 2).groups == 1
    # What comes later links nobody: without the first season there were two groups in the second.
    other = made_season(store, bots, "sunday")
    for table, versions in enumerate([[a, b], [c, d]]):
        key = f"sunday/0001/t01/r1/{table}"
        save_match(store, other.id, made_match(key, versions, made_record([1, 2])))
    assert standings(store, "sunday").groups == 2


def test_before_there_are_points_the_rating_decides(store: Store):
    bots = made_bots(store, "ann", "bob", "cid")
    season = made_season(store, bots)
    ids = [bots[1].id, bots[0].id]
    save_match(store, season.id, made_match("friday/0001/t01/r1/a", ids, made_record([9, 2])))
    store.refresh_ratings("friday")
    lines = standings(store, "friday").standings
    assert [(line.bot, line.rank, line.rating_rank) for line in lines] == [
        ("bob", None, 1),
        ("ann", None, 2),
        ("cid", None, None),
    ]


def test_a_good_bot_that_has_played_little_is_not_rated_below_a_weak_one_that_has_played_much(
    store: Store,
):
    """By mu - 3 sigma it would be: the more matches, the higher that bound."""
    bots = made_bots(store, "new", "old", "third")
    new, old, third = (bot.id for bot in bots)
    season = made_season(store, bots)
    tables = [[old, third]] * 12 + [[third, old]] * 8 + [[new, old]]
    for number, versions in enumerate(tables, start=1):
        key = f"friday/0001/t01/r{number:02}/a"
        save_match(store, season.id, made_match(key, versions, made_record([9, 2])))
    store.refresh_ratings("friday")
    lines = {line.bot: line for line in standings(store, "friday").standings}
    bounds = [lines[bot].rating.mu - 3 * lines[bot].rating.sigma for bot in ("old", "new")]
    assert bounds[0] > bounds[1]
    assert lines["new"].rating_rank < lines["old"].rating_rank
    assert lines["new"].rating.provisional


def test_a_new_version_is_shown_beside_the_one_before_with_the_interval_of_their_difference(
    store: Store,
):
    old, rival = (bot.id for bot in made_bots(store, "ann", "bob"))
    newer, _ = store.submit(made_submission("ann", "d2"), "ada")
    season = made_season(store, [store.version("ann"), store.version("bob")])
    for number in range(1, 9):
        for table, ann, margin in (("a", old, number % 3), ("b", newer.id, 9 + number % 2)):
            key = f"friday/0001/t01/r{number}/{table}"
            match = made_match(key, [ann, rival], made_record([margin, 0]))
            save_match(store, season.id, match)
    found = versus(store, "friday")
    assert found.by_margins
    assert [(line.bot, line.version) for line in found.rivals] == [
        ("ann", 2),
        ("ann", 1),
        ("bob", 1),
    ]
    (step,) = found.steps
    assert (step.bot, step.version, step.before) == ("ann", 2, 1)
    assert step.gain.value == pytest.approx(9.5 - 9 / 8)
    assert 0 < step.gain.low < step.gain.value < step.gain.high
    assert found.tied == ()


@pytest.mark.parametrize(
    ("tournament", "number", "sentence"),
    [
        ("monday", None, "nothing is stored of the tournament 'monday'"),
        ("monday", 1, "nothing is stored of the tournament 'monday'"),
        ("friday", 7, "nothing is stored of season 7 of the tournament 'friday'"),
    ],
)
def test_a_season_that_is_not_there_is_told(
    store: Store, season: Season, tournament: str, number: int | None, sentence: str
):
    with pytest.raises(UnknownSeason, match=sentence):
        standings(store, tournament, number)


def test_the_list_of_tournaments_shows_their_newest_seasons(store: Store, season: Season):
    made_season(store, [], "sunday")
    sunday, friday = tournaments(store)
    assert (friday.name, friday.game, friday.season, friday.state) == (
        "friday",
        "snap",
        1,
        "running",
    )
    assert (friday.entrants, friday.matches) == (5, 4)
    assert (sunday.name, sunday.entrants, sunday.matches) == ("sunday", 0, 0)
    store.finish_season(season.id)
    made_season(store, [])
    friday, _ = tournaments(store)
    assert (friday.season, friday.state) == (2, "running")


def test_the_leaders_are_the_first_few_of_each_newest_season(store: Store, season: Season):
    made_season(store, [], "sunday")
    leaders = read_leaders(store, 2)
    first = (Leader(1, "dan", 1, 145.0), Leader(2, "ann", 1, 140.0))
    assert leaders == {"friday": first}
    assert [leader.rank for leader in read_leaders(store, 4)["friday"]] == [1, 2, 3, 3]
    made_season(store, [])
    assert read_leaders(store) == {}


def test_a_match_shows_its_seats_and_its_records(store: Store, season: Season):
    match = read_match(store, "friday/0001/t01/r2/a")
    assert (match.tournament, match.season, match.leg, match.round) == ("friday", 1, 1, 2)
    ann, dan = match.entrants
    assert (ann.bot, ann.version, ann.author, ann.language) == ("ann", 1, "ada", "python")
    assert (ann.rank, ann.score, ann.purse, ann.struck_out) == (2, 10, 0, True)
    assert (dan.rank, dan.score, dan.purse, dan.struck_out) == (1, 40, 145, False)
    assert match.records == store.records(match.key)
    with pytest.raises(UnknownMatch):
        read_match(store, "friday/0001/t09/r1/a")


def test_a_match_of_several_games_says_who_sat_where(store: Store):
    bots = made_bots(store, "ann", "bob", "cid", "dan")
    season = made_season(store, bots)
    seatings = ((0, 1, 2, 3), (1, 2, 3, 0)) * 2
    records = [made_record([1, 2, 1, 2])] * 4
    ids = [bot.id for bot in bots]
    key = "friday/0001/t01/r1/a"
    save_match(store, season.id, made_duplicate(key, ids, (0, 1, 0, 1), seatings, *records))
    match = read_match(store, key)
    assert (match.seatings, tuple(g.board for g in match.games)) == (seatings, (1, 1, 2, 2))
    assert [seat.side for seat in match.entrants] == [0, 1, 0, 1]
    assert [seat.bot for seat in match.at_table(1)] == ["bob", "cid", "dan", "ann"]
    (result,) = bot_results(store, "cid").items
    assert (result.partners, result.others) == (("ann v1",), ("bob v1", "dan v1"))
    assert (result.sides, result.games) == (2, 4)


def test_a_season_that_is_not_rated_says_so(store: Store):
    bots = made_bots(store, "ann", "bob")
    season = made_season(store, bots, rated=False)
    ids = [bot.id for bot in bots]
    key = "friday/0001/t01/r1/a"
    save_match(store, season.id, made_match(key, ids, made_record([1, 2])))
    store.refresh_ratings("friday")
    table = standings(store, "friday")
    assert not table.season.rated
    assert {line.rating for line in table.standings} == {None}
    assert not read_match(store, key).rated
    assert [line.rated for line in tournaments(store)] == [False]


def test_the_matches_of_a_season_are_newest_first_and_those_of_a_leg_in_order(
    store: Store, season: Season
):
    page = matches(store, "friday", 1)
    assert [line.key[12:] for line in page.items] == [
        "t02/r1/a",
        "t01/r2/a",
        "t01/r1/b",
        "t01/r1/a",
    ]
    assert (page.number, page.pages, page.total) == (1, 1, 4)
    leg = matches(store, "friday", 1, leg=1)
    assert [line.key[12:] for line in leg.items] == ["t01/r1/a", "t01/r1/b", "t01/r2/a"]
    assert [seat.bot for seat in leg.items[0].entrants] == ["ann", "bob", "cid"]
    with pytest.raises(UnknownSeason):
        matches(store, "friday", 2)


def test_long_lists_come_in_pages(store: Store):
    bots = made_bots(store, "ann", "bob")
    season = made_season(store, bots)
    ids = [bot.id for bot in bots]
    for number in range(1, 62):
        record = made_record([number, 0], faults={1: ["crash"]})
        save_match(store, season.id, made_match(f"friday/0001/t01/r{number:02}/a", ids, record))
    page = matches(store, "friday", 1, page=2)
    assert [line.round for line in page.items] == list(range(11, 0, -1))
    assert (page.number, page.pages, page.total) == (2, 2, 61)
    results = bot_results(store, "ann", page=2)
    assert [result.score for result in results.items] == list(range(11, 0, -1))
    assert bot_results(store, "ann", page=10**30) == results
    assert bot_results(store, "ann", page=-4).number == 1
    faults = bot_faults(store, "bob").items
    assert [fault.match.key[15:] for fault in faults[:2]] == ["/r61/a", "/r60/a"]
    assert (len(faults), read_bot(store, "bob").fault_counts) == (50, {"crash": 61})


def test_a_bots_page(store: Store, season: Season):
    store.submit(replace(made_submission("ann", "d2"), language="c"), "ada")
    store.note_build(1, False, "cc failed", "error: oh")
    page = read_bot(store, "ann")
    assert (page.name, page.author) == ("ann", "ada")
    newest, first = page.versions
    assert (newest.number, newest.language, newest.build) == (2, "c", None)
    assert (first.number, first.build and first.build.reason) == (1, "cc failed")
    (entered,) = page.seasons
    assert (entered.tournament, entered.season, entered.version) == ("friday", 1, 1)
    assert (entered.rank, entered.points, entered.sits_out) == (2, 140.0, "")
    assert (page.decisions, page.fault_counts) == (5, {"timeout": 2})


def test_a_bots_results_name_the_others_at_the_table(store: Store, season: Season):
    newest, first = bot_results(store, "ann").items
    assert (newest.match.key, newest.others, newest.rank, newest.sides) == (
        "friday/0001/t01/r2/a",
        ("dan v1",),
        2,
        2,
    )
    assert (newest.score, newest.purse, newest.struck_out, newest.faults) == (10, 0, True, 2)
    assert (first.others, first.rank, first.hands) == (("bob v1", "cid v1"), 1, 5)
    names = ("leg 1", "round 1", "table A")
    assert first.match == Address("friday/0001/t01/r1/a", "friday", 1, 1, 1, names)
    assert first.match.table == "table A"


def test_a_bots_faults_are_shown_newest_first_with_its_own_words(store: Store, season: Season):
    newest, before = bot_faults(store, "ann").items
    assert newest.data() == {
        "match": "friday/0001/t01/r2/a",
        "game": 1,
        "turn": 3,
        "seat": 0,
        "stored": newest.data()["stored"],
        "version": 1,
        "kind": "timeout",
        "detail": "no answer within 1 s",
        "struck": True,
        "question": "ask 0 1",
        "answer": "?",
        "wall": 1000,
        "cpu": 7,
        "peak": 4096,
    }
    assert (before.turn, before.seat, before.version) == (1, 0, 1)


def test_a_fault_says_in_which_seat_it_was_committed(store: Store, season: Season):
    (fault,) = bot_faults(store, "bob").items
    assert fault.seat == 1


def test_a_bots_rating_is_a_line_in_playing_order(store: Store, season: Season):
    (line,) = read_bot(store, "bob").ratings.values()
    assert [point.match.key[12:] for point in line] == ["t01/r1/a", "t02/r1/a"]
    rated = fold(store.results(season.id)).current[store.version("bob").id]
    assert (line[-1].rating.mu, line[-1].rating.sigma, line[-1].version) == (
        rated.mu,
        rated.sigma,
        1,
    )


def test_a_long_line_of_ratings_is_thinned_and_keeps_both_ends(
    store: Store, monkeypatch: pytest.MonkeyPatch
):
    """Each tournament's for itself, though their matches are stored in turn."""
    monkeypatch.setattr("card_arena.leaderboard.bots.LINE", 2)
    ann, bob = made_bots(store, "ann", "bob")
    entrants = [Entrant(bot.id) for bot in (ann, bob)]
    seasons = [
        store.begin_season(name, made_terms({}), SEED, entrants, DUE)
        for name in ("friday", "sunday")
    ]
    for number in range(1, 8):
        for season in seasons[: 1 if number > 3 else 2]:
            key = f"{season.tournament}/0001/t01/r{number}/a"
            save_match(store, season.id, made_match(key, (ann.id, bob.id), made_record([7, 3])))
    for name in ("friday", "sunday"):
        store.refresh_ratings(name)
    ratings = read_bot(store, "bob").ratings
    shown = {name: [point.match.round for point in line] for name, line in ratings.items()}
    assert shown == {"friday": [1, 3, 7], "sunday": [1, 3]}


def test_the_list_of_bots_shows_their_newest_versions(store: Store, season: Season):
    store.submit(replace(made_submission("bob", "d2"), language="c"), "ada")
    store.note_build(store.version("bob").id, True, "", "")
    lines = read_bots(store)
    assert [line.bot for line in lines] == ["ann", "bob", "cid", "dan", "eve"]
    assert (lines[1].number, lines[1].language, lines[1].built) == (2, "c", True)
    assert (lines[0].number, lines[0].built) == (1, None)


def test_an_unknown_bot_has_no_page(store: Store):
    with pytest.raises(UnknownBot, match="no bot is called 'nobody'"):
        read_bot(store, "nobody")


def test_no_page_asks_more_often_because_there_is_more_to_show(store: Store, season: Season):
    statements: list[str] = []
    with store.database.reading() as session:
        engine = session.connection().engine
    event.listen(engine, "before_cursor_execute", lambda *args: statements.append(args[2]))

    def asked() -> list[int]:
        counts = []
        for view, *args in [
            (tournaments,),
            (read_leaders,),
            (standings, "friday"),
            (matches, "friday", 1),
            (read_match, "friday/0001/t01/r1/a"),
            (read_bots,),
            (read_bot, "ann"),
        ]:
            statements.clear()
            view(store, *args)
            counts.append(len(statements))
        return counts

    before = asked()
    for number in range(1, 9):
        (bot,) = made_bots(store, f"more{number}")
        record = made_record([1, 2], faults={0: ["crash"]})
        match = made_match(f"friday/0001/t03/r{number}/a", [1, bot.id], record)
        save_match(store, season.id, match)
        made_season(store, [bot], f"other{number}")
    assert asked() == before
    assert 1 < max(before) <= 15


def test_how_sure_an_order_by_chips_is_counts_the_legs_in_which_a_bot_sat(store: Store):
    """Bot cid sits out the last round of each leg, and the whole of the last one."""
    ann, bob, cid = (bot.id for bot in made_bots(store, "ann", "bob", "cid"))
    entrants = [Entrant(bot) for bot in (ann, bob, cid)]
    terms = made_terms({"game": "blackjack", "format": {"contest": {"legs": 7, "rounds": 2}}})
    season = store.begin_season("chips", terms, SEED, entrants, DUE)
    finals: dict[int, list[tuple[int, int]]] = {ann: [], bob: [], cid: []}
    for leg in range(1, 8):
        first = (ann, bob, cid) if leg < 7 else (ann, bob)
        for number, bots in ((1, first), (2, (ann, bob))):
            held = {ann: 200 + leg, bob: 100 * number + 7 * leg, cid: 300 - leg * leg}
            record = made_record([1] * len(bots), purses=[held[bot] for bot in bots])
            save_match(
                store, season.id, made_match(f"chips/0001/t0{leg}/r{number}/a", bots, record)
            )
        for bot in first:
            finals[bot].append((leg, held[bot]))
    store.refresh_ratings("chips")
    means = {bot: sum(chips for _, chips in legs) / len(legs) for bot, legs in finals.items()}
    placed = [replace(each, legs=tuple(finals[each.version])) for each in ranked(means)]
    store.save_standings(season.id, placed)
    assert store.standings(season.id) == tuple(placed)
    sure = season_figures(store, standings(store, "chips")).sure
    assert sure is not None
    assert sure.staked
    assert sure.seen == {ann: 7, bob: 7, cid: 6}
    assert sure.best is not None
    assert sure.best[cid] > sure.best[ann]


@pytest.mark.parametrize("whole", [True, False])
def test_points_fitted_to_earlier_seasons_have_their_intervals_whichever_boards_count(
    store: Store, whole: bool
):
    """Bot cid has left: formats count ann's boards against bob at its tables, or leave them out."""
    ann, bob, cid, dan = (bot.id for bot in made_bots(store, "ann", "bob", "cid", "dan"))
    lines = {1: [(ann, bob, cid)] * 6 + [(ann, bob, dan)] * 6, 2: [(bob, ann, dan)] * 5}
    played: dict[int, list[Result]] = {1: [], 2: []}
    for number, tables in lines.items():
        entrants = [Entrant(bot) for bot in sorted({*tables[0], *tables[-1]})]
        season = store.begin_season("ladder", made_terms({"seats": 3}), SEED, entrants, DUE)
        for at, bots in enumerate(tables):
            key = f"ladder/{number:04}/t01/r1/{at:02}"
            record = made_record([at * number + place * at % 5 for place in range(3)])
            played[number].append(save_match(store, season.id, made_match(key, bots, record)))
    store.refresh_ratings("ladder")
    there = {ann, bob, dan}
    kept = (
        [r for r in played[1] if {*r.versions} <= there]
        if whole
        else [part for r in played[1] if (part := among(r, there))]
    )
    fit = MarginTally([*kept, *played[2]]).fit()
    store.save_standings(season.id, ranked(fit.values))
    found = season_figures(store, standings(store, "ladder")).sure
    assert found is not None
    assert found.values == fit.values
    assert found.seen == fit.seen

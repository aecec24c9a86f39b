from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from sqlalchemy import delete, text

from card_arena.formats.field import Placing
from card_arena.leaderboard.bots import bot as read_bot
from card_arena.leaderboard.bots import bots as read_bots
from card_arena.leaderboard.bots import results as bot_results
from card_arena.leaderboard.standings import standings
from card_arena.ratings.trueskill_ratings import fold
from card_arena.results.bots import UnknownBot
from card_arena.results.entries import Entrant, Season
from card_arena.results.errors import StoreError
from card_arena.results.matches import UnknownMatch
from card_arena.results.models import RecordRow
from card_arena.results.records import DamagedRecord, packed
from card_arena.results.store import Store
from card_arena.tables.record import Record
from card_arena.tests.results.made import (
    DUE,
    SEED,
    checked_matches,
    made_bots,
    made_duplicate,
    made_match,
    made_record,
    made_season,
    made_submission,
    made_terms,
    save_match,
    shown_ratings,
)

KEY = "friday/0001/t01/r1/a"


def change(store: Store, sql: str) -> None:
    """Do to the database what nobody should."""
    with store.database.writing() as session:
        session.execute(text(sql))


# Bots


def test_what_was_written_on_standard_error_is_kept_apart_from_the_records(store: Store):
    bots = made_bots(store, "ann", "bob")
    season = made_season(store, bots)
    match = made_match(KEY, [bot.id for bot in bots], made_record([1, 2]), made_record([2, 1]))
    noise = "loud \u2660\n" * 10_000
    match = replace(match, stderr=(("", ""), (noise, "")))
    assert save_match(store, season.id, match)
    assert store.stderr(KEY) == {(1, 0): noise}
    assert store.stderr("friday/0001/t01/r2/a") == {}
    assert "loud" not in str(store.records(KEY))
    with store.database.reading() as session:
        (size,) = session.scalars(text("SELECT length(data) FROM stderrs"))
    assert size < 1000


def test_another_digest_is_another_version(store: Store):
    first, new = store.submit(made_submission("davey", "d1"), "ada")
    assert new
    second, new = store.submit(made_submission("davey", "d2"), "ada")
    assert new
    assert [first.label, second.label] == ["davey v1", "davey v2"]
    assert store.archive(first.id) == b"files of davey d1"
    assert store.archive(second.id) == b"files of davey d2"


def test_a_withdrawn_bot_is_latest_of_nothing_until_it_is_readmitted(store: Store):
    made_bots(store, "ann", "bob")
    since = store.withdraw("ann")
    assert [version.label for version in store.latest("snap")] == ["bob v1"]
    assert store.version("ann").withdrawn == since
    assert store.version("bob").withdrawn is None
    assert store.withdraw("ann") == since
    newer, _ = store.submit(made_submission("ann", "d2"), "ada")
    assert newer.withdrawn == since
    assert [version.label for version in store.latest("snap")] == ["bob v1"]
    assert store.readmit("ann")
    assert not store.readmit("ann")
    assert [version.label for version in store.latest("snap")] == ["ann v2", "bob v1"]


def test_nobody_can_withdraw_a_bot_that_is_not_there(store: Store):
    made_bots(store, "davey")
    for change_it in (store.withdraw, store.readmit):
        with pytest.raises(UnknownBot, match="no bot is called 'davy'; did you mean davey"):
            change_it("davy")


def test_what_a_withdrawn_bot_played_stays_and_its_page_says_since_when(store: Store):
    bots = made_bots(store, "ann", "bob")
    season = made_season(store, bots)
    save_match(store, season.id, made_match(KEY, [bot.id for bot in bots], made_record([1, 2])))
    store.refresh_ratings("friday")
    before = standings(store, "friday")
    since = store.withdraw("ann")
    assert standings(store, "friday") == before
    assert store.check_ratings("friday") == []
    page = read_bot(store, "ann")
    assert (page.withdrawn, bot_results(store, "ann").total) == (since, 1)
    assert [(line.bot, line.withdrawn) for line in read_bots(store)] == [
        ("ann", since),
        ("bob", None),
    ]


def test_what_no_database_takes_is_replaced_in_a_builds_words(store: Store):
    (bot,) = made_bots(store, "ann")
    store.note_build(bot.id, False, "not \0 \ud800", "log \0 \ud800")
    build = store.build(bot.id)
    assert build is not None
    assert (build.reason, build.log) == ("not \ufffd ?", "log \ufffd ?")
    out = [Entrant(bot.id, sits_out="not \0 \ud800")]
    season = store.begin_season("friday", made_terms({}), SEED, out, DUE)
    assert store.entrants(season.id) == [Entrant(bot.id, sits_out="not \ufffd ?")]


def test_the_same_bundle_again_is_the_same_version(store: Store):
    first, _ = store.submit(made_submission("davey"), "ada")
    again, new = store.submit(made_submission("davey"), "ada")
    assert not new
    assert again == first


def test_going_back_to_an_older_bundle_is_a_new_version(store: Store):
    for digest in ("d1", "d2", "d1"):
        last, new = store.submit(made_submission("davey", digest), "ada")
        assert new
    assert last.number == 3


def test_a_version_is_given_back_as_it_was_submitted(store: Store):
    sent = replace(
        made_submission("davey", games=["snap", "war"]), about="plays Δ", tags=("a", "b")
    )
    before = datetime.now(UTC)
    version, _ = store.submit(sent, "ada")
    after = datetime.now(UTC)
    assert version == store.version("davey")
    assert (version.games, version.about, version.tags) == (("snap", "war"), "plays Δ", ("a", "b"))
    assert (version.author, version.digest, version.protocol) == ("ada", "d1", "argv")
    assert version.submitted.tzinfo is UTC
    assert before <= version.submitted <= after


def test_a_name_belongs_to_its_first_author(store: Store):
    store.submit(made_submission("davey"), "ada")
    with pytest.raises(StoreError, match=r"the name davey belongs to ada.*choose another name"):
        store.submit(made_submission("davey", "d2"), "eve")
    assert store.version("davey").number == 1


@pytest.mark.parametrize("author", ["", "  ", "x" * 81, "ada\0", "ada\ud800"])
def test_an_author_has_a_name_of_bounded_length_that_can_be_kept(store: Store, author: str):
    with pytest.raises(StoreError, match=r"1 to 80 characters|, which can't be printed"):
        store.submit(made_submission("davey"), author)
    with pytest.raises(UnknownBot):
        store.version("davey")


def test_the_latest_are_the_newest_versions_of_those_that_play_the_game(store: Store):
    for name, digest, games in [
        ("eve", "d1", ["snap"]),
        ("davey", "d1", ["snap"]),
        ("davey", "d2", ["snap", "war"]),
        ("gone", "d1", ["snap"]),
        ("gone", "d2", ["war"]),
    ]:
        store.submit(made_submission(name, digest, games), "ada")
    assert [version.label for version in store.latest("snap")] == ["davey v2", "eve v1"]
    assert [version.label for version in store.latest("war")] == ["davey v2", "gone v2"]
    assert store.latest("chess") == []


def test_a_version_is_found_by_name_and_number(store: Store):
    for digest in ("d1", "d2"):
        store.submit(made_submission("davey", digest), "ada")
    assert store.version("davey").number == 2
    assert store.version("davey@1").number == 1


def test_an_unknown_name_is_answered_with_those_near_it(store: Store):
    made_bots(store, "davey", "lim17")
    with pytest.raises(UnknownBot, match="no bot is called 'davy'; did you mean davey"):
        store.version("davy")
    with pytest.raises(UnknownBot, match="davey has no version '7': its newest is 1"):
        store.version("davey@7")
    with pytest.raises(UnknownBot, match=r"no bot is called 'zzzzzz'$"):
        store.version("zzzzzz")


def test_the_last_build_is_kept_with_the_end_of_its_log(store: Store):
    (bot,) = made_bots(store, "davey")
    assert store.build(bot.id) is None
    store.note_build(bot.id, True, "", "fine")
    store.note_build(bot.id, False, "cc failed", "x" * 100_000 + "\0error: oh")
    build = store.build(bot.id)
    assert build is not None
    assert (build.ok, build.reason, len(build.log)) == (False, "cc failed", 64 * 1024)
    assert build.log.endswith("x\ufffderror: oh")


# Seasons


def test_seasons_are_numbered_within_their_tournament(store: Store):
    bots = made_bots(store, "ann")
    for tournament in ("friday", "sunday", "friday"):
        made_season(store, bots, tournament)
    assert [season.number for season in store.seasons("friday")] == [1, 2]
    assert [season.number for season in store.seasons("sunday")] == [1]
    assert store.seasons("monday") == []


def test_a_season_keeps_what_was_frozen_at_its_start(store: Store):
    ann, bob = made_bots(store, "ann", "bob")
    due = datetime(2026, 1, 2, 23, 0, tzinfo=timezone(timedelta(hours=3)))
    lineup = [Entrant(bob.id), Entrant(ann.id, "its language is not here")]
    terms = made_terms({"clock": {"question": "1.5s"}, "entrants": ["a", "b"]})
    begun = store.begin_season("friday", terms, SEED, lineup, due)
    (season,) = store.seasons("friday")
    assert season == begun
    assert season.settings == terms.settings
    assert (season.seed, season.due, season.finished) == (SEED, DUE, None)
    assert season.due.utcoffset() == timedelta(0)
    assert season.commitment == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert store.entrants(season.id) == lineup


def test_a_season_is_finished_once(store: Store):
    season = made_season(store, made_bots(store, "ann"))
    store.finish_season(season.id)
    finished = store.seasons("friday")[0].finished
    store.finish_season(season.id)
    assert store.seasons("friday")[0].finished == finished is not None


def test_points_are_kept_for_those_that_have_some(store: Store):
    ann, bob = made_bots(store, "ann", "bob")
    season = made_season(store, [ann, bob])
    store.save_standings(season.id, ())
    assert store.standings(season.id) == ()
    store.save_standings(season.id, [Placing(bob.id, 1, 2.5)])
    last = Placing(bob.id, 2, 0.1 + 0.2, (("wins", 3.0), ("head to head", 0.5)))
    store.save_standings(season.id, [last])
    assert store.standings(season.id) == (last,)


# Matches


def test_a_match_is_kept_with_all_that_its_records_say(store: Store):
    bots = made_bots(store, "ann", "bob")
    season = made_season(store, bots)
    records = (made_record([3, 5], purses=[103, 105], faults={0: ["crash"]}), made_record([1, 1]))
    assert save_match(store, season.id, made_match(KEY, [bots[1].id, bots[0].id], *records))
    (result,) = store.results(season.id)
    assert (result.key, result.leg, result.round) == (KEY, 1, 1)
    assert result.versions == (bots[1].id, bots[0].id)
    assert (result.scores, result.ranks) == ((4, 6), (2, 1))
    assert result.purses == ()
    assert store.records(KEY) == records
    (checked,) = checked_matches(store, season.id)
    assert (checked.records, checked.differences) == (records, ())


PARTNERS = ((0, 1, 0, 1), (1, 0, 1, 0))
"""Two bots that hold both seats of their sides, and then each other's."""


def made_partnership(store: Store) -> Season:
    """A season with one match of two games, in the second of which a turned seat crashes."""
    bots = made_bots(store, "ann", "bob")
    season = made_season(store, bots)
    records = [made_record([30, 7] * 2), made_record([5, 90] * 2, faults={2: ["crash"]})]
    ids = [bots[1].id, bots[0].id]
    assert save_match(store, season.id, made_duplicate(KEY, ids, (0, 1), PARTNERS, *records))
    return season


def test_a_match_of_partners_is_kept_with_a_row_an_entrant(store: Store):
    season = made_partnership(store)
    (result,) = store.results(season.id)
    assert (result.versions, result.sides) == ((2, 1), (0, 1))
    assert (result.scores, result.ranks) == ((120, 12), (1, 2))
    assert [seating for seating, _ in store.games(KEY)] == list(PARTNERS)
    (checked,) = checked_matches(store, season.id)
    assert (checked.seatings, checked.sides, checked.differences) == (PARTNERS, (0, 1), ())
    assert read_bot(store, "ann").fault_counts == {"crash": 1}
    assert read_bot(store, "bob").fault_counts == {}


@pytest.mark.parametrize(
    ("sql", "what"),
    [
        ("UPDATE records SET seating = '[0, 1, 0, 1]'", "seat 0: score"),
        ("UPDATE records SET seating = '[0, 1]' WHERE number = 1", "the match"),
        ("UPDATE records SET seating = '[0, 1, 0, 2]' WHERE number = 1", "the match"),
        ("UPDATE records SET seating = '7' WHERE number = 1", "a record"),
        ("UPDATE faults SET version_id = 2", "entrant"),
        ("UPDATE faults SET seat = 0", "seat"),
        ("UPDATE seats SET side = 0", "rank"),
        ("UPDATE seats SET seat = seat + 1 WHERE seat = 1", "the entry"),
    ],
)
def test_a_change_of_who_sat_where_is_found(store: Store, sql: str, what: str):
    season = made_partnership(store)
    change(store, sql)
    (checked,) = checked_matches(store, season.id)
    assert any(what in str(difference) for difference in checked.differences)


def test_a_match_is_stored_once(store: Store):
    bots = made_bots(store, "ann", "bob")
    season = made_season(store, bots)
    ids = [bot.id for bot in bots]
    first = made_record([1, 2], purses=[1, 2], faults={1: ["crash"]})
    saved = save_match(store, season.id, made_match(KEY, ids, first))
    assert (saved.scores, saved.purses) == ((1, 2), (1, 2))
    assert (saved.decisions, saved.faults) == ((3, 3), (0, 1))
    assert save_match(store, season.id, made_match(KEY, ids, made_record([9, 2]))) == saved
    assert list(store.results(season.id)) == [saved]


def test_results_come_in_key_order_however_they_arrive(store: Store):
    bots = made_bots(store, "ann")
    season = made_season(store, bots)
    keys = [
        f"friday/0001/t{leg:02}/r{n:02}/{table}"
        for leg in (1, 2)
        for n in (9, 10)
        for table in "ab"
    ]
    for key in reversed(keys):
        save_match(store, season.id, made_match(key, [bots[0].id], made_record([1])))
    assert [result.key for result in store.results(season.id)] == keys


def test_a_match_of_a_season_that_never_began_is_our_mistake_and_leaves_nothing(store: Store):
    (bot,) = made_bots(store, "ann")
    with pytest.raises(Exception, match="No row"):
        save_match(store, 99, made_match(KEY, [bot.id], made_record([1])))
    with pytest.raises(UnknownMatch):
        store.records(KEY)


def test_a_seat_of_nobody_leaves_no_half_match(store: Store):
    bots = made_bots(store, "ann", "bob")
    season = made_season(store, bots)
    with pytest.raises(Exception, match=r"FOREIGN KEY|foreign key"):
        save_match(store, season.id, made_match(KEY, [bots[0].id, 99], made_record([1, 2])))
    assert store.results(season.id) == ()
    assert save_match(store, season.id, made_match(KEY, [1, 2], made_record([1, 2])))


def test_an_unknown_match_is_told(store: Store):
    with pytest.raises(UnknownMatch, match="no match 'friday/0009/t01/r1/a' is stored"):
        store.records("friday/0009/t01/r1/a")


@pytest.mark.parametrize(
    ("sql", "what", "stored", "derived"),
    [
        ("UPDATE seats SET score = 7 WHERE seat = 1", "score", 7, 2),
        ("UPDATE seats SET rank = 1 WHERE seat = 0", "rank", 1, 2),
        ("UPDATE seats SET hands = 4 WHERE seat = 1", "hands", 4, 5),
        ("UPDATE seats SET decisions = 4 WHERE seat = 1", "decisions", 4, 3),
        ("UPDATE seats SET purse = 4 WHERE seat = 1", "purse", 4, None),
        ("UPDATE faults SET kind = 'timeout'", "kind", "timeout", "crash"),
        ("UPDATE faults SET kind = 'sloth'", "kind", "sloth", "crash"),
    ],
)
def test_a_stored_number_that_its_records_contradict_is_found(
    store: Store, sql: str, what: str, stored: object, derived: object
):
    bots = made_bots(store, "ann", "bob")
    season = made_season(store, bots)
    record = made_record([1, 2], faults={0: ["crash"]})
    save_match(store, season.id, made_match(KEY, [bot.id for bot in bots], record))
    change(store, sql)
    (checked,) = checked_matches(store, season.id)
    (difference,) = checked.differences
    assert (difference.what, difference.stored, difference.derived) == (what, stored, derived)
    assert difference.where.startswith(f"{KEY}, ")


def test_a_fault_that_was_taken_away_is_missed(store: Store):
    bots = made_bots(store, "ann", "bob")
    season = made_season(store, bots)
    record = made_record([1, 2], faults={0: ["crash"]})
    save_match(store, season.id, made_match(KEY, [bot.id for bot in bots], record))
    change(store, "DELETE FROM faults")
    (checked,) = checked_matches(store, season.id)
    (difference,) = checked.differences
    assert difference.where == f"{KEY}, fault at turn 1 of game 1"


def test_a_record_that_was_damaged_is_told_and_the_others_are_still_checked(store: Store):
    bots = made_bots(store, "ann", "bob")
    season = made_season(store, bots)
    other = "friday/0001/t01/r1/b"
    for key in (KEY, other):
        save_match(store, season.id, made_match(key, [bot.id for bot in bots], made_record([1, 2])))
    change(store, "UPDATE records SET data = 'nonsense' WHERE match_id = 1")
    damaged, whole = checked_matches(store, season.id)
    assert (damaged.records, whole.differences) == ((), ())
    (difference,) = damaged.differences
    assert f"game 1 of match {KEY} can't be read" in str(difference)
    with pytest.raises(DamagedRecord, match="game 1"):
        store.records(KEY)


@pytest.mark.parametrize(
    "change_record",
    [
        None,
        lambda record: replace(record, seats=9),
        lambda record: replace(record, struck_out=(1,)),
        lambda record: replace(record, over=replace(record.over, scores=(2, 1))),
    ],
)
def test_a_record_that_contradicts_itself_is_found(
    store: Store, change_record: Callable[[Record], Record] | None
):
    bots = made_bots(store, "ann", "bob")
    season = made_season(store, bots)
    record = made_record([1, 2])
    save_match(store, season.id, made_match(KEY, [bot.id for bot in bots], record))
    with store.database.writing() as session:
        session.execute(delete(RecordRow))
        if change_record is not None:
            data = packed(change_record(record))
            session.add(RecordRow(match_id=1, number=0, seating=[0, 1], data=data))
    (checked,) = checked_matches(store, season.id)
    assert checked.differences
    assert all(difference.where.startswith(KEY) for difference in checked.differences)


def test_a_season_that_is_not_rated_leaves_no_ratings_and_moves_none(store: Store):
    bots = made_bots(store, "ann", "bob")
    ids = [bot.id for bot in bots]
    for number, rated in ((1, True), (2, False), (3, True)):
        season = made_season(store, bots, rated=rated)
        assert season.rated == rated
        match = made_match(f"friday/{number:04}/t01/r1/a", ids, made_record([1, 2]))
        save_match(store, season.id, match)
    store.refresh_ratings("friday")
    assert store.check_ratings("friday") == []
    (open_hands,) = [season for season in store.seasons("friday") if not season.rated]
    assert all(line.rating is None for line in standings(store, "friday", 2).standings)
    rated = [s for s in store.seasons("friday") if s.id != open_hands.id]
    current = fold([r for season in rated for r in store.results(season.id)]).current
    assert shown_ratings(standings(store, "friday", 3).standings) == current


def test_a_rating_in_a_season_that_is_not_rated_is_found(store: Store):
    bots = made_bots(store, "ann", "bob")
    season = made_season(store, bots, rated=False)
    ids = [bot.id for bot in bots]
    save_match(store, season.id, made_match(KEY, ids, made_record([1, 2])))
    change(store, "UPDATE seats SET mu = 30, sigma = 2 WHERE seat = 1")
    (difference,) = store.check_ratings("friday")
    assert (difference.where, difference.derived) == (f"{KEY}, seat 1", None)


def test_a_rating_that_was_changed_is_found(store: Store):
    bots = made_bots(store, "ann", "bob")
    season = made_season(store, bots)
    ids = [bot.id for bot in bots]
    save_match(store, season.id, made_match(KEY, ids, made_record([1, 2])))
    store.refresh_ratings("friday")
    change(store, "UPDATE entrants SET mu = mu + 1 WHERE version_id = 2")
    (difference,) = store.check_ratings("friday")
    assert (difference.where, difference.what) == ("season 1, version 2", "rating")

"""Seasons to which something is done while they are played: in every format, and checked by all."""

from __future__ import annotations

from pathlib import Path

import pytest

from card_arena.common.errors import UserError
from card_arena.leaderboard.bots import bot as read_bot
from card_arena.leaderboard.standings import standings as read_standings
from card_arena.ratings.trueskill_ratings import fold
from card_arena.results.proof.grammar import LedgerReader
from card_arena.results.store import Store
from card_arena.tests.killed.small_seasons import SmallTournament
from card_arena.tests.results.made import shown_ratings
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.intervened import (
    BOTS,
    FAILING,
    SEASONS,
    Enough,
    Until,
    by_the_example,
    first_cannot_be_played,
    is_sound,
    play,
    prepared,
    request,
)
from card_arena.tournament.play.runner import run_once
from card_arena.tournament.play.season import Paused
from card_arena.verify.evidence import Filed
from card_arena.verify.verify import verify_file, verify_ledger, verify_ratings, verify_season

EVERY = pytest.mark.parametrize("kind", SEASONS)


@EVERY
def test_a_bot_leaves_a_season_and_the_others_go_on(kind: str, store: Store, tmp_path: Path):
    small = SEASONS[kind]
    settings = prepared(store, tmp_path, small)
    play(store, settings, until=3)
    name = small.bots[1].name
    said = request(store, "expel", name, tournament="small", reason="it was not its author's")
    assert said == f"{name} v1 is expelled from season 1 of small: it was not its author's"
    assert said == request(store, "expel", name, tournament="small", reason="twice")
    (season,) = store.seasons("small")
    before = {result.key for result in store.results(season.id)}
    play(store, settings, until=len(before) + 1)
    play(store, settings)
    gone = store.version(name).id
    after = [result for result in store.results(season.id) if result.key not in before]
    assert all(gone not in result.versions for result in after)
    standings = store.standings(season.id)
    assert gone not in {placing.version for placing in standings[:-1]}
    is_sound(store, tmp_path)


@EVERY
def test_a_match_is_annulled_and_the_season_goes_on(kind: str, store: Store, tmp_path: Path):
    settings = prepared(store, tmp_path, SEASONS[kind])
    play(store, settings, until=3)
    (season,) = store.seasons("small")
    key = store.results(season.id)[1].key
    said = request(store, "annul", key, tournament="small", reason="the power failed")
    assert said == f"match {key} is annulled: the power failed"
    assert said == request(store, "annul", key, tournament="small", reason="twice")
    assert verify_season(store, season).differences == []
    play(store, settings, until=4)
    play(store, settings)
    assert key not in {result.key for result in store.results(season.id)}
    assert store.records(key)
    is_sound(store, tmp_path)
    last = store.results(season.id)[-1].key
    request(store, "annul", last, tournament="small", reason="found out later")
    is_sound(store, tmp_path)


def test_seasons_that_share_a_reader_of_the_ledger_are_judged_as_each_alone(
    store: Store, tmp_path: Path
):
    """The first season's ledger ends after the second one's: a match of it was annulled later."""
    settings = prepared(store, tmp_path, SEASONS["league"])
    play(store, settings)
    play(store, settings)
    seasons = store.seasons("small")
    key = store.results(seasons[0].id)[0].key
    request(store, "annul", key, tournament="small", reason="found out later")
    reader = LedgerReader("small")
    shared = [verify_season(store, season, reader=reader) for season in seasons]
    assert shared == [verify_season(store, season) for season in seasons]
    assert [report.differences for report in shared] == [[], []]
    assert shared[0].entries == shared[1].entries + 1
    assert verify_ledger(store, "small", shared[0].head, reader) == []


@EVERY
def test_a_season_is_annulled_and_the_next_one_begins_without_it(
    kind: str, store: Store, tmp_path: Path
):
    settings = prepared(store, tmp_path, SEASONS[kind])
    play(store, settings, until=3)
    said = request(store, "annul", "small/1", tournament="small", reason="wrong rules")
    assert said == "season 1 of small is annulled: wrong rules"
    (season,) = store.seasons("small")
    assert season.annulled
    assert season.finished is not None
    is_sound(store, tmp_path)
    play(store, settings)
    assert [each.number for each in store.seasons("small")] == [1, 2]
    second = store.seasons("small")[1]
    assert verify_season(store, second).differences == []
    assert verify_ratings(store, "small") == []
    assert store.ratings_before("small", 2) == {}


@pytest.mark.parametrize("kind", ["league", "gauntlet", "swiss", "cut", "stages"])
def test_a_bot_joins_a_season_that_has_begun(kind: str, store: Store, tmp_path: Path):
    small = SEASONS[kind]
    settings = prepared(store, tmp_path, small)
    play(store, settings, until=1)
    late = stage.submit(store, stage.legal("late", "spades", "first").write(tmp_path))
    store.note_build(late.id, True, "", "")
    said = request(store, "admit", "late", tournament="small", reason="its author was ill")
    assert said == "late v1 is admitted to season 1 of small"
    assert said == request(store, "admit", "late", tournament="small", reason="twice")
    play(store, settings)
    (season,) = store.seasons("small")
    assert any(late.id in result.versions for result in store.results(season.id))
    is_sound(store, tmp_path)


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        ("knockout", "its tree was drawn when it began"),
        ("contest", "all its matches were drawn when it began"),
        ("ladder", "what an epoch plays is fixed when it begins"),
    ],
)
def test_where_a_bot_can_not_join_the_order_is_declined_with_the_reason(
    kind: str, why: str, store: Store, tmp_path: Path
):
    settings = prepared(store, tmp_path, SEASONS[kind])
    play(store, settings, until=1)
    late = stage.submit(store, stage.legal("late", "spades", "first").write(tmp_path))
    store.note_build(late.id, True, "", "")
    with pytest.raises(UserError) as error:
        request(store, "admit", "late", tournament="small", reason="its author was ill")
    assert str(error.value) == (
        f"late v1 can't join season 1 of small: {why}; it can enter the next season"
    )
    assert store.interventions(store.seasons("small")[0].id) == ()


def test_ratings_after_an_annulment_are_those_of_a_store_that_never_had_the_match(
    store: Store, tmp_path: Path
):
    settings = prepared(store, tmp_path / "one", SEASONS["league"])
    play(store, settings)
    (season,) = store.seasons("small")
    results = store.results(season.id)
    key = results[len(results) // 2].key
    request(store, "annul", key, tournament="small", reason="the power failed")

    never = fold([result for result in results if result.key != key]).current
    lines = read_standings(store, "small").standings
    assert shown_ratings(lines) == never
    assert verify_ratings(store, "small") == []


def test_a_paused_tournament_goes_on_when_it_is_resumed(store: Store, tmp_path: Path):
    settings = prepared(store, tmp_path, SEASONS["league"])
    play(store, settings, until=3)
    assert request(store, "pause", "small", tournament="small", reason="an exam") == (
        "small is paused: an exam"
    )
    with pytest.raises(Paused, match=r"small is paused: an exam \(`arena season resume small`"):
        play(store, settings)
    assert request(store, "resume", "small") == "small is resumed"
    assert request(store, "resume", "small") == "small was not paused"
    play(store, settings)
    is_sound(store, tmp_path)


def test_a_bot_that_was_moved_keeps_its_results_and_its_old_name_margins_to_it(
    store: Store, tmp_path: Path
):
    settings = prepared(store, tmp_path, SEASONS["gauntlet"])
    play(store, settings, until=2)
    said = request(store, "move", "ann", name="anna", author="grace", reason="she wrote it")
    assert said == "ann is anna of grace from now on"
    assert said == request(store, "move", "ann", name="anna", author="grace", reason="twice")
    assert store.moved_to("ann") == "anna"
    play(store, settings)
    assert store.version("anna").author == "grace"
    is_sound(store, tmp_path)


def test_a_bot_that_keeps_failing_is_put_on_probation_and_sits_the_next_season_out(
    store: Store, tmp_path: Path
):
    league = SEASONS["league"]
    small = SmallTournament(
        f"{league.text}probation: true\nsanity_check: false\n", (*BOTS[:3], FAILING)
    )
    settings = prepared(store, tmp_path, small)
    play(store, settings)
    (season,) = store.seasons("small")
    (what,) = store.interventions(season.id)
    bad = store.version("bad").id
    assert (what.kind, what.version) == ("probation", bad)
    assert what.reason == "its last 10 answers were faults of one kind: malformed"
    is_sound(store, tmp_path)
    ledger = store.ledger("small")
    attempts = {key for entry in ledger if entry.kind == "attempt" for key in entry["keys"]}
    played = {entry["key"] for entry in ledger if entry.kind == "match"}
    dropped = {entry["key"] for entry in ledger if entry.kind == "void"}
    assert dropped, "the bot had been playing in other matches"
    assert (played | dropped, played & dropped) == (attempts, set())
    assert {entry["reason"] for entry in ledger if entry.kind == "void"} == {
        "a bot left the season while it was played, so its result was dropped"
    }
    with stage.Here() as pool:
        run_once(store, settings, stage.Notes(), bytes(32), pool)
    second = store.seasons("small")[1]
    (out,) = [each for each in store.entrants(second.id) if each.version_id == bad]
    assert out.sits_out.startswith("it is on probation; a new version")
    assert store.end_probation(bad)
    with stage.Here() as pool:
        run_once(store, settings, stage.Notes(), bytes(range(1, 33)), pool)
    third = store.seasons("small")[2]
    (back,) = [each for each in store.entrants(third.id) if each.version_id == bad]
    assert back.sits_out == ""


def test_a_fault_that_the_tournament_forgives_margins_to_no_probation(store: Store, tmp_path: Path):
    league = SEASONS["league"]
    forgiving = "probation: true\nsanity_check: false\nstrikes: {forgiven: [malformed]}\n"
    small = SmallTournament(f"{league.text}{forgiving}", (*BOTS[:3], FAILING))
    play(store, prepared(store, tmp_path, small))
    (season,) = store.seasons("small")
    assert store.interventions(season.id) == ()
    is_sound(store, tmp_path)
    lines = {line.bot: line for line in read_standings(store, "small").standings}
    assert lines["bad"].faults == lines["bad"].forgiven > 50
    assert lines["ann"].forgiven == 0
    page = read_bot(store, "bad")
    assert page.forgiven_counts == page.fault_counts == {"malformed": lines["bad"].faults}


@pytest.mark.parametrize("rank_by", ["points", "rating"])
def test_a_season_that_had_begun_before_an_annulment_is_followed_as_it_was_played(
    rank_by: str, store: Store, tmp_path: Path
):
    text = f"{SEASONS['league'].text}rank_by: {rank_by}\n"
    settings = prepared(store, tmp_path, SmallTournament(text, BOTS[:3]))
    play(store, settings)
    stage.submit(store, BOTS[3].write(tmp_path))

    def next_season(seed: int, until: int | None = None) -> None:
        try:
            with stage.Here() as pool:
                audience = stage.Notes() if until is None else Until(until)
                run_once(store, settings, audience, bytes([seed] * 32), pool)
        except Enough:
            pass

    next_season(2, until=1)
    first = store.seasons("small")[0]
    key = store.results(first.id)[0].key
    request(store, "annul", key, tournament="small", reason="found out later")
    next_season(2)
    assert [each.number for each in store.seasons("small") if each.finished] == [1, 2]
    next_season(3)
    paths = {}
    for season in store.seasons("small"):
        assert verify_season(store, season).differences == []
        paths[season.number] = tmp_path / f"{season.number}.zip"
        with paths[season.number].open("wb") as target:
            store.export("small", season.number, target)
        earlier = {number: Filed(path) for number, path in paths.items() if number < season.number}
        report = verify_file(paths[season.number], earlier)
        assert (report.differences, report.notes) == ([], [])
    assert verify_ratings(store, "small") == []
    if rank_by == "points":
        checked = by_the_example(*paths.values())
        assert checked.returncode == 0, checked.stdout
    third = store.seasons("small")[2]
    assert len(store.results(third.id)) == 1  # those two have yet to meet


@EVERY
def test_a_match_that_cannot_be_played_counts_for_nobody_and_the_season_goes_on(
    kind: str, store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    settings = prepared(store, tmp_path, SEASONS[kind])
    began = first_cannot_be_played(monkeypatch)
    notes = stage.Notes()
    with stage.Here() as pool:
        run_once(store, settings, notes, stage.SEED, pool)
    (season,) = store.seasons("small")
    assert season.finished
    assert began.count(began[0]) == 5
    assert began[0] not in {result.key for result in store.results(season.id)}
    (what,) = store.interventions(season.id)
    assert (what.kind, what.key) == ("unplayed", began[0])
    assert notes.said[-1] == (
        "season 1 of small ended without 1 match that could not be played and counts for nobody"
    )
    is_sound(store, tmp_path)

"""Single matches with real bots in real sandboxes."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest

from card_arena.ratings.match_results import scorecard
from card_arena.results.store import Store
from card_arena.sandbox.backends.zygote import ZygoteLauncher
from card_arena.sandbox.sandbox import SandboxBroken
from card_arena.sandbox.session.piloted_sandbox import StartedSandbox
from card_arena.tables.game import CHANCE
from card_arena.tables.record import Record
from card_arena.tables.referee import BadRecord, Step, replay
from card_arena.tables.registry import GAMES
from card_arena.tests.needs import need
from card_arena.tests.sandbox.small_system import make_small_image
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.sabotage import folder_of, sabotage
from card_arena.tests.tournament.stage import Bot
from card_arena.tournament import requirements
from card_arena.tournament.play.failures import BREAKS_ALONE
from card_arena.tournament.play.match import (
    MatchVoid,
    Ticket,
    Verdict,
    breaks_sandboxes,
    play_match,
    try_out,
)


@pytest.fixture(autouse=True)
def _tools() -> None:
    need("bwrap")


def test_a_match_gives_a_record_that_replays_to_itself(store: Store, tmp_path: Path) -> None:
    need("gcc")
    mixed = [
        stage.c("c17", 17),
        stage.python("py15", 15),
        stage.python_stdin("stdin19", 19),
        stage.shell("sh20", 20),
    ]
    versions = [stage.submit(store, bot.write(tmp_path)) for bot in mixed]
    ticket = stage.ticket(store, *versions)
    played = play_match(pickle.loads(pickle.dumps(ticket)))
    (record,) = played.records
    assert (played.key, played.leg, played.round) == ("small/0001/t01/r1/a", 1, 1)
    assert played.versions == tuple(version.id for version in versions)
    assert [step.turn for step in replay(GAMES["blackjack"], record)] == list(record.turns)
    assert not record.faults
    assert {turn.seat for turn in record.turns} == {CHANCE, 0, 1, 2, 3}


def test_a_bot_that_asks_for_the_prefix_is_asked_with_it_and_the_others_are_not(
    store: Store, tmp_path: Path
) -> None:
    bots = [stage.prefixed("pre17", 17), stage.shell("sh17", 17)]
    versions = [stage.submit(store, bot.write(tmp_path)) for bot in bots]
    (record,) = play_match(stage.ticket(store, *versions)).records
    assert not record.faults
    assert record.prefixed == (0,)
    for turn in record.turns:
        if turn.seat != CHANCE:
            assert len(turn.question.split()) == (9 if turn.seat == 0 else 5)
    assert Record.from_data(json.loads(json.dumps(record.to_data()))) == record
    assert [step.turn for step in replay(GAMES["blackjack"], record)] == list(record.turns)
    for wrong in ((), (1,), (0, 1)):
        with pytest.raises(BadRecord, match="keeps the question"):
            list(replay(GAMES["blackjack"], replace(record, prefixed=wrong)))
    for wrong in ((0, 0), (0, 2)):
        with pytest.raises(BadRecord, match="a prefix for seats that can't have one"):
            list(replay(GAMES["blackjack"], replace(record, prefixed=wrong)))


def test_the_prefix_changes_nothing_in_games_whose_questions_have_it(
    store: Store, tmp_path: Path
) -> None:
    bots = [stage.legal(name, "spades", "first") for name in ("ada", "ben")]
    versions = [
        stage.submit(store, replace(bot, prefix=bot.name == "ada").write(tmp_path)) for bot in bots
    ]
    for record in play_match(
        stage.ticket(store, *versions, game="spades", options={"max_rounds": 1})
    ).records:
        assert record.prefixed == ()
        assert "prefixed" not in record.to_data()


def test_a_bot_that_asks_for_the_prefix_is_tried_out_with_it(store: Store, tmp_path: Path) -> None:
    assert tried(store, tmp_path, stage.prefixed("pre17", 17)).ok
    bare = tried(store, tmp_path, replace(stage.prefixed("bare", 17), prefix=False))
    assert "did not answer the sample question 21 KJA KQKJA3592A 25 145" in bare.reason


def test_the_same_ticket_deals_the_same_cards(store: Store, tmp_path: Path) -> None:
    bot = stage.submit(store, stage.shell("sh17", 17).write(tmp_path))
    ticket = stage.ticket(store, bot)

    def actions(seed: bytes) -> list[str]:
        played = play_match(replace(ticket, seed=seed))
        return [turn.action for turn in played.records[0].turns]

    assert actions(stage.SEED) == actions(stage.SEED)
    assert actions(stage.SEED) != actions(bytes(32))


def test_a_bots_fault_is_in_the_record_and_voids_nothing(store: Store, tmp_path: Path) -> None:
    crash = Bot("crash", "argv", "shell", "echo oops >&2\nexit 3\n")
    bot = stage.submit(store, crash.write(tmp_path))
    played = play_match(stage.ticket(store, bot))
    (record,) = played.records
    (_, seat, fault), *_ = record.faults
    assert (seat, fault.kind) == (0, "crash")
    assert played.stderr == (("oops\n" * len(record.faults),),)
    assert record.struck_out == (0,)


def test_a_sandbox_that_breaks_voids_the_match(store: Store, tmp_path: Path) -> None:
    bot = stage.submit(store, stage.shell("sh17", 17).write(tmp_path))

    def kill_the_pilot(_: int, step: Step) -> None:
        if step.turn.seat != CHANCE:
            assert stage.break_sandboxes(os.getpid())

    with pytest.raises(MatchVoid) as caught:
        play_match(stage.ticket(store, bot), kill_the_pilot)
    assert caught.value.key == "small/0001/t01/r1/a"
    assert "pilot" in caught.value.reason
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.key, again.reason) == (caught.value.key, caught.value.reason)
    assert not stage.sandboxes(os.getpid())


def test_a_match_is_not_played_where_sandboxes_share_files_that_they_must_not(
    store: Store, tmp_path: Path
) -> None:
    bot = stage.submit(store, stage.shell("sh17", 17).write(tmp_path))
    ticket = stage.ticket(store, bot, require=("usual", "own-system"))
    requirements._examined.cache_clear()
    with stage.cache_of_its_own():
        with pytest.raises(MatchVoid, match="small requires own-system") as caught:
            play_match(ticket)
        assert "arena image build --sandbox bubblewrap" in caught.value.reason
        if os.geteuid() == 0:
            need("mksquashfs")
            make_small_image()
            requirements._examined.cache_clear()  # as a new process would begin
            assert len(play_match(ticket).records) == 1
    requirements._examined.cache_clear()


def tried(store: Store, tmp_path: Path, bot: Bot, **changes: object) -> Verdict:
    version = stage.submit(store, bot.write(tmp_path))
    return try_out(store.archive(version.id), stage.tournament(**changes).freeze())


def test_a_bot_that_answers_the_sample_question_may_play(store: Store, tmp_path: Path) -> None:
    assert tried(store, tmp_path, stage.shell("sh17", 17)).ok


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("echo hello\n", "'hello' is not an answer: expected H, S, D or B and a number"),
        ("exit 3\n", "exited with code 3"),
    ],
)
def test_a_bot_that_does_not_answer_it_sits_out(
    store: Store, tmp_path: Path, source: str, reason: str
) -> None:
    verdict = tried(store, tmp_path, Bot("bad", "argv", "shell", source))
    assert not verdict.ok
    assert "did not answer the sample question 21 KJA KQKJA3592A 25 145" in verdict.reason
    assert reason in verdict.reason


def test_nobody_is_asked_without_a_sanity_check(store: Store, tmp_path: Path) -> None:
    bad = Bot("bad", "argv", "shell", "exit 3\n")
    assert tried(store, tmp_path, bad, sanity_check=False).ok


def test_a_bot_whose_build_fails_sits_out_with_its_log(store: Store, tmp_path: Path) -> None:
    need("gcc")
    verdict = tried(store, tmp_path, Bot("bad", "argv", "c", "int main( {"))
    assert not verdict.ok
    assert verdict.reason.startswith("its build failed")
    assert "error" in verdict.log


def test_a_bot_whose_language_is_missing_is_told_what_to_install(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("card_arena.sandbox.languages.toolchains.SEARCH_PATH", str(tmp_path))
    verdict = tried(store, tmp_path, stage.c("c17", 17))
    assert not verdict.ok
    assert "apt-get install" in verdict.reason


@pytest.fixture
def pair(store: Store, tmp_path: Path) -> Ticket:
    """A match of two shell bots."""
    names = ("sound", "breaker")
    return stage.ticket(
        store, *(stage.submit(store, stage.shell(name, 17).write(tmp_path)) for name in names)
    )


def test_a_void_knows_whose_sandbox_failed_who_ran_and_whether_the_machine_works(
    pair: Ticket, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, launch = folder_of(pair.bundles[1]), ZygoteLauncher.launch

    def broken(launcher: ZygoteLauncher, *, fresh: bool) -> StartedSandbox:
        if everywhere or launcher._program.folder == folder:
            raise SandboxBroken("it is in pieces")
        return launch(launcher, fresh=fresh)

    monkeypatch.setattr(ZygoteLauncher, "launch", broken)
    for everywhere, expected in (  # noqa: B007 - read by `broken`
        (False, (1, (0, 1), True, False)),
        (True, (0, (0,), False, True)),
    ):
        with pytest.raises(MatchVoid) as caught:
            play_match(pair)
        for void in (caught.value, pickle.loads(pickle.dumps(caught.value))):
            known = (void.broken, tuple(void.running), void.machine_works, void.by_the_arena)
            assert known == expected
            assert "it is in pieces" in void.reason

    everywhere = False
    played = play_match(replace(pair, without_sandbox={1: BREAKS_ALONE}))
    turns = [turn for record in played.records for turn in record.turns if turn.fault]
    assert {turn.fault.kind for turn in turns} == {"crash"}
    result = scorecard(played.records, played.seatings, played.sides)
    assert [tally.rank for tally in result.tallies] == [1, 2]


@pytest.mark.parametrize("fails", ["its own", "its neighbour's", "none"])
def test_a_bot_is_tried_among_harmless_programs_for_breaking_its_own_or_anothers_sandbox(
    pair: Ticket, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    """Whatever fails is the doing of the only bot there; the other entrant takes no part."""
    other, tried = map(folder_of, pair.bundles)
    seen = set[Path]()

    def rule(folder: Path, beside: Collection[Path]) -> bool:
        seen.add(folder)
        return fails == ("its own" if folder == tried else "its neighbour's" if beside else "")

    sabotage(monkeypatch, rule)
    assert breaks_sandboxes(pair, 1) is (fails != "none")
    assert tried in seen
    assert other not in seen


def test_in_a_trial_nobody_is_named_where_the_machine_fails(
    pair: Ticket, monkeypatch: pytest.MonkeyPatch
) -> None:
    sabotage(monkeypatch, lambda folder, beside: True)
    with pytest.raises(MatchVoid) as caught:
        breaks_sandboxes(pair, 1)
    assert not caught.value.machine_works

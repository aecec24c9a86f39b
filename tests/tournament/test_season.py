"""Whole seasons, played by real bots in real sandboxes, interrupted and not."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Collection
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from card_arena.leaderboard.standings import standings as read_standings
from card_arena.results.bots import UnknownBot
from card_arena.results.records import Finished
from card_arena.results.store import Store
from card_arena.sandbox.backends.zygote import ZygoteLauncher
from card_arena.sandbox.sandbox import SandboxBroken
from card_arena.sandbox.session.piloted_sandbox import StartedSandbox
from card_arena.tables.dealing import commitment
from card_arena.tests.needs import need
from card_arena.tests.results.fresh import fresh_store
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.sabotage import folder_of, sabotage
from card_arena.tests.tournament.stage import Notes
from card_arena.tests.verify.example import run as run_example
from card_arena.tests.verify.forging import Parts, put_together, taken_apart
from card_arena.tournament.play import schedules, season
from card_arena.tournament.play.failures import SeasonStopped
from card_arena.tournament.play.lineup import BadLineUp
from card_arena.tournament.play.match import MatchVoid, Ticket, finish_match
from card_arena.tournament.play.pool import FairQueue, Task
from card_arena.tournament.play.runner import run, run_once
from card_arena.tournament.settings import Tagged, settings_of
from card_arena.verify.verify import verify_file, verify_season


@pytest.fixture
def bots(store: Store, tmp_path: Path) -> Path:
    """Five quick bots in the store."""
    need("bwrap")
    folder = tmp_path / "bots"
    for limit in (12, 14, 16, 18, 20):
        stage.submit(store, stage.shell(f"sh{limit}", limit).write(folder))
    return folder


def test_a_tournament_is_played_from_its_settings_to_its_standings(
    store: Store, bots: Path, notes: Notes
) -> None:
    run_once(store, stage.tournament(), notes, stage.SEED)
    table = read_standings(store, "small")
    assert (notes.began, notes.ended) == ([(1, False)], [1])
    assert table.season.state == "finished"
    assert table.season.seed == stage.SEED.hex()
    assert table.season.commitment == commitment(stage.SEED)
    assert [line.matches for line in table.standings] == [4] * 5
    assert all(line.points is not None for line in table.standings)
    assert all(line.rating is not None for line in table.standings)
    assert notes.headway[-1].played == 8
    assert notes.headway[-1].to_come == 0
    assert notes.headway[-1].decisions == sum(line.decisions for line in table.standings)


def test_who_cannot_play_sits_out_and_the_reason_is_kept(
    store: Store, bots: Path, notes: Notes
) -> None:
    mute = stage.Bot("mute", "argv", "shell", "exit 1\n")
    stage.submit(store, mute.write(bots))
    run_once(store, stage.tournament(legs=1, rounds=1), notes, pool=stage.Here())
    last = read_standings(store, "small").standings[-1]
    assert last.bot == "mute"
    assert "did not answer the sample question" in last.sits_out
    assert last.matches == 0
    (trial,) = [trial for trial in notes.trials if not trial.verdict.ok]
    assert trial.verdict.reason == last.sits_out


def standings(store: Store) -> list[tuple[object, ...]]:
    table = read_standings(store, "small")
    return [
        (line.rank, line.bot, line.points, line.rating, line.matches, line.hands)
        for line in table.standings
    ]


@pytest.fixture
def undisturbed(tmp_path: Path, bots: Path) -> list[tuple[object, ...]]:
    """The standings of the season that nobody interrupts."""
    calm = fresh_store(tmp_path / "calm.db")
    for folder in sorted(bots.iterdir(), key=lambda path: path.name):
        stage.submit(calm, folder)
    run_once(calm, stage.tournament(), Notes(), stage.SEED, stage.Here())
    found = standings(calm)
    calm.close()
    return found


def test_an_interrupted_season_is_finished_and_nothing_is_played_twice(
    store: Store, bots: Path, notes: Notes, undisturbed: list[tuple[object, ...]]
) -> None:
    class Tired(Notes):
        def advances(self, headway: season.Headway) -> None:
            super().advances(headway)
            if headway.played >= 3:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_once(store, stage.tournament(), Tired(), stage.SEED)
    (interrupted,) = store.seasons("small")
    kept = {result.key for result in store.results(interrupted.id)}
    assert 3 <= len(kept) < 8

    changed = stage.tournament(rounds=9)  # what a season began with stays
    run(store, [changed], notes)
    assert (notes.began, notes.ended) == ([(1, True)], [1])
    assert notes.headway[0].played > len(kept)
    assert notes.headway[-1].played == 8
    assert standings(store) == undisturbed


def test_a_format_may_go_by_the_results_of_earlier_seasons(
    store: Store, bots: Path, notes: Notes
) -> None:
    small = stage.tournament(legs=1, rounds=1)
    for _ in range(2):
        with stage.Here() as pool:
            run_once(store, small, notes, pool=pool)
    first, second = store.seasons("small")
    assert schedules.past_of(store, first).results() == []
    assert tuple(schedules.past_of(store, second).results()) == tuple(store.results(first.id))
    players = schedules.players_of(store, second)
    assert [player.bot for player in players] == ["sh12", "sh14", "sh16", "sh18", "sh20"]
    assert {player.author for player in players} == {"ada"}


class Gone(Notes):
    """Kills its season as soon as it has begun."""

    def begins(self, season: stage.Season, *, again: bool) -> None:
        raise KeyboardInterrupt


@pytest.mark.parametrize("again", [None, stage.SEED])
def test_once_said_again_finishes_what_was_interrupted(
    store: Store, bots: Path, notes: Notes, again: bytes | None
) -> None:
    with pytest.raises(KeyboardInterrupt):
        run_once(store, stage.tournament(), Gone(), stage.SEED, stage.Here())
    run_once(store, stage.tournament(), notes, again, stage.Here())
    assert notes.began == [(1, True)]
    assert notes.said == ["season 1 of small was interrupted; resuming, and no new season begins"]
    assert [season.finished is None for season in store.seasons("small")] == [False]


def test_once_with_a_seed_of_its_own_plays_that_after_what_was_interrupted(
    store: Store, bots: Path, notes: Notes
) -> None:
    with pytest.raises(KeyboardInterrupt):
        run_once(store, stage.tournament(), Gone(), pool=stage.Here())
    small = stage.tournament(legs=1, rounds=1)
    run_once(store, small, notes, stage.SEED, stage.Here())
    assert notes.began == [(1, True), (2, False)]
    run_once(store, small, notes, stage.SEED, stage.Here())
    assert notes.said[-1] == "small had this seed before: all its packs are known"


def test_a_tournament_without_a_schedule_is_played_once(
    store: Store, bots: Path, notes: Notes
) -> None:
    small = stage.tournament(legs=1, rounds=1)
    run(store, [small], notes, pool=stage.Here())
    run(store, [small], notes, pool=stage.Here())
    assert notes.ended == [1]


def test_a_sandbox_that_breaks_once_costs_nobody_anything(
    store: Store, bots: Path, notes: Notes, undisturbed: list[tuple[object, ...]]
) -> None:
    class Clumsy(Notes):
        """Breaks sandboxes, one moment after another, until one of them was in use."""

        hammer: Thread | None = None

        def advances(self, headway: season.Headway) -> None:
            super().advances(headway)
            if self.hammer is None:
                self.hammer = Thread(target=self.strike, daemon=True)
                self.hammer.start()

        def strike(self) -> None:
            while not self.said and not self.ended:
                stage.break_sandboxes(os.getpid())
                time.sleep(0.02)

    clumsy = Clumsy()
    run_once(store, stage.tournament(), clumsy, stage.SEED)
    assert "is void and is played again" in clumsy.said[0]
    assert standings(store) == undisturbed
    assert not any(line.faults for line in read_standings(store, "small").standings)


def test_a_match_that_is_void_again_and_again_stops_the_season_with_its_name(
    store: Store, bots: Path, notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no sandbox stands, a harmless program's neither, no bot is blamed."""
    launch, broken = ZygoteLauncher.launch, []

    def nowhere(launcher: ZygoteLauncher, *, fresh: bool) -> StartedSandbox:
        if broken:
            raise SandboxBroken("the machine is in pieces")
        return launch(launcher, fresh=fresh)

    class Broken(Notes):
        """Lets the bots pass their trials first."""

        def begins(self, season: stage.Season, *, again: bool) -> None:
            broken.append(True)

    monkeypatch.setattr(ZygoteLauncher, "launch", nowhere)
    wanted = r"match small/0001/t0\d/r1/. could not be played in 5 attempts.*in pieces"
    with stage.Here() as pool, pytest.raises(SeasonStopped, match=wanted):
        run_once(store, stage.tournament(), Broken(), pool=pool)
    (stopped,) = store.seasons("small")
    assert stopped.finished is None
    assert not store.results(stopped.id)
    assert not any(line.faults for line in read_standings(store, "small").standings)


def test_a_worker_that_is_killed_costs_nobody_anything(
    store: Store, bots: Path, undisturbed: list[tuple[object, ...]]
) -> None:
    class Killer(Notes):
        killed = False

        def advances(self, headway: season.Headway) -> None:
            super().advances(headway)
            if not self.killed:
                stage.workers(os.getpid())[0].kill()
                self.killed = True

    killer = Killer()
    run_once(store, stage.tournament(), killer, stage.SEED)
    assert killer.killed
    assert standings(store) == undisturbed


@pytest.mark.parametrize(
    ("entrants", "error", "message"),
    [
        (("sh12", "sh21"), UnknownBot, "no bot is called 'sh21'; did you mean"),
        (("sh12@4",), UnknownBot, "sh12 has no version '4': its newest is 1"),
        (
            ("sh12", "sh12@1"),
            BadLineUp,
            "sh12 and sh12@1 are both entered in small, but are the same version",
        ),
        (Tagged(tags=("ghost",)), BadLineUp, "no bot is entered in small: no bot .* tagged ghost"),
    ],
)
def test_wrong_entrants_are_told_when_the_season_would_start(
    store: Store,
    bots: Path,
    notes: Notes,
    entrants: object,
    error: type[Exception],
    message: str,
) -> None:
    with pytest.raises(error, match=message):
        run_once(store, stage.tournament(entrants=entrants), notes)
    assert not store.seasons("small")


def test_a_bot_of_another_game_is_not_let_in(store: Store, bots: Path, notes: Notes) -> None:
    folder = stage.shell("chess", 17).write(bots)
    text = (folder / "bot.yaml").read_text().replace("blackjack", "chess")
    (folder / "bot.yaml").write_text(text)
    stage.submit(store, folder)
    with pytest.raises(BadLineUp, match="small: chess v1 plays chess and not blackjack"):
        run_once(store, stage.tournament(entrants=["chess"]), notes, pool=stage.Here())
    run_once(store, stage.tournament(legs=1, rounds=1), notes, pool=stage.Here())
    assert len(notes.trials) == 5


def test_a_season_that_nobody_can_play_does_not_begin(
    store: Store, tmp_path: Path, notes: Notes
) -> None:
    need("bwrap")
    mute = stage.Bot("mute", "argv", "shell", "exit 1\n")
    stage.submit(store, mute.write(tmp_path / "bots"))
    with pytest.raises(BadLineUp, match="no bot entered in small can play") as caught:
        run_once(store, stage.tournament(), notes)
    assert "mute v1 sits out: it did not answer the sample question" in str(caught.value)
    assert not store.seasons("small")


def test_entrants_can_be_chosen_by_tag(store: Store, bots: Path, notes: Notes) -> None:
    for name in ("one", "two"):
        stage.submit(store, stage.shell(name, 17).write(bots))
        store.tag(name, ["mine"])
    run_once(
        store, stage.tournament(entrants=Tagged(tags=("mine", "yours"))), notes, pool=stage.Here()
    )
    names = {line.bot for line in read_standings(store, "small").standings}
    assert names == {"one", "two"}


def test_an_authors_own_tags_enter_a_bot_in_nothing(store: Store, bots: Path, notes: Notes) -> None:
    stage.submit(store, stage.shell_tagged("stranger", 17, "house").write(bots))
    with pytest.raises(BadLineUp, match=r"no bot is entered in small: .* tagged house by the"):
        run_once(store, stage.tournament(entrants=Tagged(tags=("house",))), notes)
    assert store.version("stranger").tags == ("house",)


def test_playing_without_sandboxes_is_said_aloud(store: Store, bots: Path, notes: Notes) -> None:
    run_once(store, stage.tournament(sandbox="bare", legs=1, rounds=1), notes, pool=stage.Here())
    assert "played without sandboxes" in notes.said[0]
    assert notes.ended == [1]


PAIRS = settings_of(
    {
        "name": "small",
        "game": "blackjack",
        "seats": 2,
        "options": {"hands": 2},
        "boards": 1,
        "format": {"league": {"meetings": 1}},
        "limits": {"cpu": "20s"},
        "clock": {"question": "20s", "start": "60s"},
    }
)
"""A league in which every two bots meet once."""

Denials = list[dict[str, Any]]


def without_trials(parts: Parts, denials: Denials) -> None:
    parts.ledger[:] = [entry for entry in parts.ledger if entry["kind"] != "trial"]


def for_another_reason(parts: Parts, denials: Denials) -> None:
    for facts in denials:
        facts.update(bots=2, matches=2)


def once_for_another_reason(parts: Parts, denials: Denials) -> None:
    for_another_reason(parts, denials[:1])


def in_impossible_numbers(parts: Parts, denials: Denials) -> None:
    for facts in denials:
        facts["matches"] = 7


def with_a_cause(parts: Parts, denials: Denials) -> None:
    for facts in denials:
        facts["cause"] = "busy"


FORGERIES = (
    (without_trials, "follows no trial"),
    (for_another_reason, "the ledger does not tell why"),
    (once_for_another_reason, "in a part of the match"),
    (in_impossible_numbers, "can't be a fault of this kind"),
    (with_a_cause, "can't be a fault of this kind"),
)
"""What somebody may do to the faults of a bot without a sandbox, and what both verifiers say."""

BESIDE = "sandboxes fail where it is the only bot beside harmless programs"


@pytest.mark.parametrize("fails", ["its own", "its neighbour's"])
def test_a_bot_that_alone_makes_sandboxes_fail_plays_without_one_and_the_others_go_on(
    store: Store, tmp_path: Path, bots: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    attacker = store.version("sh20")
    folder = folder_of(store.archive(attacker.id))
    begun: list[bool] = []

    def rule(its: Path, beside: Collection[Path]) -> bool:
        return bool(begun) and (its == folder if fails == "its own" else folder in beside)

    class Late(Notes):
        """Lets the bot pass its trial first."""

        def begins(self, season: stage.Season, *, again: bool) -> None:
            begun.append(True)

    sabotage(monkeypatch, rule)
    late = Late()
    with stage.Here() as pool:
        run_once(store, stage.tournament(legs=1, rounds=2), late, stage.SEED, pool=pool)
    assert [said for said in late.said if "gets no sandbox" in said] == [
        f"sh20 v1 gets no sandbox from now on: {BESIDE}"
    ]
    faults = {line.bot: line.faults for line in read_standings(store, "small").standings}
    assert [bot for bot, number in faults.items() if number] == ["sh20"]
    (season,) = store.seasons("small")
    assert season.finished
    assert store.interventions(season.id) == ()
    assert store.without_sandbox(season.id) == {attacker.id: BESIDE}
    told = [entry for entry in store.ledger("small") if entry.kind == "void"]
    assert len(told) == 5
    for entry in told:
        who, _, running = entry["reason"].partition(". Running at that moment: ")
        assert re.fullmatch(r"the sandbox of sh\d\d v1 failed \(.*pilot.*\)", who)
        assert ("sh20" in who) == (fails == "its own")
        assert "sh20 v1" in running.split(", ")
    assert verify_season(store, season).differences == []
    file = tmp_path / "small.zip"
    with file.open("wb") as target:
        store.export("small", 1, target)
    code, said = run_example(file)
    assert code == 0, said
    for forge, wrong in FORGERIES:
        parts = taken_apart(file)
        records = [record["turns"] for match in parts.matches for record in match["records"]]
        faults = [fault for turns in records for _, fault in turns["fault"]]
        forge(parts, [fault["facts"] for fault in faults if fault["code"] == "no-sandbox"])
        parts.cover_up()
        forged = put_together(parts, tmp_path / "forged.zip")
        code, said = run_example(forged)
        assert (code, wrong in said) == (1, True), said
        assert wrong in "\n".join(verify_file(forged).differences)


def test_accomplices_that_behave_in_a_trial_stop_no_season_and_cost_no_innocent_its_sandbox(
    store: Store, tmp_path: Path, notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The matches that they spoil count for nobody, until two innocents have failed beside one."""
    need("bwrap")
    for limit, author in ((12, "eve"), (14, "eve"), (16, "ann"), (18, "bob")):
        folder = stage.shell(f"sh{limit}", limit).write(tmp_path / "bots")
        stage.submit(store, folder, author)
    versions = {name: store.version(name) for name in ("sh12", "sh14", "sh16", "sh18")}
    folders = {name: folder_of(store.archive(each.id)) for name, each in versions.items()}
    attackers, innocents = {folders["sh12"], folders["sh14"]}, {*folders.values()}
    innocents -= attackers
    begun: list[bool] = []

    class Late(Notes):
        def begins(self, season: stage.Season, *, again: bool) -> None:
            begun.append(True)

    sabotage(
        monkeypatch,
        lambda its, beside: bool(begun) and its in innocents and not attackers.isdisjoint(beside),
    )
    late = Late()
    with stage.Here() as pool:
        run_once(store, PAIRS, late, stage.SEED, pool=pool)
    (season,) = store.seasons("small")
    assert season.finished
    left_out = [each.key for each in store.interventions(season.id) if each.kind == "unplayed"]
    assert len(left_out) == 2, "one for each attacker, and with the second innocent it is named"
    named = {said.partition(" gets no sandbox in match ")[0] for said in late.said} & {
        version.label for version in versions.values()
    }
    assert named == {"sh12 v1", "sh14 v1"}
    faults = {line.bot for line in read_standings(store, "small").standings if line.faults}
    assert faults == {"sh12", "sh14"}
    assert late.said[-1] == (
        "season 1 of small ended without 2 matches that could not be played and count for nobody"
    )
    assert verify_season(store, season).differences == []


class Crowded(stage.Here):
    """A pool in which other matches always run beside those that are not played alone."""

    def __init__(self, beside: int) -> None:
        self.beside = beside
        self.alone: list[bool] = []
        super().__init__()

    def enter(self, queue: FairQueue, task: Task) -> None:
        self.alone.append(task.alone)
        super().enter(queue, task)
        error = task.future.exception()
        if isinstance(error, MatchVoid) and not task.alone:
            error.beside = {self.beside}


@pytest.mark.parametrize("guilty", [True, False])
def test_a_match_that_fails_beside_others_is_played_alone_and_who_ran_there_is_tried(
    store: Store, bots: Path, notes: Notes, monkeypatch: pytest.MonkeyPatch, guilty: bool
) -> None:
    elsewhere = store.version("sh20")
    monkeypatch.setattr(season, "breaks_sandboxes", lambda *_: guilty)

    def attempt(ticket: Ticket) -> Finished:
        if elsewhere.id not in ticket.pairing.versions and not pool.alone[-1]:
            raise MatchVoid(ticket.pairing.key, "the pilot has gone", 0, (0,))
        return finish_match(ticket)

    monkeypatch.setattr(season, "finish_match", attempt)
    with Crowded(elsewhere.id) as pool:
        run_once(store, PAIRS, notes, stage.SEED, pool=pool)
    (played,) = store.seasons("small")
    assert played.finished
    assert store.interventions(played.id) == ()
    void = next(entry for entry in store.ledger("small") if entry.kind == "void")
    assert void["reason"].endswith("; in other matches: sh20 v1")
    assert [*store.without_sandbox(played.id)] == ([elsewhere.id] if guilty else [])
    faults = {line.bot for line in read_standings(store, "small").standings if line.faults}
    assert faults == ({"sh20"} if guilty else set())

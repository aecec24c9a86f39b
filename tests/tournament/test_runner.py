"""What is due when, and waiting for it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from card_arena.leaderboard.plans import announcement, announcements
from card_arena.results.database import Database
from card_arena.results.entries import Season
from card_arena.results.lease import AlreadyRunning, Lease
from card_arena.results.store import Store
from card_arena.tests.needs import need
from card_arena.tests.season_settings import season_settings
from card_arena.tests.tournament import stage
from card_arena.tournament.play import runner
from card_arena.tournament.play.failures import SeasonStopped
from card_arena.tournament.play.lineup import BadLineUp
from card_arena.tournament.play.runner import due_times, wait_until
from card_arena.tournament.play.season import Headway
from card_arena.tournament.settings import settings_of
from card_arena.verify.verify import verify_season

FRIDAY = datetime(2026, 11, 20, 20, tzinfo=UTC)
WEEK = timedelta(days=7)


def season(due: datetime) -> Season:
    settings = season_settings({})
    return Season(1, "small", 1, settings, True, bytes(32), due, due, due, "", "seed", 1)


def scheduled(missed: str = "run_once") -> stage.Settings[object]:
    return stage.tournament(schedule={"cron": "0 20 * * FRI", "missed": missed})


def test_without_a_schedule_one_season_is_due() -> None:
    once = stage.tournament()
    assert due_times([], once, FRIDAY, FRIDAY) == (FRIDAY,)
    assert due_times([season(FRIDAY)], once, FRIDAY + WEEK, FRIDAY) == ()


def test_a_new_tournament_waits_for_its_first_due_time() -> None:
    before = FRIDAY - timedelta(hours=1)
    assert due_times([], scheduled("run_all"), before, before) == ()
    assert due_times([], scheduled(), FRIDAY, before) == (FRIDAY,)


@pytest.mark.parametrize(("missed", "count"), [("run_once", 1), ("run_all", 3), ("skip", 0)])
def test_missed_runs_are_made_up_for_as_the_tournament_says(missed: str, count: int) -> None:
    now = FRIDAY + 3 * WEEK
    due = due_times([season(FRIDAY)], scheduled(missed), now, now)
    assert due == tuple(FRIDAY + WEEK * number for number in (1, 2, 3))[3 - count :]


def test_a_season_played_by_hand_stands_in_for_the_runs_missed_before_it() -> None:
    by_hand = season(FRIDAY + timedelta(hours=2))
    assert due_times([by_hand], scheduled(), FRIDAY + timedelta(hours=3), FRIDAY) == ()


def test_a_tournament_that_cannot_be_played_does_not_keep_the_others_from_it(
    store: Store, tmp_path: Path
) -> None:
    stage.submit(store, stage.shell("lim17", 17).write(tmp_path))
    broken = stage.tournament(name="broken", entrants=["ghost"])
    sound = stage.tournament(name="sound", legs=1, rounds=1)
    notes = stage.Notes()
    kept = runner.run(store, [broken, sound], notes, wait=False)
    assert [str(error) for error in kept.values()] == [
        f"{name}: no bot is called 'ghost'" for name in kept
    ]
    assert list(kept) == ["broken"]
    assert [season.finished is not None for season in store.seasons("sound")] == [True]
    assert {each.name: each.seasons for each in announcements(store)} == {
        "broken": 0,
        "sound": 1,
    }
    assert announcement(store, "sound").settings == sound.freeze()


def test_only_the_tournaments_that_there_are_stay_announced(store: Store) -> None:
    gone, here = (
        stage.tournament(name=name, schedule={"cron": "0 20 29 2 *"}) for name in ("gone", "here")
    )
    runner.run(store, [gone], stage.Notes(), wait=False, all_there_are=True)
    runner.run(store, [here], stage.Notes(), wait=False)
    assert [each.name for each in announcements(store)] == ["gone", "here"]
    runner.run(store, [here], stage.Notes(), wait=False, all_there_are=True)
    assert [each.name for each in announcements(store)] == ["here"]


def test_waiting_follows_a_clock_that_is_put_forward(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    class Clock(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return FRIDAY - WEEK if len(slept) < 3 else FRIDAY

    monkeypatch.setattr(runner, "datetime", Clock)
    monkeypatch.setattr(runner.time, "sleep", slept.append)
    wait_until(FRIDAY)
    assert slept == [2.0, 2.0, 2.0]


def test_one_program_at_a_time_runs_a_databases_tournaments(store: Store) -> None:
    other = Database(str(store.database.url))
    with (
        Lease(store.database),
        pytest.raises(AlreadyRunning, match=r"arena\.db"),
        Lease(other),
    ):
        pass
    with Lease(other):
        pass
    other.close()


class Enough(Exception):
    """A test has seen what it wanted to see."""


class Diary(stage.Notes):
    """Notes which tournaments' seasons were being played when each match was stored."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[tuple[str, str]] = []

    def begins(self, season: Season, *, again: bool) -> None:
        super().begins(season, again=again)
        self.events.append(("begins", season.tournament))

    def advances(self, headway: Headway) -> None:
        super().advances(headway)
        self.events.append(("goes on", headway.season.tournament))

    def ends(self, season: Season) -> None:
        super().ends(season)
        self.events.append(("ends", season.tournament))


@pytest.fixture
def gamblers(store: Store, tmp_path: Path) -> None:
    need("bwrap")
    for limit in (14, 17):
        stage.submit(store, stage.shell(f"lim{limit}", limit).write(tmp_path))


@pytest.mark.usefixtures("gamblers")
def test_a_long_season_does_not_delay_a_short_one(store: Store) -> None:
    long = stage.tournament(name="long", legs=40, rounds=2)
    short = stage.tournament(name="short", legs=1, rounds=2)
    diary = Diary()
    assert not runner.run(store, [long, short], diary, wait=False)
    assert [event for event in diary.events if event[0] == "ends"] == [
        ("ends", "short"),
        ("ends", "long"),
    ]
    for name in ("long", "short"):
        (season,) = store.seasons(name)
        assert not verify_season(store, season).differences


@pytest.mark.usefixtures("gamblers")
def test_trials_of_one_tournament_do_not_stop_the_matches_of_another(
    store: Store, tmp_path: Path
) -> None:
    class Watching(Diary):
        def advances(self, headway: Headway) -> None:
            super().advances(headway)
            raise Enough

    slow = stage.Bot("slow", "argv", "shell", "sleep 15\necho S\n", tags=("slow",))
    stage.submit(store, slow.write(tmp_path))
    trying = stage.tournament(name="atrial", entrants=["slow"], legs=1, rounds=1, workers=1)
    playing = stage.tournament(name="match", entrants=["lim14", "lim17"], legs=2, rounds=2)
    diary = Watching()
    with pytest.raises(Enough):
        runner.run(store, [trying, playing], diary, wait=False)
    assert diary.events == [("begins", "match"), ("goes on", "match")]


@pytest.mark.usefixtures("gamblers")
def test_a_season_that_stops_leaves_the_others_to_be_played(
    store: Store,
) -> None:
    class Stopping(stage.Notes):
        def advances(self, headway: Headway) -> None:
            if headway.season.tournament == "stops":
                raise SeasonStopped("match stops/0001 could not be played")

    stops, sound = (
        stage.tournament(name=name, legs=legs, rounds=2)
        for name, legs in (("stops", 1), ("sound", 40))
    )
    notes = Stopping()
    with stage.Here() as pool:
        kept = runner.run(store, [stops, sound], notes, wait=False, pool=pool)
    assert notes.stopped == ["stops"]
    assert "stops could not be played: match stops/0001 could not be played" in notes.said
    assert {name: str(error) for name, error in kept.items()} == {
        "stops": "match stops/0001 could not be played"
    }
    (stopped,), (finished,) = store.seasons("stops"), store.seasons("sound")
    assert stopped.finished is None
    assert finished.finished is not None
    assert not runner.run(store, [stops, sound], stage.Notes(), wait=False)
    assert [season.finished is not None for season in store.seasons("stops")] == [True]


@pytest.mark.usefixtures("gamblers")
def test_a_tournament_that_is_always_due_plays_season_after_season_beside_the_others(
    store: Store,
) -> None:
    class Watching(Diary):
        def ends(self, season: Season) -> None:
            super().ends(season)
            if self.events.count(("ends", "chain")) >= 3 and ("ends", "contest") in self.events:
                raise Enough

    always = stage.tournament(name="chain", schedule="always", legs=1, rounds=1)
    contest = stage.tournament(name="contest", legs=2, rounds=2)
    diary = Watching()
    with pytest.raises(Enough):
        runner.run(store, [always, contest], diary)
    seasons = store.seasons("chain")
    assert [season.number for season in seasons][:3] == [1, 2, 3]
    assert seasons[0].finished is not None
    assert seasons[1].due >= seasons[0].finished


@pytest.mark.usefixtures("gamblers")
def test_until_idle_plays_one_season_of_a_tournament_that_is_always_due(store: Store) -> None:
    always = stage.tournament(name="chain", schedule="always", legs=1, rounds=1)
    for seasons in (1, 2):
        assert not runner.run(store, [always], stage.Notes(), wait=False)
        assert len(store.seasons("chain")) == seasons


@pytest.fixture
def waited(monkeypatch: pytest.MonkeyPatch) -> list[timedelta]:
    """How long a run wants to wait; it ends with `Enough` in place of waiting."""
    found: list[timedelta] = []

    def waiting(moment: datetime, interrupted: object) -> None:
        found.append(moment - datetime.now(UTC))
        raise Enough

    monkeypatch.setattr(runner, "wait_until", waiting)
    return found


def nothing_to_play(planner: object) -> tuple[()]:
    return ()


@pytest.mark.usefixtures("gamblers")
def test_a_tournament_that_is_always_due_rests_when_it_has_nothing_to_play(
    store: Store, waited: list[timedelta], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("card_arena.formats.contest._ForChips.open", nothing_to_play)
    always = stage.tournament(name="chain", schedule="always")
    notes = stage.Notes()
    with pytest.raises(Enough):
        runner.run(store, [always], notes)
    assert notes.ended == [1]
    assert runner.REST - timedelta(minutes=1) < waited[0] <= runner.REST


def test_a_tournament_that_is_always_due_rests_when_nobody_can_play(
    store: Store, waited: list[timedelta]
) -> None:
    notes = stage.Notes()
    with pytest.raises(Enough):
        runner.run(store, [stage.tournament(name="chain", schedule="always")], notes)
    assert notes.said[0].startswith("chain could not be played: no bot is entered in chain")
    assert runner.REST - timedelta(minutes=1) < waited[0] <= runner.REST


def test_a_gauntlet_is_announced_with_the_bots_that_everybody_plays(store: Store) -> None:
    settings = settings_of(
        {"name": "marks", "game": "spades", "format": {"gauntlet": {"against": ["low", "high@2"]}}}
    )
    with pytest.raises(BadLineUp, match="low"):
        runner.run_once(store, settings, stage.Notes())
    announced = announcement(store, "marks").settings
    assert announced.facts.references == ("low", "high@2")


@pytest.mark.usefixtures("gamblers")
def test_a_tournament_for_new_bots_is_played_when_there_is_one(
    store: Store, tmp_path: Path
) -> None:
    settings = stage.tournament(schedule="new bots", legs=1, rounds=1)

    def seasons() -> int:
        runner.run(store, [settings], stage.Notes(), wait=False, pool=stage.Here())
        return len(store.seasons("small"))

    assert seasons() == 1
    assert seasons() == 1, "nobody is new"
    stage.submit(store, stage.shell("newcomer", 13).write(tmp_path / "bots"))
    assert seasons() == 2
    assert seasons() == 2
    stage.submit(store, stage.shell("newcomer", 12).write(tmp_path / "better"))
    assert seasons() == 3, "a new version is new as well"
    store.withdraw("newcomer")
    assert seasons() == 3


@pytest.mark.usefixtures("gamblers")
def test_a_run_that_waits_for_new_bots_looks_every_few_seconds(
    store: Store, waited: list[timedelta]
) -> None:
    settings = stage.tournament(schedule="new bots", legs=1, rounds=1)
    notes = stage.Notes()
    with pytest.raises(Enough):
        runner.run(store, [settings], notes, pool=stage.Here())
    assert waited[0] <= runner.NEW_BOTS_EVERY
    assert not [said for said in notes.said if said.startswith("next:")]

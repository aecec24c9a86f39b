"""Trying bots out before a season: whatever is wrong with one keeps nobody else from playing."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NoReturn

import pytest

from card_arena.leaderboard.plans import candidates
from card_arena.leaderboard.standings import standings
from card_arena.results.entries import Entrant, Submission, Version
from card_arena.results.store import Store
from card_arena.sandbox.backends.bubblewrap import Bubblewrap
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.builds import build
from card_arena.sandbox.bundles import archives
from card_arena.sandbox.bundles.bundle import read_bundle
from card_arena.sandbox.cache_folder import default_cache
from card_arena.sandbox.sandbox import SandboxBroken
from card_arena.tests.needs import need, need_sandbox
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.stage import Notes
from card_arena.tests.wheels import wheel
from card_arena.tournament.play.lineup import UNTRIED, BadLineUp, TrialBroken, entered, line_up
from card_arena.tournament.play.pool import WorkerPool
from card_arena.tournament.play.runner import run, run_once
from card_arena.tournament.play.steps import finish
from card_arena.tournament.settings import Tagged

HEAD = "name: rotten\ngames: [blackjack]\nprotocol: argv\n"


@pytest.fixture
def sound(store: Store, tmp_path: Path) -> Version:
    need("bwrap")
    return stage.submit(store, stage.shell("sound", 17).write(tmp_path))


def kept(store: Store, archive: bytes, name: str = "rotten") -> Version:
    """Have an archive in the store that nobody looked at when it came in."""
    rotten = Submission(
        name=name,
        games=("blackjack",),
        protocol="argv",
        language="",
        about="",
        tags=(),
        digest="d1",
        archive=archive,
    )
    return store.submit(rotten, "eve")[0]


def packed(lines: str, **files: bytes) -> bytes:
    return archives.pack({"bot.yaml": (HEAD + lines).encode(), **files}.items())


@pytest.mark.parametrize(
    ("archive", "reason"),
    [
        (packed('run: "\\ud800"\n'), r"bot.yaml:4:6: '\ud800' contains half a character"),
        (packed("run: ./bot\ninclude: ../lib\n", bot=b""), "which lies outside the archive"),
        (packed("run: [./bot, '\0']\n"), "its files can't be read: bot.yaml: not YAML"),
        (packed("run: ./bot\nspeed: 1:30.5\n"), "write '1:30.5' as a plain number"),
        (packed("run: './b\u0254t'\n"), "./b\u0254t is missing after the build"),
        (packed("run: ../bot\n"), "../bot is missing after the build"),
        (
            packed("run: /bin/true\nbuild: [[/bin/no, '%s']]\n"),
            "its build failed: step `/bin/no %s`",
        ),
        (packed("run: '-'\n"), "rotten needs -, which is not on this machine"),
        (b"no archive at all", "its files can't be read: not a bot"),
        (b"", "its files can't be read: not a bot"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_bundle_that_is_no_good_sits_out_named_with_the_reason(
    store: Store, sound: Version, notes: Notes, archive: bytes, reason: str
) -> None:
    rotten = kept(store, archive)
    with stage.Here() as pool:
        out, playing = finish(line_up(store, stage.tournament(), pool, notes.tried))
    assert playing == Entrant(sound.id)
    assert out.version_id == rotten.id
    assert reason in out.sits_out
    assert out.sits_out.isprintable()
    noted = store.build(rotten.id)
    assert noted is not None
    assert (noted.ok, noted.reason) == (False, out.sits_out)
    told = [(trial.version, trial.verdict.reason) for trial in notes.trials]
    assert told == [(rotten, out.sits_out), (sound, "")]


def test_every_tournament_is_played_without_the_bot_that_is_no_good(
    store: Store, sound: Version, notes: Notes
) -> None:
    kept(store, packed('run: "\\ud800"\n'))
    names = ("first", "second")
    both = [stage.tournament(name=name, legs=1, rounds=1) for name in names]
    assert run(store, both, notes, wait=False) == {}
    for name in names:
        table = standings(store, name)
        assert table.season.state == "finished"
        assert [line.bot for line in table.standings] == ["sound", "rotten"]


def test_what_nobody_thought_of_makes_one_bot_sit_out_too(
    store: Store, sound: Version, notes: Notes, tmp_path: Path
) -> None:
    folder = stage.shell("unlucky", 12).write(tmp_path)
    unlucky = stage.submit(store, folder)
    place = build(read_bundle(folder), backend("bubblewrap"), default_cache()).program.folder.parent
    shutil.rmtree(place)
    place.write_text("in the way of its build")
    try:
        with stage.Here() as pool:
            playing, out = finish(line_up(store, stage.tournament(), pool, notes.tried))
    finally:
        place.unlink()
    assert playing == Entrant(sound.id)
    assert out.version_id == unlucky.id
    assert out.sits_out.startswith(UNTRIED)


def test_a_reason_is_one_line_of_bounded_length(store: Store, sound: Version, notes: Notes) -> None:
    kept(store, packed("".join(f"key{number}: 1\n" for number in range(40))))
    with stage.Here() as pool:
        reason = finish(line_up(store, stage.tournament(), pool, notes.tried))[0].sits_out
    assert "unknown key 'key1'" in reason
    assert len(reason) == 500


def test_where_nobody_is_any_good_that_is_said_of_this_tournament_alone(
    store: Store, notes: Notes
) -> None:
    kept(store, b"")
    settings = stage.tournament()
    with (
        stage.Here() as pool,
        pytest.raises(BadLineUp, match="rotten v1 sits out: its files"),
    ):
        finish(line_up(store, settings, pool, notes.tried))
    assert list(run(store, [settings], notes, wait=False, pool=stage.Here())) == ["small"]


def test_a_bot_whose_sandboxes_break_while_others_stand_sits_out(
    store: Store, sound: Version, notes: Notes, tmp_path: Path
) -> None:
    need("bwrap")
    stage.submit(store, stage.Bot("slow", "argv", "shell", "sleep 9\necho S").write(tmp_path))
    with WorkerPool(1) as pool, stage.breaking_sandboxes():
        entrants = finish(line_up(store, stage.tournament(), pool, notes.tried))
    reasons = {entrant.version_id: entrant.sits_out for entrant in entrants}
    assert reasons.pop(sound.id) == ""
    reason = next(iter(reasons.values()))
    assert reason.startswith(f"{UNTRIED}: ")
    assert "the pilot" in reason


def test_where_no_sandbox_stands_it_is_known_in_whose_trial_but_nobody_is_blamed(
    store: Store, sound: Version, notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> NoReturn:
        raise SandboxBroken("the machine is on fire")

    monkeypatch.setattr(Bubblewrap, "open", broken)
    with pytest.raises(TrialBroken) as caught:
        finish(line_up(store, stage.tournament(), stage.Here(), notes.tried))
    assert caught.value.version == sound
    reason = "could not be tried out in 4 attempts: the machine is on fire"
    assert str(caught.value) == f"{sound.label} {reason}"
    assert notes.trials == []


def test_an_allowed_image_that_is_not_here_keeps_out_only_who_names_it(
    store: Store, notes: Notes, tmp_path: Path
) -> None:
    need_sandbox("docker")
    stage.submit(store, stage.shell("sound", 17).write(tmp_path))
    kept(store, packed("run: ./bot\nimage: card-arena-test/none:1\n", bot=b"#!/bin/sh\necho S\n"))
    images = {"sandbox": "docker", "images": ["card-arena-test/none:1"]}
    settings = stage.tournament(legs=1, rounds=1, **images)
    run(store, [settings], notes, wait=False, pool=stage.Here())
    last = standings(store, "small").standings[-1]
    assert (last.bot, "docker pull card-arena-test/none:1" in last.sits_out) == ("rotten", True)


def test_who_asks_for_a_library_plays_where_its_wheel_is_allowed_and_sits_out_elsewhere(
    store: Store, notes: Notes, tmp_path: Path
) -> None:
    stage.submit(store, stage.shell("sound", 17).write(tmp_path))
    lines = "language: python\nwheels: odds\n"
    kept(store, packed(lines, **{"bot.py": b"import odds\nprint(odds.ANSWER)\n"}))
    wheel(tmp_path / "wheels", "odds", "ANSWER = 'S'\n")
    settings = stage.tournament(legs=1, rounds=1, wheels=str(tmp_path / "wheels"))
    run(store, [settings], notes, wait=False, pool=stage.Here())
    assert {each.bot: each.sits_out for each in standings(store, "small").standings} == {
        "sound": "",
        "rotten": "",
    }
    (tried,) = (each for each in notes.trials if each.version.bot == "rotten")
    assert "Successfully installed odds-1.0" in tried.verdict.log
    notes.trials.clear()
    entrants = finish(line_up(store, stage.tournament(), stage.Here(), notes.tried))
    (reason,) = filter(None, (each.sits_out for each in entrants))
    assert "it needs the wheels odds, but no folder of wheels is allowed here" in reason


def test_a_withdrawn_bot_is_entered_neither_by_all_nor_by_its_tags(
    store: Store, sound: Version, tmp_path: Path
) -> None:
    for name in ("gone", "here"):
        stage.submit(store, stage.shell(name, 12).write(tmp_path))
        store.tag(name, ["house"])
    store.withdraw("gone")
    for entrants, names in (("all", ["here", "sound"]), ({"tags": ["house"]}, ["here"])):
        settings = stage.tournament(entrants=entrants)
        assert [version.bot for version in entered(store, settings)] == names
    assert store.readmit("gone")
    assert [v.bot for v in entered(store, stage.tournament())] == ["gone", "here", "sound"]


@pytest.mark.parametrize("name", ["sound", "sound@1"])
def test_a_tournament_that_names_a_withdrawn_bot_says_so(
    store: Store, sound: Version, name: str
) -> None:
    since = store.withdraw("sound")
    with pytest.raises(BadLineUp) as caught:
        entered(store, stage.tournament(entrants=[name]))
    assert str(caught.value) == (
        f"small: sound is named under `entrants:` but has been withdrawn since"
        f" {since:%Y-%m-%d} UTC:"
        " remove it there, or readmit it with `arena bot readmit sound`"
    )


def test_a_season_that_has_begun_goes_on_with_a_bot_that_is_withdrawn(
    store: Store, sound: Version, tmp_path: Path
) -> None:
    stage.submit(store, stage.shell("other", 12).write(tmp_path))

    class Withdrawing(Notes):
        def begins(self, season: stage.Season, *, again: bool) -> None:
            super().begins(season, again=again)
            store.withdraw("sound")
            if not again:
                raise KeyboardInterrupt

    small = stage.tournament(legs=1, rounds=1)
    with pytest.raises(KeyboardInterrupt):
        run_once(store, small, Withdrawing(), pool=stage.Here())
    run_once(store, small, Withdrawing(), pool=stage.Here())
    assert [line.matches for line in standings(store, "small").standings] == [1, 1]
    run_once(store, small, Notes(), pool=stage.Here())
    assert [line.bot for line in standings(store, "small").standings] == ["other"]


def test_a_field_of_one_author_is_refused_with_what_to_write(
    store: Store, notes: Notes, tmp_path: Path
) -> None:
    for limit in (12, 16, 20):
        stage.submit(store, stage.shell(f"sh{limit}", limit).write(tmp_path))
    apart = stage.tournament(same_author="apart")
    with pytest.raises(BadLineUp) as caught:
        finish(line_up(store, apart, stage.Here(), notes.tried))
    assert str(caught.value) == (
        "small: a table of small seats 3 bots of different authors, but those entered are of"
        " 1 author (ada): enter more authors' bots, or write `same_author: together` to let bots"
        " of one author meet at a table"
    )
    together = stage.tournament(same_author="together")
    assert len(finish(line_up(store, together, stage.Here(), notes.tried))) == 3
    two = stage.tournament(same_author="apart", seats=2)
    assert len(finish(line_up(store, two, stage.Here(), notes.tried))) == 3


def test_a_season_has_room_for_hundreds_of_bots_and_holds_the_files_of_a_few(
    store: Store, notes: Notes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More than one byte can put in order. Only their archives are looked at here."""
    for number in range(300):
        kept(store, b"", f"bot{number:03}")
    monkeypatch.setattr("card_arena.tournament.play.lineup.AHEAD", 7)
    read = 0
    ahead = []

    def archive(version_id: int) -> bytes:
        nonlocal read
        read += 1
        ahead.append(read - len(notes.trials))
        return b"PK"

    monkeypatch.setattr(store, "archive", archive)
    settings = stage.tournament()
    assert len(entered(store, settings)) == 300
    with stage.Here() as pool, pytest.raises(BadLineUp, match="no bot entered in small can play"):
        finish(line_up(store, settings, pool, notes.tried))
    names = [trial.version.bot for trial in notes.trials]
    assert names == [f"bot{number:03}" for number in range(300)]
    assert max(ahead) == 7


def of_teams(store: Store, tmp_path: Path) -> None:
    """Three bots of Red, the last of which was handed in again first, and one of Blue."""
    for name, team in (("one", "Red"), ("two", "Red"), ("three", "Red"), ("other", "Blue")):
        stage.submit(store, stage.shell(name, 17).write(tmp_path / name), team)


def test_of_each_team_those_play_that_were_handed_in_last(
    store: Store, notes: Notes, tmp_path: Path
) -> None:
    of_teams(store, tmp_path)
    stage.submit(store, stage.shell("one", 15).write(tmp_path / "again"), "Red")
    settings = stage.tournament(entrants=Tagged(per_team=2), sandbox="bare", require=())
    assert [version.bot for version in entered(store, settings)] == ["one", "other", "three"]
    with stage.Here() as pool:
        entrants = finish(line_up(store, settings, pool, notes.tried))
    there = store.versions([entrant.version_id for entrant in entrants])
    out = {there[each.version_id].bot: each.sits_out for each in entrants if each.sits_out}
    assert out == {"two": "2 bots of a team can play, and one and three of Red came later"}
    assert "two" not in [trial.version.bot for trial in notes.trials], "it is not even built"
    shown = candidates(store, settings.freeze())
    assert {line.bot: line.sits_out for line in shown if line.sits_out} == out


def test_only_bots_of_the_teams_that_are_named_enter(store: Store, tmp_path: Path) -> None:
    of_teams(store, tmp_path)
    settings = stage.tournament(entrants=Tagged(teams=("Blue", "Green")))
    assert [version.bot for version in entered(store, settings)] == ["other"]
    nobody = stage.tournament(entrants=Tagged(teams=("Green",)))
    with pytest.raises(BadLineUp, match="no bot in the store plays blackjack and is of Green"):
        entered(store, nobody)

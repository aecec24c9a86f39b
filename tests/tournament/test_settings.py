from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from card_arena.common.marked_yaml import BadYaml
from card_arena.common.units import read_duration, read_size, write_duration, write_size
from card_arena.formats.contest import Contest, ContestOptions
from card_arena.formats.registry import FORMATS
from card_arena.ratings.same_contest import same_table
from card_arena.results.season_settings import SeasonSettings
from card_arena.sandbox.limits import MIB, PROFILES, Clock, Limits
from card_arena.tables.referee import Strikes
from card_arena.tables.registry import GAMES
from card_arena.tables.seating import boards
from card_arena.tournament.settings import (
    Schedule,
    StrikesFields,
    Tagged,
    read_file,
    read_folder,
    read_settings,
    settings_of,
    thaw,
)
from card_arena.tournament.settings import source as source_of

NAMES = ", ".join(FORMATS)
ROOT = Path(__file__).parent.parent.parent


def mistakes(text: str) -> list[str]:
    with pytest.raises(BadYaml) as caught:
        read_settings(text, "t.yaml")
    return list(caught.value.mistakes)


def test_a_name_and_a_game_are_enough() -> None:
    settings = read_settings("name: small\ngame: blackjack\n", "t.yaml")
    assert settings.format.kind.name == "contest"
    assert settings.format.options == ContestOptions(legs=25, rounds=5, broke="zero")
    assert (settings.seats, settings.entrants, settings.sandbox) == (4, "all", "bubblewrap")
    assert settings.clock.clock() == Clock()
    assert settings.limits.limits() == Limits()
    assert settings.strikes.strikes() == Strikes()
    assert settings.options.hands == 5
    assert settings.sanity_check
    assert settings.workers is None
    assert settings.schedule is None


def test_everything_can_be_said() -> None:
    settings = read_settings(
        """
name: friday-blackjack
game: blackjack
options: {dealer_stands_at: 18}
format: {contest: {legs: 3, rounds: 20, broke: chips}}
seats: 2
entrants: [davey, lim17@3]
clock: {question: 500ms, start: 2m}
limits: {memory: 512MiB, cpu: 1.5s, processes: 8}
sandbox: bare
strikes: {limit: 5, forgiven: [illegal, timeout]}
sanity_check: false
workers: 1
schedule: {cron: "0 20 * * FRI", zone: Asia/Yerevan, missed: run_all}
""",
        "friday.yaml",
    )
    assert settings.options.dealer_stands_at == 18
    assert settings.entrants == ("davey", "lim17@3")
    assert settings.clock.clock() == Clock(question=0.5, start=120)
    assert settings.limits.limits() == Limits(cpu=1.5, memory=512 * MIB, processes=8)
    assert settings.strikes.strikes() == Strikes(5, frozenset({"illegal", "timeout"}))
    assert settings.schedule == Schedule(cron="0 20 * * FRI", zone="Asia/Yerevan", missed="run_all")


def test_a_tournament_may_always_be_played_and_have_a_share_of_the_cores() -> None:
    settings = read_settings("name: a\ngame: blackjack\nschedule: always\nshare: 3\n", "t.yaml")
    assert (settings.schedule, settings.share) == ("always", 3)
    assert thaw(settings.freeze()) == settings


def test_a_format_may_have_a_schedule_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Contest, "schedule_default", "always")
    text = "name: a\ngame: blackjack\n"
    assert read_settings(text, "t.yaml").schedule == "always"
    fridays = read_settings(f"{text}schedule: {{cron: 0 20 * * FRI}}\n", "t.yaml").schedule
    assert fridays == Schedule(cron="0 20 * * FRI")


def read_back(settings: SeasonSettings) -> SeasonSettings:
    """Settings as they are read from where they were stored."""
    again = SeasonSettings.model_validate(json.loads(json.dumps(settings.data())))
    assert again == settings
    return again


@pytest.mark.parametrize("said", ["contest", "{contest: {}}", "{contest: {rounds: 5}}"])
def test_a_format_is_stored_with_all_its_options_whatever_is_said_of_it(said: str) -> None:
    settings = read_settings(f"name: a\ngame: blackjack\nformat: {said}\n", "t.yaml")
    assert settings.freeze().format == {"contest": ContestOptions(legs=25).model_dump()}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{contest: {lags: 3}}", "3:20: unknown key 'lags'; did you mean 'legs'?"),
        ("{contest: {legs: 0}}", "3:26: format.contest.legs must be at least 1; got 0"),
        ("{contest: {legs: no}}", "3:26: format.contest.legs must be a whole number"),
        ("{contest: 3}", "3:19: format.contest must be a mapping; got 3"),
        ("{contst: {legs: 3}}", "3:10: unknown key 'contst'; did you mean 'contest'?"),
        ("{}", f"3:9: format must name one format: there are {NAMES}; got a mapping"),
        ("[contest]", f"3:9: format must be one of {NAMES}, alone or with its options"),
        ("contest\nlegs: 3", "4:1: unknown key 'legs'"),
        ("{cut: {keep: most}}", "3:22: format.cut.keep must be half, a share between 0 and 1 such"),
        ("{cut: {margin: -1}}", "3:24: format.cut.margin must be at least 0.0; got -1"),
        (
            "{knockout: {boards: 24}}",
            "3:29: format.knockout.boards must be at least 30, where",
        ),
    ],
)
def test_a_mistake_in_a_format_is_told_where_it_was_made(line: str, message: str) -> None:
    found, *_ = mistakes(f"name: a\ngame: blackjack\nformat: {line}\n")
    assert found.startswith(f"t.yaml:{message}")


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            "game: durak\nformat: {gauntlet: {against: [ben, davey]}}\nseats: 4",
            "4:8: seats must be at most 3 in a gauntlet against 2",
        ),
        (
            "game: spades\nformat: {gauntlet: {against: [ben]}}\npartners: different",
            "4:11: partners must be same, or seats must be at most 2 in a gauntlet against 1",
        ),
        ("game: blackjack\nformat: league\nseats: 1", "4:8: seats must be at least 2 in a league"),
        (
            "game: blackjack\nformat: league\nduplicate: false",
            "4:12: duplicate must be true in this format",
        ),
        ("game: spades\nformat: gauntlet", "3:9: 'against' is missing"),
        (
            "game: spades\nformat: {gauntlet: {against: [ben], thresholds: {a: 1},"
            " grades: {b: 5}}}",
            "3:65: format.gauntlet.grades must be for the names under `thresholds`; 'b' is none",
        ),
        (
            "game: spades\nformat: {gauntlet: {against: [ben], thresholds: {a: 1},"
            " grades: {a: -5}}}",
            "3:69: format.gauntlet.grades.a must be at least 0",
        ),
        (
            "game: spades\nformat: {gauntlet: {against: [ben], thresholds: {good: ada}}}",
            "3:49: format.gauntlet.thresholds must be points a game, or one of the bots under"
            " `against`: good is 'ada'",
        ),
        (
            "game: spades\nformat: {gauntlet: {against: [ben], thresholds: {good: [1]}}}",
            "3:56: format.gauntlet.thresholds.good must be points a game such as 0.5, or one of",
        ),
        (
            "game: spades\nformat: {gauntlet: {against: [ben], thresholds: {'': 1}}}",
            "must be named by 1 to 40 characters",
        ),
    ],
)
def test_a_league_and_a_gauntlet_say_what_they_need(lines: str, message: str) -> None:
    found, *_ = mistakes(f"name: a\n{lines}\n")
    assert message in found


def test_a_gauntlets_table_is_by_default_no_larger_than_its_references_fill() -> None:
    for references, seats in (("[a]", 2), ("[a, b]", 3), ("[a, b, c]", 4), ("[a, b, c, d]", 4)):
        text = f"name: a\ngame: durak\nformat: {{gauntlet: {{against: {references}}}}}\n"
        assert read_settings(text, "t.yaml").seats == seats


def test_the_thresholds_of_a_gauntlet_keep_their_order_and_kind_when_frozen() -> None:
    text = (
        "name: a\ngame: spades\nformat:\n  gauntlet:\n    against: [ben@2, davey]\n"
        "    thresholds: {pass: -2, good: davey, best: 0.5}\n"
    )
    settings = read_settings(text, "t.yaml")
    marks = {"pass": -2.0, "good": "davey", "best": 0.5}
    assert list(settings.format.options.thresholds.items()) == list(marks.items())
    frozen = thaw(read_back(settings.freeze()))
    assert list(frozen.format.options.thresholds.items()) == list(marks.items())


@pytest.mark.parametrize(
    ("changed", "same"),
    [
        ("boards: 7", True),
        ("workers: 2", True),
        ("entrants: [ada]", True),
        ("format: {league: {meetings: 3}}", True),
        ("options: {goal: 300}", False),
        ("clock: {question: 7s}", False),
        ("partners: different", False),
        ("duplicate: false", False),
    ],
)
def test_boards_of_two_seasons_count_together_if_the_table_is_the_same(
    changed: str, same: bool
) -> None:
    texts = ("name: a\ngame: spades\n", f"name: a\ngame: spades\n{changed}\n")
    contests = [read_settings(text, "t.yaml").freeze().contest(1) for text in texts]
    assert same_table(*contests) == same_table(*reversed(contests)) == same


@pytest.mark.parametrize(
    ("game", "legs", "seats", "duplicate", "title"),
    [
        ("blackjack", 25, 4, False, "mean chips"),
        ("spades", 1, 4, True, "fitted margin"),
        ("durak", 1, 4, False, "fitted margin"),
    ],
)
def test_what_is_not_said_follows_from_the_game(
    game: str, legs: int, seats: int, duplicate: bool, title: str
) -> None:
    settings = read_settings(f"name: a\ngame: {game}\n", "t.yaml")
    assert (settings.format.options.legs, settings.seats) == (legs, seats)
    assert (settings.duplicate, settings.freeze().facts.points_title) == (duplicate, title)
    assert (settings.boards, settings.partners, settings.rated) == (1, "same", True)


@pytest.mark.parametrize("game", list(GAMES))
def test_a_tournament_of_every_game_has_tables_without_another_word(game: str) -> None:
    settings = read_settings(f"name: a\ngame: {game}\n", "t.yaml")
    assert settings.seating_plans()
    assert thaw(settings.freeze()) == settings


def test_a_short_table_is_one_that_the_game_and_its_options_let_play() -> None:
    durak = read_settings("name: a\ngame: durak\nseats: 5\n", "t.yaml")
    assert [len(table.sides) for table in durak.seating_plans()] == [5, 4, 3, 2]
    spades = read_settings("name: a\ngame: spades\n", "t.yaml")
    assert [table.sides for table in spades.seating_plans()] == [(0, 1)]


def test_different_partners_are_four_bots_at_a_table() -> None:
    settings = read_settings("name: a\ngame: spades\npartners: different\nboards: 2\n", "t.yaml")
    (table,) = settings.seating_plans()
    assert table.sides == (0, 1, 0, 1)
    assert table.seatings == ((0, 1, 2, 3), (1, 2, 3, 0)) * 2


def test_an_option_can_make_partners() -> None:
    text = "name: a\ngame: durak\nduplicate: true\noptions: {partners: true}\n"
    (table,) = read_settings(text, "t.yaml").seating_plans()
    assert table.seatings == ((0, 1, 0, 1), (1, 0, 1, 0))


def test_a_match_is_one_game_where_turning_the_seats_does_not_make_margins_surer() -> None:
    for game, turns in (("durak", 1), ("tarot", 3), ("spades", 2)):
        fullest, *_ = read_settings(f"name: a\ngame: {game}\n", "t.yaml").seating_plans()
        assert len(fullest.seatings) == turns
    fullest, *_ = read_settings("name: a\ngame: durak\nboards: 6\n", "t.yaml").seating_plans()
    assert boards(fullest.seatings) == (0, 1, 2, 3, 4, 5), "each with packs of its own"


def test_duplicate_tables_of_a_game_for_chips_carry_nothing_on() -> None:
    settings = read_settings("name: a\ngame: blackjack\nduplicate: true\n", "t.yaml")
    assert (settings.carries, settings.freeze().facts.points_title) == (False, "fitted margin")
    assert [len(table.seatings) for table in settings.seating_plans()] == [4, 3, 2, 1]


def test_open_hands_are_not_rated() -> None:
    text = "name: a\ngame: spades\noptions: {open_hands: true}\n"
    assert not read_settings(text, "t.yaml").rated


def test_tags_a_preset_and_a_profile_can_be_named() -> None:
    settings = read_settings(
        "name: a\ngame: blackjack\nentrants: {tags: [house]}\noptions: cardshark\nlimits: roomy\n",
        "t.yaml",
    )
    assert settings.entrants == Tagged(tags=("house",))
    assert settings.freeze().entrants == {"tags": ["house"]}
    assert settings.options.letters == "lower"
    assert settings.limits.limits() == PROFILES["roomy"]


def test_a_season_keeps_its_settings_as_plain_data() -> None:
    settings = read_settings(
        "name: a\ngame: blackjack\nlimits: roomy\nclock: {question: 1500ms}\n"
        "entrants: {tags: [house]}\nschedule: {cron: '0 0 1 * *'}\n",
        "t.yaml",
    )
    frozen = read_back(settings.freeze())
    assert thaw(frozen) == settings
    assert frozen.limits.memory == "1GiB"
    assert frozen.clock.question == "1.5s"


def test_calls_that_a_tournament_allows_are_kept_with_its_limits() -> None:
    settings = read_settings(
        "name: a\ngame: blackjack\nlimits: {calls: [memfd_create, flock]}\n", "t.yaml"
    )
    assert settings.limits.limits().calls == ("memfd_create", "flock")
    assert thaw(read_back(settings.freeze())) == settings


def test_every_mistake_is_told_at_once_with_its_place() -> None:
    found = mistakes(
        """\
name: Friday
game: blackjack
options: {dealer_stands_at: 19, puhs: lose}
entrants: [davey, Lim17]
clock: {question: 5, strat: 1s}
limits: {memory: lots}
strikes: {limit: true, forgiven: [ilegal]}
seats: 5
bords: 3
schedule: {cron: "0 20 30 2 *", zone: Europe/Berln}
"""
    )
    assert [line.split(" ")[0] for line in found] == [
        "t.yaml:1:7:",
        "t.yaml:3:29:",
        "t.yaml:3:33:",
        "t.yaml:4:19:",
        "t.yaml:5:19:",
        "t.yaml:5:22:",
        "t.yaml:6:18:",
        "t.yaml:7:18:",
        "t.yaml:7:35:",
        "t.yaml:8:8:",
        "t.yaml:9:1:",
        "t.yaml:10:18:",
        "t.yaml:10:39:",
    ]
    assert found[10] == "t.yaml:9:1: unknown key 'bords'; did you mean 'boards'?"
    assert found[9].endswith("seats must be from 1 to 4, as many as blackjack seats; got 5")
    assert "no month that it names has such a day" in found[11]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "game: poker",
            "t.yaml:2:7: game must be the name of a game:"
            f" there are {', '.join(GAMES)}; got 'poker'",
        ),
        (
            "game: durack",
            "t.yaml:2:7: game 'durack' must be the name of a game: did you mean durak?",
        ),
        ("game: 5", "t.yaml:2:7: game must be text; got 5"),
        ("sandbox: bare", "t.yaml:1:1: 'game' is missing"),
    ],
)
def test_a_game_must_be_one_that_there_is(line: str, message: str) -> None:
    assert mistakes(f"name: a\n{line}\n") == [message]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("options: contst", "must be one of contest, cardshark, or blackjack's options; did you"),
        ("options: {start_chips: 9}", "no bot can pay to play"),
        ("entrants: some", "entrants must be all, a list of bots' names, or {tags: [...]}"),
        ("entrants: []", "entrants must have at least 1 entries"),
        ("entrants: [davey, lim17, davey]", "davey appears twice"),
        ("entrants: {tags: []}", "entrants.tags must have at least 1 entries"),
        ("limits: huge", "limits must be one of laptop, roomy, or fields"),
        ("clock: {question: 0s}", "clock.question must be a duration"),
        ("clock: {bank: 60}", "clock.bank must be a duration"),
        ("clock: {bank: 0}", "clock.bank must be a duration"),
        ("clock: {overrun: 50}", "clock.overrun must be a duration"),
        ("clock: {overrun: -1ms}", "clock.overrun must be a duration"),
        ("limits: {memory: 256}", "limits.memory must be a size"),
        ("limits: {calls: [ptrace]}", "'ptrace' cannot be allowed; expected any of"),
        ("format: {contest: {rounds: 2.0}}", "format.contest.rounds must be a whole number"),
        ("format: {contest: {rounds: 0}}", "format.contest.rounds must be at least 1"),
        ("sanity_check: 'yes'", "sanity_check must be true or false"),
        ("format: bridge", f"format must be one of {NAMES}"),
        ("sandbox: steel", "sandbox must be one of bubblewrap, docker, bare"),
        ("images: [debian:12]", "images must go with sandbox: docker"),
        ("runtime: runsc", "runtime must go with sandbox: docker"),
        ("runtime: ../runsc", "runtime must be the name of a runtime"),
        ("workers: 0", "workers must be at least 1"),
        ("schedule: daily", "schedule must be always or new bots, or have a calendar"),
        ("schedule: []", "schedule must be a mapping"),
        ("schedule: {}", "'cron' is missing"),
        ("share: 0", "share must be at least 1"),
        ("share: 101", "share must be at most 100"),
        ("share: 1.5", "share must be a whole number"),
    ],
)
def test_a_wrong_value_gets_a_sentence(line: str, message: str) -> None:
    (found,) = mistakes(f"name: a\ngame: blackjack\n{line}\n")
    assert found.startswith("t.yaml:3:")
    assert message in found


@pytest.mark.parametrize(
    ("lines", "place", "message"),
    [
        ("game: spades\nseats: 3", "3:8", "seats must be 4, as many as spades seats; got 3"),
        (
            "game: durak\noptions: {deck: 24}\nseats: 6",
            "4:8",
            "seats must go with the options: 24 cards are too few for 6 players",
        ),
        (
            "game: blackjack\npartners: different",
            "3:11",
            "partners must be same: this table of blackjack has no partners",
        ),
        ("game: spades\npartners: both", "3:11", "partners must be one of same, different"),
        (
            "game: blackjack\nboards: 2",
            "3:9",
            "boards must be 1 where chips are carried on, except with duplicate: true",
        ),
        ("game: spades\nduplicate: 2", "3:12", "duplicate must be true or false"),
        ("game: spades\nboards: 0", "3:9", "boards must be at least 1"),
        ("game: durak\noptions: {deck: 24}\nseats: x", "4:8", "seats must be a whole number"),
    ],
)
def test_a_table_that_cannot_be_played_gets_a_sentence_at_its_place(
    lines: str, place: str, message: str
) -> None:
    (found,) = mistakes(f"name: a\n{lines}\n")
    assert found.startswith(f"t.yaml:{place}: {message}")


def test_the_mistakes_of_all_files_are_told_together(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("name: same\ngame: blackjack\n")
    (tmp_path / "b.yaml").write_text("name: same\ngame: blackjack\n")
    (tmp_path / "c.yml").write_text("name: other\ngame: blackjack\nseats: 9\n")
    (tmp_path / "d.yaml").mkdir()
    (tmp_path / "notes.txt").write_text("not a tournament")
    with pytest.raises(BadYaml) as caught:
        read_folder(tmp_path)
    first, second, third = caught.value.mistakes
    assert first == f"{tmp_path}/b.yaml: the name 'same' is taken by {tmp_path}/a.yaml"
    assert second.startswith(f"{tmp_path}/c.yml:3:8: seats must be from 1 to 4")
    assert third == f"{tmp_path}/d.yaml: not a file"


def test_one_tournament_is_read_whatever_is_wrong_with_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("name: good\ngame: blackjack\n")
    (tmp_path / "b.yaml").write_text("name: bad\ngame: chess\n")
    assert [settings.name for settings in read_folder(tmp_path, "good")] == ["good"]
    for meant in ("bad", "elsewhere"):
        with pytest.raises(BadYaml, match=r"b\.yaml:2:7"):
            read_folder(tmp_path, meant)
    (tmp_path / "c.yaml").write_text("name: good\ngame: blackjack\n")
    with pytest.raises(BadYaml, match="the name 'good' is taken"):
        read_folder(tmp_path, "good")


def test_a_folder_of_wheels_is_looked_for_beside_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("name: a\ngame: spades\nwheels: allowed\n")
    with pytest.raises(BadYaml) as caught:
        read_file(path)
    there = tmp_path / "allowed"
    assert caught.value.mistakes == (
        f"{path}:3:9: wheels must be a folder beside the file; there is no folder {there}",
    )
    there.mkdir()
    settings = read_file(path)
    assert settings.wheels == there
    assert thaw(read_back(settings.freeze())) == settings


def test_a_folder_holds_a_tournament_a_file(tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_text("name: one\ngame: blackjack\n")
    (tmp_path / "a.yaml").write_text("name: two\ngame: blackjack\n")
    assert [settings.name for settings in read_folder(tmp_path)] == ["two", "one"]


def test_the_examples_comments_say_what_the_defaults_are() -> None:
    (friday,) = read_folder(ROOT / "examples" / "tournaments", "friday-blackjack")
    bare = read_settings(f"name: {friday.name}\ngame: {friday.game}\n", "bare.yaml")
    told = {"strikes": StrikesFields(forgiven=("illegal",)), "schedule": friday.schedule}
    assert friday == bare.model_copy(update=told)
    assert friday.schedule is not None


@pytest.mark.parametrize(("name", "kind"), [("cup", "cut"), ("ladder", "ladder")])
def test_the_examples_of_formats_show_their_defaults(name: str, kind: str) -> None:
    (example,) = read_folder(ROOT / "examples" / "tournaments", name)
    bare = read_settings(f"name: {name}\ngame: {example.game}\nformat: {kind}\n", "bare.yaml")
    assert example == bare.model_copy(update={"boards": example.boards})
    assert example.duplicate == GAMES[example.game].statistics.rotation_helps


def test_an_examples_options_are_the_formats_defaults_but_for_what_has_none() -> None:
    """So what a line of an example says can be believed of files without the line."""
    examples = read_folder(ROOT / "examples" / "tournaments")
    assert len({settings.name for settings in examples}) == len(examples) > 1
    for settings in examples:
        chosen = settings.format
        fields = type(chosen.options).model_fields
        for name in fields.keys() - {"against", "thresholds", "grades", "legs", "root", "rounds"}:
            assert getattr(chosen.options, name) == fields[name].default, (settings.name, name)


def test_the_demo_is_due_whenever_somebody_is_new() -> None:
    (demo,) = read_folder(ROOT / "tournaments", "demo-blackjack")
    assert demo.schedule == "new bots"


def test_a_clock_has_a_bank_and_an_overrun_that_0_switches_off() -> None:
    settings = read_settings("name: a\ngame: blackjack\nclock: {bank: 1m, overrun: 0}\n", "a.yaml")
    assert settings.clock.clock() == Clock(bank=60.0, overrun=0.0)
    assert thaw(settings.freeze()) == settings
    usual = read_settings("name: a\ngame: blackjack\n", "a.yaml")
    assert usual.freeze().clock.data() == {
        "question": "1s",
        "start": "5s",
        "bank": None,
        "overrun": "50ms",
    }
    assert thaw(usual.freeze()) == usual
    assert settings_of({**usual.plain(), "clock": {"question": "2s"}}).clock.overrun == 0.05


@given(st.integers(1, 86_400_000))
def test_a_duration_survives_being_written(milliseconds: int) -> None:
    assert read_duration(write_duration(milliseconds / 1000)) == pytest.approx(milliseconds / 1000)


@given(st.integers(1, 999_999_999))
def test_a_size_survives_being_written(size: int) -> None:
    assert read_size(write_size(size)) == size


def test_options_that_are_wrong_are_the_one_thing_that_is_said() -> None:
    with pytest.raises(BadYaml) as caught:
        read_settings("name: a\ngame: tarot\noptions: {poignees: 10/13}\n", "a.yaml")
    assert caught.value.mistakes == (
        "a.yaml:3:21: options.poignees '10/13' must be one of 13/15/18, 10/13/15;"
        " did you mean 10/13/15?",
    )


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("{drawn: two dice}", {"source": "drawn", "how": "two dice"}),
        (
            "{drand: quicknet, delay: 1m}",
            {
                "source": "drand",
                "chain": "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
                "genesis": 1692803367,
                "period": 3,
                "round": 21,
            },
        ),
        (
            f"{{drand: {{chain: {'ab' * 32}, genesis: 1692803367, period: 60}}}}",
            {
                "source": "drand",
                "chain": "ab" * 32,
                "genesis": 1692803367,
                "period": 60,
                "round": 11,
            },
        ),
        (
            "{nonces: 3d}",
            {"source": "nonces", "until": "2023-08-26T15:09:27Z", "hashes": {"ada": "ab" * 32}},
        ),
    ],
)
def test_a_public_value_has_a_source_that_is_fixed_when_the_season_begins(
    tmp_path: Path, text: str, source: dict[str, object]
) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(f"name: a\ngame: spades\npublic_value: {text}\n")
    settings = read_file(path)
    assert thaw(settings.freeze()) == settings
    began = datetime.fromtimestamp(1692803367, UTC)
    assert source_of(settings.public_value, began, {"ada": "ab" * 32}) == source


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("{}", "must give one of drawn, drand and nonces"),
        ("{drawn: dice, drand: quicknet}", "must give one of drawn, drand and nonces"),
        ("{nonces: 3d, drawn: dice}", "must give one of drawn, drand and nonces"),
        ("{nonces: 31d}", "must be a duration from 1s to 30d"),
        ("{drand: fastnet}", "public_value.drand"),
        ("{drand: {chain: ab, genesis: 1, period: 3}}", "public_value.drand"),
        ("dice", "public_value"),
    ],
)
def test_a_public_value_without_a_source_is_refused(
    tmp_path: Path, text: str, mistake: str
) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(f"name: a\ngame: spades\npublic_value: {text}\n")
    with pytest.raises(BadYaml) as caught:
        read_file(path)
    assert f"{path}:3:" in str(caught.value)
    assert mistake in str(caught.value)

"""`check` and `submit`: a bot on its way in."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import pytest

from card_arena.results.store import Store
from card_arena.tables.registry import GAMES
from card_arena.tests.cli.home import QUICK, ROOT, Home
from card_arena.tests.needs import need
from card_arena.tests.tournament import stage
from card_arena.tournament.submissions import stored_bot


@pytest.mark.parametrize("game", stage.LISTED)
def test_a_bot_of_every_game_passes_the_check(home: Home, game: str) -> None:
    need("bwrap")
    output = home.done("check", home.bot(stage.legal(game, game, "first")))
    assert output.count("passed") == 7


def test_a_good_bot_passes_the_check(home: Home) -> None:
    need("bwrap")
    output = home.done("check", home.bot(stage.shell("good", 17)))
    assert [line.split()[:2] for line in output.splitlines() if line[0] != " "] == [
        [str(number), "passed"] for number in range(1, 8)
    ]


def test_a_bot_is_checked_by_the_clock_of_a_contest(home: Home) -> None:
    need("bwrap")
    home.tournament("name: small\ngame: blackjack\nclock: {question: 80ms}\n")
    slow = home.bot(stage.Bot("slow", "argv", "shell", "sleep 0.2\necho S"))
    code, output, _ = home.run("check", slow, "--game", "tournaments/small.yaml")
    assert code == 1
    assert "6  FAILED  is fast enough" in output
    assert "of 80.0 ms allowed" in output


def test_a_bad_bot_is_told_what_is_wrong(home: Home) -> None:
    need("bwrap")
    bad = stage.Bot("bad", "argv", "shell", "echo thinking >&2\necho maybe\n")
    code, output, _ = home.run("check", home.bot(bad))
    assert code == 1
    assert "4  FAILED  answers the sample question with a legal word" in output
    assert "'maybe' is not an answer: expected H, S, D or B and a number" in output
    assert "thinking" in output


def test_the_check_fails_where_bot_yaml_is_wrong(home: Home) -> None:
    folder = home.bot(stage.shell("good", 17))
    (folder / "bot.yaml").write_text("name: GOOD\nlanguage: cobol\n")
    code, output, _ = home.run("check", folder)
    assert code == 1
    assert "1  FAILED  reads bot.yaml" in output
    assert "bot.yaml:1:7: name must be" in output
    assert "7  skipped" in output


def test_the_same_bundle_again_is_no_new_version(house: Home) -> None:
    folder = house.bots / "sh12"
    said = house.done("submit", folder, "--author", "ada")
    assert said.splitlines()[0] == "sh12 v1 already accepted, unchanged"
    (folder / "bot.sh").write_text("echo S\n")
    said = house.done("submit", folder / "bot.yaml", "--author", "ada")
    assert said.splitlines()[0] == "sh12 v2 accepted"


def test_a_failing_build_is_refused_with_its_log_and_nothing_is_stored(home: Home) -> None:
    need("bwrap")
    need("gcc")
    said = home.refused(
        "submit", home.bot(stage.Bot("bad", "argv", "c", "int main( {")), "--author", "ada"
    )
    assert "the build failed" in said
    assert "error:" in said
    assert "bad" not in home.done("show", "bots")


def test_a_name_of_another_author_is_refused(house: Home) -> None:
    said = house.refused("submit", house.bots / "sh12", "--author", "eve")
    assert "the name sh12 belongs to ada" in said


def test_two_bots_of_one_name_are_not_taken_together(house: Home, tmp_path: Path) -> None:
    paths = [stage.shell("twin", limit).write(tmp_path / str(limit)) for limit in (12, 13)]
    code, said, complaint = house.run("submit", *paths, "--author", "ada")
    assert (code, said.splitlines()[0]) == (2, "twin v1 accepted")
    assert complaint == f"{paths[1]}: the name twin is already taken by {paths[0]}\n"


def test_a_bundle_that_would_not_be_the_same_again_is_refused(home: Home, tmp_path: Path) -> None:
    """As a bot includes a folder with nothing in it, by accident."""
    folder = home.bot(stage.shell("ada", 17))
    (folder / "bot.yaml").write_text((folder / "bot.yaml").read_text() + "include: [../lib]\n")
    (home.bots / "lib" / "__pycache__").mkdir(parents=True)
    said = home.refused("submit", folder, "--author", "ada", "--include-from", home.bots / "lib")
    assert said == (
        f"{folder}: bot.yaml includes ../lib, but there is no file in {home.bots / 'lib'}: "
        "put one there or leave it out."
    )
    assert "ada" not in home.done("show", "bots")


def test_a_submitted_folder_takes_along_only_what_the_organiser_allows(home: Home) -> None:
    need("bwrap")
    ada, ben = (home.bot(stage.shell(name, 17)) for name in ("ada", "ben"))
    (home.bots / "lib").mkdir()
    (home.bots / "lib" / "cards.sh").write_text("true\n")
    for include in ("../lib", "../ben"):
        lines = (ada / "bot.yaml").read_text().partition("include")[0]
        (ada / "bot.yaml").write_text(f"{lines}include: {include}\n")
        source = home.bots / include[3:]
        said = home.refused("submit", ada, "--author", "ada")
        assert f"no bot may take files from {source}: `--include-from {source}` allows" in said
    whole = ("--include-from", home.bots)
    assert f"{ben} is a bot's own folder" in home.refused("submit", ada, "--author", "ada", *whole)
    (ada / "bot.yaml").write_text(f"{lines}include: ../lib\n")
    assert home.done("submit", ada, "--author", "ada", *whole).startswith("ada v1 accepted\n")
    again = home.done("submit", ada, "--author", "ada", "--include-from", home.bots / "lib")
    assert again.startswith("ada v1 already accepted, unchanged\n")


def test_the_house_bots_take_their_libraries_along_unasked(home: Home) -> None:
    need("bwrap")
    lim17 = ROOT / "bots" / "blackjack" / "lim17" / "bot.yaml"
    assert home.done("submit", lim17, "--author", "house").startswith("lim17 v1 accepted\n")


def test_one_bad_bot_of_many_does_not_keep_the_others_out(house: Home, tmp_path: Path) -> None:
    good = stage.shell("good", 17).write(tmp_path)
    odd = []
    for number, line in enumerate(('run: "\\ud800"', "about: 1:30.5", 'about: "\\U00110000"')):
        folder = stage.shell(f"odd{number}", 17).write(tmp_path)
        (folder / "bot.yaml").write_text((folder / "bot.yaml").read_text() + line + "\n")
        odd.append(folder)
    taken = stage.shell("sh12", 13).write(tmp_path)
    code, said, complaint = house.run("submit", taken, *odd, good, "--author", "eve")
    assert (code, said.splitlines()[0]) == (2, "good v1 accepted")
    lines = complaint.splitlines()
    assert len(lines) == 4
    assert "the name sh12 belongs to ada" in complaint
    assert all(str(folder) in complaint for folder in odd)


def test_the_name_of_an_archive_does_nothing_to_a_terminal(home: Home, tmp_path: Path) -> None:
    rude = tmp_path / "rude\x1b[2J\u202e.zip"
    rude.write_bytes(b"no archive")
    said = home.refused("submit", rude, "--author", "ada")
    assert said.isprintable()
    assert r"rude\x1b[2J\u202e.zip: not a bot" in said


def test_an_author_who_is_no_text_is_refused(home: Home) -> None:
    need("bwrap")
    said = home.refused("submit", home.bot(stage.shell("good", 17)), "--author", "ada\udcff")
    assert said == r"the author's name must not hold '\udcff', which can't be printed"


def test_a_sandbox_that_breaks_under_a_build_is_not_the_bots_fault_and_is_said_of_each(
    home: Home,
) -> None:
    need("bwrap")
    folders = [home.bot(stage.shell(name, 17)) for name in ("ada", "ben")]
    for folder in folders:
        lines = (folder / "bot.yaml").read_text()
        (folder / "bot.yaml").write_text(f"{lines}build: [[sleep, '20']]\n")
    with stage.breaking_sandboxes():
        code, said, complaint = home.run("submit", *folders, "--author", "ada")
    assert code == 1
    assert said.count("not checked") == 2
    for folder, line in zip(folders, complaint.splitlines(), strict=True):
        assert line.startswith(f"{folder}: ")
        assert "the build failed" not in line
    assert "ada v1" not in home.done("show", "bots")


def test_a_build_whose_sandbox_breaks_once_is_made_again(home: Home) -> None:
    need("bwrap")
    folder = home.bot(stage.shell("ada", 17))
    lines = (folder / "bot.yaml").read_text()
    (folder / "bot.yaml").write_text(f"{lines}build: [[sleep, '1']]\n")
    with stage.breaking_sandboxes(times=1):
        said = home.done("submit", folder, "--author", "ada")
    assert said.startswith("ada v1 accepted")


def test_a_bot_that_can_not_answer_is_refused_with_the_step_that_failed(home: Home) -> None:
    need("bwrap")
    silent = home.bot(stage.Bot("silent", "argv", "shell", "echo no idea >&2\nexit 3\n"))
    said = home.refused("submit", silent, "--author", "ada")
    assert said == (
        f"{silent}: it can't answer at blackjack, step 3, starts: exited with code 3\nno idea"
    )
    assert "silent" not in home.done("show", "bots")
    again = home.done("submit", silent, "--author", "ada", "--unchecked")
    assert again.startswith("silent v1 accepted")


def test_a_bot_is_examined_in_every_game_that_it_says_it_plays(home: Home) -> None:
    need("bwrap")
    folder = home.bot(stage.shell("good", 17))
    yaml = folder / "bot.yaml"
    yaml.write_text(yaml.read_text().replace("[blackjack]", "[blackjack, durak]"))
    said = home.refused("submit", folder, "--author", "ada")
    assert "it can't answer at durak, step 4, answers the sample question with a legal" in said


def test_a_bot_whose_answers_are_not_always_allowed_is_taken_with_a_remark(home: Home) -> None:
    need("bwrap")
    folder = home.bot(stage.Bot("rash", "argv", "shell", "echo D\n"))
    said = home.done("submit", folder, "--author", "ada")
    remarks = "it can play, but a game would count these as faults:"
    assert said.startswith(f"rash v1 accepted\n{remarks}\nat black")
    assert "was answered with 'D': not allowed: expected" in said


def test_a_bot_is_examined_by_the_clock_of_a_contest(home: Home) -> None:
    need("bwrap")
    home.tournament("name: small\ngame: blackjack\nclock: {question: 80ms, start: 80ms}\n")
    slow = home.bot(stage.Bot("slow", "argv", "shell", "sleep 20\necho S"))
    said = home.refused("submit", slow, "--author", "ada", "--game", "tournaments/small.yaml")
    assert "it can't answer at blackjack, step 3, starts: no answer within 0.13 s" in said


def test_sandboxes_that_break_in_the_examination_are_not_the_bots_fault(home: Home) -> None:
    need("bwrap")
    folder = home.bot(stage.Bot("slow", "argv", "shell", "sleep 20\n"))
    home.tournament("name: small\ngame: blackjack\nclock: {question: 30s, start: 30s}\n")
    with stage.breaking_sandboxes():
        code, said, complaint = home.run(
            "submit", folder, "--author", "ada", "--game", "tournaments/small.yaml"
        )
    assert (code, said) == (1, "")
    assert complaint.startswith(f"{folder}: ")
    assert "can't answer" not in complaint
    assert "slow" not in home.done("show", "bots")


def test_the_end_says_where_a_bot_plays_and_when_and_what_would_bring_it_in_elsewhere(
    house: Home,
) -> None:
    write = {
        "all": "schedule: {cron: '0 20 * * FRI', zone: Asia/Yerevan}\n",
        "late": "entrants: {tags: [student]}\n",
        "few": "entrants: [sh12, sh16]\n",
        "named": "entrants: [sh12, good]\n",
        "other": "game: durak\n",
    }
    for name, more in write.items():
        game = "" if "game:" in more else "game: blackjack\n"
        (house.tournaments / f"{name}.yaml").write_text(f"name: {name}\n{game}{more}")
    good = house.bot(stage.shell("good", 17))
    is_in, *lines = house.done("submit", good, "--author", "eve").splitlines()
    assert is_in == "good v1 accepted"
    assert re.fullmatch(
        r"in all, on Fri \d+ \w{3} 2\d{3}, 20:00 Asia/Yerevan \(16:00 UTC\): good", lines[0]
    )
    assert lines[1:] == [
        "in named, with the next `arena run` or `arena up`, or now with"
        " `arena run --once named`: good",
        "not in few, until `entrants:` in its file names them: good",
        "not in late, until the organiser runs `arena bot tag BOT student`: good",
    ]
    again = house.done("submit", good, "--author", "eve", "--tag", "student")
    assert "in late, with the next" in again


def test_tournament_files_that_are_wrong_keep_no_bot_out(house: Home) -> None:
    house.tournament("name: small\n")
    said = house.done("submit", house.bot(stage.shell("good", 17)), "--author", "eve")
    assert said.startswith(
        "good v1 accepted\nThe tournaments of these bots are unknown: tournaments"
    )
    assert "'game' is missing" in said


def test_a_bot_of_a_game_that_no_tournament_is_of_is_told_so(house: Home) -> None:
    house.tournament("name: small\ngame: durak\n")
    said = house.done("submit", house.bot(stage.shell("good", 17)), "--author", "eve")
    assert said.endswith("in no tournament, because none in tournaments plays their games: good\n")


@pytest.mark.parametrize("name", ["bot.yml", "Bot.yaml", "bot.yaml.txt"])
def test_a_bot_yaml_by_another_name_is_found(home: Home, name: str) -> None:
    folder = home.bot(stage.shell("good", 17))
    (folder / "bot.yaml").rename(folder / name)
    said = home.refused("submit", folder, "--author", "ada")
    assert said == f"{folder}: there is no bot.yaml: rename {name}."


def test_a_game_that_there_is_not_is_told_with_its_line_and_what_was_meant(home: Home) -> None:
    folder = home.bot(stage.shell("good", 17))
    yaml = folder / "bot.yaml"
    yaml.write_text(yaml.read_text().replace("[blackjack]", "[blackjack, spade]"))
    wrong = "bot.yaml:2:20: there is no game 'spade': did you mean spades?"
    assert home.refused("submit", folder, "--author", "ada") == f"{folder}: {wrong}"
    code, output, _ = home.run("check", folder)
    assert (code, wrong in output, "1  FAILED  reads bot.yaml" in output) == (1, True, True)


def test_a_bot_of_all_games_is_stored_with_those_of_its_day_and_all_stands_alone(
    home: Home,
) -> None:
    need("bwrap")
    folder = home.bot(stage.shell("good", 17))
    yaml = folder / "bot.yaml"
    yaml.write_text(yaml.read_text().replace("games: [blackjack]", "games: all"))
    code, _, errors = home.run("submit", "--unchecked", folder, "--author", "ada")
    assert code == 0, errors
    with closing(Store(f"sqlite:///{home.database}")) as store:
        version = store.version("good")
        assert version.games == tuple(GAMES)
        assert stored_bot(store, version).manifest.games == version.games
    yaml.write_text(yaml.read_text().replace("games: all", "games: [blackjack, all]"))
    assert "there is no game 'all'" in home.refused("submit", folder, "--author", "ada")


def a_class(home: Home) -> Path:
    """The folders of three students and a library, in one folder; one bot is wrong."""
    need("bwrap")
    folder = home.folder / "class"
    for name, bot in (("Ann Lee", "ann"), ("bob", "bob"), ("eve", "eve")):
        stage.shell(bot, 17).write(folder).rename(folder / f"{name}'s")
    (folder / "eve's" / "bot.yaml").write_text("name: EVE\n")
    (folder / "lib").mkdir()
    return folder


def test_a_folder_of_folders_is_submitted_in_one_command(home: Home) -> None:
    folder = a_class(home)
    command = ("submit", folder, "--author-from", "folder", "--unchecked")
    code, said, complaint = home.run(*command)
    assert code == 2
    assert "eve's: bot.yaml:1:1: 'games' is missing" in complaint
    assert "bot.yaml:1:7: name must be" in complaint
    assert "accepted     ann v1 by Ann Lee's" in said
    assert "accepted     bob v1 by bob's" in said
    assert re.search(r"rejected     .*: bot.yaml:1:1", said)
    assert re.search(r"passed over  .*lib: no bot.yaml", said)
    (folder / "eve's" / "bot.yaml").write_text((folder / "bob's" / "bot.yaml").read_text())
    (folder / "eve's" / "bot.yaml").write_text(
        (folder / "bob's" / "bot.yaml").read_text().replace("bob", "eve")
    )
    said = home.done(*command)  # again: only what is new is new
    assert re.findall(r"^(accepted|unchanged) +\w+ v1 by", said, re.MULTILINE) == [
        "unchanged",
        "unchanged",
        "accepted",
    ]


def test_an_author_is_taken_from_bot_yaml(home: Home) -> None:
    need("bwrap")
    folder = home.bot(stage.shell("ann", 17))
    command = ("submit", folder, "--author-from", "bot.yaml", "--unchecked")
    assert "has no `author:`" in home.refused(*command)
    (folder / "bot.yaml").write_text((folder / "bot.yaml").read_text() + "author: Ann Lee\n")
    assert home.done(*command).startswith("ann v1 accepted\n")
    assert "Ann Lee" in home.done("show", "bots")
    assert "give either --author NAME" in home.refused("submit", folder)


@pytest.mark.parametrize(
    ("schedule", "when"),
    [
        ("new bots", "as soon as a bot is new"),
        ("always", "as soon as the season before is finished"),
    ],
)
def test_who_submits_a_bot_is_told_when_it_plays(house: Home, schedule: str, when: str) -> None:
    house.tournament(QUICK + f"schedule: {schedule}\n")
    submit = ("submit", house.bot(stage.shell("fresh", 17)), "--author", "bob", "--unchecked")
    at_first = "in small, with the next `arena run` or `arena up`, or now with `arena run --once"
    assert f"{at_first} small`: fresh" in house.done(*submit)
    house.done("run", "--once", "small")
    assert f"in small, {when}: fresh" in house.done(*submit)

"""The command line as somebody types it: real processes, their output and their exit codes."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

import arena
from tables.registry import GAMES
from tests.needs import need
from tests.tournament import stage

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 60.0


@contextmanager
def signals_as_they_are() -> Iterator[None]:
    """Give pytest its own handlers back."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    handlers = [signal.getsignal(number) for number in numbers]
    yield
    for number, handler in zip(numbers, handlers, strict=True):
        signal.signal(number, handler)


class Home:
    """A folder of its own with a database, tournament files and bots."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tournaments = folder / "tournaments"
        self.tournaments.mkdir(exist_ok=True)
        self.bots = folder / "bots"
        self.database = folder / "var" / "arena.db"

    def start(self, *arguments: object) -> subprocess.Popen[str]:
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        environment.pop("ARENA_DATABASE", None)
        return subprocess.Popen(
            [sys.executable, "-P", "-c", "import arena; arena.main()", *map(str, arguments)],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *arguments: object) -> tuple[int, str, str]:
        """Run a command to its end in this process: exit code, output, errors.

        Starting Python and reading the arena anew would take longer than most commands.
        """
        with pytest.MonkeyPatch.context() as patch, signals_as_they_are():
            patch.chdir(self.folder)
            patch.delenv("ARENA_DATABASE", raising=False)
            result = CliRunner().invoke(arena.main, [str(word) for word in arguments])
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result.exit_code, result.stdout, result.stderr

    def done(self, *arguments: object) -> str:
        """Run a command that must succeed."""
        code, output, errors = self.run(*arguments)
        assert (code, errors) == (0, "")
        return output

    def typed(self, *arguments: object) -> str:
        """Have a command that must succeed run as it is typed, in a process of its own."""
        process = self.start(*arguments)
        output, errors = process.communicate(timeout=PATIENCE)
        assert (process.returncode, errors) == (0, "")
        return output

    def refused(self, *arguments: object) -> str:
        """Give a command that is the user's mistake, and what it says of that."""
        code, output, errors = self.run(*arguments)
        assert (code, output) == (2, "")
        return errors.removesuffix("\n")

    def bot(self, bot: stage.Bot) -> Path:
        return bot.write(self.bots)

    def tournament(self, text: str) -> None:
        (self.tournaments / "small.yaml").write_text(text)


QUICK = "name: small\ngame: blackjack\ntourneys: 2\nrounds: 2\n"
LONG = "name: small\ngame: blackjack\ntourneys: 1000\nrounds: 20\n"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


@pytest.fixture(scope="session")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Home:
    need("bwrap", "bubblewrap")
    home = Home(tmp_path_factory.mktemp("house"))
    folders = [home.bot(stage.shell(f"sh{limit}", limit)) for limit in (12, 16, 20)]
    home.done("submit", *folders, "--author", "ada")
    return home


@pytest.fixture(scope="session")
def paired(tmp_path_factory: pytest.TempPathFactory) -> Home:
    need("bwrap", "bubblewrap")
    home = Home(tmp_path_factory.mktemp("pair"))
    folders = [home.bot(stage.legal(name, "spades", name)) for name in ("first", "last")]
    home.done("submit", *folders, "--author", "ada")
    return home


@pytest.fixture
def house(furnished: Home, tmp_path: Path) -> Home:
    """A home with three bots in its store."""
    shutil.copytree(furnished.folder, tmp_path, dirs_exist_ok=True)
    return Home(tmp_path)


@pytest.fixture
def partners(paired: Home, tmp_path: Path) -> Home:
    """A home with two bots that play a game of partners."""
    shutil.copytree(paired.folder, tmp_path, dirs_exist_ok=True)
    return Home(tmp_path)


def wait_for(condition: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.05)


# What works


def test_from_a_folder_of_bots_to_the_standings(house: Home) -> None:
    assert re.search(r"sh12 v1 +ada +blackjack +shell", house.typed("bots"))
    house.tournament(QUICK)
    output = house.typed("run")
    assert "small, season 1 (finished)" in output
    assert output.count("sh16 v1") == 1
    assert house.typed("standings", "small") == house.typed("standings")
    checked = house.typed("verify")
    assert "4 matches replayed" in checked
    assert "everything is as it was stored" in checked
    seed = re.search(r"seed +([0-9a-f]{64})", checked)
    assert seed


def test_nothing_is_played_twice_and_the_standings_are_shown_again(house: Home) -> None:
    house.tournament(QUICK)
    first = house.done("run")
    again = house.done("run")
    assert "season 1 begins" in first
    assert "season 1 begins" not in again
    assert "small, season 1 (finished)" in again


def test_once_plays_a_new_season_with_the_seed_that_was_given(house: Home) -> None:
    house.tournament(QUICK)
    for _ in range(2):
        house.done("run", "--once", "small", "--seed", stage.SEED.hex())
    assert house.done("verify").count(f"seed    {stage.SEED.hex()}") == 2


def test_a_stored_match_is_shown_hand_by_hand_with_its_faults(house: Home) -> None:
    bad = stage.Bot(
        "bad", "argv", "shell", '[ "$1" = 21 ] && echo S || { echo my fault >&2; exit 3; }\n'
    )
    house.done("submit", house.bot(bad), "--author", "eve")
    house.tournament(QUICK + "entrants: [bad, sh12]\n")
    house.done("run")
    shown = house.done("replay", "small/0001/t01/r1/a")
    assert "hand 1 of 5" in shown
    assert re.search(r"dealer +\S+[♣♦♥♠] \[\S+[♣♦♥♠]\]", shown)  # what the players didn't see
    assert re.search(r"bad v1: crash, strike: exited with code 3\n +stand-in +S\n", shown)
    assert "my fault" not in shown
    assert "bad v1 (struck out)" in shown
    told = house.done("stderr", "small/0001/t01/r1/a", "bad")
    assert re.search(r"game 1, seat \d, bad v1:\nmy fault\n", told)
    again = re.search(r"again +arena repro (small/0001/t01/r1/a 1 \d+) \./my_bot", shown)
    assert again
    for bot in (house.bots / "bad", "bad@1"):
        compared = house.done("repro", *again[1].split(), bot)
        assert re.search(r"asked: \d+ [2-9TJQKA]{2,} ", compared)
        assert "then: bad v1" in compared
        assert compared.count("crash: exited with code 3") == 2
        assert "now on standard error:\nmy fault" in compared
    questions = house.done("replay", "small/0001/t01/r1/a", "--questions")
    assert re.search(rf"turn {again[1].split()[-1]} +\d+ [2-9TJQKA]{{2,}} ", questions)


def test_a_question_that_is_not_there_is_told_with_those_that_are(house: Home) -> None:
    house.tournament(QUICK + "entrants: [sh12]\n")
    house.done("run")
    key, bot = "small/0001/t01/r1/a", house.bots / "sh12"
    where = f"game 1 of match {key}"
    assert house.refused("repro", key, 2, 1, bot) == f"match {key} has 1 game, there is no game 2"
    assert re.fullmatch(
        rf"{where} has the turns 0 to \d+, there is no turn 99",
        house.refused("repro", key, 1, 99, bot),
    )
    assert house.refused("repro", key, 1, 0, bot) == (
        f"turn 0 of {where} belongs to the dealer, and nobody was asked;"
        " the nearest question is turn 1"
    )
    assert house.refused("repro", "small/nowhere", 1, 1, bot) == (
        "no match 'small/nowhere' is stored"
    )
    assert house.refused("stderr", key, "nobody") == (
        f"'nobody' did not play match {key}, but sh12@1 did"
    )
    assert house.done("stderr", key, "sh12") == "sh12 wrote nothing on standard error there\n"


def test_one_table_is_played_now_and_shown(house: Home) -> None:
    guest = house.bot(stage.shell("guest", 17))
    shown = house.done("play", "blackjack", guest, "sh12", "--options", "hands=1")
    assert "hand 1 of 1" in shown
    assert re.search(r"dealer +\S+[♣♦♥♠] ░░", shown)
    assert "sh12 v1" in shown
    seed = re.search(r"--seed ([0-9a-f]{64})", shown)
    assert seed
    again = ("play", "blackjack", guest, "sh12", "--options", "hands=1", "--seed", seed[1])
    assert house.done(*again) == shown
    assert house.done("standings") == "nothing was played yet\n"


def test_a_duel_tells_two_versions_of_a_bot_apart(house: Home, tmp_path: Path) -> None:
    old, new = (
        stage.shell("mine", limit).write(tmp_path / place)
        for place, limit in (("old", 21), ("new", 17))
    )
    table = ("blackjack", new, old, "--option", "hands=5", "--boards", 30, "--seed", "5e" * 32)
    shown = house.done("duel", *table)
    assert re.search(r" [\d.]+% \([\d.]+% to [\d.]+%\) +\+[\d.]+ \(\+[\d.]+ to \+[\d.]+\) ", shown)
    assert "after 30 boards" in shown
    assert f"{new} is better than {old}: it leads by" in shown
    leads = re.compile(r"it leads by .*")
    assert leads.findall(house.done("duel", *table)) == leads.findall(shown)
    assert house.done("standings") == "nothing was played yet\n"


def test_a_duel_shows_the_first_fault_with_its_question(house: Home) -> None:
    broken = house.bot(stage.Bot("broken", "argv", "shell", "echo oops >&2; exit 3"))
    shown = house.done("duel", "blackjack", broken, "sh12", "--option", "hands=1", "--boards", 1)
    assert "broken's first fault, on board 1: crash: exited with code 3" in shown
    assert re.search(r"^  asked:    \d+ \w+ ", shown, re.MULTILINE)
    assert "  answered: (nothing)\n  on standard error in that game:\noops\n" in shown


def test_two_bots_fill_a_table_of_three(tmp_path: Path) -> None:
    home = Home(tmp_path)
    pair = [
        home.bot(stage.legal(name, "tarot", which))
        for name, which in (("mine", "last"), ("theirs", "first"))
    ]
    shown = home.done("duel", "tarot", *pair, "--option", "deals=1", "--boards", 2)
    assert len(re.findall(r"^ +theirs ", shown, re.MULTILINE)) == 2
    assert re.search(r"mine is \w+ than the others|mine over the others", shown)


def test_a_duel_that_is_stopped_says_what_it_has_seen(house: Home) -> None:
    guest = house.bot(stage.shell("guest", 17))
    for seconds in (3, 9, 27):  # it may take a while until the first board has been played
        process = house.start("duel", "blackjack", guest, "sh12", "--boards", 100_000)
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        shown, complaint = process.communicate(timeout=20)
        if "boards" in shown:
            break
    assert re.search(r"after \d+ boards", shown)
    assert re.fullmatch(r"stopped after \d+ of 100000 boards\n", complaint)
    assert process.returncode == 130


ONE_ROUND = ("--option", "max_rounds=1")
OPEN_HANDS = ("--option", "open_hands=true")
AGAINST = [("first", "last"), ("last", "first")]


def test_two_bots_are_their_own_partners_at_one_table(partners: Home) -> None:
    shown = partners.done("play", "spades", "first", "last", *ONE_ROUND)
    assert re.search(r"^[> ] first v1 \(seat 2\) +13 cards", shown, re.MULTILINE)
    assert len(re.findall(r"^  [12]   (?:first|last) v1", shown, re.MULTILINE)) == 2


def test_four_bots_play_two_against_two(partners: Home) -> None:
    shown = partners.done("play", "spades", "first", "last", "first", "last", *ONE_ROUND)
    ranks = re.findall(r"^  ([0-9])   (first|last) v1", shown, re.MULTILINE)
    assert ranks in ([("1", a), ("1", a), ("2", b), ("2", b)] for a, b in AGAINST)


def test_the_same_cards_are_played_again_with_the_seats_turned(partners: Home) -> None:
    shown = partners.done("play", "spades", "first", "last", *ONE_ROUND, "--duplicate")
    first, second = shown.split("game 2 of 2, the same cards with the seats turned\n")
    assert first.startswith("game 1 of 2\nround 1\n")
    assert "first v1 (seat 0)" in first
    assert "last v1 (seat 0)" in second


def test_hands_are_shown_while_a_game_goes_on_only_when_asked_for(partners: Home) -> None:
    table = ("play", "spades", "first", "last", "--preset", "one_round")
    closed, opened = partners.done(*table), partners.done(*table, "--open")
    assert re.search(r"13 cards +score", closed)
    assert not re.search(r"13 cards +score", opened)


def test_every_question_can_be_shown(partners: Home) -> None:
    shown = partners.done("play", "spades", "first", "last", *ONE_ROUND, "--questions")
    assert shown.count("    asked     spades bid 0..13 ") == 4
    assert shown.count("    asked     spades play ") == 52


def test_a_bot_of_another_game_is_not_seated(partners: Home) -> None:
    assert partners.refused("play", "durak", "first", "last") == (
        "first v1 plays spades and not durak"
    )
    assert partners.refused("play", "spades", "first", "last", "--preset", "poker") == (
        "'poker' is no preset of spades: expected one of standard, paper, one_round, openspiel"
    )


def test_a_table_with_open_hands_says_that_it_is_not_rated(partners: Home) -> None:
    shown = partners.done(
        "play", "spades", "first", "last", *ONE_ROUND, "--option", "open_hands=true"
    )
    assert shown.startswith("unrated: open hands say nothing about strength\n")


def test_the_matches_of_a_tournament_are_listed_by_its_name(partners: Home) -> None:
    partners.tournament("name: small\ngame: spades\noptions: one_round\nrounds: 2\n")
    partners.done("run")
    listed = partners.done("replay", "small")
    assert re.search(r"small/0001/t01/r2/a +(first|last) v1 [+-]", listed)
    assert "small/0001/t01/r1/a" in listed
    assert partners.refused("replay", "large") == "nothing is stored of the tournament 'large'"


def test_a_match_of_several_games_is_shown_whole_or_game_by_game(partners: Home) -> None:
    partners.tournament("name: small\ngame: spades\noptions: one_round\nrounds: 1\n")
    partners.done("run")
    key = "small/0001/t01/r1/a"
    whole = partners.done("replay", key)
    second = partners.done("replay", key, "--game", 2)
    assert whole.count("the end") == 2
    assert second.count("the end") == 1
    assert second.startswith("game 2 of 2, the same cards with the seats turned\n")
    assert whole.endswith(second)
    assert "cards  score" not in whole  # hands are open once the game is over
    assert partners.refused("replay", key, "--game", 3) == (
        f"match {key} has 2 games, there is no game 3"
    )


def test_a_season_of_open_hands_is_shown_without_ratings(partners: Home) -> None:
    options = "options: {max_rounds: 1, open_hands: true}"
    partners.tournament(f"name: small\ngame: spades\n{options}\nrounds: 1\n")
    output = partners.done("run")
    assert "small is unrated: open hands say nothing about strength" in output
    table = partners.done("standings")
    assert "unrated: open hands say nothing about strength" in table
    assert "rating" not in table.replace("unrated", "")


@pytest.mark.parametrize("game", stage.LISTED)
def test_a_bot_of_every_game_passes_the_check(home: Home, game: str) -> None:
    need("bwrap", "bubblewrap")
    output = home.done("check", home.bot(stage.legal(game, game, "first")))
    assert output.count("passed") == 7


def test_a_table_without_boxes_says_so_aloud(home: Home) -> None:
    guest = home.bot(stage.shell("guest", 17))
    code, output, errors = home.run("play", "blackjack", guest, "--box", "bare")
    assert code == 0
    assert "the end" in output
    assert errors.startswith("without boxes: every bot can read and change whatever you can")


def test_a_good_bot_passes_the_check(home: Home) -> None:
    need("bwrap", "bubblewrap")
    output = home.done("check", home.bot(stage.shell("good", 17)))
    assert [line.split()[:2] for line in output.splitlines() if line[0] != " "] == [
        [str(number), "passed"] for number in range(1, 8)
    ]


def test_a_bad_bot_is_told_what_is_wrong(home: Home) -> None:
    need("bwrap", "bubblewrap")
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
    assert house.done("submit", folder, "--author", "ada") == "sh12 v1 is in already, unchanged\n"
    (folder / "bot.sh").write_text("echo S\n")
    assert house.done("submit", folder / "bot.yaml", "--author", "ada") == "sh12 v2 is in\n"


def test_games_languages_and_the_doctor_answer(home: Home) -> None:
    games = home.done("games")
    for game in GAMES.values():
        assert f"{game.name}: {game.seats_text} seats, rules version {game.version}" in games
        assert f"presets: {', '.join(game.presets)}" in games
        assert all(option in games for option in game.options.model_fields)
    assert "python" in home.done("languages")
    assert "bubblewrap" in home.done("doctor")


# What is refused


def test_every_mistake_of_a_file_is_told_and_nothing_is_started(home: Home) -> None:
    home.tournament("name: small\ngame: blackjack\nseats: 7\nbox: paper\n")
    lines = home.refused("run").splitlines()
    assert [line.partition(" ")[0] for line in lines] == [
        "tournaments/small.yaml:3:8:",
        "tournaments/small.yaml:4:6:",
    ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["run", "--folder", "nowhere"], "there is no folder nowhere"),
        (["run"], "there is no tournament file (*.yaml) in tournaments"),
        (["replay", "small/0001/t01/r1/a"], "there is no database var/arena.db"),
        (["standings", "smal"], "there is no database var/arena.db"),
        (["verify", "smal"], "there is no database var/arena.db"),
        (["bots"], "there is no database var/arena.db"),
        (["play", "chess", "a"], "there is no game 'chess': there are blackjack"),
        (["play", "blackjack", "ghost"], "no bot is called 'ghost'"),
        (["play", "spades", *"abc"], "such a table of spades takes 2 or 4 bots, not 3"),
        (["play", "tarot", *"ab"], "such a table of tarot takes 3 bots, not 2"),
        (
            ["play", "blackjack", *"abcde"],
            "such a table of blackjack takes 1, 2, 3 or 4 bots, not 5",
        ),
        (
            ["play", "durak", *"abcdef", "--option", "deck=24"],
            "such a table of durak takes 2, 3 or 4 bots, not 6",
        ),
        (["play", "blackjack", "./ghost"], "ghost: ghost does not exist"),
        (["submit", "ghost", "--author", "ada"], "ghost: ghost does not exist"),
        (["submit", ".", "--author", "ada"], ".: there is no bot.yaml"),
        (["bots", "--database", "mysql://x"], "'mysql://x' is no database address"),
        (["play", "blackjack", "x", "--database", "sqlite:////proc/x/y"], "can't be made"),
    ],
)
def test_a_mistake_gets_one_sentence(home: Home, arguments: list[str], sentence: str) -> None:
    said = home.refused(*arguments)
    assert sentence in said
    assert len(said.splitlines()) == 1
    assert not any(word in arguments for word in ("bots", "verify")) or not home.database.exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["replay", "small/0001/t01/r1/a"], "no match 'small/0001/t01/r1/a' is stored"),
        (["standings", "smal"], "nothing is stored of the tournament 'smal'"),
        (["verify", "smal"], "nothing is stored of the tournament 'smal'"),
    ],
)
def test_what_is_not_stored_is_told(house: Home, arguments: list[str], sentence: str) -> None:
    assert sentence in house.refused(*arguments)


def test_verify_tells_of_damage_without_a_traceback(house: Home) -> None:
    house.tournament(QUICK)
    house.done("run", "--until-idle")
    with sqlite3.connect(house.database) as database:
        database.execute("update seasons set settings = '{}'")
    database.close()
    code, _, errors = house.run("verify")
    assert code == 1
    assert "small: what is stored of it can't be read any more" in errors


@pytest.mark.parametrize(
    "arguments",
    [
        ["run", "--seed", "abc"],
        ["run", "--seed", "00" * 32],
        ["serve", "--port", "99999"],
        ["play", "blackjack"],
        ["check", "ghost"],
        ["dance"],
    ],
)
def test_a_wrong_word_gets_the_usage(home: Home, arguments: list[str]) -> None:
    assert home.refused(*arguments).startswith("Usage: ")


def test_an_unknown_tournament_is_told_with_the_one_that_was_meant(home: Home) -> None:
    home.tournament(QUICK)
    assert "did you mean small?" in home.refused("run", "--once", "smal")


def test_unknown_entrants_are_told_with_the_ones_that_were_meant(house: Home) -> None:
    house.tournament(QUICK + "entrants: [sh12, sh61]\n")
    assert "no bot is called 'sh61'; did you mean sh16" in house.refused("run")


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("hand=1", "is no option of blackjack, which are key=value: did you mean hands?"),
        ("hands", "is no option"),
        ("x=1", "there are start_chips, hands, "),
        ("hands=0", "hands=0: "),
    ],
)
def test_wrong_options_of_a_table_are_told(house: Home, option: str, sentence: str) -> None:
    assert sentence in house.refused("play", "blackjack", "sh12", "--options", option)


def test_a_failing_build_is_refused_with_its_log_and_nothing_is_stored(home: Home) -> None:
    need("bwrap", "bubblewrap")
    need("gcc", "gcc")
    said = home.refused(
        "submit", home.bot(stage.Bot("bad", "argv", "c", "int main( {")), "--author", "ada"
    )
    assert "the build failed" in said
    assert "error:" in said
    assert "bad" not in home.done("bots")


def test_a_name_of_another_author_is_refused(house: Home) -> None:
    said = house.refused("submit", house.bots / "sh12", "--author", "eve")
    assert "the name sh12 belongs to ada" in said


def test_a_port_in_use_is_told_before_anything_is_played(house: Home) -> None:
    house.tournament(QUICK)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"port {port} of 127.0.0.1 is in use" in house.refused("up", "--port", port)
        assert f"port {port} of 127.0.0.1 is in use" in house.run("serve", "--port", port)[2]
    assert house.done("standings") == "nothing was played yet\n"


# Stopping


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def answers(port: int) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as page:
            return page.status == 200
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_interrupted_ends_at_once_with_all_it_started(
    house: Home, number: signal.Signals
) -> None:
    house.tournament(LONG)
    running = house.start("run")
    wait_for(lambda: stage.sandboxes(running.pid))
    family = psutil.Process(running.pid).children(recursive=True)
    running.send_signal(number)
    _, errors = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert errors.endswith("stopped; what is stored stays\n")
    assert not psutil.wait_procs(family, timeout=PATIENCE)[1]


def test_a_mistake_gets_exit_code_2_from_the_program_too(home: Home) -> None:
    code, output, errors = home.run("standings", "smal")
    assert (code, output) == (2, "")
    assert errors.startswith("there is no database var/arena.db: ")


def test_a_run_that_waits_says_for_what_and_ends_at_once(home: Home) -> None:
    home.tournament(QUICK + "schedule: {cron: '0 0 29 2 *'}\n")
    assert home.done("run", "--until-idle") == ""
    running = home.start("run")
    assert running.stdout is not None
    assert re.match(r"next: small at \d{4}-02-2", running.stdout.readline())
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert errors.endswith("stopped; what is stored stays\n")


def test_a_second_run_on_one_database_is_refused(house: Home) -> None:
    house.tournament(LONG)
    running = house.start("run")
    try:
        wait_for(lambda: stage.sandboxes(running.pid))
        assert "another arena is playing the tournaments of" in house.refused("run")
        house.done("standings")
    finally:
        running.send_signal(signal.SIGINT)
        running.communicate(timeout=PATIENCE)


def test_up_plays_and_serves_until_it_is_interrupted(house: Home) -> None:
    house.tournament(QUICK)
    port = free_port()
    running = house.start("up", "--port", port)
    family: list[psutil.Process] = []
    try:
        wait_for(lambda: answers(port))
        wait_for(lambda: "(finished)" in house.done("standings"))
        family = psutil.Process(running.pid).children(recursive=True)
        assert family
    finally:
        running.send_signal(signal.SIGINT)
        output, errors = running.communicate(timeout=PATIENCE)
    assert running.returncode == 130
    assert errors.endswith("stopped; what is stored stays\n")
    assert f"http://127.0.0.1:{port}" in output
    assert not psutil.wait_procs(family, timeout=PATIENCE)[1]
    assert not answers(port)


def test_the_site_ends_with_an_arena_that_is_killed(house: Home) -> None:
    house.tournament(QUICK)
    port = free_port()
    running = house.start("up", "--port", port)
    wait_for(lambda: answers(port))
    family = psutil.Process(running.pid).children(recursive=True)
    running.kill()
    running.communicate(timeout=PATIENCE)
    assert not psutil.wait_procs(family, timeout=PATIENCE)[1]
    assert not answers(port)


def test_the_arena_says_so_and_ends_when_its_site_is_killed(house: Home) -> None:
    house.tournament(QUICK)
    port = free_port()
    running = house.start("up", "--port", port)
    wait_for(lambda: answers(port))
    for child in psutil.Process(running.pid).children():
        if "serve" in child.cmdline():
            child.kill()
    _, errors = running.communicate(timeout=PATIENCE)
    assert running.returncode == 1
    assert errors.endswith("the leaderboard's server ended by itself (code -9)\n")


def test_two_bots_of_one_name_are_not_taken_together(house: Home, tmp_path: Path) -> None:
    paths = [stage.shell("twin", limit).write(tmp_path / str(limit)) for limit in (12, 13)]
    code, said, complaint = house.run("submit", *paths, "--author", "ada")
    assert (code, said) == (2, "twin v1 is in\n")
    assert complaint == f"{paths[1]}: it is called twin, as {paths[0]} is\n"

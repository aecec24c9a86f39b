"""The likeliest cause of a fault, told to real bots with the usual mistakes in real sandboxes."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from card_arena.common.faults import Fault
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.builds import build
from card_arena.sandbox.bundles.bundle import read_bundle
from card_arena.sandbox.causes import likely_cause
from card_arena.sandbox.limits import Clock, Limits
from card_arena.sandbox.sandbox import Reply
from card_arena.sandbox.seat import BotPlayer, Protocol
from card_arena.tests.needs import need

EACH_LINE = "import sys\nfor line in sys.stdin:\n    "
EACH_QUESTION = f"{EACH_LINE}if line[0] != '#': "
SUFFIX = {"python": "py", "shell": "sh", "c": "c"}


def fault(
    folder: Path, protocol: Protocol, source: str, language: str = "python", question: float = 1.5
) -> tuple[str, str]:
    """Play a game of three questions, and give the kind and the detail of the first fault."""
    need("bwrap")
    bot = folder / "ada"
    bot.mkdir()
    (bot / f"bot.{SUFFIX[language]}").write_bytes(source.encode())
    (bot / "bot.yaml").write_text(
        f"name: ada\ngames: [blackjack]\nprotocol: {protocol}\nlanguage: {language}\n"
    )
    program = build(read_bundle(bot), backend("bubblewrap"), folder / "cache").program
    clock = Clock(question=question, start=question)
    limits = Limits(stopped_between_turns=False)  # so that what it says besides is there in time
    with backend("bubblewrap").open(program, clock.stretched(limits)) as sandbox:
        player = BotPlayer(sandbox, clock, protocol)
        player.begin_game()
        for _ in range(3):
            player.tell("hand 1 9AK675T")
            reply = player.ask(["17", "K7", "9#K675", "10", "190"])
            if reply.fault:
                return str(reply.fault), reply.detail
            time.sleep(0.3)
        player.end_game()
    return "", ""


@pytest.mark.parametrize(
    ("protocol", "source"),
    [("argv", "while True: pass\n"), ("stdin", f"{EACH_LINE}\n    while True: pass\n")],
)
def test_an_endless_loop_is_called_one_and_not_a_missing_flush(
    tmp_path: Path, protocol: Protocol, source: str
) -> None:
    kind, detail = fault(tmp_path, protocol, source)
    assert kind == "timeout"
    assert "it was busy (" in detail, detail
    assert "an endless loop" in detail
    assert "flush" not in detail


def test_a_bot_that_waits_is_told_to_flush_and_not_of_a_loop(tmp_path: Path) -> None:
    kind, detail = fault(tmp_path, "stdin", f"{EACH_QUESTION}print('S')\n")
    assert kind == "timeout"
    assert "it was waiting (" in detail
    assert "flush standard output after each answer" in detail
    assert "endless loop" not in detail


def test_an_answer_without_its_newline_is_told_of_it(tmp_path: Path) -> None:
    kind, detail = fault(tmp_path, "stdin", f"{EACH_QUESTION}print('S', end='', flush=True)\n")
    assert kind == "timeout"
    assert "print a newline after the answer" in detail


def test_an_argv_bot_that_sleeps_is_not_told_to_flush(tmp_path: Path) -> None:
    kind, detail = fault(tmp_path, "argv", "sleep 5\n", "shell")
    assert kind == "timeout"
    assert "it was waiting" in detail
    assert "flush" not in detail


def test_a_bot_that_answers_notices_is_asked_whether_it_did(tmp_path: Path) -> None:
    kind, detail = fault(tmp_path, "stdin", f"{EACH_LINE}print('S', flush=True)\n")
    assert kind == "malformed"
    assert "lines that begin with # are notices and need no answer" in detail


def test_a_bot_that_prints_to_find_mistakes_is_sent_to_standard_error(tmp_path: Path) -> None:
    source = f"{EACH_QUESTION}print('S', flush=True); print('I had', line[:9], flush=True)\n"
    kind, detail = fault(tmp_path, "stdin", source)
    assert kind == "malformed"
    assert "on standard error, not on standard output" in detail
    assert "begins with #" not in detail


def test_an_answer_with_an_empty_line_behind_it_is_told_of_that(tmp_path: Path) -> None:
    kind, detail = fault(tmp_path, "stdin", f"{EACH_QUESTION}print('S\\n', flush=True)\n")
    assert kind == "malformed"
    assert "it is empty" in detail


def test_a_bot_that_reads_notices_as_a_question_is_told_so(tmp_path: Path) -> None:
    kind, detail = fault(tmp_path, "stdin", f"{EACH_LINE}print(int(line.split()[0]), flush=True)\n")
    assert kind == "crash"
    assert "it took a line that begins with # for a question" in detail


@pytest.mark.parametrize(
    ("source", "language"),
    [
        ("import sys\nprint('H' if int(sys.argv[1]) < 17 else 'S')\n", "python"),
        ("set -u\necho $1\n", "shell"),
        (
            "#include <stdio.h>\n#include <stdlib.h>\n"
            "int main(int n, char **words) { return !printf('H' + atoi(words[1])); }\n",
            "c",
        ),
        ("echo S\n", "shell"),
    ],
)
def test_an_argv_bot_that_is_declared_stdin_is_told_so(
    tmp_path: Path, source: str, language: str
) -> None:
    if language == "c":
        need("gcc")
        source = source.replace("printf('H' + atoi(words[1]))", 'printf("%d", atoi(words[1]))')
    kind, detail = fault(tmp_path, "stdin", source, language)
    assert kind == "crash"
    assert "`protocol: argv`" in detail


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        (f"{EACH_QUESTION}print('S', flush=True)\n", "malformed"),
        ("while True:\n    print('HS'[input()[0] != '#'])\n", "crash"),
        ("import sys\nwhile True:\n    if sys.stdin.readline(): print('S')\n", "timeout"),
    ],
)
def test_a_stdin_bot_that_is_declared_argv_is_told_so(
    tmp_path: Path, source: str, kind: str
) -> None:
    found, detail = fault(tmp_path, "argv", source)
    assert found == kind
    assert "`protocol: stdin`" in detail or "an argv bot gets none" in detail


def test_a_stdin_bot_that_answers_once_is_told_to_go_on(tmp_path: Path) -> None:
    kind, detail = fault(tmp_path, "stdin", f"{EACH_QUESTION}print('S', flush=True); break\n")
    assert (kind, "a stdin bot keeps running: read lines until" in detail) == ("crash", True)


def test_windows_line_ends_that_a_shell_stumbles_over_are_named(tmp_path: Path) -> None:
    kind, detail = fault(tmp_path, "argv", "set -e\r\nexport A=1\r\nexec cat\r\n", "shell")
    assert kind == "crash"
    assert "Windows line ends (CR LF)" in detail


def test_a_command_that_is_not_in_the_sandbox_is_looked_for_on_standard_error(
    tmp_path: Path,
) -> None:
    kind, detail = fault(tmp_path, "argv", "zigzag\n", "shell")
    assert (kind, "a program that it starts is not in its sandbox" in detail) == ("crash", True)


def test_nothing_is_said_where_nothing_points_to_a_cause() -> None:
    crash = Reply(None, Fault.CRASH, "exit", {"exit": 3}, "no idea")
    assert likely_cause(crash, "argv", cold=True) == ""
    assert likely_cause(crash, "stdin", cold=False) == ""
    assert likely_cause(Reply("S"), "stdin", cold=False) == ""


def test_a_list_that_is_too_short_is_not_taken_for_missing_arguments(tmp_path: Path) -> None:
    source = f"{EACH_LINE}\n    words = line.split()\n    print(words[99])\n"
    kind, detail = fault(tmp_path, "stdin", source)
    assert (kind, detail) == ("crash", "exited with code 1")

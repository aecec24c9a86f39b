from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal

import pytest

from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.bundles.bundle import read_bundle
from card_arena.sandbox.check import Check, CheckQuestions, CheckStep, Wrong
from card_arena.sandbox.limits import Clock, Limits
from card_arena.tests.needs import need

HEAD = "name: ada\ngames: [blackjack]\nprotocol: {protocol}\nlanguage: shell\n"
ECHO = "while read -r line; do case $line in '#'*) ;; *) {answer} ;; esac; done\n"


def judge(line: str) -> Wrong | None:
    return None if line in ("H", "S") else Wrong("expected H or S", kind_of(line))


def kind_of(line: str) -> Literal["malformed", "illegal"]:
    return "illegal" if line == "D" else "malformed"


QUESTIONS = CheckQuestions(
    sample=("21", "KJA"),
    judge=judge,
    notices="hand 1 9AK675T",
    random=[((str(score), "T2"), judge) for score in range(4, 54)],
    odd=[(("12", "0"), judge), (("12", "1000000"), judge)],
)


@pytest.fixture(autouse=True)
def _bubblewrap() -> None:
    need("bwrap")


def steps(
    folder: Path,
    script: str,
    protocol: str = "argv",
    questions: CheckQuestions = QUESTIONS,
    **clock: float,
) -> list[CheckStep]:
    bot = folder / "ada"
    bot.mkdir()
    evaluates = "evaluate: true\n" if questions.evaluations else ""
    (bot / "bot.yaml").write_text(HEAD.format(protocol=protocol) + evaluates)
    (bot / "bot.sh").write_text(script)
    return list(
        Check(
            partial(read_bundle, bot),
            questions,
            backend("bubblewrap"),
            Clock(**{"question": 30.0, "start": 60.0, **clock}),
            Limits(),
            folder / "cache",
        ).steps()
    )


@pytest.mark.parametrize(("answer", "mark"), [("H=1 S=-.5", "+"), ("H=1", "-")])
def test_a_bot_that_evaluates_is_asked_to(tmp_path: Path, answer: str, mark: str) -> None:
    def judge_scores(line: str) -> Wrong | None:
        return None if "S=" in line else Wrong("no score of S")

    asked = [(("evaluate", str(number), "21", "KJA"), judge_scores) for number in range(3)]
    script = f'if [ "$1" = evaluate ]; then echo "{answer}"; else echo S; fi\n'
    *others, last = steps(tmp_path, script, questions=replace(QUESTIONS, evaluations=asked))
    assert marks([*others, last]) == f"+++++++{mark}"
    assert (last.number, last.title) == (8, "evaluates 3 questions")


def marks(found: list[CheckStep]) -> str:
    return "".join("+" if s.passed else "-" if s.reached else "." for s in found)


@pytest.mark.parametrize(
    ("protocol", "script"), [("argv", "echo S\n"), ("stdin", ECHO.format(answer="echo S"))]
)
def test_a_good_bot_passes_every_step(tmp_path: Path, protocol: str, script: str) -> None:
    found = steps(tmp_path, script, protocol)
    assert marks(found) == "+++++++"
    assert [step.number for step in found] == [1, 2, 3, 4, 5, 6, 7]
    assert found[0].detail.startswith(f"ada: {protocol}, shell, 2 files, ")
    assert found[3].detail == "`21 KJA` was answered with 'S'"
    assert found[4].title == "answers 50 random questions"
    assert found[4].detail == "all 50 legal"
    assert found[5].detail.endswith(", of 30000 ms allowed")
    assert found[6].detail == "all 2 legal"


def test_a_game_without_odd_questions_says_so(tmp_path: Path) -> None:
    found = steps(tmp_path, "echo S\n", questions=replace(QUESTIONS, odd=[]))
    assert (found[6].passed, found[6].detail) == (True, "there are none")


def test_a_folder_that_is_no_bot_fails_the_first_step_and_reaches_no_other(tmp_path: Path) -> None:
    found = list(
        Check(
            partial(read_bundle, tmp_path),
            QUESTIONS,
            backend("bubblewrap"),
            Clock(),
            Limits(),
            tmp_path / "cache",
        ).steps()
    )
    assert marks(found) == "-......"
    assert found[0].detail.startswith("there is no bot.yaml")


def test_a_failing_build_shows_its_log(tmp_path: Path) -> None:
    found = steps(tmp_path, "if then\n")
    assert marks(found) == "+-....."
    assert "Syntax error" in found[1].output


def test_a_bot_that_crashes_is_quoted(tmp_path: Path) -> None:
    found = steps(tmp_path, "printf 'no \\033[1m idea\\n' >&2; exit 3\n")
    assert marks(found) == "++-...."
    assert found[2].detail == "exited with code 3"
    assert "no " in found[2].output
    assert "\x1b" not in found[2].output


def test_a_word_that_is_not_legal_fails_with_the_reason(tmp_path: Path) -> None:
    found = steps(tmp_path, 'if [ "$1" = 21 ]; then echo P; else echo S; fi\n')
    assert marks(found) == "+++--++"
    assert found[3].detail == "`21 KJA` was answered with 'P': expected H or S"
    assert found[4].detail == (
        "1 of 50 wrong; the first: `21 T2` was answered with 'P': expected H or S"
    )


def test_a_slow_bot_fails_against_the_clock_without_keeping_anybody_waiting(tmp_path: Path) -> None:
    found = steps(
        tmp_path, 'if [ "$1" != 21 ]; then sleep 60; fi; echo S\n', question=0.1, start=60.0
    )
    assert marks(found) == "++++---"
    assert (
        "5 of 5 wrong, and the step was abandoned; the first: `4 T2` was answered with nothing"
        in found[4].detail
    )


def test_a_bot_that_answers_the_notices_is_caught(tmp_path: Path) -> None:
    found = steps(tmp_path, "while read -r line; do echo S; done\n", "stdin")
    assert not all(step.passed for step in found)


def test_odd_chips_are_asked_of_a_fresh_process_after_a_fault(tmp_path: Path) -> None:
    script = ECHO.format(answer='[ "${line#* }" = 0 ] && exit 1; echo S')
    found = steps(tmp_path, script, "stdin")
    assert marks(found) == "++++++-"
    assert found[6].detail.startswith("1 of 2 wrong; the first: `12 0` was answered with nothing")


def test_a_bot_that_forgets_to_flush_is_reminded_of_it(tmp_path: Path) -> None:
    found = steps(tmp_path, "while read -r line; do :; done", "stdin", start=0.3, question=0.3)
    (failed,) = (step for step in found if not step.passed and step.reached)
    assert "flush standard output after each answer" in failed.detail
    assert failed.detail.startswith("no answer within ")


@pytest.mark.parametrize(
    ("script", "step", "can_answer"),
    [
        ("exit 1\n", 3, False),
        ("echo P\n", 4, False),
        ("if [ $1 = 21 ]; then echo S; else echo D; fi\n", 5, True),
        ("if [ $1 = 21 ]; then echo S; else echo P; fi\n", 5, False),
        ("if [ $1 = 21 ]; then echo S; else exit 1; fi\n", 5, False),
    ],
)
def test_a_step_that_failed_says_whether_the_bot_can_answer_at_all(
    tmp_path: Path, script: str, step: int, can_answer: bool
) -> None:
    """An answer that is not allowed is an answer, and the game goes on with its fallback action."""
    failed = next(found for found in steps(tmp_path, script) if not found.passed)
    assert (failed.number, failed.can_answer) == (step, can_answer)


def test_a_script_with_windows_line_ends_does_not_build_and_is_told_why(tmp_path: Path) -> None:
    found = steps(tmp_path, "if true\r\nthen echo S\r\nfi\r\n")
    assert marks(found) == "+-....."
    assert "bot.sh has Windows line ends (CR LF): save it with LF alone" in found[1].detail

from __future__ import annotations

from pathlib import Path

import pytest

from card_arena.sandbox.backends.bare import Bare
from card_arena.sandbox.check import Judge, Wrong, prove
from card_arena.sandbox.languages import toolchains

YAML = "name: ada\ngames: [blackjack]\nprotocol: argv\nlanguage: shell\n"
BOTH_WAYS = """\
[ $# -gt 0 ] && { echo "$1"; exit; }
while read -r first rest; do
    case $first in "#") ;; *) echo "$first" ;; esac
done
"""


def bot(folder: Path, program: str) -> Path:
    (folder / "bot.yaml").write_text(YAML)
    (folder / "bot.sh").write_text(program)
    return folder


def says(expected: str) -> Judge:
    return lambda line: None if line == expected else Wrong(f"expected {expected}")


def proof(folder: Path) -> str | None:
    questions = [(["1", "x"], says("1")), (["2", "x"], says("2"))]
    return prove(folder, Bare(), folder / "cache", questions)


def test_a_bot_that_answers_both_ways_is_proven(tmp_path: Path) -> None:
    assert proof(bot(tmp_path, BOTH_WAYS)) is None


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("echo 1\n", "argv: `2 x` got '1': expected 2\n"),
        ('echo "$1"; exit 3', "argv: `1 x` got '1': exited with code 3\n"),
        ('[ $# -gt 0 ] && echo "$1"\n', "stdin: `1 x` got None: exited with code 1"),
        (BOTH_WAYS.replace('"#"', "-"), "stdin: `1 x` got '#': expected 1\n"),
    ],
)
def test_what_is_wrong_is_said_with_the_question(
    tmp_path: Path, program: str, expected: str
) -> None:
    assert (proof(bot(tmp_path, program)) or "").startswith(expected)


def test_a_build_that_fails_is_said_with_its_log(tmp_path: Path) -> None:
    reason = proof(bot(tmp_path, "if\n")) or ""
    assert reason.startswith("step `sh -n ./bot.sh` exited with code 2\n")
    assert "yntax error" in reason


def test_a_tool_that_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchains, "SEARCH_PATH", str(tmp_path))
    assert proof(bot(tmp_path, BOTH_WAYS)) == "shell needs sh: apt-get install dash"

"""`warm:` in bot.yaml: whether a bot in Python is forked, and what the check says about it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.builds import build
from card_arena.sandbox.bundles.bundle import BadBundle, read_bundle
from card_arena.sandbox.cache_folder import default_cache
from card_arena.sandbox.check import AFRESH, Check, CheckQuestions
from card_arena.sandbox.inside.zygote_python import FORKED
from card_arena.sandbox.limits import Clock, Limits

PATIENCE = 20.0


def bundle(folder: Path, *lines: str) -> Path:
    """A bot's folder as an author submits it."""
    (folder / "bot.py").write_text("import json\nprint('S')")
    settings = ["name: odd", "games: blackjack", *lines]
    (folder / "bot.yaml").write_text("\n".join(settings))
    return folder


ARGV = ("protocol: argv", "language: python")


@pytest.mark.parametrize(
    ("lines", "warm"),
    [
        (ARGV, True),
        ((*ARGV, "warm: true"), True),
        ((*ARGV, "warm: false"), False),
        (("protocol: stdin", "language: python"), True),
        (("protocol: stdin", "language: python", "warm: false"), False),
        ((*ARGV, "run: python3 -O bot.py"), False),
    ],
)
def test_bots_in_python_are_warm_unless_they_say_otherwise(
    lines: Sequence[str], warm: bool, tmp_path: Path
) -> None:
    built = build(read_bundle(bundle(tmp_path, *lines)), backend("bubblewrap"), default_cache())
    assert built.program.forkable is warm


@pytest.mark.parametrize(
    "lines",
    [
        ("protocol: stdin", "language: shell", "main: bot.py", "warm: false"),
        ("protocol: argv", "language: shell", "main: bot.py", "warm: true"),
        (*ARGV, "run: python3 bot.py", "warm: true"),
    ],
)
def test_warm_is_said_only_of_bots_in_python(lines: Sequence[str], tmp_path: Path) -> None:
    with pytest.raises(BadBundle, match=r"`warm:`, which is for bots with `language: python`"):
        read_bundle(bundle(tmp_path, *lines))


@pytest.mark.parametrize(("line", "how"), [("warm: true", FORKED), ("warm: false", AFRESH)])
def test_the_check_tells_how_a_bot_is_started(line: str, how: str, tmp_path: Path) -> None:
    questions = CheckQuestions(["a"], lambda word: None, "# notices", [], [])
    folder = bundle(tmp_path, *ARGV, line)
    steps = Check(
        partial(read_bundle, folder),
        questions,
        backend("bubblewrap"),
        Clock(PATIENCE, PATIENCE),
        Limits(cpu=10),
        default_cache(),
    ).steps()
    (detail,) = [step.detail for step in steps if step.title == "starts"]
    assert detail.endswith(f"; {how}")

"""`arena check`."""

from __future__ import annotations

import sys
from contextlib import suppress
from functools import partial
from pathlib import Path

from card_arena.commands.console import Printer
from card_arena.commands.playing import set_up
from card_arena.common.text import one_line
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.bundles.bundle import BadBundle
from card_arena.sandbox.cache_folder import default_cache
from card_arena.sandbox.check import Check
from card_arena.tables.registry import GAMES
from card_arena.tables.registry import game as game_of
from card_arena.tournament.submissions import check_questions, read_known


def check(bot: Path, game: str | None, sandbox: str | None, wheels: Path | None) -> None:
    """Check a bot and print each step; exit code 1 if one fails."""
    console = Printer()
    first, prefix = next(iter(GAMES)), False
    with suppress(BadBundle):  # the first step shows why
        about = read_known(bot).manifest
        first, prefix = about.games[0], about.prefix
    table = set_up(game or first, sandbox=sandbox, wheels=wheels)
    questions = check_questions(game_of(table.game), table.options, prefix=prefix)
    good = True
    tried = Check(
        partial(read_known, bot),
        questions,
        backend(table.backend_name),
        table.clock.clock(),
        table.limits.limits(),
        default_cache(),
        table.wheels,
    )
    for step in tried.steps():
        word = "passed" if step.passed else "FAILED" if step.reached else "skipped"
        console.print(f"{step.number}  {word:7} {step.title}")
        for line in f"{step.detail}\n{'' if step.passed else step.output}".splitlines():
            if line:
                console.print(f"           {one_line(line)}", soft_wrap=True)
        good &= step.passed
    if not good:
        sys.exit(1)

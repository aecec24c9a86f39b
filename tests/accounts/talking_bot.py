"""A played match of a bot that writes to standard error."""

from __future__ import annotations

from card_arena.tests.accounts.porch import Porch, bot
from card_arena.tests.tournament import stage
from card_arena.tournament.play.runner import run
from card_arena.tournament.play.steps import finish

TALKING = '#!/bin/sh\necho "<b>secret plan</b>" >&2\n' + stage.SHELL_ARGV


def played(porch: Porch, **options: int) -> None:
    """A season of Ann's talking bot against Bob's, with these options of the game."""
    porch.add_upload(porch.ann, bot("davey", 15, TALKING))
    porch.add_upload(porch.bob, bot("rival", 12))
    finish(porch.intake().take_all(stage.Here()))
    settings = stage.tournament(sandbox="bare", legs=2, rounds=3, options=options)
    run(porch.store, [settings], stage.Notes(), wait=False, pool=stage.Here())

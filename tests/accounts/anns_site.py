"""The site on which Ann's bots are."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from card_arena.tests.accounts.porch import Porch, bot
from card_arena.tests.accounts.served import Served, served
from card_arena.tests.accounts.talking_bot import played
from card_arena.tests.tournament import stage
from card_arena.tournament.play.steps import finish


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Ann's bot has played; of her other uploads one failed and one waits."""
    folder: Path = tmp_path_factory.mktemp("accounts")
    porch = Porch(folder)
    played(porch)
    porch.add_upload(porch.ann, bot("wrong", source="#!/bin/sh\necho my mistake >&2\n"))
    finish(porch.intake().take_all(stage.Here()))
    porch.add_upload(porch.ann, bot("later"))
    porch.accounts.make_token(porch.ann.id, "CI " + "x" * 70, "submit", timedelta(days=30))
    porch.accounts.invite_member(porch.bob.id, porch.bob.teams[0].id, "ann@example.org", 4)
    porch.accounts.invite_member(porch.ann.id, 1, f"{'long' * 30}@example.org", 4)
    with served(porch) as found:
        yield found
    porch.accounts.close()
    porch.store.close()

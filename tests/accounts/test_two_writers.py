"""Site and runner write to one door at the same moment: each finds what the other one wrote."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime
from threading import Barrier

import pytest

from accounts.storage.door import Door

ROUNDS = 25


@pytest.fixture
def doors(url: str) -> Iterator[tuple[Door, Door]]:
    """One door, opened twice."""
    with closing(Door(url)) as one, closing(Door(url)) as other:
        yield one, other


def at_once(doors: tuple[Door, Door], act: Callable[[Door], object]) -> list[object]:
    """What both get when they do the same at the same moment."""
    ready = Barrier(2)

    def do(door: Door) -> object:
        ready.wait()
        return act(door)

    with ThreadPoolExecutor(2) as pool:
        return [*pool.map(do, doors)]


def test_a_bot_has_one_alias(doors: tuple[Door, Door]):
    for number in range(ROUNDS):
        bots = {f"bot-{number}-{each}" for each in range(3)}
        one, other = at_once(doors, lambda door: door.aliases("friday", bots))  # noqa: B023
        assert one == other


def test_standings_are_copied_once(doors: tuple[Door, Door]):
    moment = datetime(2026, 11, 1, tzinfo=UTC)
    for season in range(1, ROUNDS):
        at_once(doors, lambda door: door.keep_board("friday", season, moment, {"a": 1}))  # noqa: B023
    assert len(doors[0].boards("friday")) == ROUNDS - 1


def test_somebody_who_is_invited_twice_has_one_account(doors: tuple[Door, Door]):
    for number in range(ROUNDS):
        email = f"p{number}@example.org"
        at_once(doors, lambda door: door.invite("Ann", email, team=f"Team {number}"))  # noqa: B023
    assert len(doors[0].people()) == ROUNDS

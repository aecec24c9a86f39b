"""`arena show collusion`: what an organiser is told about soft play."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from card_arena.collusion.check import SoftPlay
from card_arena.collusion.pairs import PairTest
from card_arena.commands.actions.collusion import collusion
from card_arena.results.entries import Version
from card_arena.tests.cli.home import QUICK, Home
from card_arena.tests.tournament import stage

FACTS: dict[str, Any] = {
    "games": ("durak",),
    "protocol": "argv",
    "language": "shell",
    "about": "",
    "tags": (),
    "digest": "d1",
    "number": 1,
    "submitted": datetime(2026, 1, 2, 12, tzinfo=UTC),
}


def test_where_nobody_can_play_for_another_it_says_so(house: Home) -> None:
    house.tournament(QUICK)
    house.done("run")
    shown = house.done("show", "collusion", "small")
    assert "small has no decisions by which one bot could have played for another" in shown
    assert "nothing is stored of the tournament 'large'" in house.refused(
        "show", "collusion", "large"
    )


def test_bots_that_met_too_seldom_are_not_judged(house: Home) -> None:
    folders = [house.bot(stage.legal(name, "durak", "first")) for name in ("one", "two", "three")]
    house.done("submit", *folders, "--author", "ada", "--unchecked")
    house.tournament(
        "name: small\ngame: durak\nseats: 3\nformat: {contest: {rounds: 1}}\n"
        "same_author: together\n"
    )
    house.done("run")
    assert "too few to judge" in house.done("show", "collusion", "small")


def pair(one: int, other: int, t: float, adjusted: float) -> PairTest:
    return PairTest(one, other, 7, 120, t / 20, t, adjusted / 3, adjusted)


def test_a_finding_is_named_with_what_it_means(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    versions = {
        number: Version(**FACTS, id=number, bot=f"bot{number}", author=author)
        for number, author in ((1, "ada"), (2, "ada"), (3, "eve"))
    }
    found = SoftPlay("cup", 30, 4000, (pair(1, 2, 9.1, 0.0001), pair(1, 3, -1.2, 1.0)), versions)
    monkeypatch.setattr(
        "card_arena.commands.actions.collusion.check_collusion", lambda store, name: found
    )
    collusion("cup", False, None)  # type: ignore[arg-type]
    shown = capsys.readouterr().out
    assert "bot1 v1 and bot2 v1 (both of ada)" in shown
    lines = shown.splitlines()
    assert any("bot1" in line and line.rstrip().endswith("finding") for line in lines)
    assert not any("bot3" in line and line.rstrip().endswith("finding") for line in lines)
    assert "4000 decisions of 30 matches, 2 pairs: 1 finding" in shown
    assert "< .001" in shown
    assert "It is no proof" in " ".join(shown.split())

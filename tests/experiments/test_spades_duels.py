"""Who meets whom in the experiments on spades: they differ in the bidder or the player alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from card_arena.experiments.description import Experiment, experiment
from card_arena.tests.experiments.folders import FOLDER


def parts_of(bot: Path) -> tuple[str, str]:
    """The bidder and the player of a pair, as its main file says it: `answer = pair(...)`."""
    for node in ast.walk(ast.parse((bot / "bot.py").read_text())):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pair":
            bidder, player = map(ast.unparse, node.args)
            return bidder, player
    raise AssertionError(f"{bot} is no pair")


def pairs(wanted: Experiment) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Every tournament's name with the bidder and the player of each entrant."""
    for settings in wanted.tournaments:
        folders = (wanted.description.bots[bot].bot for bot in settings.entrants)
        yield settings.name, [parts_of(wanted.folder / folder) for folder in folders]


@pytest.mark.parametrize("name", ["spades-table2", "spades-table4"])
def test_both_sides_of_a_table_have_the_same_player(name: str) -> None:
    for tournament, found in pairs(experiment(FOLDER, name)):
        assert len({player for _, player in found}) == 1, tournament


def test_srp_and_wrp_meet_with_the_same_bidder() -> None:
    for bidder, found in pairs(experiment(FOLDER, "spades-players")):
        assert found in [
            [(said, "srp"), (said, "wrp")] for said in (f"bid_{bidder}", f"{bidder.title()}()")
        ]

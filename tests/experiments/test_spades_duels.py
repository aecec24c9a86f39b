"""Who meets whom in the experiments on spades bidders: they differ in the bidder alone."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.experiments.test_smoke import FOLDER
from tournament.experiments import experiment


def player_of(bot: Path) -> str:
    """The player of a pair, as its main file says it: `answer = pair(bidder, player)`."""
    for node in ast.walk(ast.parse((bot / "bot.py").read_text())):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "pair":
            return ast.unparse(node.args[1])
    raise AssertionError(f"{bot} is no pair")


@pytest.mark.parametrize("name", ["spades-table2", "spades-table4"])
def test_both_sides_of_a_table_have_the_same_player(name: str) -> None:
    wanted = experiment(FOLDER, name)
    for settings in wanted.tournaments:
        folders = (wanted.description.bots[bot].bot for bot in settings.entrants)
        players = {player_of(wanted.folder / folder) for folder in folders}
        assert len(players) == 1, settings.name

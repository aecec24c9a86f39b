"""The chances of the spades bots' library beside the paper's."""

from __future__ import annotations

import pytest

from tests.experiments.test_smoke import FOLDER
from tournament.experiments import experiment, measured
from tournament.report import compared

TABLE_1 = experiment(FOLDER, "spades-table1")


def test_one_printed_figure_is_off_and_no_other():
    rows = compared(measured(TABLE_1).rows, TABLE_1.description.published)
    verdicts = {name: verdict for name, *_, verdict in rows if verdict != "-"}
    assert len(verdicts) == 30
    off = [name for name, verdict in verdicts.items() if not verdict.startswith("yes")]
    assert off == ["table 1: 3 cards, > 2"]


def test_the_tables_are_about_two_opponents_one_and_three():
    """The more hands must hold a card, the smaller is the chance that all do."""
    rows = measured(TABLE_1).rows
    for own in ("1 card", *(f"{n} cards" for n in range(2, 8))):
        one, two, three = (rows[f"table {number}: {own}, > 0"].value for number in (5, 1, 6))
        assert one > two > three
    # both missing cards are in the one hand
    assert rows["table 5: 11 cards, > 1"].value == pytest.approx(13 * 12 / (39 * 38))

"""What the spades bots' library computes, beside what the paper prints."""

from __future__ import annotations

import pytest

from card_arena.experiments.description import experiment
from card_arena.experiments.report import compared
from card_arena.experiments.run import measured
from card_arena.tests.experiments.folders import FOLDER

TABLE_1 = experiment(FOLDER, "spades-table1")
WORKED = experiment(FOLDER, "spades-worked")


def verdicts(wanted):
    """By row, whether it is as published."""
    rows = compared(measured(wanted).rows, wanted.description.published)
    return {name: verdict for name, *_, verdict in rows if verdict != "-"}


def test_one_printed_figure_is_off_and_no_other():
    said = verdicts(TABLE_1)
    assert len(said) == 30 + 36 + 24
    off = [name for name, verdict in said.items() if not verdict.startswith("yes")]
    assert off == ["table 1: 3 cards, > 2"]


def test_the_tables_are_about_two_opponents_one_and_three():
    """The more hands must hold a card, the smaller is the chance that all do."""
    rows = measured(TABLE_1).rows
    for own in ("1 card", *(f"{n} cards" for n in range(2, 8))):
        one, two, three = (rows[f"table {number}: {own}, > 0"].value for number in (5, 1, 6))
        assert one > two > three
    # both missing cards are in the one hand
    assert rows["table 5: 11 cards, > 1"].value == pytest.approx(13 * 12 / (39 * 38))


def test_with_all_but_one_card_of_a_suit_an_opponent_has_the_last_in_one_deal_of_three():
    assert measured(TABLE_1).rows["table 5: 12 cards, > 0"].value == pytest.approx(1 / 3)


def test_three_of_the_papers_examples_come_out_otherwise():
    """A sum that is not that of its terms, and two values of which the paper says too little."""
    said = verdicts(WORKED)
    assert len(said) == len(WORKED.description.published)
    assert [name for name, verdict in said.items() if not verdict.startswith("yes")] == [
        "figure 1: regular takes",
        "nil value of a lone queen",
        "nils made at value .8, third to bid after 1 and 3",
    ]

"""What the experiment on nils counts in the round of tests/transcripts/spades.txt."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from card_arena.experiments.description import experiment
from card_arena.experiments.measures import Measures
from card_arena.experiments.run import load_measure
from card_arena.ratings.intervals import Estimate
from card_arena.tables.record import Record
from card_arena.tables.referee import play
from card_arena.tests.experiments.folders import FOLDER
from card_arena.tests.experiments.nil_script import EXAMPLE, SPADES, Script

SCORES = (71, -149)
"""Of the example, with the bids 2, 5, 5 and 0: the first side has a bag, and the nil failed."""


@pytest.fixture(scope="module")
def played() -> tuple[Record, list[int]]:
    """The example's record, and how many cards the rules let every player choose from."""
    script, choices = Script(), []
    record = play(
        SPADES,
        EXAMPLE.options,
        [script] * 4,
        script,
        watch=lambda step: choices.extend(
            [len(step.before.legal)] if step.turn.question.startswith("spades play") else []
        ),
    )
    return record, choices


def measured(*matches: list[Record]) -> Measures:
    """What the experiment makes of matches of these games."""
    games = [SimpleNamespace(games=[((0, 1, 0, 1), one) for one in match]) for match in matches]
    stage = SimpleNamespace(matches=lambda: iter(games))
    return load_measure(experiment(FOLDER, "spades-nil"))({"spades-nil": stage})


def brief(figure: Estimate) -> tuple[float, int | None]:
    return figure.value, figure.trials


def test_bids_nils_tricks_and_legal_cards_are_counted_as_the_rules_have_them(played):
    record, choices = played
    rows = measured([record]).rows
    assert brief(rows["nils bid"]) == (1 / 4, 4)
    assert record.over.scores[:2] == SCORES
    assert brief(rows["nils made"]) == (0, 1)
    assert brief(rows["sum of the four bids"]) == (12, 1)
    assert brief(rows["tricks of a side beyond its bid"]) == (1, 1)  # the other side has a nil
    assert brief(rows["legal cards"]) == (pytest.approx(sum(choices) / 52), 52)


def test_the_fourth_is_seen_by_what_the_others_bid(played):
    """The dealer bids last, after 5, 5 and 0."""
    record, _ = played
    rows = measured([record]).rows
    last = next(
        turn.question.split()
        for turn in record.turns
        if turn.question.startswith("spades bid") and turn.question.split()[6].count("-") == 1
    )
    has = "AS" in last[5].split(",")
    assert brief(rows["ace of spades with the fourth, bids before 10 or more"]) == (has, 1)
    assert "ace of spades with the fourth, bids before 6 or less" not in rows


def test_every_histogram_holds_all_that_the_rows_are_made_of(played):
    record, choices = played
    plots = measured([record, record], [record]).plots
    seen = {name: dict(plot.seen) for name, plot in plots.items() if name != "aces"}
    assert seen["bids"] == {0: 3, 2: 3, 5: 6}
    assert seen["sums"] == {12: 3}
    assert seen["beyond"] == {1: 3}
    assert (seen["points"], seen["points-with-nil"]) == ({SCORES[0]: 3}, {SCORES[1]: 3})
    assert seen["choices"] == {n: 3 * choices.count(n) for n in {*choices}}
    assert sum(seen["nil-values"].values()) == 12


def test_a_match_is_a_cluster(played):
    record, _ = played
    one, two = measured([record] * 5).rows, measured(*[[record]] * 5).rows
    assert brief(one["legal cards"]) == brief(two["legal cards"])
    assert one["legal cards"].low is None
    assert two["legal cards"].low is not None

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from card_arena.coach.decisions import deals
from card_arena.coach.review import MORE_SAMPLES, SAMPLES
from card_arena.sandbox.bundles.bundle import read_bundle
from card_arena.tables.record import Record
from card_arena.tests.coach.records import by_chance, record_of
from card_arena.tests.needs import need
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.reviewers import WORTH, bot
from card_arena.tournament.reviews import (
    BadEvaluation,
    NoReviewer,
    demand_reviewer,
    evaluate,
    evaluated_now,
    usual_reviewer,
)

SILENT = """print("thinking about", legal[0], file=sys.stderr, flush=True)
    print(flush=True)"""


@pytest.fixture(autouse=True)
def _bubblewrap() -> Iterator[None]:
    need("bwrap")
    with stage.cache_of_its_own():
        yield


@pytest.fixture(scope="module")
def record() -> Record:
    return record_of("spades", [by_chance(seat) for seat in range(4)], 1, max_rounds=1)


def test_a_bot_evaluates_every_decision_of_a_match(tmp_path: Path, record: Record) -> None:
    bundle = read_bundle(bot(tmp_path, WORTH))
    parts = [*evaluated_now(bundle, "bubblewrap", [record], {})]
    evaluations = {asked[1].turn: one for part in parts for asked, one in part}
    decisions = deals(record)[0].decisions
    assert [*evaluations] == [one.turn for one in decisions]
    for decision in decisions:
        scores, reason = evaluations[decision.turn]
        worth = scores[0][decision.played]
        is_best = worth == max(scores[0].values())
        assert len(scores) == SAMPLES + MORE_SAMPLES * (not is_best)
        assert bool(reason) == (not is_best)
        assert scores[1][decision.played] == pytest.approx(worth + 0.01)


def test_a_wrong_evaluation_is_an_error_that_names_the_bot(tmp_path: Path, record: Record) -> None:
    archive = read_bundle(bot(tmp_path, SILENT)).archive()
    first = deals(record)[0].decisions[:1]
    with pytest.raises(BadEvaluation, match="judge did not evaluate `evaluate 0 spades bid"):
        evaluate(archive, "bubblewrap", record, first)


def test_only_a_bot_that_declares_it_reviews(tmp_path: Path) -> None:
    bundle = read_bundle(bot(tmp_path, WORTH, more=""))
    with pytest.raises(NoReviewer, match=r"its bot\.yaml has no `evaluate: true`"):
        demand_reviewer(bundle, "spades")


@pytest.mark.parametrize("game", ["blackjack", "blot", "durak", "spades", "tarot"])
def test_every_game_has_a_usual_reviewer(game: str) -> None:
    assert usual_reviewer(game).manifest.name == f"{game}-champion"

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from coach.decisions import deals
from coach.review import MORE_SAMPLES, SAMPLES
from sandbox.bundles.bundle import read_bundle
from tables.record import Record
from tests.coach.records import by_chance, record_of
from tests.needs import need
from tests.tournament import stage
from tournament.reviews import (
    BadEvaluation,
    NoReviewer,
    demand_reviewer,
    evaluate,
    evaluated_now,
    usual_reviewer,
)

JUDGE = """
import sys

for line in sys.stdin:
    if line.startswith("#"):
        continue
    words = line.split()
    if words[0] != "evaluate":
        print(words[2].split(",")[0], flush=True)
        continue
    number, legal = int(words[1]), words[4].split(",")
    {scores}
"""
WORTH = """if ".." in words[4]:
        legal = [str(bid) for bid in range(14)]
    print(*(f"{card}={place + number / 100}" for place, card in enumerate(legal)), flush=True)"""
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


def bot(folder: Path, scores: str, more: str = "evaluate: true\n") -> Path:
    path = folder / "judge"
    path.mkdir()
    head = "name: judge\ngames: [spades]\nprotocol: stdin\nlanguage: python\n"
    (path / "bot.yaml").write_text(head + more)
    (path / "bot.py").write_text(JUDGE.format(scores=scores))
    return path


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

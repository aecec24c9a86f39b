"""Reviews of matches by the program that plays."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from card_arena.coach.review import Evaluation
from card_arena.leaderboard.matches import match as read_match
from card_arena.leaderboard.reviews import stored_review
from card_arena.results.store import Store
from card_arena.sandbox.sandbox import SandboxBroken
from card_arena.tests.results.fresh import fresh_store
from card_arena.tests.tournament import stage
from card_arena.tournament import reviews
from card_arena.tournament.play import runner
from card_arena.tournament.play.pool import WorkerLost
from card_arena.tournament.play.runner import run

KEY = "small/0001/t01/r1/a"


@pytest.fixture
def played(tmp_path: Path) -> Store:
    """A store with a match of blackjack."""
    store = fresh_store(tmp_path / "arena.db")
    for name, limit in (("lim12", 12), ("lim19", 19)):
        stage.submit(store, stage.shell(name, limit).write(tmp_path))
    run(store, [stage.tournament(legs=1, rounds=1)], stage.Notes(), wait=False)
    return store


def test_a_review_that_was_asked_for_is_finished(played: Store) -> None:
    played.ask_for_review(KEY, "ada")
    run(played, [], stage.Notes(), wait=False)
    asked = played.review(KEY)
    assert asked
    assert asked.finished
    assert not asked.failed
    review = stored_review(played, read_match(played, KEY))
    assert review
    assert (review.reviewer, review.waiting) == ("blackjack-champion", 0)
    assert review.marks


def test_a_review_goes_on_after_a_failure_of_the_arena(
    played: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = iter([SandboxBroken("no memory")])
    evaluated = reviews._reviewed

    def fails_once(*arguments: Any) -> Any:
        for failure in failures:
            raise failure
        return (yield from evaluated(*arguments))

    monkeypatch.setattr(reviews, "_reviewed", fails_once)
    monkeypatch.setattr(reviews, "evaluate", nothing_considered)
    monkeypatch.setattr(runner, "BREATH", timedelta(0))
    played.ask_for_review(KEY, "ada")
    notes = stage.Notes()
    run(played, [], notes, wait=False, pool=stage.Here())
    assert notes.said == ["reviews of matches could not be played: no memory"]
    assert played.next_review() is None


def test_a_review_whose_worker_is_lost_again_and_again_fails(
    played: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(*_: object) -> None:
        raise WorkerLost("the worker ended")

    monkeypatch.setattr(reviews, "evaluate", lost)
    played.ask_for_review(KEY, "ada")
    run(played, [], stage.Notes(), wait=False, pool=stage.Here())
    asked = played.review(KEY)
    assert asked
    assert asked.failed == "the worker ended"


def nothing_considered(
    _: bytes, __: str, ___: object, decisions: Sequence[object]
) -> list[Evaluation]:
    return [Evaluation(()) for _ in decisions]


def test_a_match_that_cannot_be_reviewed_does_not_hold_up_others(
    played: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "evaluate", nothing_considered)
    played.ask_for_review("gone/0001/t01/r1/a", "ada")
    played.ask_for_review(KEY, "ada")
    run(played, [], stage.Notes(), wait=False, pool=stage.Here())
    gone, done = (played.review(key) for key in ("gone/0001/t01/r1/a", KEY))
    assert gone
    assert "gone/0001/t01/r1/a" in gone.failed
    assert done
    assert (bool(done.finished), done.failed) == (True, "")


def test_reviews_have_a_queue_that_no_tournament_can_have() -> None:
    with pytest.raises(ValueError, match="name"):
        stage.tournament(name=reviews.QUEUE)

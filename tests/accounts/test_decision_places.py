"""The places for those who fetch all decisions of a bot: none is taken twice, none is lost."""

from __future__ import annotations

import threading
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from werkzeug.exceptions import TooManyRequests

from card_arena.accounts.web import decision_lines
from card_arena.accounts.web.decision_lines import _Lines


class Meeting(set[int]):
    """The people who have a place; who looks here waits a moment for another one who looks too."""

    def __init__(self) -> None:
        super().__init__()
        self._barrier = threading.Barrier(2)

    def __contains__(self, person: object) -> bool:
        found = super().__contains__(person)
        with suppress(threading.BrokenBarrierError):
            self._barrier.wait(0.5)
        return found


def lines() -> Generator[str]:
    yield "a line\n"


def asked(person: int) -> _Lines | None:
    try:
        return _Lines(person, lines())
    except TooManyRequests:
        return None


def test_of_two_requests_of_one_person_at_once_one_is_answered_and_no_place_is_lost(
    monkeypatch: pytest.MonkeyPatch,
):
    for _ in range(3):
        with monkeypatch.context() as patch, ThreadPoolExecutor(2) as both:
            patch.setattr(decision_lines, "FETCHING", Meeting())
            answers = [each for each in both.map(asked, (7, 7)) if each]
            for each in answers:
                assert list(each) == ["a line\n"]
            assert len(answers) == 1
    others = [asked(8), asked(9)]
    assert None not in others
    assert asked(10) is None
    for each in others:
        assert each
        each.close()
    assert asked(10)


def test_an_answer_that_can_not_be_ended_gives_its_place_back():
    def stubborn() -> Generator[str]:
        try:
            yield "a line\n"
        finally:
            raise OSError

    for _ in range(3):
        answer = _Lines(7, stubborn())
        begun = iter(answer)
        assert next(begun) == "a line\n"
        with pytest.raises(OSError):  # noqa: PT011 - it is our own
            answer.close()
    assert asked(7)

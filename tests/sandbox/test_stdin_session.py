"""A conversation with a living bot: whose lateness counts, and whose processor time."""

import time

import pytest

from card_arena.common.faults import Fault
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.kernel.cgroups import hierarchies, new_group
from card_arena.sandbox.limits import MIB, Limits
from card_arena.sandbox.session.stdin_session import StdinSession
from card_arena.tests.needs import times_are_counted
from card_arena.tests.sandbox.bots_for_sandboxes import python_bot

SLOW = """
import time
for line in __import__("sys").stdin:
    time.sleep(float(line))
    print("S", flush=True)
"""


@pytest.fixture
def late_referee(monkeypatch):
    """Makes the referee lose the processor for so many seconds after it has put its question."""

    def come_late(seconds):
        hear = StdinSession._receive

        def hear_late(*words):
            time.sleep(seconds)
            return hear(*words)

        monkeypatch.setattr(StdinSession, "_receive", hear_late)

    return come_late


def test_an_answer_that_came_in_time_counts_though_the_referee_comes_late(tmp_path, late_referee):
    with backend("bubblewrap").open(python_bot(tmp_path / "bot", SLOW), Limits()) as sandbox:
        assert sandbox.ask("0", 10.0).line == "S"
        late_referee(4.0)
        reply = sandbox.ask("0.1", 3.5)
        assert (reply.line, reply.fault) == ("S", None)


def test_a_referee_that_comes_late_does_not_wait_for_what_is_not_there(tmp_path, late_referee):
    with backend("bubblewrap").open(python_bot(tmp_path / "bot", SLOW), Limits()) as sandbox:
        assert sandbox.ask("0", 10.0).line == "S"
        late_referee(1.0)
        reply = sandbox.ask("100", 0.8)
        assert (reply.fault, reply.detail) == (Fault.TIMEOUT, "no answer within 0.8 s")


@pytest.mark.skipif(not times_are_counted(), reason="no control groups here")
def test_what_another_game_computed_is_not_counted_again(tmp_path):
    code = """
import time
input()
while time.process_time() < 0.3:
    pass
print("S", flush=True)
"""
    with backend("bubblewrap").open(python_bot(tmp_path / "bot", code), Limits(cpu=0.5)) as sandbox:
        for _ in range(3):
            sandbox.begin_game()
            reply = sandbox.ask("q", 10.0)
            assert (reply.line, reply.fault) == ("S", None), reply
            assert reply.cpu > 250_000


@pytest.mark.skipif(not hierarchies(), reason="no control groups here")
def test_an_empty_group_has_computed_nothing():
    group = new_group()
    group.bound(64 * MIB, 10)
    assert group is not None
    assert group.computed() in (0, None)
    group.remove()

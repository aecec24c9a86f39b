"""What one bot may try against another that sits at the same table, each in its own box."""

import os

import pytest

from sandbox.backends import backend
from sandbox.cgroups import times_are_shared
from sandbox.limits import Limits
from tests.attacks.test_attacks import PROGRAMS, Attack
from tests.sandbox.bots_for_boxes import python_bot


@pytest.fixture
def _one_core():
    """All boxes opened meanwhile share one core, as those of a table do."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    yield
    os.sched_setaffinity(0, before)


@pytest.mark.skipif(not times_are_shared(), reason="no control groups with a share here")
@pytest.mark.usefixtures("_one_core")
def test_a_crowd_in_one_box_does_not_make_another_bot_late(tmp_path):
    crowd = Attack(PROGRAMS / "stdin_fork_bomb_between_turns.py").install(tmp_path / "crowd")
    quick = python_bot(tmp_path / "quick", "import json, random, re\nprint('S')")
    # the crowd may compute for ever here: else it would be ended at its next answer
    unbounded = Limits(cpu=1000.0)
    with (
        backend("bubblewrap").open(crowd, unbounded) as crowded,
        backend("bubblewrap").open(quick, Limits()) as box,
    ):
        crowded.start()
        assert crowded.ask("q", 5.0).line == "S"
        for _ in range(5):
            reply = box.run(["21", "KJA"], 1.0)
            assert (reply.line, reply.fault) == ("S", None), reply
        assert crowded.ask("q", 5.0).line == "S", "the crowd should have been there all the time"


def test_a_bot_does_not_find_the_files_of_another(tmp_path):
    attack = Attack(PROGRAMS / "read_other_bundle.py")
    theirs = attack.install(tmp_path / "theirs")
    (theirs.folder / "marked.txt").write_text("the others' strategy")
    ours = attack.install(tmp_path / "ours")
    words = [str(tmp_path), "/tmp"]
    with (
        backend("bubblewrap").open(theirs, Limits(cpu=5.0)) as neighbour,
        backend("bubblewrap").open(ours, Limits(cpu=5.0)) as box,
    ):
        assert neighbour.run(words, 5.0).line == "found /bot/marked.txt", "the search is no search"
        assert box.run(words, 5.0).line == "refused"

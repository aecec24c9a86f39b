"""The bots of a table that are not asked: how long they run on, and what that costs them."""

import fcntl
import os
import resource
import time

import pytest

from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.limits import Limits
from card_arena.sandbox.session import piloted_sandbox
from card_arena.sandbox.session.idle_bots import PATIENCE, IdleBots
from card_arena.tests.needs import times_are_counted
from card_arena.tests.sandbox.bots_for_sandboxes import python_bot
from card_arena.tests.sandbox.frozen import with_groups

ROOMY = 20.0
UNBOUNDED = Limits(cpu=1000.0)
PAUSE = 1.5
ENOUGH = 0.75
"""Seconds: far more than `PATIENCE` on any machine, and far less than `PAUSE`."""

THINKER = """
import select, sys, time
thought = 0.0
while sys.stdin.readline():
    print(thought, flush=True)
    begun = time.process_time()
    while not select.select([0], [], [], 0)[0]:
        thought = time.process_time() - begun
"""
SLEEPER = f"""
import sys, time
for line in sys.stdin:
    print("S" * line.startswith("drip"), end="", flush=True)
    time.sleep({PAUSE} * line.startswith(("slow", "drip")))
    print("S", flush=True)
"""


class Bot:
    """A living bot that only notes whether it was stopped."""

    stopped = False

    def stop(self):
        self.stopped = True


@pytest.fixture(params=[pytest.param("group", marks=with_groups), "signals"])
def way(request, monkeypatch):
    if request.param == "signals":
        monkeypatch.setattr(piloted_sandbox, "freezer_below", lambda _: None)


@pytest.fixture
def table(tmp_path):
    """A bot that thinks until it is asked, and one that sleeps when told to, at one table."""
    idle_bots = IdleBots()
    thinker = python_bot(tmp_path / "thinker", THINKER)
    sleeper = python_bot(tmp_path / "sleeper", SLEEPER)
    kind = backend("bubblewrap")
    with (
        kind.open(thinker, UNBOUNDED, idle_bots) as thinking,
        kind.open(sleeper, UNBOUNDED, idle_bots) as sleeping,
    ):
        for sandbox in (thinking, sleeping):
            assert sandbox.ask("q", ROOMY).fault is None
        yield thinking, sleeping


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("question", ["slow", "drip", "slow" + "x" * 200_000])
def test_a_bot_does_not_think_while_another_one_takes_its_time(table, question):
    thinker, sleeper = table
    thinker.ask("q", ROOMY)
    assert sleeper.ask(question, ROOMY).wall > 1e6 * PAUSE
    assert float(thinker.ask("q", ROOMY).line) < ENOUGH


@pytest.mark.usefixtures("way")
def test_a_bot_does_not_think_while_a_program_is_started_or_ended_beside_it(table, tmp_path):
    thinker, _ = table
    slow = python_bot(tmp_path / "slow", f"import time; time.sleep({PAUSE}); print('S')")
    with backend("bubblewrap").open(slow, UNBOUNDED, thinker._idle_bots) as other:
        thinker.ask("q", ROOMY)
        assert other.run(["q"], ROOMY).line == "S"
        assert float(thinker.ask("q", ROOMY).line) < ENOUGH
        other.end_game()
        other.begin_game()
        time.sleep(PAUSE)
        assert float(thinker.ask("q", ROOMY).line) < ENOUGH


@pytest.mark.usefixtures("way")
def test_a_bot_whose_time_was_over_is_stopped_though_nobody_was_waited_for(table):
    thinker, sleeper = table
    thinker.ask("q", ROOMY)
    time.sleep(2 * PATIENCE / 1e9)
    sleeper.ask("q", ROOMY)
    time.sleep(PAUSE)
    assert float(thinker.ask("q", ROOMY).line) < ENOUGH


@pytest.mark.skipif(not times_are_counted(), reason="no control groups here")
def test_what_a_bot_computes_before_it_is_stopped_is_counted_as_its_own(tmp_path):
    program = python_bot(tmp_path / "bot", THINKER)
    endless = IdleBots(patience=10**12)
    with backend("bubblewrap").open(program, UNBOUNDED, endless) as sandbox:
        first = sandbox.ask("q", ROOMY)
        time.sleep(PAUSE)
        reply = sandbox.ask("q", ROOMY)
        thought = float(reply.line)
        assert thought > 0.1, "a bot that is not stopped thinks"
        assert first.cpu + reply.cpu >= 0.95e6 * thought


def test_a_bot_that_has_ended_is_not_stopped_any_more(tmp_path):
    idle_bots = IdleBots()
    program = python_bot(tmp_path / "bot", SLEEPER)
    with backend("bubblewrap").open(program, UNBOUNDED, idle_bots) as sandbox:
        sandbox.ask("q", ROOMY)
        sandbox.end_game()
        idle_bots.stop()
        sandbox.begin_game()
        assert sandbox.ask("q", ROOMY).line == "S"


def test_where_nobody_has_patience_a_bot_is_stopped_as_soon_as_it_has_answered():
    bot = Bot()
    IdleBots(patience=0).add(bot, 0)
    assert bot.stopped


def test_whoever_answers_in_time_stops_nobody(tmp_path):
    idle_bots, bot = IdleBots(patience=10**12), Bot()
    idle_bots.add(bot, time.monotonic_ns())
    with (tmp_path / "answer").open("w") as answer:  # a file can always be read from
        assert idle_bots.wait(answer.fileno())
    assert not bot.stopped


def test_whoever_is_waited_for_stops_everybody():
    idle_bots, bots = IdleBots(), (Bot(), Bot())
    for bot in bots:
        idle_bots.add(bot, time.monotonic_ns())
    silent, other_end = os.pipe()
    assert not idle_bots.wait(silent)
    assert all(bot.stopped for bot in bots)
    os.close(silent)
    os.close(other_end)


def test_a_question_stops_those_whose_time_is_over_and_no_others():
    idle_bots, late, bot, asked = IdleBots(patience=10**12), Bot(), Bot(), Bot()
    now = time.monotonic_ns()
    idle_bots.add(asked, now - 3 * 10**12)
    idle_bots.add(late, now - 2 * 10**12)
    idle_bots.add(bot, now)
    idle_bots.begin_turn(asked)
    assert (asked.stopped, late.stopped, bot.stopped) == (False, True, False)


def test_whoever_comes_after_one_that_was_stopped_is_stopped_in_its_own_time():
    idle_bots, late, bot = IdleBots(patience=10**8), Bot(), Bot()
    idle_bots.add(late, time.monotonic_ns() - 2 * 10**8)
    idle_bots.add(bot, time.monotonic_ns())
    idle_bots.begin_turn(Bot())
    assert (late.stopped, bot.stopped) == (True, False)
    time.sleep(0.15)
    idle_bots.begin_turn(Bot())
    assert bot.stopped


@pytest.mark.usefixtures("way")
def test_a_bot_does_not_think_while_another_one_gives_quick_answers(table):
    thinker, quick = table
    thinker.ask("q", ROOMY)
    until = time.monotonic() + PAUSE
    while time.monotonic() < until:
        quick.ask("q", ROOMY)
    assert float(thinker.ask("q", ROOMY).line) < ENOUGH


def test_a_bot_that_is_asked_is_none_of_them():
    idle_bots, bot = IdleBots(), Bot()
    idle_bots.add(bot, 0)
    idle_bots.remove(bot)
    idle_bots.stop()
    assert not bot.stopped


def test_a_bot_is_waited_for_in_a_process_with_more_than_a_thousand_open_files():
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)  # of which a shell may give 1,024
    resource.setrlimit(resource.RLIMIT_NOFILE, (limits[1], limits[1]))
    reader, writer = os.pipe()
    far = fcntl.fcntl(reader, fcntl.F_DUPFD_CLOEXEC, 1500)
    try:
        idle_bots, bot = IdleBots(), Bot()
        idle_bots.add(bot, time.monotonic_ns() + int(1e9))
        os.write(writer, b"S")
        assert idle_bots.wait(far)
        assert not bot.stopped
    finally:
        for descriptor in (reader, writer, far):
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)

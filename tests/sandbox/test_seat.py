"""A bot at the table: which clock counts, and what a bot hears."""

import pytest

from card_arena.common.faults import Fault
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.limits import Clock, Limits
from card_arena.sandbox.sandbox import Reply, Sandbox
from card_arena.sandbox.seat import LONGEST_STDERR, BotPlayer
from card_arena.tests.sandbox.bots_for_sandboxes import ECHO, LISTENER, python_bot

CLOCK = Clock(question=1.0, start=5.0, overrun=0.0)
SOFT = Clock(question=1.0, start=5.0, overrun=0.05)
BANK = Clock(question=1.0, start=5.0, bank=2.0, overrun=0.05)


class Witness(Sandbox):
    """Writes down what it is asked to do."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.seen = []

    def run(self, words, seconds):
        self.seen.append(("run", *words, seconds))
        return self.replies.pop(0) if self.replies else Reply("S")

    def ask(self, line, seconds):
        self.seen.append(("ask", line, seconds))
        return self.replies.pop(0) if self.replies else Reply("S")

    def begin_game(self, *, more=False):
        self.seen.append("begin")

    def tell(self, line):
        self.seen.append(("tell", line))

    def end_game(self):
        self.seen.append("end")
        return "said at the end\n"

    def close(self):
        self.seen.append("close")


def test_only_the_first_question_of_a_match_has_the_longer_time_for_argv():
    sandbox = Witness()
    player = BotPlayer(sandbox, CLOCK, "argv")
    for _ in range(2):
        player.begin_game()
        player.ask(["21", "K"])
        player.tell("won 5")
        player.end_game()
    first, second = ("run", "21", "K", 5.0), ("run", "21", "K", 1.0)
    assert sandbox.seen == ["begin", first, "end", "begin", second, "end"]


def test_the_first_answer_of_every_process_has_the_longer_time_for_stdin():
    sandbox = Witness(Reply("S"), Reply(None, Fault.CRASH))
    player = BotPlayer(sandbox, CLOCK, "stdin")
    player.begin_game()
    for word in "abcd":
        player.ask(["21", word])
    player.tell("won 5")
    player.end_game()
    assert sandbox.seen == [
        "begin",
        ("ask", "# clock 5000 0\n21 a", 5.0),
        ("ask", "# clock 1000 0\n21 b", 1.0),
        ("ask", "# clock 5000 0\n21 c", 5.0),
        ("ask", "# clock 1000 0\n21 d", 1.0),
        ("tell", "# won 5"),
        "end",
    ]


@pytest.mark.parametrize(("protocol", "code"), [("argv", ECHO), ("stdin", LISTENER)])
def test_a_real_bot_plays(tmp_path, protocol, code):
    program = python_bot(tmp_path / "bot", code)
    with backend("bubblewrap").open(program, Limits()) as sandbox:
        player = BotPlayer(sandbox, Clock(question=30.0, start=60.0), protocol)
        player.begin_game()
        player.tell("hello")
        reply = player.ask(["21", "K"])
        player.end_game()
    told = "1 21 K # hello # clock 60000 0"
    assert reply.line == ("21|K" if protocol == "argv" else told)


def took(milliseconds, fault=None):
    """A reply after so long."""
    return Reply(None if fault else "S", fault, wall=milliseconds * 1000)


def played(clock, protocol, *replies):
    """A game of so many questions: what the player gave back, and the sandbox."""
    sandbox = Witness(*replies)
    player = BotPlayer(sandbox, clock, protocol)
    player.begin_game()
    return [player.ask(["q"]) for _ in replies], sandbox


def limits_of(sandbox):
    return [seen[-1] for seen in sandbox.seen if seen[0] in ("run", "ask")]


def clocks_of(sandbox):
    return [seen[1].partition("\n")[0] for seen in sandbox.seen if seen[0] == "ask"]


BOTH = pytest.mark.parametrize("protocol", ["argv", "stdin"])


@BOTH
def test_an_answer_that_comes_a_little_late_is_taken_twice_in_a_game(protocol):
    replies, sandbox = played(SOFT, protocol, took(10), *[took(1012)] * 3, took(900))
    assert [reply.fault for reply in replies] == [None, None, None, Fault.TIMEOUT, None]
    assert replies[3].detail == (
        "answered 12 ms over the 1 s that it has, for the 3rd time in the game"
    )
    assert (replies[3].line, replies[3].wall) == ("S", 1_012_000)
    assert limits_of(sandbox) == [5.05, 1.05, 1.05, 1.05, 1.05]


@BOTH
def test_the_first_answer_may_come_late_too_and_counts(protocol):
    replies, _ = played(SOFT, protocol, took(5001), took(1001), took(1001), took(1050))
    assert [reply.fault for reply in replies] == [None, None, Fault.TIMEOUT, Fault.TIMEOUT]
    assert "1 ms over the 1 s" in replies[2].detail
    assert "50 ms over the 1 s that it has, for the 4th time" in replies[3].detail


@BOTH
def test_in_every_game_it_is_counted_anew(protocol):
    sandbox = Witness(*[took(1012)] * 4)
    player = BotPlayer(sandbox, Clock(question=1.0, start=1.0), protocol)
    faults = []
    for _ in range(2):
        player.begin_game()
        faults += [player.ask(["q"]).fault for _ in range(2)]
        player.end_game()
    assert faults == [None] * 4


def test_a_process_that_answered_late_lives_on():
    _, sandbox = played(SOFT, "stdin", took(10), *[took(1012)] * 3, took(10))
    assert clocks_of(sandbox)[-1] == "# clock 1000 1012"
    assert sandbox.seen.count("begin") == 1


@BOTH
def test_without_an_overrun_the_sandbox_alone_judges(protocol):
    replies, sandbox = played(CLOCK, protocol, took(10), took(1000), took(1012))
    assert [reply.fault for reply in replies] == [None, None, None]  # the referee came late
    assert [reply.wall for reply in replies] == [10_000, 1_000_000, 1_000_000]
    assert limits_of(sandbox) == [5.0, 1.0, 1.0]


@BOTH
def test_a_fault_is_no_overrun(protocol):
    late = took(1020, Fault.CRASH)
    replies, _ = played(SOFT, protocol, took(10), late, late, took(1012), took(1012))
    assert [reply.fault for reply in replies] == [None, Fault.CRASH, Fault.CRASH, None, None]


@BOTH
def test_a_bank_is_used_up_by_every_answer_and_bounds_the_next(protocol):
    replies, sandbox = played(BANK, protocol, took(700), took(500), took(400), took(300), took(1))
    assert limits_of(sandbox) == [2.05, 1.05, 0.85, 0.45, 0.15]
    assert [reply.fault for reply in replies] == [None] * 5


@BOTH
def test_a_bot_whose_bank_is_empty_is_not_asked_any_more(protocol):
    replies, sandbox = played(BANK, protocol, took(1200), took(820), took(1), took(1))
    assert [reply.fault for reply in replies] == [None, None, Fault.TIMEOUT, Fault.TIMEOUT]
    assert replies[3] == Reply(None, Fault.TIMEOUT, "bank", {"microseconds": 2_000_000})
    assert len(limits_of(sandbox)) == 2


@BOTH
def test_every_game_has_a_bank_of_its_own(protocol):
    sandbox = Witness(*[took(1000)] * 4)
    player = BotPlayer(sandbox, BANK, protocol)
    for _ in range(2):
        player.begin_game()
        faults = [player.ask(["q"]).fault for _ in range(3)]
        assert faults == [None, None, Fault.TIMEOUT]


def test_a_living_bot_is_told_what_is_left_and_what_its_last_answer_took():
    _, sandbox = played(BANK, "stdin", took(700), took(3), took(0))
    assert clocks_of(sandbox) == ["# clock 2000 0", "# clock 1300 700", "# clock 1297 3"]
    _, sandbox = played(SOFT, "stdin", took(700), took(3), took(0))
    assert clocks_of(sandbox) == ["# clock 5000 0", "# clock 1000 700", "# clock 1000 3"]


def test_what_a_late_answer_computes_is_within_its_limits():
    assert SOFT.stretched(Limits(cpu=1.0)).cpu == 1.05


def test_standard_error_is_kept_for_a_game_and_in_the_order_of_the_questions():
    sandbox = Witness(Reply("S", stderr="one\n"), Reply("S"), Reply("S", stderr="two\n"))
    player = BotPlayer(sandbox, SOFT, "argv")
    player.begin_game()
    for _ in range(3):
        player.ask(["q"])
    player.end_game()
    assert player.stderr == "one\ntwo\n"
    player.begin_game()
    assert player.stderr == ""


def test_a_living_bots_standard_error_is_that_of_all_its_processes():
    sandbox = Witness(Reply(None, Fault.CRASH, stderr="crashed\n"), Reply("S"))
    player = BotPlayer(sandbox, SOFT, "stdin")
    player.begin_game()
    player.ask(["q"])
    player.ask(["q"])
    player.end_game()
    assert player.stderr == "crashed\nsaid at the end\n"


def test_of_much_standard_error_the_end_is_kept():
    sandbox = Witness(*[Reply("S", stderr=f"{n}" * 4096) for n in range(10)] * 2)
    player = BotPlayer(sandbox, SOFT, "argv")
    for _ in range(20):
        player.ask(["q"])
    assert len(player.stderr) == LONGEST_STDERR
    assert player.stderr.endswith("8" * 4096 + "9" * 4096)


CHATTY = """
import sys
for line in sys.stdin:
    sys.stderr.write(f"heard {line}")
    sys.stderr.flush()
    if not line.startswith("#"):
        print("S", flush=True)
"""


def test_what_a_real_living_bot_wrote_is_there_when_its_game_has_ended(tmp_path):
    with backend("bubblewrap").open(python_bot(tmp_path / "bot", CHATTY), Limits()) as sandbox:
        player = BotPlayer(sandbox, Clock(question=30.0, start=60.0), "stdin")
        for game in ("1", "2"):
            player.begin_game()
            assert player.ask([game]).line == "S"
            player.end_game()
            assert player.stderr == f"heard # clock 60000 0\nheard {game}\n"


SLEEPER = """
import time
for line in __import__("sys").stdin:
    if not line.startswith("#"):
        time.sleep(float(line))
        print("S", flush=True)
"""


def test_a_real_bot_that_oversleeps_is_told_so_and_goes_on(tmp_path):
    """The overrun is half a minute: no machine is so busy that the bot comes later."""
    clock = Clock(question=0.05, start=60.0, overrun=30.0)
    with backend("bubblewrap").open(python_bot(tmp_path / "bot", SLEEPER), Limits()) as sandbox:
        player = BotPlayer(sandbox, clock, "stdin")
        player.begin_game()
        assert player.ask(["0"]).fault is None
        replies = [player.ask(["0.06"]) for _ in range(4)]
        player.end_game()
    late = Fault.TIMEOUT
    assert [reply.fault for reply in replies] == [None, None, late, late]
    assert [reply.line for reply in replies] == ["S"] * 4
    assert all(reply.wall >= 60_000 for reply in replies)

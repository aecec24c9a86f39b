"""A bot at the table: which clock counts, and what a bot hears."""

import pytest

from sandbox.backends import backend
from sandbox.box import Box, Fault, Reply
from sandbox.limits import Clock, Limits
from sandbox.seat import BotPlayer
from tests.sandbox.bots_for_boxes import ECHO, LISTENER, python_bot

CLOCK = Clock(question=1.0, start=5.0)


class Witness(Box):
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

    def start(self):
        self.seen.append("start")

    def tell(self, line):
        self.seen.append(("tell", line))

    def stop(self):
        self.seen.append("stop")

    def close(self):
        self.seen.append("close")


def test_only_the_first_question_of_a_match_has_the_longer_time_for_argv():
    box = Witness()
    player = BotPlayer(box, CLOCK, "argv")
    for _ in range(2):
        player.begin_game()
        player.ask(["21", "K"])
        player.tell("won 5")
        player.end_game()
    assert box.seen == [("run", "21", "K", 5.0), ("run", "21", "K", 1.0)]


def test_the_first_answer_of_every_process_has_the_longer_time_for_stdin():
    box = Witness(Reply("S"), Reply(None, Fault.CRASH))
    player = BotPlayer(box, CLOCK, "stdin")
    player.begin_game()
    for word in "abcd":
        player.ask(["21", word])
    player.tell("won 5")
    player.end_game()
    assert box.seen == [
        "start",
        ("ask", "21 a", 5.0),
        ("ask", "21 b", 1.0),
        ("ask", "21 c", 5.0),
        ("ask", "21 d", 1.0),
        ("tell", "# won 5"),
        "stop",
    ]


@pytest.mark.parametrize(("protocol", "code"), [("argv", ECHO), ("stdin", LISTENER)])
def test_a_real_bot_plays(tmp_path, protocol, code):
    program = python_bot(tmp_path / "bot", code)
    with backend("bubblewrap").open(program, Limits()) as box:
        player = BotPlayer(box, Clock(question=30.0, start=60.0), protocol)
        player.begin_game()
        player.tell("hello")
        reply = player.ask(["21", "K"])
        player.end_game()
    assert reply.line == ("21|K" if protocol == "argv" else "1 21 K # hello")

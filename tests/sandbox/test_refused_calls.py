"""A fault names the system calls that the sandbox does not allow."""

from dataclasses import replace

import pytest

from card_arena.common.faults import Fault
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.limits import BuildLimits, Limits
from card_arena.sandbox.sandbox import BuildFailed
from card_arena.tests.needs import need_sandbox
from card_arena.tests.sandbox.bots_for_sandboxes import python_bot

ROOMY = 20.0
CALLS = """
import ctypes, sys
def call(*numbers):
    libc = ctypes.CDLL(None, use_errno=True)
    return [(libc.syscall(number, 0, 0, 0, 0), ctypes.get_errno()) for number in numbers]
"""
UNKNOWN = 1000, 1001
"""Numbers that no call has."""
NAMED = "its sandbox refused the system calls system call 1000, system call 1001"


@pytest.fixture(autouse=True)
def _need_bubblewrap():
    need_sandbox("bubblewrap")


@pytest.mark.parametrize("forkable", [False, True], ids=["afresh", "forked"])
def test_a_crash_names_them_and_the_next_answer_is_as_before(tmp_path, forkable):
    code = f"{CALLS}\nif sys.argv[1] == 'x': print(call(*{UNKNOWN}, 1000)); exit(3)\nprint('S')"
    program = replace(python_bot(tmp_path / "bot", code), forkable=forkable)
    with backend("bubblewrap").open(program, Limits(cpu=5.0)) as sandbox:
        reply = sandbox.run(["x"], ROOMY)
        assert (reply.fault, reply.detail) == (Fault.CRASH, f"exited with code 3; {NAMED}")
        assert reply.line == "[(-1, 38), (-1, 38), (-1, 38)]"
        assert sandbox.run(["y"], ROOMY).line == "S"


def test_a_living_bots_timeout_names_them(tmp_path):
    code = f"{CALLS}\nfor line in sys.stdin:\n    call(*{UNKNOWN})\n    sys.stdin.readline()"
    with backend("bubblewrap").open(python_bot(tmp_path / "bot", code), Limits(cpu=5.0)) as sandbox:
        sandbox.begin_game()
        reply = sandbox.ask("q", 3.0)
        assert (reply.fault, reply.detail) == (
            Fault.TIMEOUT,
            f"no answer within 3 s; {NAMED}",
        )


def test_a_build_that_fails_names_them():
    code = f"{CALLS}\ncall(*{UNKNOWN})\nexit(1)".encode()
    with pytest.raises(BuildFailed, match=f"exited with code 1; {NAMED}"):
        backend("bubblewrap").build({"make.py": code}, [["python3", "make.py"]], BuildLimits())


def test_a_bot_that_makes_such_calls_without_end_meets_its_deadline(tmp_path):
    code = f"{CALLS}\nimport threading\ndef work():\n    while True: call(*{UNKNOWN})\n"
    code += "for _ in range(20): threading.Thread(target=work).start()"
    with backend("bubblewrap").open(
        python_bot(tmp_path / "bot", code), Limits(cpu=50.0)
    ) as sandbox:
        reply = sandbox.run(["q"], 1.0)
        assert reply.fault is Fault.TIMEOUT
        assert reply.wall < 3e6

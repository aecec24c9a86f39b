"""Each limit of a sandbox, tried from inside."""

from dataclasses import replace

import pytest

from card_arena.common.faults import Fault
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.kernel.cgroups import hierarchies
from card_arena.sandbox.limits import KIB, MIB, Limits
from card_arena.tests.sandbox.bots_for_sandboxes import python_bot

ROOMY = 10.0


def run(tmp_path, code, limits, seconds=ROOMY):
    with backend("bubblewrap").open(python_bot(tmp_path / "bot", code), limits) as sandbox:
        return sandbox.run([], seconds)


def test_memory_is_counted_for_the_whole_sandbox(tmp_path):
    code = "print(len(bytearray(b'x' * ({} << 20))))"
    limits = Limits(cpu=5.0, memory=64 * MIB)
    assert run(tmp_path, code.format(20), limits).line == str(20 * MIB)
    reply = run(tmp_path, code.format(100), limits)
    assert (reply.fault, reply.detail) == (Fault.MEMORY, "used more than 64 MiB of memory")


@pytest.mark.skipif(not hierarchies(), reason="no control groups here")
def test_scratch_files_count_as_memory(tmp_path):
    code = "open('/tmp/f', 'wb').write(bytes(50 << 20)); x = b'x' * (40 << 20); print(1)"
    limits = Limits(cpu=5.0, memory=64 * MIB, scratch=80 * MIB)
    assert run(tmp_path, code, limits).fault is not None


@pytest.mark.parametrize("forkable", [True, False])
def test_a_bots_own_files_may_be_larger_than_its_memory(tmp_path, forkable):
    bot = python_bot(tmp_path / "bot", "print(open('w.bin', 'rb').seek(0, 2))")
    bot = replace(bot, command=("python3", "-B", "-s", "bot.py"), forkable=forkable)
    (tmp_path / "bot" / "w.bin").write_bytes(bytes(48 * MIB))
    with backend("bubblewrap").open(bot, Limits(cpu=5.0, memory=40 * MIB)) as sandbox:
        reply = sandbox.run([], ROOMY)
    assert (reply.fault, reply.line) == (None, str(48 * MIB))


def test_so_many_processes_and_no_more(tmp_path):
    code = """
import os
n = 1
try:
    while os.fork():
        n += 1
    os.read(os.pipe()[0], 1)
except OSError:
    print(n)
"""
    for most in (5, 12):
        assert run(tmp_path, code, Limits(cpu=5.0, processes=most)).line == str(most)


def test_so_much_scratch_and_no_more(tmp_path):
    code = """
n = 0
try:
    with open("/tmp/f", "wb", buffering=0) as f:
        while n < 1000:
            n += f.write(bytes(65536)) >> 16
except OSError:
    pass
print(n)
"""
    assert run(tmp_path, code, Limits(cpu=5.0, scratch=4 * MIB)).line == "64"


def test_a_line_as_long_as_it_may_be(tmp_path):
    limits = Limits(cpu=5.0, line=100)
    assert run(tmp_path, "print('x' * 100)", limits).line == "x" * 100
    reply = run(tmp_path, "print('x' * 101)", limits)
    assert (reply.fault, reply.detail) == (Fault.FLOOD, "wrote a line of over 100 bytes")


def test_a_long_line_arrives_whole_where_it_is_allowed(tmp_path):
    limits = Limits(cpu=5.0, line=100 * KIB, output=128 * KIB)
    assert run(tmp_path, "print('x' * 100000)", limits).line == "x" * 100000


def test_a_living_process_has_the_same_longest_line(tmp_path):
    code = "print('x' * int(input()), flush=True); input()"
    program = python_bot(tmp_path / "bot", code)
    with backend("bubblewrap").open(program, Limits(line=100)) as sandbox:
        assert sandbox.ask("100", ROOMY).line == "x" * 100
        sandbox.begin_game()
        reply = sandbox.ask("101", ROOMY)
        assert (reply.fault, reply.detail) == (Fault.FLOOD, "wrote a line of over 100 bytes")


def test_output_as_long_as_it_may_be(tmp_path):
    limits = Limits(cpu=5.0, output=8 * KIB)
    assert run(tmp_path, f"print('S\\n' * {4 * KIB}, end='')", limits).line == "S"
    reply = run(tmp_path, f"print('S\\n' * {4 * KIB}, end='S')", limits)
    assert (reply.fault, reply.detail) == (Fault.FLOOD, "wrote more than 8192 bytes")


def test_processor_time_is_counted_apart_from_waiting(tmp_path):
    limits = Limits(cpu=0.3)
    assert run(tmp_path, "import time; time.sleep(0.6); print('S')", limits).line == "S"
    reply = run(tmp_path, "while True: pass", limits)
    assert (reply.fault, reply.detail) == (Fault.TIMEOUT, "computed for more than 0.3 s")


def test_an_answer_that_cost_too_much_processor_time_does_not_count(tmp_path):
    code = "import time\nwhile time.process_time() < 0.2: pass\nprint('S')"
    assert run(tmp_path, code, Limits(cpu=0.15)).fault is Fault.TIMEOUT


@pytest.mark.parametrize("kind", ["RLIMIT_NOFILE", "RLIMIT_CORE", "RLIMIT_FSIZE", "RLIMIT_NPROC"])
def test_a_bot_can_not_raise_its_limits(tmp_path, kind):
    code = f"""
import resource
try:
    resource.setrlimit(resource.{kind}, (1 << 40, 1 << 40))
    print("raised")
except (ValueError, OSError):
    print("refused")
"""
    assert run(tmp_path, code, Limits(cpu=5.0)).line == "refused"

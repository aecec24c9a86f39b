"""Where no control group counts, the pilot does: memory that no size shows, time of helpers."""

import pytest

from card_arena.common.faults import Fault
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.backends.zygote import zygote_pool
from card_arena.sandbox.kernel import cgroups
from card_arena.sandbox.limits import MIB, Limits
from card_arena.sandbox.session import piloted_sandbox
from card_arena.tests.sandbox.bots_for_sandboxes import python_bot

ROOMY = 20.0
CODE = """
import ctypes, mmap, os, signal, socket, sys, time
libc = ctypes.CDLL(None)

def helper(work, *words):
    ready, done = os.pipe()
    if os.fork() == 0:
        kept = work(*words)
        os.write(done, b"x")
        signal.pause()
    os.close(done)
    os.read(ready, 1)

def spin(seconds):
    while time.process_time() < seconds:
        pass

def ended():
    ready, done = os.pipe()
    if os.fork() == 0:
        spin(0.1)
        os._exit(0)
    os.close(done)
    os.read(ready, 1)  # nobody writes: it comes back when the other has ended

def orphaned():
    ready, done = os.pipe()
    child = os.fork()
    if child == 0:
        if os.fork() == 0:
            spin(0.1)
        os._exit(0)
    os.close(done)
    os.waitpid(child, 0)
    os.read(ready, 1)

def memory(size):
    return b"x" * size

def tables(size):
    room = mmap.mmap(-1, size << 9, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000, mmap.PROT_READ)
    for place in range(0, size << 9, 2 << 20):
        room[place]
    return room

def mappings(count):
    libc.mmap.restype = ctypes.c_void_p
    begin = libc.mmap(None, ctypes.c_size_t(count << 12), 1, 0x22, -1, ctypes.c_long(0))
    for page in range(0, count, 2):
        libc.mprotect(ctypes.c_void_p(begin + (page << 12)), ctypes.c_size_t(4096), 3)
    return begin

def hidden_mappings(count):
    libc.prctl(4, 0, 0, 0, 0)
    return mappings(count)

def sockets(count):
    kept = [socket.socketpair() for _ in range(count)]
    for pair in kept:
        for end in pair:
            end.setblocking(False)
            try:
                while True:
                    end.send(bytes(65536))
            except BlockingIOError:
                pass
    return kept

def live(work):
    for line in sys.stdin:
        if line[0] != "#":
            work()
            print("S", flush=True)
"""


@pytest.fixture(autouse=True)
def _without_groups(monkeypatch):
    zygote_pool().close()  # whoever waits there has a group
    monkeypatch.setattr(cgroups, "hierarchies", lambda: ())
    monkeypatch.setattr(piloted_sandbox, "freezer_below", lambda _: None)
    yield
    zygote_pool().close()


def run(tmp_path, code, **limits):
    bot = python_bot(tmp_path / "bot", CODE + code)
    with backend("bubblewrap").open(bot, Limits(**{"cpu": ROOMY, **limits})) as sandbox:
        return sandbox.run([], ROOMY)


@pytest.mark.parametrize("work", ["None", "mappings(150)", "[socket.socketpair() for _ in 'four']"])
def test_what_forks_share_is_counted_once(tmp_path, work):
    code = f"""
kept = memory(40 << 20)
for _ in range(12):
    helper(lambda: {work})
time.sleep(0.5)
print("S")
"""
    reply = run(tmp_path, code, memory=128 * MIB)
    assert (reply.line, reply.fault) == ("S", None), reply


@pytest.mark.parametrize(
    "work",
    [
        "memory, 20 << 20",
        "lambda: bytearray(shared)",
        "tables, 20 << 20",
        "mappings, 60_000",
        "hidden_mappings, 60_000",
        "sockets, 100",
    ],
)
def test_what_no_single_process_has_too_much_of_is_counted_for_all(tmp_path, work):
    code = (
        f"shared = memory(10 << 20)\nfor _ in range(12): helper({work})\ntime.sleep(2); print('S')"
    )
    reply = run(tmp_path, code, memory=64 * MIB)
    assert (reply.fault, reply.detail) == (Fault.MEMORY, "used more than 64 MiB of memory")


HELPERS = {
    "living": "helper(spin, 0.1)",
    "waited for": "ended(); os.wait()",
    "orphans": "orphaned()",
    "of whose end nobody is told": "signal.signal(signal.SIGCHLD, signal.SIG_IGN); ended()",
}


@pytest.mark.parametrize("kind", HELPERS)
@pytest.mark.parametrize("protocol", ["argv", "stdin"])
def test_what_helpers_compute_is_counted_and_not_twice(tmp_path, kind, protocol):
    work = f"def work():\n    {HELPERS[kind]}\n"
    if protocol == "argv":
        reply = run(tmp_path, f"{work}for _ in range(4): work()\nprint('S')")
        assert reply.line == "S", reply
        computed = reply.cpu
    else:
        bot = python_bot(tmp_path / "bot", f"{CODE}{work}live(work)")
        with backend("bubblewrap").open(bot, Limits(cpu=ROOMY)) as sandbox:
            sandbox.begin_game()
            sandbox.ask("warm", ROOMY)
            computed = sum(sandbox.ask("q", ROOMY).cpu for _ in range(4))
    seen = 200_000 if "nobody" in kind else 380_000  # the end of what nobody is told may be missed
    assert seen < computed < 700_000

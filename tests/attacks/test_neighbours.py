"""What one bot may try against another that sits at the same table, each in its own sandbox."""

import errno
import os
import shutil
import pytest
from contextlib import closing
from card_arena.sandbox.inside.proc_files import contents
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.sandbox import Program
from card_arena.tests.needs import times_are_shared
from card_arena.sandbox.limits import MIB, Limits
from card_arena.tests.attacks.corpus import PROGRAMS
from card_arena.tests.attacks.pairs import CHANNELS, Pair
from card_arena.tests.attacks.places import PLACES, ISOLATED, opened
from card_arena.tests.sandbox.bots_for_sandboxes import python_bot


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("channel", CHANNELS)
def test_two_bots_at_a_table_can_not_reach_each_other(channel, place, field):
    said = field.pair(place).whisper(channel)
    assert all(line.startswith("nothing") for line in said), said


@pytest.fixture(scope="module")
def bare_pair(field):
    """Two bots without sandboxes, for these tests alone.

    To watch the one that lives costs much: fifty times a second it is looked for among all
    processes of the machine.
    """
    with closing(Pair("bare", field.folder)) as pair:
        yield pair


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can do all of it without a sandbox")
@pytest.mark.parametrize("channel", [name for name in CHANNELS if name != "posix_queue"])
def test_without_sandboxes_they_could(channel, bare_pair):
    said = bare_pair.whisper(channel)
    if channel == "page_cache" and any(os.strerror(errno.EOPNOTSUPP) in line for line in said):
        pytest.skip("the file system of /usr does not tell what is in memory: overlayfs doesn't")
    assert "heard" in said, said


@pytest.fixture
def _one_core():
    """All sandboxes opened meanwhile share one core, as those of a table do."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    yield
    os.sched_setaffinity(0, before)


def lay_out(folder, program):
    folder.mkdir()
    shutil.copy(PROGRAMS / program, folder / program)
    return Program(folder, ("python3", program))


@pytest.mark.skipif(not times_are_shared(), reason="no control groups with a share here")
@pytest.mark.usefixtures("_one_core")
def test_a_crowd_in_one_sandbox_does_not_make_another_bot_late(tmp_path):
    crowd = lay_out(tmp_path / "crowd", "stdin_fork_bomb_between_turns.py")
    quick = python_bot(tmp_path / "quick", "import json, random, re\nprint('S')")
    # the crowd may compute for ever here: else it would be ended at its next answer
    unbounded = Limits(cpu=1000.0, stopped_between_turns=False)
    with (
        backend("bubblewrap").open(crowd, unbounded) as crowded,
        backend("bubblewrap").open(quick, Limits()) as sandbox,
    ):
        crowded.begin_game()
        assert crowded.ask("q", 20.0).line == "S"
        before = crowded._started.group.computed()
        replies = [sandbox.run(["21", "KJA"], 20.0) for _ in range(5)]
        crowds = crowded._started.group.computed() - before
        assert [reply.line for reply in replies] == ["S"] * 5, replies
        # some sixty processes that compete one by one would have sixty times as much
        assert crowds < 15 * sum(reply.cpu for reply in replies)
        assert crowded.ask("q", 20.0).line == "S", "the crowd should have been there all the time"


LOOKS_AROUND = """
import hashlib, os
for top in ("/proc", "/sys"):
    for folder, folders, files in os.walk(top):
        if folder in ("/proc", "/proc/pids"):
            folders[:] = [name for name in folders if name == "1" or not name.isdigit()]
        for name in files:
            path = f"{folder}/{name}"
            try:
                file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
                text = b"".join(iter(lambda: os.read(file, 1 << 16), b""))
                os.close(file)
            except OSError:
                continue
            print(path + "=" + hashlib.md5(text).hexdigest(), end=" ")
"""
KEEPS_BUSY = """
import mmap, os, socket
held = mmap.mmap(-1, 64 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
held.write(bytes(32 << 20))
for _ in range(100):
    if os.fork() == 0:
        os.setsid()
        os._exit(0)
    os.wait()
    socket.socketpair()
    open("/tmp/written", "wb").write(bytes(100000))
    sum(hash(open(path, "rb").read()) for path in ("/usr/bin/python3", "/proc/self/maps"))
print("busy")
"""
ONES_OWN = ("/proc/1/", "/proc/mounts", "/proc/sys/kernel/ns_last_pid")
"""What a sandbox may have for itself: where it is mounted from, and how many processes it has had."""
NEW_EVERY_TIME = "/proc/sys/kernel/random/uuid"
THE_MACHINES_NETWORK = ("sockstat", "sockstat6", "softnet_stat", "protocols")
"""Files of /proc/net, which is a process's own and can't be covered; no bot can make them move."""


@pytest.mark.parametrize("name", ISOLATED)
def test_nothing_that_can_be_read_in_a_sandbox_moves_with_what_another_one_does(name, tmp_path):
    patient = Limits(cpu=20.0, line=MIB, output=2 * MIB)

    def look(sandbox):
        reply = sandbox.run([], 60.0)
        assert reply.fault is None, reply
        read = dict(entry.split("=") for entry in reply.line.split())
        return {
            path: text for path, text in read.items() if not path.endswith(THE_MACHINES_NETWORK)
        }

    looks = python_bot(tmp_path / "looks", LOOKS_AROUND)
    busy = python_bot(tmp_path / "busy", KEEPS_BUSY)
    with (
        opened(name, looks, patient) as first,
        opened(name, looks, patient) as second,
        opened(name, busy, patient) as third,
    ):
        before = look(first)
        assert third.run([], 60.0).line == "busy"
        after, elsewhere = look(first), look(second)
    if name == "docker":
        assert len(before) > 150
    else:
        assert {*before} == {f"/proc/{file}" for file in contents()} | {"/proc/mounts"}
    counts = {"/proc/sys/kernel/ns_last_pid"} if name == "docker" else set()
    moved = {path for path in before | after if before.get(path) != after.get(path)}
    assert moved <= {NEW_EVERY_TIME} | counts
    differs = {path for path in after | elsewhere if after.get(path) != elsewhere.get(path)}
    assert {path for path in differs if not path.startswith(ONES_OWN)} <= {NEW_EVERY_TIME}


@pytest.mark.parametrize("name", ISOLATED)
def test_a_bot_does_not_find_the_files_of_another(name, tmp_path):
    theirs = lay_out(tmp_path / "theirs", "read_other_bundle.py")
    (theirs.folder / "marked.txt").write_text("the others' strategy")
    ours = lay_out(tmp_path / "ours", "read_other_bundle.py")
    words = [str(tmp_path), "/tmp"]
    unhurried = Limits(cpu=5.0)
    with opened(name, theirs, unhurried) as neighbour, opened(name, ours, unhurried) as sandbox:
        assert neighbour.run(words, 20.0).line == "found /bot/marked.txt", "the search is no search"
        assert sandbox.run(words, 20.0).line == "refused"

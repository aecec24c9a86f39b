"""Builds that attack: a stranger's compiler runs here, too."""

import time

import pytest

from sandbox.backends import backend
from sandbox.box import BuildFailed
from sandbox.limits import MIB, BuildLimits

SMALL = BuildLimits(seconds=5, cpu=5, memory=256 * MIB, processes=64, product=8 * MIB, log=4096)


def build(files, *steps, limits=SMALL):
    return backend("bubblewrap").build(files, steps, limits)


def failure(files, *steps, limits=SMALL):
    with pytest.raises(BuildFailed) as caught:
        build(files, *steps, limits=limits)
    return caught.value


def test_including_an_endless_device_meets_the_memory_limit():
    error = failure({"b.c": b'#include "/dev/zero"\nint main(){}'}, ["gcc", "b.c"])
    assert "used more than 256 MiB of memory" in str(error) or "exited with code 1" in str(error)


def test_a_fork_bomb_in_a_build_ends_with_the_build():
    begun = time.monotonic()
    script = b"bomb() { bomb | bomb & }; bomb & while :; do :; done"
    limits = BuildLimits(seconds=1.0, processes=64, product=8 * MIB)
    error = failure({"b.sh": script}, ["sh", "b.sh"], limits=limits)
    assert "did not end in the 1 s that a build has" in str(error)
    assert time.monotonic() - begun < 60


def test_a_process_left_behind_by_a_step_does_not_meet_the_next_one():
    steps = [
        ["sh", "-c", "(sleep 0.3; echo changed > late) & echo early > early"],
        ["sleep", "0.6"],
    ]
    files, _ = build({}, *steps)
    assert set(files) == {"early"}


def test_a_program_that_is_too_big_is_refused():
    error = failure({"b.c": b"char a[1u<<28]={1}; int main(){}"}, ["gcc", "b.c"])
    assert "File size limit exceeded" in error.log
    error = failure({}, ["dd", "if=/dev/zero", "of=big", "bs=1M", "count=20"])
    assert "wrote a file of over 8 MiB" in str(error)


def test_many_files_that_are_too_big_together_are_refused():
    command = "for n in 1 2 3; do head -c 4000000 /dev/zero > $n; done"
    error = failure({}, ["sh", "-c", command])
    assert str(error) == "the build left more than 8 MiB of files"


def test_too_many_files_are_refused():
    command = "i=0; while [ $i -lt 5200 ]; do : > f$i; i=$((i+1)); done"
    assert "more than 5000 files" in str(failure({}, ["sh", "-c", command]))


def test_a_build_can_not_fetch_from_the_network():
    code = "import socket; socket.create_connection(('1.1.1.1', 443), 2)"
    error = failure({}, ["python3", "-c", code])
    assert "exited with code 1" in str(error)
    assert "Network is unreachable" in error.log


def test_links_in_the_products_stay_behind_and_the_log_says_so():
    command = "ln -s /etc/passwd link; ln -s / root; mkfifo pipe; echo x > file"
    files, log = build({}, ["sh", "-c", command])
    assert set(files) == {"file"}
    assert "left out, not a regular file: link" in log
    assert "left out, not a regular file: pipe" in log


def test_a_product_whose_name_could_fool_somebody_is_refused():
    for name in ("a\nb", "a\x1b[2J", "x" * 250):
        code = f"open({name!r}, 'w').write('x')"
        assert "a file with the name" in str(failure({}, ["python3", "-c", code]))


def test_a_build_sees_nothing_of_the_host():
    code = b'.section .note\n.incbin "/etc/shadow"\n'
    error = failure({"b.s": code}, ["gcc", "-c", "b.s"])
    assert "exited with code 1" in str(error)
    files, _ = build({}, ["sh", "-c", "env > env; ls / > root"])
    words = files["env"].content.decode().split()
    names = {word.partition("=")[0] for word in words}
    assert names <= {"PATH", "HOME", "LANG", "PYTHONHASHSEED", "PWD"}
    assert "root" not in files["root"].content.decode().split()


def test_a_long_log_is_cut_and_keeps_its_beginning():
    error = failure({}, ["sh", "-c", "echo first; yes | head -c 1000000; exit 1"])
    assert error.log.startswith("first\n")
    assert "the rest of the log is cut" in error.log
    assert len(error.log) <= SMALL.log


def test_a_build_that_computes_too_long_is_stopped():
    limits = BuildLimits(seconds=20, cpu=0.3, product=8 * MIB)
    error = failure({}, ["sh", "-c", "while :; do :; done"], limits=limits)
    assert "computed for more than 0.3 s" in str(error)


def test_a_tool_that_is_not_there_is_named():
    error = failure({}, ["no-such-compiler", "b.c"])
    assert str(error).startswith("step `no-such-compiler b.c` could not be started")


def test_steps_run_in_turn_and_products_keep_whether_they_can_be_executed():
    files, log = build(
        {"src/b.c": b'#include <stdio.h>\nint main(){puts("ok");}', "run.sh": b"#!/bin/sh\n"},
        ["gcc", "-o", "b", "src/b.c"],
        ["sh", "-c", "./b > out; echo built"],
    )
    assert files["out"].content == b"ok\n"
    assert files["b"].executable
    assert files["run.sh"].executable
    assert not files["src/b.c"].executable
    assert log == "built\n"

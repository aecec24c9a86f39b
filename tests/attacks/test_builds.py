"""Builds that attack: a stranger's compiler runs here, too."""

import time
from dataclasses import replace

import pytest

from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.sandbox import BackendMissing, BuildFailed, Program
from card_arena.sandbox.limits import MIB, BuildLimits, Limits
from card_arena.tests.attacks.places import ISOLATED, missing
from card_arena.tests.needs import need

SMALL = BuildLimits(seconds=5, cpu=5, memory=256 * MIB, processes=64, product=8 * MIB, log=4096)
chosen = ""


@pytest.fixture(params=ISOLATED, autouse=True)
def sandbox_kind(request, monkeypatch):
    """Every test here is for every kind of sandbox."""
    try:
        backend(request.param).build({}, [["true"]], SMALL)
    except BackendMissing as error:
        missing(str(error))
    monkeypatch.setattr(f"{__name__}.chosen", request.param)
    return request.param


def build(files, *steps, limits=SMALL):
    return backend(chosen).build(files, steps, limits)


def failure(files, *steps, limits=SMALL):
    with pytest.raises(BuildFailed) as caught:
        build(files, *steps, limits=limits)
    return caught.value


def test_including_an_endless_device_meets_the_memory_limit():
    limits = replace(SMALL, seconds=60, cpu=60)
    error = failure({"b.c": b'#include "/dev/zero"\nint main(){}'}, ["gcc", "b.c"], limits=limits)
    assert "used more than 256 MiB of memory" in str(error) or "exited with code 1" in str(error)


@pytest.mark.parametrize(
    "source",
    [
        b"template<int N, int M> struct B { B<N - 1, 2 * M> a; B<N - 1, 2 * M + 1> b; };\n"
        b"template<int M> struct B<0, M> {}; B<24, 1> bomb; int main() {}",
        b"#define A 1+1+1+1+1+1+1+1+1+1\n#define B A+A+A+A+A+A+A+A+A+A\n"
        b"#define C B+B+B+B+B+B+B+B+B+B\n#define D C+C+C+C+C+C+C+C+C+C\n"
        b"#define E D+D+D+D+D+D+D+D+D+D\n#define F E+E+E+E+E+E+E+E+E+E\n"
        b"#define G F+F+F+F+F+F+F+F+F+F\n#define H G+G+G+G+G+G+G+G+G+G\nint main() { return H; }",
        b"constexpr int f(int n) { return n < 2 ? 1 : f(n - 1) + f(n - 2); }\n"
        b"constexpr int n = f(60); int main() { return n; }",
        b'#include "b.cpp"\n#include "b.cpp"\nint main() {}',
    ],
    ids=["templates", "macros", "constants", "itself"],
)
def test_a_source_that_unfolds_without_end_meets_a_limit(source):
    need("g++")
    endless = BuildLimits(seconds=1.5, cpu=1.5, memory=256 * MIB, product=8 * MIB, log=4096)
    command = ["g++", "-ftemplate-depth=9999", "-fconstexpr-ops-limit=99999999999", "b.cpp"]
    error = failure({"b.cpp": source}, command, limits=endless)
    reasons = ("used more than", "computed for more than", "did not end in", "exited with code")
    assert any(reason in str(error) for reason in reasons), error
    assert len(error.log) <= endless.log


def test_a_compiler_that_never_ends_is_stopped():
    begun = time.monotonic()
    limits = BuildLimits(seconds=0.5, product=8 * MIB)
    for endless in (
        ["cat", "/dev/zero"],
        ["tail", "-f", "/dev/null"],
        ["sh", "-c", "kill -STOP $$"],
    ):
        assert "did not end in the 0.5 s" in str(failure({}, endless, limits=limits))
    assert time.monotonic() - begun < 60


def test_ten_gigabytes_of_output_are_neither_kept_nor_written():
    soon = BuildLimits(seconds=1, product=8 * MIB, log=4096)
    error = failure({}, ["sh", "-c", "yes | head -c 10000000000"], limits=soon)
    assert len(error.log) <= soon.log
    error = failure({}, ["truncate", "-s", "10G", "big"])
    assert "exited with code 1" in str(error) or "wrote a file of over 8 MiB" in str(error)


def test_a_make_that_forks_without_end_ends_with_its_build():
    need("make")
    makefile = b"all: a b\na b:\n\t+$(MAKE) -j all & $(MAKE) -j all\n"
    begun = time.monotonic()
    limits = BuildLimits(seconds=1.0, processes=64, product=8 * MIB)
    failure({"Makefile": makefile}, ["make", "-j"], limits=limits)
    assert time.monotonic() - begun < 60


def test_what_a_build_leaves_outside_its_folder_does_not_meet_the_next_one():
    places = ["/tmp/note", "$HOME/.cache/note", "/dev/shm/note", "/var/tmp/note", "/usr/lib/note"]
    for place in places:
        build({}, ["sh", "-c", f"mkdir -p $(dirname {place}) && echo note > {place} || :"])
    files, _ = build({}, ["sh", "-c", f"cat {' '.join(places)} > found 2> missed || :"])
    assert files["found"].content == b""


@pytest.mark.parametrize(
    "source", ["/etc/shadow", "/proc/1/environ", "/root/.bashrc", "/proc/1/mem", "/dev/mem"]
)
def test_a_source_can_not_include_what_is_not_its_own(source):
    error = failure({"b.c": f'#include "{source}"\nint main(){{}}'.encode()}, ["gcc", "b.c"])
    assert "exited with code 1" in str(error)
    assert "No such file" in error.log or "Permission denied" in error.log or "fatal" in error.log


@pytest.mark.parametrize("source", ["/dev/urandom", "/dev/full"])
def test_a_source_that_is_a_device_meets_a_limit(source):
    limits = BuildLimits(seconds=2, cpu=2, memory=256 * MIB, product=8 * MIB, log=4096)
    failure({"b.c": f'#include "{source}"'.encode()}, ["gcc", "-c", "b.c"], limits=limits)


def test_a_fork_bomb_in_a_build_ends_with_the_build():
    begun = time.monotonic()
    script = b"bomb() { bomb | bomb & }; bomb & while :; do :; done"
    limits = BuildLimits(seconds=1.0, processes=64, product=8 * MIB)
    error = failure({"b.sh": script}, ["sh", "b.sh"], limits=limits)
    assert "did not end in the 1 s that a build has" in str(error)
    assert time.monotonic() - begun < 60


def test_a_process_left_behind_by_a_step_does_not_meet_the_next_one():
    steps = [
        ["sh", "-c", "(sleep 2; echo changed > late) & echo early > early"],
        ["sleep", "2.5"],
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


NEST = """
import os
for _ in range({folders}):
    os.mkdir("{name}")
    os.chdir("{name}")
"""


@pytest.mark.parametrize("name", ["d", "d" * 200])
@pytest.mark.parametrize("folders", [21, 1200, 5000])
def test_folders_nested_without_end_are_the_builds_own_failure(folders, name):
    script = NEST.format(folders=folders, name=name)
    error = failure({}, ["python3", "-c", script])
    assert str(error) == "the build left folders nested deeper than 20"


def test_what_lies_no_deeper_than_it_may_is_kept():
    path = "d/" * 19 + "file"
    script = NEST.format(folders=19, name="d") + "open('file', 'w').write('kept')"
    files, _ = build({}, ["python3", "-c", script])
    assert {name: file.content for name, file in files.items()} == {path: b"kept"}


@pytest.mark.parametrize("kind", ["mkdir(f'{n}')", "symlink('x', f'{n}')", "mkfifo(f'{n}')"])
def test_folders_links_and_pipes_without_number_are_the_builds_own_failure(kind):
    script = f"import os\nfor n in range(25_000): os.{kind}"
    roomy = replace(SMALL, product=64 * MIB, seconds=60, cpu=60)
    error = failure({}, ["python3", "-c", script], limits=roomy)
    assert str(error) == "the build left more than 20000 files, folders and links"
    assert len(error.log) <= roomy.log


@pytest.mark.parametrize(
    "command",
    [
        "echo x > 'a file'; chmod 000 'a file'",
        "mkdir 'a file'; echo x > 'a file/x'; chmod 000 'a file'",
        "mkdir 'a file'; echo x > 'a file/x'; chmod 444 'a file'",
        "chmod 000 .",
    ],
)
def test_what_a_build_has_shut_is_its_own_failure(command):
    name = "." if command.endswith(" .") else "a file"
    error = failure({}, ["sh", "-c", command])
    assert str(error).startswith(f"the build left something that can't be read: '{name}")


def test_files_that_hold_nothing_but_their_size_count_by_their_size():
    script = "import os\nfor n in range(3): os.truncate(os.open(f'{n}', 66), 6 << 20)"
    error = failure({}, ["python3", "-c", script])
    assert str(error) == "the build left more than 8 MiB of files"


def test_a_product_whose_name_is_no_text_is_refused():
    error = failure({}, ["python3", "-c", r"open(b'\xff', 'w')"])
    assert str(error) == r"the build left a file with the name '\udcff'"


def test_empty_words_are_words_of_a_step_and_not_its_end():
    step = ["sh", "-c", 'echo "$#" "$2" > count; exit "$2"', "sh", "", "3", ""]
    error = failure({}, ["true"], step)
    assert "exited with code 3" in str(error)


def test_steps_that_are_too_long_are_the_builds_own_failure():
    steps = [["true", "x" * 16_000] for _ in range(10)]
    assert str(failure({}, *steps)) == "the build's steps are longer than 96 KiB together"


def test_a_build_sees_nothing_of_the_host(sandbox_kind):
    code = b'.section .note\n.incbin "/etc/shadow"\n'
    error = failure({"b.s": code}, ["gcc", "-c", "b.s"])
    assert "exited with code 1" in str(error)
    files, _ = build({}, ["sh", "-c", "env > env; ls / > root"])
    words = files["env"].content.decode().split()
    names = {word.partition("=")[0] for word in words}
    assert names <= {"PATH", "HOME", "HOSTNAME", "LANG", "PYTHONHASHSEED", "PWD"}
    if sandbox_kind == "bubblewrap":  # an image has such a folder of its own
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


def test_files_that_a_failed_build_leaves_are_no_burden_to_the_next_sandbox(tmp_path):
    folder = tmp_path / "bot"
    folder.mkdir()
    folder.joinpath("answer").write_text("#!/bin/sh\necho S\n")
    for path, mode in ((tmp_path, 0o755), (folder, 0o755), (folder / "answer", 0o755)):
        path.chmod(mode)
    leave = "for n in 1 2 3; do head -c 100000000 /dev/zero > $n; done; exit 1"
    assert "exited with code 1" in str(failure({}, ["sh", "-c", leave], limits=BuildLimits()))
    small = Limits(memory=48 * MIB)
    for _ in range(3):
        with backend(chosen).open(Program(folder, ("./answer",)), small) as sandbox:
            assert sandbox.run([], 20).line == "S"


def test_links_to_one_file_count_as_often_as_they_are_there():
    command = "head -c 3000000 /dev/zero > 1; ln 1 2; ln 1 3"
    assert str(failure({}, ["sh", "-c", command])) == "the build left more than 8 MiB of files"


def test_sockets_and_what_is_hidden_in_attributes_stay_behind():
    script = """
import os, socket
socket.socket(socket.AF_UNIX).bind("socket")
open("file", "w").write("kept")
os.chmod("file", 0o6644)
for number in range(20):
    try:
        os.setxattr("file", f"user.{number}", bytes(60_000))
    except OSError:
        pass
"""
    files, log = build({}, ["python3", "-c", script])
    assert {name: (file.content, file.executable) for name, file in files.items()} == {
        "file": (b"kept", False)
    }
    assert "left out, not a regular file: socket" in log


def test_a_process_that_stays_in_the_folder_does_not_hold_up_the_end():
    command = (
        "mkfifo pipe; echo kept > file; (setsid sh -c 'trap : TERM HUP; exec 9< file; cat pipe' &);"
        " (cd / ; exec setsid sleep 1000) & (while :; do echo x >> grows; sleep 0.01; done) &"
    )
    begun = time.monotonic()
    files, _ = build({}, ["sh", "-c", command])
    assert files["file"].content == b"kept\n"
    assert time.monotonic() - begun < 20


def test_a_build_can_not_change_what_the_next_step_or_the_packer_runs_as():
    steps = [
        ["sh", "-c", "umask 777; ulimit -f 1; ulimit -n 4; kill -STOP -1; kill -9 1; trap '' 15"],
        ["sh", "-c", "umask > mask; ulimit -n > files; head -c 100000 /dev/zero > big"],
    ]
    files, _ = build({}, *steps)
    assert files["mask"].content == b"0022\n"
    assert int(files["files"].content) > 4
    assert len(files["big"].content) == 100_000


def test_time_that_a_build_sleeps_away_is_counted_over_all_steps():
    soon = BuildLimits(seconds=0.8, product=8 * MIB)
    error = failure({}, *[["sleep", "0.3"]] * 4, limits=soon)
    assert "did not end in the 0.8 s" in str(error)

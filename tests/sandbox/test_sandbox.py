"""What every sandbox does, whatever its walls are made of."""

import time
from pathlib import Path

import pytest

from card_arena.common.faults import Fault
from card_arena.sandbox.backends.registry import BACKENDS, backend
from card_arena.sandbox.limits import Limits
from card_arena.sandbox.sandbox import BackendMissing, Program, SandboxBroken
from card_arena.tests.needs import need_sandbox
from card_arena.tests.sandbox.bots_for_sandboxes import ECHO, LISTENER, python_bot, shell_bot

ROOMY = 10.0


@pytest.fixture(params=sorted(BACKENDS))
def sandbox_of(request):
    need_sandbox(request.param)
    opened = []

    def sandbox_of(program, limits=None):
        # bare Python may be slow to start: give it processor time
        opened.append(backend(request.param).open(program, limits or Limits(cpu=5.0)))
        return opened[-1]

    yield sandbox_of
    for sandbox in opened:
        sandbox.close()


def test_words_arrive_as_they_were_sent(sandbox_of, tmp_path):
    sandbox = sandbox_of(python_bot(tmp_path / "bot", ECHO))
    words = ["21", "", "a b", "ä", "-x", "$HOME", "*"]
    assert sandbox.run(words, ROOMY).line == "|".join(words)


def test_a_reply_tells_time_and_last_words(sandbox_of, tmp_path):
    sandbox = sandbox_of(python_bot(tmp_path / "bot", ECHO))
    reply = sandbox.run(["21"], ROOMY)
    assert reply.fault is None
    assert reply.stderr == "said 21\n"
    assert 0 < reply.wall < ROOMY * 1e6
    assert reply.cpu > 0


def test_only_the_end_of_long_last_words_is_kept(sandbox_of, tmp_path):
    code = "import sys; sys.stderr.write('x' * 100000 + 'end'); print(1)"
    reply = sandbox_of(python_bot(tmp_path / "bot", code)).run([], ROOMY)
    assert reply.stderr.endswith("xend")
    assert len(reply.stderr) == 4096


def test_a_line_without_newline_and_one_carriage_return_count(sandbox_of, tmp_path):
    sandbox = sandbox_of(shell_bot(tmp_path / "bot", r"printf 'S\r\r'"))
    assert sandbox.run([], ROOMY).line == "S\r"


def test_an_exit_code_is_a_crash_even_with_an_answer(sandbox_of, tmp_path):
    reply = sandbox_of(shell_bot(tmp_path / "bot", "echo S; echo why >&2; exit 7")).run([], ROOMY)
    assert (reply.line, reply.fault) == ("S", Fault.CRASH)
    assert reply.detail == "exited with code 7"
    assert reply.stderr == "why\n"


def test_an_end_without_an_answer_is_malformed(sandbox_of, tmp_path):
    reply = sandbox_of(shell_bot(tmp_path / "bot", "exit 0")).run([], ROOMY)
    assert (reply.fault, reply.detail) == (Fault.MALFORMED, "ended without an answer")


def test_an_empty_line_is_an_answer(sandbox_of, tmp_path):
    assert sandbox_of(shell_bot(tmp_path / "bot", "echo")).run([], ROOMY).line == ""


def test_a_silent_program_times_out(sandbox_of, tmp_path):
    reply = sandbox_of(shell_bot(tmp_path / "bot", "sleep 100")).run([], 0.2)
    assert (reply.fault, reply.detail) == (Fault.TIMEOUT, "no answer within 0.2 s")
    assert reply.wall >= 200_000


def test_an_answer_from_a_program_that_goes_on_is_a_timeout_that_says_so(sandbox_of, tmp_path):
    reply = sandbox_of(shell_bot(tmp_path / "bot", "echo S; sleep 100")).run([], 2.0)
    assert reply.fault is Fault.TIMEOUT
    assert reply.detail == "wrote an answer but did not end within 2 s"


def test_a_program_that_is_not_there_is_a_crash_that_says_so(sandbox_of, tmp_path):
    tmp_path.joinpath("bot").mkdir()
    sandbox = sandbox_of(Program(tmp_path / "bot", ("./missing",)))
    for reply in (sandbox.run([], ROOMY), sandbox.ask("hello", ROOMY)):
        assert reply.fault is Fault.CRASH
        assert reply.detail.startswith(
            "could not be started: No such file or directory; it, or the interpreter"
        )


def test_a_script_without_a_first_line_is_a_crash_that_says_so(sandbox_of, tmp_path):
    program = shell_bot(tmp_path / "bot", "")
    (tmp_path / "bot" / "bot.sh").write_text("echo S\n")
    assert "Exec format error" in sandbox_of(program).run([], ROOMY).detail


def test_a_question_too_long_for_a_command_line_is_ours(sandbox_of, tmp_path):
    sandbox = sandbox_of(python_bot(tmp_path / "bot", ECHO))
    with pytest.raises(SandboxBroken, match="too long for a command line"):
        sandbox.run(["x" * 200_000], ROOMY)
    assert sandbox.run(["21"], ROOMY).line == "21"


def test_the_environment_is_small_and_the_same_for_all(sandbox_of, tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET", "seed")
    code = "import os; print(sorted(os.environ), os.environ['HOME'] != '/root')"
    line = sandbox_of(python_bot(tmp_path / "bot", code, EXTRA="1")).run([], ROOMY).line
    names = {"EXTRA", "HOME", "LANG", "PATH", "PYTHONHASHSEED"}
    assert all(name in line for name in names)
    assert "SECRET" not in line


def test_a_living_process_remembers_within_a_game_only(sandbox_of, tmp_path):
    sandbox = sandbox_of(python_bot(tmp_path / "bot", LISTENER))
    sandbox.begin_game()
    assert sandbox.ask("a", ROOMY).line == "1 a"
    assert sandbox.ask("b", ROOMY).line == "2 b"
    sandbox.begin_game()
    assert sandbox.ask("c", ROOMY).line == "1 c"
    sandbox.end_game()


def test_notices_arrives_before_the_next_question(sandbox_of, tmp_path):
    sandbox = sandbox_of(python_bot(tmp_path / "bot", LISTENER))
    sandbox.tell("# nobody is there to hear this")
    sandbox.begin_game()
    sandbox.tell("# one")
    sandbox.tell("# two")
    assert sandbox.ask("q", ROOMY).line == "1 q # one # two"


def test_the_last_notices_of_a_game_is_sent(sandbox_of, tmp_path):
    code = "import os\nprint(input(), flush=True)\nos.write(2, input().encode())\n"
    sandbox = sandbox_of(python_bot(tmp_path / "bot", code))
    assert sandbox.ask("q", ROOMY).line == "q"
    sandbox.tell("# over")
    sandbox.end_game()
    sandbox.end_game()
    assert sandbox.ask("again", ROOMY).line == "again"


def test_after_a_crash_the_next_question_starts_a_new_process(sandbox_of, tmp_path):
    sandbox = sandbox_of(python_bot(tmp_path / "bot", LISTENER))
    assert sandbox.ask("a", ROOMY).line == "1 a"
    reply = sandbox.ask("crash", ROOMY)
    assert (reply.fault, reply.detail) == (Fault.CRASH, "exited with code 1")
    assert reply.stderr == "told to\n"
    assert sandbox.ask("b", ROOMY).line == "1 b"


def test_after_a_timeout_no_old_answer_is_heard(sandbox_of, tmp_path):
    sandbox = sandbox_of(python_bot(tmp_path / "bot", LISTENER))
    assert sandbox.ask("a", ROOMY).line == "1 a"
    reply = sandbox.ask("silent", 0.2)
    assert (reply.fault, reply.detail) == (Fault.TIMEOUT, "no answer within 0.2 s")
    assert sandbox.ask("b", ROOMY).line == "1 b"


def test_a_sandbox_that_is_closed_twice_is_closed(sandbox_of, tmp_path):
    sandbox = sandbox_of(python_bot(tmp_path / "bot", LISTENER))
    sandbox.ask("a", ROOMY)
    sandbox.close()
    sandbox.close()


def test_a_daemon_is_gone_when_the_reply_is_there(sandbox_of, tmp_path):
    code = "(while :; do sleep 0.01; echo x >> $0.log; done) & echo $!"
    folder = tmp_path / "bot"
    sandbox = sandbox_of(shell_bot(folder, code))
    assert sandbox.run([], ROOMY).fault is None
    log = folder / "bot.sh.log"
    before = log.stat().st_size if log.exists() else 0
    time.sleep(0.1)
    assert (log.stat().st_size if log.exists() else 0) == before


def test_sandboxes_do_not_use_up_descriptors(sandbox_of, tmp_path):
    program = python_bot(tmp_path / "bot", LISTENER)
    sandbox_of(program).close()
    before = len(list(Path("/proc/self/fd").iterdir()))
    for _ in range(3):
        sandbox = sandbox_of(program)
        sandbox.run(["a"], 0.05)
        sandbox.ask("a", ROOMY)
        sandbox.ask("crash", ROOMY)
        sandbox.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_without_bubblewrap_the_message_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackendMissing, match="sudo apt-get install bubblewrap"):
        backend("bubblewrap").open(python_bot(tmp_path / "bot", ECHO), Limits())


def test_an_unknown_sandbox_is_named_with_those_there_are():
    with pytest.raises(
        ValueError, match="unknown sandbox 'steel': expected one of bubblewrap, docker"
    ):
        backend("steel")

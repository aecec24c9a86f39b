"""Every program in `programs/` tries to break a box, and says in its first lines what it deserves.

    tries:     what it is after, in one sentence
    expect:    the verdict: a fault, or `answer` and the line; by commas, one for each question;
               `timeout or memory` where a bomb may meet either limit first
    escaped:   the same, where the line holds what a source file should not
    protocol:  argv (if not given) or stdin
    needs:     `groups` where only control groups can tell
    detail, stderr: what the reply must hold; cpu, seconds, question, pause: the circumstances

Each runs twice in one box, which afterwards must answer a canary in time, with nothing left.
"""

import ast
import re
import subprocess
import time
from pathlib import Path

import pytest

from sandbox.backends import backend
from sandbox.box import Box, Program, Reply
from sandbox.cgroups import times_are_counted
from sandbox.limits import Limits

PROGRAMS = Path(__file__).parent / "programs"
ATTACKS = sorted(PROGRAMS.iterdir())

TURN = """#!/bin/sh
case "$1" in canary) exec ./canary;; *) exec ./attack "$@";; esac
"""
CANARY = """#!/usr/bin/env python3
import os
others = [pid for pid in os.listdir("/proc") if pid.isdigit() and int(pid) not in (1, os.getpid())]
print("well" if not others and not os.listdir("/tmp") else (others, os.listdir("/tmp")))
"""


class Attack:
    """What a program's first lines say."""

    def __init__(self, path):
        self.path = path
        head = re.findall(r"^(?:#|//) (\w+): (.*)$", path.read_text(), re.MULTILINE)
        self.says = dict(head)
        self.stdin = self.says.get("protocol") == "stdin"
        self.pause = float(self.says.get("pause", 0.15))
        escaped = self.says.get("escaped")
        text = ast.literal_eval(f'"{escaped}"') if escaped else self.says["expect"]
        self.expected = text.split(", ")
        # Nobody waits for the end of a time that is not meant to run out.
        self.seconds = float(self.says.get("seconds", 0.5 if "timeout" in text else 10.0))

    def install(self, folder: Path) -> Program:
        folder.mkdir(mode=0o755)
        attack = folder / "attack"
        if self.path.suffix == ".c":
            command = ["gcc", "-O1", "-pthread", "-w", "-o", attack, self.path]
            subprocess.run(command, check=True)
        else:
            python = "" if self.path.suffix == ".sh" else "#!/usr/bin/env python3\n"
            attack.write_text(python + self.path.read_text())
        (folder / "turn").write_text(TURN)
        (folder / "canary").write_text(CANARY)
        for file in folder.iterdir():
            file.chmod(0o755)
        return Program(folder, ("./turn",))


def play(attack: Attack, box: Box) -> list[Reply]:
    if not attack.stdin:
        return [box.run(["21", "KJA"], attack.seconds)]
    replies = []
    box.start()
    for _ in attack.expected:
        time.sleep(attack.pause)
        replies.append(box.ask("q" * int(attack.says.get("question", 5)), attack.seconds))
    box.stop()
    return replies


def verdict(reply: Reply) -> str:
    return reply.fault.value if reply.fault else f"answer {reply.line}"


@pytest.mark.parametrize("path", ATTACKS, ids=lambda path: path.stem)
def test_an_attack_gets_its_verdict_and_leaves_nothing_behind(path, tmp_path):
    attack = Attack(path)
    if "needs" in attack.says and not times_are_counted():
        pytest.skip("no control groups here")
    limits = Limits(cpu=float(attack.says.get("cpu", 1.0)))
    program = attack.install(tmp_path / "bot")
    with backend("bubblewrap").open(program, limits) as box:
        for _ in range(2):
            replies = play(attack, box)
            for reply, expected in zip(replies, attack.expected, strict=True):
                assert verdict(reply) in expected.split(" or "), replies
            assert any(attack.says.get("detail", "") in reply.detail for reply in replies), replies
            assert any(attack.says.get("stderr", "") in reply.stderr for reply in replies), replies
        assert verdict(box.run(["canary"], 30.0)) == "answer well"

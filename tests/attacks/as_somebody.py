"""Runs some attacks as an ordinary user: started by root, it becomes one and prints verdicts.

Everything is imported first, because an ordinary user may not be let into the project's folder.
"""

import ctypes
import json
import os
import sys
from pathlib import Path

from sandbox import bubblewrap, cgroups
from sandbox.backends import backend
from sandbox.limits import Limits
from tests.attacks.test_attacks import PROGRAMS, Attack, play, verdict

NOBODY = 65534
PR_SET_DUMPABLE = 4


def main() -> None:
    folder, *names = sys.argv[1:]
    prepared = []
    for name in names:
        attack = Attack(PROGRAMS / name)
        prepared.append((name, attack, attack.install(Path(folder, attack.path.stem))))
    bubblewrap.our_modules()
    os.chdir("/")
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # as a program started by the user is
    cgroups.hierarchies.cache_clear()
    results = {}
    for name, attack, program in prepared:
        limits = Limits(cpu=float(attack.says.get("cpu", 1.0)))
        with backend("bubblewrap").open(program, limits) as box:
            replies = [reply for _ in range(2) for reply in play(attack, box)]
            verdicts = [verdict(reply) for reply in replies]
            results[name] = {
                "wanted": attack.expected * 2,
                "got": verdicts,
                "canary": verdict(box.run(["canary"], 5.0)),
                "details": [reply.detail for reply in replies],
            }
    print(json.dumps(results))


if __name__ == "__main__":
    main()

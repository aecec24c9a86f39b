"""Plays attacks as an ordinary user: started by root, it becomes one and serves, line by line.

Everything is imported and laid out first, because an ordinary user may not be let into the
project's folder.
"""

import codecs
import ctypes
import json
import os
import sys
import traceback
from contextlib import ExitStack, closing
from pathlib import Path
from card_arena.sandbox.kernel import cgroups
from card_arena.sandbox.backends.layout import pilots_folder
from card_arena.sandbox.backends.registry import backend
from card_arena.tests.attacks.corpus import ATTACKS, Arena
from card_arena.tests.attacks.pairs import Pair


NOBODY = 65534
PR_SET_DUMPABLE = 4


def become_nobody(cache: Path) -> None:
    """Give up being root, as completely as a login of that user would have."""
    os.environ["ARENA_CACHE"] = str(cache)  # root's is closed to others
    pilots_folder()
    # Python itself may be closed to others, and these import modules of it when first used.
    backend("bubblewrap")
    for encoding in ("ascii", "latin-1", "unicode_escape", "utf-8-sig"):
        codecs.lookup(encoding)
    os.chdir("/")
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # as a program started by the user is
    cgroups.hierarchies.cache_clear()


def main() -> None:
    folder = Path(sys.argv[1])
    become_nobody(folder.parent / "cache")
    with ExitStack() as stack:
        arena = stack.enter_context(closing(Arena("bubblewrap", folder)))
        pair = stack.enter_context(closing(Pair("bubblewrap", folder)))
        for line in sys.stdin:
            kind, name = line.split()
            answer, error = None, ""
            try:
                if kind == "channel":
                    answer = pair.whisper(name)
                else:
                    trial = arena.trial(ATTACKS[name])
                    answer = trial and vars(trial)
            except Exception:  # fails this test alone, and is shown there
                error = traceback.format_exc()
            print(json.dumps([answer, error]), flush=True)


if __name__ == "__main__":
    main()

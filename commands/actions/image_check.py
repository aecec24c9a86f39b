"""`arena image check`."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from commands.cli_errors import Stop
from commands.console import Printer
from common.checkout import ROOT
from common.text import one_line
from sandbox.backends.registry import backend
from sandbox.cache_folder import default_cache
from sandbox.language_proof import prove
from sandbox.languages.registry import LANGUAGES
from tables.registry import GAMES
from tournament.check_questions import question_of_each_phase

STARTERS = ROOT / "bots" / "starters"


def image_check(languages: Sequence[str]) -> None:
    """Try the starter bot of each language; exit code 1 if one fails."""
    if not STARTERS.is_dir():
        raise Stop(f"there are no starter bots in {STARTERS}; they come with the source code")
    questions = [asked for game in GAMES.values() for asked in question_of_each_phase(game)]
    console = Printer()
    good = True
    for name in languages or LANGUAGES:
        begun = time.monotonic()
        wrong = prove(STARTERS / name, backend("docker"), default_cache(), questions)
        word = "FAILED" if wrong else "works"
        console.print(f"{name:12} {word:7} {time.monotonic() - begun:5.1f} s")
        for line in (wrong or "").splitlines():
            console.print(f"             {one_line(line)}", soft_wrap=True)
        good &= wrong is None
    if not good:
        sys.exit(1)

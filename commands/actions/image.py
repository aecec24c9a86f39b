"""`arena image ...`."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Sequence

import click
from rich.text import Text

from card_arena.commands.cli_errors import Stop
from card_arena.commands.console import Printer
from card_arena.common.checkout import ROOT
from card_arena.common.text import one_line
from card_arena.sandbox.backends.docker import build_image, language_image, older_images
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.backends.system_image import build_system_image
from card_arena.sandbox.cache_folder import default_cache
from card_arena.sandbox.check import prove
from card_arena.sandbox.languages.registry import LANGUAGES
from card_arena.sandbox.sandbox import ImageNotBuilt
from card_arena.tables.registry import GAMES
from card_arena.tournament.submissions import question_of_each_phase


def image_build(kind: str, network: str | None, *, update: bool) -> None:
    if not backend(kind).has_images:
        for option, set in (("--network", network is not None), ("--update", update)):
            if set:
                raise click.UsageError(
                    f"{option} is for --sandbox docker: leave it out for this image"
                )
        _build_system_image()
    else:
        _build_language_image(network, update=update)


def _build_system_image() -> None:
    console = Printer()
    progress = ""
    with console.status("reading the system's files") as status:
        for progress in build_system_image():
            status.update(f"writing the image of the system: {progress}")
    console.print(f"built an image of the system: {progress}")


def _build_language_image(network: str | None, *, update: bool) -> None:
    console = Printer()
    output: deque[str] = deque(maxlen=20)
    try:
        with console.status("asking Docker") as status:
            for line in build_image(network, update=update):
                output.append(line)
                if line.startswith("Step"):
                    console.print(one_line(line), soft_wrap=True)
                status.update(Text(one_line(line)[: console.width - 4]))
    except ImageNotBuilt as error:
        raise Stop("\n".join([*output, str(error)]), 1) from error
    console.print(f"built {language_image()}")
    if older := older_images():
        console.print(f"older images can be removed: docker rmi {' '.join(older)}", soft_wrap=True)


STARTERS = ROOT / "bots" / "starters"


def image_check(languages: Sequence[str]) -> None:
    """Try the starter bot of each language; exit code 1 if one fails."""
    if not STARTERS.is_dir():
        raise Stop(
            f"Folder {STARTERS} with the starter bots not found. Use a copy of the source code."
        )
    questions = [question for game in GAMES.values() for question in question_of_each_phase(game)]
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

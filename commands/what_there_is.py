"""Commands that say what there is: bots, games, languages, boxes, and Docker's image."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Sequence
from functools import partial

import click
from rich.text import Text

from commands import terminal
from commands.cli_errors import Stop
from commands.cli_options import DATABASE, with_stored
from commands.printer import Printer, say
from common.checkout import ROOT
from common.escaping import json_text
from leaderboard import views
from leaderboard.storage.store import Store
from sandbox.backends.docker_image import build_image, language_image, older_images
from sandbox.backends.registry import BACKENDS, backend
from sandbox.backends.system_image import build_system_image
from sandbox.box import ImageNotBuilt
from sandbox.builds.builder import default_cache, has_tool
from sandbox.language_proof import prove
from sandbox.languages.registry import LANGUAGES
from tables.registry import GAMES
from tournament import diagnosis
from tournament.authors.check_questions import question_of_each_phase
from tournament.authors.submission import BOX

STARTERS = ROOT / "bots" / "starters"


@click.command()
@with_stored
def bots(store: Store) -> None:
    """List the bots in the store."""
    Printer().print(terminal.bots_table(views.bots(store)))


@click.command()
def games() -> None:
    """List the games and the options of their tables."""
    for game in GAMES.values():
        Printer().print(terminal.game_table(game))


@click.command()
def languages() -> None:
    """List the languages that bots may be written in, and what this machine lacks."""
    has = partial(has_tool, backend(BOX))
    Printer().print(terminal.languages_table(LANGUAGES.values(), has))


@click.command()
@click.option("--box", "only", type=click.Choice(list(BACKENDS)), help="Only this kind of box.")
@click.option("--json", "as_json", is_flag=True, help="Print the same for programs.")
@click.option(
    "--database",
    envvar="ARENA_DATABASE",
    default=DATABASE,
    show_default=True,
    metavar="URL",
    help="The one whose files are looked at; it need not be there.",
)
def doctor(only: str | None, as_json: bool, database: str) -> None:
    """Say what the boxes of this machine can and can't guarantee, and which files others can read.

    Ends with 0 where bots of strangers can be let into the default box, or the one named; with 1
    where a wall is missing, with 2 where there is no such box.
    """
    console = Printer()
    # before the boxes are tried: who uses the builds closes them
    open_files = diagnosis.open_files(database)
    found = []
    for name in [only] if only else list(BACKENDS):
        found.append(diagnosis.diagnose(name))
        if not as_json:
            for part in diagnosis.drawn(found[-1]):
                whole = isinstance(part, str) and part.startswith("  ")  # a command to be copied
                console.print(part, soft_wrap=whole)
    if open_files and not as_json:
        console.print(diagnosis.OPEN)
        for file in open_files:
            console.print(terminal.plain(f"  {file.remedy}"), soft_wrap=True)
    if as_json:
        say(json_text(diagnosis.plain_data(found, open_files)))
    sys.exit(diagnosis.exit_code(found))


@click.group()
def image() -> None:
    """Make and try the images that boxes are made of."""


@image.command("build")
@click.option(
    "--box",
    "kind",
    type=click.Choice(["docker", "bubblewrap"]),
    default="docker",
    show_default=True,
    help="Whose boxes it is for.",
)
@click.option("--network", metavar="NAME", help="Docker's to fetch packages over, such as host.")
def image_build(kind: str, network: str | None) -> None:
    """Build the image; what Docker has built before is not built again.

    With --box bubblewrap, make an image of this machine's programs, of which every box gets a copy
    of its own: bots then can't talk to each other through files that all boxes see. It needs root,
    and has to be made again when programs are installed or updated.
    """
    if not backend(kind).has_images:
        if network is not None:
            raise click.UsageError("--network goes with --box docker: nothing is fetched here")
        _build_system_image()
    else:
        _build_language_image(network)


def _build_system_image() -> None:
    console = Printer()
    progress = ""
    try:
        with console.status("reading the system's files") as status:
            for progress in build_system_image():
                status.update(f"writing the image of the system: {progress}")
    except ImageNotBuilt as error:
        raise Stop(str(error), 1) from error
    console.print(f"there is an image of the system: {progress}")


def _build_language_image(network: str | None) -> None:
    console = Printer()
    said: deque[str] = deque(maxlen=20)
    try:
        with console.status("asking Docker") as status:
            for line in build_image(network):
                said.append(line)
                if line.startswith("Step"):
                    console.print(terminal.plain(line), soft_wrap=True)
                status.update(Text(terminal.plain(line)[: console.width - 4]))
    except ImageNotBuilt as error:
        raise Stop("\n".join([*said, str(error)]), 1) from error
    console.print(f"there is {language_image()}")
    if older := older_images():
        console.print(f"older ones can go: docker rmi {' '.join(older)}", soft_wrap=True)


@image.command("check")
@click.argument("languages", nargs=-1, type=click.Choice(list(LANGUAGES)), metavar="[LANGUAGE]...")
def image_check(languages: Sequence[str]) -> None:
    """Build the starter bot of every language in the image, and ask it every game's questions."""
    if not STARTERS.is_dir():
        raise Stop(f"the starter bots, which come with the source code, are not in {STARTERS}")
    questions = [asked for game in GAMES.values() for asked in question_of_each_phase(game)]
    console = Printer()
    good = True
    for name in languages or LANGUAGES:
        begun = time.monotonic()
        wrong = prove(STARTERS / name, backend("docker"), default_cache(), questions)
        word = "FAILED" if wrong else "works"
        console.print(f"{name:12} {word:7} {time.monotonic() - begun:5.1f} s")
        for line in (wrong or "").splitlines():
            console.print(f"             {terminal.plain(line)}", soft_wrap=True)
        good &= wrong is None
    if not good:
        sys.exit(1)

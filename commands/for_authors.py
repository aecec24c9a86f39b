"""Commands for the author of a bot."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import click

from commands import terminal
from commands.cli_errors import INTERRUPTED, Stop
from commands.cli_options import (
    box_option,
    game_option,
    set_up,
    table_box_option,
    wheels_option,
    with_store,
    with_store_at_hand,
    with_stored,
    with_table,
)
from commands.printer import Printer, say
from commands.progress import Counter
from common.marked_yaml import BadYaml
from leaderboard import views
from leaderboard.question_file import QuestionFile
from leaderboard.results import scorecard
from leaderboard.storage.store import NameTaken, Store
from sandbox.backends.registry import backend
from sandbox.box import BoxBroken
from sandbox.builds.builder import default_cache
from sandbox.bundles.bundle import Bundle
from sandbox.check import NOT_REACHED, Check
from sandbox.limits import LARGEST_BUNDLE
from tables.referee import replay as steps_of
from tables.registry import game as game_of
from tables.seating import SeatingPlan
from tournament.authors.admission import Prospect, prospects, told
from tournament.authors.admission import examine as examined
from tournament.authors.check_questions import check_questions
from tournament.authors.duel import Duel, play_boards
from tournament.authors.exhibition import (
    all_chairs,
    guest,
    here,
    house_rules,
    house_table,
    is_path,
    ticket,
    told_apart,
)
from tournament.authors.postmortem import chosen_game, find, put, read_file, written
from tournament.authors.submission import HOUSE, Refused, first_game, read_bot, read_known, take
from tournament.play.match import play_match
from tournament.play.worker_pool import WorkerPool
from tournament.settings import UNRATED, NoTournament, Settings, read_folder


@click.command()
@click.argument("bot", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--game",
    help="The game to examine it in, or a tournament's file, by its clock and limits; the bot's"
    " first game otherwise.",
)
@table_box_option
@wheels_option
def check(bot: Path, game: str | None, box: str | None, wheels: Path | None) -> None:
    """Try a bot out, step by step, as the arena will."""
    console = Printer()
    table = set_up(game or first_game(bot), box=box, wheels=wheels)
    questions = check_questions(game_of(table.game), table.options)
    good = True
    tried = Check(
        partial(read_known, bot),
        questions,
        backend(table.box),
        table.clock.clock(),
        table.limits.limits(),
        default_cache(),
        table.wheels,
    )
    for step in tried.steps():
        word = "passed" if step.passed else "skipped" if step.detail == NOT_REACHED else "FAILED"
        console.print(f"{step.number}  {word:7} {step.title}")
        for line in f"{step.detail}\n{'' if step.passed else step.output}".splitlines():
            if line:
                console.print(f"           {terminal.plain(line)}", soft_wrap=True)
        good &= step.passed
    if not good:
        sys.exit(1)


@click.command()
@click.argument("bots", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--author", required=True, help="Whose bots they are.")
@click.option(
    "--include-from",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    multiple=True,
    metavar="FOLDER",
    help="A folder that bots may `include`, or what lies in it; can be said more than once."
    "  [the arena's own bots/ always is one]",
)
@click.option(
    "--tag",
    "tags",
    metavar="TAG",
    multiple=True,
    help="A tag of the organiser's, as by `arena tag`; can be said more than once.",
)
@click.option(
    "--game",
    metavar="FILE",
    help="A tournament's file, by whose clock, limits and options its game is examined.",
)
@click.option("--unchecked", is_flag=True, help="Take them without asking them anything.")
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default="tournaments",
    show_default=True,
    help="Where the tournament files are, to say which of them enter the bots.",
)
@box_option
@wheels_option
@with_store
def submit(
    bots: Sequence[Path],
    author: str,
    include_from: Sequence[Path],
    tags: Sequence[str],
    game: str | None,
    unchecked: bool,
    folder: Path,
    box: str,
    wheels: Path | None,
    store: Store,
) -> None:
    """Take bots into the store: folders, or zip or tar.gz archives.

    Each is asked a few questions of every game that it plays, and refused where it can't answer;
    at the end stands which tournaments enter it, and when.
    """
    refused = []
    broken = []
    entered: dict[str, Sequence[Prospect]] = {}
    names: dict[str, Path] = {}
    allowed = (HOUSE, *include_from)
    table = house_table(game, box=box, wheels=wheels) if game else None
    wheels = table.wheels if table else wheels
    examiner = None if unchecked else partial(examined, box=box, table=table, wheels=wheels)
    tournaments, trouble = _tournaments(folder)
    for path in bots:
        try:
            name = read_bot(path, allowed).manifest.name
            if names.setdefault(name, path) != path:
                raise Refused(f"{path}: it is called {name}, as {names[name]} is")
            taken = take(
                store, path, author, box, allowed, tags=tags, examine=examiner, wheels=wheels
            )
        except Refused as error:
            refused.append(str(error))
            continue
        except NameTaken as error:
            refused.append(f"{path}: {error}")
            continue
        except BoxBroken as error:
            broken.append(f"{path}: {error}")
            continue
        news = "is in" if taken.new else "is in already, unchanged"
        if taken.waits_for:
            news += f"; it sits out until this machine has what it needs: {taken.waits_for}"
        if taken.version.withdrawn:
            news += f"; it stays withdrawn until `arena withdraw --undo {taken.version.bot}`"
        say(f"{taken.version.label} {news}")
        if taken.remarks:
            say(f"it answers, but a game would count as faults:\n{taken.remarks}")
        if not trouble:
            found = prospects(store, taken.version, tournaments, datetime.now(UTC))
            entered[taken.version.bot] = tuple(found)
    for line in told(entered, str(folder)):
        say(line)
    if trouble and len(broken) + len(refused) < len(bots):
        say(f"which tournaments enter them can't be said: {trouble}")
    if broken:
        raise BoxBroken("\n".join([*broken, *refused]))
    if refused:
        raise Refused("\n".join(refused))


def _tournaments(folder: Path) -> tuple[Sequence[Settings[Any]], str]:
    """Read the tournament files, or say why they can't be read: no bot is kept out by them."""
    try:
        return read_folder(folder), ""
    except (BadYaml, NoTournament) as error:
        return (), str(error)


@click.command()
@with_table
@click.option("--duplicate", is_flag=True, help="Play the same cards again with the seats turned.")
@click.option("--open", "open_", is_flag=True, help="Show all hands while the game goes on.")
@click.option("--questions", is_flag=True, help="Show every question, word by word.")
@with_store
def play(
    table: Settings[Any],
    bots: Sequence[str],
    duplicate: bool,
    open_: bool,
    questions: bool,
    seed: bytes | None,
    store: Store,
) -> None:
    """Play one table now and show it hand by hand; it is not kept.

    GAME is a game's name, or a tournament's file, whose options, clock, limits and box it takes.
    BOTS are folders, or names in the store such as davey or davey@3. In a game of partners two
    bots hold two chairs each, and of four the first and the third play together.
    """
    console = Printer()
    rules = house_rules(table, len(bots), duplicate=duplicate)
    guests = [guest(store, name) for name in bots]
    seed = seed or secrets.token_bytes(32)
    names = told_apart(guests, bots)
    match = ticket(guests, rules, seed)
    seating_plan = match.pairing.seating_plan
    if not rules.rated:
        console.print(UNRATED)
    watch = terminal.watcher(
        game_of(rules.game), names, seating_plan, console, reveal=open_, questions=questions
    )
    played = play_match(match, watch)
    tallies = scorecard(played.records, seating_plan.seatings, played.sides).tallies
    console.print(terminal.outcome(names, tallies))
    console.print(f"the same cards again: --seed {seed.hex()}", soft_wrap=True)


@click.command()
@with_table
@click.option("--boards", type=click.IntRange(1), default=100, show_default=True)
@with_store
def duel(
    table: Settings[Any],
    bots: Sequence[str],
    boards: int,
    seed: bytes | None,
    store: Store,
) -> None:
    """Say whether the first bot is better than the others, and how sure that is; nothing is kept.

    Each board is played with the seats turned, on all cores. GAME and BOTS are as for `play`: a
    version against the one before; where three sit, one bot against two of the other.
    """
    console = Printer()
    bots = all_chairs(table, bots)
    rules = house_rules(table, len(bots), duplicate=True)
    guests = [guest(store, name) for name in bots]
    seed = seed or secrets.token_bytes(32)
    match = ticket(guests, rules, seed)
    names = told_apart(guests, bots)
    so_far = Duel(names)
    try:
        with WorkerPool(rules.workers) as pool, Counter(console, "boards", boards) as counter:
            for played in play_boards(match, pool, boards):
                so_far.take_in(played)
                counter.count(so_far.boards)
    except KeyboardInterrupt:
        if not so_far.boards:
            raise
    console.print(terminal.duel_table(so_far.forms(), so_far.boards))
    for place, slip in sorted(so_far.slips.items()):
        console.print(terminal.slipped(names[place], slip), soft_wrap=True)
    console.print(so_far.verdict(), soft_wrap=True)
    console.print(f"the same cards again: --seed {seed.hex()}", soft_wrap=True)
    if so_far.boards < boards:
        raise Stop(f"stopped after {so_far.boards} of {boards} boards", INTERRUPTED)


@click.command()
@click.argument("key", metavar="MATCH")
@game_option
@click.option("--questions", is_flag=True, help="Show every question with the number of its turn.")
@with_stored
def replay(key: str, only: int | None, questions: bool, store: Store) -> None:
    """Show a stored match hand by hand, with its faults.

    MATCH is its address; the name of a tournament lists the last matches there.
    """
    console = Printer()
    if "/" not in key:
        season = views.standings(store, key).season.number
        console.print(terminal.matches_table(views.matches(store, key, season)))
        return
    match = views.match(store, key)
    if only is not None:
        chosen_game(match, only)
    names = [f"{seat.bot} v{seat.version}" for seat in match.seats]
    seating_plan = SeatingPlan(tuple(seat.side for seat in match.seats), match.seatings)
    for number, record in enumerate(match.records):
        if only in (None, number + 1):
            game = game_of(record.game)
            watch = terminal.watcher(
                game, names, seating_plan, console, reveal=True, questions=questions, key=key
            )
            for step in steps_of(game, record):
                watch(number, step)
    tallies = scorecard(match.records, seating_plan.seatings, seating_plan.sides).tallies
    console.print(terminal.outcome(names, tallies))


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="FILE | MATCH GAME QUESTION  [BOT]")
@click.option(
    "--save",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the question of a stored match to a file, with the end of its standard error.",
)
@click.option(
    "--lines",
    is_flag=True,
    help="Print the lines that a stdin bot is told, the question last, for a debugger of yours.",
)
@box_option
@wheels_option
@with_store_at_hand
def repro(
    words: Sequence[str],
    save: Path | None,
    lines: bool,
    box: str,
    wheels: Path | None,
    store: Callable[[], Store],
) -> None:
    """Put a question of a match to a bot of yours, and compare.

    FILE is the question as a match's page offers it, and needs no database. Where the database is,
    a question is its MATCH, GAME and QUESTION, the number of its turn, which match pages show and
    `arena replay --questions`. BOT is a folder or an archive, or a name in the store such as davey
    or davey@3. A stdin bot is told first what the seat had heard in the game until then.
    """
    named = words[3:] if len(words) > 2 else words[1:]
    if len(named) > 1 or not (named or lines or save):
        raise click.UsageError("expected FILE BOT, or MATCH GAME QUESTION BOT")
    asked = None
    if named:
        asked = here(named[0]) if is_path(named[0]) else guest(store(), named[0])
    question = _question(words, store, private=save is not None)
    if save is not None:
        try:
            save.write_text(question.model_dump_json(indent=1) + "\n")
        except OSError as error:
            raise Stop(f"{save}: can't be written: {error.strerror}") from error
        say(f"{save} has the question of turn {question.turn}: `arena repro {save} BOT`")
    if lines:
        for line in (*question.heard, question.question):
            say(line)
    if asked is None:
        return
    console = Printer()
    bundle = Bundle.from_archive(asked.bundle, LARGEST_BUNDLE)  # which has been read before
    again = put(question, bundle, box, wheels)
    console.print(f"asked: {question.question}", soft_wrap=True)
    console.print(terminal.repeated(asked.name, question, again.answer))
    if again.at:
        console.print(f"It failed before that, when asked: {again.at}", soft_wrap=True)
    if bundle.manifest.protocol == "stdin":
        console.print(terminal.heard_before(question, again.heard), soft_wrap=True)
    if question.stderr:
        console.print(f"then on standard error:\n{question.stderr.rstrip()}", soft_wrap=True)
    if again.stderr:
        console.print(f"now on standard error:\n{again.stderr.rstrip()}", soft_wrap=True)


def _question(words: Sequence[str], store: Callable[[], Store], *, private: bool) -> QuestionFile:
    """Find the question that the first words name: a file, or one of a stored match."""
    if len(words) < 3:
        return read_file(Path(words[0]))
    key, *numbers = words[:3]
    if not all(number.isdecimal() and number.isascii() for number in numbers):
        raise click.UsageError(
            f"expected MATCH GAME QUESTION, two numbers behind the match, and not {numbers[0]!r}"
            f" {numbers[1]!r}"
        )
    game, turn = (int(number[:18]) for number in numbers)
    return find(store(), key, game, turn, private=private)


@click.command()
@click.argument("key", metavar="MATCH")
@click.argument("bot")
@game_option
@with_stored
def stderr(key: str, bot: str, only: int | None, store: Store) -> None:
    """Show what a bot wrote on standard error in a stored match.

    It is for the bot's author: no page shows it. BOT is a name such as davey or davey@3.
    """
    found = list(written(store, key, bot, only))
    say("\n".join(found) or f"{bot} wrote nothing on standard error there")

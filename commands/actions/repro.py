"""`arena repro`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import click
from rich.box import SIMPLE

from commands.cli_errors import Stop
from commands.console import Printer, Rows
from commands.printer import say
from commands.tables import warn_without_walls
from common.escaping import one_line
from leaderboard.proof.reading import BadSeasonFile, SeasonFile
from leaderboard.question_file import FiledAnswer, QuestionFile
from leaderboard.storage.store import Store
from sandbox.bundles.bundle import Bundle
from sandbox.limits import LARGEST_BUNDLE, MIB
from tables.encoding import quoted
from tournament.authors.asked_again import AskedAgain, ask_again
from tournament.authors.exhibition import guest, here, is_path
from tournament.authors.postmortem import find, find_in_file, put, read_file

MOST_SHOWN = 10
"""At most this many answers that differ are shown one by one."""


def repro(
    words: Sequence[str],
    save: Path | None,
    lines: bool,
    box: str,
    wheels: Path | None,
    store: Callable[[], Store],
) -> None:
    """Find a question; save it, print its lines, or ask a bot and print both answers."""
    warn_without_walls(box)
    season = None
    if is_season(words[0]):
        season, *words = words
        if len(words) == 1 and not (save or lines):
            _whole_season(Path(season), words[0], box, wheels)
            return
        if len(words) < 3:
            raise click.UsageError("expected SEASON.zip BOT, or SEASON.zip MATCH GAME QUESTION BOT")
    named = words[3:] if len(words) > 2 else words[1:]
    if len(named) > 1 or not (named or lines or save):
        raise click.UsageError(
            "expected FILE BOT, SEASON.zip BOT, or [SEASON.zip] MATCH GAME QUESTION BOT"
        )
    asked = None
    if named:
        asked = here(named[0]) if is_path(named[0]) else guest(store(), named[0])
    if season is not None:
        question = find_in_file(Path(season), *_place(words))
    else:
        question = _question(words, store, private=save is not None)
    if save is not None:
        try:
            save.write_text(question.model_dump_json(indent=1) + "\n")
        except OSError as error:
            raise Stop(f"{save} can't be written: {error.strerror}") from error
        say(f"saved the question of turn {question.turn}: `arena repro {save} BOT` asks it again")
    if lines:
        for line in (*question.heard, question.question):
            say(line)
    if asked is None:
        return
    console = Printer()
    bundle = Bundle.from_archive(asked.bundle, LARGEST_BUNDLE)  # read before, so it is sound
    again = put(question, bundle, box, wheels)
    console.print(f"asked: {question.question}", soft_wrap=True)
    console.print(repeated(asked.name, question, again.answer))
    if again.at:
        console.print(f"It failed earlier, at the question: {again.at}", soft_wrap=True)
    if bundle.manifest.protocol == "stdin":
        console.print(heard_before(question, again.heard), soft_wrap=True)
    if question.stderr:
        console.print(f"standard error then:\n{question.stderr.rstrip()}", soft_wrap=True)
    if again.stderr:
        console.print(f"standard error now:\n{again.stderr.rstrip()}", soft_wrap=True)


def is_season(word: str) -> bool:
    """Whether a word names a season's file: a bot's archive may be a zip as well."""
    path = Path(word)
    if path.suffix != ".zip" or not path.is_file():
        return False
    try:
        SeasonFile(path)
    except BadSeasonFile:
        return False
    return True


def _whole_season(path: Path, bot: str, box: str, wheels: Path | None) -> None:
    """Ask a bot everything again that it was asked in a season, and print what differs."""
    bundle = Bundle.from_archive(here(bot).bundle, LARGEST_BUNDLE)
    for line in again_in_words(ask_again(path, bundle, box, wheels)):
        say(line)


def again_in_words(outcome: AskedAgain) -> list[str]:
    """Say what a bot was asked again, and what it answers otherwise now."""
    files = "the files that played" if outcome.same_files else "other files than those that played"
    others = len(outcome.others)
    answers = "all answers are the same" if not others else f"{others} answers are others"
    if others == 1:
        answers = "1 answer is another"
    lines = [
        f"{outcome.listed.label}, {files}: asked {outcome.questions} questions of"
        f" {outcome.games} games again; {answers}",
        *(
            f"  {other.key} {other.number} {other.turn}: then {_shown(other.then)},"
            f" now {_shown(other.now)}"
            for other in outcome.others[:MOST_SHOWN]
        ),
    ]
    if others > MOST_SHOWN:
        lines.append(f"  and {others - MOST_SHOWN} more")
    return [one_line(line) for line in lines]


def _shown(answer: str | None) -> str:
    return "nothing" if answer is None else quoted(answer)


def _question(words: Sequence[str], store: Callable[[], Store], *, private: bool) -> QuestionFile:
    """Find the question that the first words name: in a file, or in a stored match."""
    if len(words) < 3:
        return read_file(Path(words[0]))
    return find(store(), *_place(words), private=private)


def _place(words: Sequence[str]) -> tuple[str, int, int]:
    """Read the match, game and turn that the first words name."""
    key, *numbers = words[:3]
    if not all(number.isdecimal() and number.isascii() for number in numbers):
        raise click.UsageError(
            f"expected MATCH GAME QUESTION, with two numbers after the match, not {numbers[0]!r}"
            f" {numbers[1]!r}"
        )
    game, turn = (int(number[:18]) for number in numbers)
    return key, game, turn


def repeated(name: str, question: QuestionFile, again: FiledAnswer) -> Rows:
    """Draw the bot's original answer and its new one side by side."""
    table = Rows(box=SIMPLE, pad_edge=False)
    for heading in ("", f"then: {question.bot}", f"now: {name}"):
        table.add_column(heading, overflow="fold")
    answers = (question.then, again)
    table.add_row("answer", *(quoted(one.line or "") or "(nothing)" for one in answers))
    table.add_row("verdict", *(_verdict(one) for one in answers))
    table.add_row("took", *(f"{one.wall / 1000:.2f} ms" for one in answers))
    table.add_row("CPU time", *(f"{one.cpu / 1000:.2f} ms" for one in answers))
    table.add_row(
        "memory", *(f"{one.peak / MIB:.1f} MiB" if one.peak else "not measured" for one in answers)
    )
    return table


def _verdict(answer: FiledAnswer) -> str:
    fault = answer.fault
    return "ok" if fault is None else f"{fault.kind}: {fault.detail}"


def heard_before(question: QuestionFile, heard: int) -> str:
    """Say what a process had heard before it was asked again."""
    if not heard:
        return "It was asked in a fresh process, as in the match, with nothing sent before."
    lines = "one line" if heard == 1 else f"{heard} lines"
    before = f", the last of {heard + question.left_out}" if question.left_out else ""
    return f"Its process was first sent what the seat had heard so far, {lines}{before}."

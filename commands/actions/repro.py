"""`arena repro`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import click
from rich.table import Column

from card_arena.commands.cli_errors import Stop
from card_arena.commands.console import Printer, Rows, right
from card_arena.commands.playing import warn_without_walls
from card_arena.commands.printer import say, say_shape
from card_arena.common.text import one_line, quoted
from card_arena.leaderboard.match_file import is_match_file
from card_arena.leaderboard.models import Shape, Text, VersionName
from card_arena.leaderboard.question_file import FiledAnswer, QuestionFile
from card_arena.results.proof.season_file import BadSeasonFile, SeasonFile
from card_arena.results.store import Store
from card_arena.sandbox.limits import MIB
from card_arena.tables.fault_texts import text_of
from card_arena.tournament.exhibition import guest, guest_at, is_path
from card_arena.verify.repro import (
    Again,
    AskedAgain,
    ask_again,
    by_answer,
    find,
    find_in_file,
    find_in_match_file,
    put,
    read_file,
    same_answer,
)

MOST_SHOWN = 10
"""At most this many answers that differ are shown one by one."""


class AnswerFault(Shape):
    """Why an answer is a fault."""

    kind: str
    """The kind of fault."""
    detail: Text
    """What happened, in a sentence."""


class AnswerShape(Shape):
    """An answer to a question."""

    line: Text | None
    """The line; null if none came."""
    fault: AnswerFault | None
    """Why it is a fault; null if it is none."""
    wall: int
    """How long it took, in microseconds."""
    cpu: int
    """The processor's time for it, in microseconds."""
    peak: int
    """The most memory that its sandbox was seen to use, in bytes."""


class Repeated(Shape):
    """A question of a match that was put to a bot again, once or several times."""

    match: Text
    """The match's address."""
    game: int
    """The number of the game, from 1."""
    turn: int
    """The number of the turn, from 0."""
    question: Text
    """The question."""
    bot: Text
    """The bot that was asked now."""
    then: AnswerShape
    """The answer in the match."""
    now: tuple[AnswerShape, ...]
    """The answers now, one for each time that it was asked."""
    heard: int
    """How many lines of the game it was sent before."""
    at: Text
    """The earlier question at which it failed already; empty if it reached this one."""
    stderr: Text
    """What it wrote on standard error the first time."""


class OtherAnswerShape(Shape):
    """A question of a season that a bot answers otherwise now."""

    match: Text
    """The match's address."""
    game: int
    """The number of the game, from 1."""
    turn: int
    """The number of the turn, from 0."""
    then: Text | None
    """The answer in the match; null if none came."""
    now: Text | None
    """The answer now."""


class RepeatedSeason(VersionName):
    """All questions of a season that were put to a bot again."""

    same_files: bool
    """Whether its files are those that played."""
    questions: int
    """How many questions it was asked."""
    games: int
    """Of how many games they are."""
    others: tuple[OtherAnswerShape, ...]
    """Those that it answers otherwise now."""


def repro(  # noqa: C901
    words: Sequence[str],
    save: Path | None,
    lines: bool,
    times: int,
    as_json: bool,
    sandbox: str,
    wheels: Path | None,
    store: Callable[[], Store],
) -> None:
    """Find a question; save it, print its lines, or ask a bot, once or often, and compare."""
    warn_without_walls(sandbox)
    season = None
    if is_season(words[0]):
        season, *words = words
        if len(words) == 1 and times > 1:
            raise click.UsageError("--times asks one question: expected MATCH GAME QUESTION BOT")
        if len(words) == 1 and not (save or lines):
            _whole_season(Path(season), words[0], sandbox, wheels, as_json=as_json)
            return
        if len(words) < 3:
            raise click.UsageError("expected SEASON.zip BOT, or SEASON.zip MATCH GAME QUESTION BOT")
    named = words[3:] if len(words) > 2 else words[1:]
    if len(named) > 1 or not (named or lines or save):
        raise click.UsageError(
            "expected FILE BOT, SEASON.zip BOT, or [SEASON.zip] MATCH GAME QUESTION BOT"
        )
    if times > 1 and not named:
        raise click.UsageError("--times needs a BOT to ask")
    bot = None
    if named:
        bot = guest_at(named[0]) if is_path(named[0]) else guest(store(), named[0])
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
    if bot is None:
        if as_json:
            raise click.UsageError("--json needs a BOT to ask")
        return
    console = Printer()
    runs = [put(question, bot.bundle, sandbox, wheels) for _ in range(times)]
    again = runs[0]
    if as_json:
        say_shape(_repeated_shape(bot.name, question, runs))
        return
    console.print(f"asked: {question.question}", soft_wrap=True)
    if times > 1:
        console.print(counted(question, runs))
        console.print(sameness(bot.name, runs), soft_wrap=True)
    else:
        console.print(repeated(bot.name, question, again.answer))
    if again.at:
        console.print(f"It failed earlier, at the question: {again.at}", soft_wrap=True)
    if bot.bundle.manifest.protocol == "stdin":
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


def _whole_season(
    path: Path, bot: str, sandbox: str, wheels: Path | None, *, as_json: bool
) -> None:
    """Ask a bot all its questions of a season again, and print the answers that differ."""
    bundle = guest_at(bot).bundle
    outcome = ask_again(path, bundle, sandbox, wheels)
    if as_json:
        say_shape(_season_shape(outcome))
        return
    for line in again_in_words(outcome):
        say(line)


def _season_shape(outcome: AskedAgain) -> RepeatedSeason:
    return RepeatedSeason(
        bot=outcome.listed.bot,
        version=outcome.listed.number,
        same_files=outcome.same_files,
        questions=outcome.questions,
        games=outcome.games,
        others=tuple(
            OtherAnswerShape(
                match=other.key, game=other.number, turn=other.turn, then=other.then, now=other.now
            )
            for other in outcome.others
        ),
    )


def _repeated_shape(name: str, question: QuestionFile, runs: Sequence[Again]) -> Repeated:
    return Repeated(
        match=question.match,
        game=question.game_number,
        turn=question.turn,
        question=question.question,
        bot=name,
        then=AnswerShape.model_validate(question.then),
        now=tuple(AnswerShape.model_validate(run.answer) for run in runs),
        heard=runs[0].heard,
        at=runs[0].at,
        stderr=runs[0].stderr,
    )


def again_in_words(outcome: AskedAgain) -> list[str]:
    """Describe the questions that a bot was asked again, and the answers that differ."""
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
    if is_match_file(words[0]):
        _, number, turn = _place(words)
        return find_in_match_file(Path(words[0]), number, turn)
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
    headings = ("", f"then: {question.bot}", f"now: {name}")
    table = Rows(*(Column(heading, overflow="fold") for heading in headings), pad_edge=False)
    answers = (question.then, again)
    table.add_row("answer", *(quoted(one.line or "") or "(nothing)" for one in answers))
    table.add_row("verdict", *(_verdict(one) for one in answers))
    table.add_row("took", *(f"{one.wall / 1000:.2f} ms" for one in answers))
    table.add_row("CPU time", *(f"{one.cpu / 1000:.2f} ms" for one in answers))
    table.add_row(
        "memory", *(f"{one.peak / MIB:.1f} MiB" if one.peak else "not measured" for one in answers)
    )
    return table


def counted(question: QuestionFile, runs: Sequence[Again]) -> Rows:
    """Draw how often each answer came, the most frequent first; `*` marks the one of the match."""
    answer_column, verdict = (Column(name, overflow="fold") for name in ("answer", "verdict"))
    table = Rows(answer_column, right("times"), verdict, pad_edge=False)
    answers = by_answer(runs)
    for answer, times in answers:
        mark = " *" if same_answer(answer, question.then) else ""
        table.add_row(
            f"{quoted(answer.line or '') or '(nothing)'}{mark}", str(times), _verdict(answer)
        )
    if not any(same_answer(answer, question.then) for answer, _ in answers):
        then = quoted(question.then.line or "") or "(nothing)"
        table.add_row(f"{then} *", "0", f"{_verdict(question.then)} (in the match)")
    return table


def sameness(name: str, runs: Sequence[Again]) -> str:
    """Say whether a bot gives the same answer to one question, and the meaning if it doesn't."""
    answers = len(by_answer(runs))
    if answers == 1:
        return f"{name} gave the same answer {len(runs)} times."
    return (
        f"{name} gave {answers} different answers to one question in {len(runs)} fresh sandboxes:"
        " it is random, depends on the clock, or reads more in its sandbox than the question."
    )


def _verdict(answer: FiledAnswer) -> str:
    fault = answer.fault
    if fault is None:
        return "ok"
    return f"{fault.kind}: {text_of(fault.code, fault.facts, answer.line)}"


def heard_before(question: QuestionFile, heard: int) -> str:
    """Describe the lines that a process was sent before its question."""
    if not heard:
        return "It was asked in a fresh process, as in the match, with nothing sent before."
    lines = "one line" if heard == 1 else f"{heard} lines"
    before = f", the last of {heard + question.left_out}" if question.left_out else ""
    return f"Its process was first sent what the seat had heard so far, {lines}{before}."

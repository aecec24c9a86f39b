"""`arena compare`."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from click import UsageError
from click.exceptions import Exit

from card_arena.commands.cli_errors import INTERRUPTED, Stop
from card_arena.commands.console import Printer, Rows, right
from card_arena.commands.match_view import fault_count
from card_arena.commands.playing import set_up
from card_arena.commands.printer import say_shape
from card_arena.commands.progress import Counter, Narrowing
from card_arena.common.errors import ArenaFailure
from card_arena.common.text import one_line
from card_arena.leaderboard.models import Figure, Shape, Text
from card_arena.ratings.intervals import Estimate
from card_arena.ratings.sequential import TESTS, SequentialTest
from card_arena.results.store import Store
from card_arena.tournament.comparison import (
    Comparison,
    ComparisonFile,
    Duel,
    FirstFault,
    Form,
    caution,
    open_comparison,
    play_boards,
    points,
    question,
)
from card_arena.tournament.exhibition import (
    Guest,
    all_entrants,
    guest,
    house_rules,
    own_entrants,
    ticket,
    told_apart,
)
from card_arena.tournament.play.pool import WorkerPool
from card_arena.tournament.settings import FILES, Settings

CODES = {"above": 0, "below": 1, "undecided": 3}
"""The exit code of a verdict."""

CAP = 4000
"""The number of boards to play at most, by default."""

FAILED = 4
"""The exit code where the arena failed, since 1 is a verdict here."""


class FirstFaultModel(Shape):
    """A bot's first fault."""

    board: int
    """The board on which it happened."""
    kind: str
    """The kind of fault."""
    struck: bool
    """Whether it counts; false if it is forgiven."""
    detail: Text
    """What happened, in a sentence."""
    question: Text
    """What the bot was asked."""
    answer: Text
    """What it answered."""
    stderr: Text
    """The end of what it wrote on standard error in that game."""


class DuelBot(Shape):
    """A bot in a duel."""

    name: Text
    """Its name."""
    boards_won: Figure
    """Its share of the boards; a tie is shared."""
    margin: Figure
    """How many points a game it is ahead, with the interval for a number fixed beforehand."""
    always: tuple[float, float] | None
    """The interval of the margin that holds at any time; null with too few boards."""
    less_luck: Figure | None
    """The margin without the luck with the cards; null where the game counts none."""
    faults: int
    """How many of its answers were faults."""
    forgiven: int
    """How many of these the tournament forgives: they count for nothing."""
    slowest: int
    """Its longest answer, in microseconds."""
    first_fault: FirstFaultModel | None
    """Its first fault; null if it had none."""


class DuelShape(Shape):
    """Whether one bot is better than others."""

    boards: int
    """How many boards were played."""
    planned: int
    """How many were to be played; the intervals need all of them."""
    verdict: Text
    """What the boards show, in a sentence."""
    seed: str
    """What deals the same cards again, in hexadecimal."""
    bots: tuple[DuelBot, ...]
    """The bots, the first one first."""


class ComparedBot(Shape):
    """A bot in a comparison."""

    name: Text
    """Its name."""
    boards_won: float
    """Its share of the boards; a tie is shared."""
    margin: float
    """How many points a game it is ahead."""
    faults: int
    """How many of its answers were faults."""
    forgiven: int
    """How many of these the tournament forgives: they count for nothing."""
    slowest_us: int
    """Its longest answer, in microseconds."""
    first_fault: FirstFaultModel | None
    """Its first fault; null if it had none."""


class SequentialShape(Shape):
    """A sequential test; effects are mean margins in standard deviations of a board."""

    low: float
    """The lower effect."""
    high: float
    """The higher effect."""
    begin: int
    """After how many boards it begins to judge."""
    cap: int
    """After how many boards it gives up."""


class ComparisonShape(Shape):
    """Whether a bot is better than another, as far as has been played."""

    verdict: str | None
    """What was found; null while the test can't tell."""
    exit_code: int
    """The exit code that says the same."""
    new: Text
    """The bot that is tested."""
    old: Text
    """The bot that it is tested against."""
    entrants: int
    """How many bots sit down."""
    test: SequentialShape
    """The test."""
    boards: int
    """How many boards were judged."""
    margin: float
    """How many points a game the new bot is ahead."""
    deviation: float
    """The standard deviation of a board's margin."""
    interval: tuple[float, float] | None
    """The interval of the margin that holds at any time; null with too few boards."""
    evidence: float
    """How much the boards speak for the higher effect."""
    bound: float
    """At how much evidence the test ends."""
    bots: tuple[ComparedBot, ...]
    """The bots, entrant by entrant."""
    seed: str
    """What the cards are dealt from, in hexadecimal."""
    file: Text
    """Where the boards are kept."""


def compare(
    game: str,
    bots: Sequence[str],
    options: Sequence[str],
    preset: str | None,
    boards: int | None,
    seats: int | None,
    test: str | None,
    gain: tuple[float, float] | None,
    cap: int | None,
    as_json: bool,
    seed: bytes | None,
    sandbox: str | None,
    wheels: Path | None,
    into: Path,
    store: Store,
) -> None:
    """Play until the test has a verdict, show it, and end with the verdict's exit code.

    After an interruption or a kill, the same command resumes it. A finished comparison is shown
    again, and nothing is played.
    """
    if boards is not None:
        if any(value is not None for value in (seats, test, gain, cap)):
            raise UsageError("--boards can't be combined with --cap, --gain, --seats or --test")
        _play_boards(game, bots, options, preset, seed, sandbox, wheels, boards, as_json, store)
        return
    if len(bots) != 2:
        raise UsageError(f"expected NEW and OLD, or --boards N for any number; got {len(bots)}")
    new, old = bots
    chosen = _test(test, gain, cap or CAP)
    table = set_up(game, options, preset=preset, sandbox=sandbox, wheels=wheels, duel=True)
    if seats is None and Path(game).suffix in FILES:
        seats = own_entrants(table)
    entrants = all_entrants(table, [new, old]) if seats is None else (new, *[old] * (seats - 1))
    rules = house_rules(table, len(entrants), duel=True)
    by_name = {name: guest(store, name) for name in (new, old)}
    guests = [by_name[name] for name in entrants]
    comparison = Comparison(
        told_apart(guests, entrants), chosen, "gain" if gain else test or next(iter(TESTS))
    )
    console = Printer()
    try:
        with open_comparison(into, question(rules, guests, chosen), seed) as file:
            try:
                _play(console, comparison, file, rules, guests, quiet=as_json)
            except KeyboardInterrupt:
                _show(console, comparison, file, entrants, as_json=as_json)
                raise Stop(
                    "interrupted; the same command resumes with the same boards", INTERRUPTED
                ) from None
    except ArenaFailure as error:
        raise Stop(str(error), FAILED) from error
    _show(console, comparison, file, entrants, as_json=as_json)
    raise Exit(CODES[comparison.verdict or "undecided"])


def _test(name: str | None, gain: tuple[float, float] | None, cap: int) -> SequentialTest:
    if gain is None:
        return replace(TESTS[name or next(iter(TESTS))], cap=cap)
    if name is not None:
        raise Stop("--test and --gain can't be combined: give one of them")
    try:
        return SequentialTest(*gain, cap=cap)
    except ValueError as error:
        raise Stop(f"--gain: {error}: expected two numbers such as 0 0.1") from error


def _play(
    console: Printer,
    comparison: Comparison,
    file: ComparisonFile,
    rules: Settings[Any],
    guests: Sequence[Guest],
    *,
    quiet: bool,
) -> None:
    """Judge the boards that were kept, then play new ones until there is a verdict."""
    for board in file.boards:
        if comparison.verdict is None:
            comparison.add(board)
    done = comparison.margins.boards
    if comparison.verdict is not None:
        if not quiet:
            console.print("played before, nothing is played now", soft_wrap=True)
        return
    if done and not quiet:
        console.print(f"resumes after {done} boards", soft_wrap=True)
    match = ticket(guests, rules, file.seed)
    with ExitStack() as stack:
        pool = stack.enter_context(WorkerPool(rules.workers))
        bar = None if quiet else stack.enter_context(Narrowing(console))
        for board in play_boards(match, pool, comparison.test.cap, begin=done + 1):
            comparison.add(board)
            file.keep(board)
            if bar is not None:
                seen = comparison.margins
                bar.show(seen.boards, comparison.test.to_come(seen), comparison.estimate())
            if comparison.verdict is not None:
                return


def _show(
    console: Printer,
    comparison: Comparison,
    file: ComparisonFile,
    bots: Sequence[str],
    *,
    as_json: bool,
) -> None:
    if as_json:
        say_shape(_plain(comparison, file, bots))
        return
    if not comparison.margins.boards:
        return
    forms = comparison.shown.forms()
    console.print(duel_table(forms, comparison.margins.boards, planned=False))
    for entrant, first_fault in sorted(comparison.shown.first_faults.items()):
        console.print(first_fault_text(forms[entrant].name, first_fault), soft_wrap=True)
    console.print(comparison.sentence(), soft_wrap=True)
    if unseen := caution(comparison.margins):
        console.print(unseen, soft_wrap=True)
    console.print(f"kept in {file.path}; its seed is --seed {file.seed.hex()}", soft_wrap=True)


def _plain(comparison: Comparison, file: ComparisonFile, bots: Sequence[str]) -> ComparisonShape:
    """Everything that is shown, for programs."""
    test, margins = comparison.test, comparison.margins
    between = comparison.interval
    forms = comparison.shown.forms() if margins.boards else ()
    first_faults = comparison.shown.first_faults
    return ComparisonShape(
        verdict=comparison.outcome,
        exit_code=CODES[comparison.verdict] if comparison.verdict else INTERRUPTED,
        new=bots[0],
        old=bots[1],
        entrants=len(bots),
        test=SequentialShape.model_validate(test),
        boards=margins.boards,
        margin=margins.mean,
        deviation=margins.deviation,
        interval=between,
        evidence=test.evidence(margins),
        bound=test.bound(),
        bots=tuple(
            ComparedBot(
                name=form.name,
                boards_won=form.won.value,
                margin=form.margin.value,
                faults=form.faults,
                forgiven=form.forgiven,
                slowest_us=form.slowest,
                first_fault=FirstFaultModel.model_validate(first_faults[entrant])
                if entrant in first_faults
                else None,
            )
            for entrant, form in enumerate(forms)
        ),
        seed=file.seed.hex(),
        file=str(file.path),
    )


# A number of boards that is fixed before anybody looks.


def _play_boards(
    game: str,
    bots: Sequence[str],
    options: Sequence[str],
    preset: str | None,
    seed: bytes | None,
    sandbox: str | None,
    wheels: Path | None,
    boards: int,
    as_json: bool,
    store: Store,
) -> None:
    """Play the boards, then print each bot's performance and first fault, and the verdict.

    Interrupted, it prints what the boards played so far show, and ends with exit code 130.
    """
    console = Printer()
    console.quiet = as_json  # no progress
    table = set_up(game, options, preset=preset, sandbox=sandbox, wheels=wheels, duel=True)
    bots = all_entrants(table, bots)
    rules = house_rules(table, len(bots), duel=True)
    guests = [guest(store, name) for name in bots]
    seed = seed or secrets.token_bytes(32)
    match = ticket(guests, rules, seed)
    names = told_apart(guests, bots)
    duel = Duel(names, boards)
    try:
        with WorkerPool(rules.workers) as pool, Counter(console, "boards", boards) as counter:
            for board in play_boards(match, pool, boards):
                duel.add(board)
                counter.count(duel.boards)
    except KeyboardInterrupt:
        if not duel.boards:
            raise
    finished = duel.boards == boards
    if as_json:
        say_shape(duel_shape(duel, boards, seed))
    console.print(duel_table(duel.forms(), duel.boards, planned=finished))
    for place, first_fault in sorted(duel.first_faults.items()):
        console.print(first_fault_text(names[place], first_fault), soft_wrap=True)
    console.print(duel.verdict(), soft_wrap=True)
    for more in (duel.at_any_time(), caution(duel.margins), duel.power()):
        if more:
            console.print(more, soft_wrap=True)
    console.print(f"the same cards again: --seed {seed.hex()}", soft_wrap=True)
    if not finished:
        raise Stop(f"interrupted after {duel.boards} of {boards} boards", INTERRUPTED)


def duel_shape(duel: Duel, planned: int, seed: bytes) -> DuelShape:
    first_faults = duel.first_faults
    bots = tuple(
        DuelBot(
            name=form.name,
            boards_won=Figure.model_validate(form.won),
            margin=Figure.model_validate(form.margin),
            always=form.always,
            less_luck=Figure.model_validate(form.less_luck) if form.less_luck else None,
            faults=form.faults,
            forgiven=form.forgiven,
            slowest=form.slowest,
            first_fault=FirstFaultModel.model_validate(first_faults[entrant])
            if entrant in first_faults
            else None,
        )
        for entrant, form in enumerate(duel.forms())
    )
    return DuelShape(
        boards=duel.boards,
        planned=planned,
        verdict=duel.verdict(),
        seed=seed.hex(),
        bots=bots,
    )


def duel_table(forms: Sequence[Form], boards: int, *, planned: bool) -> Rows:
    """Draw how bots do after a number of boards, with 95 % intervals.

    The intervals are those for a number of boards that was fixed beforehand where that number was
    played: `planned`. Otherwise margins have the interval that holds at any time. Where the game
    counts luck, the margins stand there once more without it.
    """
    lucky = any(form.less_luck for form in forms)
    held = "" if planned else "; the intervals of margins hold at any time"
    caption = f"after {boards} board{'' if boards == 1 else 's'}, with 95 % intervals{held}"
    if lucky:
        caption += "\nless luck: the margin without the luck with the cards"
    less_luck = ["less luck"] if lucky else []
    headings = ("boards won", "margin per game", *less_luck, "faults", "slowest answer")
    table = Rows("bot", *map(right, headings), caption=caption)
    for form in forms:
        won = "{:.1%}".format
        low, high = form.always or (None, None)
        at_any_time = replace(form.margin, low=low, high=high)
        table.add_row(
            form.name,
            _estimate(form.won, won) if planned else won(form.won.value),
            _estimate(form.margin if planned else at_any_time, points),
            *([_reach(form.less_luck, planned=planned)] if form.less_luck else []),
            fault_count(form.faults, form.forgiven),
            f"{form.slowest / 1000:.1f} ms",
        )
    return table


def first_fault_text(name: str, first_fault: FirstFault) -> str:
    """Describe a bot's first fault: the question, the answer and its standard error."""
    forgiven = "" if first_fault.struck else ", forgiven"
    lines = [
        f"{name}'s first fault, on board {first_fault.board}: "
        f"{first_fault.kind}{forgiven}: {first_fault.detail}",
        f"  asked:    {first_fault.question}",
        f"  answered: {first_fault.answer or '(nothing)'}",
    ]
    if first_fault.stderr:
        lines += ["  standard error of that game:", *first_fault.stderr.rstrip().split("\n")]
    return "\n".join(map(one_line, lines)) + "\n"


def _reach(figure: Estimate, *, planned: bool) -> str:
    """A margin and, after a planned number of boards, how far it may be off."""
    shown = points(figure.value)
    if figure.low is None or not planned:
        return shown
    return f"{shown} ±{points(figure.value - figure.low).lstrip('+')}"


def _estimate(figure: Estimate, written: Callable[[float], str]) -> str:
    if figure.low is None or figure.high is None:
        return written(figure.value)
    return f"{written(figure.value)} ({written(figure.low)} to {written(figure.high)})"

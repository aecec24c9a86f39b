"""`arena duel`."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from rich.box import SIMPLE

from commands.cli_errors import INTERRUPTED, Stop
from commands.console import Printer, Rows
from commands.match_view import fault_count
from commands.printer import say_shape
from commands.progress import Counter
from commands.shapes.of_comparing import DuelBot, DuelShape, SlipShape
from commands.tables import set_up
from common.text import one_line
from leaderboard.shapes.base import Figure
from ratings.intervals import Estimate
from results.store import Store
from tournament.comparison import Duel, Form, Slip, play_boards, points
from tournament.exhibition import all_chairs, guest, house_rules, ticket, told_apart
from tournament.play.pool import WorkerPool


def duel(
    game: str,
    bots: Sequence[str],
    options: Sequence[str],
    preset: str | None,
    seed: bytes | None,
    box: str | None,
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
    table = set_up(game, options, preset=preset, box=box, wheels=wheels, duel=True)
    bots = all_chairs(table, bots)
    rules = house_rules(table, len(bots), duel=True)
    guests = [guest(store, name) for name in bots]
    seed = seed or secrets.token_bytes(32)
    match = ticket(guests, rules, seed)
    names = told_apart(guests, bots)
    so_far = Duel(names, boards)
    try:
        with WorkerPool(rules.workers) as pool, Counter(console, "boards", boards) as counter:
            for board in play_boards(match, pool, boards):
                so_far.take_in(board)
                counter.count(so_far.boards)
    except KeyboardInterrupt:
        if not so_far.boards:
            raise
    finished = so_far.boards == boards
    if as_json:
        say_shape(duel_shape(so_far, boards, seed))
    console.print(duel_table(so_far.forms(), so_far.boards, planned=finished))
    for place, slip in sorted(so_far.slips.items()):
        console.print(slipped(names[place], slip), soft_wrap=True)
    console.print(so_far.verdict(), soft_wrap=True)
    for more in (so_far.at_any_time(), so_far.caution(), so_far.power()):
        if more:
            console.print(more, soft_wrap=True)
    console.print(f"the same cards again: --seed {seed.hex()}", soft_wrap=True)
    if not finished:
        raise Stop(f"interrupted after {so_far.boards} of {boards} boards", INTERRUPTED)


def duel_shape(so_far: Duel, planned: int, seed: bytes) -> DuelShape:
    slips = so_far.slips
    bots = tuple(
        DuelBot(
            name=form.name,
            boards_won=Figure.model_validate(form.won),
            lead=Figure.model_validate(form.lead),
            always=form.always,
            less_luck=Figure.model_validate(form.less_luck) if form.less_luck else None,
            faults=form.faults,
            forgiven=form.forgiven,
            slowest=form.slowest,
            first_fault=SlipShape.model_validate(slips[chair]) if chair in slips else None,
        )
        for chair, form in enumerate(so_far.forms())
    )
    return DuelShape(
        boards=so_far.boards,
        planned=planned,
        verdict=so_far.verdict(),
        seed=seed.hex(),
        bots=bots,
    )


def duel_table(forms: Sequence[Form], boards: int, *, planned: bool) -> Rows:
    """Draw how bots do after a number of boards, with 95 % intervals.

    The intervals are those for a number of boards that was fixed beforehand where that number was
    played: `planned`. Otherwise leads have the interval that holds at any time. Where the game
    counts luck, the leads stand there once more without it.
    """
    lucky = any(form.less_luck for form in forms)
    held = "" if planned else "; the intervals of leads hold at any time"
    caption = f"after {boards} board{'' if boards == 1 else 's'}, with 95 % intervals{held}"
    if lucky:
        caption += "\nless luck: the lead without the luck with the cards"
    table = Rows(box=SIMPLE, caption=caption)
    table.add_column("bot")
    less_luck = ["less luck"] if lucky else []
    for heading in ("boards won", "lead per game", *less_luck, "faults", "slowest answer"):
        table.add_column(heading, justify="right")
    for form in forms:
        won = "{:.1%}".format
        low, high = form.always or (None, None)
        at_any_time = replace(form.lead, low=low, high=high)
        table.add_row(
            form.name,
            _estimate(form.won, won) if planned else won(form.won.value),
            _estimate(form.lead if planned else at_any_time, points),
            *([_reach(form.less_luck, planned=planned)] if form.less_luck else []),
            fault_count(form),
            f"{form.slowest / 1000:.1f} ms",
        )
    return table


def slipped(name: str, slip: Slip) -> str:
    """Describe a bot's first fault: the question, the answer and its standard error."""
    forgiven = "" if slip.struck else ", forgiven"
    lines = [
        f"{name}'s first fault, on board {slip.board}: {slip.kind}{forgiven}: {slip.detail}",
        f"  asked:    {slip.question}",
        f"  answered: {slip.answer or '(nothing)'}",
    ]
    if slip.stderr:
        lines += ["  standard error of that game:", *slip.stderr.rstrip().split("\n")]
    return "\n".join(map(one_line, lines)) + "\n"


def _reach(figure: Estimate, *, planned: bool) -> str:
    """A lead and, after a planned number of boards, how far it may be off."""
    shown = points(figure.value)
    if figure.low is None or not planned:
        return shown
    return f"{shown} ±{points(figure.value - figure.low).lstrip('+')}"


def _estimate(figure: Estimate, written: Callable[[float], str]) -> str:
    if figure.low is None or figure.high is None:
        return written(figure.value)
    return f"{written(figure.value)} ({written(figure.low)} to {written(figure.high)})"

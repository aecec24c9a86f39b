"""`arena duel`."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.box import SIMPLE

from commands.cli_errors import INTERRUPTED, Stop
from commands.console import Printer, Rows
from commands.progress import Counter
from commands.tables import set_up
from common.escaping import one_line
from leaderboard.statistics.intervals import Estimate
from leaderboard.storage.store import Store
from tournament.authors.duel import Duel, Form, Slip, play_boards, points
from tournament.authors.exhibition import all_chairs, guest, house_rules, ticket, told_apart
from tournament.play.worker_pool import WorkerPool


def duel(
    game: str,
    bots: Sequence[str],
    options: Sequence[str],
    preset: str | None,
    seed: bytes | None,
    box: str | None,
    wheels: Path | None,
    boards: int,
    store: Store,
) -> None:
    """Play the boards, then print each bot's performance and first fault, and the verdict.

    Interrupted, it prints what the boards played so far show, and ends with exit code 130.
    """
    console = Printer()
    table = set_up(game, options, preset=preset, box=box, wheels=wheels, duel=True)
    bots = all_chairs(table, bots)
    rules = house_rules(table, len(bots), duel=True)
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
    console.print(duel_table(so_far.forms(), so_far.boards))
    for place, slip in sorted(so_far.slips.items()):
        console.print(slipped(names[place], slip), soft_wrap=True)
    console.print(so_far.verdict(), soft_wrap=True)
    console.print(f"the same cards again: --seed {seed.hex()}", soft_wrap=True)
    if so_far.boards < boards:
        raise Stop(f"interrupted after {so_far.boards} of {boards} boards", INTERRUPTED)


def duel_table(forms: Sequence[Form], boards: int) -> Rows:
    """Draw how the bots of a duel do after a number of boards, with 95 % intervals.

    Where the game counts luck, the leads stand there once more without it.
    """
    lucky = any(form.less_luck for form in forms)
    caption = f"after {boards} boards, with 95 % intervals"
    if lucky:
        caption += "\nless luck: the lead without the luck with the cards"
    table = Rows(box=SIMPLE, caption=caption)
    table.add_column("bot")
    less_luck = ["less luck"] if lucky else []
    for heading in ("boards won", "lead per game", *less_luck, "faults", "slowest answer"):
        table.add_column(heading, justify="right")
    for form in forms:
        table.add_row(
            form.name,
            _estimate(form.won, "{:.1%}".format),
            _estimate(form.lead, points),
            *([_reach(form.less_luck)] if form.less_luck else []),
            str(form.faults),
            f"{form.slowest / 1000:.1f} ms",
        )
    return table


def slipped(name: str, slip: Slip) -> str:
    """Describe a bot's first fault in a duel: the question, the answer and its standard error."""
    place, fault = slip.place, slip.fault
    lines = [
        f"{name}'s first fault, on board {slip.board}: {fault.kind}: {fault.detail}",
        f"  asked:    {place.question}",
        f"  answered: {place.answer or '(nothing)'}",
    ]
    if slip.stderr:
        lines += ["  standard error of that game:", *slip.stderr.rstrip().split("\n")]
    return "\n".join(map(one_line, lines)) + "\n"


def _reach(figure: Estimate) -> str:
    """A lead and how far it may be off."""
    shown = points(figure.value)
    if figure.low is None:
        return shown
    return f"{shown} ±{points(figure.value - figure.low).lstrip('+')}"


def _estimate(figure: Estimate, written: Callable[[float], str]) -> str:
    if figure.low is None or figure.high is None:
        return written(figure.value)
    return f"{written(figure.value)} ({written(figure.low)} to {written(figure.high)})"

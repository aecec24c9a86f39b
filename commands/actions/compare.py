"""`arena compare`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from click.exceptions import Exit

from commands.actions.duel import duel_table, slipped
from commands.cli_errors import INTERRUPTED, Stop
from commands.console import Printer
from commands.printer import say_shape
from commands.progress import Narrowing
from commands.shapes.of_comparing import ComparedBot, ComparisonShape, SequentialShape, SlipShape
from commands.tables import set_up
from common.errors import ArenaFailure
from ratings.sequential import TESTS, SequentialTest
from results.store import Store
from tournament.comparison import (
    Comparison,
    ComparisonFile,
    caution,
    open_comparison,
    play_boards,
    question,
)
from tournament.exhibition import (
    Guest,
    all_chairs,
    guest,
    house_rules,
    own_chairs,
    ticket,
    told_apart,
)
from tournament.play.pool import WorkerPool
from tournament.settings import FILES, Settings

CODES = {"above": 0, "below": 1, "undecided": 3}
"""The exit code of a verdict."""

FAILED = 4
"""The exit code where the arena failed, since 1 is a verdict here."""


def compare(
    game: str,
    new: str,
    old: str,
    options: Sequence[str],
    preset: str | None,
    seats: int | None,
    test: str | None,
    gain: tuple[float, float] | None,
    cap: int,
    as_json: bool,
    seed: bytes | None,
    box: str | None,
    wheels: Path | None,
    into: Path,
    store: Store,
) -> None:
    """Play until the test can tell, show what it found, and end with the verdict's exit code.

    Interrupted or killed, it goes on with the same boards when it is started again. A comparison
    that is over is shown again, and nothing is played.
    """
    chosen = _test(test, gain, cap)
    table = set_up(game, options, preset=preset, box=box, wheels=wheels, duel=True)
    if seats is None and Path(game).suffix in FILES:
        seats = own_chairs(table)
    bots = all_chairs(table, [new, old]) if seats is None else (new, *[old] * (seats - 1))
    rules = house_rules(table, len(bots), duel=True)
    known = {name: guest(store, name) for name in (new, old)}
    guests = [known[name] for name in bots]
    comparison = Comparison(
        told_apart(guests, bots), chosen, "gain" if gain else test or next(iter(TESTS))
    )
    console = Printer()
    try:
        with open_comparison(into, question(rules, guests, chosen), seed) as kept:
            try:
                _play(console, comparison, kept, rules, guests, quiet=as_json)
            except KeyboardInterrupt:
                _show(console, comparison, kept, bots, as_json=as_json)
                raise Stop(
                    "interrupted; the same command goes on with the same boards", INTERRUPTED
                ) from None
    except ArenaFailure as error:
        raise Stop(str(error), FAILED) from error
    _show(console, comparison, kept, bots, as_json=as_json)
    raise Exit(CODES[comparison.verdict or "undecided"])


def _test(name: str | None, gain: tuple[float, float] | None, cap: int) -> SequentialTest:
    if gain is None:
        return replace(TESTS[name or next(iter(TESTS))], cap=cap)
    if name is not None:
        raise Stop("--test and --gain were both given: expected one of them")
    try:
        return SequentialTest(*gain, cap=cap)
    except ValueError as error:
        raise Stop(f"--gain: {error}: expected two numbers such as 0 0.1") from error


def _play(
    console: Printer,
    comparison: Comparison,
    kept: ComparisonFile,
    rules: Settings[Any],
    guests: Sequence[Guest],
    *,
    quiet: bool,
) -> None:
    """Judge the boards that were kept, then play new ones until there is a verdict."""
    for board in kept.boards:
        if comparison.verdict is None:
            comparison.take_in(board)
    done = comparison.leads.boards
    if comparison.verdict is not None:
        if not quiet:
            console.print("played before, nothing is played now", soft_wrap=True)
        return
    if done and not quiet:
        console.print(f"goes on after {done} boards", soft_wrap=True)
    match = ticket(guests, rules, kept.seed)
    with ExitStack() as stack:
        pool = stack.enter_context(WorkerPool(rules.workers))
        bar = None if quiet else stack.enter_context(Narrowing(console))
        for board in play_boards(match, pool, comparison.test.cap, begin=done + 1):
            comparison.take_in(board)
            kept.keep(board)
            if bar is not None:
                seen = comparison.leads
                bar.show(seen.boards, comparison.test.to_come(seen), comparison.estimate())
            if comparison.verdict is not None:
                return


def _show(
    console: Printer,
    comparison: Comparison,
    kept: ComparisonFile,
    bots: Sequence[str],
    *,
    as_json: bool,
) -> None:
    if as_json:
        say_shape(_plain(comparison, kept, bots))
        return
    if not comparison.leads.boards:
        return
    forms = comparison.shown.forms()
    console.print(duel_table(forms, comparison.leads.boards, planned=False))
    for chair, slip in sorted(comparison.shown.slips.items()):
        console.print(slipped(forms[chair].name, slip), soft_wrap=True)
    console.print(comparison.sentence(), soft_wrap=True)
    if unseen := caution(comparison.leads):
        console.print(unseen, soft_wrap=True)
    console.print(f"kept in {kept.path}; its seed is --seed {kept.seed.hex()}", soft_wrap=True)


def _plain(comparison: Comparison, kept: ComparisonFile, bots: Sequence[str]) -> ComparisonShape:
    """Everything that is shown, for programs."""
    test, leads = comparison.test, comparison.leads
    between = comparison.interval
    forms = comparison.shown.forms() if leads.boards else ()
    slips = comparison.shown.slips
    return ComparisonShape(
        verdict=comparison.outcome,
        exit_code=CODES[comparison.verdict] if comparison.verdict else INTERRUPTED,
        new=bots[0],
        old=bots[1],
        chairs=len(bots),
        test=SequentialShape.model_validate(test),
        boards=leads.boards,
        lead=leads.mean,
        deviation=leads.deviation,
        interval=between,
        evidence=test.evidence(leads),
        bound=test.bound(),
        bots=tuple(
            ComparedBot(
                name=form.name,
                boards_won=form.won.value,
                lead=form.lead.value,
                faults=form.faults,
                forgiven=form.forgiven,
                slowest_us=form.slowest,
                first_fault=SlipShape.model_validate(slips[chair]) if chair in slips else None,
            )
            for chair, form in enumerate(forms)
        ),
        seed=kept.seed.hex(),
        file=str(kept.path),
    )

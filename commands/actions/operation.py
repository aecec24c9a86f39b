"""Carries out an operation for somebody at the arena's own shell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from card_arena.accounts.operations import Operation
from card_arena.commands.accounts import submit_and_wait
from card_arena.commands.operation_commands import bot_and_number
from card_arena.commands.printer import say
from card_arena.results.store import Store
from card_arena.tournament.operations import demand_all


def carry_out(
    operation: Operation,
    store: Store,
    bots: Sequence[str] = (),
    tournament: str | None = None,
    email: str = "",
    **values: Any,
) -> None:
    """Carry an operation out on each of several subjects, or on none; print what was done."""
    values |= {
        parameter.name: True for parameter in operation.parameters if parameter.kind == "sure"
    }
    if operation.subject == "tournament":
        named = next(
            (parameter.name for parameter in operation.parameters if parameter.names_tournament), ""
        )
        subject = tournament or str(values[named]).partition("/")[0]
        tasks = [(subject, {**values, "bot": bot}) for bot in bots] or [(subject, values)]
    elif operation.subject == "person":
        tasks = [(email, values)]
    elif any(parameter.kind == "version" for parameter in operation.parameters):
        tasks = [(bot, {**values, "number": n}) for bot, n in map(bot_and_number, bots)]
    else:
        tasks = [(bot, values) for bot in bots]
    if operation.subject != "person":
        demand_all(store, operation, tasks)
    for subject, its in tasks:
        say(submit_and_wait(store, operation, subject, its))

"""The commands of operations, as accounts/operations.py declares them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import cleandoc
from typing import Any

from click import Argument, Choice, Context, Option, Parameter, UsageError

from card_arena.accounts import operations
from card_arena.accounts.operations import Operation
from card_arena.commands import completion
from card_arena.commands.cli_options import store_option
from card_arena.commands.command_line import LazyCommand


class OperationCommand(LazyCommand):
    """The command of an operation; all operations have the same action."""

    def __init__(self, operation: Operation) -> None:
        parameters = _parameters(operation)
        super().__init__(
            operation.name, *parameters, store_option(), help=operation.help, module="operation"
        )
        self.action = "carry_out"
        self.operation = operation

    def function(self) -> Callable[..., Any]:
        return partial(super().function(), self.operation)


def commands_on(subject: str) -> tuple[OperationCommand, ...]:
    """The commands of all operations on a kind of subject."""
    return tuple(map(OperationCommand, operations.about(subject)))


def bot_and_number(text: str) -> tuple[str, int | None]:
    """Read "davey" or "davey@3"; raises `UsageError`."""
    name, at, number = text.partition("@")
    if at and not (number.isascii() and number.isdigit() and 0 < len(number) < 9):
        raise UsageError(
            f"Invalid bot {text[:80]!r}. Expected BOT or BOT@VERSION, such as davey@3."
        )
    return name, int(number) if at else None


def _parameters(operation: Operation) -> list[Parameter]:
    """The arguments and options of an operation: its subject, then its parameters."""
    declared = operation.parameters
    parameters: list[Parameter] = []
    if operation.subject == "bot":
        version = any(parameter.kind == "version" for parameter in declared)
        parameters.append(_bots(operation, "BOT[@VERSION]" if version else "BOT"))
    elif operation.subject == "person":
        parameters.append(Argument(["email"]))
    elif not any(parameter.names_tournament for parameter in declared):
        parameters.append(Argument(["tournament"], shell_complete=completion.tournaments))
    for parameter in declared:
        if parameter.name == "bot":
            parameters.append(_bots(operation, "BOT"))
        elif parameter.kind == "words":
            parameters.append(
                Argument([parameter.name], nargs=-1, required=bool(parameter.missing))
            )
        elif parameter.positional and not parameter.missing:  # a line, with blanks in it
            words = f"[{parameter.name.upper()}]..."
            parameters.append(Argument([parameter.name], metavar=words, nargs=-1, callback=_line))
        elif parameter.positional:
            kind = Choice(parameter.choices) if parameter.choices else None
            parameters.append(
                Argument([parameter.name], required=bool(parameter.missing), type=kind)
            )
        elif parameter.kind in ("text", "reason", "count"):
            parameters.append(_option(parameter))
    return parameters


def _bots(operation: Operation, label: str) -> Argument:
    return Argument(
        ["bots"],
        metavar=f"{label}..." if operation.several else label,
        nargs=-1 if operation.several else 1,
        required=True,
        callback=_listed,
        shell_complete=completion.stored_bots,
    )


def _listed(_: Context, __: Parameter, value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(dict.fromkeys(value))


def _line(_: Context, __: Parameter, value: tuple[str, ...]) -> str:
    return " ".join(value)


def _option(parameter: operations.Parameter) -> Option:
    return Option(
        [f"--{parameter.name}"],
        required=bool(parameter.missing),
        metavar=parameter.name.upper(),
        type=int if parameter.kind == "count" else str,
        help=cleandoc(parameter.help),
    )

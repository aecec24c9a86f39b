"""How the command line finds its commands, and imports one only when it is run."""

from __future__ import annotations

import errno
import gc
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

import click

from card_arena.commands.cli_errors import INTERRUPTED, Stop, stop
from card_arena.commands.printer import guard
from card_arena.common.errors import ArenaFailure, UserError

ACTIONS = "card_arena.commands.actions"
NOT_INSTALLED = (
    "{package} is not installed, which this command needs: pip install 'card-arena[server]'"
)
"""What an author needs is always installed; see pyproject.toml."""


class LazyCommand(click.Command):
    """A command as it is typed; the code that carries it out is imported when it is run.

    Its action is the function `name` of a module of `commands.actions`: of `module`, or of the one
    that is called as its group is, or as the command. In a group the function's name begins with
    the group's; a hyphen becomes an underscore. It gets the parameters by their names.
    """

    def __init__(
        self, name: str, *params: click.Parameter, help: str, group: str = "", module: str = ""
    ) -> None:
        super().__init__(name, params=[*params], help=help)
        self.action = (f"{group}_{name}" if group else name).replace("-", "_")
        self.module = module or group or self.action

    def invoke(self, ctx: click.Context) -> Any:
        function = self.function()
        _keep_what_was_imported()
        gc.enable()
        return ctx.invoke(function, **ctx.params)

    def function(self) -> Callable[..., Any]:
        module = import_module(f"{ACTIONS}.{self.module}")
        function: Callable[..., Any] = getattr(module, self.action)
        return function


@cache
def _keep_what_was_imported() -> None:
    """Spare the garbage collector the modules, which live as long as the program.

    Without this, a fifth of the running time of `arena show bots` comes after its last line.
    """
    gc.freeze()


class Arena(click.Group):
    """All commands, in sections; its help fits a screen.

    This is the one place where exceptions become sentences, and behind which nothing is printed
    raw.
    """

    sections: Mapping[str, Sequence[click.Command]] = {}

    def add_section(self, title: str, commands: Sequence[click.Command]) -> None:
        """Add commands, which `--help` lists under a title of their own."""
        self.sections = {**self.sections, title: commands}
        for command in commands:
            self.add_command(command)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        self.format_usage(ctx, formatter)
        width = max(map(len, self.commands))
        for title, commands in self.sections.items():
            formatter.write(f"\n{title}:\n" if title else "\n")
            limit = formatter.width - width - 4
            for command in commands:
                help = command.get_short_help_str(limit)
                formatter.write(f"  {command.name:{width}}  {help}\n")

    def main(self, *arguments: Any, **options: Any) -> Any:
        """Parse the command line and run the command."""
        guard()
        gc.disable()  # until a command runs: imports leave next to nothing to collect
        try:
            return super().main(*arguments, **options)
        finally:
            gc.enable()

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Stop("interrupted; everything stored is kept", INTERRUPTED) from None
        except (UserError, ArenaFailure) as error:
            if ctx.params["traceback"]:
                raise
            raise stop(error) from error
        except ModuleNotFoundError as error:
            package = (error.name or "card_arena").partition(".")[0]
            if package == "card_arena" or ctx.params["traceback"]:
                raise
            raise Stop(NOT_INSTALLED.format(package=package)) from error
        except (UnicodeEncodeError, OSError) as error:
            sentence = _mistyped(error)
            if sentence is None or ctx.params["traceback"]:
                raise
            raise Stop(sentence) from error


def _mistyped(error: UnicodeEncodeError | OSError) -> str | None:
    """Explain an argument that can't be decoded; None for other errors.

    Only arguments and file names can contain bytes that are not UTF-8.
    """
    if isinstance(error, UnicodeEncodeError):
        return f"{error.object!r:.200} is not text: expected UTF-8"
    if error.errno == errno.ENAMETOOLONG:
        return f"{str(error.filename)!r:.200}... is too long for a file name"
    return None

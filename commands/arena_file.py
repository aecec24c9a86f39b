"""`arena.yaml`: options that an organiser would otherwise type with every command.

It is in the current folder, unless the environment variable ARENA_SETTINGS names another file.
Options on the command line and in the environment override the file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click import Option

if TYPE_CHECKING:
    from card_arena.commands.arena_settings import ArenaSettings

VARIABLE = "ARENA_SETTINGS"
USUAL = "arena.yaml"


class FromFile(Option):
    """An option that arena.yaml can set, under the name that is typed.

    A command that needs its value raises `BadYaml` if the file is wrong; `--help` does not read it.
    """

    @property
    def key(self) -> str:
        return self.opts[0].removeprefix("--")

    def get_default(self, ctx: click.Context, call: bool = True) -> Any:
        """The value without an option or environment variable."""
        if call and not ctx.resilient_parsing:  # completion ignores a wrong file
            if __name__ not in ctx.meta:
                ctx.meta[__name__] = options_in_file()
            options: Mapping[str, Any] = ctx.meta[__name__]
            if self.key in options:
                return options[self.key]
        return super().get_default(ctx, call=call)


def options_in_file() -> Mapping[str, Any]:
    """The options that arena.yaml sets; none if there is no file. Raises `BadYaml`."""
    settings = settings_in_file()
    no_options = {"accounts", "alarm", "backups", "play", "zone"}
    return {} if settings is None else settings.model_dump(exclude_none=True, exclude=no_options)


def arena_zone() -> str:
    """The arena's time zone, by name. Raises `BadYaml`."""
    settings = settings_in_file()
    return "UTC" if settings is None else settings.zone


def file_in_use() -> Path:
    """The path of the file, which need not exist."""
    return Path(os.environ.get(VARIABLE) or USUAL)


def settings_in_file() -> ArenaSettings | None:
    """The settings in arena.yaml, or None without a file. Raises `BadYaml` with every mistake."""
    file = file_in_use()
    try:
        text = file.read_bytes()
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not os.environ.get(VARIABLE):
            return None
        from card_arena.common.marked_yaml import BadYaml

        raise BadYaml([f"{file}: can't be read: {error.strerror}"]) from error
    # pydantic takes longer to import than --help does
    from card_arena.commands.arena_settings import ArenaSettings
    from card_arena.common.marked_yaml import load

    return load(text, str(file), ArenaSettings)

"""`arena.yaml`: what an organiser would otherwise type with every command.

It lies in the folder in which commands are typed, unless the environment variable ARENA_SETTINGS
names another file. What is typed, or set in the environment, counts before what the file says.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click import Option

if TYPE_CHECKING:
    from commands.arena_settings import ArenaSettings

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
        """The value that counts where nothing was typed or set."""
        if call and not ctx.resilient_parsing:  # completion shouldn't trip over a wrong file
            if __name__ not in ctx.meta:
                ctx.meta[__name__] = said_in_file()
            said: Mapping[str, Any] = ctx.meta[__name__]
            if self.key in said:
                return said[self.key]
        return super().get_default(ctx, call=call)


def said_in_file() -> Mapping[str, Any]:
    """The options that arena.yaml sets; none if there is no file. Raises `BadYaml`."""
    settings = settings_in_file()
    return (
        {}
        if settings is None
        else settings.model_dump(
            exclude_none=True, exclude={"accounts", "alarm", "backups", "zone"}
        )
    )


def arena_zone() -> str:
    """The arena's time zone, by name. Raises `BadYaml`."""
    settings = settings_in_file()
    return "UTC" if settings is None else settings.zone


def file_in_use() -> Path:
    """The file that counts, whether it is there or not."""
    return Path(os.environ.get(VARIABLE) or USUAL)


def settings_in_file() -> ArenaSettings | None:
    """What arena.yaml says; None if there is none. Raises `BadYaml` with every mistake."""
    file = file_in_use()
    try:
        text = file.read_bytes()
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not os.environ.get(VARIABLE):
            return None
        from common.marked_yaml import BadYaml

        raise BadYaml([f"{file}: can't be read: {error.strerror}"]) from error
    # pydantic takes longer to import than --help does
    from commands.arena_settings import ArenaSettings
    from common.marked_yaml import load

    return load(text, str(file), ArenaSettings)

"""`arena.yaml`: what an organiser would otherwise type with every command.

It lies in the folder in which commands are typed. What is typed, or set in the environment, counts
before what the file says.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from click import Option

FILE = Path("arena.yaml")


class FromFile(Option):
    """An option that arena.yaml can set, under the name that is typed.

    A command that needs its value raises `BadYaml` if the file is wrong; `--help` does not read it.
    """

    @property
    def key(self) -> str:
        """The option's key in the file."""
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
    """What arena.yaml says; empty if there is none. Raises `BadYaml` with every mistake."""
    try:
        text = FILE.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        from common.marked_yaml import BadYaml

        raise BadYaml([f"{FILE}: can't be read: {error.strerror}"]) from error
    # pydantic takes longer to import than --help does
    from commands.arena_settings import ArenaSettings
    from common.marked_yaml import load

    return load(text, str(FILE), ArenaSettings).model_dump(exclude_none=True)

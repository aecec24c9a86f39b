"""`arena.yaml`: what an organiser would otherwise type with every command.

It lies in the folder in which commands are typed. What is typed, or set in the environment, counts
before what the file says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from pathlib import Path
from typing import Any

import click
from click import Option

FILE = Path("arena.yaml")


class FromFile(Option):
    """An option that arena.yaml can set, under the name that is typed."""

    @property
    def key(self) -> str:
        """The option's key in the file."""
        return self.opts[0].removeprefix("--")


class FileDefaults(MutableMapping[str, Any]):
    """The file's values by the names of a command's parameters; it is read when one is needed.

    Raises `BadYaml` then, with every mistake.
    """

    def __init__(self, command: click.Command, read: Callable[[], dict[str, Any]]) -> None:
        self._keys = {
            str(each.name): each.key for each in command.params if isinstance(each, FromFile)
        }
        self._read = read
        self._values: dict[str, Any] | None = None

    def _found(self) -> dict[str, Any]:
        if self._values is None:
            said = self._read()
            self._values = {name: said[key] for name, key in self._keys.items() if key in said}
        return self._values

    def __getitem__(self, name: str) -> Any:
        if name not in self._keys:
            raise KeyError(name)
        return self._found()[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self._found()[name] = value

    def __delitem__(self, name: str) -> None:
        del self._found()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found())

    def __len__(self) -> int:
        return len(self._found())


def said_in_file() -> dict[str, Any]:
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

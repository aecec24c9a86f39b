"""What several commands are told in the same words: the store, tournaments, a table, a box."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from functools import cache, wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from commands.cli_errors import Stop
from commands.printer import say
from leaderboard.storage.store import Store
from sandbox.backends.registry import BACKENDS
from tournament.authors.exhibition import house_table
from tournament.play.runner import NO_WALLS
from tournament.settings import Settings

DATABASE = "sqlite:///var/arena.db"

Function = TypeVar("Function", bound=Callable[..., Any])


def with_store(function: Function) -> Function:
    """Give a command the store that `--database` names, made where it is not there."""
    return _with_database(function, lambda url: Store(url))


def with_stored(function: Function) -> Function:
    """Give a command the store that `--database` names, which must be there."""
    return _with_database(function, _there)


def with_store_at_hand(function: Function) -> Function:
    """Give a command a function that opens the store that `--database` names, which must be there.

    So it can do without one.
    """
    return _with_database(function, _there, at_hand=True)


def _there(url: str) -> Store:
    path = url.removeprefix("sqlite:///")
    if path != url and not Path(path).exists():
        raise Stop(f"there is no database {path}: `arena submit` or `arena run` makes one")
    return Store(url)


def _with_database(
    function: Function, open_store: Callable[[str], Store], *, at_hand: bool = False
) -> Function:
    def opened(context: click.Context, _: click.Parameter, url: str) -> Any:
        @cache
        def store() -> Store:
            store = context.with_resource(closing(open_store(url)))
            for path in store.database.closed:
                text = f"{path} could be read by others on this machine, and is yours alone now"
                say(text, err=True)
            return store

        return store if at_hand else store()

    return click.option(
        "--database",
        "store",
        envvar="ARENA_DATABASE",
        default=DATABASE,
        show_default=True,
        metavar="URL",
        callback=opened,
        help="Where everything is kept; the variable ARENA_DATABASE says it too.",
    )(function)


def with_tournaments(function: Function) -> Function:
    """Give a command the tournament files that it is about."""
    for option in (
        click.option(
            "--only",
            metavar="NAME",
            multiple=True,
            help="Only the tournament of this name; can be said more than once.",
        ),
        click.option(
            "--folder",
            type=click.Path(path_type=Path),
            default="tournaments",
            show_default=True,
            help="Where the tournament files are.",
        ),
    ):
        function = option(function)
    return function


def _box(context: click.Context, parameter: click.Parameter, name: str) -> str:  # noqa: ARG001
    _warn(name)
    return name


def _warn(box: str) -> None:
    if not BACKENDS[box].isolated:
        say(f"without boxes: {NO_WALLS}", err=True)


BOX = "What bots are kept in; `bare` keeps nothing out."
BOX_NAME = click.Choice(list(BACKENDS))

box_option = click.option(
    "--box", type=BOX_NAME, default="bubblewrap", show_default=True, callback=_box, help=BOX
)

wheels_option = click.option(
    "--wheels",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="The wheels that a Python bot may ask for, as `wheels:` of a tournament's file.",
)

game_option = click.option(
    "--game", "only", type=click.IntRange(1), help="One of its games, the first is 1."
)


def set_up(
    name: str,
    options: Sequence[str] = (),
    *,
    preset: str | None = None,
    box: str | None = None,
    wheels: Path | None = None,
) -> Settings[Any]:
    """Set up a table of a game or of a tournament's file, and warn where it has no boxes."""
    table = house_table(name, options, preset=preset, box=box, wheels=wheels)
    _warn(table.box)
    return table


table_box_option = click.option(
    "--box", type=BOX_NAME, help=f"{BOX}  [default: what the file says, else bubblewrap]"
)


def with_table(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the table that it is about, and the bots that sit down there.

    The table is that of a game with options, or of a tournament's file.
    """

    @wraps(function)
    def seated(
        game: str,
        options: Sequence[str],
        preset: str | None,
        box: str | None,
        wheels: Path | None,
        **rest: Any,
    ) -> None:
        table = set_up(game, options, preset=preset, box=box, wheels=wheels)
        function(table=table, **rest)

    for option in (
        wheels_option,
        table_box_option,
        seed_option(),
        click.option("--preset", metavar="NAME", help="One of the game's sets of options."),
        click.option(
            *("--options", "--option", "options"),
            multiple=True,
            metavar="KEY=VALUE",
            help="One of the game's.",
        ),
        click.argument("bots", nargs=-1, required=True),
        click.argument("game"),
    ):
        seated = option(seated)
    return seated


def _seed(context: click.Context, parameter: click.Parameter, text: str | None) -> bytes | None:  # noqa: ARG001
    try:
        seed = bytes.fromhex(text) if text is not None else None
    except ValueError:
        seed = b""
    if seed is not None and len(seed) != 32:
        raise click.BadParameter("expected 64 hexadecimal digits")
    return seed


def _public(context: click.Context, parameter: click.Parameter, text: str | None) -> str | None:  # noqa: ARG001
    from leaderboard.web.public_address import BadAddress, public_address

    try:
        return None if text is None else str(public_address(text))
    except BadAddress as error:
        raise click.BadParameter(str(error)) from error


def with_listener(function: Function) -> Function:
    """Give a command the place where the leaderboard answers, and where visitors reach it."""
    for option in (
        click.option(
            "--public",
            metavar="URL",
            callback=_public,
            help="Where visitors reach it through another server: https://cards.example/arena.",
        ),
        click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True),
        click.option("--host", default="127.0.0.1", show_default=True),
    ):
        function = option(function)
    return function


def seed_option(help: str = "") -> Callable[[Function], Function]:
    """An option for a secret that packs come from, 32 bytes; None where nothing is said."""
    return click.option("--seed", metavar="HEX", callback=_seed, help=help or None)

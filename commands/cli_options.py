"""Options and arguments that several commands share.

None imports the store, a game or a sandbox before its value is used, so that `--help` and
completion are quick.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from datetime import UTC, datetime
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import click
from click import Argument, Context, Option, Parameter
from click.shell_completion import CompletionItem

from card_arena.commands import completion
from card_arena.commands.arena_file import FromFile, arena_zone
from card_arena.commands.cli_errors import Stop
from card_arena.commands.printer import say
from card_arena.common.moments import read
from card_arena.sandbox.backends.registry import BACKENDS

DATABASE_URL = "sqlite:///var/arena.db"


def store_option(
    *, existing: bool = True, on_demand: bool = False, read_only: bool = False
) -> Option:
    """Make the option `--database`, whose value is the opened `Store`.

    An `existing` database must be there; otherwise it is created. With `on_demand` the value opens
    the store when it is called, for commands that can do without one or do something before. One
    that is `read_only` is not changed in any way.
    """

    def opened(context: Context, _: Parameter, url: str) -> Any:
        if context.resilient_parsing:  # completion opens nothing and creates nothing
            return url
        store = StoreOnDemand(context, url, existing=existing, read_only=read_only)
        return store if on_demand else store()

    return _database_option("store", opened)


def accounts_option() -> Option:
    """Make the option `--database`, whose value is the `AccountStore` beside the database."""

    def opened(context: Context, _: Parameter, url: str) -> Any:
        if context.resilient_parsing:
            return url
        from card_arena.accounts.storage.account_store import AccountStore

        store = StoreOnDemand(context, url, existing=True, read_only=False)()
        return context.with_resource(closing(AccountStore(store.database.address)))

    return _database_option("accounts", opened)


def _database_option(name: str, opened: Callable[[Context, Parameter, str], Any]) -> Option:
    return FromFile(
        ["--database", name],
        envvar="ARENA_DATABASE",
        default=DATABASE_URL,
        show_default=True,
        metavar="URL",
        callback=opened,
        help="The database. The environment variable ARENA_DATABASE sets it, too.",
    )


class StoreOnDemand:
    """Opens the store at `url` when it is called, once."""

    def __init__(self, context: Context, url: str, *, existing: bool, read_only: bool) -> None:
        self.url = url
        self._read_only = read_only
        self._context = context
        self._existing = existing
        self._store: Any = None

    def __call__(self) -> Any:
        if self._store is None:
            # SQLAlchemy takes longer to import than all that --help and completion do
            from card_arena.results.store import Store

            path = self.url.removeprefix("sqlite:///")
            if self._existing and path != self.url and not Path(path).exists():
                raise Stop(f"Database {path} not found. `arena submit` or `arena run` creates it.")
            store = Store(self.url, read_only=self._read_only)
            self._store = self._context.with_resource(closing(store))
            for file in store.database.closed:
                was = f"{file} was readable by others on this machine"
                say(f"{was}; now only you can read it", err=True)
        return self._store


FOLDER = FromFile(
    ["--folder"],
    type=click.Path(path_type=Path),
    default="tournaments",
    show_default=True,
    help="The folder with the tournament files.",
)

TOURNAMENT_FILES = (
    FOLDER,
    Option(
        ["--only"],
        metavar="NAME",
        multiple=True,
        shell_complete=completion.tournaments_in_files,
        help="Only the tournament of this name; can be given more than once.",
    ),
)
"""Options that say which tournaments a command is about."""

SANDBOX_HELP = "The kind of sandbox; `bare` isolates nothing."
SANDBOX_KIND = click.Choice([*BACKENDS])

SANDBOX = Option(
    ["--sandbox"],
    type=SANDBOX_KIND,
    default=next(iter(BACKENDS)),
    show_default=True,
    help=SANDBOX_HELP,
)

TABLE_SANDBOX = Option(
    ["--sandbox"],
    type=SANDBOX_KIND,
    help=f"{SANDBOX_HELP}  [default: as in the tournament file, else {next(iter(BACKENDS))}]",
)

WHEELS = Option(
    ["--wheels"],
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="The wheels that a Python bot may ask for, like `wheels:` in a tournament file.",
)


class Quantity(click.ParamType):  # type: ignore[type-arg]  # click makes it generic
    """A number with a unit, such as `30d` or `1GiB`, read by one of the functions of `units`."""

    def __init__(self, name: str, reader: str) -> None:
        self.name = name
        self._reader = reader

    def convert(self, value: Any, param: Parameter | None, ctx: Context | None) -> Any:
        from card_arena.common import units  # pydantic takes longer to import than --help does

        try:
            return getattr(units, self._reader)(value)
        except ValueError as error:
            self.fail(f"{str(value)[:80]!r} {error}", param, ctx)


class Moment(click.ParamType):  # type: ignore[type-arg]  # click makes it generic
    """A moment such as 2026-11-27T20:00, in the arena's zone unless it has an offset, or `now`."""

    name = "moment"

    def convert(self, value: Any, param: Parameter | None, ctx: Context | None) -> datetime:
        try:
            return datetime.now(UTC) if value == "now" else read(value, arena_zone())
        except ValueError as error:
            self.fail(f"{str(value)[:40]!r} {error}", param, ctx)


KEYS = FromFile(
    ["--keys"],
    type=click.Path(file_okay=False, path_type=Path),
    envvar="ARENA_KEYS",
    default="var/keys",
    show_default=True,
    metavar="FOLDER",
    help="The keys of the cluster, which `arena cluster keys` made. The environment variable"
    " ARENA_KEYS sets the folder, too.",
)

CLUSTER = (
    FromFile(
        ["--cluster"],
        metavar="ADDRESS",
        envvar="ARENA_CLUSTER",
        help="Play on the cluster whose scheduler is at tls://HOST:PORT; `local` tries one out on"
        " this machine. The environment variable ARENA_CLUSTER sets it, too.",
    ),
    KEYS,
)
"""Where matches are played: on this machine by default."""

JSON = Option(
    ["--json", "as_json"],
    is_flag=True,
    help="Print it as JSON; docs/shapes.md describes the shape.",
)
"""Whether a program reads what is printed."""

GAME_OF_MATCH = Option(
    ["--game", "only"],
    type=click.IntRange(1),
    help="Only this game of the match; the first is 1.",
)


def _seed(context: Context, parameter: Parameter, text: str | None) -> bytes | None:  # noqa: ARG001
    try:
        seed = bytes.fromhex(text) if text is not None else None
    except ValueError:
        seed = b""
    if seed is not None and len(seed) != 32:
        raise click.BadParameter("expected 64 hexadecimal digits")
    return seed


def seed_option(help: str) -> Option:
    """Make an option for the secret that packs are derived from: 32 bytes, None by default."""
    return Option(["--seed"], metavar="HEX", callback=_seed, help=help)


GAME = Argument(["game"], shell_complete=completion.games)

TABLE_OPTIONS = (
    Option(
        ["--options", "--option", "options"],
        multiple=True,
        metavar="KEY=VALUE",
        help="One of the game's options; can be given more than once.",
    ),
    Option(
        ["--preset"],
        metavar="NAME",
        shell_complete=completion.presets,
        help="A preset of the game: several options under one name.",
    ),
    seed_option("The secret that the cards are dealt from, 64 hexadecimal digits; else random."),
    TABLE_SANDBOX,
    WHEELS,
)
"""How a table is set up, and what its cards are dealt from."""

TABLE = (
    GAME,
    Argument(["bots"], nargs=-1, required=True, shell_complete=completion.bots),
    *TABLE_OPTIONS,
)
"""What makes a table: a game with options, or a tournament file, and the bots that sit down."""


def _public(context: Context, parameter: Parameter, text: str | None) -> str | None:  # noqa: ARG001
    if text is None or context.resilient_parsing:
        return text
    from card_arena.leaderboard.web.requests import BadAddress, public_address

    try:
        return str(public_address(text))
    except BadAddress as error:
        raise click.BadParameter(str(error)) from error


def _proxy(context: Context, parameter: Parameter, text: str | None) -> str:  # noqa: ARG001
    if not text or context.resilient_parsing:
        return text or ""
    try:
        return str(ip_address(text))
    except ValueError:
        raise click.BadParameter(
            f"invalid address {text!r}: expected one such as 127.0.0.1"
        ) from None


LISTENER = (
    FromFile(["--host"], default="127.0.0.1", show_default=True, help="The address to listen on."),
    FromFile(
        ["--port"],
        type=click.IntRange(1, 65535),
        default=8000,
        show_default=True,
        help="The port to listen on.",
    ),
    FromFile(
        ["--public"],
        metavar="URL",
        callback=_public,
        help="The address at which visitors reach the pages through another server, such as"
        " https://cards.example/arena.",
    ),
)
"""Where the leaderboard listens, and where visitors reach it."""

PROXY = FromFile(
    ["--proxy"],
    metavar="ADDRESS",
    callback=_proxy,
    help="The IP address of the reverse proxy. Its X-Forwarded-For header is trusted; no other"
    " forwarding header is.",
)


class Names(click.ParamType):  # type: ignore[type-arg]  # click makes it generic
    """One of the names that a function gives; they are not looked up before they are needed."""

    name = "name"

    def __init__(self, names: Callable[[], Iterable[str]]) -> None:
        self._names = names

    def convert(self, value: Any, param: Parameter | None, ctx: Context | None) -> Any:
        return click.Choice([*self._names()]).convert(value, param, ctx)

    def shell_complete(
        self, ctx: Context, param: Parameter, incomplete: str
    ) -> list[CompletionItem]:
        return click.Choice([*self._names()]).shell_complete(ctx, param, incomplete)

"""What the shell completes: names of games, presets, bots, tournaments and experiments.

The shell asks at every press of the tab key, so this must be quick: names in the database are
read without SQLAlchemy, and those in tournament files without a YAML parser.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

from click import Context, Parameter
from click.shell_completion import CompletionItem

from card_arena.tables.registry import GAMES

Completions = list[CompletionItem]

PATIENCE = 0.2
"""Seconds to wait for a writer of the database."""

_NAME = re.compile(r"""^name:\s*["']?([^\s"'#]+)""", re.MULTILINE)


def games(_: Context, __: Parameter, incomplete: str) -> Completions:
    """Complete the name of a game, or a tournament file."""
    return [_file(incomplete), *_beginning(incomplete, GAMES)]


def presets(context: Context, _: Parameter, incomplete: str) -> Completions:
    """Complete a preset of the game that was typed before."""
    # click leaves arguments unparsed where the last option still lacks its value
    words = [str(context.params.get("game")), *context.args]
    game = next((word for word in words if word in GAMES), None)
    return _beginning(incomplete, GAMES[game].presets if game else ())


def bots(context: Context, _: Parameter, incomplete: str) -> Completions:
    """Complete the name of a bot in the database, or a folder or archive."""
    return [_file(incomplete), *stored_bots(context, _, incomplete)]


def stored_bots(context: Context, _: Parameter, incomplete: str) -> Completions:
    return _beginning(incomplete, _stored_names(_url(context), "bots"))


def tournaments(context: Context, _: Parameter, incomplete: str) -> Completions:
    return _beginning(incomplete, _stored_names(_url(context), "tournaments"))


def tournaments_in_files(context: Context, _: Parameter, incomplete: str) -> Completions:
    """Complete the name of a tournament that has a file in the folder of tournaments."""
    folder = Path(context.params.get("folder") or "tournaments")
    texts = [_text(file) for file in folder.glob("*.y*ml")]
    return _beginning(incomplete, sorted(name for text in texts for name in _NAME.findall(text)))


def experiments(context: Context, _: Parameter, incomplete: str) -> Completions:
    folder = Path(context.params.get("folder") or "experiments")
    return _beginning(incomplete, sorted(file.parent.name for file in folder.glob("*/*.yaml")))


def _text(file: Path) -> str:
    try:
        return file.read_text(errors="replace")
    except OSError:  # a folder, or a file of somebody else's
        return ""


def _url(context: Context) -> str:
    return str(context.params.get("store") or "")


def _beginning(incomplete: str, names: Iterable[str]) -> Completions:
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _file(incomplete: str) -> CompletionItem:
    """Let the shell add files and folders; bash forgets the names that come before this."""
    return CompletionItem(incomplete, type="file")


def _stored_names(url: str, table: str) -> Sequence[str]:
    """Read the names of all bots or tournaments in a SQLite file.

    Returns nothing if there is no such database, or if it can't be read now: a tab key must neither
    create a database nor report its errors.
    """
    file = url.removeprefix("sqlite:///")
    if file == url or not Path(file).is_file():
        return ()
    address = f"{Path(file).absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True, timeout=PATIENCE)) as database:
            rows = database.execute(f"SELECT name FROM {table} ORDER BY name")
            return [str(name) for (name,) in rows]
    except sqlite3.Error:
        return ()

"""What the shell completes: names of games, presets, bots, tournaments and experiments.

The shell asks at every press of the tab key, so this must be quick: names in the database are
read without SQLAlchemy, and those in tournament files without a YAML parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from click import Context, Parameter
from click.shell_completion import CompletionItem

from leaderboard.storage.stored_names import stored_names
from tables.registry import GAMES

Completions = list[CompletionItem]

_NAME = re.compile(r"""^name:\s*["']?([^\s"'#]+)""", re.MULTILINE)


def games(_: Context, __: Parameter, incomplete: str) -> Completions:
    """Complete the name of a game, or a tournament file."""
    return [*_beginning(incomplete, GAMES), _file(incomplete)]


def presets(context: Context, _: Parameter, incomplete: str) -> Completions:
    """Complete a preset of the game that was typed before."""
    game = str(context.params.get("game"))
    return _beginning(incomplete, GAMES[game].presets if game in GAMES else ())


def bots(context: Context, _: Parameter, incomplete: str) -> Completions:
    """Complete the name of a bot in the database, or a folder or archive."""
    return [*stored_bots(context, _, incomplete), _file(incomplete)]


def stored_bots(context: Context, _: Parameter, incomplete: str) -> Completions:
    """Complete the name of a bot in the database."""
    return _beginning(incomplete, stored_names(_url(context), "bots"))


def tournaments(context: Context, _: Parameter, incomplete: str) -> Completions:
    """Complete the name of a tournament in the database."""
    return _beginning(incomplete, stored_names(_url(context), "tournaments"))


def tournaments_in_files(context: Context, _: Parameter, incomplete: str) -> Completions:
    """Complete the name of a tournament that has a file in the folder of tournaments."""
    folder = Path(context.params.get("folder") or "tournaments")
    texts = (file.read_text(errors="replace") for file in sorted(folder.glob("*.y*ml")))
    return _beginning(incomplete, (name for text in texts for name in _NAME.findall(text)))


def experiments(context: Context, _: Parameter, incomplete: str) -> Completions:
    """Complete the name of an experiment."""
    folder = Path(context.params.get("folder") or "experiments")
    return _beginning(incomplete, sorted(file.parent.name for file in folder.glob("*/*.yaml")))


def _url(context: Context) -> str:
    return str(context.params.get("store") or "")


def _beginning(incomplete: str, names: Iterable[str]) -> Completions:
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _file(incomplete: str) -> CompletionItem:
    """Let the shell add the files and folders that begin so."""
    return CompletionItem(incomplete, type="file")

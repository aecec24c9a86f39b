"""`arena match`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from card_arena.commands.cli_errors import Stop
from card_arena.commands.printer import say, say_shape
from card_arena.leaderboard.models import Figure, Shape, Text
from card_arena.library.match import play_match
from card_arena.library.registry import named
from card_arena.sandbox.languages.toolchains import ToolMissing
from card_arena.sandbox.sandbox import BuildFailed
from card_arena.tables.options import with_words


class MatchBot(Shape):
    """A bot in a match."""

    name: Text
    """Its folder or archive."""
    margin: Figure
    """How many points a game it was ahead of the others, with the 95 % interval."""
    decisions: int
    """How many questions it was asked."""
    faults: int
    """How many of its answers were faults."""
    slowest: int
    """Its longest answer, in microseconds."""
    first_fault: Mapping[str, Text] | None
    """Its first fault: kind, detail, question, answer and stderr; null if it had none."""


class MatchGame(Shape):
    """A game of a match."""

    board: int
    """The number of its board, from 0."""
    seats: tuple[int, ...]
    """The bot in each seat, by its place among the bots."""
    scores: tuple[int, ...]
    """The score of each seat."""


class MatchResult(Shape):
    """The result of a match that needs no database."""

    game: str
    """The name of the game."""
    version: int
    """The version of its rules."""
    options: Mapping[str, Any]
    """The options of the table."""
    seed: int
    """What deals the same cards again."""
    boards: int
    """How many boards were played, each in every rotation of the seats where that helps."""
    players: tuple[MatchBot, ...]
    """The bots; the second one again for each seat that it took beyond its own."""
    games: tuple[MatchGame, ...]
    """Every game."""


def match(
    game: str,
    bots: Sequence[Path],
    options: Sequence[str],
    boards: int,
    seed: int,
    seats: int | None,
    sandbox: str,
    as_json: bool,
) -> None:
    """Play the boards and print the result."""
    try:
        played = play_match(
            game,
            bots,
            boards=boards,
            seed=seed,
            options=with_words(named(game).rules, {}, options),
            seats=seats,
            sandbox=sandbox,
        )
    except (BuildFailed, ToolMissing) as error:
        raise Stop(f"{error}\n{getattr(error, 'log', '')}".rstrip()) from error
    except ValidationError as error:
        first = error.errors()[0]
        message = first["msg"].removeprefix("Value error, ")
        where = ".".join(map(str, first["loc"])) or "options"
        raise Stop(f"{where}={first['input']!r}: {message}") from error
    except ValueError as error:
        raise Stop(str(error)) from error
    if as_json:
        say_shape(MatchResult.model_validate(played))
        return
    for player in played.players:
        margin, low, high = player.margin.value, player.margin.low, player.margin.high
        between = "" if low is None or high is None else f", between {low:+.2f} and {high:+.2f}"
        say(f"{player.name}: {margin:+.2f} points a game{between}; faults: {player.faults}")
        if player.first_fault:
            fault = player.first_fault
            answer = f"; answered: {fault['answer']!r}" if fault["answer"] else ""
            say(f"  first: {fault['detail']} (asked: {fault['question']}{answer})")
            if fault["stderr"]:
                say(fault["stderr"])

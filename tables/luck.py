"""How much of a score the cards gave: what makes a lead surer without moving its mean.

A game's `luck` says how lucky a seat was in a turn of chance: what the cards that came were worth
to it, less what they would have been worth on average. Averages are taken over the cards as they
could have come, given everything before. So in the long run luck adds up to nothing, whatever the
bots do: a score less its luck has the same mean and less scatter [ratings n.1].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from card_arena.tables.game import (
    Game,
    IllegalAction,
    LuckFunction,
    MalformedAnswer,
    Phase,
    Terminal,
)
from card_arena.tables.record import Record
from card_arena.tables.registry import GAMES

UNIT = 1000
"""Luck is counted in thousandths of a point, so that sums of it are exact."""

Luck = tuple[int, ...]
"""The luck of every seat, in thousandths of a point."""


def luck_of(record: Record, games: Mapping[str, Game] = GAMES) -> Luck | None:
    """The luck of every seat in a finished game.

    None if the game counts no luck, and for a record that can't be played through by the rules as
    they are now.
    """
    game = games.get(record.game)
    if game is None or game.version != record.version or game.statistics.luck is None:
        return None
    try:
        return _played_through(game, record, game.statistics.luck)
    except (MalformedAnswer, IllegalAction, ValueError, TypeError, LookupError, AttributeError):
        return None  # a damaged record; `replay` says what is wrong with it


def _played_through(game: Game, record: Record, luck: LuckFunction) -> Luck:
    options = game.options(**record.options)
    phase: Phase | Terminal = game.resume(options, record.seats, record.purses, record.shoe)
    total = [0] * record.seats
    for turn in record.turns:
        if isinstance(phase, Terminal):
            raise LookupError("the record goes on after the end of its game")
        after, _ = phase.apply(phase.read(turn.action))
        for seat, gained in enumerate(luck(phase, after)):
            total[seat] += gained
        phase = after
    if not isinstance(phase, Terminal):
        raise LookupError("the record breaks off before the end of its game")
    return tuple(total)


def above_average(worths: Sequence[int]) -> Luck:
    """What each of several hands is worth above their mean.

    It is the luck of a deal in which every hand could as well have gone to any other seat: whatever
    hands are thought to be worth, the mean is then the same for all seats.
    """
    many, together = len(worths), sum(worths)
    return tuple(round(Fraction(many * worth - together, many)) for worth in worths)

"""A match as the authors of its bots see it, for programs."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from leaderboard.door.own_matches import Written
from leaderboard.shapes.base import PageShape, Shape, Text
from leaderboard.shapes.of_matches import TurnFault
from leaderboard.views import Decision, Page


class DecisionShape(Shape):
    """A question to a bot, and what came of it."""

    game: int
    """The game's number in the match, from 1."""
    turn: int
    """The turn's number in the game, from 0."""
    seat: int
    """The bot's seat."""
    bot: str
    """The bot."""
    version: int
    """The number of its version."""
    question: Text
    """The words that it was asked."""
    answer: Text | None
    """The line that came back; null if none did."""
    action: Text
    """What was played."""
    fault: TurnFault | None
    """Why the action is not the bot's own; null if it is."""
    wall: int
    """How long the answer took, in microseconds."""
    cpu: int
    """The processor's time for it, in microseconds."""
    peak: int
    """The most memory that its box was seen to use, in bytes; 0 if it was not measured."""


class WrittenShape(Shape):
    """What a bot wrote on standard error in a game."""

    game: int
    """The game's number in the match, from 1."""
    seat: int
    """The bot's seat."""
    bot: str
    """The bot."""
    version: int
    """The number of its version."""
    text: Text
    """The end of what it wrote."""


class OwnMatch(PageShape):
    """What one's own bots decided in a match."""

    match: str
    """The match's address."""
    bots: tuple[str, ...]
    """One's own bots in it."""
    faults: int
    """How many of all their answers were faults."""
    stderr: tuple[WrittenShape, ...]
    """What they wrote on standard error, game by game."""
    items: tuple[DecisionShape, ...]
    """The decisions of this page, in order."""


def own_match(
    key: str,
    bots: Collection[str],
    faults: int,
    stderr: Sequence[Written],
    page: Page[Decision],
) -> OwnMatch:
    """What one's own bots decided in a match."""
    return OwnMatch.of(
        page,
        match=key,
        bots=tuple(sorted(bots)),
        faults=faults,
        stderr=tuple(map(WrittenShape.model_validate, stderr)),
        items=tuple(map(_decision, page.items)),
    )


def _decision(found: Decision) -> DecisionShape:
    turn = found.turn
    return DecisionShape(
        game=found.game,
        turn=found.number,
        seat=found.seat,
        bot=found.bot,
        version=found.version,
        question=turn.question,
        answer=turn.answer,
        action=turn.action,
        fault=TurnFault.model_validate(turn.fault) if turn.fault else None,
        wall=turn.wall,
        cpu=turn.cpu,
        peak=turn.peak,
    )

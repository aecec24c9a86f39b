"""Questions that were asked again, for programs."""

from __future__ import annotations

from leaderboard.models import Shape, Text, VersionName


class AnswerFault(Shape):
    """Why an answer is a fault."""

    kind: str
    """The kind of fault."""
    detail: Text
    """What happened, in a sentence."""


class AnswerShape(Shape):
    """An answer to a question."""

    line: Text | None
    """The line; null if none came."""
    fault: AnswerFault | None
    """Why it is a fault; null if it is none."""
    wall: int
    """How long it took, in microseconds."""
    cpu: int
    """The processor's time for it, in microseconds."""
    peak: int
    """The most memory that its sandbox was seen to use, in bytes."""


class Repeated(Shape):
    """A question of a match that was put to a bot again, once or several times."""

    match: Text
    """The match's address."""
    game: int
    """The number of the game, from 1."""
    turn: int
    """The number of the turn, from 0."""
    question: Text
    """The question."""
    bot: Text
    """The bot that was asked now."""
    then: AnswerShape
    """The answer in the match."""
    now: tuple[AnswerShape, ...]
    """The answers now, one for each time that it was asked."""
    heard: int
    """How many lines of the game it was sent before."""
    at: Text
    """The earlier question at which it failed already; empty if it reached this one."""
    stderr: Text
    """What it wrote on standard error the first time."""


class OtherAnswerShape(Shape):
    """A question of a season that a bot answers otherwise now."""

    match: Text
    """The match's address."""
    game: int
    """The number of the game, from 1."""
    turn: int
    """The number of the turn, from 0."""
    then: Text | None
    """The answer in the match; null if none came."""
    now: Text | None
    """The answer now."""


class RepeatedSeason(VersionName):
    """All questions of a season that were put to a bot again."""

    same_files: bool
    """Whether its files are those that played."""
    questions: int
    """How many questions it was asked."""
    games: int
    """Of how many games they are."""
    others: tuple[OtherAnswerShape, ...]
    """Those that it answers otherwise now."""

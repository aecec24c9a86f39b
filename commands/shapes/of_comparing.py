"""Whether one bot is better than another, for programs."""

from __future__ import annotations

from leaderboard.models import Figure, Shape, Text


class FirstFaultModel(Shape):
    """A bot's first fault."""

    board: int
    """The board on which it happened."""
    kind: str
    """The kind of fault."""
    struck: bool
    """Whether it counts; false if it is forgiven."""
    detail: Text
    """What happened, in a sentence."""
    question: Text
    """What the bot was asked."""
    answer: Text
    """What it answered."""
    stderr: Text
    """The end of what it wrote on standard error in that game."""


class DuelBot(Shape):
    """A bot in a duel."""

    name: Text
    """Its name."""
    boards_won: Figure
    """Its share of the boards; a tie is shared."""
    margin: Figure
    """How many points a game it is ahead, with the interval for a number fixed beforehand."""
    always: tuple[float, float] | None
    """The interval of the margin that holds at any time; null with too few boards."""
    less_luck: Figure | None
    """The margin without the luck with the cards; null where the game counts none."""
    faults: int
    """How many of its answers were faults."""
    forgiven: int
    """How many of these the tournament forgives: they count for nothing."""
    slowest: int
    """Its longest answer, in microseconds."""
    first_fault: FirstFaultModel | None
    """Its first fault; null if it had none."""


class DuelShape(Shape):
    """Whether one bot is better than others."""

    boards: int
    """How many boards were played."""
    planned: int
    """How many were to be played; the intervals need all of them."""
    verdict: Text
    """What the boards show, in a sentence."""
    seed: str
    """What deals the same cards again, in hexadecimal."""
    bots: tuple[DuelBot, ...]
    """The bots, the first one first."""


class ComparedBot(Shape):
    """A bot in a comparison."""

    name: Text
    """Its name."""
    boards_won: float
    """Its share of the boards; a tie is shared."""
    margin: float
    """How many points a game it is ahead."""
    faults: int
    """How many of its answers were faults."""
    forgiven: int
    """How many of these the tournament forgives: they count for nothing."""
    slowest_us: int
    """Its longest answer, in microseconds."""
    first_fault: FirstFaultModel | None
    """Its first fault; null if it had none."""


class SequentialShape(Shape):
    """A sequential test; effects are mean margins in standard deviations of a board."""

    low: float
    """The lower effect."""
    high: float
    """The higher effect."""
    begin: int
    """After how many boards it begins to judge."""
    cap: int
    """After how many boards it gives up."""


class ComparisonShape(Shape):
    """Whether a bot is better than another, as far as has been played."""

    verdict: str | None
    """What was found; null while the test can't tell."""
    exit_code: int
    """The exit code that says the same."""
    new: Text
    """The bot that is tested."""
    old: Text
    """The bot that it is tested against."""
    entrants: int
    """How many bots sit down."""
    test: SequentialShape
    """The test."""
    boards: int
    """How many boards were judged."""
    margin: float
    """How many points a game the new bot is ahead."""
    deviation: float
    """The standard deviation of a board's margin."""
    interval: tuple[float, float] | None
    """The interval of the margin that holds at any time; null with too few boards."""
    evidence: float
    """How much the boards speak for the higher effect."""
    bound: float
    """At how much evidence the test ends."""
    bots: tuple[ComparedBot, ...]
    """The bots, entrant by entrant."""
    seed: str
    """What the cards are dealt from, in hexadecimal."""
    file: Text
    """Where the boards are kept."""

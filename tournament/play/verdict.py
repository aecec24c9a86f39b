"""What follows from a match that could not be played: who explains it, and what is tried next.

Nothing is run here: attempts go in, and the next step comes out. A sandbox that fails need not have
been brought down by its own bot, since bots that run at the same time share a kernel. So a bot is
named only if it alone explains the failures:

- It makes sandboxes fail where it is the only bot on the machine, among harmless programs. Whatever
  fails then is its own doing, and nobody else's bot takes part, so nobody can be made to look
  guilty.
- Where that shows nothing, since a bot may behave in a trial, matches of the season that could not
  be played are compared: if sandboxes of two bots of different authors failed while a third bot ran
  beside them, and no other bot ran in all those matches, that is the third bot's doing.

Where nobody alone explains it, the match counts for nobody and the season goes on without it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tournament.play.match import RETRIES, TRIALS

BREAKS_ALONE = (
    f"sandboxes fail where it is the only bot beside harmless programs, {TRIALS} times in {TRIALS}"
)
"""What is said of a bot that makes sandboxes fail when no other bot runs."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt at a match in which something failed; bots are version ids.

    `broken` is the bot whose sandbox failed, None if something else did. `running` are the bots of
    the match that had a sandbox then, `beside` those of other matches on the machine. If it was
    `alone`, nothing else was done on the machine. `machine_works` says whether a harmless program's
    sandbox worked right afterwards.
    """

    broken: int | None
    running: frozenset[int]
    beside: frozenset[int] = frozenset()
    alone: bool = False
    machine_works: bool = True


@dataclass(frozen=True, slots=True)
class Unexplained:
    """A match in which no trial showed who makes sandboxes fail.

    `broken` are the bots whose sandboxes failed while nothing else was done on the machine, and
    `running` those that ran then.
    """

    broken: frozenset[int]
    running: frozenset[int]


@dataclass(frozen=True, slots=True)
class PlayAgain:
    """The match is played again; if `alone`, with nothing else on the machine."""

    alone: bool = False


@dataclass(frozen=True, slots=True)
class Try:
    """A bot is tried alone, among harmless programs."""

    version: int


@dataclass(frozen=True, slots=True)
class TakeSandbox:
    """Bots get no sandbox from now on, each for a reason; with `here`, only in this match."""

    reasons: Mapping[int, str]
    here: bool = False


@dataclass(frozen=True, slots=True)
class LeaveOut:
    """The match is not played: nobody alone explains why it can't be."""

    case: Unexplained


@dataclass(frozen=True, slots=True)
class Stop:
    """The season is stopped: the arena or its machine fails, and no bot."""


Step = PlayAgain | Try | TakeSandbox | LeaveOut | Stop


@dataclass(slots=True)
class Inquiry:
    """All that is known of a match that has failed: its attempts, and trials of its bots.

    `trials` says of each bot that was tried whether sandboxes failed because of it alone.
    """

    attempts: list[Attempt] = field(default_factory=list)
    trials: dict[int, bool] = field(default_factory=dict)


def next_step(inquiry: Inquiry, before: Sequence[Unexplained], authors: Mapping[int, str]) -> Step:
    """Return what is done about a match that has failed.

    `before` are the season's matches that were left out, and `authors` has each bot's author.
    """
    alone = [attempt for attempt in inquiry.attempts if attempt.alone]
    if len(inquiry.attempts) - len(alone) <= RETRIES:
        return PlayAgain()
    if not alone:
        return PlayAgain(alone=True)
    last = alone[-1]
    if last.broken is None or not last.machine_works:
        return Stop()
    for version in sorted(last.running, key=lambda each: (each != last.broken, each)):
        if version not in inquiry.trials:
            return Try(version)
    if guilty := sorted(version for version, fails in inquiry.trials.items() if fails):
        return TakeSandbox(dict.fromkeys(guilty, BREAKS_ALONE))
    broken = frozenset(each.broken for each in alone if each.broken is not None)
    case = Unexplained(broken, last.running)
    third = third_bot([*before, case], authors)
    if third in last.running and third not in broken:
        return TakeSandbox({third: _of_third([*before, case], third)}, here=True)
    return LeaveOut(case)


def third_bot(cases: Iterable[Unexplained], authors: Mapping[int, str]) -> int | None:
    """Return the bot beside which sandboxes of others failed, if no other bot explains that.

    There must be two matches that could not be played, in which sandboxes of bots of two authors
    failed, neither of them its own, and in all of which no other bot ran. None if there is no such
    bot, or if there are several.
    """
    cases = list(cases)
    found = [
        version
        for version in sorted(frozenset[int]().union(*(case.running for case in cases)))
        if _alone_explains(version, cases, authors)
    ]
    return found[0] if len(found) == 1 else None


def _alone_explains(version: int, cases: Sequence[Unexplained], authors: Mapping[int, str]) -> bool:
    """Whether others' sandboxes failed beside a bot, and beside no other bot each time."""
    beside = _beside(version, cases)
    others = {authors.get(each, "") for case in beside for each in case.broken}
    if len(others - {authors.get(version, "")}) < 2:
        return False
    return frozenset[int].intersection(*(case.running for case in beside)) == {version}


def _beside(version: int, cases: Iterable[Unexplained]) -> list[Unexplained]:
    """The matches in which a bot ran and only others' sandboxes failed."""
    return [case for case in cases if version in case.running and version not in case.broken]


def _of_third(cases: Sequence[Unexplained], version: int) -> str:
    beside = _beside(version, cases)
    number = len({each for case in beside for each in case.broken})
    return (
        f"sandboxes of {number} other bots failed beside it in {len(beside)} matches of the"
        " season, and no other bot ran in all of these"
    )


def seen_beside(attempts: Iterable[Attempt]) -> Collection[int]:
    """Return the bots of other matches that ran beside every failed attempt at a match.

    They are asked for when the match could be played as soon as nothing else ran.
    """
    together = [attempt.beside for attempt in attempts if not attempt.alone]
    return frozenset[int].intersection(*together) if together else frozenset()

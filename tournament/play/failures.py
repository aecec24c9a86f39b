"""The matches of a season that fail: the decision about the next step, and the step itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any

from card_arena.common.errors import ArenaFailure
from card_arena.common.fault_texts import program_text
from card_arena.common.faults import Facts
from card_arena.formats.field import Pairing
from card_arena.results.entries import Season
from card_arena.results.store import Store
from card_arena.tournament.play.match import RETRIES, MatchVoid
from card_arena.tournament.play.pool import PlaceLost, WorkerLost

# The next step after a match that could not be played, decided from its attempts; pure.
#
# A sandbox that fails need not have been broken by its own bot, since bots that run at the same
# time share a kernel. So a bot is named only if it alone explains the failures:
#
# - Sandboxes fail if it is the only bot on the machine, among harmless programs. No other bot takes
#   part, so none can make it look guilty.
# - A bot may behave well in a trial. So the season's matches that could not be played are compared:
#   if sandboxes of two bots of different authors failed while a third bot ran beside them, and no
#   other bot ran in all those matches, the third bot is named.
#
# If no bot alone explains the failures, the match counts for nobody and the season continues.


BREAKS_ALONE: Facts = {"bots": 0, "matches": 0}
"""The facts of the fault `no-sandbox` for a bot that makes sandboxes fail while no other runs."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt at a match in which something failed; bots are version ids.

    `broken` is the bot whose sandbox failed, None if something else did. `running` are the bots of
    the match that had a sandbox then, `beside` those of other matches on the machine. If it was
    `alone`, nothing else ran on the machine. `machine_works` says whether a harmless program's
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

    `broken` are the bots whose sandboxes failed while nothing else ran on the machine, and
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
    """Bots get no sandbox from now on, for reasons told as facts of the fault `no-sandbox`.

    With `here`, only in this match.
    """

    reasons: Mapping[int, Facts]
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
    """The attempts at a match that has failed, and the trials of its bots.

    `trials` says of each bot that was tried whether sandboxes failed because of it alone.
    """

    attempts: list[Attempt] = field(default_factory=list)
    trials: dict[int, bool] = field(default_factory=dict)


def next_step(inquiry: Inquiry, before: Sequence[Unexplained], authors: Mapping[int, str]) -> Step:
    """Return the next step for a match that has failed.

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
    for version in sorted(last.running, key=lambda other: (other != last.broken, other)):
        if version not in inquiry.trials:
            return Try(version)
    if guilty := sorted(version for version, fails in inquiry.trials.items() if fails):
        return TakeSandbox(dict.fromkeys(guilty, BREAKS_ALONE))
    broken = frozenset(attempt.broken for attempt in alone if attempt.broken is not None)
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
    running = sorted({version for case in cases for version in case.running})
    bots = [version for version in running if _alone_explains(version, cases, authors)]
    return bots[0] if len(bots) == 1 else None


def _alone_explains(version: int, cases: Sequence[Unexplained], authors: Mapping[int, str]) -> bool:
    """Return whether others' sandboxes failed beside a bot, and beside no other bot each time."""
    beside = _beside(version, cases)
    others = {authors.get(broken, "") for case in beside for broken in case.broken}
    if len(others - {authors.get(version, "")}) < 2:
        return False
    return frozenset[int].intersection(*(case.running for case in beside)) == {version}


def _beside(version: int, cases: Iterable[Unexplained]) -> list[Unexplained]:
    """Return the cases in which a bot ran and only others' sandboxes failed."""
    return [case for case in cases if version in case.running and version not in case.broken]


def _of_third(cases: Sequence[Unexplained], version: int) -> Facts:
    beside = _beside(version, cases)
    others = {version for case in beside for version in case.broken}
    return {"bots": len(others), "matches": len(beside)}


def seen_beside(attempts: Iterable[Attempt]) -> Collection[int]:
    """Return the bots of other matches that ran beside every failed attempt at a match.

    The match could then be played with nothing else on the machine.
    """
    together = [attempt.beside for attempt in attempts if not attempt.alone]
    return frozenset[int].intersection(*together) if together else frozenset()


LONGEST_FAILURE = 300
"""The most characters of a failure in a message that also names the running bots."""

MOST_NAMED = 8
"""The most bots of other matches that are named as running when a match failed."""


class SeasonStopped(ArenaFailure):
    """The arena repeatedly failed to play a match; the message names it and says why."""


@dataclass(frozen=True)
class Errand:
    """A match to be played, or, if a bot is `tried`, a trial of that bot at its table.

    If it is `alone`, nothing else runs on the machine. `elsewhere` says that the bot played in
    other matches, so the trial does not depend on this match.
    """

    pairing: Pairing
    alone: bool = False
    tried: int | None = None
    elsewhere: bool = False


class Failures:
    """The failed matches of a season, and the bots that get no sandbox.

    `say` gets sentences for the organiser. `send` plays a match or tries a bot, and `leave_out`
    drops a match after this number of attempts.
    """

    def __init__(
        self,
        store: Store,
        season: Season,
        say: Callable[[str], None],
        send: Callable[[Errand], None],
        leave_out: Callable[[Pairing, int], None],
    ) -> None:
        self._store = store
        self._season = season
        self._say = say
        self._send = send
        self._leave_out = leave_out
        self._inquiries: dict[str, Inquiry] = {}
        self._left_out: list[Unexplained] = []
        self._cleared: set[int] = set()
        """Bots that ran beside a match of others, were tried, and broke nothing."""
        self._no_sandbox = dict.fromkeys(store.without_sandbox(season.id), BREAKS_ALONE)
        self._no_sandbox_here: dict[str, dict[int, Facts]] = {}

    def without_sandbox(self, pairing: Pairing) -> dict[int, Facts]:
        """The entrants of a match that get no sandbox, by their indices, with the reasons."""
        reasons = {**self._no_sandbox, **self._no_sandbox_here.get(pairing.key, {})}
        return {
            place: reasons[version]
            for place, version in enumerate(pairing.versions)
            if version in reasons
        }

    def void(self, errand: Errand, error: MatchVoid | WorkerLost) -> None:
        pairing, versions = errand.pairing, errand.pairing.versions
        without_sandbox = self.without_sandbox(pairing)
        running = [version for n, version in enumerate(versions) if n not in without_sandbox]
        broken, works = None, True
        if isinstance(error, MatchVoid):
            broken = None if error.broken is None else versions[error.broken]
            works = error.machine_works
            running = [versions[entrant] for entrant in error.running]
        beside = frozenset(error.beside)
        reason = self._reason(error, broken, running, beside)
        self._store.note_void(self._season.id, pairing.key, reason)
        inquiry = self._inquiries.setdefault(pairing.key, Inquiry())
        if isinstance(error, PlaceLost):  # the loss of a machine tells nothing about the match
            self._again(pairing, reason, alone=errand.alone)
            return
        inquiry.attempts.append(
            Attempt(broken, frozenset(running), beside, alone=errand.alone, machine_works=works)
        )
        self._proceed(pairing, reason, error)

    def _reason(
        self,
        error: MatchVoid | WorkerLost,
        broken: int | None,
        running: Iterable[int],
        beside: Collection[int],
    ) -> str:
        versions = self._store.versions([*running, *beside])
        labels = {number: version.label for number, version in versions.items()}
        what = " ".join((error.reason if isinstance(error, MatchVoid) else str(error)).split())
        if len(what) > LONGEST_FAILURE:
            what = f"{what[: LONGEST_FAILURE - 3]}..."
        if broken is not None:
            what = f"the sandbox of {labels[broken]} failed ({what})"
        if isinstance(error, PlaceLost):
            return what
        own_bots = ", ".join(labels[version] for version in running) or "no bot"
        others = sorted(labels[version] for version in {*beside} - {*running} if version in labels)
        more = f" and {len(others) - MOST_NAMED} more" if len(others) > MOST_NAMED else ""
        elsewhere = f"; in other matches: {', '.join(others[:MOST_NAMED])}{more}" if others else ""
        return f"{what.rstrip('.')}. Running at that moment: {own_bots}{elsewhere}"

    def _again(self, pairing: Pairing, reason: str, *, alone: bool) -> None:
        how = " with nothing else on the machine" if alone else ""
        self._say(f"match {pairing.key} is void and is played again{how}: {reason}")
        self._send(Errand(pairing, alone=alone))

    def _proceed(self, pairing: Pairing, reason: str, error: Exception | None = None) -> None:
        inquiry = self._inquiries[pairing.key]
        match next_step(inquiry, self._left_out, self._authors(pairing)):
            case PlayAgain(alone):
                self._again(pairing, reason, alone=alone)
            case Try(version):
                self._send(Errand(pairing, alone=True, tried=version))
            case TakeSandbox(reasons, here):
                for version, facts in reasons.items():
                    self._take_sandbox(version, facts, pairing.key if here else None)
                del self._inquiries[pairing.key]
                self._send(Errand(pairing))
            case LeaveOut(case):
                self._leave_out(pairing, len(inquiry.attempts))
                del self._inquiries[pairing.key]
                self._left_out.append(case)
            case Stop():
                raise SeasonStopped(
                    f"match {pairing.key} could not be played in {len(inquiry.attempts)} attempts,"
                    f" through no fault of a bot: {reason}"
                ) from error

    def _authors(self, pairing: Pairing) -> Mapping[int, str]:
        """Return the authors of all bots that ran in a match, or in one that was left out."""
        running = {version for case in self._left_out for version in case.running}
        versions = self._store.versions([*{*running, *pairing.versions}])
        return {number: version.author for number, version in versions.items()}

    def _take_sandbox(self, version: int, facts: Facts, key: str | None) -> None:
        """Take a bot's sandbox away, in one match or for the rest of the season."""
        reasons = self._no_sandbox if key is None else self._no_sandbox_here.setdefault(key, {})
        if version in reasons:  # stored before the database went away
            return
        why = program_text("no-sandbox", facts)
        self._store.note_no_sandbox(self._season.id, version, why, key)
        reasons[version] = facts
        label = self._store.versions([version])[version].label
        where = f"in match {key}" if key else "from now on"
        self._say(f"{label} gets no sandbox {where}: {why}")

    def tried(self, errand: Errand, version: int, future: Future[Any]) -> None:
        """Note whether sandboxes fail because of a bot alone, and take the next step."""
        try:
            fails = bool(future.result())
        except PlaceLost:
            self._send(errand)
            return
        except MatchVoid as error:
            if not error.machine_works:
                raise SeasonStopped(
                    f"match {errand.pairing.key} could not be played: a sandbox failed, and so did"
                    f" a harmless program's: {error.reason}"
                ) from error
            fails = False
        except WorkerLost:
            fails = False
        if not errand.elsewhere:
            self._inquiries[errand.pairing.key].trials[version] = fails
            self._proceed(errand.pairing, "")
        elif fails:
            self._take_sandbox(version, BREAKS_ALONE, None)
        else:
            self._cleared.add(version)

    def look_beside(self, errand: Errand) -> None:
        """Try the bots of other matches, beside which a match failed that could be played alone."""
        inquiry = self._inquiries.pop(errand.pairing.key, None)
        if inquiry is None or not errand.alone:
            return
        excluded = {*self._cleared, *self._no_sandbox, *errand.pairing.versions}
        entered = {entrant.version_id for entrant in self._store.entrants(self._season.id)}
        for version in sorted({*seen_beside(inquiry.attempts)} & entered - excluded):
            pairing = replace(errand.pairing, versions=(version, *errand.pairing.versions[1:]))
            self._send(Errand(pairing, alone=True, tried=version, elsewhere=True))

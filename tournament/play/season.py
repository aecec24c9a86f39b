"""Plays one season: keeps workers busy, and stores results at once.

All state is in the store. After any stop, even a power cut, the next run reads the stored matches
and plays the missing ones.
"""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from heapq import heappop, heappush, nsmallest
from typing import Any, Protocol

from card_arena.common.errors import ArenaFailure, UserError
from card_arena.formats.field import Pairing
from card_arena.results.entries import Season
from card_arena.results.errors import StoreError, Unusable
from card_arena.results.matches import UNWANTED
from card_arena.results.records import Finished
from card_arena.results.store import Store
from card_arena.tournament.play.failures import Errand, Failures
from card_arena.tournament.play.lineup import Tried
from card_arena.tournament.play.match import MatchVoid, Ticket, breaks_sandboxes, finish_match
from card_arena.tournament.play.pool import FairQueue, WorkerLost
from card_arena.tournament.play.schedules import followed
from card_arena.tournament.play.steps import Outages, Steps
from card_arena.tournament.settings import Settings

ROOM = 256 * 2**20
"""Bytes of bundles that a season keeps in memory."""

QUEUE = 50
"""How many matches of a season are shown that are played now or come next."""

PAUSE_FACTOR = 20
"""Pages are refreshed every second, or after this multiple of the time of a refresh."""


SUPPLY_AT = 2 / 3
"""Matches are handed out when at most this part of a queue's tasks is running, so that one entry of
the ledger is about several matches, and no place is idle."""

LOST = "the database could not be used when it was to begin"
"""The reason of a void attempt that is in the ledger but was not begun."""


class Interrupted(ArenaFailure):
    """A season is interrupted, since an operation has to be carried out first."""


class Paused(UserError):
    """A tournament is paused; the message says why, and how to resume it."""

    def __init__(self, tournament: str, reason: str) -> None:
        super().__init__(
            f"{tournament} is paused: {reason} (`arena season resume {tournament}` resumes it)"
        )


@dataclass(frozen=True, slots=True)
class Headway:
    """The progress of a season.

    `played` and `to_come` count matches; `to_come` is None if it can't be known, and an upper bound
    if `at_most` is set. `decisions`, `faults` and those of them that are `forgiven` are of the
    matches that were played since the season was started or resumed.
    """

    season: Season
    played: int
    to_come: int | None
    at_most: bool
    decisions: int
    faults: int
    forgiven: int


class Audience(Protocol):
    """The listener to the events of seasons that are played."""

    def say(self, sentence: str) -> None:
        """Print a line."""

    def tried(self, trial: Tried) -> None:
        """A bot was built and asked the sample question."""

    def nothing_due(self, settings: Settings[Any]) -> None:
        """No season of a tournament is due."""

    def begins(self, season: Season, *, again: bool) -> None:
        """A season begins or resumes."""

    def advances(self, headway: Headway) -> None:
        """Matches were stored."""

    def ends(self, season: Season) -> None:
        """A season is finished."""

    def stops(self, tournament: str) -> None:
        """A tournament can't be played for now."""


def play_season(
    store: Store,
    season: Season,
    queue: FairQueue,
    audience: Audience,
    interrupted: Callable[[], bool] = lambda: False,
    outages: Outages | None = None,
) -> Steps[int]:
    """Play the missing matches of a season and close it; return how many it had in all.

    While the database can't be used, it waits; running matches are kept. Raises `SeasonStopped`,
    and `Interrupted` when it is `interrupted` and the running matches are over.
    """
    outages = outages or Outages(audience.say)
    store.note_resumption(season.id)
    play = _SeasonPlay(store, season, queue, audience)
    try:
        while True:
            try:
                yield from _played(play, interrupted, outages)
                store.finish_season(season.id)
                break
            except Unusable as error:
                outages.wait(error)
                play.is_behind = True
    except BaseException as error:
        with suppress(StoreError):
            store.note_pause(season.id, _why(error))
        raise
    outages.over()
    audience.ends(season)
    if sentence := _unplayed(store, season):
        audience.say(sentence)
    return play.played


def _played(play: _SeasonPlay, interrupted: Callable[[], bool], outages: Outages) -> Steps[None]:
    """Play until nothing is left; raises `Unusable` while the database can't be used."""
    if play.is_behind:
        play.catch_up()
    play.publish()
    while away := play.away if interrupted() else play.dispatch():
        yield away
        if play.store_finished():
            outages.over()
    play.publish()
    if not play.is_over:
        raise Interrupted("an operation has to be carried out first")
    play.add_up()


def _unplayed(store: Store, season: Season) -> str:
    """Say how many matches a season could not play; empty if it played all."""
    kinds = [intervention.kind for intervention in store.interventions(season.id)]
    if not (number := kinds.count("unplayed")):
        return ""
    which = "1 match that" if number == 1 else f"{number} matches that"
    counts = "counts" if number == 1 else "count"
    return (
        f"season {season.number} of {season.tournament} ended without {which} could not be played"
        f" and {counts} for nobody"
    )


def _why(error: BaseException) -> str:
    """Return why a season is no longer played, for its ledger."""
    if isinstance(error, ArenaFailure | UserError):
        return str(error)
    if isinstance(error, GeneratorExit) and error.__context__ is not None:
        return _why(error.__context__)  # it is abandoned for what happened elsewhere
    if isinstance(error, Exception):
        return f"the arena failed: {type(error).__name__}: {error}"
    return "the arena was stopped"


class _SeasonPlay:
    """Hands out a season's tickets and stores its results."""

    def __init__(self, store: Store, season: Season, queue: FairQueue, audience: Audience) -> None:
        self._store = store
        self._season = season
        self._workers = queue
        self._audience = audience
        self.is_behind = False
        """Whether it must read the store again after a failed write."""
        self._bundles: OrderedDict[int, bytes] = OrderedDict()
        self._room = ROOM
        self._errands: deque[Errand] = deque()
        self._failures = Failures(store, season, audience.say, self._note, self._leave_out)
        self._away: dict[Future[Any], Errand] = {}
        self._next_publication = 0.0
        self._planned: int | None = None
        self._queued: Sequence[tuple[str, Sequence[int], bool]] = ()
        self._decisions = self._faults = self._forgiven = 0
        self._read()

    def _read(self) -> None:
        """Read the stored results, and queue the matches that may be played now."""
        self._interventions = len(self._store.interventions(self._season.id))
        self._schedule, self.played = followed(self._store, self._season)
        running = {errand.pairing.key for errand in (*self._errands, *self._away.values())}
        self._waiting: list[tuple[str, Pairing]] = []
        self._queue(pairing for pairing in self._schedule.ready if pairing.key not in running)

    def catch_up(self) -> None:
        """Read the store again, after the database could not be used.

        The last write may be stored or not. A running match continues if its attempt is open in the
        ledger. An open attempt whose match is not running is void.
        """
        begun = self._store.open_attempts(self._season.id)
        for future, errand in [*self._away.items()]:
            if errand.tried is None and errand.pairing.key not in begun:
                del self._away[future]
        under_way = {errand.pairing.key for errand in self._away.values() if errand.tried is None}
        for key in sorted(begun - under_way):
            self._store.note_void(self._season.id, key, LOST)
        self._read()
        self.is_behind = False

    @property
    def away(self) -> Collection[Future[Any]]:
        """The running matches and trials."""
        return self._away.keys()

    @property
    def is_over(self) -> bool:
        return not self._away and self._schedule.over

    def dispatch(self) -> Collection[Future[Any]]:
        """Hand out matches, in playing order; return those that are running.

        All of them are in the ledger before the first can begin.
        """
        errands = [errand for errand in self._errands if self._is_wanted(errand)]
        low = len(self._away) <= self._workers.in_hand * SUPPLY_AT
        while low and self._waiting and len(self._away) + len(errands) < self._workers.in_hand:
            errand = Errand(heappop(self._waiting)[1])
            if self._is_wanted(errand):
                errands.append(errand)
        matches = [errand.pairing.key for errand in errands if errand.tried is None]
        self._store.note_attempts(self._season.id, matches)
        self._errands.clear()
        for errand in errands:
            if errand.tried is not None:
                self._store.note_trial(self._season.id, errand.tried, errand.pairing.key)
            self._send(errand)
        return self.away

    def _is_wanted(self, errand: Errand) -> bool:
        return errand.elsewhere or self._schedule.is_open(errand.pairing.key)

    def _send(self, errand: Errand) -> None:
        pairing = errand.pairing
        bundles = tuple(map(self._bundle, pairing.versions))
        without_sandbox = self._failures.without_sandbox(pairing)
        ticket = Ticket(pairing, bundles, self._season.settings, self._season.key, without_sandbox)
        seats = {version for n, version in enumerate(pairing.versions) if n not in without_sandbox}
        if errand.tried is None:
            future: Future[Any] = self._workers.submit(
                finish_match, ticket, seats=seats, alone=errand.alone
            )
        else:
            place = pairing.versions.index(errand.tried)
            future = self._workers.submit(
                breaks_sandboxes, ticket, place, seats={errand.tried}, alone=True
            )
        self._away[future] = errand

    def store_finished(self) -> bool:
        """Store the finished matches and queue the matches that they make playable.

        Returns whether there were any. While the database can't be used, they stay unsettled.
        """
        home = {future: errand for future, errand in self._away.items() if future.done()}
        try:
            matches = self._settle(home)
        except Unusable:
            self._away |= home
            raise
        expected = self._schedule.to_come, self._schedule.at_most
        counts = self._decisions, self._faults, self._forgiven
        self._audience.advances(Headway(self._season, self.played, *expected, *counts))
        if time.monotonic() >= self._next_publication:
            self.publish()
        return matches

    def _settle(self, home: dict[Future[Any], Errand]) -> bool:
        """Settle finished matches and trials; return whether there were matches."""
        back = []
        for future, errand in [*home.items()]:
            del self._away[future]
            if not self._is_wanted(errand):
                if errand.tried is None:
                    self._store.note_void(self._season.id, errand.pairing.key, UNWANTED)
            elif errand.tried is not None:
                self._failures.tried(errand, errand.tried, future)
            else:
                try:
                    back.append(future.result())
                except (MatchVoid, WorkerLost) as error:
                    self._failures.void(errand, error)
                else:
                    self._failures.look_beside(errand)
                    continue
            del home[future]
        if back:
            self._keep(back)
        return bool(back)

    def publish(self) -> None:
        """Refresh progress, standings and ratings in the store."""
        began = time.monotonic()
        to_come = self._schedule.to_come
        planned = self.played + to_come
        if planned != self._planned:
            at_most = self._schedule.at_most
            self._store.plan_season(self._season.id, planned, at_most=at_most)
            self._planned = planned
        self._publish_queue()
        standings, panels = self._schedule.standings, self._schedule.panels
        if standings or panels:
            drawn = [panel.to_data() for panel in panels]
            self._store.save_standings(self._season.id, standings, drawn)
        self._store.refresh_ratings(self._season.tournament)
        now = time.monotonic()
        self._next_publication = now + max(1.0, PAUSE_FACTOR * (now - began))

    def _publish_queue(self) -> None:
        """Store which matches are played now, and the next ones."""
        away = [(errand.pairing, future.running()) for future, errand in self._away.items()]
        waiting = [(pairing, False) for _, pairing in nsmallest(QUEUE, self._waiting)]
        matches = sorted((*away, *waiting), key=lambda match: (not match[1], match[0].key))
        queue = [(pairing.key, pairing.versions, now) for pairing, now in matches[:QUEUE]]
        if queue != self._queued:
            self._store.note_queue(self._season.id, queue)
            self._queued = queue

    def add_up(self) -> None:
        """Store the tally for the next season, which then need not read all matches."""
        tally = self._schedule.tally
        if tally is not None:
            self._store.keep_tally(self._season.id, tally.to_data())

    def _queue(self, pairings: Iterable[Pairing]) -> None:
        for pairing in pairings:
            heappush(self._waiting, (pairing.key, pairing))

    def _note(self, errand: Errand) -> None:
        """Queue an errand: a match in its turn, an errand that runs alone at once."""
        if errand.alone:
            self._errands.append(errand)
        else:
            self._queue([errand.pairing])

    def _bundle(self, version: int) -> bytes:
        """Return a version's packed files; the latest ones are cached, up to `ROOM`."""
        if version in self._bundles:
            self._bundles.move_to_end(version)
            return self._bundles[version]
        bundle = self._bundles[version] = self._store.archive(version)
        self._room -= len(bundle)
        while self._room < 0 and len(self._bundles) > 1:
            self._room += len(self._bundles.popitem(last=False)[1])
        return bundle

    def _keep(self, matches: Sequence[Finished]) -> None:
        while matches:
            results = self._store.save_matches(self._season.id, matches)
            for match, result in zip(matches, results, strict=False):
                self.played += 1
                self._queue(self._schedule.tell(result))
                self._decisions += sum(result.decisions)
                self._faults += sum(result.faults)
                self._forgiven += sum(tally.forgiven for tally in match.derived.tallies)
            matches = matches[len(results) :]
            if self._season.settings.probation:
                self._apply_probation()
                for match in matches:
                    if not self._schedule.is_open(match.key):
                        self._store.note_void(self._season.id, match.key, UNWANTED)
                matches = [match for match in matches if self._schedule.is_open(match.key)]

    def _apply_probation(self) -> None:
        """Remove the bots that the matches just stored put on probation."""
        for what in self._store.interventions(self._season.id)[self._interventions :]:
            self._interventions += 1
            self._queue(self._schedule.intervene(what))
            assert what.version is not None
            label = self._store.versions([what.version])[what.version].label
            self._audience.say(f"{label} is on probation: {what.reason}")

    def _leave_out(self, pairing: Pairing, attempts: int) -> None:
        why = f"a sandbox failed in {attempts} attempts, and no bot alone explains it"
        what = self._store.proposed(self._season, "unplayed", why, key=pairing.key)
        self._store.intervene(self._season.id, what)
        self._interventions += 1
        self._queue(self._schedule.intervene(what))
        self._audience.say(f"match {pairing.key} is left out and counts for nobody: {why}")

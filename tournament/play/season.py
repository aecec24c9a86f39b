"""Playing one season: workers kept busy, and everything that comes back stored at once.

All state is in the store. Whenever this stops, even by a power cut, the next run reads what is
stored and plays what is missing.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any, Protocol

from common.errors import ArenaFailure, UserError
from leaderboard.finished import Finished
from leaderboard.storage.database import StoreError
from leaderboard.storage.entries import Season
from leaderboard.storage.store import Store
from tournament.formats.base import Pairing
from tournament.play.lanes import Lane, PlaceLost, WorkerLost
from tournament.play.lineup import Tried
from tournament.play.match import BREAKS, RETRIES, MatchVoid, Ticket, finish_match
from tournament.play.schedules import followed
from tournament.play.steps import Steps
from tournament.settings import Settings

ROOM = 256 * 2**20
"""Bytes of bundles that a season keeps in memory."""

PAUSE_FACTOR = 20
"""What is shown is refreshed every second, or after this multiple of the time that it takes."""


class SeasonStopped(ArenaFailure):
    """The arena repeatedly failed to play a match; the message names it and says why."""


class Interrupted(ArenaFailure):
    """A season is not played on for now, since something else has to be done first."""


class Paused(UserError):
    """A tournament is paused; the message says why, and how it goes on."""

    def __init__(self, tournament: str, reason: str) -> None:
        super().__init__(
            f"{tournament} is paused: {reason} (`arena resume {tournament}` lets it go on)"
        )


@dataclass(frozen=True, slots=True)
class Headway:
    """How far a season has come.

    `played` and `to_come` count matches; `to_come` is None if it can't be known, and an upper bound
    if `at_most` is set. `decisions` and `faults` are those of the matches that were played since
    the season was started or resumed.
    """

    season: Season
    played: int
    to_come: int | None
    at_most: bool
    decisions: int
    faults: int


class Audience(Protocol):
    """The listener to what happens while seasons are played."""

    def say(self, sentence: str) -> None:
        """Report something worth a line."""

    def tried(self, trial: Tried) -> None:
        """A bot was built and asked the sample question."""

    def nothing_due(self, settings: Settings[Any]) -> None:
        """A tournament was considered and need not be played now."""

    def begins(self, season: Season, *, again: bool) -> None:
        """A season begins or resumes."""

    def goes_on(self, headway: Headway) -> None:
        """Matches were stored."""

    def ends(self, season: Season) -> None:
        """A season is finished."""

    def stops(self, tournament: str) -> None:
        """A tournament can't be played on for now."""


def play_season(
    store: Store,
    season: Season,
    lane: Lane,
    audience: Audience,
    interrupted: Callable[[], bool] = lambda: False,
) -> Steps[int]:
    """Play the missing matches of a season and close it; return how many it had in all.

    Raises `SeasonStopped`, and `Interrupted` when it is `interrupted` and the matches that were
    being played have come home.
    """
    store.note_resumption(season.id)
    try:
        desk = _Desk(store, season, lane, audience)
        desk.publish()
        while away := desk.away if interrupted() else desk.hand_out():
            yield away
            desk.take_in()
        desk.publish()
        if not desk.is_over:
            raise Interrupted("an order was carried out")
        desk.add_up()
    except BaseException as error:
        with suppress(StoreError):
            store.note_pause(season.id, _why(error))
        raise
    store.finish_season(season.id)
    audience.ends(season)
    return desk.played


def _why(error: BaseException) -> str:
    """Say why a season is no longer played, for its ledger."""
    return str(error) if isinstance(error, ArenaFailure) else "the arena was stopped"


class _Desk:
    """Where tickets go out and results come in."""

    def __init__(self, store: Store, season: Season, lane: Lane, audience: Audience) -> None:
        self._store = store
        self._season = season
        self._lane = lane
        self._audience = audience
        self._schedule, self.played = followed(store, season)
        self._interventions = len(store.interventions(season.id))
        self._bundles: OrderedDict[int, bytes] = OrderedDict()
        self._room = ROOM
        self._waiting: list[tuple[str, Pairing]] = []
        self._queue(self._schedule.ready)
        self._away: dict[Future[Finished], Pairing] = {}
        self._suspects: dict[str, list[int | None]] = {}
        self._boxless: dict[str, dict[int, str]] = {}
        self._next_publication = 0.0
        self._planned: int | None = None
        self._decisions = self._faults = 0

    @property
    def away(self) -> Collection[Future[Finished]]:
        """The matches that are being played."""
        return self._away.keys()

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to be played."""
        return not self._away and self._schedule.over

    def hand_out(self) -> Collection[Future[Finished]]:
        """Keep workers supplied, in playing order; return what is away, if anything is."""
        while self._waiting and len(self._away) < self._lane.in_hand:
            _, pairing = heappop(self._waiting)
            if not self._schedule.wants(pairing.key):
                continue
            bundles = tuple(map(self._bundle, pairing.versions))
            boxless = self._boxless.get(pairing.key, {})
            ticket = Ticket(pairing, bundles, self._season.settings, self._season.key, boxless)
            self._away[self._lane.submit(finish_match, ticket)] = pairing
        return self.away

    def take_in(self) -> None:
        """Store the matches that have come back and find the matches that they make playable."""
        back = []
        for future in [future for future in self._away if future.done()]:
            pairing = self._away.pop(future)
            if not self._schedule.wants(pairing.key):
                continue  # a bot has left since: it is as if the match had not been begun
            try:
                back.append(future.result())
            except (MatchVoid, WorkerLost) as error:
                self._void(pairing, error)
        if back:
            self._keep(back)
        schedule = self._schedule
        self._audience.goes_on(
            Headway(
                self._season,
                self.played,
                schedule.to_come,
                schedule.at_most,
                self._decisions,
                self._faults,
            )
        )
        if time.monotonic() >= self._next_publication:
            self.publish()

    def publish(self) -> None:
        """Refresh what the pages show: progress, standings and ratings."""
        began = time.monotonic()
        to_come = self._schedule.to_come
        planned = None if to_come is None else self.played + to_come
        if planned != self._planned:
            at_most = self._schedule.at_most
            self._store.plan_season(self._season.id, planned, at_most=at_most)
            self._planned = planned
        standings, panels = self._schedule.standings, self._schedule.panels
        if standings or panels:
            drawn = [panel.to_data() for panel in panels]
            self._store.save_standings(self._season.id, standings, drawn)
        self._store.refresh_ratings(self._season.tournament)
        now = time.monotonic()
        self._next_publication = now + max(1.0, PAUSE_FACTOR * (now - began))

    def add_up(self) -> None:
        """Keep what the next season goes on from, so that it needn't read all matches again."""
        tally = self._schedule.tally
        if tally is not None:
            self._store.keep_tally(self._season.id, tally.to_data())

    def _queue(self, pairings: Iterable[Pairing]) -> None:
        for pairing in pairings:
            heappush(self._waiting, (pairing.key, pairing))

    def _bundle(self, version: int) -> bytes:
        """A version's packed files; those wanted last are kept, as far as there is room."""
        if version in self._bundles:
            self._bundles.move_to_end(version)
            return self._bundles[version]
        found = self._bundles[version] = self._store.archive(version)
        self._room -= len(found)
        while self._room < 0 and len(self._bundles) > 1:
            self._room += len(self._bundles.popitem(last=False)[1])
        return found

    def _keep(self, matches: Sequence[Finished]) -> None:
        while matches:
            results = self._store.save_matches(self._season.id, matches)
            for result in results:
                self.played += 1
                self._queue(self._schedule.tell(result))
                self._decisions += sum(result.decisions)
                self._faults += sum(result.faults)
            matches = matches[len(results) :]
            if self._season.settings.get("probation"):
                self._heed()
                matches = [each for each in matches if self._schedule.wants(each.key)]

    def _heed(self) -> None:
        """Let bots leave that were put on probation with the matches that were just stored."""
        for what in self._store.interventions(self._season.id)[self._interventions :]:
            self._interventions += 1
            self._queue(self._schedule.intervene(what))
            assert what.version is not None
            label = self._store.versions([what.version])[what.version].label
            self._audience.say(f"{label} is on probation: {what.reason}")

    def _void(self, pairing: Pairing, error: MatchVoid | WorkerLost) -> None:
        """Have a match replayed; a bot that breaks its box every time gets no box."""
        reason, suspect = str(error), None
        if isinstance(error, MatchVoid):
            reason, suspect = error.reason, error.suspect
        self._store.note_void(self._season.id, pairing.key, reason)
        suspects = self._suspects.setdefault(pairing.key, [])
        if not isinstance(error, PlaceLost):  # a machine that goes away says nothing of the match
            suspects.append(suspect)
        if len(suspects) <= RETRIES:
            self._audience.say(f"match {pairing.key} is void and is played again: {reason}")
            self._queue([pairing])
            return
        if suspect is None or set(suspects) != {suspect}:
            raise SeasonStopped(
                f"match {pairing.key} could not be played in {RETRIES + 1} attempts, through no"
                f" fault of a bot: {reason}"
            ) from error
        suspects.clear()
        self._queue([pairing])
        self._boxless.setdefault(pairing.key, {})[suspect] = f"{BREAKS}: {reason}"
        version = pairing.versions[suspect]
        label = self._store.versions([version])[version].label
        self._audience.say(
            f"match {pairing.key} is played again without a box for {label}: {BREAKS}: {reason}"
        )

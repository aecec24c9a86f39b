"""Playing one season: workers kept busy, and everything that comes back stored at once.

All state is in the store. Whenever this stops, even by a power cut, the next run reads what is
stored and plays what is missing.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush
from typing import Any, Protocol

from common.errors import ArenaFailure
from leaderboard.finished import Finished
from leaderboard.results import Result
from leaderboard.statistics.lead_fit import LeadTally
from leaderboard.statistics.ratings import Rating
from leaderboard.storage.database import StoreError
from leaderboard.storage.entries import Season
from leaderboard.storage.store import Store
from tables.registry import GAMES
from tournament.formats.base import Field, Pairing, Player, Schedule
from tournament.play.lanes import Lane, PlaceLost, WorkerLost
from tournament.play.lineup import Tried
from tournament.play.match import BREAKS, RETRIES, MatchVoid, Ticket, finish_match
from tournament.play.steps import Steps
from tournament.settings import Settings, thaw

ROOM = 256 * 2**20
"""Bytes of bundles that a season keeps in memory."""

PAUSE_FACTOR = 20
"""What is shown is refreshed every second, or after this multiple of the time that it takes."""


class SeasonStopped(ArenaFailure):
    """The arena repeatedly failed to play a match; the message names it and says why."""


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


@dataclass(frozen=True, slots=True)
class Past:
    """What a tournament's previous seasons came to, which were over when this one began.

    `results` yields their results, season by season in key order. Seasons that were played at
    another table are left out: other options or another clock make it another question which bot is
    better. `ratings` yields the ratings after all of them, and `tally` their boards, if they were
    added up when the last of them was over.
    """

    results: Callable[[], Sequence[Result]]
    ratings: Callable[[], Mapping[int, Rating]]
    tally: Callable[[], LeadTally | None] | None = None


def schedule_of(store: Store, season: Season) -> Schedule:
    """Make a season's schedule from the settings frozen when it began, still without results."""
    settings = thaw(season.settings)
    return settings.format.schedule(field_of(store, season, settings))


def field_of(store: Store, season: Season, settings: Settings[Any]) -> Field:
    """Gather the players of a season, its tables, and everything else that its format may use."""
    return field_for(season, settings, players_of(store, season), past_of(store, season, settings))


def players_of(store: Store, season: Season) -> tuple[Player, ...]:
    """The versions that play in a season, in the order of its line-up."""
    playing = [e.version_id for e in store.entrants(season.id) if not e.sits_out]
    versions = store.versions(playing)
    return tuple(
        Player(each.id, each.bot, each.number, each.author, each.submitted)
        for each in map(versions.__getitem__, playing)
    )


def field_for(
    season: Season,
    settings: Settings[Any],
    players: tuple[Player, ...],
    past: Past,
) -> Field:
    """What a format may use in a season of these players."""
    return Field(
        tournament=season.tournament,
        season=season.number,
        seed=season.key,
        players=players,
        tables=settings.seating_plans(),
        carries=settings.carries_on,
        can_sit=partial(GAMES[settings.game].can_sit, settings.options),
        first_purse=GAMES[settings.game].first_purse(settings.options),
        rated=season.rated,
        earlier=past.results,
        apart=season.rated and settings.keeps_authors_apart,
        ratings=past.ratings if settings.rank_by == "rating" else None,
        tally=past.tally,
    )


def schedule_for(
    season: Season,
    settings: Settings[Any],
    players: tuple[Player, ...],
    past: Past,
) -> Schedule:
    """The schedule of a season of these players, still without results."""
    return settings.format.schedule(field_for(season, settings, players, past))


def past_of(store: Store, season: Season, settings: Settings[Any]) -> Past:
    """What the store says of the tournament's previous seasons."""
    return Past(
        partial(_earlier, store, season, settings),
        partial(store.ratings_before, season.tournament, season.number),
        partial(_added_up, store, season, settings),
    )


def _earlier(store: Store, season: Season, settings: Settings[Any]) -> list[Result]:
    before = _alike(store, season, settings)
    return [result for each in before for result in store.results(each.id)]


def _added_up(store: Store, season: Season, settings: Settings[Any]) -> LeadTally | None:
    before = _alike(store, season, settings)
    data = store.tally(before[-1].id) if before else None
    return None if data is None else LeadTally.from_data(data)


def _alike(store: Store, season: Season, settings: Settings[Any]) -> list[Season]:
    """The tournament's seasons before this one at the same table."""
    return [
        each
        for each in store.seasons(season.tournament)
        if each.number < season.number
        and each.rules == season.rules
        and settings.same_table(thaw(each.settings))
    ]


def play_season(store: Store, season: Season, lane: Lane, audience: Audience) -> Steps[int]:
    """Play the missing matches of a season and close it; return how many it had in all.

    Raises `SeasonStopped`.
    """
    store.note_resumption(season.id)
    try:
        desk = _Desk(store, season, lane, audience)
        desk.publish()
        while away := desk.hand_out():
            yield away
            desk.take_in()
        desk.publish()
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
        self._schedule = schedule_of(store, season)
        self._bundles: OrderedDict[int, bytes] = OrderedDict()
        self._room = ROOM
        self.played = 0
        for result in store.each_result(season.id):
            self._schedule.tell(result)
            self.played += 1
        self._waiting: list[tuple[str, Pairing]] = []
        self._queue(self._schedule.ready)
        self._away: dict[Future[Finished], Pairing] = {}
        self._suspects: dict[str, list[int | None]] = {}
        self._boxless: dict[str, dict[int, str]] = {}
        self._next_publication = 0.0
        self._planned: int | None = None
        self._decisions = self._faults = 0

    def hand_out(self) -> Collection[Future[Finished]]:
        """Keep workers supplied, in playing order; return what is away, if anything is."""
        while self._waiting and len(self._away) < self._lane.in_hand:
            _, pairing = heappop(self._waiting)
            bundles = tuple(map(self._bundle, pairing.versions))
            boxless = self._boxless.get(pairing.key, {})
            ticket = Ticket(pairing, bundles, self._season.settings, self._season.key, boxless)
            self._away[self._lane.submit(finish_match, ticket)] = pairing
        return self._away.keys()

    def take_in(self) -> None:
        """Store the matches that have come back and find the matches that they make playable."""
        back = []
        for future in [future for future in self._away if future.done()]:
            pairing = self._away.pop(future)
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
        for result in self._store.save_matches(self._season.id, matches):
            self.played += 1
            self._queue(self._schedule.tell(result))
            self._decisions += sum(result.decisions)
            self._faults += sum(result.faults)

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

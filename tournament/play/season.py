"""Playing one season: a crew kept fed, and everything that comes back stored at once.

Nothing is remembered here that is not in the store. Whenever this stops, by a power cut too, the
next one reads what is stored and plays what is missing.
"""

from __future__ import annotations

import time
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from common.errors import ArenaFailure
from leaderboard.results import Played, Result, Sheet, sheet
from leaderboard.storage.entries import Season
from leaderboard.storage.store import Checked, Store
from tables.registry import GAMES
from tournament.formats.contest import Contest, Pairing
from tournament.play.lineup import Tried
from tournament.play.match import BREAKS, RETRIES, MatchVoid, Ticket, play_match
from tournament.play.worker_pool import Crew, WorkerLost
from tournament.settings import Settings, thaw

IN_FLIGHT = 3
"""Matches handed out for each worker, so that none waits for the next while one is stored."""

PAUSE_FACTOR = 20
"""Points and ratings are refreshed every second, or so many times as long as that takes."""


class SeasonStopped(ArenaFailure):
    """The arena failed to play a match, again and again; the message names it and says why."""


@dataclass(frozen=True, slots=True)
class Headway:
    """How far a season has come.

    `played` and `to_come` are matches; `decisions` and `faults` are those of the matches that
    were played since the season was started or taken up again.
    """

    played: int
    to_come: int
    decisions: int
    faults: int


class Audience(Protocol):
    """Whoever is told what happens."""

    def say(self, sentence: str) -> None:
        """Something worth a line."""

    def tried(self, trial: Tried) -> None:
        """A bot was built and asked the sample question."""

    def nothing_due(self, settings: Settings[Any]) -> None:
        """A tournament was looked at and need not be played now."""

    def begins(self, season: Season, *, again: bool) -> None:
        """A season begins, or is taken up again."""

    def goes_on(self, headway: Headway) -> None:
        """Matches were stored."""

    def ends(self, season: Season) -> None:
        """A season is finished."""


def plan(store: Store, season: Season) -> Contest:
    """Make a season's format from what was frozen when it began."""
    settings = thaw(season.settings)
    game = GAMES[settings.game]
    return Contest(
        tournament=season.tournament,
        season=season.number,
        seed=season.seed,
        versions=tuple(e.version_id for e in store.entrants(season.id) if not e.sits_out),
        tourneys=settings.tourneys,
        rounds=settings.rounds,
        line_ups=settings.line_ups(),
        carries=settings.carries_on,
        broke=settings.broke,
        can_sit=partial(game.can_sit, settings.options),
    )


def in_brief(played: Played | Checked, derived: Sheet) -> Result:
    """What a match came to: the same as the store says of it later."""
    tallies = derived.tallies
    return Result(
        key=played.key,
        leg=played.leg,
        round=played.round,
        versions=played.versions,
        sides=tuple(tally.side for tally in tallies),
        ranks=tuple(tally.rank for tally in tallies),
        scores=tuple(tally.score for tally in tallies),
        purses=tuple(tally.purse for tally in tallies if tally.purse is not None),
        shoe=derived.shoe,
    )


def play_season(store: Store, season: Season, crew: Crew, audience: Audience) -> None:
    """Play what is missing of a season and close it; raises `SeasonStopped`."""
    desk = _Desk(store, season, crew, audience)
    desk.publish()
    while desk.hand_out():
        desk.take_in()
    desk.publish()
    store.finish_season(season.id)
    audience.ends(season)


class _Desk:
    """Where tickets go out and results come in."""

    def __init__(self, store: Store, season: Season, crew: Crew, audience: Audience) -> None:
        self._store = store
        self._season = season
        self._crew = crew
        self._audience = audience
        self._plan = plan(store, season)
        self._bundles = {version: store.archive(version) for version in self._plan.versions}
        self._results = {result.key: result for result in store.results(season.id)}
        self._progress = self._plan.progress(self._results)
        self._away: dict[Future[Played], Pairing] = {}
        self._suspects: dict[str, list[int | None]] = {}
        self._boxless: dict[str, dict[int, str]] = {}
        self._next_publication = 0.0
        self._planned: int | None = None
        self._decisions = self._faults = 0

    def hand_out(self) -> bool:
        """Keep the crew supplied; False when everything is played."""
        room = self._crew.workers * IN_FLIGHT - len(self._away)
        away = {pairing.key for pairing in self._away.values()}
        waiting = [p for p in self._progress.ready if p.key not in away]
        for pairing in waiting[:room]:
            bundles = tuple(self._bundles[version] for version in pairing.versions)
            boxless = self._boxless.get(pairing.key, {})
            ticket = Ticket(pairing, bundles, self._season.settings, self._season.seed, boxless)
            self._away[self._crew.submit(play_match, ticket)] = pairing
        return bool(self._away)

    def take_in(self) -> None:
        """Wait until something comes back, store it and look at the season anew."""
        done, _ = wait(self._away, return_when=FIRST_COMPLETED)
        for future in done:
            pairing = self._away.pop(future)
            try:
                played = future.result()
            except (MatchVoid, WorkerLost) as error:
                self._void(pairing, error)
            else:
                self._keep(played)
        self._progress = self._plan.progress(self._results)
        to_come = self._progress.to_come
        self._audience.goes_on(Headway(len(self._results), to_come, self._decisions, self._faults))
        if time.monotonic() >= self._next_publication:
            self.publish()

    def publish(self) -> None:
        """Refresh what the pages show: how far it is to the end, points and ratings."""
        began = time.monotonic()
        planned = len(self._results) + self._progress.to_come
        if planned != self._planned:
            self._store.plan_season(self._season.id, planned)
            self._planned = planned
        if self._progress.points:
            self._store.save_points(self._season.id, self._progress.points)
        self._store.refresh_ratings(self._season.tournament)
        now = time.monotonic()
        self._next_publication = now + max(1.0, PAUSE_FACTOR * (now - began))

    def _keep(self, played: Played) -> None:
        self._store.save_match(self._season.id, played)
        derived = sheet(played.records, played.seatings, played.sides)
        self._results[played.key] = in_brief(played, derived)
        self._decisions += sum(tally.decisions for tally in derived.tallies)
        self._faults += sum(tally.faults for tally in derived.tallies)

    def _void(self, pairing: Pairing, error: MatchVoid | WorkerLost) -> None:
        """Have it played again; where a bot breaks its box every time, without a box for it."""
        reason, suspect = str(error), None
        if isinstance(error, MatchVoid):
            reason, suspect = error.reason, error.suspect
        suspects = self._suspects.setdefault(pairing.key, [])
        suspects.append(suspect)
        if len(suspects) <= RETRIES:
            self._audience.say(f"match {pairing.key} is void and is played again: {reason}")
            return
        if suspect is None or set(suspects) != {suspect}:
            raise SeasonStopped(
                f"match {pairing.key} could not be played in {RETRIES + 1} attempts, through no"
                f" fault of a bot: {reason}"
            ) from error
        suspects.clear()
        self._boxless.setdefault(pairing.key, {})[suspect] = f"{BREAKS}: {reason}"
        version = pairing.versions[suspect]
        label = self._store.versions([version])[version].label
        self._audience.say(
            f"match {pairing.key} is played again without a box for {label}: {BREAKS}: {reason}"
        )

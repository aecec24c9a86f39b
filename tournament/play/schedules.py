"""A season's beginning, and its schedule as it follows from the store."""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

from card_arena.common.errors import UserError
from card_arena.formats.field import Field, Player
from card_arena.formats.interventions import Intervention
from card_arena.formats.schedule import Schedule
from card_arena.ratings.margin_fit import MarginTally
from card_arena.ratings.match_results import Result
from card_arena.ratings.same_contest import beginnings, changes, same_table
from card_arena.ratings.trueskill_ratings import Rating, fold
from card_arena.results.entries import Entrant, Season
from card_arena.results.proof.manifest import Terms, address, awaited_value
from card_arena.results.store import Store
from card_arena.tables.registry import GAMES
from card_arena.tournament.settings import Settings, source, thaw
from card_arena.tournament.version import __version__, revision


@dataclass(frozen=True, slots=True)
class Past:
    """A tournament's seasons that were over when this one began.

    `results` returns their results, season by season in key order, without seasons at another
    table: other options or another clock decide again which bot is better. `ratings` returns the
    ratings after all of them, and `tally` their boards, if they were added up when the last season
    was over. Seasons and matches that were annulled before this season began are left out.
    """

    results: Callable[[], Sequence[Result]]
    ratings: Callable[[], Mapping[int, Rating]]
    tally: Callable[[], MarginTally | None] | None = None


@dataclass(frozen=True, slots=True)
class Course:
    """A season's interventions, and which matches came before each.

    `before` has the keys of the matches between each intervention and the one before it.
    """

    interventions: Sequence[Intervention] = ()
    before: Sequence[Collection[str]] = ()

    @property
    def annulled(self) -> frozenset[str]:
        """The keys of the matches that count for nothing."""
        return frozenset(
            intervention.key
            for intervention in self.interventions
            if intervention.kind == "annul" and intervention.key is not None
        )

    @property
    def parts(self) -> Mapping[str, int]:
        """The number of interventions before each of these matches; all came before the others."""
        return {key: number for number, keys in enumerate(self.before) for key in keys}

    def tell(self, schedule: Schedule, results: Iterable[Result]) -> int:
        """Tell a schedule the results and interventions, in order; return how many results."""
        parts: list[list[Result]] = [[] for _ in (*self.interventions, None)]
        place = self.parts
        count = 0
        for result in results:
            count += 1
            if self.interventions:
                parts[place.get(result.key, -1)].append(result)
            else:
                schedule.tell(result)
        for part, what in zip(parts, (*self.interventions, None), strict=True):
            for result in part:
                schedule.tell(result)
            if what is not None:
                schedule.intervene(what)
        return count


def course_of(store: Store, season: Season) -> Course:
    what = store.interventions(season.id)
    return Course(what, store.keys_by_intervention(season.id, what)) if what else Course()


def followed(store: Store, season: Season) -> tuple[Schedule, int]:
    """Return a season's schedule with its stored results, and their number."""
    course = course_of(store, season)
    schedule = schedule_of(store, season, course)
    return schedule, course.tell(schedule, store.each_result(season.id))


def schedule_of(store: Store, season: Season, course: Course | None = None) -> Schedule:
    """Make a season's schedule from the settings frozen when it began, still without results."""
    settings = thaw(season.settings)
    return schedule_for(
        season,
        settings,
        players_of(store, season),
        past_of(store, season),
        course.annulled if course else (),
    )


def players_of(store: Store, season: Season) -> tuple[Player, ...]:
    """Return the versions with which a season began, in line-up order, as they were then.

    Bots may have been renamed since. Bots that were admitted later are not included.
    """
    entrants = store.manifest(season.id).entrants
    return tuple(Player.of(entrant) for entrant in entrants if not entrant.sits_out)


def schedule_for(
    season: Season,
    settings: Settings[Any],
    players: tuple[Player, ...],
    past: Past,
    annulled: Container[str] = (),
) -> Schedule:
    """Make the schedule of a season of these players, still without results."""
    game = GAMES[settings.game]
    field = Field(
        tournament=season.tournament,
        season=season.number,
        seed=season.key,
        players=players,
        tables=settings.seating_plans(),
        carries=settings.carries,
        can_sit=partial(game.can_sit, settings.options),
        first_purse=game.first_purse(settings.options),
        earlier=past.results,
        apart=season.rated and settings.keeps_authors_apart,
        ratings=past.ratings if settings.rank_by == "rating" else None,
        tally=past.tally,
    )
    schedule: Schedule = settings.format.schedule(field, annulled)
    return schedule


def past_of(store: Store, season: Season) -> Past:
    """Read a tournament's earlier seasons from the store."""
    return Past(
        partial(_earlier, store, season),
        partial(_ratings, store, season),
        partial(_added_up, store, season),
    )


def _earlier(store: Store, season: Season) -> list[Result]:
    later = store.annulled_later(season)
    return [
        result
        for earlier in _counting(store, season, later)
        if same_table(earlier.contest, season.contest)
        for result in _results(store, earlier, later.get(earlier.id, ()))
    ]


def _added_up(store: Store, season: Season) -> MarginTally | None:
    later = store.annulled_later(season)
    before = [
        earlier
        for earlier in _counting(store, season, later)
        if same_table(earlier.contest, season.contest)
    ]
    data = store.tally(before[-1].id) if before and not later else None
    return None if data is None else MarginTally.from_data(data)


def _ratings(store: Store, season: Season) -> Mapping[int, Rating]:
    """Return the ratings when a season began; they are folded again after a later annulment."""
    later = store.annulled_later(season)
    if not later:
        return store.ratings_before(season.tournament, season.number)
    rated = [earlier for earlier in _counting(store, season, later) if earlier.rated]
    begun = beginnings((earlier.number, earlier.contest) for earlier in (*rated, season))
    current: Mapping[int, Rating] = {}
    for earlier in rated:
        if begun[earlier.number].season == earlier.number:
            current = {}
        current = fold(_results(store, earlier, later.get(earlier.id, ())), current).current
    return {} if begun[season.number].season == season.number else current


Later = Mapping[int, Sequence[Intervention]]
"""The annulments after a season had begun, by the ids of earlier seasons."""


def _counting(store: Store, season: Season, later: Later) -> list[Season]:
    """Return the tournament's earlier seasons that counted when this one began."""
    return [
        earlier
        for earlier in store.seasons(season.tournament)
        if earlier.number < season.number
        and (not earlier.annulled or any(what.ends for what in later.get(earlier.id, ())))
    ]


def _results(store: Store, season: Season, later: Sequence[Intervention]) -> Sequence[Result]:
    """Return a season's results, with those that were annulled later."""
    if not later:
        return store.results(season.id)
    revived = {what.key for what in later}
    out = {what.key for what in store.interventions(season.id) if what.kind == "annul"} - revived
    return [result for result in store.each_result(season.id) if result.key not in out]


class AnotherContest(UserError):
    """A tournament's file describes another contest than its last season; the message says how."""


def demand_continuity(settings: Settings[Any], seasons: Sequence[Season]) -> None:
    """Raise `AnotherContest` if ratings can't continue from the last of these seasons.

    New rules of the game, which come with a new arena, are allowed: ratings then start again.
    """
    if not seasons:
        return
    last = seasons[-1]
    differences = changes(last.contest, settings.freeze().contest(last.rules))
    if differences:
        raise AnotherContest(
            f"{settings.name}: since season {last.number} {'; '.join(map(str, differences))}."
            " Ratings of the two can't be compared, so give the tournament another name, or undo"
            " the change"
        )


def demand_same_rules(season: Season) -> None:
    """Raise `AnotherContest` if a season that is to be played on began with other rules."""
    game = season.settings.game
    now = GAMES[game].version
    if season.rules != now:
        raise AnotherContest(
            f"{season.tournament}: season {season.number} began with version {season.rules} of the"
            f" rules of {game}, and this arena plays version {now}. Finish it with the arena that"
            " began it, or give the tournament another name"
        )


def demand_all(store: Store, tournaments: Sequence[Settings[Any]]) -> None:
    """Check every tournament that is not in the middle of a season, before anything is played.

    An interrupted season is finished first, by the settings that it began with.
    """
    for settings in tournaments:
        seasons = store.seasons(settings.name)
        if all(season.finished is not None for season in seasons):
            demand_continuity(settings, seasons)


class ValueAwaited(UserError):
    """A season needs its public value before it is dealt; the message says what to do."""

    def __init__(self, season: Season) -> None:
        self.season = season
        value_from = season.value_from or {}
        where = address(value_from)
        looked_up = f" ({where})" if where else ""
        typed = "type it in with `arena ledger public {} VALUE`"
        if value_from.get("source") == "nonces":
            typed = "show each with `arena ledger public {} BOT NONCE`"
        super().__init__(
            f"season {season.number} of {season.tournament} waits for {awaited_value(value_from)}"
            f"{looked_up}: {typed.format(season.tournament)}"
        )


class NoNonces(UserError):
    """A season's public value is made of nonces, but no bot that plays has one."""


def demand_value(store: Store, season: Season) -> Season:
    """Return a season with its public value if it needs one; raises `ValueAwaited` without."""
    if not season.awaits_value:
        return season
    value = store.settle_late(season.id)
    if value is None:
        raise ValueAwaited(season)
    return replace(season, public_value=value)


def begin(
    store: Store,
    settings: Settings[Any],
    entrants: Sequence[Entrant],
    due: datetime,
    seed: bytes | None = None,
) -> Season:
    """Begin a tournament's next season, with the announced seed unless there is a `seed`.

    Raises `NoNonces`.
    """
    nonces = store.nonces([entrant.version_id for entrant in entrants if not entrant.sits_out])
    if settings.public_value and settings.public_value.nonces is not None and not nonces:
        raise NoNonces(
            f"{settings.name} can't begin: its public value is to be made of nonces, and no bot"
            " that plays has one (`arena submit my_bot/ --author YOU --nonce HASH`)"
        )
    terms = Terms(
        settings=settings.freeze(),
        rules={"game": settings.game, "version": GAMES[settings.game].version},
        arena={"version": __version__, "revision": revision()},
        public_value=source(settings.public_value, datetime.now(UTC), nonces),
    )
    return store.begin_season(settings.name, terms, seed, entrants, due)

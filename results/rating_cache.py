"""Ratings stored beside the matches: a cache of the fold over a tournament's results.

Each seat stores its version's rating after the match, each entrant the rating after its last match
of the season. A match is stored without ratings and may arrive out of key order (the legs of a
contest are played in parallel), so matches are rated again from the earliest unrated one on, and
the changes are written (ratings c.2). What came before that one is read, not rated again: the cost
is that of the matches since, however many there were before. A season by another version of the
rules than the rated one before it starts every entrant as a newcomer (c.5). Seasons that are not
rated have no ratings, nor have matches that were annulled.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, bindparam, func, select, true, tuple_, update
from sqlalchemy.orm import Session

from card_arena.ratings.match_results import Result
from card_arena.ratings.same_contest import beginnings
from card_arena.ratings.trueskill_ratings import NEWCOMER, Rating, rated
from card_arena.results.counts import COUNTING, RATED
from card_arena.results.database import Repository
from card_arena.results.models import EntrantRow, MatchRow, SeasonRow, SeatRow, TournamentRow
from card_arena.results.stored_match import Difference

AT_ONCE = 1_000
"""Matches that are looked through at a time for a version's newest rating."""


class Ranked(NamedTuple):
    """The ranks of a stored match, and the ratings beside them."""

    result: Result
    match_id: int
    seats: tuple[int, ...]
    stored: tuple[Rating | None, ...]


def results(session: Session, season_id: int) -> tuple[Result, ...]:
    """Every match of a season that counts in brief, in key order."""
    return tuple(each_result(session, season_id, COUNTING))


def each_result(session: Session, season_id: int, *which: ColumnElement[bool]) -> Iterator[Result]:
    """Yield the stored matches of a season, or `which` of them, annulled ones included."""
    return (result for result, _ in _matches(session, season_id, *which))


def published(session: Session, season_id: int, *, rated: bool) -> tuple[Result, ...]:
    """The matches of a season, in key order, that the stored points include.

    Points are stored right before ratings, so a match with ratings is included.
    """
    return tuple(
        result
        for result, is_rated in _matches(session, season_id, COUNTING)
        if is_rated or not rated
    )


def refresh(session: Session, tournament_id: int) -> None:
    """Rate the unrated matches, in one transaction that holds the tournament's lock."""
    unrated = session.execute(
        select(SeasonRow.id, SeasonRow.number, SeasonRow.unrated_from)
        .where(SeasonRow.tournament_id == tournament_id, SeasonRow.unrated_from.is_not(None))
        .order_by(SeasonRow.number)
        .with_for_update()  # no match of these seasons is stored meanwhile
    ).all()
    if not unrated:
        return
    first = unrated[0]
    rows = session.execute(
        select(SeasonRow.id, SeasonRow.number)
        .where(
            SeasonRow.tournament_id == tournament_id,
            RATED,
            SeasonRow.number >= first.number,
        )
        .order_by(SeasonRow.number)
    ).all()
    current: dict[int, Rating] = {}
    for season_id, number in rows:
        key = first.unrated_from if number == first.number else ""
        played = list(_ranked(session, season_id, key))
        if number != first.number and _start(session, tournament_id, number) == number:
            current = {}
        unknown = {version for match in played for version in match.result.versions} - {*current}
        ratings = _within(session, season_id, key, unknown) if key else {}
        others = unknown - {*ratings}
        if others:
            start = _start(session, tournament_id, number)
            ratings |= _between(session, tournament_id, start, number, others)
        current |= ratings
        _rate(session, season_id, played, current)
    done = [row.id for row in unrated]
    session.execute(update(SeasonRow).where(SeasonRow.id.in_(done)).values(unrated_from=None))


def _rate(
    session: Session, season_id: int, played: Sequence[Ranked], current: dict[int, Rating]
) -> None:
    """Rate matches that follow each other from the `current` ratings on, and write the changes."""
    seats, sat_down = [], dict[int, Rating]()
    for match, after in _folded(played, current):
        sat_down.update(zip(match.result.versions, after, strict=True))
        seats += [
            {"of_match": match.match_id, "of_seat": seat, "mu": rating.mu, "sigma": rating.sigma}
            for seat, rating, stored in zip(match.seats, after, match.stored, strict=True)
            if rating != stored
        ]
    entrants = [
        {"of_season": season_id, "of_version": version, "mu": rating.mu, "sigma": rating.sigma}
        for version, rating in sat_down.items()
    ]
    connection = session.connection()
    for statement, values in ((_SEAT_RATED, seats), (_ENTRANT_RATED, entrants)):
        if values:
            connection.execute(statement, values)


_SEAT_RATED = (
    update(SeatRow)
    .where(SeatRow.match_id == bindparam("of_match"), SeatRow.seat == bindparam("of_seat"))
    .values(mu=bindparam("mu"), sigma=bindparam("sigma"))
)
_ENTRANT_RATED = (
    update(EntrantRow)
    .where(
        EntrantRow.season_id == bindparam("of_season"),
        EntrantRow.version_id == bindparam("of_version"),
    )
    .values(mu=bindparam("mu"), sigma=bindparam("sigma"))
)


def _folded(
    played: Iterable[Ranked], current: dict[int, Rating]
) -> Iterator[tuple[Ranked, tuple[Rating, ...]]]:
    """Rate matches in turn, each with its ratings afterwards; `current` is kept up."""
    for match in played:
        result = match.result
        before = tuple(current.get(version, NEWCOMER) for version in result.versions)
        after = rated(result, before) if len({*result.sides}) > 1 else before
        current.update(zip(result.versions, after, strict=True))
        yield match, after


def _differences(session: Session, tournament_id: int) -> Iterator[Difference]:
    """Compare every stored rating with the fold from the first season on."""
    rows = session.scalars(
        select(SeasonRow).where(SeasonRow.tournament_id == tournament_id).order_by(SeasonRow.number)
    ).all()
    counting = [row for row in rows if row.rated and not row.annulled]
    begun = beginnings((row.number, row.contest) for row in counting)
    current: dict[int, Rating] = {}
    for row in rows:
        season_id, number = row.id, row.number
        if row in counting and begun[number].season == number:
            current = {}
        sat_down: dict[int, Rating] = {}
        for match, after in _derived(session, row, current):
            result = match.result
            sat_down.update(
                (version, rating)
                for version, rating in zip(result.versions, after, strict=True)
                if rating is not None
            )
            for seat, stored, rating in zip(match.seats, match.stored, after, strict=True):
                if stored != rating:
                    yield Difference(f"{result.key}, seat {seat}", "rating", stored, rating)
        entrants = select(EntrantRow).where(EntrantRow.season_id == season_id)
        for entrant in session.scalars(entrants.order_by(EntrantRow.place)):
            stored, rating = rating_of(entrant), sat_down.get(entrant.version_id)
            if stored != rating:
                where = f"season {number}, version {entrant.version_id}"
                yield Difference(where, "rating", stored, rating)


def _derived(
    session: Session, row: SeasonRow, current: dict[int, Rating]
) -> Iterator[tuple[Ranked, tuple[Rating | None, ...]]]:
    """A season's matches with the ratings that they should have: none if they don't count."""
    is_rated = row.rated and not row.annulled
    if is_rated:
        yield from _folded(_ranked(session, row.id), current)
    others = MatchRow.annulled.is_(True) if is_rated else true()
    for match in _ranked(session, row.id, which=others):
        yield match, (None,) * len(match.seats)


def _start(session: Session, tournament_id: int, number: int) -> int:
    """The season that the ratings of a season began with; itself if it isn't rated."""
    rows = session.execute(
        select(SeasonRow.number, SeasonRow.settings, SeasonRow.rules)
        .where(SeasonRow.tournament_id == tournament_id, RATED, SeasonRow.number <= number)
        .order_by(SeasonRow.number)
    )
    begun = beginnings((season, settings.contest(rules)) for season, settings, rules in rows)
    return begun[number].season if number in begun else number


def _within(
    session: Session, season_id: int, key: str, versions: Collection[int]
) -> dict[int, Rating]:
    """The newest ratings of these versions in a season before a match, as far as there are any.

    Matches are gone through backwards, since most versions have played lately.
    """
    seen = select(EntrantRow.version_id).where(
        EntrantRow.season_id == season_id,
        EntrantRow.version_id.in_(versions),
        EntrantRow.mu.is_not(None),
    )
    rated_before = {*session.scalars(seen)}
    ratings: dict[int, Rating] = {}
    while len(ratings) < len(rated_before):
        before = (
            select(MatchRow.id, MatchRow.key)
            .where(MatchRow.season_id == season_id, MatchRow.key < key, COUNTING)
            .order_by(MatchRow.key.desc())
            .limit(AT_ONCE)
            .subquery()
        )
        rows = session.execute(
            select(before.c.key, SeatRow.version_id, SeatRow.mu, SeatRow.sigma)
            .join(before, before.c.id == SeatRow.match_id)
            .order_by(before.c.key.desc())
        ).all()
        if not rows:
            break
        for _, version, mu, sigma in rows:
            if version in rated_before and version not in ratings:
                ratings[version] = Rating(mu, sigma)
        key = rows[-1][0]
    return ratings


def _between(
    session: Session,
    tournament_id: int,
    begun: int,
    first: int,
    versions: Collection[int] | None = None,
) -> dict[int, Rating]:
    """The ratings at the start of season `first`, which began with season `begun`.

    They are those of these `versions`, or of all.
    """

    def among(*columns: Any) -> Select[Any]:
        query: Select[Any] = select(*columns)
        query = query.join(SeasonRow).where(
            SeasonRow.tournament_id == tournament_id,
            SeasonRow.number >= begun,
            SeasonRow.number < first,
            EntrantRow.mu.is_not(None),
        )
        return query if versions is None else query.where(EntrantRow.version_id.in_(versions))

    newest = among(EntrantRow.version_id, func.max(SeasonRow.number))
    rows = session.execute(
        among(EntrantRow.version_id, EntrantRow.mu, EntrantRow.sigma).where(
            tuple_(EntrantRow.version_id, SeasonRow.number).in_(
                newest.group_by(EntrantRow.version_id)
            )
        )
    )
    return {version: Rating(mu, sigma) for version, mu, sigma in rows}


def _ranked(
    session: Session, season_id: int, first: str = "", which: ColumnElement[bool] = COUNTING
) -> Iterator[Ranked]:
    """The matches of a season from this key on, in key order, as far as ratings need them.

    They are those that count, or `which` others.
    """
    rows = session.execute(
        select(
            MatchRow.key,
            SeatRow.match_id,
            SeatRow.seat,
            SeatRow.version_id,
            SeatRow.side,
            SeatRow.rank,
            SeatRow.mu,
            SeatRow.sigma,
        )
        .join(SeatRow, SeatRow.match_id == MatchRow.id)
        .where(MatchRow.season_id == season_id, MatchRow.key >= first, which)
        .order_by(MatchRow.key, SeatRow.seat),
        execution_options={"yield_per": AT_ONCE},
    )
    for key, group in groupby(rows, key=lambda row: row[0]):
        _, ids, seats, versions, sides, ranks, mus, sigmas = zip(*group, strict=True)
        yield Ranked(
            Result(key, 0, 0, versions, sides, ranks, (), ()),
            ids[0],
            seats,
            tuple(map(rating, mus, sigmas)),
        )


def _matches(
    session: Session, season_id: int, *which: ColumnElement[bool]
) -> Iterator[tuple[Result, bool]]:
    """Yield the matches of a season in key order, each with whether all its entrants are rated."""
    query = (
        select(
            MatchRow.key,
            MatchRow.leg,
            MatchRow.round,
            MatchRow.shoe,
            MatchRow.boards,
            MatchRow.games,
            MatchRow.luck,
            MatchRow.penalties,
            SeatRow.version_id,
            SeatRow.side,
            SeatRow.rank,
            SeatRow.score,
            SeatRow.purse,
            SeatRow.decisions,
            SeatRow.faults,
            SeatRow.mu,
        )
        .join(SeatRow, SeatRow.match_id == MatchRow.id)
        .where(MatchRow.season_id == season_id, *which)
        .order_by(MatchRow.key, SeatRow.seat)
    )
    rows = session.execute(query, execution_options={"yield_per": AT_ONCE})
    for _, group in groupby(rows, key=lambda row: row[0]):
        seats = [*group]
        match = seats[0]
        versions, sides, ranks, scores, purses, decisions, faults, mus = zip(
            *(seat[8:] for seat in seats), strict=True
        )
        yield (
            Result(
                key=match.key,
                leg=match.leg,
                round=match.round,
                versions=versions,
                sides=sides,
                ranks=ranks,
                scores=scores,
                purses=tuple(purse for purse in purses if purse is not None),
                shoe=tuple(match.shoe),
                boards=tuple(map(tuple, match.boards)),
                decisions=decisions,
                faults=faults,
                games=match.games,
                luck=tuple(map(tuple, match.luck or ())),
                penalties=tuple(map(tuple, match.penalties or ())),
            ),
            None not in mus,
        )


def rating_of(row: SeatRow | EntrantRow) -> Rating | None:
    """The rating in a row, or None if there is none yet."""
    return rating(row.mu, row.sigma)


def rating(mu: float | None, sigma: float | None) -> Rating | None:
    """The rating of these two columns, or None if there is none yet."""
    return None if mu is None or sigma is None else Rating(mu, sigma)


class RatingRepository(Repository):
    """The ratings of a tournament, stored beside its matches."""

    def refresh_ratings(self, tournament: str) -> None:
        """Rate the matches that are not rated yet, by a fold over all seasons in key order."""
        with self.database.writing() as session:
            owner = session.scalar(
                select(TournamentRow).where(TournamentRow.name == tournament).with_for_update()
            )
            if owner is not None:
                refresh(session, owner.id)

    def refresh_all_ratings(self) -> None:
        """Rate the matches of all tournaments that are not rated yet, such as a migration left."""
        with self.database.reading() as session:
            names = session.scalars(select(TournamentRow.name).order_by(TournamentRow.id)).all()
        for name in names:
            self.refresh_ratings(name)

    def ratings_before(self, tournament: str, number: int) -> Mapping[int, Rating]:
        """The ratings of a tournament's versions when this season of it began."""
        with self.database.reading() as session:
            tournament_id = _tournament_id(session, tournament)
            start = _start(session, tournament_id, number)
            return _between(session, tournament_id, start, number)

    def check_ratings(self, tournament: str) -> Sequence[Difference]:
        """Fold all seasons again and return the stored ratings that differ.

        A match that is not rated yet counts as a difference.
        """
        with self.database.reading() as session:
            return [*_differences(session, _tournament_id(session, tournament))]


def _tournament_id(session: Session, name: str) -> int:
    """The id of a tournament; 0, which none has, for an unknown name."""
    return session.scalar(select(TournamentRow.id).where(TournamentRow.name == name)) or 0

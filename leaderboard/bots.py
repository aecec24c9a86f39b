"""Bots: all of them in a list, and one with its versions, ratings, results and faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from pydantic import InstanceOf
from sqlalchemy import (
    ColumnElement,
    Double,
    ScalarSelect,
    Select,
    case,
    cast,
    exists,
    func,
    literal,
    or_,
    select,
)
from sqlalchemy.orm import Session, aliased

from card_arena.common.faults import Fault
from card_arena.leaderboard.matches import (
    COLUMNS,
    Address,
    MatchAddress,
    MatchDetail,
    TurnFault,
    address,
    turn_fault,
)
from card_arena.leaderboard.models import (
    PAGE,
    Figure,
    Page,
    PageOnly,
    PageShape,
    RatingShape,
    Shape,
    Text,
    clamped,
    paged,
)
from card_arena.ratings.intervals import mean_of_sums
from card_arena.ratings.trueskill_ratings import Rating
from card_arena.results import entries
from card_arena.results.bots import UnknownBot, facts, is_newest, version_of, versions
from card_arena.results.counts import STANDING
from card_arena.results.entries import Build
from card_arena.results.models import (
    BotRow,
    BuildRow,
    EntrantRow,
    FaultRow,
    HeldSeatsSumRow,
    InterventionRow,
    MatchRow,
    RecordRow,
    SeasonRow,
    SeatRow,
    StderrRow,
    TournamentRow,
    VersionRow,
    from_row,
)
from card_arena.results.rating_cache import rating_of
from card_arena.results.store import Store
from card_arena.results.stored_match import fault_of
from card_arena.results.visibility import VisibilityPolicy, leave_out, policy_of
from card_arena.tables.fault_texts import fault_text
from card_arena.tables.game import Seat


class Version(Shape):
    """One version of a bot: it never changes."""

    bot: Text
    """The bot's name."""
    number: int
    """The number of this version, from 1."""
    submitted: datetime
    """When it was submitted."""
    games: tuple[str, ...]
    """The games that it plays."""
    protocol: str
    """Its protocol: `argv` or `stdin`."""
    language: Text
    """Its language."""
    about: Text
    """Its author's description."""
    tags: tuple[Text, ...]
    """Its author's tags; they have no effect."""
    digest: str
    """The SHA-256 that names its files."""
    build: PageOnly[InstanceOf[Build] | None] = None
    """Its last build; None before the first build."""


class Bot(Version):
    """A bot in a list, by its newest version."""

    author: Text
    """Its author: a person or a team."""
    organiser_tags: tuple[Text, ...]
    """The organiser's tags, by which tournaments choose."""
    title: Text
    """The title beside its name; empty if it has none."""
    chosen: int | None
    """The version that new seasons enter; null for the newest."""
    withdrawn: datetime | None
    """The time since which it enters no new season; null if it enters them."""
    built: bool | None
    """Whether the build of this version succeeded; null before the first build."""

    @property
    def label(self) -> str:
        """The version's name for people: "davey v3"."""
        return f"{self.bot} v{self.number}"


class Bots(PageShape):
    """Bots, in order of name."""

    items: tuple[Bot, ...]
    """The bots of this page."""


class BotSeason(Shape):
    """A season that a version of the bot is entered in."""

    tournament: str
    """The tournament's name."""
    season: int
    """The season's number."""
    version: int
    """The version that is entered."""
    rated: bool
    """Whether the season counts for ratings."""
    finished: datetime | None
    """When the season ended; null while it is played."""
    points_title: Text
    """The name of its points."""
    points: float | None
    """The bot's points."""
    rank: int | None
    """Its place, 1 the best."""
    rating: RatingShape | None
    """Its rating after its last match of the season."""
    sits_out: Text
    """The reason why it does not play; empty if it plays."""
    matches: PageOnly[int] = 0
    """How many matches the version has played in it."""


class RatingPoint(Shape):
    """The rating of a version after a match."""

    match: MatchAddress
    """The match's address."""
    stored: datetime
    """When the match was stored."""
    version: int
    """The version."""
    rating: RatingShape
    """Its rating then."""


class InSeats(Shape):
    """The bot's mean result in some seats."""

    held_seats: tuple[int, ...]
    """The seats, from 0."""
    seats: int
    """How many seats the table has."""
    mean: Figure
    """Its mean margin there, or its mean score."""


class BotSeats(Shape):
    """The mean results of the bot's newest version in a tournament, by seat."""

    tournament: str
    """The tournament's name."""
    version: int
    """The version."""
    by_score: bool
    """Whether the means are of scores."""
    lines: tuple[InSeats, ...]
    """The seats."""


class BotDetail(Shape):
    """A bot."""

    name: Text
    """Its name."""
    author: Text
    """Its author: a person or a team."""
    title: Text
    """The title beside its name; empty if it has none."""
    chosen: int | None
    """The version that new seasons enter; null for the newest."""
    withdrawn: datetime | None
    """The time since which it enters no new season; null if it enters them."""
    organiser_tags: tuple[Text, ...]
    """The organiser's tags, by which tournaments choose."""
    versions: tuple[Version, ...]
    """Its versions, the newest first."""
    seasons: tuple[BotSeason, ...]
    """The seasons that it is or was entered in, the newest first."""
    ratings: Mapping[str, tuple[RatingPoint, ...]]
    """Its ratings by tournament, in playing order, thinned to a hundred."""
    held_seats: tuple[BotSeats, ...]
    """Its mean results by seat, for each tournament."""
    decisions: int
    """The number of questions that it was asked."""
    fault_counts: Mapping[Fault, int]
    """How many of its answers were faults, by kind."""
    forgiven_counts: Mapping[Fault, int]
    """How many of these the tournaments forgive, by kind."""


class Result(Shape):
    """A match of the bot."""

    match: MatchAddress
    """The match's address."""
    stored: datetime
    """When it was stored."""
    version: int
    """The version that played."""
    rank: int
    """Its place, 1 the best."""
    sides: int
    """How many sides the match had."""
    games: int
    """How many games."""
    score: int
    """The bot's score."""
    purse: int | None
    """The chips that it held afterwards; null where none are carried on."""
    hands: int
    """How many hands it was dealt."""
    faults: int
    """How many of its answers were faults."""
    forgiven: int
    """How many of these the tournament forgives: they count for nothing."""
    struck_out: bool
    """Whether it was struck out."""
    partners: tuple[Text, ...]
    """The others on its side, such as "davey v3"."""
    others: tuple[Text, ...]
    """Its opponents."""


class Results(PageShape):
    """The matches of a bot, the newest first."""

    items: tuple[Result, ...]
    """The matches of this page."""


class BotFault(Shape):
    """A fault of the bot, with the question and the answer."""

    match: MatchAddress
    """The match's address."""
    game: int
    """The number of the game in the match, from 1."""
    turn: int
    """The number of the turn in the game, from 0."""
    seat: int
    """The bot's seat, from 0."""
    stored: datetime
    """When the match was stored."""
    version: int
    """The version that failed."""
    kind: Fault
    """The kind of fault."""
    detail: Text
    """A description, in a sentence."""
    struck: bool
    """Whether it counted as a strike."""
    question: Text
    """The question."""
    answer: Text
    """Its answer; empty if there was none."""
    wall: int
    """The time of the answer, in microseconds."""
    cpu: int
    """The processor's time for it, in microseconds."""
    peak: int
    """The most memory that its sandbox was seen to use, in bytes."""


class Faults(Shape):
    """The newest faults of a bot, 50 at most."""

    items: tuple[BotFault, ...]
    """The faults, the newest first."""


def bot_seasons(session: Session, numbers: Mapping[int, int]) -> Iterator[BotSeason]:
    """The seasons, newest first; `numbers` are the bot's versions by their ids."""
    rows = session.execute(
        select(EntrantRow, SeasonRow, TournamentRow.name)
        .join(SeasonRow, SeasonRow.id == EntrantRow.season_id)
        .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
        .where(EntrantRow.version_id.in_(numbers))
        .order_by(SeasonRow.id.desc(), EntrantRow.place)
    )
    for entrant, season, tournament in rows:
        yield BotSeason(
            tournament=tournament,
            season=season.number,
            rated=season.rated,
            finished=season.finished,
            version=numbers[entrant.version_id],
            points_title=season.settings.facts.points_title,
            points=entrant.points,
            rank=entrant.rank,
            rating=rating_of(entrant),
            sits_out=entrant.sits_out,
            matches=entrant.matches,
        )


LINE = 100
"""The most points in a line of ratings, but for its first; each tournament has a line."""


def bot_ratings(
    session: Session, numbers: Mapping[int, int]
) -> Mapping[str, tuple[RatingPoint, ...]]:
    """A line of points per tournament, in playing order; `numbers` are the versions by id."""
    rows = session.execute(
        select(*COLUMNS, MatchRow.stored, SeatRow.version_id, SeatRow.mu, SeatRow.sigma)
        .join(MatchRow, MatchRow.id == SeatRow.match_id)
        .join(SeasonRow, SeasonRow.id == MatchRow.season_id)
        .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
        .where(
            SeatRow.version_id.in_(numbers),
            SeatRow.match_id.in_(_chosen(session, numbers)),
            SeatRow.mu.is_not(None),
        )
        .order_by(TournamentRow.name, SeasonRow.number, MatchRow.key)
    )
    return {
        tournament: tuple(
            RatingPoint(
                match=address(row),
                stored=row.stored,
                version=numbers[row.version_id],
                rating=Rating(row.mu, row.sigma),
            )
            for row in group
        )
        for tournament, group in groupby(rows, key=lambda row: row.name)
    }


def _chosen(session: Session, numbers: Mapping[int, int]) -> Sequence[int]:
    """Every nth match of each tournament, counted from the newest, and the first of all.

    An index alone chooses them, so that the rows of other matches are not read.
    """
    backwards = func.row_number().over(
        partition_by=SeasonRow.tournament_id, order_by=SeatRow.match_id.desc()
    )
    count = func.count().over(partition_by=SeasonRow.tournament_id)
    played = (
        select(SeatRow.match_id, (backwards - 1).label("number"), count.label("count"))
        .join(SeasonRow, SeasonRow.id == SeatRow.season_id)
        .where(
            SeatRow.version_id.in_(numbers),
            SeasonRow.rated,
            # ratings would show hidden results
            SeasonRow.id.not_in([*policy_of(session).frozen]),
        )
        .subquery()
    ).c
    step = (played.count + LINE - 1) // LINE
    shown = or_(played.number % step == 0, played.number == played.count - 1)
    return session.scalars(select(played.match_id).where(shown)).all()


def bot_seats(session: Session, numbers: Mapping[int, int]) -> tuple[BotSeats, ...]:
    """A table for each tournament, in order of name; `numbers` are the bot's versions by id.

    The independent unit is a match or, where chips are carried on, a leg (ratings e.1). Means are
    of scores where chips are carried on or a bot plays alone, and of margins elsewhere.
    """
    seasons = _newest_seasons(session, numbers)
    chips = [tournament for tournament, row in seasons.items() if row.settings.facts.carries]
    matches = [tournament for tournament in seasons if tournament not in chips]
    rows_by_tournament: dict[int, dict[int, list[Any]]] = {}
    for sums, tournaments in ((OVER_MATCHES, matches), (OVER_LEGS, chips)):
        for row in session.execute(_sums(sums, numbers, tournaments)) if tournaments else ():
            versions = rows_by_tournament.setdefault(row.tournament_id, {})
            versions.setdefault(numbers[row.version_id], []).append(row)
    tables = []
    for tournament, versions in rows_by_tournament.items():
        newest = max(versions)
        rows = versions[newest]
        tables.append(
            BotSeats(
                tournament=seasons[tournament].name,
                version=newest,
                by_score=tournament in chips or all(row.seats == 1 for row in rows),
                lines=tuple(map(_line, rows)),
            )
        )
    return tuple(sorted(tables, key=lambda table: table.tournament))


def _newest_seasons(session: Session, numbers: Mapping[int, int]) -> Mapping[int, Any]:
    """The newest season of each tournament in which one of these versions is entered."""
    newest = (
        select(SeasonRow.tournament_id, func.max(SeasonRow.number).label("number"))
        .join(EntrantRow, EntrantRow.season_id == SeasonRow.id)
        .where(EntrantRow.version_id.in_(numbers))
        .group_by(SeasonRow.tournament_id)
        .subquery()
    )
    rows = session.execute(
        select(TournamentRow.id, TournamentRow.name, SeasonRow.settings)
        .join(newest, newest.c.tournament_id == TournamentRow.id)
        .join(
            SeasonRow,
            (SeasonRow.tournament_id == TournamentRow.id) & (SeasonRow.number == newest.c.number),
        )
    )
    return {row.id: row for row in rows}


SCORE = cast(HeldSeatsSumRow.score, Double)
GAMES = cast(HeldSeatsSumRow.games, Double)

OVER_MATCHES: Mapping[str, Any] = {
    "clusters": HeldSeatsSumRow.matches,
    "x": HeldSeatsSumRow.x,
    "n": GAMES,
    "xx": HeldSeatsSumRow.xx,
    "xn": HeldSeatsSumRow.xn,
    "nn": HeldSeatsSumRow.nn,
}
"""The sums of a leg whose clusters are matches, for `mean_of_sums`."""

OVER_LEGS: Mapping[str, Any] = {
    "clusters": literal(1),
    "x": SCORE,
    "n": GAMES,
    "xx": SCORE * SCORE,
    "xn": SCORE * GAMES,
    "nn": GAMES * GAMES,
}
"""The same where legs are the clusters."""


def _sums(
    sums: Mapping[str, Any], numbers: Mapping[int, int], tournaments: Sequence[int]
) -> Select[Any]:
    """Select the sums for the mean of each version in each set of seats."""
    place = (
        SeasonRow.tournament_id,
        HeldSeatsSumRow.version_id,
        HeldSeatsSumRow.seats,
        HeldSeatsSumRow.held,
    )
    columns: list[Any] = [*place]
    return (
        select(*columns, *(func.sum(column).label(name) for name, column in sums.items()))
        .join(SeasonRow, SeasonRow.id == HeldSeatsSumRow.season_id)
        .where(
            HeldSeatsSumRow.version_id.in_(numbers),
            SeasonRow.tournament_id.in_(tournaments),
            STANDING,
        )
        .group_by(*place)
        .order_by(HeldSeatsSumRow.seats.desc(), HeldSeatsSumRow.held)
    )


def _line(row: Any) -> InSeats:
    mean = mean_of_sums(row.clusters, row.x, round(row.n), xx=row.xx, xn=row.xn, nn=row.nn)
    held = tuple(int(seat) for seat in row.held.split(" "))
    return InSeats(held_seats=held, seats=row.seats, mean=mean)


def bot_results(
    session: Session, numbers: Mapping[int, int], page: int, size: int, tournament: str = ""
) -> Results:
    """One page of a bot's matches, newest first, in all tournaments or in one.

    `numbers` are its versions by their ids.
    """
    mine: ColumnElement[bool] = SeatRow.version_id.in_(numbers)
    if tournament:
        seasons = select(SeasonRow.id).join(TournamentRow).where(TournamentRow.name == tournament)
        mine &= SeatRow.season_id.in_(seasons)
    policy = policy_of(session)
    if policy.frozen or tournament:  # a freeze hides sums, but not all matches
        total = session.scalars(select(func.count(SeatRow.match_id)).where(mine)).one()
    else:
        played = select(func.coalesce(func.sum(EntrantRow.matches), 0))
        annulled = (
            select(func.count())
            .select_from(InterventionRow)
            .join(MatchRow, MatchRow.key == InterventionRow.key)
            .join(SeatRow, SeatRow.match_id == MatchRow.id)
            .where(mine)
        )
        total = session.scalars(played.where(EntrantRow.version_id.in_(numbers))).one()
        total += session.scalars(annulled).one()
    page = clamped(page, total, size)
    rows = session.execute(
        select(SeatRow, MatchRow, SeasonRow.number, TournamentRow.name)
        .join(MatchRow, MatchRow.id == SeatRow.match_id)
        .join(SeasonRow, SeasonRow.id == MatchRow.season_id)
        .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
        .where(mine)
        .order_by(SeatRow.match_id.desc(), SeatRow.seat)
        .limit(size)
        .offset((page - 1) * size)
    ).all()
    tables = session.execute(
        select(SeatRow, BotRow.name, VersionRow.number)
        .join(VersionRow, VersionRow.id == SeatRow.version_id)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .where(SeatRow.match_id.in_([row[1].id for row in rows]))
        .order_by(SeatRow.match_id, SeatRow.seat)
    )
    labels = {
        match_id: [
            (seat.seat, seat.side, _label(policy, seat.season_id, name, number))
            for seat, name, number in group
        ]
        for match_id, group in groupby(tables, key=lambda row: row[0].match_id)
    }
    results = tuple(
        Result(
            match=Address(
                match.key, tournament, season, match.leg, match.round, tuple(match.labels)
            ),
            stored=match.stored,
            version=numbers[seat.version_id],
            rank=seat.rank,
            sides=len({side for _, side, _ in labels[match.id]}),
            games=match.games,
            score=seat.score,
            purse=seat.purse,
            hands=seat.hands,
            faults=seat.faults,
            forgiven=seat.forgiven,
            struck_out=seat.struck_out,
            partners=tuple(
                label
                for place, side, label in labels[match.id]
                if side == seat.side and place != seat.seat
            ),
            others=tuple(label for _, side, label in labels[match.id] if side != seat.side),
        )
        for seat, match, season, tournament in rows
    )
    return Results.of(Page((), page, total, size), items=results)


def _label(policy: VisibilityPolicy, season_id: int, name: str, number: int) -> str:
    alias = policy.name(season_id, name)
    return f"{name} v{number}" if alias == name else alias


def fault_counts(
    session: Session, numbers: Mapping[int, int]
) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """How many faults of each kind these versions committed, and how many of them are forgiven."""
    forgiven = func.sum(case((FaultRow.struck, 0), else_=1))
    counts = (
        select(FaultRow.kind, func.count(), forgiven)
        .where(FaultRow.version_id.in_(numbers))
        .group_by(FaultRow.kind)
        .order_by(FaultRow.kind)
    )
    rows = session.execute(counts).all()
    return {kind: many for kind, many, _ in rows}, {kind: few for kind, _, few in rows if few}


def bot_faults(
    session: Session, numbers: Mapping[int, int], *which: ColumnElement[bool], skip: int = 0
) -> Iterator[BotFault]:
    """The newest faults after the first `skip`; `numbers` are the bot's versions by their ids."""
    rows = session.execute(
        select(FaultRow, MatchRow.stored, _entrant_number().label("entrant"), *COLUMNS)
        .join(MatchRow, MatchRow.id == FaultRow.match_id)
        .join(SeasonRow, SeasonRow.id == MatchRow.season_id)
        .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
        .join(
            SeatRow,
            (SeatRow.match_id == FaultRow.match_id) & (SeatRow.version_id == FaultRow.version_id),
        )
        .where(FaultRow.version_id.in_(numbers), *which)
        .order_by(FaultRow.match_id.desc(), FaultRow.record.desc(), FaultRow.turn.desc())
        .limit(PAGE)
        .offset(skip)
    )
    for row in rows:
        fault = row.FaultRow
        place, event = fault_of(fault, row.entrant)
        yield BotFault(
            match=address(row),
            game=place.record + 1,
            turn=place.turn,
            seat=place.seat,
            stored=row.stored,
            version=numbers[fault.version_id],
            kind=event.kind,
            detail=fault_text(event, place.answer),
            struck=event.struck,
            question=place.question,
            answer=place.answer,
            wall=place.wall,
            cpu=place.cpu,
            peak=place.peak,
        )


def _entrant_number() -> ScalarSelect[int]:
    """Entrants of a match are numbered in the order of their first seats."""
    other = aliased(SeatRow)
    return (
        select(func.count())
        .where(other.match_id == SeatRow.match_id, other.seat < SeatRow.seat)
        .correlate(SeatRow)
        .scalar_subquery()
    )


LATEST = 10
"""How many of the newest matches a debut has."""


@dataclass(frozen=True, slots=True)
class Debut:
    """The seasons and the latest matches of a version, the newest first.

    `with_stderr` has the keys of those matches in which it wrote on standard error.
    """

    seasons: tuple[BotSeason, ...] = ()
    latest: tuple[Result, ...] = ()
    with_stderr: AbstractSet[str] = frozenset()

    @property
    def matches(self) -> int:
        return sum(season.matches for season in self.seasons)

    @property
    def is_rated(self) -> bool:
        return any(season.rating for season in self.seasons)


def debut(store: Store, bot: str, number: int) -> Debut:
    """The results of a version so far; an empty debut if there is no such version."""
    with store.database.reading() as session:
        version_id = session.scalar(
            select(VersionRow.id)
            .join(BotRow, BotRow.id == VersionRow.bot_id)
            .where(BotRow.name == bot, VersionRow.number == number)
        )
        if version_id is None:
            return Debut()
        numbers = {version_id: number}
        latest = bot_results(session, numbers, 1, LATEST).items
        keys = [result.match.key for result in latest]
        return Debut(
            tuple(bot_seasons(session, numbers)), latest, _with_stderr(session, version_id, keys)
        )


def _with_stderr(session: Session, version_id: int, keys: Sequence[str]) -> AbstractSet[str]:
    """Those of these matches in which a version wrote on standard error."""
    rows = session.execute(
        select(MatchRow.key, StderrRow.seat, RecordRow.seating, _entrant_number())
        .join(SeatRow, SeatRow.match_id == MatchRow.id)
        .join(StderrRow, StderrRow.match_id == MatchRow.id)
        .join(
            RecordRow,
            (RecordRow.match_id == StderrRow.match_id) & (RecordRow.number == StderrRow.record),
        )
        .where(MatchRow.key.in_(keys), SeatRow.version_id == version_id)
    )
    return {key for key, seat, seating, entrant in rows if seating[seat] == entrant}


AT_ONCE = 200
"""Matches whose keys are read together."""


class Decision(Shape):
    """A question to a bot, and the answer."""

    game: int
    """The game's number in the match, from 1."""
    turn: int
    """The turn's number in the game, from 0."""
    seat: Seat
    """The bot's seat."""
    bot: str
    """The bot."""
    version: int
    """The number of its version."""
    question: Text
    """The words that it was asked."""
    answer: Text | None
    """The line that came back; null if none did."""
    action: Text
    """The action that was played."""
    fault: TurnFault | None
    """The fault of the answer, which makes `action` the fallback action; null if none."""
    wall: int
    """How long the answer took, in microseconds."""
    cpu: int
    """The processor's time for it, in microseconds."""
    peak: int
    """The most memory that its sandbox was seen to use, in bytes; 0 if it was not measured."""


def decisions(match: MatchDetail, bots: Collection[str]) -> Iterator[Decision]:
    """The questions to these bots in a match, game by game."""
    for index, record in enumerate(match.records):
        sitting = match.at_table(index)
        for number, turn in enumerate(record.turns):
            if turn.question and sitting[turn.seat].bot in bots:
                yield Decision(
                    game=index + 1,
                    turn=number,
                    seat=turn.seat,
                    bot=sitting[turn.seat].bot,
                    version=sitting[turn.seat].version,
                    question=turn.question,
                    answer=turn.answer,
                    action=turn.action,
                    fault=turn_fault(turn),
                    wall=turn.wall,
                    cpu=turn.cpu,
                    peak=turn.peak,
                )


def matches_of(store: Store, bot: str, tournament: str = "", season: int = 0) -> Iterator[str]:
    """The keys of a bot's matches, the oldest first; of one tournament or one season if named.

    A few are read at a time, so that a slow client keeps no snapshot open.
    """
    chosen = [BotRow.name == bot]
    if tournament:
        chosen.append(TournamentRow.name == tournament)
    if season:
        chosen.append(SeasonRow.number == season)
    after = 0
    while True:
        query = (
            select(MatchRow.id, MatchRow.key)
            .join(SeatRow, SeatRow.match_id == MatchRow.id)
            .join(VersionRow, VersionRow.id == SeatRow.version_id)
            .join(BotRow, BotRow.id == VersionRow.bot_id)
            .join(SeasonRow, SeasonRow.id == MatchRow.season_id)
            .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
            .where(*chosen, SeatRow.match_id > after)
            .order_by(SeatRow.match_id)
            .distinct()
            .limit(AT_ONCE)
        )
        with store.database.reading() as session:
            rows = session.execute(query).all()
        yield from (key for _, key in rows)
        if len(rows) < AT_ONCE:
            return
        after = rows[-1][0]


def bots(store: Store) -> tuple[Bot, ...]:
    """Every bot with its newest version, in order of name."""
    query = (
        versions()
        .add_columns(BuildRow.ok)
        .outerjoin(BuildRow, BuildRow.version_id == VersionRow.id)
        .where(is_newest())
        .order_by(BotRow.name)
    )
    with store.database.reading() as session:
        return tuple(
            Bot(**facts(row, owner), built=built) for row, owner, built in session.execute(query)
        )


def page_of_bots(
    store: Store,
    game: str | None = None,
    author: str | None = None,
    page: int = 1,
    size: int = PAGE,
) -> Bots:
    """Every bot with its newest version, in order of name."""
    chosen = [
        bot for bot in bots(store) if game in (None, *bot.games) and author in (None, bot.author)
    ]
    return Bots.of(paged(chosen, page, size))


def all_versions(store: Store) -> tuple[entries.Version, ...]:
    """Every version of every bot, in order of the bots' names and of their numbers."""
    query = versions().order_by(BotRow.name, VersionRow.number)
    with store.database.reading() as session:
        return tuple(version_of(row, owner) for row, owner in session.execute(query))


def versions_of_author(store: Store, author: str) -> Mapping[int, entries.Version]:
    """Every version of an author's bots, by its id."""
    with store.database.reading() as session:
        rows = session.execute(versions().where(BotRow.author == author))
        return {row.id: version_of(row, owner) for row, owner in rows}


def bots_playing_for(store: Store, author: str) -> frozenset[str]:
    """The bots of an author that count for the limit: all that are not withdrawn."""
    has_version = exists().where(VersionRow.bot_id == BotRow.id)
    query = select(BotRow.name).where(
        BotRow.author == author, BotRow.withdrawn.is_(None), has_version
    )
    with store.database.reading() as session:
        return frozenset(session.scalars(query))


def bot_titles(store: Store) -> Mapping[str, str]:
    """The title of each bot that has one, by name."""
    query = select(BotRow.name, BotRow.title).where(BotRow.title.is_not(None))
    with store.database.reading() as session:
        return {name: title for name, title in session.execute(query) if title}


@contextmanager
def reading(store: Store, name: str) -> Iterator[tuple[Session, BotRow, Mapping[int, int]]]:
    """A snapshot for a page about one bot, and its versions' numbers by id; raises `UnknownBot`."""
    with store.database.reading() as session:
        rows = session.execute(versions().where(BotRow.name == name)).all()
        if not rows:
            raise UnknownBot(f"no bot is called {name[:80]!r}")
        leave_out(session, name)
        yield session, rows[0].BotRow, {row.id: row.number for row, _ in rows}


def bot(store: Store, name: str) -> BotDetail:
    """A bot: its versions, seasons and ratings."""
    with reading(store, name) as (session, owner, numbers):
        rows = session.execute(
            versions()
            .add_columns(BuildRow)
            .outerjoin(BuildRow, BuildRow.version_id == VersionRow.id)
            .where(VersionRow.bot_id == owner.id)
            .order_by(VersionRow.number.desc())
        )
        counts, forgiven = fault_counts(session, numbers)
        decisions = select(func.sum(EntrantRow.decisions)).where(EntrantRow.version_id.in_(numbers))
        return BotDetail(
            name=owner.name,
            author=owner.author,
            title=owner.title or "",
            chosen=owner.chosen,
            withdrawn=owner.withdrawn,
            organiser_tags=tuple(owner.tags),
            versions=tuple(
                Version(**facts(row, owner), build=from_row(Build, build) if build else None)
                for row, _, build in rows
            ),
            seasons=tuple(bot_seasons(session, numbers)),
            ratings=bot_ratings(session, numbers),
            held_seats=bot_seats(session, numbers),
            decisions=session.scalar(decisions) or 0,
            fault_counts=counts,
            forgiven_counts=forgiven,
        )


def version(store: Store, name: str, number: int) -> Version:
    """A version of a bot; it never changes."""
    with reading(store, name) as (session, owner, numbers):
        row = session.scalar(
            select(VersionRow).where(VersionRow.bot_id == owner.id, VersionRow.number == number)
        )
        if row is None:
            count = "1 version" if len(numbers) == 1 else f"{len(numbers)} versions"
            raise UnknownBot(f"the bot {name} has {count}; there is no version {number}")
        return Version(**facts(row, owner))


def results(store: Store, name: str, page: int = 1, size: int = PAGE) -> Results:
    """The matches of a bot, the newest first."""
    with reading(store, name) as (session, _, numbers):
        return bot_results(session, numbers, page, size)


def faults(store: Store, name: str) -> Faults:
    """The newest faults of a bot, with questions and answers."""
    with reading(store, name) as (session, _, numbers):
        return Faults(items=tuple(bot_faults(session, numbers)))


@dataclass(frozen=True, slots=True)
class FaultList:
    """A page of a bot's faults, of one kind and in one tournament where these are chosen.

    `kinds` counts the faults of each kind in the chosen tournament, and `tournaments` those of the
    chosen kind in each tournament.
    """

    page: Page[BotFault]
    kinds: Mapping[str, int]
    tournaments: Mapping[str, int]


def faults_of_bot(
    store: Store, bot: str, kind: str = "", tournament: str = "", page: int = 1
) -> FaultList:
    """The faults of a bot, the newest first; an empty kind or tournament stands for all."""
    with store.database.reading() as session:
        numbers = _numbers(session, bot)
        rows = session.execute(
            select(FaultRow.kind, TournamentRow.name, func.count())
            .join(MatchRow, MatchRow.id == FaultRow.match_id)
            .join(SeasonRow, SeasonRow.id == MatchRow.season_id)
            .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
            .where(FaultRow.version_id.in_(numbers))
            .group_by(FaultRow.kind, TournamentRow.name)
            .order_by(FaultRow.kind, TournamentRow.name)
        )
        kinds, tournaments, total = Counter[str](), Counter[str](), 0
        for of_kind, where, many in rows:
            kinds[of_kind] += many * (tournament in ("", where))
            tournaments[where] += many * (kind in ("", of_kind))
            total += many * (kind in ("", of_kind) and tournament in ("", where))
        which = [FaultRow.kind == kind] if kind else []
        which += [TournamentRow.name == tournament] if tournament else []
        number = clamped(page, total)
        items = tuple(bot_faults(session, numbers, *which, skip=(number - 1) * PAGE))
    return FaultList(Page(items, number, total), kinds, tournaments)


def matches_of_bot(
    store: Store, bot: str, tournament: str = "", page: int = 1
) -> tuple[Results, Sequence[str]]:
    """A page of a bot's matches, the newest first, and the names of its tournaments.

    An empty tournament stands for all.
    """
    with store.database.reading() as session:
        numbers = _numbers(session, bot)
        names = session.scalars(
            select(TournamentRow.name)
            .join(SeasonRow, SeasonRow.tournament_id == TournamentRow.id)
            .join(SeatRow, SeatRow.season_id == SeasonRow.id)
            .where(SeatRow.version_id.in_(numbers))
            .distinct()
            .order_by(TournamentRow.name)
        ).all()
        results = bot_results(session, numbers, page, PAGE, tournament)
    return results, names


def _numbers(session: Session, bot: str) -> Mapping[int, int]:
    rows = session.execute(
        select(VersionRow.id, VersionRow.number)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .where(BotRow.name == bot)
    )
    return {row.id: row.number for row in rows}

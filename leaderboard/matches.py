"""Matches: the list of a season's matches, one match, and its games turn by turn."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Annotated, Any

from pydantic import InstanceOf, PlainSerializer, WithJsonSchema
from sqlalchemy import func, select, tuple_, union_all
from sqlalchemy.orm import Session

from card_arena.common.faults import Fault
from card_arena.leaderboard.models import PAGE, Page, PageOnly, PageShape, Shape, Text, clamped
from card_arena.leaderboard.seasons import UnknownSeason, match_annulled, newest_seasons
from card_arena.results.entries import CHALLENGES
from card_arena.results.matches import UnknownMatch
from card_arena.results.models import (
    BotRow,
    LegRow,
    MatchRow,
    SeasonRow,
    SeatRow,
    TournamentRow,
    VersionRow,
)
from card_arena.results.store import Store
from card_arena.results.visibility import policy_of
from card_arena.tables.fault_texts import fault_text
from card_arena.tables.game import CHANCE
from card_arena.tables.record import Record, Turn
from card_arena.tables.seating import Seating, boards

COLUMNS = (
    *(MatchRow.key, TournamentRow.name, SeasonRow.number, MatchRow.leg, MatchRow.round),
    MatchRow.labels,
)
"""The columns that `address` reads."""


@dataclass(frozen=True, slots=True)
class Address:
    """A match's place: its season, leg, round and table.

    `labels` name it within its season: the leg (if there are several), the round and the table.
    """

    key: str
    tournament: str
    season: int
    leg: int
    round: int
    labels: tuple[str, ...]

    @property
    def table(self) -> str:
        """The name of its table: "table A"."""
        return self.labels[-1]

    @property
    def part(self) -> tuple[str, ...]:
        """The labels of its round: the leg (if there are several) and the round."""
        return self.labels[:-1]


MatchAddress = Annotated[
    InstanceOf[Address],
    PlainSerializer(lambda address: address.key, return_type=str),
    WithJsonSchema({"type": "string"}),
]
"""The address of a match in a model: pages read its parts, programs get its key."""


def address(row: Any) -> Address:
    return Address(row.key, row.name, row.number, row.leg, row.round, tuple(row.labels))


RECENT_TOURNAMENTS = 20
"""The most tournaments whose recent matches are read."""

AT_ONCE = 500
"""Matches that are read at a time from a whole season."""


class Entrant(Shape):
    """An entrant of a match, with its totals over all its seats and games."""

    seat: PageOnly[int] = 0
    """Its seat in the first game, the first one if it holds several."""
    bot: Text
    """The bot's name."""
    version: int
    """The number of its version."""
    author: Text
    """Its author."""
    language: Text
    """Its language."""
    side: int
    """The side that it plays for; entrants of one side are partners."""
    rank: int
    """Its place, 1 the best."""
    score: int
    """Its score."""
    purse: int | None
    """The chips that it held afterwards; null where none are carried on."""
    hands: int
    """How many hands it was dealt."""
    decisions: int
    """How many questions it was asked."""
    faults: int
    """How many of its answers were faults."""
    forgiven: int
    """How many of these the tournament forgives: they count for nothing."""
    struck_out: bool
    """Whether it was struck out."""
    slowest: int
    """Its longest answer, in microseconds."""


class Match(Shape):
    """A match in a list."""

    key: str
    """Its address, which names it everywhere."""
    tournament: str
    """The tournament's name."""
    season: int
    """The season's number."""
    leg: int
    """The number of its leg."""
    round: int
    """The number of its round."""
    labels: tuple[Text, ...]
    """The names of its leg (if there are several), round and table."""
    stored: datetime
    """When it was stored."""
    seconds: float
    """Its duration."""
    entrants: tuple[Entrant, ...]
    """Its entrants, in the order of their first seat."""

    @property
    def address(self) -> Address:
        return Address(self.key, self.tournament, self.season, self.leg, self.round, self.labels)


class Matches(PageShape):
    """Matches of a season."""

    items: tuple[Match, ...]
    """The matches of this page."""


class GameLine(Shape):
    """A game of a match."""

    number: int
    """Its number in the match, from 1."""
    board: int
    """The number of its board, from 1; games of one board were dealt the same packs."""
    seating: tuple[int, ...]
    """The entrant in each seat, as a place in the match's list of entrants, from 0."""
    scores: tuple[int, ...]
    """The scores, seat by seat."""
    struck_out: tuple[int, ...]
    """The seats that were struck out."""
    turns: int
    """How many turns it has, with those of the dealer."""
    faults: int
    """How many answers were faults."""


class MatchDetail(Match):
    """A match and its games."""

    rated: bool
    """Whether it counts for ratings."""
    annulled: Text | None
    """The reason why it does not count; null if it counts."""
    games: tuple[GameLine, ...]
    """Its games; each one's turns have an address of their own."""
    records: PageOnly[tuple[InstanceOf[Record], ...]] = ()
    """The records of its games."""

    @property
    def seatings(self) -> tuple[Seating, ...]:
        return tuple(game.seating for game in self.games)

    def at_table(self, number: int) -> tuple[Entrant, ...]:
        """The entrants of a game, seat by seat; one that holds two seats appears twice."""
        return tuple(self.entrants[entrant] for entrant in self.games[number].seating)


class TurnFault(Shape):
    """A bot's failure."""

    kind: Fault
    """The kind of fault."""
    detail: Text
    """A description, in a sentence."""
    struck: bool
    """Whether it counted as a strike."""


class TurnShape(Shape):
    """One turn of a game: question, answer and action."""

    number: int
    """Its number in the game, from 0."""
    seat: int | None
    """The seat to act; null for the dealer."""
    action: Text
    """The action that was played."""
    question: Text
    """The question; empty where no bot was asked."""
    answer: Text | None
    """The line that came back; null if none did."""
    wall: int
    """The time of the answer, in microseconds."""
    cpu: int
    """The processor's time for it, in microseconds."""
    peak: int
    """The most memory that its sandbox was seen to use, in bytes; 0 if it was not measured."""
    fault: TurnFault | None
    """The fault of the answer, which makes `action` the fallback action; null if none."""


class GameDetail(GameLine):
    """A game of a match, turn by turn."""

    match: str
    """The match's address."""
    game: str
    """The game that was played."""
    rules: int
    """The version of its rules."""
    options: Mapping[str, Any]
    """The table's options."""
    purses: tuple[int, ...]
    """The chips that the seats brought along; empty if all began alike."""
    shoe: tuple[str, ...]
    """The cards left over from the game before, with which it began."""
    prefixed: tuple[int, ...]
    """The seats that were asked with the common prefix where questions usually have none."""
    played: tuple[TurnShape, ...]
    """Every turn, in order."""


def turn_fault(turn: Turn) -> TurnFault | None:
    fault = turn.fault
    if fault is None:
        return None
    return TurnFault(kind=fault.kind, detail=fault_text(fault, turn.answer), struck=fault.struck)


def matches(
    store: Store,
    tournament: str,
    season: int,
    *,
    leg: int | None = None,
    versions: Collection[int] | None = None,
    page: int = 1,
    size: int = PAGE,
) -> Matches:
    """A season's matches, the last one stored first; with a leg, its matches in playing order.

    With `versions`, only the matches that one of these played. Raises `UnknownSeason`.
    """
    with store.database.reading() as session:
        season_id = season_of(session, tournament, season)
        chosen = [MatchRow.season_id == season_id]
        if leg is not None:
            chosen.append(MatchRow.leg == leg)
        if versions is not None:
            sat = select(SeatRow.match_id).where(SeatRow.version_id.in_(versions))
            chosen.append(MatchRow.id.in_(sat))
        if versions is None:
            total = _counted(session, season_id, leg)
        else:
            total = session.execute(select(func.count(MatchRow.id)).where(*chosen)).scalar_one()
        page = clamped(page, total, size)
        order = MatchRow.id.desc() if leg is None else MatchRow.key.asc()
        rows = session.scalars(
            select(MatchRow).where(*chosen).order_by(order).limit(size).offset((page - 1) * size)
        ).all()
        entrants = _entrants(session, [row.id for row in rows])
    items = tuple(_match(row, tournament, season, entrants[row.id]) for row in rows)
    return Matches.of(Page(items, page, total, size), items=items)


def in_key_order(store: Store, tournament: str, season: int) -> Iterator[Match]:
    """All matches of a season in the order of their keys; raises `UnknownSeason`.

    They are read a few hundred at a time, so that a writer never waits long.
    """
    key = ""
    while True:
        with store.database.reading() as session:
            season_id = season_of(session, tournament, season)
            rows = session.scalars(
                select(MatchRow)
                .where(MatchRow.season_id == season_id, MatchRow.key > key)
                .order_by(MatchRow.key)
                .limit(AT_ONCE)
            ).all()
            entrants = _entrants(session, [row.id for row in rows])
        if not rows:
            return
        key = rows[-1].key
        yield from (_match(row, tournament, season, entrants[row.id]) for row in rows)


def season_of(session: Session, tournament: str, season: int) -> int:
    """The id of a season; raises `UnknownSeason`."""
    season_id = session.scalar(
        select(SeasonRow.id)
        .join(TournamentRow)
        .where(TournamentRow.name == tournament, SeasonRow.number == season)
    )
    if season_id is None:
        raise UnknownSeason(
            f"nothing is stored of season {season} of the tournament {tournament[:80]!r}"
        )
    return season_id


def _counted(session: Session, season_id: int, leg: int | None) -> int:
    """How many matches a season, or one of its legs, has."""
    if season_id in policy_of(session).frozen:  # a freeze hides sums, but not all matches
        query = select(func.count(MatchRow.id)).where(MatchRow.season_id == season_id)
        column = MatchRow.leg
    else:
        query = select(func.sum(LegRow.matches)).where(LegRow.season_id == season_id)
        column = LegRow.leg
    return session.scalar(query if leg is None else query.where(column == leg)) or 0


def recent(store: Store, per_season: int) -> tuple[Match, ...]:
    """The latest matches of tournaments' newest seasons, the newest first.

    Reads the tournaments that played last, without challenges.
    """
    played_last = (
        select(SeasonRow.id)
        .join(LegRow, LegRow.season_id == SeasonRow.id)
        .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
        .where(
            tuple_(SeasonRow.tournament_id, SeasonRow.number).in_(newest_seasons()),
            ~TournamentRow.name.startswith(CHALLENGES),
        )
        .group_by(SeasonRow.id)
        .order_by(func.max(LegRow.newest).desc())
        .limit(RECENT_TOURNAMENTS)
    )
    with store.database.reading() as session:
        latest = [
            select(MatchRow.id)
            .where(MatchRow.season_id == season_id)
            .order_by(MatchRow.id.desc())
            .limit(per_season)
            .subquery()
            for season_id in session.scalars(played_last)
        ]
        if not latest:
            return ()
        rows = session.execute(
            select(MatchRow, SeasonRow.number, TournamentRow.name)
            .join(SeasonRow, SeasonRow.id == MatchRow.season_id)
            .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
            .where(MatchRow.id.in_(union_all(*(select(part.c.id) for part in latest))))
            .order_by(MatchRow.id.desc())
        ).all()
        entrants = _entrants(session, [row.id for row, _, _ in rows])
    return tuple(_match(row, name, number, entrants[row.id]) for row, number, name in rows)


def match(store: Store, key: str) -> MatchDetail:
    """Return a match: its entrants, result and games; raises `UnknownMatch`."""
    with store.database.reading() as session:
        columns = session.execute(
            select(MatchRow, SeasonRow.number, SeasonRow.rated, TournamentRow.name)
            .join(SeasonRow, SeasonRow.id == MatchRow.season_id)
            .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
            .where(MatchRow.key == key)
        ).one_or_none()
        if columns is None:
            raise UnknownMatch(f"no match {key[:200]!r} is stored")
        row, number, rated, tournament = columns
        entrants = _entrants(session, [row.id])[row.id]
    seatings, records = zip(*store.games(key), strict=True)
    games = zip(boards(seatings), seatings, records, strict=True)
    return MatchDetail.model_construct(
        **dict(_match(row, tournament, number, entrants)),
        rated=rated,
        annulled=match_annulled(store, key),
        games=tuple(
            GameLine.model_construct(
                number=at,
                board=board + 1,
                seating=seating,
                scores=record.over.scores,
                struck_out=record.struck_out,
                turns=len(record.turns),
                faults=len(record.faults),
            )
            for at, (board, seating, record) in enumerate(games, start=1)
        ),
        records=records,
    )


def game(match: MatchDetail, number: int) -> GameDetail:
    """Return a game of a match, counted from 1, turn by turn."""
    record = match.records[number - 1]
    return GameDetail.model_construct(
        **dict(match.games[number - 1]),
        match=match.key,
        game=record.game,
        rules=record.version,
        options=record.options,
        purses=record.purses,
        shoe=record.shoe,
        prefixed=record.prefixed,
        played=tuple(_turn(at, turn) for at, turn in enumerate(record.turns)),
    )


def _turn(number: int, turn: Turn) -> TurnShape:
    return TurnShape.model_construct(
        number=number,
        seat=None if turn.seat == CHANCE else turn.seat,
        action=turn.action,
        question=turn.question,
        answer=turn.answer,
        wall=turn.wall,
        cpu=turn.cpu,
        peak=turn.peak,
        fault=turn_fault(turn),
    )


def _match(row: MatchRow, tournament: str, season: int, entrants: tuple[Entrant, ...]) -> Match:
    """Build a match from a row, unvalidated, since sheets have a hundred thousand of them."""
    return Match.model_construct(
        key=row.key,
        tournament=tournament,
        season=season,
        leg=row.leg,
        round=row.round,
        labels=tuple(row.labels),
        stored=row.stored,
        seconds=row.seconds,
        entrants=entrants,
    )


def _entrants(session: Session, match_ids: list[int]) -> dict[int, tuple[Entrant, ...]]:
    """The entrants of some matches, in order, by match, under the names that a reader may see."""
    rows = session.execute(
        select(SeatRow, BotRow.name, VersionRow.number, BotRow.author, VersionRow.language)
        .join(VersionRow, VersionRow.id == SeatRow.version_id)
        .join(BotRow, BotRow.id == VersionRow.bot_id)
        .where(SeatRow.match_id.in_(match_ids))
        .order_by(SeatRow.match_id, SeatRow.seat)
    )
    policy = policy_of(session)
    entrants: dict[int, tuple[Entrant, ...]] = {}
    for match_id, group in groupby(rows, key=lambda row: row[0].match_id):
        line = []
        for row, name, version, author, language in group:
            alias = policy.name(row.season_id, name)
            is_named = alias == name
            line.append(
                Entrant.model_construct(
                    seat=row.seat,
                    bot=alias,
                    version=version if is_named else 1,
                    author=author if is_named else "",
                    language=language if is_named else "",
                    side=row.side,
                    rank=row.rank,
                    score=row.score,
                    purse=row.purse,
                    hands=row.hands,
                    decisions=row.decisions,
                    faults=row.faults,
                    forgiven=row.forgiven,
                    struck_out=row.struck_out,
                    slowest=row.slowest,
                )
            )
        entrants[match_id] = tuple(line)
    return entrants

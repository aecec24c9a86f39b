"""All matches of a season, a chunk at a time, for whoever has to read them all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import func, select

from leaderboard.storage.entries import Season
from leaderboard.storage.ledger import end_of
from leaderboard.storage.models import MatchRow, SeasonRow, TournamentRow
from leaderboard.storage.models_of_ledger import LedgerRow
from leaderboard.storage.repository import Repository
from leaderboard.storage.stored_match import Checked, StoredMatch, stored_matches

CHUNK = 16
"""How many matches are read together: all of their records are in memory at a time."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """The matches of a season from one key to another that were stored no later than `until`."""

    season_id: int
    first: str
    last: str
    until: int


@dataclass(frozen=True, slots=True)
class UntilNow:
    """What is stored of a season at one moment, while it may be played on.

    `matches` is their number, `match` the id of the newest, and `entry` the number of the last
    entry in the ledger; an id or a number is 0 where there is none.
    """

    matches: int
    match: int
    entry: int


class ChunkRepository(Repository):
    """The matches of a season in bulk."""

    def stored_until_now(self, season: Season) -> UntilNow:
        """How far the matches of a season, and its tournament's ledger, reach at this moment.

        The ledger ends with the season, if that is told of, or with what was done to the season or
        to a bot later.
        """
        with self.database.reading() as session:
            owner = session.get_one(SeasonRow, season.id).tournament_id
            entries = select(func.max(LedgerRow.number)).where(LedgerRow.tournament_id == owner)
            matches = select(func.count(), func.max(MatchRow.id)).where(
                MatchRow.season_id == season.id
            )
            count, newest = session.execute(matches).one()
            end = end_of(session, owner, season.number)
            if end is not None:
                end = max(end, session.scalar(entries.where(LedgerRow.kind == "move")) or 0)
            return UntilNow(count, newest or 0, end or session.scalar(entries) or 0)

    def count_matches(self, tournament: str) -> int:
        """How many matches are stored of a tournament; 0 if there is none of this name."""
        with self.database.reading() as session:
            query = (
                select(func.count(MatchRow.id))
                .join(SeasonRow, SeasonRow.id == MatchRow.season_id)
                .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
                .where(TournamentRow.name == tournament)
            )
            return session.execute(query).scalar_one()

    def chunks(self, season_id: int, until: int) -> Iterator[Chunk]:
        """Split the matches of a season, as far as they were stored by then, in key order.

        They are found one after the other, so that nothing grows with the season.
        """
        keys = select(MatchRow.key).where(MatchRow.season_id == season_id, MatchRow.id <= until)
        after = keys
        while True:
            with self.database.reading() as session:
                found = session.scalars(after.order_by(MatchRow.key).limit(CHUNK)).all()
            if not found:
                return
            yield Chunk(season_id, found[0], found[-1], until)
            after = keys.where(MatchRow.key > found[-1])

    def stored_matches(self, chunk: Chunk) -> Sequence[StoredMatch]:
        """The rows of a chunk's matches, in key order."""
        with self.database.reading() as session:
            return [
                *stored_matches(
                    session,
                    MatchRow.season_id == chunk.season_id,
                    MatchRow.key >= chunk.first,
                    MatchRow.key <= chunk.last,
                    MatchRow.id <= chunk.until,
                )
            ]

    def checked(self, season_id: int) -> Iterator[Checked]:
        """Every match of a season in key order, its stored numbers compared with its records.

        The matches are read a chunk at a time, so the caller may take its time with each.
        """
        with self.database.reading() as session:
            newest = select(func.max(MatchRow.id)).where(MatchRow.season_id == season_id)
            until = session.scalar(newest) or 0
        for chunk in self.chunks(season_id, until):
            for match in self.stored_matches(chunk):
                yield match.checked()

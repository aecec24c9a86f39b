"""Interventions as they are stored: each in one transaction, with its entry in the ledger."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from card_arena.common.json import sha256
from card_arena.formats.field import Listed, Placing
from card_arena.formats.interventions import Intervention, InterventionKind
from card_arena.results.counts import RATED, recount
from card_arena.results.database import Repository
from card_arena.results.entries import Season
from card_arena.results.errors import StoreError, checked_reason
from card_arena.results.ledger import append, finish, newest_match, season_locked, standings_of
from card_arena.results.models import (
    EntrantRow,
    InterventionRow,
    LedgerRow,
    MatchRow,
    SeasonRow,
    SeatRow,
    TallyRow,
    TournamentRow,
    from_row,
)
from card_arena.results.seasons import place_all


def annul_match(session: Session, row: SeasonRow, key: str) -> None:
    """Let a match count for nothing: no sums, and no ratings, which are folded again from there."""
    match = session.execute(
        select(MatchRow).where(MatchRow.season_id == row.id, MatchRow.key == key)
    ).scalar_one()
    match.annulled = True
    session.execute(update(SeatRow).where(SeatRow.match_id == match.id).values(mu=None, sigma=None))
    session.flush()
    recount(session, row.id)
    _forget_tally(session, row)
    versions = session.scalars(select(SeatRow.version_id).where(SeatRow.match_id == match.id)).all()
    for version in versions:
        newest = session.execute(
            select(SeatRow.mu, SeatRow.sigma)
            .join(MatchRow, MatchRow.id == SeatRow.match_id)
            .where(
                SeatRow.season_id == row.id,
                SeatRow.version_id == version,
                SeatRow.mu.is_not(None),
            )
            .order_by(MatchRow.key.desc())
            .limit(1)
        ).first()
        mu, sigma = newest or (None, None)
        session.execute(
            update(EntrantRow)
            .where(EntrantRow.season_id == row.id, EntrantRow.version_id == version)
            .values(mu=mu, sigma=sigma, lately="")
        )
    if row.rated:
        row.unrated_from = key if row.unrated_from is None else min(key, row.unrated_from)


def annul_season(session: Session, row: SeasonRow) -> None:
    """Let a season count for nothing; the ratings of later ones are folded again."""
    row.annulled = True
    row.unrated_from = None
    for table in (SeatRow, EntrantRow):
        session.execute(update(table).where(table.season_id == row.id).values(mu=None, sigma=None))
    _forget_tally(session, row)
    session.flush()
    following = session.scalar(
        select(SeasonRow)
        .where(SeasonRow.tournament_id == row.tournament_id, SeasonRow.number > row.number, RATED)
        .order_by(SeasonRow.number)
        .limit(1)
        .with_for_update()
    )
    if row.rated and following is not None:
        following.unrated_from = ""


def _forget_tally(session: Session, row: SeasonRow) -> None:
    """Delete the tally of the tournament if it has this season's matches."""
    later = select(SeasonRow.id).where(
        SeasonRow.tournament_id == row.tournament_id, SeasonRow.number >= row.number
    )
    session.execute(delete(TallyRow).where(TallyRow.season_id.in_(later)))


Outcome = tuple[Sequence[Placing], Sequence[Mapping[str, Any]]]
"""The standings of a season right after an intervention, and the pictures of its format."""


class InterventionRepository(Repository):
    """Interventions in seasons."""

    def interventions(self, season_id: int) -> Sequence[Intervention]:
        """Return all interventions in a season, in order."""
        with self.database.reading() as session:
            return interventions_of(session, season_id)

    def proposed(
        self,
        season: Season,
        kind: InterventionKind,
        reason: str,
        *,
        version: int | None = None,
        key: str | None = None,
        entrant: Listed | None = None,
    ) -> Intervention:
        """The next intervention in a season, as it would be at this moment; nothing is stored.

        Raises `StoreError` without a reason.
        """
        with self.database.reading() as session:
            return Intervention(
                number=len(interventions_of(session, season.id)) + 1,
                entry=0,
                made=datetime.now(UTC).replace(microsecond=0),
                kind=kind,
                reason=checked_reason(reason),
                version=version,
                key=key,
                entrant=entrant,
                after=newest_match(session, season.id),
            )

    def intervene(
        self, season_id: int, what: Intervention, outcome: Outcome | None = None
    ) -> Intervention:
        """Store a proposed intervention and its effects; return it as stored.

        The `outcome` replaces the season's standings; the ledger has its hash if the season was
        over. Raises `StoreError` if anything was stored of the season since it was proposed.
        """
        with self.database.writing() as session:
            row = season_locked(session, season_id)
            number = len(interventions_of(session, season_id)) + 1
            if (number, newest_match(session, season_id)) != (what.number, what.after):
                raise StoreError("the season went on meanwhile; try again")
            return record(session, row, what, outcome)

    def annulled_later(self, season: Season) -> Mapping[int, Sequence[Intervention]]:
        """Annulments in a tournament's earlier seasons after this one had begun, by season.

        The season was planned with those matches, so it is resumed as if they counted.
        """
        with self.database.reading() as session:
            begun = session.scalar(
                select(func.max(LedgerRow.number))
                .join(TournamentRow, TournamentRow.id == LedgerRow.tournament_id)
                .where(
                    TournamentRow.name == season.tournament,
                    LedgerRow.season == season.number,
                    LedgerRow.kind == "begin",
                )
            )
            if begun is None:
                return {}
            rows = session.scalars(
                select(InterventionRow)
                .join(SeasonRow, SeasonRow.id == InterventionRow.season_id)
                .join(TournamentRow, TournamentRow.id == SeasonRow.tournament_id)
                .where(
                    TournamentRow.name == season.tournament,
                    SeasonRow.number < season.number,
                    InterventionRow.kind == "annul",
                    InterventionRow.entry > begun,
                )
            ).all()
            by_season = defaultdict[int, list[Intervention]](list)
            for row in rows:
                by_season[row.season_id].append(_intervention(row))
            return by_season

    def keys_by_intervention(
        self, season_id: int, what: Sequence[Intervention]
    ) -> Sequence[frozenset[str]]:
        """The keys of the matches that were stored before each of these, and after those before."""
        keys_before, after = [], 0
        with self.database.reading() as session:
            for intervention in what:
                keys = select(MatchRow.key).where(
                    MatchRow.season_id == season_id,
                    MatchRow.id > after,
                    MatchRow.id <= intervention.after,
                )
                keys_before.append(frozenset(session.scalars(keys)))
                after = max(after, intervention.after)
        return keys_before

    def annulled_keys(self, season_id: int) -> frozenset[str]:
        """The matches of a season that are marked as annulled."""
        query = select(MatchRow.key).where(MatchRow.season_id == season_id, MatchRow.annulled)
        with self.database.reading() as session:
            return frozenset(session.scalars(query))

    def on_probation(self, versions: Sequence[int]) -> Mapping[int, Intervention]:
        """Return the probations of these versions, by version."""
        with self.database.reading() as session:
            rows = session.scalars(
                select(InterventionRow)
                .join(SeasonRow, SeasonRow.id == InterventionRow.season_id)
                .where(
                    InterventionRow.version_id.in_(versions),
                    InterventionRow.kind == "probation",
                    InterventionRow.lifted.is_(None),
                    SeasonRow.annulled.is_(False),
                )
                .order_by(InterventionRow.made)
            )
            return {row.version_id: _intervention(row) for row in rows if row.version_id}

    def end_probation(self, version_id: int) -> bool:
        """Let a version that passed its check again enter new seasons; False if it may already."""
        with self.database.writing() as session:
            lifted = session.execute(
                update(InterventionRow)
                .where(
                    InterventionRow.version_id == version_id,
                    InterventionRow.kind == "probation",
                    InterventionRow.lifted.is_(None),
                )
                .values(lifted=datetime.now(UTC))
            )
            return bool(lifted.rowcount)  # type: ignore[attr-defined]


def interventions_of(session: Session, season_id: int) -> tuple[Intervention, ...]:
    """All interventions in a season, in order."""
    query = select(InterventionRow).where(InterventionRow.season_id == season_id)
    return tuple(map(_intervention, session.scalars(query.order_by(InterventionRow.number))))


def record(
    session: Session, row: SeasonRow, what: Intervention, outcome: Outcome | None = None
) -> Intervention:
    """Store an intervention and its effects, in the transaction of its cause."""
    was_finished = row.finished is not None
    facts = dict(what.facts)
    if what.entrant is not None:
        last = select(func.max(EntrantRow.place)).where(EntrantRow.season_id == row.id)
        place = (session.scalar(last) or 0) + 1
        version = what.entrant.version
        session.add(EntrantRow(season_id=row.id, version_id=version, place=place, sits_out=""))
    if what.ends:
        annul_season(session, row)
    elif what.kind == "annul":
        assert what.key is not None
        annul_match(session, row, what.key)
    if outcome is not None:
        session.flush()
        place_all(session, row.id, *outcome)
        session.expire_all()  # rows that were read before are read again as they are now
        if was_finished:
            facts["standings"] = sha256(standings_of(session, row))
    entry = append(session, row.tournament_id, what.kind, row.number, **facts)
    stored = replace(what, entry=entry["number"])
    columns = asdict(stored)
    session.add(InterventionRow(season_id=row.id, version_id=columns.pop("version"), **columns))
    session.flush()
    if what.ends and not was_finished:
        row.finished = datetime.now(UTC)
        finish(session, row)
    return stored


def _intervention(row: InterventionRow) -> Intervention:
    entrant = None if row.entrant is None else Listed(**row.entrant)
    return from_row(Intervention, row, version=row.version_id, entrant=entrant)

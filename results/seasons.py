"""Announced tournaments, and their seasons: settings, line-up and points."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from card_arena.common.moments import in_utc
from card_arena.common.text import storable
from card_arena.formats.field import Placing
from card_arena.results.database import Repository, locked
from card_arena.results.entries import CHALLENGES, Entrant, Season
from card_arena.results.errors import checked_reason
from card_arena.results.ledger import (
    announce_seed,
    announced_seed,
    append,
    finish,
    new_manifest,
    owner_of,
    season_locked,
    stored_standings,
)
from card_arena.results.models import (
    EntrantRow,
    ManifestRow,
    SeasonRow,
    TallyRow,
    TournamentRow,
    from_row,
)
from card_arena.results.proof.manifest import NO_PUBLIC_VALUE, Terms
from card_arena.results.season_settings import SeasonSettings
from card_arena.results.visibility import NOT_TOLD, policy_of


class SeasonRepository(Repository):
    """Tournaments, their seasons, and their pauses."""

    def seasons(self, tournament: str, due: datetime | None = None) -> Sequence[Season]:
        """Every season of a tournament, or those that were due then, the first one first."""
        query = select(SeasonRow).join(TournamentRow).where(TournamentRow.name == tournament)
        if due is not None:
            query = query.where(SeasonRow.due == due)
        with self.database.reading() as session:
            rows = session.scalars(query.order_by(SeasonRow.number))
            return [_season(row, tournament) for row in rows]

    def open_challenges(self, tournament: str | None = None) -> Sequence[Season]:
        """The challenges that are not finished, or those of one tournament; the first one first."""
        query = (
            select(SeasonRow, TournamentRow.name)
            .join(TournamentRow)
            .where(SeasonRow.finished.is_(None), TournamentRow.name.startswith(CHALLENGES))
            .order_by(SeasonRow.id)
        )
        if tournament is not None:
            query = query.where(TournamentRow.name == tournament)
        with self.database.reading() as session:
            return [_season(row, name) for row, name in session.execute(query)]

    def begin_season(
        self,
        tournament: str,
        terms: Terms,
        seed: bytes | None,
        entrants: Sequence[Entrant],
        due: datetime,
    ) -> Season:
        """Begin the next season of a tournament: freeze its terms and its line-up in its manifest.

        Without a `seed` of its own it takes the one that is announced, and the seed of the season
        after it is announced at once.
        """
        public_value = terms.public_value
        with self.database.writing() as session:
            owner = locked(session, TournamentRow, tournament)
            own = seed or announced_seed(session, owner)
            manifest = new_manifest(
                session, owner, terms, entrants, due, seed=own, given=seed is not None
            )
            row = SeasonRow(
                tournament_id=owner.id,
                number=manifest.data["season"],
                settings=terms.settings,
                rated=terms.settings.facts.rated,
                seed=own,
                due=due,
                started=datetime.now(UTC),
                manifest=manifest.sha256,
                key_from=manifest.data["key"],
                value_from=None if public_value == NO_PUBLIC_VALUE else dict(public_value),
                rules=terms.rules["version"],
            )
            session.add(row)
            session.flush()
            session.add_all(
                EntrantRow(
                    season_id=row.id,
                    version_id=entrant.version_id,
                    place=place,
                    sits_out=storable(entrant.sits_out),
                )
                for place, entrant in enumerate(entrants)
            )
            session.add(ManifestRow(season_id=row.id, text=manifest.text))
            append(session, owner.id, "begin", row.number, sha256=manifest.sha256)
            if seed is None:
                owner.next_seed = None
                announced_seed(session, owner)
            elif owner.next_seed is not None:  # it was for this season, and is for the next one
                announce_seed(session, owner, owner.next_seed)
            return _season(row, tournament)

    def announce(
        self,
        tournaments: Mapping[str, SeasonSettings],
        *,
        all_there_are: bool,
    ) -> None:
        """Store the settings of each of these tournaments' next seasons, by name.

        Each tournament has a seed from then on, whose hash the ledger tells. If these are
        `all_there_are`, all other announcements are withdrawn.
        """
        with self.database.writing() as session:
            for name, settings in tournaments.items():
                owner = locked(session, TournamentRow, name)
                owner.announced = settings
                announced_seed(session, owner)
            if all_there_are:
                others = TournamentRow.name.not_in(tournaments)
                session.execute(update(TournamentRow).where(others).values(announced=None))

    def plan_season(self, season_id: int, matches: int | None, *, at_most: bool = False) -> None:
        """Store how many matches a season has in all, including those already played.

        None means that it can't be known, and `at_most` that it is an upper bound.
        """
        planned = {"planned": matches, "at_most": at_most}
        with self.database.writing() as session:
            session.execute(update(SeasonRow).where(SeasonRow.id == season_id).values(planned))

    def note_queue(self, season_id: int, queue: Sequence[tuple[str, Sequence[int], bool]]) -> None:
        """Store the matches that are played now, which are marked, and the next ones."""
        with self.database.writing() as session:
            values = {"queue": [[key, [*versions], now] for key, versions, now in queue]}
            session.execute(update(SeasonRow).where(SeasonRow.id == season_id).values(values))

    def entrants(self, season_id: int) -> Sequence[Entrant]:
        """A season's line-up, in the order it was given."""
        with self.database.reading() as session:
            query = select(EntrantRow).where(EntrantRow.season_id == season_id)
            rows = session.scalars(query.order_by(EntrantRow.place))
            return [Entrant(row.version_id, row.sits_out) for row in rows]

    def save_standings(
        self,
        season_id: int,
        standings: Sequence[Placing],
        panels: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        """Store each version's current placing, and the pictures that the format draws."""
        with self.database.writing() as session:
            _place(session, season_id, standings, panels)

    def standings(self, season_id: int) -> tuple[Placing, ...]:
        """The stored placings, the best first, of the versions that have one."""
        with self.database.reading() as session:
            return stored_standings(session, season_id)

    def panels(self, season_id: int) -> Sequence[Mapping[str, Any]]:
        """The stored pictures of a season, as its format drew them."""
        with self.database.reading() as session:
            return session.get_one(SeasonRow, season_id).panels

    def keep_tally(self, season_id: int, data: Sequence[Any]) -> None:
        """Store the boards added up to the end of this season, in place of an earlier season's."""
        packed = zlib.compress(json.dumps(data, separators=(",", ":")).encode())
        with self.database.writing() as session:
            season = season_locked(session, season_id)
            row = {"tournament_id": season.tournament_id, "season_id": season_id, "data": packed}
            session.merge(TallyRow(**row))

    def tally(self, season_id: int) -> Sequence[Any] | None:
        """The boards added up to the end of this season; None unless it is the newest tally."""
        with self.database.reading() as session:
            query = select(TallyRow.data).where(TallyRow.season_id == season_id)
            packed = session.scalar(query)
        tally: Sequence[Any] | None = packed and json.loads(zlib.decompress(packed))
        return tally

    def finish_season(self, season_id: int) -> None:
        """Close a season, so that its seed may be shown."""
        with self.database.writing() as session:
            row = season_locked(session, season_id)
            if row.finished is None:
                row.finished = datetime.now(UTC)
                finish(session, row)

    def pause(self, tournament: str, reason: str) -> None:
        """Pause a tournament whose matches under way have come back.

        Raises `StoreError` for a tournament that is unknown, and without a reason.
        """
        reason = checked_reason(reason)
        with self.database.writing() as session:
            owner = _owner(session, tournament)
            if owner.paused != reason:
                owner.paused = reason
                _tell(session, owner, "pause", reason=reason)

    def resume(self, tournament: str) -> bool:
        """Resume a paused tournament; False if it was not paused. Raises `StoreError`."""
        with self.database.writing() as session:
            owner = _owner(session, tournament)
            if owner.paused is None:
                return False
            owner.paused = None
            _tell(session, owner, "resume")
            return True

    def paused(self) -> Mapping[str, str]:
        """The tournaments that are paused, each with the reason, if a reader may see all names."""
        with self.database.reading() as session:
            rows = session.execute(
                select(TournamentRow.name, TournamentRow.paused).where(
                    TournamentRow.paused.is_not(None)
                )
            )
            policy = policy_of(session)
            return {name: NOT_TOLD if policy.masks(name) else reason or "" for name, reason in rows}


def place_all(
    session: Session,
    season_id: int,
    standings: Sequence[Placing],
    panels: Sequence[Mapping[str, Any]],
) -> None:
    """Replace all stored placings of a season."""
    nowhere: dict[str, Any] = {"points": None, "rank": None, "tie_breaks": [], "legs": []}
    session.execute(update(EntrantRow).where(EntrantRow.season_id == season_id).values(nowhere))
    _place(session, season_id, standings, panels)


def _place(
    session: Session,
    season_id: int,
    standings: Sequence[Placing],
    panels: Sequence[Mapping[str, Any]],
) -> None:
    placed = [
        {
            "season_id": season_id,
            "version_id": placing.version,
            "points": placing.points,
            "rank": placing.rank,
            "tie_breaks": list(placing.tie_breaks),
            "legs": list(placing.legs),
        }
        for placing in standings
    ]
    if placed:
        session.execute(update(EntrantRow), placed)
    drawn = update(SeasonRow).where(SeasonRow.id == season_id)
    session.execute(drawn.values(panels=list(panels)))


def _season(row: SeasonRow, tournament: str) -> Season:
    return from_row(Season, row, tournament=tournament, due=in_utc(row.due))


def _owner(session: Session, tournament: str) -> TournamentRow:
    owner_id = owner_of(session, tournament)
    return session.get_one(TournamentRow, owner_id, with_for_update=True)


def _tell(session: Session, owner: TournamentRow, kind: Any, **facts: object) -> None:
    """Add a pause or its end to the ledger, in the season that is played, or in the last one."""
    newest = session.scalar(
        select(SeasonRow)
        .where(SeasonRow.tournament_id == owner.id)
        .order_by(SeasonRow.finished.is_not(None), SeasonRow.number.desc())
        .limit(1)
    )
    if newest is not None:
        append(session, owner.id, kind, newest.number, **facts)

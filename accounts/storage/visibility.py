"""Who sees a tournament's results, as organisers decide it; and what is kept for it."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, get_args

from sqlalchemy import delete, select

from card_arena.accounts.entries import Names, StandingsSnapshot, Visibility
from card_arena.accounts.storage.audit_log import note
from card_arena.accounts.storage.models import AliasRow, SnapshotRow, VisibilityRow
from card_arena.common.errors import UserError
from card_arena.common.moments import to_iso
from card_arena.results.database import Repository, retry_on_conflict

MOST_TOP = 1000
NUMBERS = (100, 10)
"""Aliases are drawn from so many numbers at least, and from so many for each that is taken: who
comes later must not be known by a higher number."""


class BadVisibility(UserError):
    """Results can't be shown so; the message says what was expected."""


class VisibilityRepository(Repository):
    """Who sees which results. A tournament that nobody has said anything about is public."""

    def visibilities(self) -> Sequence[Visibility]:
        """What was decided for each tournament that is not public, in order of name."""
        with self.database.reading() as session:
            rows = session.scalars(select(VisibilityRow).order_by(VisibilityRow.tournament))
            return [_entry(row) for row in rows]

    def visibility(self, tournament: str) -> Visibility:
        """Who sees a tournament's results."""
        with self.database.reading() as session:
            row = session.get(VisibilityRow, tournament)
            return Visibility(tournament) if row is None else _entry(row)

    def set_visibility(self, wanted: Visibility, by: int | None = None) -> None:
        """Have a tournament's results seen so; raises `BadVisibility`.

        Without a freeze, copies of its standings are thrown away.
        """
        checked(wanted)
        with self.database.writing() as session:
            there = session.get(VisibilityRow, wanted.tournament)
            if wanted != Visibility(wanted.tournament):
                session.merge(
                    VisibilityRow(
                        tournament=wanted.tournament,
                        names=wanted.names,
                        top=wanted.top,
                        frozen=wanted.frozen,
                    )
                )
            elif there is not None:
                session.delete(there)
            old = SnapshotRow.tournament == wanted.tournament
            if wanted.frozen is not None:
                old &= SnapshotRow.frozen != wanted.frozen
            session.execute(delete(SnapshotRow).where(old))
            frozen = to_iso(wanted.frozen) if wanted.frozen else None
            details = {"names": wanted.names, "top": wanted.top, "frozen": frozen}
            details = {name: value for name, value in details.items() if value is not None}
            note(session, by, "show results", wanted.tournament, **details)

    def snapshots(self, tournament: str) -> Mapping[int, StandingsSnapshot]:
        """The copied standings of a tournament's seasons, by the seasons' ids."""
        with self.database.reading() as session:
            rows = session.scalars(select(SnapshotRow).where(SnapshotRow.tournament == tournament))
            return {row.season_id: StandingsSnapshot(row.frozen, row.standings) for row in rows}

    def add_snapshot(
        self, tournament: str, season_id: int, frozen: datetime, standings: Mapping[str, Any]
    ) -> None:
        """Keep a copy of standings as they were when they were frozen; the first copy stays."""

        def keep() -> None:
            with self.database.writing() as session:
                row = session.get(SnapshotRow, season_id)
                if row is not None and row.frozen == frozen:
                    return
                values = {
                    "season_id": season_id,
                    "tournament": tournament,
                    "frozen": frozen,
                    "taken": datetime.now(UTC),
                    "standings": dict(standings),
                }
                session.merge(SnapshotRow(**values))

        retry_on_conflict(keep)

    def aliases(self, tournament: str, bots: Collection[str]) -> Mapping[str, str]:
        """What bots are called in a tournament where their names are not told.

        A bot keeps its alias; a new one gets a number at random that no other has. A database that
        is opened read-only doesn't keep it.
        """
        query = select(AliasRow).where(AliasRow.tournament == tournament)
        with self.database.reading() as session:
            known = {row.bot: row.number for row in session.scalars(query)}

        def draw() -> dict[str, int]:
            with self.database.writing() as session:
                known = {row.bot: row.number for row in session.scalars(query)}
                numbers = _with_new(known, bots)
                for bot in numbers.keys() - known.keys():
                    session.add(AliasRow(tournament=tournament, bot=bot, number=numbers[bot]))
                return numbers

        if not {*bots} <= known.keys():
            known = _with_new(known, bots) if self.database.read_only else retry_on_conflict(draw)
        return {bot: f"bot {known[bot]}" for bot in bots}


def _with_new(known: Mapping[str, int], bots: Collection[str]) -> dict[str, int]:
    """The numbers of aliases, with one at random for each of these bots that has none."""
    numbers = dict(known)
    for bot in sorted({*bots} - known.keys()):
        least, each = NUMBERS
        free = [*{*range(1, max(least, each * (len(numbers) + 1)))} - {*numbers.values()}]
        numbers[bot] = secrets.choice(free)
    return numbers


def checked(wanted: Visibility) -> Visibility:
    """This visibility; raises `BadVisibility` for one that means nothing."""
    if wanted.names not in get_args(Names):
        raise BadVisibility(f"names are all, top or own; got {str(wanted.names)[:20]!r}")
    if (wanted.names == "top") != (wanted.top is not None):
        raise BadVisibility(
            "`top` needs a number of places, and no other choice of names takes one"
        )
    if wanted.top is not None and not 1 <= wanted.top <= MOST_TOP:
        raise BadVisibility(f"the places that are told must be from 1 to {MOST_TOP}")
    if wanted.frozen is not None and wanted.frozen.tzinfo is None:
        raise BadVisibility("the freeze needs a time zone, such as 2026-11-27T20:00+00:00")
    return wanted


def _entry(row: VisibilityRow) -> Visibility:
    names: Names = "own" if row.names == "own" else "top" if row.names == "top" else "all"
    return Visibility(row.tournament, names, row.top, row.frozen)

"""Nonces as they are stored: hashes with the bots, and in the ledger those that were shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from common.moments import from_iso
from leaderboard.proof.nonces import checked_hash, checked_nonce, shown_in, value_of
from leaderboard.proof.public_value import BadPublicValue
from leaderboard.storage.curation import bot_row
from leaderboard.storage.ledger import append, awaiting, entries, season_locked
from leaderboard.storage.models import BotRow, SeasonRow, VersionRow
from leaderboard.storage.repository import Repository


@dataclass(frozen=True, slots=True)
class Shown:
    """A season's nonces: whose were shown, whose were not, and the value if they make it."""

    season: int
    shown: Sequence[str]
    missing: Sequence[str]
    value: str | None


class NonceRepository(Repository):
    """The nonces of bots and of seasons."""

    def hand_in(self, bot: str, nonce_hash: str) -> str:
        """Keep the hash of a bot's nonce for the seasons to come, in place of an older one.

        Raises `UnknownBot`, and `BadPublicValue` for what is no hash.
        """
        found = checked_hash(nonce_hash)
        with self.database.writing() as session:
            bot_row(session, bot).nonce = found
        return found

    def nonces(self, version_ids: Sequence[int]) -> Mapping[str, str]:
        """The hashes that were handed in with the bots of these versions, by the bots' names."""
        with self.database.reading() as session:
            rows = session.execute(
                select(BotRow.name, BotRow.nonce)
                .join(VersionRow, VersionRow.bot_id == BotRow.id)
                .where(VersionRow.id.in_(version_ids), BotRow.nonce.is_not(None))
                .order_by(BotRow.name)
            )
            return {name: nonce for name, nonce in rows if nonce is not None}

    def show(self, tournament: str, bot: str, text: str) -> Shown:
        """Tell the ledger of a nonce; the last one makes the public value.

        Raises `NothingAwaited`, and `BadPublicValue` if it is not the one that was handed in.
        """
        with self.database.writing() as session:
            row, source = awaiting(session, tournament)
            nonce = checked_nonce(bot, text, source)
            if bot in _shown(session, row):
                raise BadPublicValue(f"the nonce of {bot} was already shown")
            append(session, row.tournament_id, "nonce", row.number, bot=bot, nonce=nonce)
            return _settled(session, row, source)

    def settle(self, tournament: str) -> Shown:
        """Make the public value of what was shown, if all were or the time for it is over.

        Raises `NothingAwaited`, and `BadPublicValue` if the season waits for no nonces.
        """
        with self.database.writing() as session:
            row, source = awaiting(session, tournament)
            if source["source"] != "nonces":
                raise BadPublicValue(f"season {row.number} waits for no nonces: type its value in")
            return _settled(session, row, source)

    def settle_late(self, season_id: int) -> str | None:
        """The public value that a season's nonces give; None while some may still be shown."""
        with self.database.writing() as session:
            row = season_locked(session, season_id)
            if row.public_value is None and (row.value_from or {}).get("source") == "nonces":
                _settled(session, row, row.value_from or {})
            return row.public_value


def _shown(session: Session, row: SeasonRow) -> dict[str, str]:
    return shown_in(entries(session, row.tournament_id), row.number)


def _settled(session: Session, row: SeasonRow, source: Mapping[str, Any]) -> Shown:
    """Store the value if nothing can be shown any more that would change it."""
    shown = _shown(session, row)
    missing = sorted({*source["hashes"]} - {*shown})
    late = datetime.now(UTC) >= from_iso(source["until"])
    if late or not missing:
        if missing:
            append(session, row.tournament_id, "unshown", row.number, bots=missing)
        row.public_value = value_of(shown)
        append(session, row.tournament_id, "value", row.number, value=row.public_value)
    return Shown(row.number, sorted(shown), missing, row.public_value)

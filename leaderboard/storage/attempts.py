"""Attempts at matches as the ledger tells of them: before the first card, and how they ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from sqlalchemy import bindparam, select

from leaderboard.proof.ledger import LONGEST_REASON, LONGEST_VOID, Entry, Kind
from leaderboard.storage.ledger import append, season_locked
from leaderboard.storage.models import SeasonRow
from leaderboard.storage.models_of_ledger import LedgerRow
from leaderboard.storage.repository import Repository

UNDISTURBED = ("begin", "nonce", "unshown", "value", "resume", "finish")
"""Kinds of entries after which a season that is played on had not been interrupted."""

UNWANTED = "a bot left the season while it was played, so its result was dropped"
"""Why an attempt is void that nothing was wrong with."""

_OWNER = (
    select(SeasonRow.tournament_id, SeasonRow.number)
    .where(SeasonRow.id == bindparam("season"))
    .with_for_update()
)


class AttemptRepository(Repository):
    """Attempts at the matches of a season, and interruptions of the season."""

    def note_attempts(self, season_id: int, keys: Sequence[str]) -> None:
        """Tell that these matches are about to be played."""
        if keys:
            self._note(season_id, "attempt", keys=[*keys])

    def note_trial(self, season_id: int, version: int, key: str) -> None:
        """Tell that a version is about to be tried alone at the table of a match."""
        self._note(season_id, "trial", version=version, key=key)

    def note_void(self, season_id: int, key: str, reason: str) -> None:
        """Tell of an attempt at a match that counts for nothing."""
        self._note(season_id, "void", key=key, reason=_short(reason, LONGEST_VOID))

    def note_no_sandbox(
        self, season_id: int, version: int, reason: str, key: str | None = None
    ) -> None:
        """Tell that a version gets no sandbox in a match; without a key, in the whole season."""
        facts: dict[str, object] = {"version": version, "reason": _short(reason)}
        self._note(season_id, "no sandbox", **facts, **({} if key is None else {"key": key}))

    def without_sandbox(self, season_id: int) -> Mapping[int, str]:
        """Return the versions that get no sandbox in a whole season, each with the reason."""
        with self.database.reading() as session:
            row = session.get_one(SeasonRow, season_id)
            query = select(LedgerRow.text).filter_by(
                tournament_id=row.tournament_id, season=row.number, kind="no sandbox"
            )
            told = [Entry(text) for text in session.scalars(query.order_by(LedgerRow.number))]
        return {entry["version"]: entry["reason"] for entry in told if entry["key"] is None}

    def open_attempts(self, season_id: int) -> Set[str]:
        """Return the matches with an attempt of whose end the ledger of a season does not tell."""
        found: set[str] = set()
        with self.database.reading() as session:
            row = session.get_one(SeasonRow, season_id)
            query = select(LedgerRow.text).where(
                LedgerRow.tournament_id == row.tournament_id,
                LedgerRow.season == row.number,
                LedgerRow.kind.in_(("attempt", "match", "void", "resume")),
            )
            for entry in map(Entry, session.scalars(query.order_by(LedgerRow.number))):
                match entry["kind"]:
                    case "attempt":
                        found.update(entry["keys"])
                    case "resume":
                        found.clear()
                    case _:
                        found -= {entry["key"]}
        return found

    def note_pause(self, season_id: int, reason: str) -> None:
        """Tell that a season is no longer being played, though it is not finished."""
        self._note(season_id, "pause", reason=_short(reason))

    def note_resumption(self, season_id: int) -> None:
        """Tell that a season is played on, if anything of it had been played."""
        with self.database.writing() as session:
            row = season_locked(session, season_id)
            newest = session.scalar(
                select(LedgerRow.kind)
                .where(
                    LedgerRow.tournament_id == row.tournament_id,
                    LedgerRow.season == row.number,
                    LedgerRow.kind != "move",
                )
                .order_by(LedgerRow.number.desc())
                .limit(1)
            )
            if newest not in UNDISTURBED:
                append(session, row.tournament_id, "resume", row.number)

    def _note(self, season_id: int, kind: Kind, **facts: object) -> None:
        with self.database.writing() as session:
            # A statement that is made once, and no objects: this is done all the time.
            row = session.connection().execute(_OWNER, {"season": season_id}).one()
            append(session, row.tournament_id, kind, row.number, **facts)


def _short(reason: str, most: int = LONGEST_REASON) -> str:
    """A reason in one line of bounded length."""
    return " ".join(reason.split())[:most]

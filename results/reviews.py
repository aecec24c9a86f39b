"""Reviews of matches: what was asked for, and the reviewers' evaluations as a cache."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select

from results.database import Repository
from results.models import EvaluationRow, ReviewRow, from_row

AT_ONCE = 500
"""Keys that are looked up at a time."""


@dataclass(frozen=True, slots=True)
class Review:
    """A review that was asked for; `failed` is why it could not be finished.

    `reviewer` is the bot that evaluates, `digest` the hash of its files, both empty before it
    begins. `prefix` says whether it is asked with the common prefix.
    """

    match: str
    asked: datetime
    finished: datetime | None
    failed: str
    reviewer: str
    digest: str
    prefix: bool


class ReviewRepository(Repository):
    """Reviews that were asked for, and evaluations by their keys."""

    def evaluations(self, keys: Sequence[str]) -> Mapping[str, tuple[list[Any], str]]:
        """The stored scores with these keys, each with its reason."""
        stored: dict[str, tuple[list[Any], str]] = {}
        with self.database.reading() as session:
            for first in range(0, len(keys), AT_ONCE):
                some = EvaluationRow.key.in_(keys[first : first + AT_ONCE])
                rows = session.scalars(select(EvaluationRow).where(some))
                stored |= {row.key: (row.scores, row.reason) for row in rows}
        return stored

    def keep_evaluations(self, scores: Mapping[str, tuple[Collection[Any], str]]) -> None:
        """Store scores and reasons by their keys; those of a key never change."""
        with self.database.writing() as session:
            for key, (values, reason) in scores.items():
                session.merge(EvaluationRow(key=key, scores=list(values), reason=reason))

    def ask_for_review(self, match: str) -> None:
        """Have a match reviewed, once more if a review of it failed."""
        with self.database.writing() as session:
            row = session.get(ReviewRow, match)
            if row is None or row.failed:
                asked = datetime.now(UTC)
                session.merge(ReviewRow(match=match, asked=asked, finished=None, failed=""))

    def waiting_reviews(self) -> Sequence[Review]:
        """The reviews that are not finished, in the order in which they were asked for."""
        with self.database.reading() as session:
            rows = session.scalars(
                select(ReviewRow)
                .where(ReviewRow.finished.is_(None))
                .order_by(ReviewRow.asked, ReviewRow.match)
            )
            return [from_row(Review, row) for row in rows]

    def finished_reviews(self, tournament: str) -> Sequence[str]:
        """The matches of a tournament that are reviewed, in the order of their keys."""
        with self.database.reading() as session:
            done = ReviewRow.finished.is_not(None), ReviewRow.failed == ""
            of_it = ReviewRow.match.startswith(f"{tournament}/", autoescape=True)
            return session.scalars(
                select(ReviewRow.match).where(*done, of_it).order_by(ReviewRow.match)
            ).all()

    def review(self, match: str) -> Review | None:
        """The review of a match; None if nobody has asked for one."""
        with self.database.reading() as session:
            row = session.get(ReviewRow, match)
            return None if row is None else from_row(Review, row)

    def begin_review(self, match: str, reviewer: str, digest: str, *, prefix: bool) -> None:
        """Note who evaluates a match."""
        with self.database.writing() as session:
            row = session.get(ReviewRow, match)
            if row is not None:
                row.reviewer, row.digest, row.prefix = reviewer, digest, prefix

    def keep_review(self, match: str, reviewer: str, digest: str, *, prefix: bool) -> None:
        """Note that a match is reviewed, and by whom, whether somebody has asked for it or not."""
        now = datetime.now(UTC)
        with self.database.writing() as session:
            row = session.get(ReviewRow, match) or ReviewRow(match=match, asked=now)
            row.finished, row.failed = now, ""
            row.reviewer, row.digest, row.prefix = reviewer, digest, prefix
            session.add(row)

    def finish_review(self, match: str, failed: str = "") -> None:
        """Note that a review is finished, or why it could not be."""
        with self.database.writing() as session:
            row = session.get(ReviewRow, match)
            if row is not None:
                row.finished, row.failed = datetime.now(UTC), failed

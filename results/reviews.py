"""Reviews of matches: what was asked for, and the reviewers' evaluations as a cache."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import func, select

from card_arena.results.database import Repository
from card_arena.results.models import EvaluationRow, ReviewRow, from_row

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

    def ask_for_review(self, match: str, author: str) -> None:
        """Have a match reviewed for an author, once more if a review of it failed."""
        with self.database.writing() as session:
            row = session.get(ReviewRow, match)
            if row is None or row.failed:
                asked = datetime.now(UTC)
                session.merge(
                    ReviewRow(match=match, author=author, asked=asked, finished=None, failed="")
                )

    def next_review(self) -> Review | None:
        """The review to go on with; None if none waits.

        Authors take turns: it is the one who has waited longest since a review of theirs was
        finished, and the first of the matches that this author has asked for.
        """
        last = select(ReviewRow.author, func.max(ReviewRow.finished).label("finished"))
        served = last.group_by(ReviewRow.author).subquery()
        with self.database.reading() as session:
            row = session.scalars(
                select(ReviewRow)
                .join(served, served.c.author == ReviewRow.author)
                .where(ReviewRow.finished.is_(None))
                .order_by(served.c.finished.nulls_first(), ReviewRow.asked, ReviewRow.match)
                .limit(1)
            ).first()
            return None if row is None else from_row(Review, row)

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

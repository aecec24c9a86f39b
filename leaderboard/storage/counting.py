"""What counts: not matches and seasons that were annulled."""

from __future__ import annotations

from sqlalchemy import and_

from leaderboard.storage.models import MatchRow, SeasonRow

COUNTING = MatchRow.annulled.is_(False)
"""What holds for matches that count in their season."""

STANDING = SeasonRow.annulled.is_(False)
"""What holds for seasons that count beyond themselves."""

RATED = and_(SeasonRow.rated, STANDING)
"""What holds for seasons whose matches are rated."""

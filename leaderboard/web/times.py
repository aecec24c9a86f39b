"""How pages write moments: in the arena's time zone and in UTC."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

from markupsafe import Markup

from common import moments
from leaderboard import views
from leaderboard.statistics.pace import Pace


class Times:
    """What templates call to write moments; `zone` is the arena's time zone."""

    def __init__(self, zone: str = "UTC") -> None:
        self.zone = zone

    @property
    def filters(self) -> Mapping[str, Callable[..., Any]]:
        """The filters by their names in templates."""
        return {
            "when": self.when,
            "deadline": self.deadline,
            "in_words": self.in_words,
            "local_field": self.local_field,
            "told": self.told,
        }

    def when(self, moment: datetime | None, zone: str = "UTC") -> Markup:
        """Write a moment as `<time>`, to the minute, in a zone's time and in UTC.

        Without a zone, or where that is UTC, it is the arena's.
        """
        return self._written(moment, zone, exact=False)

    def deadline(self, moment: datetime | None) -> Markup:
        """Write a moment that decides something: to the second, and with the time that is left."""
        if moment is None:
            return self.when(None)
        left = moments.time_left(moment, datetime.now(UTC))
        return self._written(moment, self.zone, exact=True) + Markup(", <b>{}</b>").format(left)

    def in_words(self, moment: datetime, zone: str = "UTC") -> str:
        """Write a moment as plain text, in a zone's time and in UTC; by default the arena's."""
        return moments.written(moment, self._of(zone))

    def local_field(self, moment: datetime | None) -> str:
        """Write a moment as a browser's field for a time in the arena's zone takes it."""
        return moments.local_field(moment, self.zone)

    def told(self, value: object) -> str:
        """Write a value of the log, which may be a moment."""
        return moments.told(value, self.zone)

    def time_left(self, pace: Pace | None, to_come: int, *, at_most: bool) -> Markup:
        """Go on after "312 of 900 matches played": how long the rest takes at the present pace.

        A season of which nothing has been stored for unusually long does not seem to be played now.
        Says nothing where nobody can say.
        """
        left = views.time_left(pace, to_come, at_most=at_most)
        if pace is None or not left:
            return Markup("")
        if not pace.interrupted(datetime.now(UTC)):
            return Markup(", {} left at the pace of the last {}").format(left, pace.matches)
        return Markup(
            ". None has been stored since {}; once it goes on, {} left at the pace of the last {}"
        ).format(self.when(pace.newest), left, pace.matches)

    def _written(self, moment: datetime | None, zone: str, *, exact: bool) -> Markup:
        if moment is None:
            return Markup("–")
        local, utc = moments.written_apart(moment, self._of(zone), exact=exact)
        written = Markup('<time datetime="{}">{}</time>').format(
            moments.to_iso(moment.replace(microsecond=0)),
            Markup("<wbr>").join(re.split("(?<=[/_])", local)),
        )
        return written + Markup(' <span class="quiet">({})</span>').format(utc) if utc else written

    def _of(self, zone: str) -> str:
        return self.zone if zone == "UTC" else zone


def refuse_bare(value: Any) -> Any:
    """Return what a template writes; raises `TypeError` for a moment that no filter has written."""
    if isinstance(value, datetime):
        raise TypeError(f"a template writes {value!r} itself; expected one of the filters of Times")
    return value

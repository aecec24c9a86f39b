"""The standings of a season as a table in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE

from commands.console import Rows, language_name
from leaderboard.shapes.base import Figure
from leaderboard.shapes.seasons import Season
from leaderboard.shapes.standings import Standings, StandingShape
from leaderboard.standings import places, reach_places
from ratings.certainty import percent
from ratings.match_results import MEAN_LEAD
from tables.game import UNRATED

WIDE = 100
"""From this many columns on, standings show authors and languages."""

LEANING = "95 %"
"""The title of intervals that reach further to one side."""


def standings_table(found: Standings, width: int) -> Rows:
    """Draw a season's standings, of this arena or of another one, for `width` columns.

    If there are groups of bots that never met, each line names its group. If the certainty of the
    order is known, each line shows the places that the bot is statistically tied for.
    """
    season, lines = found.season, found.standings
    several = _groups(found) > 1
    wide = width >= WIDE
    table = Rows(
        box=SIMPLE,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        title=f"{season.tournament}, season {season.number} ({_headway(season)})",
        caption=_caption(found),
    )
    table.add_column("", justify="right", no_wrap=True)
    tied = any(line.chance is not None for line in lines)
    if tied:
        table.add_column("tie", justify="right", no_wrap=True)
    for heading in ("bot", *(("author", "language") if wide else ())):
        table.add_column(heading, overflow="fold")
    ratings = ["rating", "± 95 %"] if season.rated else []
    reaches = not season.carries and any(line.interval for line in lines)
    parted = next((line.tie_breaks for line in lines if line.tie_breaks), ())
    tie_breaks = [each.title for each in parted]
    lucky = _lucky(found)
    headings = [
        *(ratings if season.by_rating else []),
        season.points_title,
        *([LEANING if found.leans else "± 95 %"] if reaches else []),
        *(["less luck"] if lucky else []),
        *tie_breaks,
        *([] if season.by_rating else ratings),
        "matches",
        "faults",
    ]
    for heading in [*headings, *(["group"] if several else [])]:
        whole = heading != LEANING  # two ends may stand below each other
        table.add_column(heading.replace(" ", "\n"), justify="right", no_wrap=whole)
    for line in lines:
        row = [
            _number(line.rank, "d"),
            *([_tie(line)] if tied else []),
            f"{line.bot} v{line.version}",
            *([line.author, language_name(line.language)] * wide),
        ]
        row += ["sits out"] if line.sits_out else _cells(line, found, tie_breaks, reaches=reaches)
        table.add_row(*row, *([_number(line.group, "d")] if several and not line.sits_out else []))
    return table


def _groups(found: Standings) -> int:
    """The number of groups of bots whose ratings can't be compared with each other."""
    return max((line.group or 0 for line in found.standings), default=0)


def _lucky(found: Standings) -> bool:
    return any(line.less_luck for line in found.standings)


def _headway(season: Season) -> str:
    """Say how far a season has come: `finished`, or `running, 55 of 192 matches`."""
    if season.state == "finished":
        return season.state
    if season.planned is None:
        return f"{season.state}, {season.matches} matches"
    bound = "at most " if season.at_most else ""
    return f"{season.state}, {season.matches} of {bound}{season.planned} matches"


def _tie(line: StandingShape) -> str:
    """The places that a bot is tied for, where that is more than one."""
    if line.best is None or line.worst is None:
        return ""
    return f"{line.best}-{line.worst}" if line.best < line.worst else ""


def _caption(found: Standings) -> str | None:
    said, season = [], found.season
    known = [line for line in found.standings if line.chance is not None]
    if not season.rated:
        said.append(UNRATED)
    elif _groups(found) > 1:
        said.append("ratings of different groups can't be compared")
    if season.rated_since is not None and season.rated_anew:
        said.append(f"ratings begin anew with season {season.rated_since}: {season.rated_anew}")
    if season.by_rating:
        said.append(f"ranked by rating, with {season.points_title} beside it")
    if known:
        first = [line for line in found.standings if line.rank == 1]
        if len(first) == 1 and first[0].chance is not None:
            chance = percent(first[0].chance)
            said.append(f"{first[0].bot} is {chance} sure to be the best of {len(known)}")
        said.append("tie: places that the bot could have with other cards (95 %)")
    if found.leans and not season.by_rating:
        said.append("95 %: results decided who met whom, so it leans towards the mean of all")
    if _lucky(found):
        lead = MEAN_LEAD if season.points_title == MEAN_LEAD else "fitted lead"
        said.append(f"less luck: the {lead} without the luck with the cards (95 %)")
    return "\n".join(said) or None


def _cells(
    line: StandingShape, found: Standings, tie_breaks: Sequence[str], *, reaches: bool
) -> list[str]:
    """A line's cells behind the bot's name; `reaches` gives points a column for their interval."""
    season = found.season
    parted = {each.title: each.value for each in line.tie_breaks}
    known = line.rating
    both = (known.mu, known.high - known.mu) if known else (None,) * 2
    ratings = [_number(rating, "z.2f") for rating in both] if season.rated else []
    return [
        *(ratings if season.by_rating else []),
        _points(line.points),
        *([_reach(line.interval, leans=found.leans)] if reaches else []),
        *([_without_luck(line.less_luck)] if _lucky(found) else []),
        *(_points(parted.get(title)) for title in tie_breaks),
        *([] if season.by_rating else ratings),
        str(line.matches),
        f"{line.faults / line.decisions:.1%}" if line.decisions else "-",
    ]


def _reach(found: Figure | None, *, leans: bool) -> str:
    """How far an interval reaches: `0.31` to either side, or its two ends where it `leans`."""
    if found is None or found.low is None or found.high is None:
        return "-"
    if leans:
        form = f"z.{_places(found.low, found.high)}f"
        return f"{format(found.low, form)} to {format(found.high, form)}"
    reach = found.high - found.value
    return format(reach, f"z.{reach_places(reach)}f")


def _points(value: float | None) -> str:
    return _number(value, f"z.{places(value or 0)}f")


def _without_luck(found: Figure | None) -> str:
    """The lead less luck, and its interval: `1.52 (1.21 to 1.83)`."""
    if found is None:
        return "-"
    if found.low is None or found.high is None:
        return format(found.value, f"z.{places(found.value)}f")
    form = f"z.{_places(found.value, found.low, found.high)}f"
    return f"{format(found.value, form)} ({format(found.low, form)} to {format(found.high, form)})"


def _places(*figures: float) -> int:
    """The number of decimals for figures that stand together: enough for each, and how it differs.

    Two that differ don't read alike.
    """
    apart = min(
        (abs(one - other) for one in figures for other in figures if one != other), default=0
    )
    return max(*map(places, figures), reach_places(apart) if apart < 0.1 else 0)


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)

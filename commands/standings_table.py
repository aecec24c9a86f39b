"""The standings of a season as a table in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE

from commands.console import Rows, language_name
from leaderboard.results import MEAN_LEAD
from leaderboard.statistics.certainty import Certainty, percent
from leaderboard.statistics.intervals import Estimate
from leaderboard.views import Figures, SeasonFacts, SeasonTable, Standing, places
from tables.game import UNRATED

NOTHING = Figures()

WIDE = 100
"""From this many columns on, standings show authors and languages."""

LEANING = "95 %"
"""The title of intervals that reach further to one side."""


def standings_table(season: SeasonTable, width: int, figures: Figures = NOTHING) -> Rows:
    """Draw a season's standings for a terminal of `width` columns.

    If there are groups of bots that never met, each line names its group. If the certainty of the
    order is known, each line shows the places that the bot is statistically tied for.
    """
    facts, sure = season.season, figures.sure
    several = season.groups > 1
    wide = width >= WIDE
    table = Rows(
        box=SIMPLE,
        pad_edge=False,
        padding=(0, 1, 0, 0),
        title=f"{facts.tournament}, season {facts.number} ({_headway(facts)})",
        caption=_caption(season, figures),
    )
    table.add_column("", justify="right", no_wrap=True)
    tied = sure is not None and sure.best is not None
    if tied:
        table.add_column("tie", justify="right", no_wrap=True)
    for heading in ("bot", *(("author", "language") if wide else ())):
        table.add_column(heading, overflow="fold")
    ratings = ["rating", "± 95 %"] if facts.rated else []
    points = figures.points
    reaches = points is not None and not points.staked and any(map(points.estimate, points.values))
    parted = next((line.tie_breaks for line in season.standings if line.tie_breaks), ())
    tie_breaks = [title for title, _ in parted]
    less_luck = ["less luck"] if figures.less_luck else []
    headings = [
        *(ratings if facts.by_rating else []),
        facts.points_title,
        *([_heading(points)] if reaches else []),
        *less_luck,
        *tie_breaks,
        *([] if facts.by_rating else ratings),
        "matches",
        "won",
        "faults",
    ]
    for heading in [*headings, *(["group"] if several else [])]:
        whole = heading != LEANING  # two ends may stand below each other
        table.add_column(heading.replace(" ", "\n"), justify="right", no_wrap=whole)
    for line in season.standings:
        name = f"{line.bot} v{line.version}"
        row = [
            _number(line.rank, "d"),
            *([_tie(line, sure)] if tied else []),
            name,
            *([line.author, language_name(line.language)] * wide),
        ]
        row += (
            ["sits out"]
            if line.sits_out
            else _cells(line, facts, tie_breaks, figures, reaches=reaches)
        )
        table.add_row(*row, *([_number(line.group, "d")] if several and not line.sits_out else []))
    return table


def _headway(facts: SeasonFacts) -> str:
    """Say how far a season has come: `finished`, or `running, 55 of 192 matches`."""
    if facts.state == "finished":
        return facts.state
    if facts.planned is None:
        return f"{facts.state}, {facts.matches} matches"
    bound = "at most " if facts.at_most else ""
    return f"{facts.state}, {facts.matches} of {bound}{facts.planned} matches"


def _tie(line: Standing, sure: Certainty | None) -> str:
    """The places that a bot is tied for, where that is more than one."""
    if sure is None or line.version_id not in sure.values:
        return ""
    first, last = sure.places(line.version_id)
    return f"{first}-{last}" if first < last else ""


def _caption(season: SeasonTable, figures: Figures) -> str | None:
    said, sure = [], figures.sure
    if not season.season.rated:
        said.append(UNRATED)
    elif season.groups > 1:
        said.append("ratings of different groups can't be compared")
    if season.season.rated_since and season.season.rated_anew:
        since = season.season.rated_since.season
        said.append(f"ratings begin anew with season {since}: {season.season.rated_anew}")
    if season.season.by_rating:
        said.append(f"ranked by rating, with {season.season.points_title} beside it")
    if sure is not None and sure.best is not None:
        first = [line for line in season.standings if line.rank == 1]
        if len(first) == 1:
            chance = percent(sure.best[first[0].version_id])
            said.append(f"{first[0].bot} is {chance} sure to be the best of {len(sure.values)}")
        said.append("tie: places that the bot could have with other cards (95 %)")
    if sure is not None and sure.leans:
        said.append("95 %: results decided who met whom, so it leans towards the mean of all")
    if figures.less_luck:
        lead = MEAN_LEAD if season.season.points_title == MEAN_LEAD else "fitted lead"
        said.append(f"less luck: the {lead} without the luck with the cards (95 %)")
    return "\n".join(said) or None


def _cells(
    line: Standing,
    facts: SeasonFacts,
    tie_breaks: Sequence[str],
    figures: Figures,
    *,
    reaches: bool,
) -> list[str]:
    """A line's cells behind the bot's name; `reaches` gives points a column for their interval."""
    parted = dict(line.tie_breaks)
    known = line.rating
    both = (known.mu, known.high - known.mu) if known else (None,) * 2
    ratings = [_number(rating, "z.2f") for rating in both] if facts.rated else []
    reach = []
    sure = figures.points if reaches else None
    if sure is not None:
        found = sure.estimate(line.version_id) if line.version_id in sure.values else None
        reach = [_reach(found, leans=sure.leans)]
    return [
        *(ratings if facts.by_rating else []),
        _points(line.points),
        *reach,
        *([_without_luck(figures.less_luck.get(line.version_id))] if figures.less_luck else []),
        *(_points(parted.get(title)) for title in tie_breaks),
        *([] if facts.by_rating else ratings),
        str(line.matches),
        f"{line.won / line.hands:.0%}" if line.hands else "-",
        f"{line.faults / line.decisions:.1%}" if line.decisions else "-",
    ]


def _heading(sure: Certainty | None) -> str:
    """What the column of the points' intervals is called."""
    return LEANING if sure is not None and sure.leans else "± 95 %"


def _reach(found: Estimate | None, *, leans: bool) -> str:
    """How far an interval reaches: `0.31` to either side, or its two ends where it `leans`."""
    if found is None or found.low is None or found.high is None:
        return "-"
    if leans:
        form = f"z.{places(max(-found.low, found.high))}f"
        return f"{format(found.low, form)} to {format(found.high, form)}"
    return format(found.high - found.value, f"z.{places(found.value)}f")


def _points(value: float | None) -> str:
    return _number(value, f"z.{places(value or 0)}f")


def _without_luck(found: Estimate | None) -> str:
    """The lead less luck, and its interval: `1.52 (1.21 to 1.83)`."""
    if found is None:
        return "-"
    form = f"z.{places(found.value) or 1}f"
    if found.low is None or found.high is None:
        return format(found.value, form)
    return f"{format(found.value, form)} ({format(found.low, form)} to {format(found.high, form)})"


def _number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)

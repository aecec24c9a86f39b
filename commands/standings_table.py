"""Standings, strengths over several seasons or games, and pictures of seasons, in a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rich.cells import cell_len

from card_arena.commands.console import Rows, language_name
from card_arena.common.text import one_line
from card_arena.leaderboard.models import Figure
from card_arena.leaderboard.seasons import Season
from card_arena.leaderboard.standings import Standing, Standings, places, reach_places
from card_arena.leaderboard.versus import AllGames, AllGamesRival, Rival, Step, Versus
from card_arena.ratings.certainty import percent
from card_arena.ratings.match_results import MEAN_LEAD
from card_arena.tables.game import UNRATED

MARGIN = 2
"""The blanks beside a column."""

LEANING = "95 %"
"""The title of intervals that reach further to one side."""


def standings_table(standings: Standings, width: int) -> Rows:
    """Draw a season's standings, of this arena or of another one, for `width` columns.

    If there are groups of bots that never met, each line names its group. If the certainty of the
    order is known, each line shows the places that the bot is statistically tied for. Where the
    names of bots would be cut, authors and languages are left out, then the margin less luck.
    """
    lucky = any(line.less_luck for line in standings.standings)
    table = _table(standings, authors=True, lucky=lucky)
    if _width(table) > width:
        table = _table(standings, authors=False, lucky=lucky)
    if _width(table) > width:
        table = _table(standings, authors=False, lucky=False)
    return table


def _width(table: Rows) -> int:
    """The columns that a table takes if no cell is folded."""
    texts = [[str(column.header), *map(str, column.cells)] for column in table.columns]
    widths = [
        max(cell_len(line) for text in column for line in text.split("\n")) for column in texts
    ]
    return sum(MARGIN + width for width in widths)


def _table(standings: Standings, *, authors: bool, lucky: bool) -> Rows:
    season, lines = standings.season, standings.standings
    several = _groups(standings) > 1
    table = Rows(
        pad_edge=False,
        padding=(0, 1, 0, 0),
        title=f"{season.tournament}, season {season.number} ({_headway(season)})",
        caption=_caption(standings, lucky=lucky),
    )
    table.add_column("", justify="right", no_wrap=True)
    tied = any(line.chance is not None for line in lines)
    if tied:
        table.add_column("tie", justify="right", no_wrap=True)
    for heading in ("bot", *(("author", "language") if authors else ())):
        table.add_column(heading, overflow="fold")
    ratings = ["rating", "± 95 %"] if season.rated else []
    reaches = not season.carries and any(line.interval for line in lines)
    breaks = next((line.tie_breaks for line in lines if line.tie_breaks), ())
    tie_breaks = [tie_break.title for tie_break in breaks]
    headings = [
        *(ratings if season.by_rating else []),
        season.points_title,
        *([LEANING if standings.leans else "± 95 %"] if reaches else []),
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
            *([f"{line.best}-{line.worst}" if line.tied else ""] if tied else []),
            f"{line.bot} v{line.version}",
            *([line.author, language_name(line.language)] * authors),
        ]
        row += (
            ["sits out"]
            if line.sits_out
            else _cells(line, standings, tie_breaks, reaches=reaches, lucky=lucky)
        )
        table.add_row(*row, *([_number(line.group, "d")] if several and not line.sits_out else []))
    return table


def _groups(standings: Standings) -> int:
    """The number of groups of bots whose ratings can't be compared with each other."""
    return max((line.group or 0 for line in standings.standings), default=0)


def _headway(season: Season) -> str:
    """The progress of a season: `finished`, or `running, 55 of 192 matches`."""
    if season.state == "finished":
        return season.state
    if season.planned is None:
        return f"{season.state}, {season.matches} matches"
    bound = "at most " if season.at_most else ""
    return f"{season.state}, {season.matches} of {bound}{season.planned} matches"


def _caption(standings: Standings, *, lucky: bool) -> str | None:
    sentences, season = [], standings.season
    ranked = [line for line in standings.standings if line.chance is not None]
    if not season.rated:
        sentences.append(UNRATED)
    elif _groups(standings) > 1:
        sentences.append("ratings of different groups can't be compared")
    if season.rated_since is not None and season.rating_changes:
        sentences.append(
            f"ratings begin again with season {season.rated_since}: {season.rating_changes}"
        )
    if season.by_rating:
        sentences.append(f"ranked by rating, with {season.points_title} beside it")
    if ranked:
        first = [line for line in standings.standings if line.rank == 1]
        if len(first) == 1 and first[0].chance is not None:
            chance = percent(first[0].chance)
            sentences.append(f"{first[0].bot} is {chance} sure to be the best of {len(ranked)}")
        sentences.append("tie: places that the bot could have with other cards (95 %)")
    if standings.leans and not season.by_rating:
        sentences.append("95 %: results decided who met whom, so it leans towards the mean of all")
    if lucky:
        margin = MEAN_LEAD if season.points_title == MEAN_LEAD else "fitted margin"
        sentences.append(f"less luck: the {margin} without the luck with the cards (95 %)")
    return "\n".join(sentences) or None


def _cells(
    line: Standing,
    standings: Standings,
    tie_breaks: Sequence[str],
    *,
    reaches: bool,
    lucky: bool,
) -> list[str]:
    """A line's cells behind the bot's name; `reaches` gives points a column for their interval."""
    season = standings.season
    values = {tie_break.title: tie_break.value for tie_break in line.tie_breaks}
    rating = line.rating
    both = (rating.mu, rating.high - rating.mu) if rating else (None,) * 2
    ratings = [_number(rating, "z.2f") for rating in both] if season.rated else []
    return [
        *(ratings if season.by_rating else []),
        _points(line.points),
        *([_reach(line.interval, leans=standings.leans)] if reaches else []),
        *([_without_luck(line.less_luck)] if lucky else []),
        *(_points(values.get(title)) for title in tie_breaks),
        *([] if season.by_rating else ratings),
        str(line.matches),
        f"{line.faults / line.decisions:.1%}" if line.decisions else "-",
    ]


def _reach(figure: Figure | None, *, leans: bool) -> str:
    """The reach of an interval: `0.31` to either side, or its two ends where it `leans`."""
    if figure is None or figure.low is None or figure.high is None:
        return "-"
    if leans:
        form = f"z.{_places(figure.low, figure.high)}f"
        return f"{format(figure.low, form)} to {format(figure.high, form)}"
    reach = figure.high - figure.value
    return format(reach, f"z.{reach_places(reach)}f")


def _points(value: float | None) -> str:
    return _number(value, f"z.{places(value or 0)}f")


def _without_luck(figure: Figure | None) -> str:
    """The margin less luck, and its interval: `1.52 (1.21 to 1.83)`."""
    if figure is None:
        return "-"
    if figure.low is None or figure.high is None:
        return format(figure.value, f"z.{places(figure.value)}f")
    form = f"z.{_places(figure.value, figure.low, figure.high)}f"
    return (
        f"{format(figure.value, form)} ({format(figure.low, form)} to {format(figure.high, form)})"
    )


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


def rivals_table(rivals: Sequence[Rival], title: str, strength: str, seen: str) -> Rows:
    """Draw versions in order of strength; `strength` and `seen` name the figures of a `Rival`.

    In the order over all games, each line lists the games that the version played.
    """
    table = Rows(
        pad_edge=False,
        padding=(0, 1, 0, 0),
        title=title,
        caption="place: the places that the bot could have with other cards (95 %)",
    )
    table.add_column("place", justify="right", no_wrap=True)
    for heading in ("bot", "author"):
        table.add_column(heading, overflow="fold")
    for heading in (strength, "95 %", seen):
        table.add_column(heading, justify="right", no_wrap=True)
    if any(isinstance(rival, AllGamesRival) for rival in rivals):
        table.add_column("games", overflow="fold")
    for rival in rivals:
        table.add_row(
            _rival_places(rival),
            rival.label,
            rival.author,
            f"{rival.strength:+z.2f}",
            _interval(rival),
            str(rival.seen),
            *([", ".join(rival.games)] if isinstance(rival, AllGamesRival) else []),
        )
    return table


def head_to_head(versus: Versus, width: int) -> Rows | list[str]:
    """The margins on common boards: a matrix if it fits `width` columns, or else all pairs.

    Empty where there are no margins.
    """
    panel = versus.panel
    if panel is None:
        return []
    names = versus.names
    order = panel["order"]
    numbers = [str(number) for number in range(1, len(order) + 1)]
    rows = [
        [number, names[version], *map(_cell, cells)]
        for number, version, cells in zip(numbers, order, panel["rows"], strict=True)
    ]
    columns = zip(["", "bot", *numbers], *rows, strict=True)
    if sum(MARGIN + max(map(len, column)) for column in columns) > width - MARGIN:
        return [
            one_line(f"{names[one]} over {names[other]}: {_pair(cell)}")
            for at, (one, cells) in enumerate(zip(order, panel["rows"], strict=True))
            for other, cell in zip(order[at + 1 :], cells[at + 1 :], strict=True)
            if cell is not None
        ]
    table = Rows(
        pad_edge=False,
        padding=(0, 1, 0, 0),
        title="Head to head",
        caption="points a game by which the bot in the row is ahead, with the 95 % interval\n"
        "(?: too few boards for one)",
    )
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("bot", no_wrap=True)
    for number in numbers:
        table.add_column(number, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    return table


def _interval(rival: Rival) -> str:
    """Both ends: where results decided who met whom, an interval leans to one side."""
    if rival.low is None or rival.high is None:
        return "too few"
    return f"{rival.low:+z.2f} to {rival.high:+z.2f}"


def _cell(cell: Sequence[Any] | None) -> str:
    """A margin with its interval: `+5.00±1.45`, or `+5.00?` with too few boards for one."""
    if cell is None:
        return ""
    _, margin, reach = cell
    digits = 1 if abs(margin) >= 10 else 2
    return f"{margin:+z.{digits}f}" + (
        "?" if reach is None else f"±{reach:.{max(digits, reach_places(reach))}f}"
    )


def _pair(cell: Sequence[Any]) -> str:
    """A margin in words: `+5.00±1.45, 10 boards`."""
    boards = "1 board" if cell[0] == 1 else f"{cell[0]} boards"
    few = " (too few for an interval)" if cell[2] is None else ""
    return f"{_cell(cell).rstrip('?')}, {boards}{few}"


def versus_lines(versus: Versus) -> list[str]:
    """Describe a tournament over its seasons, besides strengths, line by line."""
    return [*map(one_line, _of_versus(versus))]


def all_games_lines(result: AllGames) -> list[str]:
    """Describe the data of the order over all games, line by line."""
    return [*map(one_line, _of_all_games(result))]


def _of_versus(versus: Versus) -> Iterator[str]:
    if versus.too_many:
        yield "more than 256 bots have played in these seasons, too many to compare all of them"
    for left in versus.left_out:
        yield f"left out: {_seasons(left.seasons)}, since {left.why}"
    for group in versus.tied:
        yield f"tied: {', '.join(version.label for version in group)}"
    yield from map(_step, versus.steps)
    if versus.panel is not None:
        yield from described(versus.panel, versus.names)
        for cycle in versus.cycles:
            one, two, three = (version.label for version in cycle.versions)
            first, second, third = cycle.margins
            yield (
                f"in a circle: {one} beats {two} by {first:.2f}, {two} beats {three} by"
                f" {second:.2f}, {three} beats {one} by {third:.2f}"
            )
        if not versus.cycles:
            yield "no three bots beat each other in a circle by more than luck could explain"


def _step(step: Step) -> str:
    low, high = step.gain.low or 0.0, step.gain.high or 0.0
    judgement = (
        "surely better" if low > 0 else "surely worse" if high < 0 else "not known to be better"
    )
    return (
        f"{step.bot} v{step.version} against v{step.before}: {step.gain.value:+z.2f}, from"
        f" {low:+z.2f} to {high:+z.2f}: {judgement}"
    )


def _of_all_games(result: AllGames) -> Iterator[str]:
    if result.groups > 1:
        yield f"{result.groups} groups of bots never met, so their places can't be compared"
    yield "a strength of 1 is one standard deviation of the margin between two bots on one board"
    for game in result.counted:
        by = "margins" if game.by_margins else "who finished ahead of whom"
        yield (
            f"{game.game}: {game.tournament}, {_seasons(game.seasons)}, {game.matches} matches of"
            f" {game.bots} bots, by {by}"
        )
    for name in result.crowded:
        yield f"{name} is left out: it has more than 256 bots"


def _rival_places(rival: Rival) -> str:
    if rival.provisional:
        return "-"
    return str(rival.best) if rival.best == rival.worst else f"{rival.best}-{rival.worst}"


def _seasons(numbers: Sequence[int]) -> str:
    return f"season{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}"


Names = Mapping[int, str]
"""The name of each version, by its id."""


def panel_lines(table: Standings) -> list[str]:
    """Describe the pictures of a season, line by line; those without words are left out."""
    names = {line.version_id: f"{line.bot} v{line.version}" for line in table.standings}
    return [line for panel in table.season.panels for line in described(panel, names)]


def described(panel: Mapping[str, Any], names: Names) -> list[str]:
    """Describe one picture, line by line; nothing if its kind has no words."""
    words = _KINDS.get(panel["kind"])
    return [] if words is None else [one_line(line) for line in words(panel, names)]


def _cuts(panel: Mapping[str, Any], names: Names) -> Iterator[str]:
    for stage in panel["stages"]:
        fates = {"spared": list[str](), "out": list[str]()}
        for version in stage["versions"]:
            fates.setdefault(version["fate"], []).append(names[version["version"]])
        final = stage["number"] == panel["planned"]
        parts = [
            f"stage {stage['number']} of {panel['planned']}: {len(stage['versions'])} bots",
            "the last stage" if final else f"{stage['places']} places",
        ]
        if not stage["over"]:
            parts.append("still being played")
        if fates["spared"]:
            parts.append(f"too close to be cut: {' and '.join(fates['spared'])}")
        if fates["out"] and not final:
            parts.append(f"out: {', '.join(fates['out'])}")
        yield "; ".join(parts)


def _queue(panel: Mapping[str, Any], names: Names) -> Iterator[str]:
    for item in panel["waiting"]:
        needed = item["needed"]
        yield f"{names[item['version']]} needs about {needed} more board{'s' * (needed != 1)}"
    if not panel["waiting"]:
        yield "every version is known well enough"
    if panel["contenders"]:
        chances = (f"{names[item['version']]} {item['chance']} %" for item in panel["contenders"])
        yield f"chance to be the best: {', '.join(chances)}"
    then = panel["then"]
    yield (
        f"the next epoch, if nobody joins: {then['new']} matches of new versions,"
        f" {then['by_lot']} at random, {then['best']} among those who may be the best"
    )


def _cross_table(panel: Mapping[str, Any], names: Names) -> Iterator[str]:
    """The bots over which each bot surely has a margin on common boards."""
    order = panel["order"]
    for version, cells in zip(order, panel["rows"], strict=True):
        behind = [
            f"{names[other]} ({cell[1]:+z.2f} ± {cell[2]:.{max(2, reach_places(cell[2]))}f})"
            for other, cell in zip(order, cells, strict=True)
            if cell and cell[2] is not None and cell[1] > cell[2]
        ]
        if behind:
            yield f"{names[version]} is surely ahead of {', '.join(behind)}"


def _thresholds(panel: Mapping[str, Any], names: Names) -> Iterator[str]:
    for number, mark in enumerate(panel["marks"]):
        reference = mark["reference"]
        asks = f"{mark['value']:+z.2f}" if reference is None else f"as good as {names[reference]}"
        for reach, verb in (("surely", "reached"), ("perhaps", "perhaps"), ("no", "not reached")):
            bots = [
                names[line["version"]]
                for line in panel["lines"]
                if line["reached"][number] == reach
            ]
            if bots:
                yield f"{mark['title']} ({asks}), {verb}: {', '.join(bots)}"


_KINDS: Mapping[str, Callable[[Mapping[str, Any], Names], Iterator[str]]] = {
    "cuts": _cuts,
    "queue": _queue,
    "cross_table": _cross_table,
    "thresholds": _thresholds,
}

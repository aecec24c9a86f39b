"""Strengths over several seasons or games in a terminal, and who leads whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.box import SIMPLE

from commands.console import Rows
from commands.panel_lines import described
from common.text import one_line
from leaderboard.standings import reach_places
from leaderboard.versus import AllGames, Rival, Step, Versus

MARGIN = 2
"""The blanks beside a column."""


def rivals_table(
    rivals: Sequence[Rival],
    title: str,
    strength: str,
    seen: str,
    games: Mapping[int, Sequence[str]] | None = None,
) -> Rows:
    """Draw versions in order of strength; `strength` and `seen` name the figures of a `Rival`.

    If it is known which `games` each version played, each line lists them.
    """
    table = Rows(
        box=SIMPLE,
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
    if games is not None:
        table.add_column("games", overflow="fold")
    for each in rivals:
        table.add_row(
            _places(each),
            f"{each.bot} v{each.version}",
            each.author,
            f"{each.strength:+z.2f}",
            _interval(each),
            str(each.seen),
            *([] if games is None else [", ".join(games[each.version_id])]),
        )
    return table


def head_to_head(found: Versus, width: int) -> Rows | list[str]:
    """Who leads whom on common boards: a matrix if it fits `width` columns, or else all pairs.

    Empty where there are no leads.
    """
    panel = found.panel
    if panel is None:
        return []
    names = {each.version_id: f"{each.bot} v{each.version}" for each in found.rivals}
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
        box=SIMPLE,
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
    """A lead with its interval: `+5.00±1.45`, or `+5.00?` with too few boards for one."""
    if cell is None:
        return ""
    _, lead, reach = cell
    digits = 1 if abs(lead) >= 10 else 2
    return f"{lead:+z.{digits}f}" + (
        "?" if reach is None else f"±{reach:.{max(digits, reach_places(reach))}f}"
    )


def _pair(cell: Sequence[Any]) -> str:
    """The same with words: `+5.00±1.45, 10 boards`."""
    boards = "1 board" if cell[0] == 1 else f"{cell[0]} boards"
    few = " (too few for an interval)" if cell[2] is None else ""
    return f"{_cell(cell).rstrip('?')}, {boards}{few}"


def versus_lines(found: Versus) -> list[str]:
    """Say what a tournament's seasons show together, besides strengths, line by line."""
    return [*map(one_line, _of_versus(found))]


def all_games_lines(found: AllGames) -> list[str]:
    """Say what the order over all games is made of, line by line."""
    return [*map(one_line, _of_all_games(found))]


def _of_versus(found: Versus) -> Iterator[str]:
    names = {each.version_id: f"{each.bot} v{each.version}" for each in found.rivals}
    if found.too_many:
        yield "more than 256 bots have played in these seasons, too many to compare all of them"
    for left in found.left_out:
        yield f"left out: {_seasons(left.seasons)}, since {left.why}"
    for group in found.tied:
        yield f"tied: {', '.join(names[version] for version in group)}"
    yield from map(_step, found.steps)
    if found.panel is not None:
        yield from described(found.panel, names)
        for cycle in found.cycles:
            one, two, three = (names[version] for version in cycle.versions)
            first, second, third = (lead.lead for lead in cycle.leads)
            yield (
                f"in a circle: {one} leads {two} by {first:.2f}, {two} leads {three} by"
                f" {second:.2f}, {three} leads {one} by {third:.2f}"
            )
        if not found.cycles:
            yield "no three bots beat each other in a circle by more than luck could explain"


def _step(step: Step) -> str:
    low, high = step.gain.low or 0.0, step.gain.high or 0.0
    known = "surely better" if low > 0 else "surely worse" if high < 0 else "not known to be better"
    return (
        f"{step.bot} v{step.version} against v{step.before}: {step.gain.value:+z.2f}, from"
        f" {low:+z.2f} to {high:+z.2f}: {known}"
    )


def _of_all_games(found: AllGames) -> Iterator[str]:
    if found.groups > 1:
        yield f"{found.groups} groups of bots never met, so their places can't be compared"
    yield "a strength of 1 is one standard deviation of the lead between two bots on one board"
    for each in found.counted:
        by = "leads" if each.by_leads else "who finished ahead of whom"
        yield (
            f"{each.game}: {each.tournament}, {_seasons(each.seasons)}, {each.matches} matches of"
            f" {each.bots} bots, by {by}"
        )
    for name in found.crowded:
        yield f"{name} is left out: it has more than 256 bots"


def _places(rival: Rival) -> str:
    if rival.provisional:
        return "-"
    return str(rival.best) if rival.best == rival.worst else f"{rival.best}-{rival.worst}"


def _seasons(numbers: Sequence[int]) -> str:
    return f"season{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}"

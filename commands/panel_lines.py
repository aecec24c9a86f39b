"""The pictures of a season in words, for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from common.text import one_line
from leaderboard.standings import SeasonTable, reach_places

Names = Mapping[int, str]
"""What each version is called, by its id."""


def panel_lines(table: SeasonTable) -> list[str]:
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
        for each in stage["versions"]:
            fates.setdefault(each["fate"], []).append(names[each["version"]])
        final = stage["number"] == panel["planned"]
        said = [
            f"stage {stage['number']} of {panel['planned']}: {len(stage['versions'])} bots",
            "the last stage" if final else f"{stage['places']} places",
        ]
        if not stage["over"]:
            said.append("still being played")
        if fates["spared"]:
            said.append(f"too close to be cut: {' and '.join(fates['spared'])}")
        if fates["out"] and not final:
            said.append(f"out: {', '.join(fates['out'])}")
        yield "; ".join(said)


def _queue(panel: Mapping[str, Any], names: Names) -> Iterator[str]:
    for each in panel["waiting"]:
        needed = each["needed"]
        yield f"{names[each['version']]} needs about {needed} more board{'s' * (needed != 1)}"
    if not panel["waiting"]:
        yield "every version is known well enough"
    if panel["contenders"]:
        chances = (f"{names[each['version']]} {each['chance']} %" for each in panel["contenders"])
        yield f"chance to be the best: {', '.join(chances)}"
    then = panel["then"]
    yield (
        f"the next epoch, if nobody joins: {then['new']} matches of new versions,"
        f" {then['by_lot']} drawn by lot, {then['best']} among those who may be the best"
    )


def _cross_table(panel: Mapping[str, Any], names: Names) -> Iterator[str]:
    """Whom each bot surely leads on common boards."""
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
        for said, verb in (("surely", "reached"), ("perhaps", "perhaps"), ("no", "not reached")):
            bots = [
                names[line["version"]] for line in panel["lines"] if line["reached"][number] == said
            ]
            if bots:
                yield f"{mark['title']} ({asks}), {verb}: {', '.join(bots)}"


_KINDS: Mapping[str, Callable[[Mapping[str, Any], Names], Iterator[str]]] = {
    "cuts": _cuts,
    "queue": _queue,
    "cross_table": _cross_table,
    "thresholds": _thresholds,
}

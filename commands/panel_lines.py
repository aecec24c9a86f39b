"""What a format draws beside its standings, as lines for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from leaderboard.views import SeasonTable


def panel_lines(season: SeasonTable) -> list[str]:
    """The pictures of a season in words; those that need a page are left to it."""
    names = {line.version_id: f"{line.bot} v{line.version}" for line in season.standings}
    return [
        line
        for panel in season.season.panels
        for line in _KINDS.get(panel["kind"], _nothing)(panel, names)
    ]


def _cross_table(panel: Mapping[str, Any], names: Mapping[int, str]) -> Iterator[str]:
    """Whom each bot surely leads on common boards."""
    order = panel["order"]
    for version, cells in zip(order, panel["rows"], strict=True):
        behind = [
            f"{names[other]} ({cell[1]:+z.2f} ± {cell[2]:.2f})"
            for other, cell in zip(order, cells, strict=True)
            if cell and cell[2] is not None and cell[1] > cell[2]
        ]
        if behind:
            yield f"{names[version]} is surely ahead of {', '.join(behind)}"


def _thresholds(panel: Mapping[str, Any], names: Mapping[int, str]) -> Iterator[str]:
    """Who reached each mark."""
    for number, mark in enumerate(panel["marks"]):
        reference = mark["reference"]
        asks = f"{mark['value']:+z.2f}" if reference is None else f"as good as {names[reference]}"
        for said, verb in (("surely", "reached"), ("perhaps", "perhaps"), ("no", "not reached")):
            bots = [
                names[line["version"]] for line in panel["lines"] if line["reached"][number] == said
            ]
            if bots:
                yield f"{mark['title']} ({asks}), {verb}: {', '.join(bots)}"


def _nothing(panel: Mapping[str, Any], names: Mapping[int, str]) -> Iterator[str]:  # noqa: ARG001
    """A kind that a newer arena draws."""
    yield from ()


_KINDS: Mapping[str, Callable[[Mapping[str, Any], Mapping[int, str]], Iterator[str]]] = {
    "cross_table": _cross_table,
    "thresholds": _thresholds,
}

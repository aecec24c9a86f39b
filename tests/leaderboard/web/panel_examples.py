"""Examples of panels."""

from __future__ import annotations

from card_arena.formats.panels import CrossTable, Line, Mark, Thresholds


def cross_table(versions: list[int], *, before: int = 0) -> CrossTable:
    """Whoever stands higher is ahead, surely if by two places; the first two never met."""

    def cell(row: int, column: int) -> tuple[int, float, float | None] | None:
        if row == column or {row, column} == {0, 1}:
            return None
        return 20, 1.5 * (column - row), None if {row, column} == {1, 2} else 2.25

    places = range(len(versions))
    rows = tuple(tuple(cell(row, column) for column in places) for row in places)
    return CrossTable(tuple(versions), rows, 20, 20, before)


def thresholds(versions: list[int]) -> Thresholds:
    *entrants, reference = versions
    lines = tuple(
        Line(
            version,
            (40, 12.5 - 10 * place, 4.25),
            ((40, 12.5 - 10 * place, 4.25),),
            (("surely", "perhaps", "no")[place % 3], "perhaps"),
        )
        for place, version in enumerate(entrants)
    )
    marks = (Mark("pass <b>", -2.5), Mark("good", 0.0, reference))
    return Thresholds((reference,), marks, lines, 60)

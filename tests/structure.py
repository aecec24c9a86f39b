"""The rooms of the arena, and what a file imports."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

FLOORS = (
    ("common",),
    ("tables", "sandbox"),
    ("ratings",),
    ("formats", "library"),
    ("results", "coach"),
    ("exhibitions",),
    ("leaderboard",),
    ("accounts",),
    ("tournament",),
    ("verify",),
    ("cluster", "collusion", "experiments"),
    ("commands",),
)
"""The rooms of the arena from the ground up: each imports only rooms on floors below its own."""


ROOMS = tuple(room for floor in FLOORS for room in floor)


OURS = (*ROOMS, "arena", "bots", "card_arena")


def imported(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names of imported modules and of what is in them, ours without `card_arena.`."""
    for node in nodes:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        yield from (name.removeprefix("card_arena.") for name in names)

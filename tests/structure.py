"""The rooms of the arena, and what a file imports."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
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


def loaded_twice(modules: Mapping[str, object]) -> list[tuple[str, ...]]:
    """Return the names under which a file of the checkout is loaded, where it has several."""
    names = defaultdict(list)
    for name, module in modules.items():
        file = getattr(module, "__file__", None)
        if file and name != "__main__" and "site-packages" not in Path(file).parts:
            path = Path(file).resolve()
            if path.is_relative_to(TOP):
                names[path].append(name)
    return [tuple(found) for found in names.values() if len(found) > 1]


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

"""Comparability: which versions' ratings can be compared at all (ratings b.8)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def groups(tables: Iterable[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Divide versions into groups that are connected by common tables.

    `tables` holds the version ids of each match. Ratings are only comparable within a group: two
    versions of different groups never met, not even through a chain of others. The largest group
    comes first, then the one with the smallest id; ids are in order within a group.
    """
    leaders: dict[int, int] = {}

    def leader(version: int) -> int:
        leaders.setdefault(version, version)
        while leaders[version] != version:
            leaders[version] = leaders[leaders[version]]
            version = leaders[version]
        return version

    for versions in tables:
        for version in versions:
            leaders[leader(version)] = leader(versions[0])
    members: dict[int, list[int]] = {}
    for version in sorted(leaders):
        members.setdefault(leader(version), []).append(version)
    return tuple(sorted(map(tuple, members.values()), key=lambda group: (-len(group), group[0])))

"""Three-cycles: A leads B, B leads C and C leads A, each more surely than luck explains.

No strengths can show one. A cycle is as sure as the least sure of its three leads, and since many
triples are looked at, its level is divided by the number of cycles that there could be (ratings
j.1).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from leaderboard.statistics.intervals import FEWEST
from leaderboard.statistics.lead_sums import PairLead

LEVEL = 0.05
"""The chance that luck alone shows any cycle, at most."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """Three versions of which each leads the next, and the last the first.

    The one with the smallest id is first. `leads` are those of each over the next. `chance` is the
    probability that luck alone makes any cycle as sure as this one, at most.
    """

    versions: tuple[int, int, int]
    leads: tuple[PairLead, PairLead, PairLead]
    chance: float


def three_cycles(pairs: Mapping[tuple[int, int], PairLead]) -> tuple[Cycle, ...]:
    """The cycles among leads head to head, given both ways round, the surest first."""
    known = {key: lead for key, lead in pairs.items() if lead.estimate is not None}
    met: defaultdict[int, set[int]] = defaultdict(set)
    for one, other in known:
        met[one].add(other)
    possible = sum(len(met[one] & met[other]) for one, other in known) / 3  # both ways round
    luck = {key: _luck(lead) for key, lead in known.items() if lead.lead > 0}
    beaten: defaultdict[int, list[int]] = defaultdict(list)
    for (one, other), chance in sorted(luck.items()):
        if chance * possible <= LEVEL:
            beaten[one].append(other)
    found = []
    for one in sorted(beaten):
        for other in beaten[one]:
            for third in beaten.get(other, ()):
                edges = (one, other), (other, third), (third, one)
                if one < min(other, third) and one in beaten.get(third, ()):
                    chance = possible * max(luck[edge] for edge in edges)
                    leads = known[edges[0]], known[edges[1]], known[edges[2]]
                    found.append(Cycle((one, other, third), leads, chance))
    return tuple(sorted(found, key=lambda cycle: (cycle.chance, cycle.versions)))


def _luck(lead: PairLead) -> float:
    """The chance that two equal bots show this lead or a greater one."""
    if lead.error is None or lead.boards < FEWEST:
        return 1.0
    if not lead.error:  # every board gave the same lead
        return 0.5**lead.boards
    return beyond(lead.lead / lead.error, lead.boards - 1)


def beyond(reach: float, freedom: int) -> float:
    """The part of Student's distribution above so many standard errors, of whole degrees.

    By the finite series of [Abramowitz 1964, 26.7.3, 26.7.4].
    """
    angle = math.atan(reach / math.sqrt(freedom))
    cosine = math.cos(angle)
    term, total = (cosine, cosine) if freedom % 2 else (1.0, 1.0)
    for n in range(3 if freedom % 2 else 2, freedom - 1, 2):
        term *= (n - 1) / n * cosine * cosine
        total += term
    if freedom % 2:
        if freedom == 1:
            total = 0.0
        middle = 2 / math.pi * (angle + math.sin(angle) * total)
    else:
        middle = math.sin(angle) * total
    return max(0.0, (1 - middle) / 2)

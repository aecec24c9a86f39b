"""TrueSkill as a fold over results: the same results in the same order give the same ratings.

The computation and its sources are described in docs/ratings.md, whose paragraph b.3 is cited as
"ratings b.3". The model is that of [Herbrich 2007].
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from card_arena.ratings.intervals import Z
from card_arena.ratings.match_results import Result

with warnings.catch_warnings():
    # The first import of the package warns about an escape in one of its docstrings.
    warnings.simplefilter("ignore")
    import trueskill

_ENVIRONMENT = trueskill.TrueSkill(
    mu=25.0,
    sigma=25.0 / 3,
    beta=25.0 / 6,
    tau=0.0,  # a version never changes, so its sigma never grows again (ratings b.3)
    draw_probability=0.10,  # with 0 the package silently raises sigma on ties (ratings b.4)
)
# The margin of a draw is the same in every match, and the package computes it each time.
_ENVIRONMENT.ppf = cache(_ENVIRONMENT.ppf)


@dataclass(frozen=True, slots=True)
class Rating:
    """The belief about a version's strength: a normal distribution."""

    mu: float
    sigma: float

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval of the strength (ratings b.6)."""
        return self.mu - Z * self.sigma

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval of the strength."""
        return self.mu + Z * self.sigma

    @property
    def provisional(self) -> bool:
        """Whether too little was played to rely on it: the interval reaches further than beta."""
        return Z * self.sigma > float(_ENVIRONMENT.beta)

    @property
    def label(self) -> str:
        """The strength and its 95 % interval for people: "27.1 ± 2.6"."""
        return f"{self.mu:.1f} ± {Z * self.sigma:.1f}".replace("-", "−")


NEWCOMER = Rating(_ENVIRONMENT.mu, _ENVIRONMENT.sigma)


@dataclass(frozen=True, slots=True)
class Ratings:
    """The state of a fold.

    `current` holds the rating of every version that has played; `history` the ratings of each
    match's entrants after the match, in their order.
    """

    current: Mapping[int, Rating]
    history: Mapping[str, tuple[Rating, ...]]


def fold(results: Iterable[Result], start: Mapping[int, Rating] | None = None) -> Ratings:
    """Rate matches in the order given, continuing from `start` if there is one (ratings c.1).

    A match with only one side shows nothing about strength and leaves the rating unchanged.
    """
    current = dict(start or {})
    history: dict[str, tuple[Rating, ...]] = {}
    for result in results:
        before = tuple(current.get(version, NEWCOMER) for version in result.versions)
        after = rated(result, before) if len(set(result.sides)) > 1 else before
        current.update(zip(result.versions, after, strict=True))
        history[result.key] = after
    return Ratings(current, history)


def rated(result: Result, before: tuple[Rating, ...]) -> tuple[Rating, ...]:
    """Rate one match and return its entrants' ratings afterwards, in their order.

    A side of several entrants is a TrueSkill team; an entrant that holds all seats of a side is
    one player (ratings b.5). Among tied sides the package's answer depends a little on their order,
    so they are put in order of version, and so are partners (ratings b.7).
    """
    entrants = sorted(range(len(before)), key=lambda e: (result.ranks[e], result.versions[e]))
    teams: dict[int, list[int]] = {}
    for entrant in entrants:
        teams.setdefault(result.sides[entrant], []).append(entrant)
    groups = [
        tuple(_ENVIRONMENT.create_rating(before[e].mu, before[e].sigma) for e in team)
        for team in teams.values()
    ]
    rates = _ENVIRONMENT.rate(groups, ranks=[result.ranks[team[0]] for team in teams.values()])
    after = {
        entrant: Rating(rate.mu, rate.sigma)
        for team, rated in zip(teams.values(), rates, strict=True)
        for entrant, rate in zip(team, rated, strict=True)
    }
    return tuple(after[entrant] for entrant in range(len(before)))

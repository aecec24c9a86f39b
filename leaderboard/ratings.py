"""TrueSkill as a fold over results: the same results in the same order give the same ratings."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from leaderboard.results import Result

with warnings.catch_warnings():
    # Compiling the package for the first time warns of an escape in one of its docstrings.
    warnings.simplefilter("ignore")
    import trueskill

_ENVIRONMENT = trueskill.TrueSkill(
    mu=25.0,
    sigma=25.0 / 3,
    beta=25.0 / 6,
    tau=0.0,  # a version never changes: nothing may widen its sigma again
    draw_probability=0.10,  # with 0 the package silently raises sigma on ties
)


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of a version's strength: a normal distribution."""

    mu: float
    sigma: float

    @property
    def shown(self) -> float:
        """The strength it has almost certainly: mu - 3 sigma, 0 for a newcomer."""
        return self.mu - 3 * self.sigma


NEWCOMER = Rating(_ENVIRONMENT.mu, _ENVIRONMENT.sigma)


@dataclass(frozen=True, slots=True)
class Ratings:
    """Where a fold has come to.

    `current` holds the rating of every version that sat down; `history` the ratings of each
    match's seats, in seat order, after it.
    """

    current: Mapping[int, Rating]
    history: Mapping[str, tuple[Rating, ...]]


def fold(results: Iterable[Result], start: Mapping[int, Rating] | None = None) -> Ratings:
    """Rate matches in the order given, going on from `start` where there is one.

    A table of one seat shows nothing about strength and leaves the rating as it was.
    """
    current = dict(start or {})
    history: dict[str, tuple[Rating, ...]] = {}
    for result in results:
        before = tuple(current.get(version, NEWCOMER) for version in result.versions)
        after = rated(result, before) if len(before) > 1 else before
        current.update(zip(result.versions, after, strict=True))
        history[result.key] = after
    return Ratings(current, history)


def rated(result: Result, before: tuple[Rating, ...]) -> tuple[Rating, ...]:
    """Rate one table: the ratings of its seats afterwards, in seat order.

    Among tied seats the package's answer depends a little on their order, so they are put in
    order of version.
    """
    seats = sorted(range(len(before)), key=lambda seat: (result.ranks[seat], result.versions[seat]))
    groups = [(_ENVIRONMENT.create_rating(before[s].mu, before[s].sigma),) for s in seats]
    rates = _ENVIRONMENT.rate(groups, ranks=[result.ranks[seat] for seat in seats])
    after = {seat: Rating(rate.mu, rate.sigma) for seat, (rate,) in zip(seats, rates, strict=True)}
    return tuple(after[seat] for seat in range(len(before)))

"""Who leads whom, for programs: over a tournament's seasons, and over all games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from leaderboard.shapes.base import Figure, Shape, Text, VersionName
from leaderboard.views import AllGames, Rival, Versus


class RivalShape(VersionName):
    """A version in a fit over several seasons."""

    author: Text
    """Its author."""
    strength: float
    """How strong it is; the shape around it says in which unit."""
    low: float | None
    """The lower end of the 95 % interval; null with too little data."""
    high: float | None
    """The upper end of the interval."""
    best: int
    """The best place that it might have with other cards (95 %)."""
    worst: int
    """The worst place that it might have."""
    seen: int
    """The boards behind its strength or, without leads, the matches or legs."""
    provisional: bool
    """Whether it has played too little for an interval."""


class Met(Shape):
    """Two versions on the boards that they have in common."""

    one: VersionName
    """One of them."""
    other: VersionName
    """The other."""
    boards: int
    """How many boards they have in common."""
    lead: float
    """How many points a game the one is ahead of the other."""
    reach: float | None
    """How far the 95 % interval reaches to either side; null with too few boards."""


class CycleShape(Shape):
    """Three versions of which each leads the next, and the last the first."""

    versions: tuple[VersionName, ...]
    """The three."""
    chance: float
    """The probability that luck alone shows any cycle as sure as this one, at most."""


class StepShape(Shape):
    """A version of a bot beside the one before it."""

    bot: Text
    """The bot's name."""
    version: int
    """The newer version."""
    before: int
    """The version before it."""
    gain: Figure
    """How much stronger the newer one is."""


class LeftOutShape(Shape):
    """Seasons that don't count."""

    seasons: tuple[int, ...]
    """Their numbers."""
    why: Text
    """Why they don't."""


class VersusShape(Shape):
    """A tournament over all its seasons."""

    tournament: str
    """The tournament's name."""
    seasons: tuple[int, ...]
    """The seasons that count."""
    left_out: tuple[LeftOutShape, ...]
    """Those that don't."""
    by_leads: bool
    """Whether strengths are points a game; otherwise they are logarithms of worth."""
    pairs_by_results: bool
    """Whether some season paired bots by their results, so that intervals lean to one side."""
    too_many: bool
    """Whether there are too many versions for a fit; everything else is then empty."""
    rivals: tuple[RivalShape, ...]
    """The versions, the strongest first."""
    tied: tuple[tuple[VersionName, ...], ...]
    """Groups of which nobody is surely better than another."""
    met: tuple[Met, ...]
    """Every two versions with common boards."""
    cycles: tuple[CycleShape, ...]
    """Cycles that luck does not explain."""
    steps: tuple[StepShape, ...]
    """Each version beside the one before it."""


class AllGamesRival(RivalShape):
    """A version in the order over all games."""

    games: tuple[str, ...]
    """The games that it played."""


class CountedShape(Shape):
    """A tournament that counts for its game."""

    tournament: str
    """The tournament's name."""
    game: str
    """The game."""
    seasons: tuple[int, ...]
    """The seasons that count."""
    bots: int
    """How many versions played in them."""
    matches: int
    """How many matches they have."""
    by_leads: bool
    """Whether leads count; otherwise ranks do."""


class AllGamesShape(Shape):
    """One order over all games; strengths are in standard deviations of a lead."""

    counted: tuple[CountedShape, ...]
    """The tournaments behind it, one for each game."""
    crowded: tuple[str, ...]
    """Tournaments with too many bots to be fitted here."""
    groups: int
    """How many groups of versions never met."""
    pairs_by_results: bool
    """Whether some season paired bots by their results."""
    rivals: tuple[AllGamesRival, ...]
    """The versions, the strongest first."""


def versus(found: Versus) -> VersusShape:
    names = _names(found.rivals)
    return VersusShape(
        tournament=found.season.tournament,
        seasons=found.seasons,
        left_out=tuple(map(LeftOutShape.model_validate, found.left_out)),
        by_leads=found.by_leads,
        pairs_by_results=found.pairs_by_results,
        too_many=found.too_many,
        rivals=tuple(map(RivalShape.model_validate, found.rivals)),
        tied=tuple(tuple(names[version] for version in group) for group in found.tied),
        met=tuple(_met(found, names)),
        cycles=tuple(
            CycleShape(versions=tuple(names[v] for v in cycle.versions), chance=cycle.chance)
            for cycle in found.cycles
        ),
        steps=tuple(map(StepShape.model_validate, found.steps)),
    )


def all_games(found: AllGames) -> AllGamesShape:
    """The order over all games."""
    return AllGamesShape(
        counted=tuple(map(CountedShape.model_validate, found.counted)),
        crowded=found.crowded,
        groups=found.groups,
        pairs_by_results=found.pairs_by_results,
        rivals=tuple(
            AllGamesRival(
                **RivalShape.model_validate(rival).model_dump(), games=found.games[rival.version_id]
            )
            for rival in found.rivals
        ),
    )


def _names(rivals: Sequence[Rival]) -> Mapping[int, VersionName]:
    return {rival.version_id: VersionName.model_validate(rival) for rival in rivals}


def _met(found: Versus, names: Mapping[int, VersionName]) -> Iterator[Met]:
    """The upper half of the cross table: the lower one says the same again."""
    if found.panel is None:
        return
    order = found.panel["order"]
    for at, (one, cells) in enumerate(zip(order, found.panel["rows"], strict=True)):
        for other, cell in zip(order[at + 1 :], cells[at + 1 :], strict=True):
            if cell is not None:
                boards, lead, reach = cell
                yield Met(one=names[one], other=names[other], boards=boards, lead=lead, reach=reach)

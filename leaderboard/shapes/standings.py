"""Standings, for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from leaderboard.shapes.base import Figure, RatingShape, Shape, Text, VersionName
from leaderboard.shapes.seasons import Coming, Entered, Season, season
from leaderboard.standings import Figures, SeasonTable, Standing
from leaderboard.versus import AllGames, Rival, Versus
from ratings.certainty import Certainty


class TieBreak(Shape):
    """A figure that parts bots with equal points."""

    title: Text
    """What it is called."""
    value: float
    """The figure."""


class StandingShape(Shape):
    """One version's line in the standings."""

    rank: int | None
    """Its place, 1 the best; null if it has none yet."""
    bot: Text
    """The bot's name."""
    version: int
    """The number of its version."""
    author: Text
    """Its author."""
    language: Text
    """Its language."""
    points: float | None
    """Its points in the season."""
    interval: Figure | None
    """The points with their 95 % interval; null where nothing can be said of them."""
    best: int | None
    """The best place that it might have with other cards (95 %)."""
    worst: int | None
    """The worst place that it might have."""
    chance: float | None
    """The probability that it is truly the best of all, from 0 to 1."""
    less_luck: Figure | None
    """Its lead without the luck with the cards; null where luck is not counted."""
    tie_breaks: tuple[TieBreak, ...]
    """What parts it from others with the same points, the weightiest first."""
    rating: RatingShape | None
    """Its rating; null without rated matches."""
    rating_rank: int | None
    """Its place by rating, 1 the best."""
    matches: int
    """How many matches it has played."""
    struck_out: int
    """In how many of them it was struck out."""
    hands: int
    """How many hands it was dealt."""
    decisions: int
    """How many questions it was asked."""
    faults: int
    """How many of its answers were faults."""
    forgiven: int
    """How many of these the tournament forgives: they count for nothing."""
    slowest: int
    """Its longest answer, in microseconds."""
    group: int | None
    """Ratings can be compared within a group; null before it has played."""
    sits_out: Text
    """Why it does not play; empty if it does."""


class Standings(Shape):
    """A season and its standings."""

    season: Season
    """The season."""
    leans: bool
    """Whether intervals reach further to one side: results decided who met whom."""
    standings: tuple[StandingShape, ...]
    """The entrants, the best first; those that sit out come last."""


class NotStarted(Shape):
    """A tournament that was never played, as it is announced."""

    coming: Coming
    """Its first season."""
    entered: tuple[Entered, ...]
    """The bots entered in it."""


class AllStandings(Shape):
    """The standings of several tournaments."""

    played: tuple[Standings, ...]
    """The newest season of each, or the one that was asked for."""
    announced: tuple[NotStarted, ...]
    """Those that were never played."""


def standings(table: SeasonTable, figures: Figures) -> Standings:
    """A season's standings for programs, with what the stored matches say about them."""
    lines = tuple(_line(line, figures) for line in table.standings)
    leans = figures.points is not None and figures.points.leans
    return Standings(season=season(table.season), leans=leans, standings=lines)


def _line(line: Standing, figures: Figures) -> StandingShape:
    points = _known(figures.points, line.version_id)
    sure = _known(figures.sure, line.version_id)
    interval = points.estimate(line.version_id) if points else None
    best, worst = sure.places(line.version_id) if sure else (None, None)
    chances = sure.best if sure else None
    luck = figures.less_luck.get(line.version_id)
    taken = {name: getattr(line, name) for name in StandingShape.model_fields if name in TAKEN}
    return StandingShape(
        interval=Figure.model_validate(interval) if interval else None,
        best=best if chances else None,
        worst=worst if chances else None,
        chance=chances[line.version_id] if chances else None,
        less_luck=Figure.model_validate(luck) if luck else None,
        tie_breaks=tuple(TieBreak(title=title, value=value) for title, value in line.tie_breaks),
        rating=RatingShape.model_validate(line.rating) if line.rating else None,
        **taken,
    )


TAKEN = frozenset(Standing.__slots__) - {"tie_breaks", "rating"}
"""The fields of a line that programs read as they are."""


def _known(found: Certainty | None, version: int) -> Certainty | None:
    """What is known of the points, if it says anything about this version."""
    return found if found is not None and version in found.values else None


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

"""Bots, for programs: versions, seasons, ratings, results and faults."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from common.faults import Fault
from leaderboard.bots import BotFault, BotLine, BotPage, BotResult, VersionLine
from leaderboard.paging import Page
from leaderboard.shapes.base import Figure, PageShape, RatingShape, Shape, Text


class VersionShape(Shape):
    """One version of a bot: it never changes."""

    bot: Text
    """The bot's name."""
    number: int
    """The number of this version, from 1."""
    submitted: datetime
    """When it was submitted."""
    games: tuple[str, ...]
    """The games that it plays."""
    protocol: str
    """How it is asked: `argv` or `stdin`."""
    language: Text
    """Its language."""
    about: Text
    """What its author says of it."""
    tags: tuple[Text, ...]
    """Its author's tags, which are only shown."""
    digest: str
    """The SHA-256 that names its files."""


class Bot(VersionShape):
    """A bot in a list, by its newest version."""

    author: Text
    """Its author: a person or a team."""
    organiser_tags: tuple[Text, ...]
    """The organiser's tags, by which tournaments choose."""
    title: Text
    """What is shown beside its name; empty if nothing is."""
    chosen: int | None
    """The version that new seasons enter; null for the newest."""
    withdrawn: datetime | None
    """Since when it enters no new season; null if it does."""
    built: bool | None
    """Whether this version could be built; null before the first try."""


class Bots(PageShape):
    """Bots, in order of name."""

    items: tuple[Bot, ...]
    """The bots of this page."""


class BotSeasonShape(Shape):
    """A season that a version of the bot is entered in."""

    tournament: str
    """The tournament's name."""
    season: int
    """The season's number."""
    version: int
    """The version that is entered."""
    rated: bool
    """Whether the season counts for ratings."""
    finished: datetime | None
    """When the season ended; null while it is played."""
    points_title: Text
    """What its points are called."""
    points: float | None
    """The bot's points."""
    rank: int | None
    """Its place, 1 the best."""
    rating: RatingShape | None
    """Its rating after its last match of the season."""
    sits_out: Text
    """Why it does not play; empty if it does."""


class RatingPointShape(Shape):
    """The rating of a version after a match."""

    match: str
    """The match's address."""
    stored: datetime
    """When the match was stored."""
    version: int
    """The version."""
    rating: RatingShape
    """Its rating then."""


class InChairsShape(Shape):
    """How the bot does in some chairs."""

    chairs: tuple[int, ...]
    """The chairs, from 0."""
    seats: int
    """How many seats the table has."""
    mean: Figure
    """Its mean there: of leads, or of scores where leads say little."""


class BotChairsShape(Shape):
    """How the bot's newest version in a tournament does in each chair."""

    tournament: str
    """The tournament's name."""
    version: int
    """The version."""
    by_score: bool
    """Whether the means are of scores."""
    lines: tuple[InChairsShape, ...]
    """The chairs."""


class BotDetail(Shape):
    """A bot."""

    name: Text
    """Its name."""
    author: Text
    """Its author: a person or a team."""
    title: Text
    """What is shown beside its name; empty if nothing is."""
    chosen: int | None
    """The version that new seasons enter; null for the newest."""
    withdrawn: datetime | None
    """Since when it enters no new season; null if it does."""
    organiser_tags: tuple[Text, ...]
    """The organiser's tags, by which tournaments choose."""
    versions: tuple[VersionShape, ...]
    """Its versions, the newest first."""
    seasons: tuple[BotSeasonShape, ...]
    """The seasons that it is or was entered in, the newest first."""
    ratings: Mapping[str, tuple[RatingPointShape, ...]]
    """Its ratings by tournament, in playing order, thinned to a hundred."""
    chairs: tuple[BotChairsShape, ...]
    """How it does in each chair, by tournament."""
    decisions: int
    """How many questions it was ever asked."""
    fault_counts: Mapping[Fault, int]
    """How many of its answers were faults, by kind."""
    forgiven_counts: Mapping[Fault, int]
    """How many of these the tournaments forgive, by kind."""


class ResultShape(Shape):
    """A match of the bot."""

    match: str
    """The match's address."""
    stored: datetime
    """When it was stored."""
    version: int
    """The version that played."""
    rank: int
    """Its place, 1 the best."""
    sides: int
    """How many sides the match had."""
    games: int
    """How many games."""
    score: int
    """The bot's score."""
    purse: int | None
    """The chips that it held afterwards; null where none are carried on."""
    hands: int
    """How many hands it was dealt."""
    faults: int
    """How many of its answers were faults."""
    forgiven: int
    """How many of these the tournament forgives: they count for nothing."""
    struck_out: bool
    """Whether it was struck out."""
    partners: tuple[Text, ...]
    """The others on its side, such as "davey v3"."""
    others: tuple[Text, ...]
    """Its opponents."""


class Results(PageShape):
    """The matches of a bot, the newest first."""

    items: tuple[ResultShape, ...]
    """The matches of this page."""


class BotFaultShape(Shape):
    """A fault of the bot, with what was asked and answered."""

    match: str
    """The match's address."""
    game: int
    """The number of the game in the match, from 1."""
    turn: int
    """The number of the turn in the game, from 0."""
    seat: int
    """The bot's seat, from 0."""
    stored: datetime
    """When the match was stored."""
    version: int
    """The version that failed."""
    kind: Fault
    """The kind of fault."""
    detail: Text
    """What happened, in a sentence."""
    struck: bool
    """Whether it counted as a strike."""
    question: Text
    """What it was asked."""
    answer: Text
    """What it answered; empty if nothing came."""
    wall: int
    """How long that took, in microseconds."""
    cpu: int
    """The processor's time for it, in microseconds."""
    peak: int
    """The most memory that its box was seen to use, in bytes."""


class Faults(Shape):
    """The newest faults of a bot, 50 at most."""

    items: tuple[BotFaultShape, ...]
    """The faults, the newest first."""


def bots(page: Page[BotLine]) -> Bots:
    items = tuple(map(Bot.model_validate, page.items))
    return Bots.of(page, items=items)


def version(line: VersionLine) -> VersionShape:
    """A version, without what may change: its author's name, and whether it can be built."""
    return VersionShape.model_validate(line)


def bot(page: BotPage) -> BotDetail:
    return BotDetail(
        name=page.name,
        author=page.author,
        title=page.versions[0].title,
        chosen=page.versions[0].chosen,
        withdrawn=page.withdrawn,
        organiser_tags=page.organiser_tags,
        versions=tuple(map(version, page.versions)),
        seasons=tuple(map(BotSeasonShape.model_validate, page.seasons)),
        ratings={
            tournament: tuple(
                RatingPointShape(
                    match=point.address.key,
                    stored=point.stored,
                    version=point.version,
                    rating=RatingShape.model_validate(point.rating),
                )
                for point in points
            )
            for tournament, points in page.ratings.items()
        },
        chairs=tuple(map(BotChairsShape.model_validate, page.chairs)),
        decisions=page.decisions,
        fault_counts={Fault(kind): count for kind, count in page.fault_counts.items()},
        forgiven_counts={Fault(kind): count for kind, count in page.forgiven_counts.items()},
    )


def results(page: Page[BotResult]) -> Results:
    """A page of a bot's matches; programs count places from 1, as people do."""
    names = [name for name in ResultShape.model_fields if name not in ("match", "rank")]
    items = tuple(
        ResultShape(
            match=line.address.key,
            rank=line.rank + 1,
            **{name: getattr(line, name) for name in names},
        )
        for line in page.items
    )
    return Results.of(page, items=items)


def faults(found: Sequence[BotFault]) -> Faults:
    """The newest faults of a bot."""
    return Faults(
        items=tuple(
            BotFaultShape(
                match=fault.address.key,
                game=fault.place.record + 1,
                turn=fault.place.turn,
                seat=fault.place.seat,
                stored=fault.stored,
                version=fault.version,
                kind=fault.event.kind,
                detail=fault.event.detail,
                struck=fault.event.struck,
                question=fault.place.question,
                answer=fault.place.answer,
                wall=fault.place.wall,
                cpu=fault.place.cpu,
                peak=fault.place.peak,
            )
            for fault in found
        )
    )

"""Reviews of matches: what each decision cost, as pages, commands and programs get it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from sqlalchemy import select

from card_arena.coach.decisions import Decision, deals
from card_arena.coach.review import (
    Evaluation,
    Mark,
    Place,
    ReviewedDeal,
    account,
    added_up,
    key_of,
    reviewed,
)
from card_arena.leaderboard.bots import reading
from card_arena.leaderboard.matches import MatchDetail
from card_arena.leaderboard.matches import match as read_match
from card_arena.leaderboard.models import Figure, PageOnly, Shape, Text
from card_arena.leaderboard.question_file import AnyMatch
from card_arena.ratings.intervals import mean
from card_arena.results.models import MatchRow, ReviewRow, SeatRow
from card_arena.results.store import Store
from card_arena.tables.game import PARTS
from card_arena.tables.record import Record

NumberedDecision = tuple[int, Decision]
"""A decision of a match, with the number of its game from 0."""


class MarkShape(Shape):
    """What a decision cost."""

    game: int
    """The number of the game, from 1."""
    turn: int
    """The number of the turn, from 0."""
    deal: int
    """The number of the deal in the game, from 1."""
    seat: int
    """The seat."""
    bot: Text
    """The bot."""
    version: int
    """The number of its version."""
    part: str
    """The part of the game: bids, leads, following, the end, or hands."""
    played: Text
    """The answer that was played."""
    fault: bool
    """Whether it was the fallback action after a fault."""
    best: Text
    """The answer that the reviewer would have given."""
    loss: Figure
    """The points that it is expected to have lost."""
    chance: Figure | None
    """How much smaller it made the chance to win the match; null where that is not known."""
    luck: Figure | None
    """How much better for the seat than expected the cards then were; null before it is known."""
    flagged: bool
    """Whether the interval of the loss lies above 0."""
    reason: Text
    """Why, in a sentence with counts; empty unless it is flagged."""


class AccountShape(Shape):
    """What became of a bot's deals: its points are luck and others' losses less its own."""

    bot: Text
    """The bot."""
    version: int
    """The number of its version."""
    points: float
    """What it won in the deals that are evaluated, above the other side or a fair share."""
    losses: Figure
    """What its decisions lost."""
    others: Figure
    """What the decisions of other bots brought it, as far as that is known."""
    luck: Figure
    """What the cards brought it."""
    by_part: Mapping[str, Figure]
    """Its losses by the part of the game."""


class MatchReview(Shape):
    """A review of a match."""

    match: Text
    """The match's address."""
    reviewer: Text
    """The bot that evaluated the decisions."""
    waiting: int
    """How many decisions are still to be evaluated."""
    marks: tuple[MarkShape, ...]
    """What each decision cost, in the order of play."""
    accounts: tuple[AccountShape, ...]
    """What became of each bot, in the order of the match's entrants."""

    @property
    def flagged(self) -> Sequence[MarkShape]:
        """The decisions that cost points for sure, the dearest first."""
        flagged = [mark for mark in self.marks if mark.flagged]
        return sorted(flagged, key=lambda mark: -(mark.chance or mark.loss).value)

    @property
    def parts(self) -> Sequence[str]:
        """The parts of the game in which there were decisions."""
        return [part for part in PARTS if any(part in one.by_part for one in self.accounts)]


def decisions_of(records: Sequence[Record], *, prefix: bool = False) -> list[NumberedDecision]:
    """The decisions of a match, for a reviewer with or without the common `prefix`."""
    return [
        (number, decision)
        for number, record in enumerate(records)
        for deal in deals(record, prefix=prefix)
        for decision in deal.decisions
    ]


def stored_evaluations(
    store: Store, digest: str, records: Sequence[Record], *, prefix: bool = False
) -> dict[Place, Evaluation]:
    """The evaluations of a match that are stored, of a reviewer whose files have this hash."""
    keys = {
        (number, decision.turn): key_of(digest, decision)
        for number, decision in decisions_of(records, prefix=prefix)
    }
    stored = store.evaluations(list(keys.values()))
    return {place: Evaluation(*stored[key]) for place, key in keys.items() if key in stored}


def stored_review(store: Store, match: AnyMatch) -> MatchReview | None:
    """The review of a stored match as far as it is done; None if it has not begun."""
    review = store.review(match.key)
    if review is None or not review.digest:
        return None
    evaluations = stored_evaluations(store, review.digest, match.records, prefix=review.prefix)
    return review_of(match, review.reviewer, evaluations, prefix=review.prefix)


def review_of(
    match: AnyMatch, reviewer: str, evaluations: Mapping[Place, Evaluation], *, prefix: bool
) -> MatchReview:
    """The review of a match with these evaluations. Raises `BadRecord` and `UnknownGame`."""
    done = reviewed(match.records, match.seatings, evaluations, prefix=prefix)
    accounts = [_account(match, entrant, done) for entrant in range(len(match.entrants))]
    return MatchReview(
        match=match.key,
        reviewer=reviewer,
        waiting=sum(deal.waiting for deal in done),
        marks=tuple(
            _mark(match, deal.game, mark, luck=not deal.waiting)
            for deal in done
            for mark in deal.marks
        ),
        accounts=tuple(accounts),
    )


def _mark(match: AnyMatch, game: int, mark: Mark, *, luck: bool) -> MarkShape:
    decision = mark.decision
    sitting = match.at_table(game)[decision.seat]
    return MarkShape(
        game=game + 1,
        turn=decision.turn,
        deal=decision.deal + 1,
        seat=decision.seat,
        bot=sitting.bot,
        version=sitting.version,
        part=decision.part.name,
        played=decision.played,
        fault=decision.fault,
        best=mark.best,
        loss=Figure.model_validate(mark.loss),
        chance=Figure.model_validate(mark.chance) if mark.chance else None,
        luck=Figure.model_validate(mark.luck) if luck else None,
        flagged=mark.flagged,
        reason=mark.reason if mark.flagged else "",
    )


def _account(match: AnyMatch, entrant: int, done: Sequence[ReviewedDeal]) -> AccountShape:
    games = []
    for number, (record, seating) in enumerate(zip(match.records, match.seatings, strict=True)):
        held = [seat for seat, holder in enumerate(seating) if holder == entrant]
        games.append(account(record, [deal for deal in done if deal.game == number], held))
    known = added_up(games)
    return AccountShape(
        bot=match.entrants[entrant].bot,
        version=match.entrants[entrant].version,
        points=known.points,
        losses=Figure.model_validate(known.losses),
        others=Figure.model_validate(known.others),
        luck=Figure.model_validate(known.luck),
        by_part={part: Figure.model_validate(figure) for part, figure in known.by_part.items()},
    )


# A version over all its matches that were reviewed.


class VersionReview(Shape):
    """What the decisions of a version cost in matches of a game that were reviewed."""

    bot: Text
    """The bot."""
    version: int
    """The number of its version."""
    matches: int
    """How many of its matches were reviewed."""
    lost: Figure
    """The points that it lost in a deal."""
    by_part: Mapping[str, Figure]
    """The points that it lost with a decision, by the part of the game."""
    dearest: PageOnly[tuple[tuple[Any, MarkShape], ...]] = ()
    """Its flagged decisions that cost most, each with its match."""


def reviewed_matches(store: Store, bot: str) -> Mapping[int, Sequence[str]]:
    """The keys of a bot's matches that were reviewed, the latest first, by its versions.

    The newest version comes first. Raises `UnknownBot`.
    """
    keys = defaultdict[int, list[str]](list)
    with reading(store, bot) as (session, _, numbers):
        rows = session.execute(
            select(SeatRow.version_id, MatchRow.key)
            .join(MatchRow, MatchRow.id == SeatRow.match_id)
            .join(ReviewRow, ReviewRow.match == MatchRow.key)
            .where(ReviewRow.finished.is_not(None), ReviewRow.failed == "")
            .where(SeatRow.version_id.in_(numbers))
            .order_by(MatchRow.id.desc())
        )
        for version_id, key in rows:
            keys[numbers[version_id]].append(key)
    return dict(sorted(keys.items(), reverse=True))


def version_review(
    bot: str, version: int, reviews: Sequence[tuple[MatchDetail, MatchReview]], most: int
) -> VersionReview | None:
    """What a version's decisions cost in matches of one game; None if it had none.

    Its `most` dearest decisions are named. Deals of the same packs are one cluster.
    """
    losses = defaultdict[str, dict[object, list[float]]](lambda: defaultdict(list))
    dealt = defaultdict[object, set[int]](set)
    for match, review in reviews:
        for mark in review.marks:
            if (mark.bot, mark.version) == (bot, version):
                packs = (match.key, match.games[mark.game - 1].board, mark.deal)
                losses[mark.part][packs].append(mark.loss.value)
                dealt[packs].add(mark.game)
    if not losses:
        return None
    flagged = [
        (match, mark)
        for match, review in reviews
        for mark in review.flagged
        if (mark.bot, mark.version) == (bot, version)
    ]
    by_packs = [
        (sum(chain.from_iterable(part.get(packs, ()) for part in losses.values())), len(games))
        for packs, games in dealt.items()
    ]
    return VersionReview(
        bot=bot,
        version=version,
        matches=len(reviews),
        lost=Figure.model_validate(mean(by_packs)),
        by_part={
            part: Figure.model_validate(mean(_clusters(losses[part].values())))
            for part in PARTS
            if part in losses
        },
        dearest=tuple(sorted(flagged, key=lambda pair: -pair[1].loss.value)[:most]),
    )


def _clusters(losses: Iterable[Sequence[float]]) -> list[tuple[float, int]]:
    return [(sum(some), len(some)) for some in losses]


class TournamentReview(Shape):
    """The reviewed matches of a tournament, summed up."""

    tournament: Text
    """The tournament."""
    bots: tuple[VersionReview, ...]
    """The versions, the one that loses least in a deal first."""


def tournament_review(store: Store, tournament: str) -> TournamentReview:
    """Sum up the reviewed matches of a tournament, version by version."""
    reviews = defaultdict[tuple[str, int], list[tuple[MatchDetail, MatchReview]]](list)
    for key in store.finished_reviews(tournament):
        match = read_match(store, key)
        if done := stored_review(store, match):
            for one in {(entrant.bot, entrant.version) for entrant in match.entrants}:
                reviews[one].append((match, done))
    summed = (version_review(*one, some, 0) for one, some in reviews.items())
    bots = sorted(filter(None, summed), key=lambda one: one.lost.value)
    return TournamentReview(tournament=tournament, bots=tuple(bots))

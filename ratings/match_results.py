"""The result of a match, computed from its records: scores, losses by strike-outs, and margins."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from typing import Literal

from card_arena.common.faults import FaultEvent
from card_arena.common.hosts import Host
from card_arena.common.text import quoted, storable
from card_arena.tables.game import Seat
from card_arena.tables.luck import UNIT, Luck, luck_of
from card_arena.tables.record import Record
from card_arena.tables.registry import GAMES
from card_arena.tables.seating import Seating, boards


def counted(
    record: Record, seating: Seating, sides: Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the counted score of each entrant in a game, and its penalty if it was struck out.

    A side that was struck out counts no more than any other, whatever the fallback action won for
    it. Its penalty is the rest of the heaviest loss that the rules allow (ratings d.2).
    """
    scores = tuple(record.over.scores[seating.index(entrant)] for entrant in range(len(sides)))
    if not record.struck_out:
        return scores, (0,) * len(sides)
    fallen = {sides[seating[seat]] for seat in record.struck_out}
    standing = [score for score, side in zip(scores, sides, strict=True) if side not in fallen]
    capped = tuple(
        min(score, *standing) if standing and side in fallen else score
        for score, side in zip(scores, sides, strict=True)
    )
    rules = GAMES[record.game]
    options = rules.options(**record.options)
    penalties = []
    for entrant, side in enumerate(sides):
        theirs = [score for score, of in zip(capped, sides, strict=True) if of != side]
        purse = record.purses[seating.index(entrant)] if record.purses else None
        penalties.append(
            max(0, capped[entrant] - rules.forfeit_score(options, theirs, record.seats, purse))
            if side in fallen
            else 0
        )
    return capped, tuple(penalties)


def board_margin(
    scores: Sequence[int], sides: Sequence[int], penalties: Sequence[int]
) -> tuple[int | Fraction, ...]:
    """Return each counted score less the mean of the other sides' and less its penalty."""
    return tuple(
        _above(score, [other for other, of in zip(scores, sides, strict=True) if of != side])
        - penalty
        for score, side, penalty in zip(scores, sides, penalties, strict=True)
    )


def _above(score: int, opponents: Sequence[int]) -> int | Fraction:
    if len(opponents) < 2:
        return score - opponents[0] if opponents else 0
    return score - Fraction(sum(opponents), len(opponents))


# The result of a match, in numbers per entrant.
#
# Everything that the store keeps beside the records is derived here, once when a match is stored
# and again whenever it is checked.


LONGEST_TEXT = 4096
"""The most characters of a fault's texts that are kept beside the records."""

MEAN_LEAD = "mean margin"
"""The title of points that are means of margins, and not fitted to them."""

Game = tuple[Record, Seating]
"""A finished game, and the entrant in each seat."""

Lucks = Callable[[Sequence[Game]], Sequence[Luck | None]]
"""Counts the luck of every seat in the games of a match; None for a game where it is unknown."""


def lucks_of(games: Sequence[Game]) -> Sequence[Luck | None]:
    """Replay every game by its rules, and return the luck of its seats."""
    return [luck_of(record) for record, _ in games]


@dataclass(frozen=True, slots=True)
class Played:
    """A match that has just been played.

    `leg` is its leg, the widest part of the season, and `round` its round within the leg; `labels`
    name its place for people. `versions` holds the version id of every entrant, `sides` the side it
    plays for. `seatings` says for each record which entrant sits in which seat. `seconds` is how
    long it took. `stderr` is the end of the standard error in every game, seat by seat; it is only
    for a bot's author. `host` is the machine of a cluster that played it.
    """

    key: str
    leg: int
    round: int
    labels: tuple[str, ...]
    versions: tuple[int, ...]
    sides: tuple[int, ...]
    seatings: tuple[Seating, ...]
    records: tuple[Record, ...]
    seconds: float
    stderr: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    host: Host | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """A stored match in brief: the input of formats and ratings.

    Every field has one entry per entrant. Entrants of one side win and lose together. Rank 1 is the
    best, and ties share a rank. `purses` are the chips afterwards and `shoe` the cards that the
    table continues with; both are empty if nothing carries over. `boards` holds the counted score
    of each entrant, board by board; if it is empty, the match is one board of `scores`. `penalties`
    are the further losses by strike-outs (ratings d.2), empty without any. `luck` is the part of
    the scores that the cards gave, board by board in thousandths of a point; it is empty where the
    game counts no luck. `games` is the number of games. `decisions` counts the questions that each
    was asked, `faults` those it failed.
    """

    key: str
    leg: int
    round: int
    versions: tuple[int, ...]
    sides: tuple[int, ...]
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    purses: tuple[int, ...]
    shoe: tuple[str, ...] = ()
    boards: tuple[tuple[int, ...], ...] = ()
    decisions: tuple[int, ...] = ()
    faults: tuple[int, ...] = ()
    games: int = 1
    luck: tuple[tuple[int, ...], ...] = ()
    penalties: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Tally:
    """One entrant's totals in a match, over all its seats.

    `seat` is its seat in the first game (the first seat if it holds several), and `side` the side
    it plays for. `score` and `hands` are its side's, summed over the games. `purse` are its chips
    at the end: 0 if it was struck out, None in games without chips to carry over and in matches of
    several games, each of which starts afresh. `decisions` counts the questions it was asked and
    `faults` those it failed, of which the tournament has `forgiven` some: these count for nothing.
    `slowest` is its longest answer in microseconds of wall time.
    """

    seat: Seat
    side: int
    rank: int
    score: int
    purse: int | None
    hands: int
    decisions: int
    faults: int
    forgiven: int
    struck_out: bool
    slowest: int


def margins(result: Result | Scorecard) -> tuple[int | Fraction, ...]:
    """Return each entrant's score less the mean of its opponents' and less its penalties.

    An opponent's penalty is nobody's gain (ratings d.1, ratings d.2).
    """
    return tuple(map(sum, zip(*board_margins(result), strict=True)))


def board_margins(result: Result | Scorecard) -> tuple[tuple[int | Fraction, ...], ...]:
    """Return the margins board by board."""
    boards = counted_boards(result)
    penalties = result.penalties or ((0,) * len(result.sides),) * len(boards)
    return tuple(
        board_margin(scores, result.sides, penalty)
        for scores, penalty in zip(boards, penalties, strict=True)
    )


def counted_boards(result: Result | Scorecard) -> tuple[tuple[int, ...], ...]:
    """Return the counted score of each entrant, board by board."""
    return result.boards or (result.scores,)


def net_boards(result: Result) -> tuple[tuple[int, ...], ...]:
    """Return the counted scores less penalties, board by board."""
    if not result.penalties:
        return counted_boards(result)
    return tuple(
        tuple(score - penalty for score, penalty in zip(*both, strict=True))
        for both in zip(counted_boards(result), result.penalties, strict=True)
    )


def boards_less_luck(
    result: Result | Scorecard, shares: Sequence[int]
) -> tuple[tuple[int, ...], ...]:
    """Return the counted scores less luck, board by board in millionths of a point [ratings n.1].

    `shares` are the parts of the luck that are subtracted on each board, in thousandths. They have
    the same means as the plain scores, with less scatter. Empty where no luck is known.
    """
    return tuple(
        tuple(UNIT * UNIT * score - share * luck for score, luck in zip(scores, lucky, strict=True))
        for scores, lucky, share in zip(
            result.boards, result.luck, shares, strict=bool(result.luck)
        )
    )


def margins_of_luck(result: Result | Scorecard) -> tuple[tuple[Fraction, ...], ...]:
    """Return how much luckier each entrant was than its opponents, board by board in points."""
    none = (0,) * len(result.sides)
    return tuple(
        tuple(Fraction(margin) / UNIT for margin in board_margin(luck, result.sides, none))
        for luck in result.luck
    )


def luck_shares(boards: Iterable[Iterable[tuple[float, float]]]) -> list[int]:
    """Return the part of the luck to subtract on each board, in thousandths.

    A board is given as the margin and the luck of each entrant. The part is that less which margins
    on all other boards scatter least: the least squares slope of margins on luck, between nothing
    and all of it, and all of it where there are none. So no board has a say in what its own luck
    counts for [ratings n.2].
    """
    rows = [[*pairs] for pairs in boards]
    products = [math.fsum(margin * luck for margin, luck in pairs) for pairs in rows]
    squares = [math.fsum(luck * luck for _, luck in pairs) for pairs in rows]
    of_all, in_all = math.fsum(products), math.fsum(squares)
    return [
        _slope(of_all - product, in_all - square)
        for product, square in zip(products, squares, strict=True)
    ]


def _slope(products: float, squares: float) -> int:
    return min(UNIT, max(0, round(UNIT * products / squares))) if squares > 1e-6 else UNIT


def luck_shares_of(results: Sequence[Result]) -> list[list[int]]:
    """Return the part of the luck to subtract on each board of some matches.

    Penalties of strike-outs are no part of these margins.
    """
    shares = iter(
        luck_shares(
            zip(
                map(float, board_margin(scores, result.sides, (0,) * len(scores))),
                (
                    float(luck) / UNIT
                    for luck in board_margin(lucky, result.sides, (0,) * len(lucky))
                ),
                strict=True,
            )
            for result in results
            for scores, lucky in zip(result.boards, result.luck, strict=bool(result.luck))
        )
    )
    return [[next(shares) for _ in result.luck] for result in results]


def among(result: Result, versions: AbstractSet[int]) -> Result | None:
    """Return the part of a match between these versions; None if fewer than two sides are left.

    A side is left out if any of its entrants is another version: its score is not only theirs.
    """
    absent = {
        side
        for side, version in zip(result.sides, result.versions, strict=True)
        if version not in versions
    }
    if not absent:
        return result
    entrants = [entrant for entrant, side in enumerate(result.sides) if side not in absent]
    if len({result.sides[entrant] for entrant in entrants}) < 2:
        return None

    def of(row: Sequence[int]) -> tuple[int, ...]:
        return tuple(row[entrant] for entrant in entrants) if row else ()

    return replace(
        result,
        versions=of(result.versions),
        sides=of(result.sides),
        ranks=of(result.ranks),
        scores=of(result.scores),
        purses=of(result.purses),
        boards=tuple(of(board) for board in counted_boards(result)),
        decisions=of(result.decisions),
        faults=of(result.faults),
        luck=tuple(of(board) for board in result.luck),
        penalties=tuple(of(board) for board in result.penalties),
    )


@dataclass(frozen=True, slots=True)
class FaultPlace:
    """The place of a fault in a match, with its question and answer.

    `record` is the number of the game and `turn` the number of the turn, both from 0; `entrant` sat
    in `seat`. `wall` and `cpu` are microseconds, `peak` bytes of memory.
    """

    record: int
    turn: int
    seat: Seat
    entrant: int
    question: str
    answer: str
    wall: int
    cpu: int
    peak: int


@dataclass(frozen=True, slots=True)
class Scorecard:
    """Everything that is derived from a match's records.

    `shoe` is the cards with which the table continues; it is empty after a match of several games,
    each of which starts afresh.
    """

    tallies: tuple[Tally, ...]
    faults: tuple[tuple[FaultPlace, FaultEvent], ...]
    shoe: tuple[str, ...] = ()
    boards: tuple[tuple[int, ...], ...] = ()
    """The counted score of each entrant, board by board."""
    games: int = 1
    luck: tuple[tuple[int, ...], ...] = ()
    """The luck of each entrant, board by board in thousandths; empty if it is unknown."""
    penalties: tuple[tuple[int, ...], ...] = ()
    """The losses of each entrant by strike-outs, board by board; empty without any."""

    @property
    def sides(self) -> tuple[int, ...]:
        return tuple(tally.side for tally in self.tallies)

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(tally.score for tally in self.tallies)

    def result(self, key: str, leg: int, round: int, versions: Sequence[int]) -> Result:
        """Return the match in brief, given its key, its place in the season and its entrants."""
        return Result(
            key=key,
            leg=leg,
            round=round,
            versions=tuple(versions),
            sides=self.sides,
            ranks=tuple(tally.rank for tally in self.tallies),
            scores=self.scores,
            purses=tuple(tally.purse for tally in self.tallies if tally.purse is not None),
            shoe=self.shoe,
            boards=self.boards,
            decisions=tuple(tally.decisions for tally in self.tallies),
            faults=tuple(tally.faults for tally in self.tallies),
            games=self.games,
            luck=self.luck,
            penalties=self.penalties,
        )


def scorecard(
    records: Sequence[Record],
    seatings: Sequence[Seating],
    sides: Sequence[int],
    lucks: Lucks = lucks_of,
) -> Scorecard:
    """Compute the result of a match.

    Scores, hands and faults of several records add up. Sides are ranked by their scores, but those
    with an entrant struck out of any game come last, by their counted scores less penalties; such
    an entrant has lost its chips. `lucks` counts the luck of all seats: a caller that replays the
    games anyway can bring it along. Raises `LookupError`, `TypeError` or `ValueError` if records
    and seatings don't match.
    """
    games = tuple(zip(records, seatings, strict=True))
    for record, seating in games:
        if record.seats != len(seating) or {*seating} != {*range(len(sides))}:
            raise ValueError(f"A game of {record.seats} seats can't have the seating {seating}.")
    faults = tuple(
        (
            FaultPlace(
                record=number,
                turn=at,
                seat=seat,
                entrant=seating[seat],
                question=storable(turn.question[:LONGEST_TEXT]),
                answer=quoted(turn.answer or ""),
                wall=turn.wall,
                cpu=turn.cpu,
                peak=turn.peak,
            ),
            fault,
        )
        for number, (record, seating) in enumerate(games)
        for at, seat, fault in record.faults
        for turn in (record.turns[at],)
    )
    out = {seating[seat] for record, seating in games for seat in record.struck_out}
    fallen = {sides[entrant] for entrant in out}
    scores = [_sum(games, entrant, "scores") for entrant in range(len(sides))]
    counted_on_boards, penalties = zip(*_boards(games, sides), strict=True)
    net = [
        sum(board[entrant] for board in counted_on_boards)
        - sum(board[entrant] for board in penalties)
        for entrant in range(len(sides))
    ]
    standing = {side: (side in fallen, -score) for side, score in zip(sides, net, strict=True)}
    tallies = []
    for entrant, side in enumerate(sides):
        seat = seatings[0].index(entrant)
        purses = records[0].over.purses if len(records) == 1 else ()
        waits = list(_waits(games, entrant))
        tallies.append(
            Tally(
                seat=seat,
                side=side,
                rank=1 + sum(other < standing[side] for other in standing.values()),
                score=scores[entrant],
                purse=purses[seat] * (entrant not in out) if purses else None,
                hands=_sum(games, entrant, "hands"),
                decisions=len(waits),
                faults=sum(place.entrant == entrant for place, _ in faults),
                forgiven=sum(
                    place.entrant == entrant and not fault.struck for place, fault in faults
                ),
                struck_out=entrant in out,
                slowest=max(waits, default=0),
            )
        )
    shoe = records[0].over.shoe if len(records) == 1 else ()
    return Scorecard(
        tuple(tallies),
        faults,
        shoe,
        counted_on_boards,
        len(games),
        _luck(games, lucks),
        penalties if out else (),
    )


def _by_board(games: Sequence[Game]) -> Iterator[list[Game]]:
    """Yield the games of each board in turn."""
    numbers = boards([seating for _, seating in games])
    for _, group in groupby(zip(numbers, games, strict=True), key=lambda pair: pair[0]):
        yield [game for _, game in group]


def _luck(games: Sequence[Game], lucks: Lucks) -> tuple[tuple[int, ...], ...]:
    """Return the luck of each entrant on every board; empty if that of any game is unknown."""
    counted = iter(lucks(games))
    totals = []
    for board in _by_board(games):
        total = [0] * len({*board[0][1]})
        for (_, seating), luck in zip(board, counted, strict=False):
            if luck is None:
                return ()
            for entrant in range(len(total)):
                total[entrant] += luck[seating.index(entrant)]
        totals.append(tuple(total))
    return tuple(totals)


def _boards(
    games: Sequence[Game], sides: Sequence[int]
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Yield the counted score of each entrant and its penalty on every board, summed over games."""
    for board in _by_board(games):
        scores, penalties = zip(*(counted(*game, sides) for game in board), strict=True)
        yield (
            tuple(map(sum, zip(*scores, strict=True))),
            tuple(map(sum, zip(*penalties, strict=True))),
        )


def _sum(games: Sequence[Game], entrant: int, field: Literal["scores", "hands"]) -> int:
    """Add up the score of an entrant's side, which is recorded for every seat of the side."""
    return sum(getattr(record.over, field)[seating.index(entrant)] for record, seating in games)


def _waits(games: Sequence[Game], entrant: int) -> Iterator[int]:
    """Yield the time of each answer; a seat that was struck out was no longer asked."""
    for record, seating in games:
        for turn in record.turns:
            if turn.question and seating[turn.seat] == entrant:
                yield turn.wall


@dataclass(frozen=True, slots=True)
class HeldSeats:
    """The games of a match in which an entrant held the same seats.

    `held` are these seats as numbers from 0, with a blank between two, and `seats` is the number
    of seats at the table. `score` is its side's in these `games`, and `margin` its margin there.
    """

    entrant: int
    held: str
    seats: int
    games: int
    score: int
    margin: float


def held_seats(
    records: Iterable[Record], seatings: Iterable[Seating], sides: Sequence[int]
) -> tuple[HeldSeats, ...]:
    """Return every entrant's seats in turn, given the side of each entrant."""
    sums: dict[tuple[int, str, int], tuple[int, int, int | Fraction]] = {}
    for record, seating in zip(records, seatings, strict=True):
        counted_scores, penalties = counted(record, seating, sides)
        ahead = board_margin(counted_scores, sides, penalties)
        for entrant, margin in enumerate(ahead):
            score = record.over.scores[seating.index(entrant)]
            held = " ".join(str(seat) for seat, sits in enumerate(seating) if sits == entrant)
            key = entrant, held, len(seating)
            count, total, above = sums.get(key, (0, 0, 0))
            sums[key] = count + 1, total + score, above + margin
    return tuple(
        HeldSeats(*key, count, total, float(margin))
        for key, (count, total, margin) in sorted(sums.items())
    )

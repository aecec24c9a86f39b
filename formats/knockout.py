"""A knockout: the better half of every tie advances, until one bot is left."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Literal

from pydantic import ValidationInfo, field_validator

from card_arena.formats.base import Count, Format, Part
from card_arena.formats.field import Field, Pairing, Placing, Planner, author, placings
from card_arena.formats.pairing import boards_of, numbered
from card_arena.formats.panels import Bracket, BracketRound, BracketSeat, BracketTie, Ended
from card_arena.ratings.margin_fit import MarginTally
from card_arena.ratings.match_results import Result, board_margins, net_boards
from card_arena.ratings.sequential import BEGIN, Margins, SequentialTest, interval

EDGE = 0.1
"""The difference that a tie is meant to find, in standard deviations of a board's margin."""

TEST = SequentialTest(-EDGE, EDGE)
"""A bot that is better by `EDGE` or more is eliminated in at most 5 % of the ties called sure."""

DIGITS = 6
"""The decimals of what a page shows: the last digits of a logarithm differ between machines."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The versions that advance, the best first, and the reason why the tie ended."""

    advancing: tuple[int, ...]
    ended: Ended


class Tie:
    """The boards of one tie between some players, of whom the better ones advance.

    `seeds` are the players with their seeds. `places` of them advance. If it `stops`, it ends as
    soon as that is sure; otherwise all `most` boards are played.
    """

    def __init__(self, seeds: Mapping[int, int], places: int, most: int, *, stops: bool) -> None:
        self._seeds = dict(sorted(seeds.items(), key=lambda item: item[1]))
        self._places = places
        self._most = most
        self._stops = stops
        self._games = 1
        self._own = dict.fromkeys(seeds, Margins())
        """By how much each is above the mean of its opponents, board by board."""
        self._over = {two: Margins() for two in combinations(self._seeds, 2)}
        """By how much the higher seed of two is above the other, board by board."""
        self.boards = 0
        self.opened = self.playing = 0
        """The number of matches that have been opened, and of those that are open."""
        self.gone: set[int] = set()
        """Players who play no more: the others advance before them."""
        self.decision: Decision | None = None

    @property
    def players(self) -> tuple[int, ...]:
        """The versions that play, the best seed first."""
        return tuple(self._seeds)

    @property
    def advancing(self) -> tuple[int, ...]:
        return self.decision.advancing if self.decision else ()

    def leave(self, version: int) -> None:
        """Withdraw a player; if it was to advance, the next one does."""
        self.gone.add(version)
        if self.decision is not None and version in self.advancing:
            order = dict.fromkeys([*self.advancing, *self.order()])
            chosen = sorted(order, key=self.gone.__contains__)[: len(self.advancing)]
            self.decision = replace(self.decision, advancing=tuple(chosen))

    def count(self, result: Result, times: int) -> None:
        """Count a match's boards, or remove them; a decision that was made stays."""
        boards = net_boards(result)
        self.boards += times * len(boards)
        self._games = max(1, result.games // len(boards))
        place = {version: entrant for entrant, version in enumerate(result.versions)}
        for scores, ahead in zip(boards, board_margins(result), strict=True):
            for version, margin in zip(result.versions, ahead, strict=True):
                self._own[version] = self._own[version].add(margin, times)
            for one, other in self._over:
                first, second = place[one], place[other]
                if result.sides[first] != result.sides[second]:
                    margin = scores[first] - scores[second]
                    self._over[one, other] = self._over[one, other].add(margin, times)

    def decide(self, *, over: bool) -> Decision | None:
        """Decide who advances, if that is sure or the tie is `over`; else return None."""
        if self.gone:
            self.decision = Decision(self.order()[: self._places], "left")
        elif not self._stops:
            self.decision = Decision(self.order()[: self._places], "boards") if over else None
        else:
            advancing, out = self._sure()
            doubtful = [version for version in self._seeds if version not in (*advancing, *out)]
            if len(advancing) < self._places == len(advancing) + len(doubtful):
                advancing = [version for version in self.order() if version not in out]
            if len(advancing) >= self._places:
                self.decision = Decision(tuple(advancing[: self._places]), "sure")
            elif over:  # the higher seeds advance
                self.decision = Decision((*advancing, *doubtful, *out)[: self._places], "cap")
        return self.decision

    def add(self, version: int) -> None:
        """Add a version that advances as one of the best runners-up of a round."""
        if self.decision:
            self.decision = replace(self.decision, advancing=(*self.advancing, version))

    def order(self) -> tuple[int, ...]:
        """The players by their margins, equal ones by their seeds; withdrawn ones come last."""
        return tuple(sorted(self._seeds, key=lambda v: (v in self.gone, -self.margin(v))))

    def margin(self, version: int) -> Fraction:
        """The mean margin of a player over its opponents, in points a game."""
        margins = self._own[version]
        return Fraction(margins.total, max(1, margins.boards) * self._games)

    def drawn(self, number: int, *, next_one_waits: bool = False) -> BracketTie:
        """The tie as a page shows it; with `next_one_waits` the runner-up's fate is open."""
        waiting = self.order()[self._places] if next_one_waits else None
        seats = []
        for version, seed in self._seeds.items():
            ends = interval(self._own[version])
            low, high = (round(end / self._games, DIGITS) for end in ends) if ends else (None, None)
            decided = self.decision and version != waiting
            advances = version in self.advancing if decided else None
            margin = round(float(self.margin(version)), DIGITS)
            seats.append(BracketSeat(version, seed, margin, low, high, advances))
        ended: Ended = self.decision.ended if self.decision else ""
        return BracketTie(number, tuple(seats), self.boards, self._most, ended)

    def _sure(self) -> tuple[list[int], list[int]]:
        """Return the versions that surely advance, and those surely eliminated, the best first.

        A player surely advances if it is surely better than all but `places` - 1 of the others, and
        is surely eliminated if at least `places` others are surely better.
        """
        above = dict.fromkeys(self._seeds, 0)
        below = dict.fromkeys(self._seeds, 0)
        for (one, other), margins in self._over.items():
            verdict = TEST.verdict(margins)
            if verdict in ("above", "below"):
                better, worse = (one, other) if verdict == "above" else (other, one)
                above[worse] += 1
                below[better] += 1
        order = self.order()
        needed = len(order) - self._places
        return (
            [version for version in order if below[version] >= needed],
            [version for version in order if above[version] >= self._places],
        )


class KnockoutOptions(Part):
    """How bots are seeded, and how long they play each other.

    `seeds` are the standings so far (the stage before, or else the tournament's earlier seasons;
    bots without results follow at random), the order in which the season lists its entrants, or a
    lot. A tie has at most so many `boards`. `until: sure` checks a tie after every `batch` of
    boards and ends it when the better side is sure; with `until: boards` all boards are played.
    """

    seeds: Literal["standings", "entrants", "lot"] = "standings"
    until: Literal["sure", "boards"] = "sure"
    boards: Count = 500
    batch: Count = 30

    @field_validator("boards")
    @classmethod
    def _can_be_sure(cls, boards: int, info: ValidationInfo) -> int:
        if info.data.get("until") == "sure" and boards < BEGIN:
            raise ValueError(
                f"must be at least {BEGIN}, where the test begins that says who is surely better,"
                " or go with `until: boards`"
            )
        return boards


class Knockout(Format[KnockoutOptions]):
    """Single elimination, with byes for the best seeds.

    Two sides play in pairs, the best seed against the last one. At tables of three or more the
    better half advances.
    """

    name = "knockout"
    options = KnockoutOptions
    leg_title = "round"
    points = "rounds survived"
    only_by_points = "the order of a knockout says who stayed in"

    def planner(self, field: Field, options: KnockoutOptions) -> Planner:
        return _Tree(field, options)


@dataclass(frozen=True, slots=True)
class Draw:
    """The shape of one round: the numbers of `byes` and `ties`.

    `places` of every tie advance and, of the runners-up, the `best_next` of the whole round.
    """

    byes: int
    ties: int
    places: int
    best_next: int = 0

    @property
    def advancing(self) -> int:
        """The number of bots that advance from the round."""
        return self.byes + self.ties * self.places + self.best_next


def draws(players: int, seats: int) -> tuple[Draw, ...]:
    """The rounds of a knockout of so many players, at tables of so many seats.

    The first round leaves as many players as fill one, two, four ... tables, and only there are
    byes; every later one leaves half of them, and the final leaves one.
    """
    if players < seats:
        return ()
    full = seats
    while 2 * full <= players:
        full *= 2
    rounds = []
    if too_many := players - full:
        ties = min(-(-too_many // (seats - seats // 2)), players // seats)
        staying = ties * seats - too_many
        rounds.append(Draw(players - ties * seats, ties, staying // ties, staying % ties))
    while full > seats:
        ties, full = full // seats, full // 2
        rounds.append(Draw(0, ties, full // ties, full % ties))
    return (*rounds, Draw(0, 1, 1))


def title(rounds_left: int, number: int) -> str:
    """The name of one tie of a round: `final`, `semi-final`, `quarter-final`, `round 1`."""
    names = {1: "final", 2: "semi-final", 3: "quarter-final"}
    return names.get(rounds_left, f"round {number}")


def seeded(field: Field, options: KnockoutOptions) -> tuple[int, ...]:
    """The players, the best seed first.

    If bots of one author must not meet, only the best seed of each author enters at tables of three
    or more sides: sooner or later they would have to sit together.
    """
    lots = field.shuffled(field.versions, field.key("lots"))
    order: Sequence[int] = lots
    if options.seeds == "entrants" or (options.seeds == "standings" and field.ranked):
        order = field.versions
    elif options.seeds == "standings":
        strengths = MarginTally(field.earlier()).strengths()
        order = sorted(lots, key=lambda v: -strengths[v] if v in strengths else math.inf)
    table = field.table(len(order))
    authors = field.authors_at(table) if table else {}
    best = {author(version, authors): version for version in reversed(order)}
    entering = {*best.values()}
    return tuple(version for version in order if version in entering)


@dataclass(frozen=True, slots=True)
class _Round:
    number: int
    draw: Draw
    byes: Sequence[int]
    ties: Sequence[Tie]

    def close(self) -> tuple[int, ...]:
        """Return the versions that advance, in the order from which the next round is drawn.

        Byes come first, then the first of every tie in the order of the ties, then the second ones,
        then the best runners-up. So a winner takes the better place of the two in the tree.
        """
        order = [*self.byes]
        for place in range(self.draw.places):
            order += [tie.advancing[place] for tie in self.ties]
        best_next = self._best_next()
        for tie in best_next:
            tie.add(tie.order()[self.draw.places])
        return (*order, *(tie.order()[self.draw.places] for tie in best_next))

    def advancing(self) -> Iterator[int]:
        """All versions that are known to advance."""
        yield from self.byes
        for tie in self.ties:
            yield from tie.advancing

    @property
    def over(self) -> bool:
        return all(tie.decision for tie in self.ties)

    def _best_next(self) -> list[Tie]:
        """The ties whose runners-up are best, by their margins."""
        if not self.draw.best_next:
            return []
        place = self.draw.places

        def merit(tie: Tie) -> tuple[bool, Fraction]:
            following = tie.order()[place]
            return following not in tie.gone, tie.margin(following)

        ranked = sorted(self.ties, key=merit, reverse=True)
        return ranked[: self.draw.best_next]


class _Tree(Planner):
    """The rounds so far; the next one is drawn when all ties of the last one have ended."""

    at_most = False
    closed = "its tree was drawn when it began"

    def __init__(self, field: Field, options: KnockoutOptions) -> None:
        self._field = field
        self.at_most = self._stops = options.until == "sure"
        self._order = seeded(field, options)
        self._seeds = {version: seed for seed, version in enumerate(self._order, start=1)}
        self._table = table = field.table(len(self._order))
        self._seats = len(table.sides) if table else 0
        self._draws = draws(len(self._order), self._seats) if table else ()
        self._of_match = boards_of(table) if table else 1
        self._most = -(-options.boards // self._of_match)
        """The most matches of a tie, a whole number of them."""
        self._batch = -(-options.batch // self._of_match) if self._stops else self._most
        self._rounds: list[_Round] = []
        self._last: dict[int, Tie] = {}
        """The last tie in which each has played."""
        self._survived: dict[int, int] = {}
        """The number of rounds that each withdrawn version had survived."""

    def open(self) -> list[Pairing]:
        """Draw the next round and open the first batch of all its ties.

        A tie that lacks a player is not played. If that is all of them, the next round follows.
        """
        while len(self._rounds) < len(self._draws):
            self._draw()
            now = self._rounds[-1]
            if not now.over:
                playable = [n for n, tie in enumerate(now.ties) if tie.decision is None]
                return [pairing for tie in playable for pairing in self._next_batch(tie)]
            self._order = now.close()
        return []

    def _draw(self) -> None:
        number = len(self._rounds)
        draw = self._draws[number]
        byes, playing = self._order[: draw.byes], self._order[draw.byes :]
        stops = self._stops and not draw.best_next
        ties = []
        for first in range(draw.ties):
            rows = [playing[row * draw.ties : (row + 1) * draw.ties] for row in range(self._seats)]
            players = [row[-1 - first if turn % 2 else first] for turn, row in enumerate(rows)]
            seeds = {version: self._seeds[version] for version in players}
            tie = Tie(seeds, draw.places, self._most * self._of_match, stops=stops)
            tie.gone |= self.gone & {*players}
            if tie.gone:
                tie.decide(over=True)
            ties.append(tie)
        self._rounds.append(_Round(number + 1, draw, byes, ties))

    def count(self, pairing: Pairing, result: Result, times: int) -> None:
        tie = self._rounds[pairing.leg - 1].ties[pairing.round - 1]
        tie.count(result, times)
        if times > 0:
            self._last.update(dict.fromkeys(tie.players, tie))

    def after(self, pairing: Pairing) -> Sequence[Pairing]:
        """The last match of a batch may decide a tie, and the last tie opens the next round."""
        now, place = self._rounds[-1], pairing.round - 1
        tie = now.ties[place]
        tie.playing -= 1
        if tie.playing:
            return ()
        if tie.decide(over=tie.opened == self._most) is None:
            return self._next_batch(place)
        if not now.over:
            return ()
        self._order = now.close()
        return self.open()

    def leave(self, version: int) -> None:
        """The opponent advances, in this round or in the next one."""
        self._survived[version] = sum(version in round.advancing() for round in self._rounds)
        super().leave(version)
        for tie in self._rounds[-1].ties if self._rounds else ():
            if version in tie.players:
                tie.leave(version)

    @property
    def unopened(self) -> int:
        """The matches to come; fewer if a tie is sure before its last board."""
        later = sum(draw.ties for draw in self._draws[len(self._rounds) :])
        ties = self._rounds[-1].ties if self._rounds else ()
        undecided = [self._most - tie.opened for tie in ties if tie.decision is None]
        return later * self._most + sum(undecided)

    def standings(self) -> tuple[Placing, ...]:
        """By the round reached; equals by the margin in the last tie."""
        if not self._last:
            return ()
        margins = {
            version: float(self._last[version].margin(version)) if version in self._last else 0.0
            for version in self._seeds
        }
        survived = Counter(version for round in self._rounds for version in round.advancing())
        points = {v: float(self._survived.get(v, survived[v])) for v in self._seeds}
        return placings(points, {"margin in the last tie": margins})

    def panels(self) -> tuple[Bracket, ...]:
        """The tree."""
        if not self._rounds:
            return ()
        rounds = tuple(map(self._drawn, self._rounds))
        ahead = tuple(
            (self._title(number), draw.ties)
            for number, draw in enumerate(self._draws[len(rounds) :], start=len(rounds) + 1)
        )
        return (Bracket(self._seats, self._stops, rounds, ahead),)

    def _title(self, number: int) -> str:
        return title(len(self._draws) - number + 1, number)

    def _next_batch(self, place: int) -> list[Pairing]:
        """Open the next matches of a tie."""
        assert self._table is not None, "ties are played only where there is a table"
        now = self._rounds[-1]
        tie, number = now.ties[place], place + 1
        begin, tie.opened = tie.opened, min(tie.opened + self._batch, self._most)
        tie.playing = tie.opened - begin
        part = self._field.key(
            numbered("r", (now.number, len(self._draws))), numbered("t", (number, now.draw.ties))
        )
        pairings = []
        for match in range(begin + 1, tie.opened + 1):
            key = part.within(numbered("", (match, self._most)))
            labels = (self._title(now.number), f"tie {number}", f"match {match}")
            versions = self._field.shuffled(tie.players, key.within("seats"))
            pairings.append(Pairing(str(key), now.number, number, labels, versions, self._table))
        return pairings

    def _drawn(self, now: _Round) -> BracketRound:
        """A round as a page shows it: in a tree of pairs, those next to each other meet next."""
        byes = [
            BracketTie(0, (BracketSeat(v, self._seeds[v], 0.0, None, None, True),), 0, 0, "bye")
            for v in now.byes
        ]
        waits = now.draw.best_next > 0 and not now.over
        ties = [
            tie.drawn(number, next_one_waits=waits) for number, tie in enumerate(now.ties, start=1)
        ]
        cards = [*ties, *byes]
        if self._seats == 2:
            cards = [[*byes, *ties][place] for place in tree_order(len(cards))]
        return BracketRound(now.number, self._title(now.number), now.draw.advancing, tuple(cards))


def tree_order(ties: int) -> list[int]:
    """The order in which ties stand in a tree, so that the winners of neighbours meet.

    There are as many as a power of two; the first one's winner meets the last one's.
    """
    order = [0]
    while len(order) < ties:
        most = 2 * len(order) - 1
        order = [place for tie in order for place in (tie, most - tie)]
    return order

"""A knockout: the better half of every tie goes on, until one bot is left."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Literal

from pydantic import ValidationInfo, field_validator

from formats.base import Count, Format, Part
from formats.field import Field, Pairing, Placing, Planner, placings
from formats.panels import Bracket, BracketRound, BracketSeat, BracketTie, Ended
from ratings.margin_fit import MarginTally
from ratings.match_results import Result, board_margins, net_boards
from ratings.sequential import BEGIN, Margins, SequentialTest, interval
from tables.seating import boards as boards_of

EDGE = 0.1
"""The difference that a tie is meant to find, in standard deviations of a board's margin."""

TEST = SequentialTest(-EDGE, EDGE)
"""A bot that is better by `EDGE` or more goes out in at most 5 % of the ties that it calls sure."""

DIGITS = 6
"""The decimals of what a page shows: the last digits of a logarithm differ between machines."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The versions that go on, the best first, and the reason why the tie ended."""

    going_on: tuple[int, ...]
    ended: Ended


class Tie:
    """The boards of one tie between some players, of whom the better ones go on.

    `seeds` are the players with their seeds. `places` of them go on. If it `stops`, it ends as soon
    as that is sure; otherwise all `most` boards are played.
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
        self.gone: set[int] = set()
        """Players who play no more: whoever is left goes on before them."""
        self.decision: Decision | None = None

    @property
    def players(self) -> tuple[int, ...]:
        """The versions that play, the best seed first."""
        return tuple(self._seeds)

    def tell(self, result: Result) -> None:
        """Count a match's boards."""
        self._count(result, 1)

    def retract(self, result: Result) -> None:
        """Count a match's boards no more; a decision that was made stays."""
        self._count(result, -1)

    def leave(self, version: int) -> None:
        """Let a player play no more; if it was to go on, the next one does."""
        self.gone.add(version)
        if self.decision is not None and version in self.decision.going_on:
            order = [*self.decision.going_on, *self.order()]
            going_on = sorted(dict.fromkeys(order), key=self.gone.__contains__)
            chosen = tuple(going_on[: len(self.decision.going_on)])
            self.decision = replace(self.decision, going_on=chosen)

    def _count(self, result: Result, times: int) -> None:
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
        """Say who goes on, if that is sure or the tie is `over`; None if it has to go on."""
        if self.gone:
            self.decision = Decision(self.order()[: self._places], "left")
            return self.decision
        if not self._stops:
            order = self.order()
            self.decision = Decision(order[: self._places], "boards") if over else None
            return self.decision
        going_on, going_out = self._sure()
        doubtful = [version for version in self._seeds if version not in (*going_on, *going_out)]
        if len(going_on) < self._places == len(going_on) + len(doubtful):
            going_on = [version for version in self.order() if version not in going_out]
        if len(going_on) >= self._places:
            self.decision = Decision(tuple(going_on[: self._places]), "sure")
        elif over:  # the higher seeds go on
            self.decision = Decision((*going_on, *doubtful, *going_out)[: self._places], "cap")
        return self.decision

    def add(self, version: int) -> None:
        """Let one more go on: the best of those who were next in a round."""
        if self.decision:
            going_on = (*self.decision.going_on, version)
            self.decision = replace(self.decision, going_on=going_on)

    def order(self) -> tuple[int, ...]:
        """The players by their margins, equal ones by their seeds; last who has left."""
        return tuple(sorted(self._seeds, key=lambda v: (v in self.gone, -self.margin(v))))

    def margin(self, version: int) -> Fraction:
        """The mean margin of a player over its opponents, in points a game."""
        margins = self._own[version]
        return Fraction(margins.total, max(1, margins.boards) * self._games)

    def drawn(self, number: int, *, next_one_waits: bool = False) -> BracketTie:
        """The tie as a page shows it; it may be open whether the one who is next goes on."""
        chosen = self.decision
        waiting = self.order()[self._places] if next_one_waits else None
        seats = []
        for version, seed in self._seeds.items():
            found = interval(self._own[version])
            low, high = (
                (round(end / self._games, DIGITS) for end in found) if found else (None,) * 2
            )
            goes_on = version in chosen.going_on if chosen and version != waiting else None
            margin = round(float(self.margin(version)), DIGITS)
            seats.append(BracketSeat(version, seed, margin, low, high, goes_on))
        ended: Ended = chosen.ended if chosen else ""
        return BracketTie(number, tuple(seats), self.boards, self._most, ended)

    def _sure(self) -> tuple[list[int], list[int]]:
        """Return the versions that surely go on, and those that surely go out, the best first.

        A player goes on for sure if it is surely better than all but `places` - 1 of the others,
        and goes out for sure if at least `places` others are surely better.
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

    `seeds` are the standings so far (the stage before, or else what the tournament's earlier
    seasons say; bots of which nothing is known follow by lot), the order in which the season lists
    its entrants, or a lot. A tie has at most so many `boards`. `until: sure` looks at a tie after
    every `batch` of boards and ends it when the better side is sure; with `until: boards` all
    boards are played.
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
    better half goes on.
    """

    name = "knockout"
    options = KnockoutOptions
    leg_title = "round"
    only_by_points = "the order of a knockout says who stayed in"

    def points_title(self, options: KnockoutOptions, *, carries: bool) -> str:  # noqa: ARG002
        return "rounds survived"

    def planner(self, field: Field, options: KnockoutOptions) -> Planner:
        """Begin with the first round."""
        return _Tree(field, options)


@dataclass(frozen=True, slots=True)
class Draw:
    """The shape of one round: how many have a bye, how many ties there are, and who goes on.

    `places` of every tie go on and, of those next in order, the `best_next` of the whole round.
    """

    byes: int
    ties: int
    places: int
    best_next: int = 0

    @property
    def going_on(self) -> int:
        """Return the number of bots that the round leaves."""
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
    found = []
    if too_many := players - full:
        ties = min(-(-too_many // (seats - seats // 2)), players // seats)
        staying = ties * seats - too_many
        found.append(Draw(players - ties * seats, ties, staying // ties, staying % ties))
    while full > seats:
        ties, full = full // seats, full // 2
        found.append(Draw(0, ties, full // ties, full % ties))
    return (*found, Draw(0, 1, 1))


def title(rounds_left: int, number: int) -> str:
    """The name of one tie of a round: `final`, `semi-final`, `quarter-final`, `round 1`."""
    names = {1: "final", 2: "semi-final", 3: "quarter-final"}
    return names.get(rounds_left, f"round {number}")


def seeded(field: Field, options: KnockoutOptions) -> tuple[int, ...]:
    """The players, the best seed first.

    Where bots of one author are kept apart, only the best seed of each author enters at tables of
    three or more sides: sooner or later they would have to sit together.
    """
    lots = field.shuffled(field.versions, field.key("lots"))
    order: Sequence[int] = lots
    if options.seeds == "entrants" or (options.seeds == "standings" and field.ranked):
        order = field.versions
    elif options.seeds == "standings":
        strengths = MarginTally(field.earlier()).strengths()
        known = sorted((v for v in lots if v in strengths), key=lambda v: -strengths[v])
        order = [*known, *(version for version in lots if version not in strengths)]
    table = field.table(len(order))
    authors = field.authors_at(table) if table else {}
    if not authors:
        return tuple(order)
    chosen: list[int] = []
    for version in order:
        if all(authors[version] != authors[other] for other in chosen):
            chosen.append(version)
    return tuple(chosen)


class _Round:
    """One round: its byes, its ties, and the matches that each has open."""

    def __init__(self, number: int, draw: Draw, byes: Sequence[int], ties: Sequence[Tie]) -> None:
        self.number = number
        self.draw = draw
        self.byes = byes
        self.ties = ties
        self.opened = [0] * len(ties)
        self.playing = [0] * len(ties)

    def going_on(self) -> tuple[int, ...]:
        """Return the versions that go on, in the order from which the next round is drawn.

        Byes come first, then the first of every tie in the order of the ties, then the second ones.
        So a winner takes the better place of the two in the tree, whoever it was.
        """
        order = [*self.byes]
        for place in range(self.draw.places):
            order += [tie.decision.going_on[place] for tie in self.ties if tie.decision]
        return (*order, *(tie.order()[self.draw.places] for tie in self._best_next()))

    def staying(self) -> Iterator[int]:
        """Everybody who is known to go on."""
        yield from self.byes
        for tie in self.ties:
            yield from tie.decision.going_on if tie.decision else ()

    @property
    def over(self) -> bool:
        return all(tie.decision for tie in self.ties)

    def close(self) -> None:
        """Let the best of those who were next go on."""
        for tie in self._best_next():
            tie.add(tie.order()[self.draw.places])

    def _best_next(self) -> list[Tie]:
        """The ties in which those next in order are best, by their margins."""
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
        self._stops = options.until == "sure"
        self._order = seeded(field, options)
        self._seeds = {version: seed for seed, version in enumerate(self._order, start=1)}
        table = field.table(len(self._order))
        self._table = table
        self._seats = len(table.sides) if table else 0
        self._draws = draws(len(self._order), self._seats) if table else ()
        of_match = len({*boards_of(table.seatings)}) if table else 1
        self._most = -(-options.boards // of_match)
        """The most matches of a tie, a whole number of them."""
        self._batch = -(-options.batch // of_match) if self._stops else self._most
        self._of_match = of_match
        self._rounds: list[_Round] = []
        self._last: dict[int, Tie] = {}
        """The last tie in which each has played."""
        self._survived: dict[int, int] = {}
        """The number of rounds that each withdrawn version had survived."""
        self.at_most = self._stops

    def open(self) -> list[Pairing]:
        """Draw the next round and open the first batch of all its ties.

        A tie that lacks a player is not played. Where that is all of them, the next round follows.
        """
        while len(self._rounds) < len(self._draws):
            self._draw()
            now = self._rounds[-1]
            playable = [n for n, tie in enumerate(now.ties) if tie.decision is None]
            if playable:
                return [pairing for tie in playable for pairing in self._next_batch(tie)]
            self._close()
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

    def settle(self, pairing: Pairing, result: Result) -> Sequence[Pairing]:
        """Count the boards; after the last match of a batch, see who goes on."""
        now, place = self._rounds[-1], pairing.round - 1
        tie = now.ties[place]
        tie.tell(result)
        self._last.update(dict.fromkeys(tie.players, tie))
        return self.forgo(pairing)

    def forgo(self, pairing: Pairing) -> Sequence[Pairing]:
        """Go on without a match."""
        now, place = self._rounds[-1], pairing.round - 1
        now.playing[place] -= 1
        if now.playing[place]:
            return ()
        if now.ties[place].decide(over=now.opened[place] == self._most) is None:
            return self._next_batch(place)
        if not now.over:
            return ()
        self._close()
        return self.open()

    def retract(self, pairing: Pairing, result: Result) -> None:
        """Count a match's boards no more; whoever has gone on stays there."""
        self._rounds[pairing.leg - 1].ties[pairing.round - 1].retract(result)

    def leave(self, version: int) -> None:
        """Let the others go on: the opponent in this round, or in the next one."""
        self._survived[version] = sum(version in each.staying() for each in self._rounds)
        super().leave(version)
        for tie in self._rounds[-1].ties if self._rounds else ():
            if version in tie.players:
                tie.leave(version)

    def _close(self) -> None:
        """End the round: those who go on are the next one's players."""
        now = self._rounds[-1]
        now.close()
        self._order = now.going_on()

    @property
    def unopened(self) -> int:
        """The matches to come; fewer if a tie is sure before its last board."""
        later = sum(draw.ties for draw in self._draws[len(self._rounds) :])
        if not self._rounds:
            return later * self._most
        now = self._rounds[-1]
        return later * self._most + sum(
            self._most - opened
            for tie, opened in zip(now.ties, now.opened, strict=True)
            if tie.decision is None
        )

    def standings(self) -> tuple[Placing, ...]:
        """By the round reached; who went out in the same round, by the margin in the last tie."""
        if not self._last:
            return ()
        margins = {
            version: float(self._last[version].margin(version)) if version in self._last else 0.0
            for version in self._seeds
        }
        survived = Counter(version for each in self._rounds for version in each.staying())
        points = {v: float(self._survived.get(v, survived[v])) for v in self._seeds}
        return placings(points, {"margin in the last tie": margins})

    def panels(self) -> tuple[Bracket, ...]:
        """The tree."""
        if not self._rounds:
            return ()
        rounds = tuple(map(self._drawn, self._rounds))
        ahead = tuple(
            (self._title(number), draw.ties)
            for number, draw in enumerate(self._draws, start=1)
            if number > len(rounds)
        )
        return (Bracket(self._seats, self._stops, rounds, ahead),)

    def _title(self, number: int) -> str:
        return title(len(self._draws) - number + 1, number)

    def _next_batch(self, tie: int) -> list[Pairing]:
        """Open the next matches of a tie."""
        assert self._table is not None, "ties are played only where there is a table"
        now = self._rounds[-1]
        begin = now.opened[tie]
        end = min(begin + (self._batch if self._stops else self._most), self._most)
        now.opened[tie], now.playing[tie] = end, end - begin
        part = self._field.key(
            f"r{now.number:0{len(str(len(self._draws)))}}",
            f"t{tie + 1:0{len(str(now.draw.ties))}}",
        )
        pairings = []
        for match in range(begin + 1, end + 1):
            key = part.within(f"{match:0{len(str(self._most))}}")
            labels = (self._title(now.number), f"tie {tie + 1}", f"match {match}")
            versions = self._field.shuffled(now.ties[tie].players, key.within("seats"))
            pairings.append(Pairing(str(key), now.number, tie + 1, labels, versions, self._table))
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
        cards = [*byes, *ties]
        if self._seats == 2:
            cards = [cards[place] for place in tree_order(len(cards))]
        else:
            cards = [*ties, *byes]
        return BracketRound(now.number, self._title(now.number), now.draw.going_on, tuple(cards))


def tree_order(ties: int) -> list[int]:
    """The order in which ties stand in a tree, so that the winners of neighbours meet.

    There are as many as a power of two; the first one's winner meets the last one's.
    """
    order = [0]
    while len(order) < ties:
        most = 2 * len(order) - 1
        order = [place for each in order for place in (each, most - each)]
    return order

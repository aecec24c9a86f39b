"""A tie: some bots play board after board until it is clear who goes on, or the boards run out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from leaderboard.panels.bracket import BracketSeat, BracketTie, Ended
from leaderboard.results import Result, board_leads, net_boards
from leaderboard.statistics.sequential import Leads, SequentialTest, interval

EDGE = 0.1
"""The difference that a tie is meant to find, in standard deviations of a board's lead."""

TEST = SequentialTest(-EDGE, EDGE)
"""Whoever is better by `EDGE` or more goes out in at most 5 % of the ties that it calls sure."""

DIGITS = 6
"""The decimals of what a page shows: the last digits of a logarithm differ between machines."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Who goes on, the best first, and why the tie ended."""

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
        self._own = dict.fromkeys(seeds, Leads())
        """By how much each is above the mean of its opponents, board by board."""
        self._over = {two: Leads() for two in combinations(self._seeds, 2)}
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
        for scores, ahead in zip(boards, board_leads(result), strict=True):
            for version, lead in zip(result.versions, ahead, strict=True):
                own = self._own[version]
                self._own[version] = own.add(lead) if times > 0 else own.remove(lead)
            for one, other in self._over:
                here, there = place[one], place[other]
                if result.sides[here] != result.sides[there]:
                    lead = scores[here] - scores[there]
                    leads = self._over[one, other]
                    self._over[one, other] = leads.add(lead) if times > 0 else leads.remove(lead)

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
        """The players by their leads, those with equal leads by their seeds; last who has left."""
        return tuple(sorted(self._seeds, key=lambda v: (v in self.gone, -self.lead(v))))

    def lead(self, version: int) -> Fraction:
        """The mean lead of a player over its opponents, in points a game."""
        leads = self._own[version]
        return Fraction(leads.total, max(1, leads.boards) * self._games)

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
            lead = round(float(self.lead(version)), DIGITS)
            seats.append(BracketSeat(version, seed, lead, low, high, goes_on))
        ended: Ended = chosen.ended if chosen else ""
        return BracketTie(number, tuple(seats), self.boards, self._most, ended)

    def _sure(self) -> tuple[list[int], list[int]]:
        """Who goes on for sure, and who goes out, the best first.

        A player goes on for sure if it is surely better than all but `places` - 1 of the others,
        and goes out for sure if at least `places` others are surely better.
        """
        above = dict.fromkeys(self._seeds, 0)
        below = dict.fromkeys(self._seeds, 0)
        for (one, other), leads in self._over.items():
            verdict = TEST.verdict(leads)
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

"""Who is named when sandboxes fail: simulated seasons of honest bots and attackers.

The simulation plays a league at tables of two. A match between honest bots is won by the one with
the smaller number, and a bot without a sandbox loses.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from itertools import combinations

import pytest

from card_arena.tournament.play.failures import (
    Attempt,
    Inquiry,
    LeaveOut,
    PlayAgain,
    Stop,
    TakeSandbox,
    Try,
    Unexplained,
    next_step,
    seen_beside,
    third_bot,
)

HARMLESS = 0
"""The harmless program that sits with a bot in a trial."""

Attack = Callable[[int, Collection[int], bool], int | None]
"""Whose sandbox fails because of this bot, who else runs in the match, and whether others run
elsewhere on the machine."""


def breaks_its_own(bot: int, others: Collection[int], crowded: bool) -> int | None:
    return bot


def breaks_its_neighbours(bot: int, others: Collection[int], crowded: bool) -> int | None:
    return min(others, default=None)


def spares_harmless_programs(bot: int, others: Collection[int], crowded: bool) -> int | None:
    return min(others, default=None) if HARMLESS not in others else None


def breaks_its_own_beside(target: int) -> Attack:
    """A bot that wants another one to be named."""
    return lambda bot, others, crowded: bot if target in others else None


@dataclass
class Simulated:
    """A season: `attacks` of bots by their numbers; `without` are those that lose sandboxes."""

    bots: int
    attacks: dict[int, Attack] = field(default_factory=dict)
    authors: dict[int, str] = field(default_factory=dict)
    results: dict[tuple[int, int], int] = field(default_factory=dict)
    left_out: list[Unexplained] = field(default_factory=list)
    without: set[int] = field(default_factory=set)
    deprived: list[tuple[tuple[int, int], int]] = field(default_factory=list)

    def play(self) -> Simulated:
        for pair in combinations(range(1, self.bots + 1), 2):
            self._match(pair)
        return self

    def _match(self, pair: tuple[int, int]) -> None:
        inquiry, without = Inquiry(), {*self.without}
        alone = False
        while (broken := self._fails({*pair} - without, crowded=not alone)) is not None:
            running = frozenset({*pair} - without)
            inquiry.attempts.append(Attempt(broken, running, alone=alone))
            step = next_step(inquiry, self.left_out, self._authors())
            while isinstance(step, Try):
                fails = self._fails({step.version, HARMLESS}, crowded=False, only=step.version)
                inquiry.trials[step.version] = fails is not None
                step = next_step(inquiry, self.left_out, self._authors())
            match step:
                case PlayAgain(alone):
                    pass
                case TakeSandbox(reasons, here):
                    without |= {*reasons}
                    self.deprived += [(pair, version) for version in reasons]
                    if not here:
                        self.without |= {*reasons}
                    inquiry, alone = Inquiry(), False
                case LeaveOut(case):
                    self.left_out.append(case)
                    return
                case _:
                    raise AssertionError(step)
        winners = [bot for bot in pair if bot not in without]
        self.results[pair] = min(winners or pair)

    def _fails(self, running: set[int], *, crowded: bool, only: int | None = None) -> int | None:
        for bot in sorted(running):
            attack = self.attacks.get(bot)
            if attack and (broken := attack(bot, running - {bot}, crowded)) is not None:
                return broken
        return None

    def _authors(self) -> dict[int, str]:
        return {n: self.authors.get(n, f"author {n}") for n in range(1, self.bots + 1)}

    def order(self, bots: Collection[int]) -> list[int]:
        """These bots by the matches that they won against each other."""
        won = [bot for pair, bot in self.results.items() if {*pair} <= {*bots}]
        return sorted(bots, key=lambda bot: (-won.count(bot), bot))


@pytest.mark.parametrize("attack", [breaks_its_own, breaks_its_neighbours])
def test_an_attacker_alone_loses_its_sandbox_and_the_honest_stand_as_without_it(attack: Attack):
    honest, control = {1, 2, 4, 5}, Simulated(5).play()
    season = Simulated(5, {3: attack}).play()
    assert season.without == {3}
    assert {version for _, version in season.deprived} == {3}
    assert season.left_out == []
    assert season.results.keys() == control.results.keys()
    assert season.order(honest) == control.order(honest)


def test_two_accomplices_stop_no_season_and_cost_no_innocent_its_sandbox():
    season = Simulated(6, {2: breaks_its_neighbours, 5: breaks_its_neighbours}).play()
    assert season.without == {2, 5}
    assert {version for _, version in season.deprived} == {2, 5}
    assert season.results.keys() == Simulated(6).play().results.keys()


def test_who_spares_harmless_programs_is_named_once_two_innocents_have_failed_beside_it():
    season = Simulated(5, {3: spares_harmless_programs}).play()
    assert len(season.left_out) == 1
    assert {version for _, version in season.deprived} == {3}
    assert season.without == set(), "without a trial it is named for single matches only"
    missing = Simulated(5).play().results.keys() - season.results.keys()
    assert missing == {(1, 3)}


@pytest.mark.parametrize("target", [1, 3])
def test_nobody_is_named_because_one_bot_or_one_author_breaks_its_own_sandbox_beside_it(
    target: int,
):
    accomplices = {4: breaks_its_own_beside(target), 5: breaks_its_own_beside(target)}
    season = Simulated(5, accomplices, authors={4: "eve", 5: "eve"}).play()
    assert season.deprived == []
    assert {pair for pair in combinations(range(1, 6), 2) if pair not in season.results} == {
        (target, 4),
        (target, 5),
    }


def test_an_innocent_whom_two_attackers_break_is_not_named():
    """It ran in both matches, and nobody else did; but the attackers explain them as well."""
    attack = spares_harmless_programs
    season = Simulated(3, {2: attack, 3: lambda bot, others, crowded: 1 if 1 in others else None})
    season.play()
    assert all(version != 1 for _, version in season.deprived)


def case(broken: Collection[int], *running: int) -> Unexplained:
    return Unexplained(frozenset(broken), frozenset(running))


AUTHORS = {1: "ann", 2: "bob", 3: "cat", 4: "dan", 5: "eve", 6: "eve"}


@pytest.mark.parametrize(
    ("cases", "third"),
    [
        ([case({1}, 1, 3), case({2}, 2, 3)], 3),
        ([case({1}, 1, 3, 4), case({2}, 2, 3, 5)], 3),
        ([case({1}, 1, 3, 4), case({2}, 2, 3, 4)], None),  # 4 explains it as well
        ([case({1}, 1, 3), case({1}, 1, 3)], None),  # so does the one whose sandbox fails
        ([case({1}, 1, 3), case({1}, 1, 2)], None),
        ([case({1}, 1, 3), case({3}, 2, 3)], None),  # its own says nothing of others
        ([case({5}, 5, 3), case({6}, 6, 3)], None),  # one author's bots are one witness
        ([case({1}, 1, 3), case({5}, 5, 6)], None),
        ([], None),
    ],
)
def test_what_breaks_two_innocent_sandboxes_points_at_the_third_bot_that_ran(
    cases: list[Unexplained], third: int | None
):
    assert third_bot(cases, AUTHORS) == third


FAILED = Attempt(1, frozenset({1, 2}))
ALONE = Attempt(1, frozenset({1, 2}), alone=True)


def test_a_match_is_played_again_three_times_and_then_once_with_nothing_beside_it():
    steps = [next_step(Inquiry([FAILED] * number), [], AUTHORS) for number in (1, 2, 3, 4)]
    assert steps == [*[PlayAgain()] * 3, PlayAgain(alone=True)]


def test_only_where_a_harmless_programs_sandbox_fails_with_nothing_beside_it_the_run_stops():
    """An attacker in another match can make a harmless program's sandbox fail, too."""
    crowded = Attempt(1, frozenset({1, 2}), machine_works=False)
    assert next_step(Inquiry([crowded] * 4), [], AUTHORS) == PlayAgain(alone=True)
    here = Attempt(1, frozenset({1, 2}), alone=True, machine_works=False)
    assert next_step(Inquiry([*[FAILED] * 4, here]), [], AUTHORS) == Stop()
    mistake = Attempt(None, frozenset({1, 2}), alone=True)
    assert next_step(Inquiry([*[FAILED] * 4, mistake]), [], AUTHORS) == Stop()


def test_every_bot_that_ran_is_tried_and_first_the_one_whose_sandbox_failed():
    attempts = [*[FAILED] * 4, Attempt(2, frozenset({1, 2}), alone=True)]
    inquiry = Inquiry(attempts)
    assert next_step(inquiry, [], AUTHORS) == Try(2)
    inquiry.trials[2] = True  # even so: the other one may do it as well
    assert next_step(inquiry, [], AUTHORS) == Try(1)
    inquiry.trials[1] = False
    step = next_step(inquiry, [], AUTHORS)
    assert isinstance(step, TakeSandbox)
    assert {*step.reasons} == {2}


def test_who_ran_beside_every_failed_attempt_in_other_matches_is_looked_for():
    attempts = [
        Attempt(1, frozenset({1, 2}), frozenset({3, 4})),
        Attempt(1, frozenset({1, 2}), frozenset({3, 5})),
    ]
    assert seen_beside(attempts) == {3}
    assert seen_beside([ALONE]) == frozenset()

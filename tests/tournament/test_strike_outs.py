"""What being struck out costs: in every game and format, no bot does better by it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest

from card_arena.formats.field import Field, Pairing
from card_arena.formats.registry import FORMATS
from card_arena.formats.schedule import Schedule
from card_arena.ratings.match_results import Result, margins, scorecard
from card_arena.tables.dealing import Packs
from card_arena.tables.game import Game
from card_arena.tables.referee import Step, play
from card_arena.tables.registry import GAMES
from card_arena.tables.seating import boards, seating_plan
from card_arena.tests.formats.fields import Plan
from card_arena.tests.formats.playing import players
from card_arena.tests.tables.scripted import Said, random_steps

QUICK: dict[str, dict[str, Any]] = {
    "blackjack": {"hands": 8, "shoe": "hand"},
    "spades": {"goal": 100, "lose": -100},
    "blot": {"target": 40, "max_deals": 3},
    "tarot": {"deals": 1},
    "durak": {"deck": 36},
}
"""Options with which a game is over soon."""

GARBAGE = "no answer of any game"


@dataclass
class Seated:
    """A player that takes legal actions by lot, as the referee's own steps show them.

    It prints garbage from question `quits` on. `steady` ones take the fallback action instead.
    """

    rng: random.Random
    quits: int | None
    steady: bool
    questions: int = 0
    told: list[str] = field(default_factory=list)
    phase: Any = None

    def ask(self, _words: Sequence[str]) -> Said:
        self.questions += 1
        if self.quits is not None and self.questions > self.quits:
            return Said(GARBAGE)
        legal = self.phase.legal_actions(self.phase.to_act)
        return Said(
            self.phase.write(legal.fallback_action if self.steady else legal.sample(self.rng))
        )

    def tell(self, line: str) -> None:
        self.told.append(line)


def match_of(pairing: Pairing, rules: Game, options: Any, quits: dict[int, int | None]) -> Result:
    """A match by the rules between a weak player (version 1) and others that never err."""
    plan = pairing.seating_plan
    records = []
    for board, seating in zip(boards(plan.seatings), plan.seatings, strict=True):
        rng = random.Random(f"{pairing.key} {board}")
        seats = [
            Seated(rng, quits.get(pairing.versions[entrant]), pairing.versions[entrant] != 1)
            for entrant in seating
        ]

        def look(step: Step, seats: list[Seated] = seats) -> None:
            for seat in seats:
                seat.phase = step.after

        start = rules.start(options, len(seating))
        for seat in seats:
            seat.phase = start
        packs = Packs(bytes(32), pairing.key, board)
        records.append(play(rules, options, seats, packs, watch=look))
    card = scorecard(records, plan.seatings, plan.sides)
    return card.result(pairing.key, pairing.leg, pairing.round, pairing.versions)


FORMAT_OPTIONS: dict[str, dict[str, Any]] = {
    "contest": {"legs": 1, "rounds": 6},
    "mean": {"legs": 1, "rounds": 6, "points": "mean"},
    "league": {"meetings": 2},
    "gauntlet": {"against": ["bot2"], "meetings": 3},
    "swiss": {"rounds": 3},
    "knockout": {"until": "boards", "boards": 3, "seeds": "entrants"},
    "sure": {"until": "sure", "boards": 30, "batch": 30, "seeds": "entrants"},
    "cut": {"rounds": 4},
    "ladder": {"matches": 12},
}


def season(rules: Game, kind: str, quits: dict[int, int | None]) -> Schedule:
    """A whole season of four bots, of which version 1 is weak and has the best seed."""
    options = rules.options(**QUICK[rules.name])
    seats = 3 if rules.name == "tarot" else 4 if rules.name in ("spades", "blot") else 2
    table = seating_plan(rules.sides(options, seats), duplicate=True)
    versions = range(1, 5)
    names = players(versions)
    plan = Field(
        tournament="cup",
        season=1,
        seed=bytes(range(32)),
        players=names,
        tables=(table,),
        carries=False,
        can_sit=bool,
    )
    format_name = {"mean": "contest", "sure": "knockout"}.get(kind, kind)
    given = dict(FORMAT_OPTIONS[kind])
    if kind == "gauntlet":
        given["against"] = [each.bot for each in names[1 : len({*table.sides})]]
    made = Plan(format_name, plan, FORMATS[format_name].options(**given)).schedule()
    while ready := made.ready:
        for pairing in ready:
            made.tell(match_of(pairing, rules, options, quits))
    return made


@pytest.mark.parametrize("kind", FORMAT_OPTIONS)
@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_a_weak_bot_gains_nothing_by_being_struck_out(rules, kind):
    """Whether it prints garbage at once or gives up in the middle of every game."""
    honest = placing(season(rules, kind, {}))
    for quits in (0, 2):
        given_up = placing(season(rules, kind, {1: quits}))
        assert given_up <= honest


def placing(schedule: Schedule) -> tuple[float, float]:
    """How well version 1 has done: its place from below, and its points."""
    standings = schedule.standings
    ranks = {each.version: each.rank for each in standings}
    points = {each.version: each.points for each in standings}
    return -ranks.get(1, len(ranks) + 1), points.get(1) or 0.0


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_a_bot_that_prints_only_garbage_goes_no_further_in_a_knockout(rules):
    """Even where the fallback action wins every game, and the garbage has the best seed."""
    schedule = season(rules, "knockout", {1: 0})
    assert next(each for each in schedule.standings if each.version == 1).rank > 2


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_a_side_that_was_struck_out_loses_as_much_as_can_be_lost_and_nobody_gains(rules):
    options = rules.options(**QUICK[rules.name])
    for seats in rules.seats:
        sides = rules.sides(options, seats)
        if len(sides) < 2:
            continue
        plan = seating_plan(sides, duplicate=True)
        versions = tuple(range(1, len(sides) + 1))
        pairing = Pairing(f"cup/0001/r1/t{seats}", 1, 1, (), versions, plan)
        result = match_of(pairing, rules, options, {1: 0})
        assert result.ranks[0] == len(sides)
        worst = -rules.largest_margin(options, seats) * len(plan.seatings)
        first, *others = margins(result)
        if rules.name == "blackjack":  # no play takes a chip from another seat
            worst = -options.start_chips * len(plan.seatings) - Fraction(
                sum(result.scores[1:]), len(sides) - 1
            )
        assert first <= worst
        counted = [Fraction(score) for score in result.boards[0]]
        for place, margin in enumerate(others, 1):
            rest = [score for at, score in enumerate(counted) if at != place]
            assert margin == counted[place] - sum(rest) / len(rest)


def test_two_bots_that_are_both_struck_out_are_level():
    rules = GAMES["durak"]
    options = rules.options(**QUICK["durak"])
    plan = seating_plan(rules.sides(options, 2), duplicate=True)
    pairing = Pairing("cup/0001/r1/a", 1, 1, (), (1, 2), plan)
    result = match_of(pairing, rules, options, {1: 0, 2: 0})
    assert result.ranks == (1, 1)
    assert margins(result)[0] == margins(result)[1] == -4


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_no_game_ends_with_a_larger_margin_than_its_rules_say(rules):
    for options in ({}, QUICK[rules.name]):
        for seats in rules.seats:
            sides = rules.sides(rules.options(**options), seats)
            for seed in range(5 if len(sides) > 1 else 0):
                scores = random_steps(rules, seats, seed, **options)[-1].after.scores
                by_side = [scores[side[0]] for side in sides]
                for place, score in enumerate(by_side):
                    rest = by_side[:place] + by_side[place + 1 :]
                    margin = abs(score - sum(rest) / len(rest))
                    assert margin <= rules.largest_margin(rules.options(**options), seats)

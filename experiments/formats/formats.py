"""Which format finds the best bot, and which the true order, for the same number of boards."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any

from card_arena.experiments.measures import Bars, Drawn, Measures, Size
from card_arena.experiments.simulated import (
    Course,
    Noise,
    World,
    first,
    matches,
    played,
    ranked_by,
    tau,
)
from card_arena.ratings.intervals import Estimate, exact, mean, rate

BOARDS = 16_000
"""About as many boards as a whole course has, whatever its format."""

REFERENCES = (-1.0, -1 / 3, 1 / 3, 1.0)
"""The strengths of a gauntlet's reference bots, in standard deviations of the entrants'."""

RUNS: Mapping[Size, int] = {"quick": 2, "usual": 40, "full": 250}

ELSEWHERE = 50
"""The most runs of what the documents don't quote: other settings, and options but the defaults."""

LEADS: Mapping[str, Mapping[str, int]] = json.loads(
    Path(__file__).with_name("margins.json").read_text(encoding="utf-8")
)
"""How often each margin came when two house bots played, by the name of the pair."""


@dataclass(frozen=True, slots=True)
class Setting:
    """How many bots there are, how many sit at a table, how far they are apart, and their luck.

    `spread` is the standard deviation of strengths in those of a board's margin. `luck` is
    `normal`, or `boards`: the stored margins of each pair of house bots in turn.
    """

    bots: int = 32
    seats: int = 2
    spread: float = 0.1
    luck: str = "normal"

    def __str__(self) -> str:
        luck = "normal luck" if self.luck == "normal" else "luck of stored boards"
        return f"{self.bots} bots, {self.seats} seats, {self.spread:g} apart, {luck}"


BASE = Setting()
SETTINGS = (
    BASE,
    replace(BASE, seats=4),
    replace(BASE, luck="boards"),
    replace(BASE, spread=0.3),
    replace(BASE, bots=8),
    replace(BASE, bots=100),
    replace(BASE, seats=4, luck="boards"),
    replace(BASE, seats=4, spread=0.3),
    replace(BASE, spread=0.3, luck="boards"),
    replace(BASE, seats=4, spread=0.3, luck="boards"),
    replace(BASE, bots=8, luck="boards"),
    replace(BASE, bots=100, luck="boards"),
)


def _contest(_: Setting, boards: int) -> Course:
    return Course("contest", {"legs": 1, "rounds": 20}, boards)


def _league(_: Setting, boards: int) -> Course:
    return Course("league", {"meetings": 1}, boards)


def _gauntlet(setting: Setting, boards: int) -> Course:
    names = [f"bot{setting.bots + number}" for number in range(1, len(REFERENCES) + 1)]
    return Course("gauntlet", {"against": names, "meetings": 2}, boards)


def _cut(setting: Setting, boards: int, **options: Any) -> Course:
    rounds = 20 if setting.bots < 100 else 23  # such that whole boards come to 16,000
    return Course("cut", {"rounds": rounds, **options}, boards)


def _ladder(_: Setting, boards: int, **options: Any) -> Course:
    return Course("ladder", options, boards, seasons=10)


def _swiss(_: Setting, boards: int, **options: Any) -> Course:
    return Course("swiss", options, boards)


def _knockout(_: Setting, boards: int) -> Course:
    options = {"seeds": "lot", "until": "boards", "boards": 10 * boards}
    return Course("knockout", options, boards)


def _knockout_until_sure(setting: Setting, boards: int) -> Course:
    """A cap that makes it about as long as the others, where bots are .1 apart."""
    most = 2 * _knockout(setting, boards).options["boards"]
    return Course("knockout", {"seeds": "lot", "until": "sure", "boards": most}, boards)


def _league_and_cut(setting: Setting, _: int) -> Course:
    """Half of the boards for a league, or one for every two bots, and the rest for a cut."""
    best = max(setting.seats, setting.bots // 4)
    league = matches(_bots(setting), _league(setting, 1))
    stage = matches(_bots(replace(setting, bots=best)), Course("cut", {"rounds": 1}, 1))
    boards = max(1, BOARDS // (2 * league))
    rounds = max(1, round((BOARDS / boards - league) / stage))
    stages = [{"league": {"meetings": 1}, "best": best}, {"cut": {"rounds": rounds}}]
    return Course("stages", stages, boards)


def _swiss_and_knockout(setting: Setting, boards: int) -> Course:
    best = max(setting.seats, setting.bots // 4)
    tie: dict[str, Any] = {"until": "boards", "boards": 2 * boards}
    return Course("stages", [{"swiss": {}, "best": best}, {"knockout": tie}], boards)


BY_POINTS = "swiss, by points"
"""A Swiss tournament, ranked by points and Buchholz as in chess, and not by fitted margins."""

COURSES = {
    "league": _league,
    "contest": _contest,
    "swiss": _swiss,
    BY_POINTS: _swiss,
    "knockout": _knockout,
    "knockout until sure": _knockout_until_sure,
    "cut": _cut,
    "ladder": _ladder,
    "gauntlet": _gauntlet,
    "league, then a cut": _league_and_cut,
    "swiss, then a knockout": _swiss_and_knockout,
}

VARIANTS = {
    "cut, margin 0": partial(_cut, margin=0.0),
    "cut, margin 1": partial(_cut, margin=1.0),
    "cut, keep a quarter": partial(_cut, keep=0.25),
    "cut, keep three quarters": partial(_cut, keep=0.75),
    "ladder, .1 by lot": partial(_ladder, by_lot=0.1),
    "ladder, .5 by lot": partial(_ladder, by_lot=0.5),
    "ladder, error .07": partial(_ladder, error=0.07),
    "ladder, error .15": partial(_ladder, error=0.15),
    "swiss, 5 rounds": partial(_swiss, rounds=5),
    "swiss, 8 rounds": partial(_swiss, rounds=8),
    "swiss, 12 rounds": partial(_swiss, rounds=12),
}
"""Options that might have been the defaults, for the settings of `COMPARED`."""

ALL: Mapping[str, Callable[[Setting, int], Course]] = {**COURSES, **VARIANTS}

COMPARED = (BASE, replace(BASE, seats=4), replace(BASE, luck="boards"))

CELLS = {
    f"{setting}: {name}": (setting, name)
    for setting in SETTINGS
    for name in (ALL if setting in COMPARED else COURSES)
}


def cells(size: Size) -> Mapping[str, int]:
    """How often each cell is drawn: all settings in a full run, and the first one else."""
    return {
        cell: RUNS[size] if setting == BASE and name in COURSES else min(ELSEWHERE, RUNS[size])
        for cell, (setting, name) in CELLS.items()
        if size == "full" or (setting == BASE and name in COURSES)
    }


def draw(cell: str, number: int) -> Mapping[str, float]:
    """One course: whether the best bot won, Kendall's tau of the order, and what it cost.

    All formats of a setting are given the same bots in the run of the same number.
    """
    setting, name = CELLS[cell]
    world = _world(setting, name, number)
    course = ALL[name](setting, _boards(setting, name))
    outcome = played(world, course, f"{cell} {number}")
    standings = outcome.standings
    if name == BY_POINTS:
        standings = ranked_by(standings, "points", "Buchholz")
    best = max((placing.version for placing in standings), key=world.strengths.__getitem__)
    return {
        "best": first(standings, best),
        "tau": tau(standings, world.strengths),
        "boards": float(outcome.boards),
    }


def measure(drawn: Drawn) -> Measures:
    """Three rows a cell; and how far apart the house bots are whose boards are drawn from."""
    rows: dict[str, Estimate] = {}
    best: dict[str, dict[str, Estimate]] = {}
    order: dict[str, dict[str, Estimate]] = {}
    for cell, runs in drawn.items():
        setting, name = CELLS[cell]
        won = rate([(run["best"], 1) for run in runs])
        agreed = mean([(run["tau"], 1) for run in runs])
        rows[f"{cell}: the best wins"] = won
        rows[f"{cell}: tau"] = agreed
        if name in COURSES:
            best.setdefault(str(setting), {})[name] = won
            order.setdefault(str(setting), {})[name] = agreed
        rows[f"{cell}: boards"] = mean([(run["boards"], 1) for run in runs])
    for pair, counts in LEADS.items():
        middle, deviation = _moments(counts)
        rows[f"stored boards, {pair}: margin in standard deviations"] = exact(middle / deviation)
    shown = [str(setting) for setting in SETTINGS[:4]]
    return Measures(
        rows,
        {
            "best": Bars(
                f"How often the best bot wins, about {BOARDS:,} boards",
                "probability",
                {name: best[name] for name in shown if name in best},
            ),
            "order": Bars(
                f"How true the whole order is, about {BOARDS:,} boards",
                "Kendall's tau",
                {name: order[name] for name in shown if name in order},
            ),
        },
    )


def _world(setting: Setting, name: str, number: int) -> World:
    """The bots of a run with those that its format brings along."""
    world = _bots(setting, number)
    if name != "gauntlet":
        return world
    references = [setting.spread * strength for strength in REFERENCES]
    more = dict(enumerate(references, start=setting.bots + 1))
    return replace(world, strengths={**world.strengths, **more})


def _bots(setting: Setting, number: int = 0) -> World:
    rng = random.Random(f"bots {setting.bots} {number}")
    strengths = {v: setting.spread * rng.gauss(0, 1) for v in range(1, setting.bots + 1)}
    return World(strengths, setting.seats, _luck(setting.luck, number))


def _luck(kind: str, number: int) -> Noise:
    if kind == "normal":
        return lambda rng: rng.gauss(0, 1)
    pairs = [*LEADS]
    residuals = _residuals(pairs[number % len(pairs)])
    return lambda rng: residuals[int(rng.random() * len(residuals))]


@cache
def _residuals(pair: str) -> Sequence[float]:
    """The margins of a pair's boards, less their mean, in their standard deviation."""
    middle, deviation = _moments(LEADS[pair])
    return tuple(
        (float(Fraction(margin)) - middle) / deviation
        for margin, times in LEADS[pair].items()
        for _ in range(times)
    )


def _moments(counts: Mapping[str, int]) -> tuple[float, float]:
    """The mean and the standard deviation of margins."""
    margins = [float(Fraction(margin)) for margin, times in counts.items() for _ in range(times)]
    middle = math.fsum(margins) / len(margins)
    return middle, math.sqrt(math.fsum((margin - middle) ** 2 for margin in margins) / len(margins))


@cache
def _boards(setting: Setting, name: str) -> int:
    """How many boards a match has, so that the whole course has about `BOARDS`."""
    if name == "league, then a cut":
        return _league_and_cut(setting, 1).boards
    course = ALL["knockout" if name == "knockout until sure" else name](setting, 1)
    world = _world(setting, name, 0)
    return max(1, round(BOARDS / (course.seasons * matches(world, course))))

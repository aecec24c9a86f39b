"""What a game costs: its rules alone, with questions as text, and with bots in sandboxes."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from card_arena.common.processes import collect_rarely
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.kernel.scheduling import give_way
from card_arena.sandbox.limits import Clock, Limits
from card_arena.sandbox.seat import BotPlayer
from card_arena.sandbox.session.idle_bots import IdleBots
from card_arena.tables.dealing import Packs
from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE, Game, Phase, Terminal
from card_arena.tables.referee import play
from card_arena.tables.registry import GAMES
from card_arena.tests.bench.pipes import bare_pipes_us
from card_arena.tests.bench.sandboxes import program_of
from card_arena.tests.bench.timing import Row

SEED = bytes(32)
SEATS = 4
GAMES_A_BATCH = 3
"""Games that are timed together."""
GAMES_A_YARDSTICK, QUESTIONS_A_YARDSTICK = 50, 2000
"""How often bare pipes are timed between games with bots, and for how many questions."""
DECISIONS = {"blackjack": "below 11.1", "spades": "below 11.1"}
"""The referee's whole cost of a decision in questions on bare pipes. On a machine like this, where
one takes 2.7 µs, MIT Pokerbots' engine needs 29.9 for a decision, which makes 11.1 of them."""
STOPPED = {"blackjack": "at most 6", "spades": "at most 6"}
"""The same where bots are stopped between their turns: near what the ACPC dealer, in C, needs."""


@dataclass(slots=True)
class Pace:
    """How long something took for so many decisions of bots and so many rounds."""

    seconds: float = 0.0
    decisions: int = 0
    rounds: int = 0

    @property
    def each(self) -> float:
        """Microseconds a decision."""
        return self.seconds / self.decisions * 1e6

    def __str__(self) -> str:
        return f"{self.rounds / self.seconds:,.0f} rounds/s, {self.each:.1f} µs a decision"


def seats(game: Game) -> int:
    """How many sit down: four, or as many as the game seats."""
    return min(SEATS, game.seats[-1])


def at_random(game: Game, options: Any, rng: random.Random) -> tuple[list[str], Terminal]:
    """Play a game by legal actions at random and give everybody's lines, the dealer's too."""
    phase: Phase | Terminal = game.start(options, seats(game))
    lines = []
    while not isinstance(phase, Terminal):
        action = phase.legal_actions(phase.to_act).sample(rng)
        lines.append(phase.write(action))
        phase, _ = phase.apply(action)
    return lines, phase


def rules_alone(game: Game, options: Any, rng: random.Random, pace: Pace) -> None:
    """Time a game by the rules alone: what is legal, one of it, and what follows."""
    begun = time.perf_counter()
    phase: Phase | Terminal = game.start(options, seats(game))
    decisions = 0
    while not isinstance(phase, Terminal):
        seat = phase.to_act
        decisions += seat != CHANCE
        phase, _ = phase.apply(phase.legal_actions(seat).sample(rng))
    pace.seconds += time.perf_counter() - begun
    pace.decisions += decisions
    pace.rounds += max(phase.hands)


def with_text(game: Game, options: Any, rng: random.Random, pace: Pace) -> None:
    """Time a game as the referee plays it: questions written, answers read, checked and applied."""
    lines, over = at_random(game, options, rng)
    begun = time.perf_counter()
    phase: Phase | Terminal = game.start(options, seats(game))
    decisions = 0
    for line in lines:
        assert not isinstance(phase, Terminal), "the same lines lead to the same end"
        seat = phase.to_act
        if seat != CHANCE:
            decisions += 1
            " ".join(words(phase.question(seat)))
        action = phase.read(line)
        assert action in phase.legal_actions(seat)
        phase, _ = phase.apply(action)
    pace.seconds += time.perf_counter() - begun
    pace.decisions += decisions
    pace.rounds += max(over.hands)


def with_bots(
    game: Game, options: Any, seconds: float, *, stopped: bool
) -> tuple[Pace, tuple[float, float]]:
    """Time games with living C bots in sandboxes, referee, clock and records included.

    `stopped` says whether a bot is stopped between its turns. Gives the pace of the game in the
    middle, and the microseconds of a question on bare pipes in the same minute, from C and from
    Python. Every bot has answered once before the clock runs: that its process gets ready is no
    decision's cost.
    """
    paces: list[Pace] = []
    pipes: list[tuple[float, float]] = []
    program = program_of(Path(__file__).parent / "bot")
    limits = Limits(stopped_between_turns=stopped)
    idle_bots = IdleBots()
    with ExitStack() as stack:
        players = [
            BotPlayer(
                stack.enter_context(backend("bubblewrap").open(program, limits, idle_bots)),
                Clock(),
                "stdin",
            )
            for _ in range(seats(game))
        ]
        while sum(pace.seconds for pace in paces) < seconds:
            for player in players:
                player.begin_game()
                player.ask(game.sample)
            begun = time.perf_counter()
            record = play(game, options, players, Packs(SEED, f"bench/{len(paces)}"))
            spent = time.perf_counter() - begun
            assert not record.faults, record.faults[0]
            decisions = sum(turn.seat != CHANCE for turn in record.turns)
            paces.append(Pace(spent, decisions, max(record.over.hands)))
            for player in players:
                player.end_game()
            if len(paces) % GAMES_A_YARDSTICK == 1:
                pipes.append(bare_pipes_us(QUESTIONS_A_YARDSTICK))
    from_c, from_python = zip(*pipes, strict=True)
    return median_pace(paces), (statistics.median(from_c), statistics.median(from_python))


def median_pace(paces: Sequence[Pace]) -> Pace:
    """The batch in the middle."""
    return sorted(paces, key=lambda pace: pace.each)[len(paces) // 2]


def game_rows(batches: int, seconds: float) -> Iterator[Row]:
    """Every game three times, and how it compares with the yardstick, spades."""
    collect_rarely()  # both as workers do
    give_way()
    rng = random.Random(1)
    options = {name: game.options() for name, game in GAMES.items()}
    ways = {"rules alone": rules_alone, "questions and answers as text": with_text}
    paces: dict[tuple[str, str], list[Pace]] = {}
    for _ in range(batches):
        for name, game in GAMES.items():
            for way, timed in ways.items():
                pace = Pace()
                for _ in range(GAMES_A_BATCH):
                    timed(game, options[name], rng, pace)
                paces.setdefault((way, name), []).append(pace)
    middle = {key: median_pace(several) for key, several in paces.items()}
    for way in ways:
        for name in GAMES:
            pace, yardstick = middle[way, name], middle[way, "spades"]
            ratio = f"{pace.each / yardstick.each:.2f} of spades"
            target = {"blackjack": "", "spades": ""}.get(name, "at most 2")
            if (way, name) == ("questions and answers as text", "spades"):
                ratio, target = "", "at most 30 µs"
            yield f"{name}, {way}", str(pace), "" if name == "spades" else ratio, target
    for name, game in GAMES.items():
        for stopped in (False, True):
            pace, (c, python) = with_bots(game, options[name], seconds, stopped=stopped)
            what = f"{name}, {seats(game)} stdin C bots in sandboxes"
            ratio = f"{pace.each / c:.1f} of bare C pipes, {c:.1f} µs;"
            ratio += f" {pace.each / python:.1f} of a bare Python loop, {python:.1f} µs"
            if stopped:
                yield f"{what}, stopped between turns", str(pace), ratio, STOPPED.get(name, "")
            else:
                yield what, str(pace), ratio, DECISIONS.get(name, "")


def pyspiel_rows(batches: int) -> Iterator[Row]:
    """Single rounds of spades against OpenSpiel's, driven from Python in two ways.

    The loop of OpenSpiel's own examples asks every chance node for its outcomes and their
    probabilities; a shorter one picks among its legal actions.
    """
    try:
        import pyspiel
    except ImportError:
        yield "spades, rules alone, against pyspiel", "pyspiel is not installed", "", ""
        return
    rng = random.Random(1)
    theirs = pyspiel.load_game("spades")
    ours, single = GAMES["spades"], GAMES["spades"].options(goal=1, max_rounds=1)

    def by_outcomes() -> None:
        state = theirs.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                actions, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(actions, weights)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))

    def by_legal_actions() -> None:
        state = theirs.new_initial_state()
        while not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))

    def rules() -> None:
        rules_alone(ours, single, rng, Pace())

    times: dict[str, list[float]] = {}
    for _ in range(batches):
        for name, way in (("o", by_outcomes), ("l", by_legal_actions), ("r", rules)):
            begun = time.perf_counter()
            for _ in range(20):
                way()
            times.setdefault(name, []).append((time.perf_counter() - begun) / 20)
    own = statistics.median(times["r"])
    for name, what, target in (
        ("o", "the loop of its examples", "at most 1.00"),
        ("l", "legal actions at chance nodes", ""),
    ):
        other = statistics.median(times[name])
        yield (
            f"a random round of spades, against pyspiel by {what}",
            f"{own * 1e6:.0f} µs against {other * 1e6:.0f}",
            f"{own / other:.2f}",
            target,
        )

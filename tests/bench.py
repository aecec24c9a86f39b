"""What the arena costs, as ratios to the bare thing in the same run. `scripts/bench` runs it.

Every comparison is interleaved (one bare, one boxed, one bare ...), so that a machine which slows
down or speeds up does so for both, and medians are compared. Everything that plays one after the
other is pinned to one core: across two cores a wake-up costs more than everything else together.
"""

from __future__ import annotations

import argparse
import os
import random
import select
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from leaderboard.store import Store
from sandbox.backends import backend
from sandbox.box import Box, Program
from sandbox.builds import build, default_cache
from sandbox.bundle import read_bundle
from sandbox.limits import Clock, Limits
from sandbox.seat import BotPlayer
from tables.choices import Order
from tables.dealing import Packs
from tables.game import DEALER, Over
from tables.manual import table
from tables.referee import play
from tables.registry import game
from tournament.crews import Crew
from tournament.lineup import Tried, line_up
from tournament.season import play_season
from tournament.settings import read_settings
from tournament.submission import take

TOP = Path(__file__).parent.parent
QUESTION = ("17", "K7", "9#K675", "10", "190")
LINE = " ".join(QUESTION)
SEED = bytes(32)
BATCH = 20
"""Questions to a living bot that are timed together, each so short that a clock would disturb."""

Row = tuple[str, str, str, str]


def median_us(seconds: Sequence[float]) -> float:
    """The median in microseconds."""
    return statistics.median(seconds) * 1e6


def interleaved(rounds: int, *ways: Callable[[], None]) -> list[list[float]]:
    """Time each way in turn, `rounds` times; the first tenth is warming up and not counted."""
    taken: list[list[float]] = [[] for _ in ways]
    for number in range(-rounds // 10, rounds):
        for way, times in zip(ways, taken, strict=True):
            begun = time.perf_counter()
            way()
            ended = time.perf_counter()
            if number >= 0:
                times.append(ended - begun)
    return taken


def compared(what: str, target: str, bare: Sequence[float], boxed: Sequence[float]) -> Row:
    """One row of the table: both medians and their ratio."""
    slow, fast = median_us(boxed), median_us(bare)
    return what, f"{slow:.1f} µs against {fast:.1f}", f"{slow / fast:.2f}", target


@contextmanager
def one_core() -> Iterator[None]:
    """Keep this process, and what it starts, on one core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def starter(language: str) -> Program:
    """Build the starter bot of a language; it answers both ways of asking."""
    bundle = read_bundle(TOP / "bots" / "starters" / language)
    return build(bundle, backend("bubblewrap"), default_cache()).program


def spawn(program: Program, words: Sequence[str], descriptors: tuple[int, ...]) -> int:
    """Start a program without a box, its standard streams on these descriptors."""
    file, *arguments = program.command
    path = str(program.folder / file) if "/" in file else f"/usr/bin/{file}"
    moved = [str(program.folder / a) if a.startswith("./") else a for a in arguments]
    return os.posix_spawn(
        path,
        [path, *moved, *words],
        {"PATH": "/usr/bin:/bin", **program.environment},
        file_actions=[(os.POSIX_SPAWN_DUP2, d, i) for i, d in enumerate(descriptors)],
    )


def run_bare(program: Program) -> None:
    """Start a program for one question and take its answer, with nothing around it."""
    out, out_end = os.pipe()
    nothing = os.open("/dev/null", os.O_RDWR)
    pid = spawn(program, QUESTION, (nothing, out_end))
    os.close(out_end)
    answer = b""
    while chunk := os.read(out, 4096):
        answer += chunk
    os.waitpid(pid, 0)
    os.close(out)
    os.close(nothing)
    assert answer == b"S\n", answer


class BarePipes:
    """A living program on bare pipes, asked under a deadline as any referee must."""

    def __init__(self, program: Program) -> None:
        in_end, self._in = os.pipe()
        self._out, out_end = os.pipe()
        self.pid = spawn(program, (), (in_end, out_end))
        os.close(in_end)
        os.close(out_end)
        self._poll = select.poll()
        self._poll.register(self._out, select.POLLIN)

    def ask(self) -> None:
        """Put one question and wait for the answer."""
        os.write(self._in, f"{LINE}\n".encode())
        assert self._poll.poll(1000), "no answer in time"
        assert os.read(self._out, 4096) == b"S\n"

    def close(self) -> None:
        """End the program."""
        os.close(self._in)
        os.waitpid(self.pid, 0)
        os.close(self._out)


def argv_row(language: str, target: str, rounds: int) -> Row:
    """A question to a program that is started for it."""
    program = starter(language)
    with backend("bubblewrap").open(program, Limits()) as box:

        def boxed() -> None:
            reply = box.run(QUESTION, 5.0)
            assert reply.line == "S", reply

        bare_times, boxed_times = interleaved(rounds, lambda: run_bare(program), boxed)
    return compared(f"argv, {language} bot, one question", target, bare_times, boxed_times)


def stdin_row(language: str, target: str, rounds: int) -> Row:
    """A question to a program that lives."""
    program = starter(language)
    pipes = BarePipes(program)
    with backend("bubblewrap").open(program, Limits()) as box:
        box.start()
        box.ask(LINE, 5.0)

        def boxed() -> None:
            for _ in range(BATCH):
                assert box.ask(LINE, 1.0).line == "S"

        def bare() -> None:
            for _ in range(BATCH):
                pipes.ask()

        bare_times, boxed_times = (
            [seconds / BATCH for seconds in times] for times in interleaved(rounds, bare, boxed)
        )
    pipes.close()
    return compared(f"stdin, {language} bot, one question", target, bare_times, boxed_times)


def start_row(rounds: int) -> Row:
    """A box, made and removed."""
    program = starter("c")
    times = []
    for _ in range(rounds):
        begun = time.perf_counter()
        with backend("bubblewrap").open(program, Limits()):
            times.append(time.perf_counter() - begun)
    return "box ready", f"{median_us(times) / 1000:.1f} ms", "", ""


def rules_row(seconds: float) -> Row:
    """Rounds of blackjack by the rules alone: legal actions at random, no questions."""
    rules, rng, hands = game("blackjack"), random.Random(1), 0
    options = rules.options()
    until = time.perf_counter() + seconds
    packs = Packs(SEED, "bench")
    while time.perf_counter() < until:
        phase = rules.start(options, 4)
        while not isinstance(phase, Over):
            choice = phase.legal_actions(phase.to_act)
            dealt = phase.to_act == DEALER and isinstance(choice, Order)
            phase, _ = phase.apply(packs.deal(choice) if dealt else choice.sample(rng))
        hands += options.hands
    return "blackjack, rules alone, four seats", f"{hands / seconds:,.0f} hands/s", "", ""


def table_row(seconds: float) -> Row:
    """Rounds of blackjack with four living C bots in boxes, referee, clock and records included."""
    rules, hands, decisions = game("blackjack"), 0, 0
    options, program = rules.options(), starter("c")
    with ExitStack() as stack:
        boxes: list[Box] = [
            stack.enter_context(backend("bubblewrap").open(program, Limits())) for _ in range(4)
        ]
        players = [BotPlayer(box, Clock(), "stdin") for box in boxes]
        spent = 0.0
        while spent < seconds:
            for player in players:
                player.begin_game()
            begun = time.perf_counter()
            record = play(rules, options, players, Packs(SEED, f"bench/{hands}"))
            spent += time.perf_counter() - begun
            hands += options.hands
            decisions += sum(turn.seat != DEALER for turn in record.turns)
            for player in players:
                player.end_game()
    each = spent / decisions * 1e6
    rate = f"{hands / spent:,.0f} hands/s, {each:.0f} µs a decision"
    return "blackjack, four stdin C bots in boxes", rate, "", ""


class Nobody:
    """An audience that does not listen."""

    def say(self, sentence: str) -> None:
        """Nothing is said in a benchmark."""

    def tried(self, trial: Tried) -> None:
        """See a bot that can't play here: the contest is then not the demo's."""
        if not trial.verdict.ok:
            print(f"{trial.version.label} sits out: {trial.verdict.reason}", file=sys.stderr)

    def nothing_due(self, settings: object) -> None:
        """Nobody waits."""

    def begins(self, season: object, *, again: bool) -> None:
        """Nobody watches."""

    def goes_on(self, tally: object) -> None:
        """Nobody watches."""

    def ends(self, season: object) -> None:
        """Nobody watches."""


def contest_rows(tourneys: int, seasons: int) -> Iterator[Row]:
    """The demo contest in short, on one core and on two, in turn."""
    demo = read_settings((TOP / "tournaments" / "demo.yaml").read_bytes(), "demo.yaml")
    rates: dict[int, list[float]] = {1: [], 2: []}
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(Store(f"sqlite:///{folder}/a.db")) as store,
    ):
        for manifest in sorted((TOP / "bots" / "blackjack").glob("*/bot.yaml")):
            take(store, manifest.parent, "house")
        for _ in range(seasons):
            for workers, measured in rates.items():
                settings = demo.model_copy(update={"tourneys": tourneys, "workers": workers})
                with Crew(workers) as crew:
                    entrants = line_up(store, settings, crew, Nobody().tried)
                    season = store.begin_season(
                        "demo", settings.freeze(), "mean chips", SEED, entrants, datetime.now(UTC)
                    )
                    begun = time.perf_counter()
                    play_season(store, season, crew, Nobody())
                    minutes = (time.perf_counter() - begun) / 60
                measured.append(len(store.results(season.id)) / minutes)
    one, two = (statistics.median(rates[workers]) for workers in (1, 2))
    yield "demo contest, one worker", f"{one:.0f} matches/min", "", ""
    yield "demo contest, two workers", f"{two:.0f} matches/min", f"{two / one:.2f}", "at least 1.80"


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=300, help="questions of each kind")
    arguments = parser.parse_args()
    rounds = arguments.rounds
    rows: list[Row] = []
    with one_core():
        rows.append(argv_row("c", "at most 1.25", rounds))
        rows.append(argv_row("python", "at most 1.05", rounds))
        rows.append(stdin_row("c", "at most 1.50", rounds))
        rows.append(stdin_row("python", "at most 1.50", rounds))
        rows.append(start_row(max(20, rounds // 10)))
        rows.append(rules_row(3.0))
        rows.append(table_row(3.0))
    rows.extend(contest_rows(tourneys=4, seasons=2))
    print(table(("what", "median", "ratio", "target"), rows))


if __name__ == "__main__":
    main()

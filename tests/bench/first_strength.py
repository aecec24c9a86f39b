"""How soon after its submission a bot has a strength with an interval, in a simulated arena.

An arena of 200 bots plays a league without end. Bots are submitted at random moments. Each one is
checked, and then plays in a gauntlet of new bots (`schedule: new bots`, `pairs: new`) against four
references; one gauntlet follows the other. Each author also challenges a bot as soon as theirs is
accepted. Places are divided by the arena's own `Accounts`; matches have random lengths.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from statistics import quantiles

from card_arena.tests.bench.timing import Row
from card_arena.tournament.play.pool import Account, Accounts

HEADINGS = (
    *("cores", "a match", "submitted an hour", "challenge begins"),
    *("challenge of 20 boards", "first strength"),
)

SUBMISSIONS = 400
CHECK = 20.0
"""Seconds of a core for the check of an upload."""

NOTICED = 2.0
"""Seconds until the arena looks for uploads and operations."""

REFERENCES, BOARDS, CHALLENGE = 4, 10, 20
"""The references of the gauntlet, the matches against each of them, and those of a challenge."""


@dataclass(eq=False)
class Queue:
    """Tasks that wait for a place: what happens at the beginning of each, and at its end."""

    account: Account
    length: Callable[[], float]
    waiting: deque[tuple[Callable[[], None], Callable[[], None]]] = field(default_factory=deque)


class Simulation:
    """Places that are divided among queues as the arena divides them; time is in seconds."""

    def __init__(self, cores: int) -> None:
        self.now = 0.0
        self._free = cores
        self._accounts = Accounts()
        self._queues: list[Queue] = []
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = count()

    def queue(self, name: str, length: Callable[[], float]) -> Queue:
        queue = Queue(self._accounts.join(name, 1), length)
        self._queues.append(queue)
        return queue

    def leave(self, queue: Queue) -> None:
        self._queues.remove(queue)
        self._accounts.leave(queue.account, self.now)

    def at(self, moment: float, event: Callable[[], None]) -> None:
        heappush(self._events, (moment, next(self._numbers), event))

    def run(self, is_over: Callable[[], bool]) -> None:
        while not is_over():
            self._supply()
            self.now, _, event = heappop(self._events)
            event()

    def _supply(self) -> None:
        while self._free:
            wanting = {queue.account: queue for queue in self._queues if queue.waiting}
            if not wanting:
                return
            self._begin(wanting[self._accounts.next(wanting, self.now)])

    def _begin(self, queue: Queue) -> None:
        begun, ended = queue.waiting.popleft()
        task = object()
        self._accounts.begin(queue.account, task, self.now)
        self._free -= 1

        def end() -> None:
            self._accounts.end(queue.account, task, self.now)
            self._free += 1
            ended()

        begun()
        self.at(self.now + queue.length(), end)


def _nothing() -> None:
    """Nobody waits for this."""


class Arena:
    """The arena of 200 bots, and the seconds after which its newcomers had what they wanted."""

    def __init__(self, cores: int, match: float, an_hour: float) -> None:
        self._chance = random.Random(f"{cores} {match} {an_hour}")
        self._simulation = Simulation(cores)
        self._match = match
        self._uploads = self._simulation.queue("uploads", lambda: CHECK)
        self._league = self._simulation.queue("league", self._length)
        self._gauntlet: Queue | None = None
        self._accepted: list[float] = []
        self.begun: list[float] = []
        self.challenged: list[float] = []
        self.strengths: list[float] = []
        for _ in range(3 * cores):
            self._more_league()
        moment = 0.0
        for _ in range(SUBMISSIONS):
            moment += self._chance.expovariate(an_hour / 3600)
            self._simulation.at(moment + NOTICED * self._chance.random(), self._submit(moment))

    def play(self) -> None:
        self._simulation.run(lambda: len(self.strengths) + len(self.challenged) == 2 * SUBMISSIONS)

    def _length(self) -> float:
        return self._match * self._chance.lognormvariate(-0.125, 0.5)

    def _more_league(self) -> None:
        self._league.waiting.append((_nothing, self._more_league))

    def _submit(self, moment: float) -> Callable[[], None]:
        def accepted() -> None:
            self._accepted.append(moment)
            self._begin_gauntlet()
            wait = NOTICED * self._chance.random()
            self._simulation.at(self._simulation.now + wait, self._challenge(moment))

        return lambda: self._uploads.waiting.append((_nothing, accepted))

    def _challenge(self, moment: float) -> Callable[[], None]:
        asked: list[float] = []
        left = [CHALLENGE]

        def begins() -> None:
            if left[0] == CHALLENGE and asked:
                self.begun.append(self._simulation.now - asked.pop())

        def ends() -> None:
            left[0] -= 1
            if not left[0]:
                self.challenged.append(self._simulation.now - moment)
                self._simulation.leave(queue)

        def request() -> None:
            nonlocal queue
            asked.append(self._simulation.now)
            queue = self._simulation.queue(f"challenge {moment}", self._length)
            queue.waiting.extend([(begins, ends)] * CHALLENGE)

        queue: Queue
        return request

    def _begin_gauntlet(self) -> None:
        """Begin a season of those that have been accepted, unless one is being played."""
        if self._gauntlet is not None or not self._accepted:
            return
        new, self._accepted = self._accepted, []
        queue = self._gauntlet = self._simulation.queue("gauntlet", self._length)
        left = [len(new) * REFERENCES * BOARDS]

        def over(moment: float, played: list[int]) -> Callable[[], None]:
            def ended() -> None:
                left[0] -= 1
                played[0] += 1
                if played[0] == REFERENCES * BOARDS:
                    self.strengths.append(self._simulation.now - moment)
                if not left[0]:
                    self._simulation.leave(queue)
                    self._gauntlet = None
                    self._begin_gauntlet()

            return ended

        ends = [over(moment, [0]) for moment in new]
        for _ in range(REFERENCES * BOARDS):
            queue.waiting.extend((_nothing, end) for end in ends)


def strength_rows() -> Iterator[Row]:
    """Arenas of several sizes, with quick and slow bots."""
    for cores, match, an_hour in ((2, 2.0, 10), (4, 2.0, 40), (4, 10.0, 10), (16, 10.0, 40)):
        arena = Arena(cores, match, an_hour)
        arena.play()
        yield (
            f"{cores}",
            f"{match:g} s",
            f"{an_hour}",
            _share(arena.begun, 1.0, "s"),
            _share(arena.challenged, 60.0, "min"),
            _share(arena.strengths, 60.0, "min"),
        )


def _share(seconds: list[float], unit: float, name: str) -> str:
    """The median and the 95th percentile."""
    parts = quantiles(seconds, n=20)
    return f"{parts[9] / unit:.1f} {name}, 95 % within {parts[18] / unit:.1f} {name}"

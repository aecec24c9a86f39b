"""Is a new bot better than an old one? Boards are played until a sequential test can tell.

One number a board is judged: the mean lead of the new bot over all turns of the seats. The new bot
holds one chair, or one side, and copies of the old one hold all others, so for identical bots the
expected lead is 0 at any table. Boards are judged in the order of their numbers, so the verdict
does not depend on the number of workers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from leaderboard.statistics.sequential import Leads, SequentialTest, Verdict, interval
from tables.registry import game
from tournament.authors.boards import Board
from tournament.authors.duel import Duel, points
from tournament.authors.exhibition import Guest
from tournament.settings import Settings

WORDS = {
    "gain": {"above": "better", "below": "not better"},
    "no-worse": {"above": "no worse", "below": "worse"},
}
"""What the verdicts of a test are called; a test with bounds of its own is one for a gain."""


UNPLAYED = ("name", "workers", "format", "entrants", "schedule", "sanity_check", "require")
"""Settings that decide nothing about a board."""


class Comparison:
    """The boards of a comparison, told in the order of their numbers, and what they show.

    `names` are those of the chairs, the new bot's first; `kind` says what the test asks.
    """

    def __init__(self, names: Sequence[str], test: SequentialTest, kind: str = "gain") -> None:
        self.test = test
        self.leads = Leads()
        self.verdict: Verdict | None = None
        self.shown = Duel(names, test.cap)
        """Every chair's performance and first fault."""
        self._new, self._old = names[0], names[1]
        self._words = WORDS.get(kind, WORDS["gain"])

    def take_in(self, board: Board) -> None:
        """Count a board; raises `ValueError` where it is not the next one."""
        if board.number != self.leads.boards + 1:
            raise ValueError(f"board {board.number} does not follow board {self.leads.boards}")
        self.leads = self.leads.add(Fraction(board.showings[0].lead) / board.games)
        self.shown.take_in(board)
        self.verdict = self.test.verdict(self.leads)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The always-valid interval of the lead in points a game; None below 30 boards."""
        return interval(self.leads)

    @property
    def outcome(self) -> str | None:
        """The verdict in a word or two, such as "not better"; None while it is open."""
        return self._words.get(self.verdict, "undecided") if self.verdict else None

    def sentence(self) -> str:
        """Say what the boards show so far, with the lead and its always-valid interval."""
        boards = f"{self.leads.boards:,} board{'' if self.leads.boards == 1 else 's'}"
        if self.verdict is None:
            return f"open after {boards}: {self.estimate()}"
        if self.verdict == "undecided":
            return (
                f"undecided after {boards}: {self._new} may be {self._words['above']} than"
                f" {self._old} or not; {self.estimate()}"
            )
        said = (
            f"after {boards} {self._new} is {self._words[self.verdict]} than {self._old}:"
            f" {self.estimate()}"
        )
        if self.outcome == "not better" and self.leads.deviation:
            least = points(self.test.high * self.leads.deviation)
            said += f"; a true lead of {least} a game would have been found in 95 % of comparisons"
        return said

    def estimate(self) -> str:
        """The mean lead, with its interval where there are boards enough."""
        seen = self.interval
        if seen and seen[0] == seen[1]:
            return f"every board gave the same lead of {points(self.leads.mean)} a game"
        between = (
            f", between {points(seen[0])} and {points(seen[1])} (95 %, at any time)" if seen else ""
        )
        return f"its lead is {points(self.leads.mean)} a game{between}"


@dataclass(frozen=True, slots=True)
class Question:
    """What a comparison asks; two with equal questions and seeds play the same boards.

    `about` is plain data: the table, the rules' version, the bots by digest, and the test without
    its cap, since a comparison may go on to a higher one.
    """

    about: dict[str, Any]

    @classmethod
    def of(cls, table: Settings[Any], chairs: Sequence[Guest], test: SequentialTest) -> Question:
        """The question of a table, its bots chair by chair, and a test."""
        frozen = table.model_dump(mode="json")
        for unplayed in UNPLAYED:
            frozen.pop(unplayed, None)
        return cls(
            {
                "game": table.game,
                "rules": game(table.game).version,
                "table": frozen,
                "chairs": [{"name": each.name, "digest": each.digest} for each in chairs],
                "effects": [test.low, test.high],
                "begin": test.begin,
            }
        )

"""Blot's score sheet before a deal, and the finished deal that is entered in it.

Rules are cited from docs/rules/blot.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tables.blot.declarations import Declaration, Declared
from tables.blot.messages import DealOver
from tables.blot.rules import Contract, Options
from tables.game import Over, Seat

SEATS = range(4)

NOTHING_DECLARED: tuple[Declared, ...] = ((),) * 4


class ScoreSheet(NamedTuple):
    """The score sheet before a deal.

    `played` counts the deals with a contract; `scores` and `won` (deals) have one number per side.
    """

    options: Options
    dealer: Seat
    deal: int = 1
    scores: tuple[int, int] = (0, 0)
    played: int = 0
    won: tuple[int, int] = (0, 0)

    @property
    def first(self) -> Seat:
        """The seat after the dealer, which opens the auction and leads to the first trick."""
        return (self.dealer + 1) % 4

    def after(self, last: Finished) -> ScoreSheet | Over:
        """Enter a deal; return the next deal's sheet, or the end of the game (rule e.4)."""
        mine, theirs = last.gained
        won = self.won[0] + (mine > theirs), self.won[1] + (theirs > mine)
        played = self.played + (last.contract is not None)
        scores = last.scores
        decided = max(scores) >= self.options.target and scores[0] != scores[1]
        if decided or self.deal == self.options.max_deals:
            return Over(scores * 2, (played,) * 4, won * 2)
        return ScoreSheet(self.options, self.first, self.deal + 1, scores, played, won)


class Finished(NamedTuple):
    """A finished deal; if everybody passed, it has no contract.

    `points` are the card points and `gained` the score of the deal, one number per side; `revoker`
    is the seat whose revoke ended it.
    """

    sheet: ScoreSheet
    contract: Contract | None = None
    declared: tuple[Declared, ...] = NOTHING_DECLARED
    history: str = ""
    points: tuple[int, int] = (0, 0)
    gained: tuple[int, int] = (0, 0)
    revoker: Seat | None = None

    @property
    def scores(self) -> tuple[int, int]:
        """The scores after this deal."""
        return self.sheet.scores[0] + self.gained[0], self.sheet.scores[1] + self.gained[1]

    def news(self) -> DealOver:
        """The public news of the deal."""
        turns = ((self.sheet.first + step) % 4 for step in SEATS)
        said = (declaration_text(seat, one) for seat in turns for one in self.declared[seat])
        return DealOver(
            number=self.sheet.deal,
            contract=str(self.contract or "-"),
            declarations="/".join(said) or "-",
            history=self.history or "-",
            points=by_side(self.points),
            gained=by_side(self.gained),
            scores=by_side(self.scores),
        )


def by_side(numbers: Sequence[int]) -> str:
    """Write one number per side: `28,8`."""
    return f"{numbers[0]},{numbers[1]}"


def declaration_text(seat: Seat, declaration: Declaration) -> str:
    """Write a declaration whose cards everybody has seen: `2:T:QS,JS,TS`."""
    return f"{seat}:{declaration.kind}:{','.join(declaration.cards)}"

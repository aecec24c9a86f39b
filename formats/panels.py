"""A picture that a season's format draws: plain data, stored with the standings.

Pages know kinds of pictures and no formats. A kind is a dataclass in a file of this package, and a
template of the same name in `leaderboard/web/templates/panels`, which is given the picture's data
and the standings' lines by version id.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal

from card_arena.ratings.intervals import Estimate
from card_arena.ratings.margin_fit import MarginTally, PairMargin


@dataclass(frozen=True, slots=True)
class Panel:
    """One picture; versions stand in it by their ids."""

    kind: ClassVar[str]
    """Its kind: the name of its file and of its template."""

    def to_data(self) -> Mapping[str, Any]:
        """Convert to plain data, exactly as it comes back from the store."""
        data: dict[str, Any] = json.loads(json.dumps({"kind": self.kind, **asdict(self)}))
        return data


Ended = Literal["", "sure", "cap", "boards", "bye", "left"]
"""Why a tie ended: the better ones are sure; undecided after the last board, so that the higher
seeds advance; all boards of a fixed number are played; there was no opponent; a player had left.
Empty while it is played.
"""


@dataclass(frozen=True, slots=True)
class BracketSeat:
    """One version in a tie.

    `margin` is its score minus the mean of its opponents', in points a game, with the interval from
    `low` to `high` that holds whenever a tie ends; None below 30 boards. `goes_on` says whether it
    advances, None while that is open.
    """

    version: int
    seed: int
    margin: float
    low: float | None
    high: float | None
    goes_on: bool | None


@dataclass(frozen=True, slots=True)
class BracketTie:
    """One tie: its players, the best seed first, the number of `boards` played and the `most`,
    and why it ended. A bye has one seat, and no number and no boards.
    """

    number: int
    seats: tuple[BracketSeat, ...]
    boards: int
    most: int
    ended: Ended


@dataclass(frozen=True, slots=True)
class BracketRound:
    """One round: its ties from the top of the tree to the bottom.

    `leg` is its number, counted from 1; `going_on` is how many bots it leaves.
    """

    leg: int
    title: str
    going_on: int
    ties: tuple[BracketTie, ...]


@dataclass(frozen=True, slots=True)
class Bracket(Panel):
    """The rounds that have been drawn, and the titles and ties of those to come.

    `seats` is how many bots play a tie. `stops` says whether a tie ends as soon as it is sure.
    """

    kind: ClassVar[str] = "bracket"

    seats: int
    stops: bool
    rounds: tuple[BracketRound, ...]
    ahead: tuple[tuple[str, int], ...]


DIGITS = 6
"""Decimals of a figure: more would be noise, and the last ones may differ between machines."""

Cell = tuple[int, float, float | None]
"""Boards, mean margin a game, and how far its 95 % interval reaches to either side.

With too few boards for an interval the last is None.
"""


@dataclass(frozen=True, slots=True)
class CrossTable(Panel):
    """The results of every two versions on their common boards.

    `order` holds the versions, the best first. `rows` has a row for each of them, with a cell for
    each other one in this order; None stands for itself and for versions that it never met. `most`
    is the highest number of boards of a pair, and `fewest` the lowest of those that met. `before`
    is how many of all boards earlier seasons had.
    """

    kind: ClassVar[str] = "cross_table"

    order: tuple[int, ...]
    rows: tuple[tuple[Cell | None, ...], ...]
    fewest: int
    most: int
    before: int = 0


def cross_table(tally: MarginTally, order: Sequence[int], *, before: int = 0) -> CrossTable:
    """Draw the boards that these versions, the best first, had with each other."""
    pairs = tally.pairs()
    met = [pairs[two] for two in pairs if {*two} <= {*order}]
    rows = tuple(
        tuple(cell(pairs[one, other]) if (one, other) in pairs else None for other in order)
        for one in order
    )
    boards = [two.boards for two in met] or [0]
    return CrossTable(tuple(order), rows, min(boards), max(boards), before)


def cell(margin: PairMargin | Estimate) -> Cell:
    """A margin as it is drawn."""
    if isinstance(margin, PairMargin):
        margin = margin.estimate or Estimate(margin.margin, None, None, margin.boards)
    reach = None if margin.high is None else round(margin.high - margin.value, DIGITS)
    return margin.trials or 0, round(margin.value, DIGITS) + 0.0, reach


Fate = Literal["stays", "spared", "out", "open"]
"""The fate of a version at a cut. `spared` is below the line, but too close to it to be cut."""


@dataclass(frozen=True, slots=True)
class Against:
    """One version at a cut, compared with the version on the line.

    `margin` is how far it is above the line in points a game, with its 95 % interval from `low` to
    `high`; they are None while there are too few boards to tell. `boards` counts those it has
    played so far.
    """

    version: int
    margin: float | None
    low: float | None
    high: float | None
    boards: int
    fate: Fate


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage, its versions in the order of their strengths.

    The version on the line is the last of the `places` that are kept, or in the last stage the
    leader. A stage that is not `over` shows how things stand, and every fate in it is open.
    """

    number: int
    places: int
    matches: int
    over: bool
    versions: tuple[Against, ...]


@dataclass(frozen=True, slots=True)
class Cuts(Panel):
    """All stages so far, out of `planned`.

    A version below the line is spared if it is at most `margin` standard errors below it.
    """

    kind: ClassVar[str] = "cuts"

    planned: int
    margin: float
    stages: tuple[Stage, ...]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A version that is not known well enough: the boards it has played, and about how many more
    it needs.
    """

    version: int
    boards: int
    needed: int


@dataclass(frozen=True, slots=True)
class Contender:
    """A version that may be the best, with its chance in whole percent."""

    version: int
    chance: int


@dataclass(frozen=True, slots=True)
class Shares:
    """The numbers of an epoch's matches: for new versions, random ones, and possible bests."""

    new: int
    by_lot: int
    best: int


@dataclass(frozen=True, slots=True)
class Queue(Panel):
    """The boards that every new version still needs, the next to play first, and the next epoch.

    `error` is the standard error below which a version is known well enough, as a share of the
    standard deviation of a board, and `boards` about how many that takes. `now` is this epoch,
    `then` the next one as far as it can be foreseen.
    """

    kind: ClassVar[str] = "queue"

    error: float
    boards: int
    waiting: tuple[Waiting, ...]
    contenders: tuple[Contender, ...]
    now: Shares
    then: Shares


@dataclass(frozen=True, slots=True)
class Met:
    """One match of one version: the `others` at its table, and its result.

    `points` are 1 for a win, 1/2 for a draw and 0 for a defeat; at a table of several opponents,
    the share of them that finished behind, those level counting half. `margin` is in points a game.
    A version that sat the round out has no `key` and no `others`.
    """

    round: int
    key: str
    others: tuple[int, ...]
    points: float
    margin: float


@dataclass(frozen=True, slots=True)
class RoundsLine:
    """The matches of one version, with the points they add up to and the opponents' points."""

    version: int
    points: float
    buchholz: float
    matches: tuple[Met, ...]


@dataclass(frozen=True, slots=True)
class Rounds(Panel):
    """A line for every version, the best first, with a cell for every round that it has played.

    `rounds` is how many there will be, `seats` how many bots sit at a table.
    """

    kind: ClassVar[str] = "rounds"

    rounds: int
    seats: int
    lines: tuple[RoundsLine, ...]


@dataclass(frozen=True, slots=True)
class StageHeading(Panel):
    """One stage that has begun; the pictures that follow are its own.

    `title` is the name of its format. `best` is the number that advance, None in the last stage.
    `going_on` are the bots that do, the best first; empty until the stage is over.
    """

    kind: ClassVar[str] = "stage"

    number: int
    stages: int
    title: str
    players: int
    best: int | None
    going_on: tuple[int, ...]


Reached = Literal["surely", "perhaps", "no"]
"""Whether the whole 95 % interval is at or above the mark, some of it, or nothing."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A threshold: `value` points a game over all references, or over one `reference`."""

    title: str
    value: float
    reference: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A bot's mean margin over all references and over each, and which marks it reached.

    `against` and `reached` are in the order of the panel's references and marks.
    """

    version: int
    margin: Cell
    against: tuple[Cell | None, ...]
    reached: tuple[Reached, ...]


@dataclass(frozen=True, slots=True)
class Thresholds(Panel):
    """Each bot's mean margin against fixed reference bots, beside fixed marks.

    `before` is how many of all boards earlier seasons had.
    """

    kind: ClassVar[str] = "thresholds"

    references: tuple[int, ...]
    marks: tuple[Mark, ...]
    lines: tuple[Line, ...]
    before: int = 0


def reached(margin: Cell | None, value: float) -> Reached:
    """Say how surely a margin is at or above a value; without an interval nothing is sure."""
    _, mean, reach = margin or (0, 0.0, None)
    if reach is None:
        return "perhaps"
    if mean - reach >= value:
        return "surely"
    return "perhaps" if mean + reach >= value else "no"

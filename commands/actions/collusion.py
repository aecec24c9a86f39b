"""`arena show collusion`."""

from __future__ import annotations

from rich.table import Column

from card_arena.collusion.check import SoftPlay, check_collusion
from card_arena.collusion.pairs import FEWEST_TABLES, PairTest
from card_arena.commands.console import Printer, Rows, right
from card_arena.commands.printer import say, say_shape
from card_arena.leaderboard.models import Shape, VersionName
from card_arena.results.store import Store

MOST_SHOWN = 10
"""At most this many pairs without a finding are shown."""

MEANING = (
    "A finding means that two bots spared each other, or gave each other more, than they did others"
    " in like positions, by more than chance does in one honest tournament of twenty. It is no"
    " proof: look at their games before you say anything. No finding means only that nothing so"
    " strong was seen at these tables. docs/collusion.md has the method and its errors."
)


class PairShape(Shape):
    """Two bots, and whether they spared each other."""

    one: VersionName
    """One of them."""
    other: VersionName
    """The other."""
    tables: int
    """The tables with a decision of one about the other."""
    decisions: int
    """How many such decisions there are."""
    softness: float
    """How much softer they were on each other than on the rest."""
    t: float
    """That in standard errors."""
    p: float
    """The chance of so large a `t` for one honest pair."""
    adjusted: float
    """That for any pair of this field."""
    found: bool
    """Whether it is a finding: a reason to look at the games, and no proof."""


class CollusionCheckShape(Shape):
    """A tournament's test of soft play."""

    tournament: str
    """The tournament's name."""
    matches: int
    """How many matches were looked at."""
    observed: int
    """How many decisions."""
    pairs: tuple[PairShape, ...]
    """The pairs, the most suspicious first."""


def collusion(tournament: str, as_json: bool, store: Store) -> None:
    """Test a tournament's pairs for soft play and print them, the most suspicious first."""
    result = check_collusion(store, tournament)
    if as_json:
        say_shape(_shape(result))
        return
    if not result.observed:
        say(f"{tournament} has no decisions by which one bot could have played for another")
        return
    if not result.pairs:
        say(
            f"no two bots of {tournament} have met at {FEWEST_TABLES} tables at which their"
            " decisions can be compared: too few to judge"
        )
        return
    console = Printer()
    console.print(_table(result))
    caught = sum(pair.found for pair in result.pairs)
    pairs = "1 pair" if len(result.pairs) == 1 else f"{len(result.pairs)} pairs"
    console.print(
        f"{result.observed} decisions of {result.matches} matches, {pairs}:"
        f" {'no finding' if not caught else '1 finding' if caught == 1 else f'{caught} findings'}",
        soft_wrap=True,
    )
    console.print(MEANING)


def _shape(result: SoftPlay) -> CollusionCheckShape:
    names = {
        number: VersionName(bot=version.bot, version=version.number)
        for number, version in result.versions.items()
    }
    measured = [name for name in PairShape.model_fields if name not in ("one", "other")]
    return CollusionCheckShape(
        tournament=result.tournament,
        matches=result.matches,
        observed=result.observed,
        pairs=tuple(
            PairShape(
                one=names[pair.one],
                other=names[pair.other],
                **{name: getattr(pair, name) for name in measured},
            )
            for pair in result.pairs
        ),
    )


def _table(result: SoftPlay) -> Rows:
    figures = map(right, ("tables", "decisions", "softer by", "t", "p of all"))
    table = Rows(Column("two bots", overflow="fold"), *figures, "", pad_edge=False)
    for place, pair in enumerate(result.pairs):
        if pair.found or place < MOST_SHOWN:
            table.add_row(
                _names(result, pair),
                str(pair.tables),
                str(pair.decisions),
                f"{pair.softness:+.3f}",
                f"{pair.t:.1f}",
                "< .001" if pair.adjusted < 0.001 else f"{pair.adjusted:.3f}",
                "finding" if pair.found else "",
            )
    return table


def _names(result: SoftPlay, pair: PairTest) -> str:
    one, other = result.versions[pair.one], result.versions[pair.other]
    same = f" (both of {one.author})" if one.author == other.author else ""
    return f"{one.label} and {other.label}{same}"

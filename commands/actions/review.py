"""`arena review`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from rich.table import Column

from coach.review import Evaluation, Place
from commands.console import Printer, Rows, right
from commands.playing import warn_without_walls
from commands.printer import say_shape
from leaderboard.match_file import FiledMatch, is_match_file
from leaderboard.matches import match as read_match
from leaderboard.models import Figure
from leaderboard.question_file import AnyMatch
from leaderboard.reviews import MarkShape, MatchReview, review_of, stored_evaluations
from results.store import Store
from sandbox.bundles.bundle import Bundle
from tournament.exhibition import guest, guest_at, is_path
from tournament.reviews import demand_reviewer, evaluated_now, keep, usual_reviewer

MOST_SHOWN = 10
"""At most so many decisions are shown, the dearest ones."""


def review(
    key: str,
    seat: int | None,
    by: str | None,
    as_json: bool,
    sandbox: str,
    store: Callable[[], Store],
) -> None:
    """Print the dearest decisions of a match, and what became of each bot."""
    warn_without_walls(sandbox)
    filed = is_match_file(key)
    match: AnyMatch = FiledMatch.read(Path(key)) if filed else read_match(store(), key)
    bundle = _reviewer(match.records[0].game, by, store)
    console = Printer()
    known: dict[Place, Evaluation] = {}
    about = bundle.manifest
    if not filed:
        known = stored_evaluations(store(), bundle.digest, match.records, prefix=about.prefix)
        if by is None:
            store().ask_for_review(match.key)
            store().begin_review(match.key, about.name, bundle.digest, prefix=about.prefix)
    for some in evaluated_now(bundle, sandbox, match.records, known):
        known |= {(number, decision.turn): one for (number, decision), one in some}
        if not filed:
            keep(store(), bundle, some)
    if not filed and by is None:
        store().finish_review(match.key)
    done = review_of(match, about.name, known, prefix=about.prefix)
    if seat is not None:
        marks = tuple(mark for mark in done.marks if mark.seat == seat)
        done = done.model_copy(update={"marks": marks})
    if as_json:
        say_shape(done)
        return
    for line in _dearest(done, key):
        console.print(line, soft_wrap=True)
    console.print(_accounts(done))


def _reviewer(game: str, by: str | None, store: Callable[[], Store]) -> Bundle:
    if by is None:
        return usual_reviewer(game)
    named = guest_at(by) if is_path(by) else guest(store(), by)
    return demand_reviewer(named.bundle, game)


def _dearest(done: MatchReview, key: str) -> Iterator[str]:
    """The decisions that cost most, each with its reason and the command that asks again."""
    flagged = done.flagged
    decisions = f"{len(done.marks)} decisions reviewed by {done.reviewer}"
    if not flagged:
        yield f"{decisions}; none of them cost points for sure."
        return
    yield f"{decisions}; {len(flagged)} cost points for sure:"
    for mark in flagged[:MOST_SHOWN]:
        fault = ", the fallback action after a fault" if mark.fault else ""
        yield (
            f"\ngame {mark.game}, turn {mark.turn}: {mark.bot} v{mark.version} in seat {mark.seat}"
            f" played {mark.played}{fault}, better was {mark.best}: {_cost(mark)}"
        )
        yield f"    {mark.reason}"
        yield f"    arena repro {key} {mark.game} {mark.turn} ./my_bot"
    if len(flagged) > MOST_SHOWN:
        yield f"\nand {len(flagged) - MOST_SHOWN} more"


def _cost(mark: MarkShape) -> str:
    chance = ""
    if mark.chance is not None:
        chance = f", {100 * mark.chance.value:.1f} % of the match"
    return f"{figure(mark.loss)} points{chance}"


def figure(shown: Figure) -> str:
    """A figure with its interval: `12.5 (9.1 to 16)`."""
    if shown.low is None or shown.high is None:
        return f"{shown.value:.3g}"
    return f"{shown.value:.3g} ({shown.low:.3g} to {shown.high:.3g})"


def _accounts(done: MatchReview) -> Rows:
    columns = ("points", "luck", "others lost", "lost", *(f"in {stage}" for stage in done.stages))
    table = Rows(Column("bot", overflow="fold"), *map(right, columns), pad_edge=False)
    for one in done.accounts:
        lost = (one.by_stage.get(stage) for stage in done.stages)
        table.add_row(
            f"{one.bot} v{one.version}",
            f"{one.points:+}",
            f"{one.luck.value:+.3g}",
            f"{one.others.value:+.3g}",
            figure(one.losses),
            *(f"{losses.value:.3g}" if losses else "" for losses in lost),
        )
    return table

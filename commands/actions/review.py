"""`arena review`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from rich.table import Column

from card_arena.coach.review import Evaluation, Place
from card_arena.commands.console import Printer, Rows, right
from card_arena.commands.playing import warn_without_walls
from card_arena.commands.printer import say_shape
from card_arena.leaderboard.match_file import FiledMatch, is_match_file
from card_arena.leaderboard.matches import in_key_order
from card_arena.leaderboard.matches import match as read_match
from card_arena.leaderboard.models import Figure
from card_arena.leaderboard.question_file import AnyMatch
from card_arena.leaderboard.reviews import (
    MarkShape,
    MatchReview,
    review_of,
    stored_evaluations,
    stored_review,
    tournament_review,
)
from card_arena.leaderboard.standings import standings
from card_arena.results.store import Store
from card_arena.sandbox.bundles.bundle import Bundle
from card_arena.tables.game import PARTS
from card_arena.tournament.exhibition import guest, guest_at, is_path
from card_arena.tournament.reviews import demand_reviewer, evaluated_now, keep, usual_reviewer

MOST_SHOWN = 10
"""At most so many decisions are shown, the dearest ones."""


def review(
    key: str,
    seat: int | None,
    by: str | None,
    every: bool,
    as_json: bool,
    sandbox: str,
    store: Callable[[], Store],
) -> None:
    """Print what the decisions of a match cost, or sum up a tournament's reviews."""
    warn_without_walls(sandbox)
    filed, console = is_match_file(key), Printer()
    if not filed and "/" not in key:
        _tournament(key, store(), sandbox, console, every=every, as_json=as_json)
        return
    match: AnyMatch = FiledMatch.read(Path(key)) if filed else read_match(store(), key)
    if by is None and not filed:
        done = _stored(store(), match, sandbox)
    else:
        bundle = _reviewer(match.records[0].game, by, store)
        known: dict[Place, Evaluation] = {}
        for some in evaluated_now(bundle, sandbox, match.records, known):
            known |= {(number, decision.turn): one for (number, decision), one in some}
        about = bundle.manifest
        done = review_of(match, about.name, known, prefix=about.prefix)
    if seat is not None:
        marks = tuple(mark for mark in done.marks if mark.seat == seat)
        done = done.model_copy(update={"marks": marks})
    if as_json:
        say_shape(done)
        return
    if seat is not None:
        console.print(_decisions(done))
    for line in _dearest(done, key):
        console.print(line, soft_wrap=True)
    console.print(_accounts(done))


def _stored(store: Store, match: AnyMatch, sandbox: str) -> MatchReview:
    """Review a stored match and keep the evaluations."""
    bundle = usual_reviewer(match.records[0].game)
    about = bundle.manifest
    known = stored_evaluations(store, bundle.digest, match.records, prefix=about.prefix)
    for some in evaluated_now(bundle, sandbox, match.records, known):
        keep(store, bundle, some)
    store.keep_review(match.key, about.name, bundle.digest, prefix=about.prefix)
    done = stored_review(store, match)
    assert done is not None
    return done


def _tournament(
    name: str, store: Store, sandbox: str, console: Printer, *, every: bool, as_json: bool
) -> None:
    """Sum up the reviewed matches of a tournament, `every` match of its newest season first."""
    season = standings(store, name).season.number
    if every:
        for line in in_key_order(store, name, season):
            _stored(store, read_match(store, line.key), sandbox)
    done = tournament_review(store, name)
    if as_json:
        say_shape(done)
        return
    parts = [part for part in PARTS if any(part in one.by_part for one in done.bots)]
    columns = ("matches", "lost a deal", *(f"a decision in {part}" for part in parts))
    table = Rows(Column("bot", overflow="fold"), *map(right, columns), pad_edge=False)
    for one in done.bots:
        lost = (one.by_part.get(part) for part in parts)
        table.add_row(
            f"{one.bot} v{one.version}",
            str(one.matches),
            figure(one.lost),
            *(f"{mean.value:.3g}" if mean else "" for mean in lost),
        )
    console.print(table)


def _reviewer(game: str, by: str | None, store: Callable[[], Store]) -> Bundle:
    if by is None:
        return usual_reviewer(game)
    named = guest_at(by) if is_path(by) else guest(store(), by)
    return demand_reviewer(named.bundle, game)


def _decisions(done: MatchReview) -> Rows:
    """Every decision with its three figures; `*` marks those that cost points for sure."""
    columns = ("points lost", "% of the match lost", "luck then")
    table = Rows("game", "turn", "played", "better", *map(right, columns), pad_edge=False)
    for mark in done.marks:
        table.add_row(
            str(mark.game),
            str(mark.turn),
            mark.played,
            mark.best if mark.best != mark.played else "",
            f"{figure(mark.loss)}{'*' if mark.flagged else ''}",
            figure(mark.chance, 100) if mark.chance else "",
            figure(mark.luck) if mark.luck else "",
        )
    return table


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


def figure(shown: Figure, unit: int = 1) -> str:
    """A figure with its interval, in parts of a `unit`: `12.5 (9.1 to 16)`."""
    if shown.low is None or shown.high is None:
        return f"{unit * shown.value:.3g}"
    return f"{unit * shown.value:.3g} ({unit * shown.low:.3g} to {unit * shown.high:.3g})"


def _accounts(done: MatchReview) -> Rows:
    parts = done.parts
    columns = ("points", "luck", "others lost", "lost", *(f"in {part}" for part in parts))
    table = Rows(Column("bot", overflow="fold"), *map(right, columns), pad_edge=False)
    for one in done.accounts:
        lost = (one.by_part.get(part) for part in parts)
        table.add_row(
            f"{one.bot} v{one.version}",
            f"{one.points:+g}",
            f"{one.luck.value:+.3g}",
            f"{one.others.value:+.3g}",
            figure(one.losses),
            *(f"{losses.value:.3g}" if losses else "" for losses in lost),
        )
    return table

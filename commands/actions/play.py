"""`arena play`."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from card_arena.commands.console import Printer
from card_arena.commands.match_view import outcome, watcher
from card_arena.commands.playing import set_up
from card_arena.commands.printer import say_shape
from card_arena.leaderboard.models import Shape, Text
from card_arena.ratings.match_results import Played, Tally, scorecard
from card_arena.results.store import Store
from card_arena.tables.game import UNRATED
from card_arena.tables.registry import game as game_of
from card_arena.tournament.exhibition import guest, house_rules, ticket, told_apart
from card_arena.tournament.play.match import play_match


class Sat(Shape):
    """A bot in a match that is not stored."""

    name: Text
    """Its name at the table."""
    side: int
    """The side that it plays for."""
    rank: int
    """Its place, 1 the best."""
    score: int
    """Its score."""
    hands: int
    """How many hands it was dealt."""
    decisions: int
    """How many questions it was asked."""
    faults: int
    """How many of its answers were faults."""
    forgiven: int
    """How many of these the tournament forgives: they count for nothing."""
    struck_out: bool
    """Whether it was struck out."""
    slowest: int
    """Its longest answer, in microseconds."""


class Exhibition(Shape):
    """A match that was played for somebody and not stored."""

    seed: str
    """What deals the same cards again, in hexadecimal."""
    entrants: tuple[Sat, ...]
    """The bots."""
    records: tuple[Mapping[str, Any], ...]
    """The records of its games, as the file of a match has them."""


def play(
    game: str,
    bots: Sequence[str],
    options: Sequence[str],
    preset: str | None,
    seed: bytes | None,
    sandbox: str | None,
    wheels: Path | None,
    duplicate: bool,
    open_: bool,
    questions: bool,
    as_json: bool,
    store: Store,
) -> None:
    """Play a match and print it step by step, then its outcome and its seed."""
    console = Printer()
    table = set_up(game, options, preset=preset, sandbox=sandbox, wheels=wheels)
    rules = house_rules(table, len(bots), duplicate=duplicate)
    guests = [guest(store, name) for name in bots]
    seed = seed or secrets.token_bytes(32)
    names = told_apart(guests, bots)
    match = ticket(guests, rules, seed)
    seating_plan = match.pairing.seating_plan
    if as_json:
        played = play_match(match)
        tallies = scorecard(played.records, seating_plan.seatings, played.sides).tallies
        say_shape(_exhibition(names, tallies, played, seed))
        return
    if not rules.rated:
        console.print(UNRATED)
    watch = watcher(
        game_of(rules.game), names, seating_plan, console, reveal=open_, questions=questions
    )
    played = play_match(match, watch)
    tallies = scorecard(played.records, seating_plan.seatings, played.sides).tallies
    console.print(outcome(names, tallies))
    console.print(f"the same cards again: --seed {seed.hex()}", soft_wrap=True)


def _exhibition(
    names: Sequence[str], tallies: Sequence[Tally], played: Played, seed: bytes
) -> Exhibition:
    counted = [name for name in Sat.model_fields if name not in ("name", "rank")]
    return Exhibition(
        seed=seed.hex(),
        entrants=tuple(
            Sat(
                name=name,
                rank=tally.rank,
                **{field: getattr(tally, field) for field in counted},
            )
            for name, tally in zip(names, tallies, strict=True)
        ),
        records=tuple(record.to_data() for record in played.records),
    )

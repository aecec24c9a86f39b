"""`arena play`."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path

from commands.console import Printer
from commands.match_view import outcome, watcher
from commands.printer import say_shape
from commands.shapes.of_matches import Exhibition, Sat
from commands.tables import set_up
from ratings.match_results import Played, Tally, scorecard
from results.store import Store
from tables.game import UNRATED
from tables.registry import game as game_of
from tournament.exhibition import guest, house_rules, ticket, told_apart
from tournament.play.match import play_match


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

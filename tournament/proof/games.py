"""Checking the games of a match: every pack, every action and every strike, from the key.

Everything follows from the records and the key by published rules, so it is worked out again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from leaderboard.storage.audit import Checked
from tables.choices import Order
from tables.dealing import Packs
from tables.game import DEALER
from tables.record import Record
from tables.referee import BadRecord, Strikes, replay
from tables.registry import GAMES
from tables.seating import boards
from tournament.proof.report import Report, listed
from tournament.settings import Settings


def of_records(
    match: Checked, settings: Settings[Any], key: bytes | None, report: Report
) -> Iterator[str]:
    """Replay a match's games by the rules, with the packs that the key gives, if it is known."""
    options = settings.options.model_dump(mode="json")
    for number, (record, board) in enumerate(
        zip(match.records, boards(match.seatings), strict=True)
    ):
        where = f"{match.key}, game {number + 1}"
        if record.game not in GAMES:
            yield f"{where}: there is no game {record.game!r}"
            continue
        if (record.game, _whole(record)) != (settings.game, options):
            yield f"{where}: it was played as {record.game} with other options than the season's"
        try:
            packs = None if key is None else Packs(key, match.key, board)
            yield from _of_packs(where, record, packs, report)
            yield from _of_strikes(where, record, settings.strikes.strikes())
        except BadRecord as error:
            yield f"{where}: {error}"


def _whole(record: Record) -> Mapping[str, Any]:
    """A record's options, with defaults for those that its game has gained since."""
    return {**GAMES[record.game].options().model_dump(mode="json"), **record.options}


def _of_packs(where: str, record: Record, packs: Packs | None, report: Report) -> Iterator[str]:
    for step in replay(GAMES[record.game], record):
        report.turns += 1
        if step.turn.seat != DEALER or packs is None:
            continue
        choice = step.before.legal_actions(DEALER)
        report.packs += isinstance(choice, Order)
        dealt = step.before.write(packs.deal(choice))
        if dealt != step.turn.action:
            report.other_packs += isinstance(choice, Order)
            yield (
                f"{where}, turn {step.number}: the dealer played {step.turn.action},"
                f" but the seed gives {dealt}"
            )


def _of_strikes(where: str, record: Record, strikes: Strikes) -> Iterator[str]:
    """Recount a game's strikes: which faults count as strikes, and who was struck out."""
    struck: Counter[int] = Counter()
    for number, seat, fault in record.faults:
        if fault.struck == (fault.kind in strikes.forgiven):
            yield (
                f"{where}, turn {number}: whether the fault {fault.kind!r} is a strike is recorded"
                f" as {fault.struck}, but the season's settings say otherwise"
            )
        struck[seat] += fault.struck
    out = tuple(seat for seat in range(record.seats) if struck[seat] >= strikes.limit)
    if out != record.struck_out:
        yield (
            f"{where}: seats struck out are recorded as {listed(record.struck_out)},"
            f" but {strikes.limit} strikes give {listed(out)}"
        )

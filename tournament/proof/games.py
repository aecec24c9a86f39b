"""Checking the games of a match: every pack, every action and every strike, from the key.

Everything follows from the records and the key by published rules, so it is worked out again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from common.canonical_json import canonical
from leaderboard.results import Game as Played
from tables.choices import Order
from tables.dealing import Packs
from tables.game import DEALER
from tables.luck import Luck, luck_of
from tables.record import Record
from tables.referee import BadRecord, Step, replay
from tables.registry import GAMES
from tables.seating import boards
from tournament.proof.conduct import Conduct
from tournament.proof.report import listed
from tournament.settings import Settings


class Replay:
    """Replays the games of a match by the rules, with the packs that the key gives, if it is known.

    It is called with the games and gives the luck in each, as `scorecard` wants it: the games need
    not be played through twice. `turns` and `packs` count what was played again, `other_packs` the
    packs that the key gives otherwise. The `options` are those that the season was begun with.
    """

    def __init__(
        self,
        key: str,
        settings: Settings[Any],
        options: Mapping[str, Any],
        deals: bytes | None,
    ) -> None:
        self.turns = self.packs = self.other_packs = 0
        self.differences: list[str] = []
        self._key = key
        self._settings = settings
        self._named = {*options}
        self._options = canonical(settings.options.model_dump(mode="json"))
        self._deals = deals

    def __call__(self, games: Sequence[Played]) -> Sequence[Luck | None]:
        """Replay all games."""
        numbers = boards([seating for _, seating in games])
        return [
            self._replayed(f"{self._key}, game {number + 1}", record, board)
            for number, ((record, _), board) in enumerate(zip(games, numbers, strict=True))
        ]

    def _replayed(self, where: str, record: Record, board: int) -> Luck | None:
        if record.game not in GAMES:
            self.differences.append(f"{where}: there is no game {record.game!r}")
            return luck_of(record)
        whole = canonical(_whole(record))
        if (record.game, whole) != (self._settings.game, self._options) or self._named - {
            *record.options
        }:
            self.differences.append(
                f"{where}: it was played as {record.game} with other options than the season's"
            )
        packs = None if self._deals is None else Packs(self._deals, self._key, board)
        try:
            luck = self._played_through(where, record, packs)
        except BadRecord as error:
            self.differences.append(f"{where}: {error}")
            return luck_of(record)
        self.differences += _of_struck_out(where, record, self._settings.strikes.limit)
        return luck

    def _played_through(self, where: str, record: Record, packs: Packs | None) -> Luck | None:
        game = GAMES[record.game]
        total = [0] * record.seats if game.counts_luck else None
        conduct = Conduct(self._settings)
        for step in replay(game, record):
            self.turns += 1
            if total is not None:
                for seat, gained in enumerate(game.luck(step.before, step.after)):
                    total[seat] += gained
            for wrong in conduct(step):
                self.differences.append(f"{where}, turn {step.number} {wrong}")
            if packs is not None and step.turn.seat == DEALER:
                self._of_pack(where, step, packs)
        return None if total is None else tuple(total)

    def _of_pack(self, where: str, step: Step, packs: Packs) -> None:
        choice = step.before.legal_actions(DEALER)
        self.packs += isinstance(choice, Order)
        dealt = step.before.write(packs.deal(choice))
        if dealt != step.turn.action:
            self.other_packs += isinstance(choice, Order)
            self.differences.append(
                f"{where}, turn {step.number}: the dealer played {step.turn.action},"
                f" but the seed gives {dealt}"
            )


def _whole(record: Record) -> Mapping[str, Any]:
    """A record's options, with defaults for those that its game has gained since."""
    return {**GAMES[record.game].options().model_dump(mode="json"), **record.options}


def _of_struck_out(where: str, record: Record, limit: int) -> Iterator[str]:
    """Count a game's strikes again: who was struck out."""
    struck = Counter(seat for _, seat, fault in record.faults if fault.struck)
    out = tuple(seat for seat in range(record.seats) if struck[seat] >= limit)
    if out != record.struck_out:
        yield (
            f"{where}: seats struck out are recorded as {listed(record.struck_out)},"
            f" but {limit} strikes give {listed(out)}"
        )

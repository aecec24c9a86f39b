"""Who meets whom: pure functions from a season's results so far to what may be played now.

A format remembers nothing. Whichever of a season's matches are stored, it says which ones can be
played next, so a season that was interrupted goes on as if nothing had happened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from string import ascii_lowercase
from typing import Literal

from leaderboard.results import Result
from tables.dealing import shuffled

Purse = int | None
"""What a bot brings to a table; None at its first, where all begin alike."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match to be played: who sits where, and with what.

    `versions` holds the version id of each seat; `purses` what each brings along, empty in the
    first round of a leg.
    """

    key: str
    leg: int
    round: int
    versions: tuple[int, ...]
    purses: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a season has come.

    `ready` are the matches that may be played now, all of them side by side, in playing order.
    `points` is the format's own score of every version, as far as it stands. `to_come` counts the
    matches that are not played yet, those that are ready included: exact unless a bot drops out.
    The season is over when nothing is ready and nothing is being played.
    """

    ready: tuple[Pairing, ...]
    points: Mapping[int, float]
    to_come: int


@dataclass(frozen=True, slots=True)
class Contest:
    """The contest of 2011: `tourneys` legs of `rounds` rounds at tables of `seats`.

    `versions` are the version ids of the bots that play, in the order in which the season lists
    its entrants. `broke` says what a bot that can't pay any more is recorded with: nothing, or
    the chips that it still has. `can_sit` is the game's word on who can pay.
    """

    tournament: str
    season: int
    seed: bytes = field(repr=False)
    versions: tuple[int, ...]
    tourneys: int
    rounds: int
    seats: int
    broke: Literal["zero", "chips"]
    can_sit: Callable[[Purse], bool] = field(repr=False, compare=False)

    points_title = "mean chips"

    def progress(self, results: Mapping[str, Result]) -> Progress:
        """Say what can be played next, given the results by key.

        In every leg all bots begin anew. In each round all that can pay are shuffled and seated
        table by table, so all of them play the same number of rounds; the last table may be
        short, even of one. The legs don't depend on each other, and a bot's points are its mean
        final chips over the legs that are complete.
        """
        ready: list[Pairing] = []
        finals: list[Mapping[int, int]] = []
        to_come = 0
        for leg in range(1, self.tourneys + 1):
            waiting, purses, rounds_after = self._leg(leg, results)
            ready += waiting
            to_come += len(waiting) + rounds_after * self._tables(self._solvent(purses))
            if not waiting:
                finals.append({version: self._final(purses[version]) for version in purses})
        points = {
            version: sum(final[version] for final in finals) / len(finals)
            for version in (self.versions if finals else ())
        }
        return Progress(tuple(ready), points, to_come)

    def _leg(
        self, leg: int, results: Mapping[str, Result]
    ) -> tuple[list[Pairing], Mapping[int, Purse], int]:
        """Follow one leg: what is missing from its round, the purses, and the rounds after it."""
        purses: dict[int, Purse] = dict.fromkeys(self.versions)
        for number in range(1, self.rounds + 1):
            pairings = self._round(leg, number, purses)
            missing = [pairing for pairing in pairings if pairing.key not in results]
            if missing:
                return missing, purses, self.rounds - number
            for pairing in pairings:
                purses.update(zip(pairing.versions, results[pairing.key].purses, strict=True))
        return [], purses, 0

    def _round(self, leg: int, number: int, purses: Mapping[int, Purse]) -> list[Pairing]:
        """Seat everybody who can pay: four by four in the order that the recipe gives."""
        legs, rounds = max(2, len(str(self.tourneys))), len(str(self.rounds))
        prefix = f"{self.tournament}/{self.season:04}/t{leg:0{legs}}/r{number:0{rounds}}"
        order = _shuffled(self._solvent(purses), self.seed, f"{prefix}/seats")
        pairings = []
        for table, first in enumerate(range(0, len(order), self.seats)):
            versions = order[first : first + self.seats]
            brought = tuple(purse for v in versions if (purse := purses[v]) is not None)
            key = f"{prefix}/{self._name(table)}"
            pairings.append(Pairing(key, leg, number, versions, brought))
        return pairings

    def _solvent(self, purses: Mapping[int, Purse]) -> tuple[int, ...]:
        return tuple(version for version in self.versions if self.can_sit(purses[version]))

    def _tables(self, versions: tuple[int, ...]) -> int:
        return -(-len(versions) // self.seats)

    def _name(self, table: int) -> str:
        """Name a table so that text order is the tables' order."""
        most = self._tables(self.versions)
        return ascii_lowercase[table] if most <= 26 else f"{table + 1:0{len(str(most))}}"

    def _final(self, purse: Purse) -> int:
        """What a bot's leg is recorded with; every bot that sat down has a purse."""
        assert purse is not None, "a leg that is complete has a purse for everybody"
        return purse if self.can_sit(purse) or self.broke == "chips" else 0


@lru_cache(maxsize=4096)
def _shuffled(versions: tuple[int, ...], seed: bytes, label: str) -> tuple[int, ...]:
    """Shuffle by the dealer's recipe, once for all the times that a season is looked at."""
    return shuffled(versions, seed, label)

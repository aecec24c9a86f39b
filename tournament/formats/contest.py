"""Who meets whom: pure functions from a season's results so far to what may be played now.

A format remembers nothing. Whichever of a season's matches are stored, it says which ones can be
played next, so a season that was interrupted goes on as if nothing had happened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from string import ascii_lowercase
from typing import Literal

from leaderboard.results import Result, leads
from tables.dealing import shuffled
from tables.seating import LineUp

Purse = int | None
"""What a bot brings to a table; None at its first, where all begin alike."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match to be played: who sits where, and with what.

    `versions` holds the version id of every entrant, `line_up` says where each sits in every game;
    `purses` is what each seat brings along, empty where all begin alike; `shoe` is the cards with
    which the table goes on, empty where it begins with a new pack.
    """

    key: str
    leg: int
    round: int
    versions: tuple[int, ...]
    line_up: LineUp
    purses: tuple[int, ...] = ()
    shoe: tuple[str, ...] = ()


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
    """The contest of 2011: `tourneys` legs of `rounds` rounds.

    `versions` are the version ids of the bots that play, in the order in which the season lists
    its entrants. `line_ups` are the tables that can be set up, the fullest first. Where it
    `carries` chips, bots take them from round to round within a leg: `broke` says what one that
    can't pay any more is recorded with, nothing or the chips that it still has, and `can_sit` is
    the game's word on who can pay. Each table then keeps what its last game left in the shoe,
    whoever sits there next. Otherwise every match begins anew.
    """

    tournament: str
    season: int
    seed: bytes = field(repr=False)
    versions: tuple[int, ...]
    tourneys: int
    rounds: int
    line_ups: tuple[LineUp, ...]
    carries: bool
    broke: Literal["zero", "chips"]
    can_sit: Callable[[Purse], bool] = field(repr=False, compare=False)

    def progress(self, results: Mapping[str, Result]) -> Progress:
        """Say what can be played next, given the results by key.

        In every leg all bots begin anew. In each round all that can pay are shuffled and seated
        table by table, those with the fewest tables in this leg first. Where chips are carried on
        the last table may be short; elsewhere scores are compared, so all tables are alike and
        who finds no place sits the round out. The legs don't depend on each other. A bot's points
        are its mean final chips over the legs that are complete or, where nothing is carried on,
        its mean lead: by how much its score in a game is above the mean of its opponents', as
        `leads` counts it.
        """
        ready: list[Pairing] = []
        finals: list[Mapping[int, int]] = []
        to_come = 0
        for leg in range(1, self.tourneys + 1):
            waiting, purses, rounds_after = self._leg(leg, results)
            ready += waiting
            to_come += len(waiting) + rounds_after * len(self._tables(len(self._solvent(purses))))
            if self.carries and not waiting:
                finals.append({version: self._final(purses[version]) for version in purses})
        points = self._mean_chips(finals) if self.carries else self._mean_leads(results)
        return Progress(tuple(ready), points, to_come)

    def _mean_chips(self, finals: Sequence[Mapping[int, int]]) -> Mapping[int, float]:
        return {
            version: sum(final[version] for final in finals) / len(finals)
            for version in (self.versions if finals else ())
        }

    def _mean_leads(self, results: Mapping[str, Result]) -> Mapping[int, float]:
        games_of = {len(table.sides): len(table.seatings) for table in self.line_ups}
        sums: dict[int, Fraction] = dict.fromkeys(self.versions, Fraction())
        games = Counter[int]()
        for result in results.values():
            match_leads = leads(result.sides, result.ranks, result.scores)
            for version, lead in zip(result.versions, match_leads, strict=True):
                sums[version] += lead
                games[version] += games_of[len(result.versions)]
        return {
            version: float(sums[version] / games[version])
            for version in self.versions
            if games[version]
        }

    def _leg(
        self, leg: int, results: Mapping[str, Result]
    ) -> tuple[list[Pairing], Mapping[int, Purse], int]:
        """Follow one leg: what can be played of it now, the purses, and the rounds after that.

        Where nothing is carried on, no round waits for the one before it.
        """
        purses: dict[int, Purse] = dict.fromkeys(self.versions)
        tables = dict.fromkeys(self.versions, 0)
        shoes: dict[int, tuple[str, ...]] = {}
        missing: list[Pairing] = []
        for number in range(1, self.rounds + 1):
            pairings = self._round(leg, number, purses, tables, shoes)
            missing += [pairing for pairing in pairings if pairing.key not in results]
            if self.carries and missing:
                return missing, purses, self.rounds - number
            for table, pairing in enumerate(pairings):
                for version in pairing.versions:
                    tables[version] += 1
                if self.carries:
                    result = results[pairing.key]
                    purses.update(zip(pairing.versions, result.purses, strict=True))
                    shoes[table] = result.shoe
        return missing, purses, 0

    def _round(
        self,
        leg: int,
        number: int,
        purses: Mapping[int, Purse],
        tables: Mapping[int, int],
        shoes: Mapping[int, tuple[str, ...]],
    ) -> list[Pairing]:
        """Seat everybody who can pay, table by table in the order that the recipe gives.

        Who sat at fewer `tables` of the leg than others goes first. `shoes` are what the tables
        have left, by their numbers.
        """
        legs, rounds = max(2, len(str(self.tourneys))), len(str(self.rounds))
        prefix = f"{self.tournament}/{self.season:04}/t{leg:0{legs}}/r{number:0{rounds}}"
        lots = _shuffled(self._solvent(purses), self.seed, f"{prefix}/seats")
        order = iter(sorted(lots, key=tables.__getitem__))
        most = len(self._tables(len(self.versions)))
        pairings = []
        for table, line_up in enumerate(self._tables(len(lots))):
            versions = tuple(islice(order, len(line_up.sides)))
            brought = tuple(purse for v in versions if (purse := purses[v]) is not None)
            key = f"{prefix}/{_name(table, most)}"
            left = shoes.get(table, ())
            pairings.append(Pairing(key, leg, number, versions, line_up, brought, left))
        return pairings

    def _solvent(self, purses: Mapping[int, Purse]) -> tuple[int, ...]:
        return tuple(version for version in self.versions if self.can_sit(purses[version]))

    def _tables(self, bots: int) -> list[LineUp]:
        """Set up tables for so many: full ones and, for chips, one that the rest can play at."""
        tables: list[LineUp] = []
        for line_up in self.line_ups:
            count, left = divmod(bots, len(line_up.sides))
            tables += [line_up] * count
            if not left or (tables and not self.carries):
                break
            bots = left
        return tables

    def _final(self, purse: Purse) -> int:
        """What a bot's leg is recorded with; every bot that sat down has a purse."""
        assert purse is not None, "a leg that is complete has a purse for everybody"
        return purse if self.can_sit(purse) or self.broke == "chips" else 0


def _name(table: int, most: int) -> str:
    """Name a table, one of so many at most, so that text order is the tables' order."""
    return ascii_lowercase[table] if most <= 26 else f"{table + 1:0{len(str(most))}}"


@lru_cache(maxsize=4096)
def _shuffled(versions: tuple[int, ...], seed: bytes, label: str) -> tuple[int, ...]:
    """Shuffle by the dealer's recipe, once for all the times that a season is looked at."""
    return shuffled(versions, seed, label)

"""The contracts of Bazar Blot in stored matches, and how often they are made."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

from card_arena.experiments.measures import Stage, notices_of
from card_arena.ratings.intervals import Estimate, rate
from card_arena.tables.blot.messages import DealOver


class Contract(NamedTuple):
    """A contract that was played: whose it was, its level, and whether it was made."""

    bidder: str
    level: int
    made: bool


class Auctions(NamedTuple):
    """What a match was: so many deals, and the contracts of those that were not passed."""

    deals: int
    contracts: Sequence[Contract]


def auctions(stage: Stage) -> list[Auctions]:
    """Every match of a season.

    A contract is made where the bidders' card points reach ten times its level. Declarations don't
    help, as in the authors' program [Bazar Blot n.d.].
    """
    matches = []
    for match in stage.matches():
        deals = 0
        contracts = []
        for seating, record in match.games:
            deals += record.options["max_deals"]
            for deal in notices_of(record, DealOver):
                bid = re.match(r"(\d+).*@(\d)", deal.contract)
                if bid is not None:
                    level, seat = map(int, bid.groups())
                    made = int(deal.points.split(",")[seat % 2]) >= 10 * level
                    contracts.append(Contract(match.bots[seating[seat]], level, made))
        matches.append(Auctions(deals, contracts))
    return matches


def of_bidder(matches: Iterable[Auctions], bidder: str) -> list[Auctions]:
    """The same matches with the contracts of one bidder."""
    return [
        match._replace(contracts=[c for c in match.contracts if c.bidder == bidder])
        for match in matches
    ]


def of_levels(matches: Iterable[Auctions], levels: Container[int]) -> list[Auctions]:
    """The same matches with the contracts of some levels."""
    return [
        match._replace(contracts=[c for c in match.contracts if c.level in levels])
        for match in matches
    ]


def made(matches: Iterable[Auctions]) -> Estimate:
    """How many of the contracts were made; a match is a cluster."""
    return rate((sum(c.made for c in match.contracts), len(match.contracts)) for match in matches)


def part(some: Iterable[Auctions], matches: Iterable[Auctions]) -> Estimate:
    """How many of the contracts of these matches are those that were chosen of them."""
    return rate(
        (len(chosen.contracts), len(match.contracts))
        for chosen, match in zip(some, matches, strict=True)
    )


def played(matches: Iterable[Auctions]) -> Estimate:
    return rate((len(match.contracts), match.deals) for match in matches)


def levels_seen(matches: Iterable[Auctions]) -> list[int]:
    """The levels of all contracts, in order."""
    return sorted({contract.level for match in matches for contract in match.contracts})


def made_by_level(matches: Sequence[Auctions]) -> dict[str, Estimate]:
    """How many of the contracts of each level were made."""
    return {str(level): made(of_levels(matches, {level})) for level in levels_seen(matches)}

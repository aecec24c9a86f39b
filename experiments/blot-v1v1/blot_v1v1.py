"""What v1 bids against itself and how often it makes it, by level."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from leaderboard.intervals import rate
from tables.blot.told import DealOver
from tournament.findings import Bars, Findings, Stage, told

PUBLISHED = (10, 13, 14, 15)
"""The levels whose shares the authors' data give."""


def measure(stages: Mapping[str, Stage]) -> Findings:
    """A contract is made where the bidders' card points reach ten times its level.

    Declarations don't help, as in the authors' program. A match is a cluster: its deals are
    independent, but nothing is lost by not relying on that.
    """
    bids: list[Counter[int]] = []
    made: list[Counter[int]] = []
    deals = []
    for match in stages["blot-v1v1"].matches():
        bids.append(Counter())
        made.append(Counter())
        deals.append(0)
        for _, record in match.games:
            deals[-1] += record.options["max_deals"]
            for deal in told(record, DealOver):
                contract = re.match(r"(\d+).*@(\d)", deal.contract)
                if contract is None:
                    continue
                level, seat = map(int, contract.groups())
                points = int(deal.points.split(",")[seat % 2])
                bids[-1][level] += 1
                made[-1][level] += points >= 10 * level
    together = sum(bids, Counter[int]())
    levels = sorted({*together, *PUBLISHED})
    shares = {level: rate((one[level], one.total()) for one in bids) for level in levels}
    rows = {
        "contracts made": rate((m.total(), b.total()) for m, b in zip(made, bids, strict=True)),
        **{f"of level {level}": shares[level] for level in levels},
        "deals with a contract": rate((b.total(), n) for b, n in zip(bids, deals, strict=True)),
    }
    by_level = {
        str(level): rate((m[level], b[level]) for m, b in zip(made, bids, strict=True))
        for level in sorted(together)
    }
    return Findings(
        rows,
        {
            "made": Bars("Contracts made, by level", "share", {"v1": by_level}),
            "levels": Bars(
                "Levels of the contracts",
                "share",
                {"v1": {str(level): share for level, share in shares.items()}},
            ),
        },
    )

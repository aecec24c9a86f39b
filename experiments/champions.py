"""A champion against others, one tournament each: games won, and its lead in a game."""

from __future__ import annotations

from collections.abc import Mapping

from experiments.measures import Bars, Match, Measures, Stage
from ratings.intervals import Cluster, Estimate, mean, rate


def measures(stages: Mapping[str, Stage], champion: str) -> Measures:
    """A tournament is named by whom the champion meets in it; at tables of three, twice."""
    rows: dict[str, Estimate] = {}
    won: dict[str, Estimate] = {}
    for name, stage in stages.items():
        games = [_games(match, champion) for match in stage.matches()]
        won[name] = rate([(sum(share for share, _ in match), len(match)) for match in games])
        rows[f"{name}: games won"] = won[name]
        rows[f"{name}: lead in a game"] = mean([_leads(match) for match in games])
    return Measures(rows, {"won": Bars("The champion", "games won", {"against": won})})


def _leads(games: list[tuple[float, float]]) -> Cluster:
    return sum(lead for _, lead in games), len(games)


def _games(match: Match, champion: str) -> list[tuple[float, float]]:
    """Of every game the champion's share of the win, which a tie divides, and its lead.

    The lead is by how much its score is above the mean of its opponents', partners apart.
    """
    entrant = match.bots.index(champion)
    side = match.result.sides[entrant]
    found = []
    for seating, record in match.games:
        scores = record.over.scores
        own = scores[seating.index(entrant)]
        others = [
            scores[seating.index(other)]
            for other, theirs in enumerate(match.result.sides)
            if theirs != side
        ]
        best = [own, *others].count(own) if own >= max(others) else 0
        found.append((1 / best if best else 0.0, own - sum(others) / len(others)))
    return found

"""Two spades players against each other: games won, and points a round."""

from __future__ import annotations

from collections.abc import Iterator

from experiments.measures import Stage
from ratings.intervals import Estimate, mean, rate


def duel(stage: Stage, bot: str) -> dict[str, Estimate]:
    """How often a bot wins, and what it and its opponent score in a round.

    A match is a cluster, since its boards are played from both sides. Equal scores are half won.
    """
    won: list[tuple[float, int]] = []
    points: dict[str, list[tuple[float, int]]] = {"ours": [], "theirs": []}
    for games in _games(stage, bot):
        won.append((sum((a > b) + (a == b) / 2 for a, b, _ in games), len(games)))
        rounds = sum(hands for *_, hands in games)
        points["ours"].append((sum(a for a, _, _ in games), rounds))
        points["theirs"].append((sum(b for _, b, _ in games), rounds))
    return {
        "games won": rate(won),
        "points a round": mean(points["ours"]),
        "the other's points a round": mean(points["theirs"]),
    }


def _games(stage: Stage, bot: str) -> Iterator[list[tuple[int, int, int]]]:
    """Of every match the games: the bot's score, the other's, and the number of rounds."""
    for match in stage.matches():
        games = []
        for seating, record in match.games:
            over = record.over
            seat = seating.index(match.bots.index(bot))
            games.append((over.scores[seat], over.scores[(seat + 1) % 4], over.hands[seat]))
        yield games

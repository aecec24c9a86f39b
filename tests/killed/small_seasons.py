"""A small season of every format, to be killed: a format that comes along gets a line here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from card_arena.tests.tournament import stage
from card_arena.tests.tournament.stage import Bot

GAMBLERS = (
    stage.c("c16", 16),
    stage.shell("sh14", 14),
    stage.shell("sh18", 18),
    stage.python_stdin("py17", 17),
)

PARTNERS = (
    stage.legal("low", "spades", "first"),
    stage.legal("high", "spades", "last"),
    stage.legal("too", "spades", "first"),
)


@dataclass(frozen=True)
class SmallTournament:
    """A tournament's file with the bots that enter it, and how many seasons of it are played.

    Formats that look at earlier seasons need more than one.
    """

    text: str
    bots: Sequence[Bot]
    seasons: int = 1


def _tournament(chosen: str, table: str, bots: Sequence[Bot], seasons: int) -> SmallTournament:
    return SmallTournament(
        "name: small\nworkers: 2\nclock: {question: 20s, start: 60s}\n"
        "limits: {cpu: 20s}\nrequire: []\n"
        f"format: {{{chosen}}}\n{table}\n",
        bots,
        seasons,
    )


def for_chips(chosen: str, seasons: int = 1) -> SmallTournament:
    """A tournament of four bots for chips that are carried on."""
    return _tournament(
        chosen, "game: blackjack\nseats: 3\nsame_author: together", GAMBLERS, seasons
    )


def for_margins(chosen: str, seasons: int = 1) -> SmallTournament:
    """A tournament of three bots, two at a table, in duplicate matches."""
    return _tournament(chosen, "game: spades\noptions: one_round", PARTNERS, seasons)


SEASONS: Mapping[str, Sequence[SmallTournament]] = {
    "contest": (
        for_chips("contest: {legs: 4, rounds: 3}"),
        for_margins("contest: {legs: 3, rounds: 2}", seasons=2),
    ),
    "league": (for_margins("league: {meetings: 4}"),),
    "gauntlet": (for_margins("gauntlet: {against: [low], meetings: 4}"),),
    "cut": (for_margins("cut: {rounds: 4}"),),
    "ladder": (for_margins("ladder: {matches: 4}", seasons=2),),
    "swiss": (for_margins("swiss: {rounds: 4}"),),
    "knockout": (for_margins("knockout: {until: boards, boards: 5}"),),
    "stages": (
        for_margins(
            "stages: [{swiss: {rounds: 2}, best: 2}, {knockout: {until: boards, boards: 4}}]"
        ),
    ),
}

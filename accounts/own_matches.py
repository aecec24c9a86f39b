"""A match as the authors of its bots see it: what these were asked, and what they wrote."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from leaderboard import views
from leaderboard.matches import MatchDetail
from leaderboard.question_file import QuestionFile, question_file
from results.errors import Unknown
from results.store import Store
from tables.game import Seat
from tables.referee import BadRecord
from tables.registry import UnknownGame


class NotAsked(Unknown):
    """A bot was not asked this question, or it can't be asked again; the message says which."""


@dataclass(frozen=True, slots=True)
class Written:
    """What an entrant wrote on standard error in a game, counted from 1."""

    game: int
    seat: Seat
    bot: str
    version: int
    text: str


@dataclass(frozen=True, slots=True)
class Decisions:
    """What somebody's bots decided in a match.

    `faults` counts the failures among all of it, and `games` are the numbers of the games in which
    they were asked. `chosen` is what somebody wants to see.
    """

    chosen: Sequence[views.Decision]
    games: Sequence[int]
    faults: int


def decisions(
    match: MatchDetail, bots: Collection[str], game: int = 0, *, only_faults: bool = False
) -> Decisions:
    """What these bots decided; chosen are those of one game if it is not 0, or faults alone."""
    found = [*views.decisions(match, bots)]
    return Decisions(
        [each for each in found if game in (0, each.game) and (each.turn.fault or not only_faults)],
        sorted({each.game for each in found}),
        sum(each.turn.fault is not None for each in found),
    )


def written(
    store: Store, match: MatchDetail, bots: Collection[str], game: int = 0
) -> Sequence[Written]:
    """What these bots wrote on standard error, game by game; in one of them if it is not 0."""
    found = []
    for (number, seat), text in store.stderr(match.key).items():
        who = match.at_table(number)[seat]
        if who.bot in bots and game in (0, number + 1):
            found.append(Written(number + 1, seat, who.bot, who.version, text))
    return found


def question(
    store: Store, match: MatchDetail, bots: Collection[str], game: int, turn: int
) -> QuestionFile:
    """A question to one of these bots for `arena repro`, with standard error; raises `NotAsked`."""
    for asked in views.decisions(match, bots):
        if (asked.game, asked.number) == (game, turn):
            break
    else:
        raise NotAsked(f"your bot was not asked in turn {turn} of game {game} of this match")
    season = next(each for each in store.seasons(match.tournament) if each.number == match.season)
    stderr = store.stderr(match.key).get((game - 1, asked.seat), "")
    try:
        return question_file(match, game - 1, turn, season.settings, stderr)
    except (BadRecord, UnknownGame) as error:
        raise NotAsked(f"this question can't be asked again: {error}") from error

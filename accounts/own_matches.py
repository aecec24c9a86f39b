"""A match as the authors of its bots see it: what these were asked, and what they wrote."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from card_arena.leaderboard.bots import Decision
from card_arena.leaderboard.bots import decisions as read_decisions
from card_arena.leaderboard.matches import MatchDetail
from card_arena.leaderboard.models import PAGE, PageOnly, PageShape, Shape, Text, paged
from card_arena.leaderboard.question_file import QuestionFile, question_file
from card_arena.results.errors import Unknown
from card_arena.results.store import Store
from card_arena.tables.game import Seat
from card_arena.tables.referee import BadRecord
from card_arena.tables.registry import UnknownGame


class NotAsked(Unknown):
    """A bot was not asked this question, or it can't be asked again; the message says which."""


class Written(Shape):
    """What a bot wrote on standard error in a game."""

    game: int
    """The game's number in the match, from 1."""
    seat: Seat
    """The bot's seat."""
    bot: str
    """The bot."""
    version: int
    """The number of its version."""
    text: Text
    """The end of what it wrote."""


class OwnMatch(PageShape):
    """What one's own bots decided in a match."""

    match: str
    """The match's address."""
    bots: tuple[str, ...]
    """One's own bots in it."""
    faults: int
    """How many of all their answers were faults."""
    stderr: tuple[Written, ...]
    """What they wrote on standard error, game by game."""
    items: tuple[Decision, ...]
    """The decisions of this page, in order."""
    games: PageOnly[tuple[int, ...]] = ()
    """The numbers of the games in which they were asked."""


def decisions(
    store: Store,
    match: MatchDetail,
    bots: Collection[str],
    game: int = 0,
    *,
    only_faults: bool = False,
    page: int = 1,
    size: int = PAGE,
) -> OwnMatch:
    """What these bots decided and wrote, in one game if it is not 0; or their faults alone."""
    asked = [*read_decisions(match, bots)]
    chosen = [
        decision
        for decision in asked
        if game in (0, decision.game) and (decision.fault or not only_faults)
    ]
    return OwnMatch.of(
        paged(chosen, page, size),
        match=match.key,
        bots=tuple(sorted(bots)),
        faults=sum(decision.fault is not None for decision in asked),
        stderr=tuple(_written(store, match, bots, game)),
        games=tuple(sorted({decision.game for decision in asked})),
    )


def _written(
    store: Store, match: MatchDetail, bots: Collection[str], game: int
) -> Iterator[Written]:
    """What these bots wrote on standard error, game by game; in one of them if it is not 0."""
    for (number, seat), text in store.stderr(match.key).items():
        who = match.at_table(number)[seat]
        if who.bot in bots and game in (0, number + 1):
            yield Written(game=number + 1, seat=seat, bot=who.bot, version=who.version, text=text)


def question(
    store: Store, match: MatchDetail, bots: Collection[str], game: int, turn: int
) -> QuestionFile:
    """A question to one of these bots for `arena repro`, with standard error; raises `NotAsked`."""
    for asked in read_decisions(match, bots):
        if (asked.game, asked.turn) == (game, turn):
            break
    else:
        raise NotAsked(f"your bot was not asked in turn {turn} of game {game} of this match")
    season = next(each for each in store.seasons(match.tournament) if each.number == match.season)
    stderr = store.stderr(match.key).get((game - 1, asked.seat), "")
    try:
        return question_file(match, game - 1, turn, season.settings, stderr)
    except (BadRecord, UnknownGame) as error:
        raise NotAsked(f"this question can't be asked again: {error}") from error

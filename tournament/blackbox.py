"""The black box of a stored match, for a bot's author: its standard error, any question again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from leaderboard import views
from leaderboard.store import Store
from leaderboard.views import MatchPage
from sandbox.backends import backend
from sandbox.box import BuildFailed
from sandbox.builds import ToolMissing, build, default_cache
from sandbox.bundle import Bundle
from sandbox.limits import Clock, Limits
from sandbox.seat import BotPlayer
from tables.game import DEALER
from tables.record import Record, Turn
from tables.referee import Step, Strikes, ask, replay
from tables.registry import game as game_of
from tournament.settings import thaw


class NotInMatch(Exception):
    """A stored match has no such game, question or bot; the message says which it has."""


class NotBuilt(Exception):
    """A bot can't be asked; the message says why and what would help."""


@dataclass(frozen=True, slots=True)
class Question:
    """A turn of a stored game in which somebody was asked.

    `bot` is who that was. `first` says that it was the first question of the match for its chair,
    which has the longer time. `clock`, `limits`, `strikes` and `wheels` are the season's.
    """

    bot: str
    step: Step
    first: bool
    clock: Clock
    limits: Limits
    strikes: Strikes
    wheels: Path | None = None


def chosen_game(match: MatchPage, number: int) -> Record:
    """Find a game of a match, the first is 1; raises `NotInMatch`."""
    if not 1 <= number <= len(match.records):
        games = "1 game" if len(match.records) == 1 else f"{len(match.records)} games"
        raise NotInMatch(f"match {match.key} has {games}, there is no game {number}")
    return match.records[number - 1]


def find(store: Store, key: str, number: int, turn: int) -> Question:
    """Find the question of a turn in game `number` of a match, as pages and replays count them.

    Raises `NotInMatch`, `leaderboard.store.UnknownMatch`, and `BadRecord` where the game can't be
    replayed any more.
    """
    match = views.match(store, key)
    record = chosen_game(match, number)
    _refuse_unasked(record, f"game {number} of match {key}", turn)
    seasons = store.seasons(match.tournament)
    settings = thaw(next(s.settings for s in seasons if s.number == match.season))
    seat = record.turns[turn].seat
    sitting = match.at_table(number - 1)[seat]
    return Question(
        bot=f"{sitting.bot} v{sitting.version}",
        step=next(s for s in replay(game_of(record.game), record) if s.number == turn),
        first=number == 1 and all(t.seat != seat for t in record.turns[:turn]),
        clock=settings.clock.clock(),
        limits=settings.limits.limits(),
        strikes=settings.strikes.strikes(),
        wheels=settings.wheels,
    )


def _refuse_unasked(record: Record, where: str, number: int) -> None:
    """Raise `NotInMatch` where nobody was asked at this turn."""
    if not 0 <= number < len(record.turns):
        last = len(record.turns) - 1
        raise NotInMatch(f"{where} has the turns 0 to {last}, there is no turn {number}")
    turn = record.turns[number]
    if turn.question:
        return
    asked = [other for other, of_it in enumerate(record.turns) if of_it.question]
    nearest = min(asked, key=lambda other: abs(other - number))
    who = "the dealer" if turn.seat == DEALER else f"seat {turn.seat}, which is struck out"
    raise NotInMatch(
        f"turn {number} of {where} belongs to {who}, and nobody was asked;"
        f" the nearest question is turn {nearest}"
    )


def put(question: Question, bundle: Bundle, box: str) -> tuple[Turn, str]:
    """Put a question to a bot as the referee did: what came of it, and the bot's standard error.

    It has a box of its own, and the season's clock and limits without a game's bank. A `stdin` bot
    is asked in a fresh process that has heard nothing before, and has the longer time of one.
    Raises `NotBuilt`, and what the box raises for failures of its own.
    """
    try:
        program = build(bundle, backend(box), default_cache(), wheels=question.wheels).program
    except (ToolMissing, BuildFailed) as error:
        log = error.log if isinstance(error, BuildFailed) else ""
        raise NotBuilt(f"{bundle.manifest.name} can't be built: {error}\n{log}".rstrip()) from error
    protocol = bundle.manifest.protocol
    clock = replace(question.clock, bank=None)
    if protocol == "argv" and not question.first:
        clock = replace(clock, start=clock.question)
    step = question.step
    with backend(box).open(program, clock.stretched(question.limits)) as opened:
        player = BotPlayer(opened, clock, protocol)
        player.begin_game()
        _, turn, _ = ask(step.before, step.turn.seat, player, question.strikes)
        player.end_game()
    return turn, player.stderr


def written(store: Store, key: str, bot: str, number: int | None = None) -> Iterator[str]:
    """Tell what a bot wrote on standard error, chair by chair of all games or of one.

    `bot` is a name, with or without a version, such as davey or davey@3. Raises `NotInMatch`, and
    `leaderboard.store.UnknownMatch`.
    """
    match = views.match(store, key)
    if number is not None:
        chosen_game(match, number)
    there = {f"{seat.bot}@{seat.version}" for seat in match.seats}
    wanted = {name for name in there if bot in (name, name.partition("@")[0])}
    if not wanted:
        raise NotInMatch(f"{bot!r} did not play match {key}, but {', '.join(sorted(there))} did")
    for (game, chair), text in store.stderr(key).items():
        sitting = match.at_table(game)[chair]
        if f"{sitting.bot}@{sitting.version}" in wanted and number in (None, game + 1):
            yield f"game {game + 1}, seat {chair}, {sitting.bot} v{sitting.version}:\n{text}"

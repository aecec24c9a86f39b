"""A bot asked everything again that it was asked in a season, from the season's file.

So an author can see whether the answers on record are those of the author's own program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from common.errors import UserError
from leaderboard.proof.manifest import Listed
from sandbox.backends.registry import backend
from sandbox.builds.builder import build, default_cache
from sandbox.bundles.bundle import Bundle
from sandbox.seat import BotPlayer
from tables.game import Seat
from tables.record import Record
from tables.referee import replay
from tables.registry import game
from tournament.proof.from_file import Filed


class NotEntered(UserError):
    """A bot did not play in the season; the message says which did."""


@dataclass(frozen=True, slots=True)
class OtherAnswer:
    """A question that the bot answers otherwise now; `number` counts games from 1.

    An answer is None if there was none in time.
    """

    key: str
    number: int
    turn: int
    then: str | None
    now: str | None


@dataclass(slots=True)
class AskedAgain:
    """How a bot answered now: `listed` is the entrant that it was asked in the place of.

    `same_files` says whether its files have the digest that the manifest lists. `questions` and
    `games` count what was asked, and `others` are the answers that differ.
    """

    listed: Listed
    same_files: bool
    questions: int = 0
    games: int = 0
    others: list[OtherAnswer] = field(default_factory=list)


def ask_again(
    path: Path,
    bundle: Bundle,
    box: str,
    wheels: Path | None = None,
    watch: Callable[[AskedAgain], None] = lambda _: None,
) -> AskedAgain:
    """Ask a bot every question of the entrant of its name, game by game.

    The version with the bot's own files is taken, or else the newest. It has the season's clock and
    limits, without a game's bank, and is told everything that the entrant was told; its answers
    change nothing. `watch` gets the outcome so far after each game. Raises `NotEntered`, what
    `Filed` raises, and what boxes and builds do.
    """
    filed = Filed(path)
    outcome = _entrant(filed, bundle)
    settings = filed.settings
    clock = replace(settings.clock.clock(), bank=None)
    program = build(bundle, backend(box), default_cache(), wheels=wheels).program
    limits = clock.stretched(settings.limits.limits())
    for match in filed.matches():
        if outcome.listed.version not in match.versions or match.derived is None:
            continue
        entrant = match.versions.index(outcome.listed.version)
        for number, (record, seating) in enumerate(
            zip(match.records, match.seatings, strict=True), start=1
        ):
            for seat in (seat for seat, sitting in enumerate(seating) if sitting == entrant):
                with backend(box).open(program, limits) as opened:
                    player = BotPlayer(opened, clock, bundle.manifest.protocol)
                    for turn, now in _answers(player, record, seat):
                        outcome.questions += 1
                        then = record.turns[turn]
                        if now != then.answer:
                            outcome.others.append(
                                OtherAnswer(match.key, number, turn, then.answer, now)
                            )
            outcome.games += 1
            watch(outcome)
    return outcome


def _entrant(filed: Filed, bundle: Bundle) -> AskedAgain:
    name = bundle.manifest.name
    playing = [each for each in filed.manifest.entrants if not each.sits_out]
    versions = [each for each in playing if each.bot == name]
    if not versions:
        raise NotEntered(
            f"{name} did not play in season {filed.season.number} of {filed.season.tournament}:"
            f" {', '.join(sorted({each.bot for each in playing}))} did"
        )
    found = max(versions, key=lambda each: (each.digest == bundle.digest, each.number))
    return AskedAgain(found, found.digest == bundle.digest)


def _answers(player: BotPlayer, record: Record, seat: Seat) -> Iterator[tuple[int, str | None]]:
    """Play a seat of a game again as it was recorded; yield each turn with the answer now."""
    player.begin_game()
    for step in replay(game(record.game), record):
        if step.turn.seat == seat and step.turn.question:
            yield step.number, player.ask(step.turn.question.split()).line
        for news in step.news:
            player.tell(str(news))
    player.end_game()

"""One match, wherever it is played: a ticket goes in, the records of its games come out.

A ticket carries everything: the bundles, the season's settings, the seed that its packs come
from. The same ticket gives the same cards wherever and however often it is played.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from leaderboard.results import Played
from sandbox.backends import backend
from sandbox.box import BackendMissing, BuildFailed, Program, Reply
from sandbox.builds import ToolMissing, build, default_cache
from sandbox.bundle import BadBundle, Bundle
from sandbox.seat import BotPlayer, Protocol
from tables.dealing import Packs
from tables.game import DEALER, Game, MalformedAnswer, Over, Phase
from tables.record import Record
from tables.referee import Step, play
from tables.registry import GAMES
from tables.seating import Seating, boards
from tables.wording import words
from tournament.formats import Pairing
from tournament.settings import Settings, playable, thaw

RETRIES = 3
"""How often something is tried again after a failure that was the arena's own."""


class MatchVoid(Exception):
    """The arena or its machine failed during a match, so it counts for nothing and nobody.

    `key` names the match, `reason` says in a sentence what failed.
    """

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(key, reason)
        self.key = key
        self.reason = reason

    def __str__(self) -> str:
        return f"match {self.key} is void, through no fault of a bot: {self.reason}"


@dataclass(frozen=True, slots=True)
class Ticket:
    """A match to be played.

    `bundles` are the packed bots, one an entrant; `settings` the season's, as `Settings.freeze`
    gives them; `seed` the season's secret.
    """

    pairing: Pairing
    bundles: tuple[bytes, ...] = field(repr=False)
    settings: Mapping[str, Any]
    seed: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a bot may play: `reason` says why not and what would help, `log` is its build's."""

    ok: bool
    reason: str = ""
    log: str = ""


def play_match(ticket: Ticket, watch: Callable[[int, Step], None] = lambda *_: None) -> Played:
    """Play a match to its end; raises `MatchVoid` for every failure that is not a bot's.

    `watch` is shown every step as it happens, with the number of its game. Every chair of the
    first game has a box of its own, in which its bot stays for the match: one that holds several
    chairs can't talk from one to the other.
    """
    pairing, settings = ticket.pairing, thaw(ticket.settings)
    seatings = pairing.line_up.seatings
    chairs = seatings[0]
    began = time.monotonic()
    try:
        with _seated([ticket.bundles[entrant] for entrant in chairs], settings) as players:
            games = tuple(
                _play(
                    settings,
                    _moved(players, chairs, seating),
                    Packs(ticket.seed, pairing.key, board),
                    pairing.purses,
                    partial(watch, number),
                )
                for number, (seating, board) in enumerate(
                    zip(seatings, boards(seatings), strict=True)
                )
            )
    except Exception as error:
        # What a bot does wrong is in the record. Whatever gets here is ours, a mistake in the
        # rules included: no bot pays for it.
        raise MatchVoid(pairing.key, f"{type(error).__name__}: {error}") from error
    seconds = time.monotonic() - began
    return Played(
        key=pairing.key,
        leg=pairing.leg,
        round=pairing.round,
        versions=pairing.versions,
        sides=pairing.line_up.sides,
        seatings=seatings,
        records=tuple(record for record, _ in games),
        seconds=seconds,
        stderr=tuple(stderr for _, stderr in games),
    )


def _moved(
    players: Sequence[BotPlayer], chairs: Seating, seating: Seating
) -> tuple[BotPlayer, ...]:
    """Put the players, who sat in `chairs`, where their entrants sit now."""
    standing = list(zip(chairs, players, strict=True))
    moved = []
    for entrant in seating:
        place = next(i for i, (sitting, _) in enumerate(standing) if sitting == entrant)
        moved.append(standing.pop(place)[1])
    return tuple(moved)


def _play(
    settings: Settings[Any],
    players: Sequence[BotPlayer],
    packs: Packs,
    purses: Sequence[int],
    watch: Callable[[Step], None],
) -> tuple[Record, tuple[str, ...]]:
    """Play one game, for which every `stdin` bot starts a process of its own.

    Gives its record, and what was written on standard error seat by seat.
    """
    for player in players:
        player.begin_game()
    record = play(
        GAMES[settings.game],
        settings.options,
        players,
        packs,
        purses=purses,
        strikes=settings.strikes.strikes(),
        watch=watch,
    )
    for player in players:
        player.end_game()
    return record, tuple(player.stderr for player in players)


def try_out(bundle: bytes, settings: Mapping[str, Any]) -> Verdict:
    """Build a bot and, where the settings want that, ask it the game's sample question.

    Raises what the box raises for failures of its own.
    """
    wanted = thaw(settings)
    try:
        unpacked = Bundle.from_archive(bundle)
    except BadBundle as error:
        return Verdict(False, f"its files can't be read: {error}")
    image = unpacked.manifest.image
    if image and wanted.box == "docker" and image not in wanted.images:
        allowed = f"only {', '.join(wanted.images)}" if wanted.images else "no image at all"
        return Verdict(False, f"it names the image {image}; {wanted.name} allows {allowed}")
    try:
        built = build(unpacked, backend(wanted.box), default_cache())
    except ToolMissing as error:
        return Verdict(False, str(error))
    except BackendMissing as error:
        if image:
            return Verdict(False, f"its image {image} is not here: {error}")
        raise
    except BuildFailed as error:
        return Verdict(False, f"its build failed: {error}", error.log)
    if not wanted.sanity_check:
        return Verdict(True, log=built.log)
    sample = sample_question(GAMES[wanted.game], wanted.options)
    with _seated((bundle,), wanted) as (player,):
        player.begin_game()
        reply = player.ask(sample)
        player.end_game()
    wrong = _wrong(reply, GAMES[wanted.game], wanted.options)
    asked = f"it did not answer the sample question {' '.join(sample)}"
    reason = f"{asked}: {wrong}" if wrong else ""
    # what it wrote on standard error is its author's, and the log stands on its page
    return Verdict(not wrong, reason, built.log)


def _wrong(reply: Reply, game: Game, options: Any) -> str:
    """Say what is wrong with the answer to a sample question: it must be a word of the game."""
    if reply.fault or reply.line is None:
        return reply.detail
    try:
        first_question(game, options).read(reply.line)
    except MalformedAnswer as error:
        return str(error)
    return ""


def sample_question(game: Game, options: Any) -> tuple[str, ...]:
    """The question that every bot is asked before a season: the game's own, or this table's first.

    The game's own is for tables as they usually are; others have other phases and other words.
    """
    if options == game.options():
        return game.sample
    phase = first_question(game, options)
    return words(phase.question(phase.to_act))


def first_question(game: Game, options: Any) -> Phase:
    """Lead a small table to its first question, the packs lying as they come."""
    phase: Phase | Over = game.start(options, playable(game, options)[0])
    while not isinstance(phase, Over) and phase.to_act == DEALER:
        phase, _ = phase.apply(phase.legal_actions(DEALER).stand_in)
    assert not isinstance(phase, Over), f"a game of {game.name} asks somebody something"
    return phase


@contextmanager
def _seated(bundles: Sequence[bytes], settings: Settings[Any]) -> Iterator[list[BotPlayer]]:
    """Open a box for every seat and close them all at the end."""
    clock = settings.clock.clock()
    limits = clock.stretched(settings.limits.limits())
    with ExitStack() as boxes:
        players = []
        for bundle in bundles:
            program, protocol = _program(bundle, settings.box, default_cache())
            box = boxes.enter_context(backend(settings.box).open(program, limits))
            players.append(BotPlayer(box, clock, protocol))
        yield players


@lru_cache(maxsize=64)
def _program(bundle: bytes, box: str, cache: Path) -> tuple[Program, Protocol]:
    """Find a bot's build, or make it, and say how it wants to be asked."""
    unpacked = Bundle.from_archive(bundle)
    return build(unpacked, backend(box), cache).program, unpacked.manifest.protocol

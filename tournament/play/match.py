"""A match: from a ticket to the records of its games.

A ticket carries everything: the bundles, the season's settings, and the seed of its packs. The same
ticket gives the same cards wherever and however often it is played.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from card_arena.common.faults import Facts, Fault
from card_arena.formats.field import Pairing
from card_arena.ratings.match_results import Played
from card_arena.results.records import Finished, finished
from card_arena.results.season_settings import SeasonSettings
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.builds import build
from card_arena.sandbox.bundles.bundle import BadBundle, Bundle
from card_arena.sandbox.bundles.manifest import Manifest
from card_arena.sandbox.cache_folder import default_cache
from card_arena.sandbox.check import harmless_program, stands
from card_arena.sandbox.languages.toolchains import ToolMissing
from card_arena.sandbox.limits import LARGEST_BUNDLE, Clock
from card_arena.sandbox.sandbox import (
    BackendMissing,
    BuildFailed,
    Program,
    Reply,
    Sandbox,
    SandboxBroken,
)
from card_arena.sandbox.seat import BotPlayer, Protocol
from card_arena.sandbox.session.idle_bots import IdleBots
from card_arena.tables.dealing import Packs
from card_arena.tables.encoding import asked_words
from card_arena.tables.game import CHANCE, Game, MalformedAnswer, Phase, Terminal
from card_arena.tables.record import Record
from card_arena.tables.referee import Step, Strikes, play
from card_arena.tables.registry import GAMES
from card_arena.tables.seating import Seating, boards
from card_arena.tournament.play.pool import TaskFailed
from card_arena.tournament.requirements import demand_own_system
from card_arena.tournament.settings import Settings, playable, thaw


class BrokenAt(SandboxBroken):
    """A sandbox broke: that of `entrant`; `running` are all entrants with sandboxes, by index."""

    running: Sequence[int] = ()

    def __init__(self, entrant: int, reason: str) -> None:
        super().__init__(entrant, reason)
        self.entrant = entrant

    def __str__(self) -> str:
        return str(self.args[1])


class _Guest(BotPlayer):
    """An entrant's player, which attributes a broken sandbox to the entrant.

    `prefix` says whether its bot asks for questions with the common prefix.
    """

    def __init__(
        self, entrant: int, sandbox: Sandbox, clock: Clock, protocol: Protocol, *, prefix: bool
    ) -> None:
        super().__init__(sandbox, clock, protocol)
        self._entrant = entrant
        self.prefix = prefix

    def begin_game(self, *, more: bool = False) -> None:
        try:
            super().begin_game(more=more)
        except SandboxBroken as error:
            raise BrokenAt(self._entrant, str(error)) from error

    def ask(self, words: Sequence[str]) -> Reply:
        try:
            return super().ask(words)
        except SandboxBroken as error:
            raise BrokenAt(self._entrant, str(error)) from error

    def end_game(self) -> None:
        try:
            super().end_game()
        except SandboxBroken as error:
            raise BrokenAt(self._entrant, str(error)) from error


class MissingSandbox(Sandbox):
    """Replaces the sandbox of a bot that gets none; it answers with the facts of the fault."""

    def __init__(self, facts: Facts) -> None:
        self._fault = Reply(None, Fault.CRASH, "no-sandbox", facts)

    def begin_game(self, *, more: bool = False) -> None:
        pass

    def run(self, words: Sequence[str], seconds: float) -> Reply:  # noqa: ARG002
        return self._fault

    def ask(self, line: str, seconds: float) -> Reply:  # noqa: ARG002
        return self._fault

    def tell(self, line: str) -> None:
        pass

    def end_game(self) -> str:
        return ""

    def close(self) -> None:
        pass


@contextmanager
def seated(
    seating: Seating,
    bundles: Sequence[bytes],
    settings: Settings[Any],
    idle_bots: IdleBots,
    without_sandbox: Mapping[int, Facts] = MappingProxyType({}),
    harmless: Container[int] = (),
) -> Iterator[list[_Guest]]:
    """Open a sandbox for each seat's entrant; close them at the end of the block.

    A harmless program plays for the entrants that are `harmless`.
    """
    clock = settings.clock.clock()
    limits = clock.stretched(settings.limits.limits())
    kind = backend(settings.backend_name)
    running: dict[int, None] = {}
    with ExitStack() as sandboxes:
        players: list[_Guest] = []
        try:
            for entrant in seating:
                protocol: Protocol = "argv"
                prefix = False
                if entrant in harmless:
                    program = sandboxes.enter_context(harmless_program())
                else:
                    program, about = _built(
                        bundles[entrant], settings.backend_name, default_cache(), settings.wheels
                    )
                    protocol, prefix = about.protocol, about.prefix
                refusal = None if entrant in harmless else without_sandbox.get(entrant)
                if refusal is None:
                    running[entrant] = None
                try:
                    sandbox = (
                        kind.open(program, limits, idle_bots)
                        if refusal is None
                        else MissingSandbox(refusal)
                    )
                except SandboxBroken as error:
                    raise BrokenAt(entrant, str(error)) from error
                opened = sandboxes.enter_context(sandbox)
                players.append(_Guest(entrant, opened, clock, protocol, prefix=prefix))
            yield players
        except BrokenAt as error:
            error.running = tuple(running)
            raise


@lru_cache(maxsize=64)
def _built(
    bundle: bytes, sandbox: str, cache: Path, wheels: Path | None
) -> tuple[Program, Manifest]:
    unpacked = Bundle.from_archive(bundle, LARGEST_BUNDLE)
    return build(unpacked, backend(sandbox), cache, wheels=wheels).program, unpacked.manifest


RETRIES = 3
"""The most repetitions of an attempt after a failure of the arena itself."""

TRIALS = 2
"""The number of failed trials among harmless programs after which a bot is named."""


class MatchVoid(TaskFailed):
    """A sandbox, the arena or its machine failed during a match, so it counts for nothing.

    `key` names the match; `reason` says what failed. `broken` is the index of the entrant whose
    sandbox failed, or None where something else did. `running` are the indices of the entrants that
    had a sandbox at that moment. `machine_works` says whether a harmless program's sandbox worked
    right afterwards.
    """

    def __init__(
        self,
        key: str,
        reason: str,
        broken: int | None = None,
        running: Sequence[int] = (),
        machine_works: bool = True,
    ) -> None:
        super().__init__(key, reason, broken, running, machine_works)
        self.key = key
        self.reason = reason
        self.broken = broken
        self.running = running
        self.machine_works = machine_works

    @property
    def by_the_arena(self) -> bool:
        """Whether the arena or its machine failed, and no bot."""
        return self.broken is None or not self.machine_works

    def __str__(self) -> str:
        return f"match {self.key} is void, through no fault of a bot: {self.reason}"


@dataclass(frozen=True, slots=True)
class Ticket:
    """A match to be played.

    `bundles` are the packed bots, one per entrant; `settings` the season's; `seed` the season's
    secret. `without_sandbox` maps the indices of entrants that get no sandbox to the facts of
    that fault.
    """

    pairing: Pairing
    bundles: tuple[bytes, ...] = field(repr=False)
    settings: SeasonSettings
    seed: bytes = field(repr=False)
    without_sandbox: Mapping[int, Facts] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a bot may play: `reason` says why not and what would help; `log` is its build log."""

    ok: bool
    reason: str = ""
    log: str = ""


def play_match(ticket: Ticket, watch: Callable[[int, Step], None] | None = None) -> Played:
    """Play a match to its end; raises `MatchVoid` for every failure that no bot caused.

    `watch` is called with every step and the number of its game. It may take long, so bots are then
    stopped as soon as they have answered. Every seat of the first game has a sandbox of its own for
    the match, so a bot that holds several seats can't pass messages between them.
    """
    pairing, settings = ticket.pairing, thaw(ticket.settings)
    began = time.monotonic()
    try:
        games = _games(ticket, settings, watch)
    except Exception as error:
        # A bot's faults are in the record. An exception is our failure, even a mistake in the
        # rules: no bot pays for it, unless it alone makes sandboxes fail (`play/failures.py`).
        raise _void(ticket, settings, error) from error
    records, stderr = zip(*games, strict=True)
    return as_played(pairing, records, time.monotonic() - began, stderr)


def as_played(
    pairing: Pairing,
    records: tuple[Record, ...],
    seconds: float,
    stderr: tuple[tuple[str, ...], ...],
) -> Played:
    """Return a pairing's match with the records of its games."""
    return Played(
        key=pairing.key,
        leg=pairing.leg,
        round=pairing.round,
        labels=pairing.labels,
        versions=pairing.versions,
        sides=pairing.seating_plan.sides,
        seatings=pairing.seating_plan.seatings,
        records=records,
        seconds=seconds,
        stderr=stderr,
    )


def finish_match(ticket: Ticket) -> Finished:
    """Play a match and compute everything that is stored of it; raises as `play_match` does.

    A mistake in that computation is no bot's fault either.
    """
    played = play_match(ticket)
    try:
        return finished(played)
    except Exception as error:
        raise MatchVoid(played.key, f"{type(error).__name__}: {error}") from error


def breaks_sandboxes(ticket: Ticket, entrant: int) -> bool:
    """Return whether sandboxes fail in a match because of one entrant alone.

    All others are replaced by a harmless program in a sandbox of the same kind, with the same cards
    and limits, so this entrant causes any failure. A sandbox must fail in each of `TRIALS`
    attempts. Raises `MatchVoid` if something else fails, or if a harmless program's sandbox fails
    without the bot.
    """
    settings = thaw(ticket.settings)
    for _ in range(TRIALS):
        try:
            _games(ticket, settings, only=entrant)
        except Exception as error:
            void = _void(ticket, settings, error)
            if void.by_the_arena:
                raise void from error
        else:
            return False
    return True


def _games(
    ticket: Ticket,
    settings: Settings[Any],
    watch: Callable[[int, Step], None] | None = None,
    only: int | None = None,
) -> tuple[tuple[Record, tuple[str, ...]], ...]:
    """Play all games of a match; return their records, each with the standard error of each seat.

    If `only` is given, harmless programs take the places of all other entrants. Their wrong answers
    leave them in the game.
    """
    demand_own_system(settings)
    pairing, strikes = ticket.pairing, settings.strikes.strikes()
    seatings = pairing.seating_plan.seatings
    harmless = frozenset[int]()
    if only is not None:
        harmless = frozenset(range(len(pairing.versions))) - {only}
        strikes = replace(strikes, forgiven=strikes.forgiven | {Fault.MALFORMED, Fault.ILLEGAL})
    idle_bots = IdleBots(patience=0) if watch else IdleBots()
    first = seatings[0]
    with seated(
        first, ticket.bundles, settings, idle_bots, ticket.without_sandbox, harmless
    ) as players:
        return tuple(
            _play(
                settings,
                _moved(players, first, seating),
                Packs(ticket.seed, pairing.key, board),
                pairing,
                strikes,
                partial(watch, number) if watch else None,
                more=number + 1 < len(seatings),
            )
            for number, (seating, board) in enumerate(zip(seatings, boards(seatings), strict=True))
        )


def _void(ticket: Ticket, settings: Settings[Any], error: Exception) -> MatchVoid:
    """Describe a match's failure, and test whether the machine works without its bots."""
    reason = f"{type(error).__name__}: {error}"
    playing = [n for n in range(len(ticket.pairing.versions)) if n not in ticket.without_sandbox]
    if not isinstance(error, BrokenAt):
        return MatchVoid(ticket.pairing.key, reason, None, playing)
    works = stands(backend(settings.backend_name))
    return MatchVoid(ticket.pairing.key, str(error), error.entrant, error.running, works)


def _moved(players: Sequence[_Guest], before: Seating, seating: Seating) -> tuple[_Guest, ...]:
    """Reorder the players, who sat in `before`, to where their entrants sit now."""
    standing = list(zip(before, players, strict=True))
    moved = []
    for entrant in seating:
        place = next(i for i, (sitting, _) in enumerate(standing) if sitting == entrant)
        moved.append(standing.pop(place)[1])
    return tuple(moved)


def _play(
    settings: Settings[Any],
    players: Sequence[_Guest],
    packs: Packs,
    pairing: Pairing,
    strikes: Strikes,
    watch: Callable[[Step], None] | None,
    *,
    more: bool,
) -> tuple[Record, tuple[str, ...]]:
    """Play one game, for which every bot has a new sandbox; `more` says that another game follows.

    Returns its record, and the standard error of each seat.
    """
    for player in players:
        player.begin_game(more=more)
    record = play(
        GAMES[settings.game],
        settings.options,
        players,
        packs,
        purses=pairing.purses,
        shoe=pairing.shoe,
        prefixed=[seat for seat, player in enumerate(players) if player.prefix],
        strikes=strikes,
        watch=watch,
    )
    for player in players:
        player.end_game()
    return record, tuple(player.stderr for player in players)


def sandbox_stands(name: str) -> bool:
    """Test whether a sandbox of this kind can run a harmless program."""
    return stands(backend(name))


def try_out(bundle: bytes, settings: SeasonSettings) -> Verdict:
    """Build a bot and, if the settings say so, ask it the game's sample question.

    Raises what the sandbox raises when it fails itself.
    """
    rules = thaw(settings)
    try:
        unpacked = Bundle.from_archive(bundle, LARGEST_BUNDLE)
    except BadBundle as error:
        return Verdict(False, f"its files can't be read: {error}")
    image = unpacked.manifest.image
    if image and backend(rules.backend_name).has_images and image not in rules.images:
        allowed = f"only {', '.join(rules.images)}" if rules.images else "no image at all"
        return Verdict(False, f"it names the image {image}; {rules.name} allows {allowed}")
    try:
        built = build(unpacked, backend(rules.backend_name), default_cache(), wheels=rules.wheels)
    except ToolMissing as error:
        return Verdict(False, str(error))
    except BackendMissing as error:
        if image:
            return Verdict(False, f"its image {image} is not here: {error}")
        raise
    except BuildFailed as error:
        return Verdict(False, f"its build failed: {error}", error.log)
    if not rules.sanity_check:
        return Verdict(True, log=built.log)
    prefix = unpacked.manifest.prefix
    sample = sample_question(GAMES[rules.game], rules.options, prefix=prefix)
    with seated((0,), (bundle,), rules, IdleBots(patience=0)) as (player,):
        player.begin_game()
        reply = player.ask(sample)
        player.end_game()
    wrong = _wrong(reply, GAMES[rules.game], rules.options)
    refusal = f"it did not answer the sample question {' '.join(sample)}"
    reason = f"{refusal}: {wrong}" if wrong else ""
    # its standard error is for its author only, and this log is shown on its page
    return Verdict(not wrong, reason, built.log)


def _wrong(reply: Reply, game: Game, options: Any) -> str:
    """Return why the answer to a sample question is no word of the game; empty if it is one."""
    if reply.fault or reply.line is None:
        return reply.detail
    try:
        first_question(game, options).read(reply.line)
    except MalformedAnswer as error:
        return str(error)
    return ""


def sample_question(game: Game, options: Any, *, prefix: bool = False) -> tuple[str, ...]:
    """Return the question for every bot before a season: the game's sample, or this table's first.

    The sample fits the usual table; other tables have other phases and words. `prefix` says whether
    the bot asks for questions with the common prefix.
    """
    if options == game.options() and not (prefix and game.prefixed):
        return game.sample
    phase = first_question(game, options)
    return asked_words(game, phase, phase.to_act, (phase.to_act,) if prefix else ())


def first_question(game: Game, options: Any) -> Phase:
    phase: Phase | Terminal = game.start(options, playable(game, options)[0])
    while not isinstance(phase, Terminal) and phase.to_act == CHANCE:
        phase, _ = phase.apply(phase.legal_actions(CHANCE).fallback_action)
    assert not isinstance(phase, Terminal), f"{game.name} has no question"
    return phase

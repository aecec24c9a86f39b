"""The seats of a match: each entrant's sandbox, with its bot or a harmless program in it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from common.faults import Fault
from sandbox.backends.registry import backend
from sandbox.box import Box, BoxBroken, Program, Reply
from sandbox.builds.builder import build, default_cache
from sandbox.bundles.bundle import Bundle
from sandbox.language_proof import harmless_program
from sandbox.limits import LARGEST_BUNDLE, Clock
from sandbox.seat import BotPlayer, Protocol
from sandbox.session.idle_bots import IdleBots
from tables.seating import Seating
from tournament.settings import Settings


class BrokenAt(BoxBroken):
    """A box broke: `entrant` is the index of its entrant, and `running` those of all with boxes."""

    running: Sequence[int] = ()

    def __init__(self, entrant: int, reason: str) -> None:
        super().__init__(entrant, reason)
        self.entrant = entrant

    def __str__(self) -> str:
        return str(self.args[1])


class _Guest(BotPlayer):
    """A player on behalf of an entrant, so that a broken box can be attributed."""

    def __init__(self, entrant: int, box: Box, clock: Clock, protocol: Protocol) -> None:
        super().__init__(box, clock, protocol)
        self._entrant = entrant

    def begin_game(self, *, more: bool = False) -> None:
        try:
            super().begin_game(more=more)
        except BoxBroken as error:
            raise BrokenAt(self._entrant, str(error)) from error

    def ask(self, words: Sequence[str]) -> Reply:
        try:
            return super().ask(words)
        except BoxBroken as error:
            raise BrokenAt(self._entrant, str(error)) from error

    def end_game(self) -> None:
        try:
            super().end_game()
        except BoxBroken as error:
            raise BrokenAt(self._entrant, str(error)) from error


class NoBox(Box):
    """A replacement for the sandbox of a bot that gets none: it answers with the reason."""

    def __init__(self, reason: str) -> None:
        self._fault = Reply(None, Fault.CRASH, reason)

    def begin_game(self, *, more: bool = False) -> None:
        """Do nothing."""

    def run(self, words: Sequence[str], seconds: float) -> Reply:  # noqa: ARG002
        """Say why there is no answer."""
        return self._fault

    def ask(self, line: str, seconds: float) -> Reply:  # noqa: ARG002
        """Say why there is no answer."""
        return self._fault

    def tell(self, line: str) -> None:
        """Drop the news."""

    def end_game(self) -> str:
        """Return nothing, since there was no output."""
        return ""

    def close(self) -> None:
        """Do nothing."""


@contextmanager
def seated(
    chairs: Seating,
    bundles: Sequence[bytes],
    settings: Settings[Any],
    idle_bots: IdleBots,
    boxless: Mapping[int, str] = MappingProxyType({}),
    harmless: Container[int] = (),
) -> Iterator[list[BotPlayer]]:
    """Open a box for each chair's entrant, and close them all at the end.

    A harmless program plays for the entrants that are `harmless`.
    """
    clock = settings.clock.clock()
    limits = clock.stretched(settings.limits.limits())
    kind = backend(settings.backend_name)
    running: dict[int, None] = {}
    with ExitStack() as boxes:
        players: list[BotPlayer] = []
        protocol: Protocol = "argv"
        try:
            for entrant in chairs:
                if entrant in harmless:
                    program, protocol = boxes.enter_context(harmless_program()), "argv"
                else:
                    program, protocol = _built(bundles[entrant], settings)
                reason = "" if entrant in harmless else boxless.get(entrant, "")
                if not reason:
                    running[entrant] = None
                try:
                    box = NoBox(reason) if reason else kind.open(program, limits, idle_bots)
                except BoxBroken as error:
                    raise BrokenAt(entrant, str(error)) from error
                players.append(_Guest(entrant, boxes.enter_context(box), clock, protocol))
            yield players
        except BrokenAt as error:
            error.running = tuple(running)
            raise


def _built(bundle: bytes, settings: Settings[Any]) -> tuple[Program, Protocol]:
    """Find or make a bot's build, and return it with the protocol that the bot speaks."""
    return _program(bundle, settings.backend_name, default_cache(), settings.wheels)


@lru_cache(maxsize=64)
def _program(
    bundle: bytes, box: str, cache: Path, wheels: Path | None = None
) -> tuple[Program, Protocol]:
    unpacked = Bundle.from_archive(bundle, LARGEST_BUNDLE)
    return build(unpacked, backend(box), cache, wheels=wheels).program, unpacked.manifest.protocol

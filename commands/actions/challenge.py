"""`arena challenge`."""

from __future__ import annotations

import time
from pathlib import Path

from card_arena.accounts.entries import AuditEntry
from card_arena.commands.actions.standings import print_from
from card_arena.commands.operation_commands import bot_and_number
from card_arena.commands.other_arena import NotUnderstood, OtherArena, token_of
from card_arena.commands.printer import say
from card_arena.leaderboard.bots import Bots
from card_arena.leaderboard.seasons import Season

LOOK_EVERY = 1.0
"""Seconds between two requests."""


def challenge(
    opponent: str,
    own: str | None,
    boards: int | None,
    game: str,
    address: str,
    token: str | None,
    token_file: Path | None,
    wait: bool,
) -> None:
    """Request a challenge at another arena; print the address of its results."""
    arena = OtherArena(address, token_of(token, token_file))
    name, number = bot_and_number(own or _only_bot(arena, opponent))
    asked = {"what": "challenge", "opponent": opponent, "boards": boards, "game": game}
    if number is not None:
        asked["number"] = number
    entry = arena.send(AuditEntry, "bots", name, "operations", json=asked)
    while entry.state == "waiting":
        time.sleep(LOOK_EVERY)
        entry = arena.get(AuditEntry, "operations", entry.id)
    if entry.state == "declined":
        raise NotUnderstood(f"{arena.address}: {entry.answer}")
    sentence, _, path = entry.answer.rpartition(": ")
    say(f"{sentence}: {arena.address}{path}")
    if wait:
        *_, tournament, season = path.split("/")
        where = ("tournaments", tournament, "seasons", season)
        while arena.get(Season, *where).finished is None:
            time.sleep(LOOK_EVERY)
        print_from(arena, tournament, int(season), as_json=False)


def _only_bot(arena: OtherArena, opponent: str) -> str:
    """The person's only bot besides the opponent; raises `NotUnderstood`."""
    other = opponent.partition("@")[0]
    names = [bot.bot for bot in arena.get(Bots, "me", "bots").items if bot.bot != other]
    if len(names) != 1:
        listed = f"you have {', '.join(names)}" if names else "you have no bot there"
        raise NotUnderstood(f"--with must name your bot: {listed}")
    return names[0]

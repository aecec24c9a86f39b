"""Seasons in which an organiser intervenes."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Collection, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from card_arena.accounts.entries import AuditEntry
from card_arena.results.records import Finished
from card_arena.results.store import Store
from card_arena.tests.killed.small_seasons import SmallTournament, for_chips
from card_arena.tests.tournament import stage
from card_arena.tournament import operations
from card_arena.tournament.play import season as season_module
from card_arena.tournament.play.match import MatchVoid, Ticket, finish_match
from card_arena.tournament.play.runner import run_once
from card_arena.tournament.settings import Settings, read_settings
from card_arena.verify.verify import verify_file, verify_ledger, verify_ratings, verify_season

TOP = Path(__file__).parents[2]


BOTS = tuple(
    stage.legal(name, "spades", "first" if number % 2 else "last")
    for number, name in enumerate(("ann", "bob", "cat", "dan", "eve"))
)


def for_margins(chosen: str) -> SmallTournament:
    return SmallTournament(
        "name: small\nclock: {question: 20s, start: 60s}\nlimits: {cpu: 20s}\nrequire: []\n"
        f"sandbox: bare\nformat: {{{chosen}}}\ngame: spades\noptions: one_round\n",
        BOTS,
    )


SEASONS: Mapping[str, SmallTournament] = {
    "contest": for_margins("contest: {legs: 2, rounds: 3}"),
    "chips": for_chips("contest: {legs: 2, rounds: 3}"),
    "league": for_margins("league: {meetings: 1}"),
    "gauntlet": for_margins("gauntlet: {against: [ann], meetings: 2}"),
    "cut": for_margins("cut: {rounds: 2}"),
    "ladder": for_margins("ladder: {matches: 8}"),
    "swiss": for_margins("swiss: {rounds: 4}"),
    "knockout": for_margins("knockout: {until: boards, boards: 2}"),
    "stages": for_margins(
        "stages: [{swiss: {rounds: 3}, best: 4}, {knockout: {until: boards, boards: 2}}]"
    ),
}


class Enough(Exception):
    """The arena is stopped."""


class Until(stage.Notes):
    """An audience that stops the arena after so many matches."""

    def __init__(self, matches: int) -> None:
        super().__init__()
        self.matches = matches

    def advances(self, headway: stage.Headway) -> None:
        super().advances(headway)
        if headway.played >= self.matches:
            raise Enough


def request(store: Store, what: str, about: str, **details: object) -> str:
    """Have something done as the program that plays does it."""
    order = AuditEntry(
        id=1, at=datetime.now(UTC), person="", what=what, about=about, details=details
    )
    return operations.CARRIED_OUT[what](store, order)


def play(store: Store, settings: Settings, until: int | None = None) -> None:
    """Play a season to its end, or until there are so many matches."""
    audience = stage.Notes() if until is None else Until(until)
    try:
        with stage.Here() as pool:
            run_once(store, settings, audience, stage.SEED, pool)
    except Enough:
        assert until is not None


def prepared(store: Store, folder: Path, small: SmallTournament) -> Settings:
    for bot in small.bots:
        stage.submit(store, bot.write(folder))
    return read_settings(small.text, "small.yaml")


def is_sound(store: Store, folder: Path) -> None:
    """Check the newest season from the database, from its file, and by the other program."""
    season = store.seasons("small")[-1]
    assert verify_season(store, season).differences == []
    assert verify_ratings(store, "small") == []
    assert verify_ledger(store, "small") == []
    path = exported(store, folder)
    assert verify_file(path).differences == []
    checked = by_the_example(path)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def exported(store: Store, folder: Path) -> Path:
    path = folder / "season.zip"
    with path.open("wb") as target:
        store.export("small", store.seasons("small")[-1].number, target)
    return path


def by_the_example(*paths: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(TOP / "examples" / "verify"), *map(str, paths)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


FAILING = stage.Bot("bad", "argv", "shell", "#!/bin/sh\necho nonsense\n", game="spades")


def first_cannot_be_played(patch: pytest.MonkeyPatch, without: Collection[int] = ()) -> list[str]:
    """Let a sandbox fail in every attempt at the first match without these versions.

    Returns the keys of the matches without them that begin. No trial shows who is to blame.
    """
    began: list[str] = []

    def attempt(ticket: Ticket) -> Finished:
        if {*without}.isdisjoint(ticket.pairing.versions):
            began.append(ticket.pairing.key)
        if ticket.pairing.key in began[:1]:
            raise MatchVoid(ticket.pairing.key, "the pilot has gone", 1, (0, 1))
        return finish_match(ticket)

    patch.setattr(season_module, "finish_match", attempt)
    patch.setattr(season_module, "breaks_sandboxes", lambda *_: False)
    return began

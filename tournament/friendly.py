"""A friendly match: one table now, for nobody's rating and not kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from leaderboard.store import Store
from tables.registry import game
from tournament.formats import Pairing
from tournament.match import Ticket, try_out
from tournament.settings import Settings, thaw
from tournament.submission import read_bot

KEY = "friendly/0001/t01/r1/a"


class NoMatch(Exception):
    """A friendly match can't be played as it was asked for; the message says why."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A bot at the table: what it is called there, and its packed files."""

    name: str
    bundle: bytes


def guest(store: Store, name: str) -> Guest:
    """Find a bot: a folder or an archive of that path, else one in the store.

    Raises `Refused` and `UnknownBot`.
    """
    path = Path(name)
    if path.exists() or "/" in name:
        bundle = read_bot(path)
        return Guest(bundle.manifest.name, bundle.archive())
    version = store.version(name)
    return Guest(version.label, store.archive(version.id))


def house_rules(game_name: str, options: Sequence[str], box: str) -> Settings[Any]:
    """Make the table's settings from `key=value` words; raises `UnknownGame` and `NoMatch`."""
    known = game(game_name).options.model_fields
    chosen: dict[str, Any] = {}
    for word in options:
        key, equals, value = word.partition("=")
        if not equals or key not in known:
            raise NoMatch(
                f"{word!r} is no option of {game_name}: expected key=value with a key of"
                f" {', '.join(known)}"
            )
        try:
            chosen[key] = yaml.safe_load(value)
        except yaml.YAMLError:
            chosen[key] = value
    try:
        return thaw({"name": "friendly", "game": game_name, "options": chosen, "box": box})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"][1:])) or "options"
        raise NoMatch(f"{where}={first['input']!r}: {first['msg']}") from error


def ticket(guests: Sequence[Guest], settings: Settings[Any], seed: bytes) -> Ticket:
    """Make the match; raises `NoMatch` where there are too many bots or one can't be built."""
    seats = game(settings.game).seats
    if len(guests) not in seats:
        raise NoMatch(f"{settings.game} seats {seats[0]} to {seats[-1]} bots, not {len(guests)}")
    frozen = settings.freeze()
    for seated in guests:
        verdict = try_out(seated.bundle, {**frozen, "sanity_check": False})
        if not verdict.ok:
            raise NoMatch(f"{seated.name} can't play: {verdict.reason}\n{verdict.log}".rstrip())
    pairing = Pairing(KEY, 1, 1, tuple(range(1, len(guests) + 1)), ())
    return Ticket(pairing, tuple(seated.bundle for seated in guests), frozen, seed)

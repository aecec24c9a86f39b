"""An exhibition match: one table, played now, neither rated nor stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from card_arena.common.errors import UserError
from card_arena.formats.field import MatchKey, Pairing
from card_arena.results.bots import UnknownBot
from card_arena.results.season_settings import SeasonSettings
from card_arena.results.store import Store
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.bundles.bundle import Bundle
from card_arena.tables.game import BadTable
from card_arena.tables.options import with_words
from card_arena.tables.registry import game
from card_arena.tournament.play.match import Ticket, try_out
from card_arena.tournament.requirements import demand
from card_arena.tournament.settings import FILES, Settings, playable, read_file, settings_of
from card_arena.tournament.submissions import read_bot, stored_bot

KEY = str(MatchKey("friendly", 1, ("t01", "r1", "a")))
"""The cards follow from this key and a seed, so another key would deal other cards."""


class NoMatch(UserError):
    """An exhibition match can't be played as it was asked for; the message says why."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A bot at a table, with the name that it has there."""

    name: str
    bundle: Bundle


def guest(store: Store, name: str) -> Guest:
    """Return a bot: the folder or archive at that path, or else a bot in the store.

    Raises `Rejected` and `UnknownBot`.
    """
    if is_path(name):
        return guest_at(name)
    try:
        version = store.version(name)
    except UnknownBot as error:
        raise UnknownBot(f"{error}; nor is there a folder or an archive {name[:80]!r}") from error
    return Guest(version.label, stored_bot(store, version))


def is_path(name: str) -> bool:
    """Return whether a name is that of a folder or an archive, not of a bot in the store."""
    return "/" in name or Path(name).exists()


def guest_at(path: str) -> Guest:
    """Read a bot from the folder or archive at that path; raises `Rejected`."""
    bundle = read_bot(Path(path))
    return Guest(bundle.manifest.name, bundle)


def told_apart(guests: Sequence[Guest], words: Sequence[str]) -> list[str]:
    """Return the guests' names at the table: their own, or the given words if names clash.

    Two versions of a bot in two folders thus have different names.
    """
    different = {(seated.name, seated.bundle.digest) for seated in guests}
    names = Counter(name for name, _ in different)
    return [
        seated.name if names[seated.name] == 1 else word
        for seated, word in zip(guests, words, strict=True)
    ]


def house_table(
    name: str,
    options: Sequence[str] = (),
    *,
    preset: str | None = None,
    sandbox: str | None = None,
    wheels: Path | None = None,
    duel: bool = False,
) -> Settings[Any]:
    """Return a table's settings, before its bots are known: of a game, or of a tournament's file.

    A file's options, clock, limits, strikes and sandbox are kept, except for what is given here: a
    preset, `key=value` words, a sandbox, a folder of wheels. In a `duel` a game's options are those
    for fixed stakes. Raises `UnknownGame`, `BadYaml` and `NoMatch`.
    """
    table: dict[str, Any] = {"name": "friendly", "game": name}
    if Path(name).suffix in FILES:
        table = read_file(Path(name)).plain()
    elif duel:
        table["options"] = game(name).fixed_stakes
    table["options"] = _options(table["game"], options, preset, table.get("options", {}))
    if sandbox is not None:
        table["sandbox"] = sandbox
        if not backend(sandbox).has_images:
            table["images"], table["runtime"] = (), ""
    if wheels is not None:
        table["wheels"] = wheels.absolute()
    try:
        return settings_of(table)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"][1:])) or "options"
        message = first["msg"].removeprefix("Value error, ")
        raise NoMatch(f"{where}={first['input']!r}: {message}") from error


def _options(
    game_name: str, words: Sequence[str], preset: str | None, usual: Mapping[str, Any]
) -> Mapping[str, Any]:
    """Return the options of a preset or the defaults, changed by the `key=value` words."""
    rules = game(game_name)
    if preset is not None and preset not in rules.presets:
        raise NoMatch(
            f"{preset!r} is not a preset of {game_name}: expected one of {', '.join(rules.presets)}"
        )
    try:
        return with_words(rules, rules.presets[preset] if preset else usual, words)
    except BadTable as error:
        raise NoMatch(str(error)) from None


def house_rules(
    table: Settings[Any], bots: int, *, duplicate: bool = False, duel: bool = False
) -> Settings[Any]:
    """Return the settings of a match between this number of bots at a table.

    With a bot for every side each bot plays a side; with a bot for every seat each takes a seat. A
    `duel` is duplicate, unless that does not help in this game. Raises `NoMatch`.
    """
    entrants = entrants_of(table)
    if bots not in entrants:
        *others, most = sorted(entrants)
        counts = f"{', '.join(map(str, others))} or {most}" if others else str(most)
        raise NoMatch(f"this table of {table.game} takes {counts} bots, not {bots}")
    duplicate = duplicate or (duel and game(table.game).statistics.rotation_helps)
    return settings_of({**table.plain(), **entrants[bots], "duplicate": duplicate, "boards": 1})


def all_entrants(table: Settings[Any], bots: Sequence[str]) -> tuple[str, ...]:
    """Give the remaining entrants of a table for more than two bots to the second bot."""
    entrants = entrants_of(table)
    if len(bots) == 2 and 2 not in entrants:
        return bots[0], *[bots[1]] * (min(entrants) - 1)
    return tuple(bots)


def own_entrants(table: Settings[Any]) -> int:
    """Return the number of bots by the table's own settings: one a side, or one a seat."""
    if table.partners == "different":
        return table.seats
    return len(game(table.game).sides(table.options, table.seats))


def entrants_of(settings: Settings[Any]) -> Mapping[int, Mapping[str, Any]]:
    """Return the numbers of bots that can be seated, with the settings for each."""
    rules, options = game(settings.game), settings.options
    entrants: dict[int, dict[str, Any]] = {}
    for seats in playable(rules, options):
        entrants.setdefault(len(rules.sides(options, seats)), {"seats": seats, "partners": "same"})
        entrants.setdefault(seats, {"seats": seats, "partners": "different"})
    return entrants


def ticket(guests: Sequence[Guest], settings: Settings[Any], seed: bytes) -> Ticket:
    """Make the match; raises `NoMatch` if a bot can't play this game or can't be built.

    Raises `NotGuaranteed` if the sandboxes don't keep a required guarantee.
    """
    frozen = checked(guests, settings)
    fullest, *_ = settings.seating_plans()
    entrants = tuple(range(1, len(guests) + 1))
    pairing = Pairing(KEY, 1, 1, ("round 1", "table A"), entrants, fullest)
    return Ticket(pairing, tuple(seated.bundle.archive() for seated in guests), frozen, seed)


def checked(guests: Sequence[Guest], settings: Settings[Any]) -> SeasonSettings:
    """Return the settings with the images of these bots; raises as `ticket` does."""
    demand([settings])
    frozen = settings.freeze()
    if backend(settings.sandbox).has_images:  # bringing a bot to this table allows its image
        named = {seated.bundle.manifest.image for seated in guests}
        images = tuple(sorted(filter(None, named)))
        frozen = frozen.model_copy(update={"images": images})
    unasked = frozen.model_copy(update={"sanity_check": False})
    for seated in guests:
        games = seated.bundle.manifest.games
        if settings.game not in games:
            raise NoMatch(f"{seated.name} plays {', '.join(games)} and not {settings.game}")
        verdict = try_out(seated.bundle.archive(), unasked)
        if not verdict.ok:
            raise NoMatch(f"{seated.name} can't play: {verdict.reason}\n{verdict.log}".rstrip())
    return frozen

"""Games to be stepped: a new one, or one of a stored match."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from card_arena.library.native_state import NativeState
from card_arena.library.registry import named
from card_arena.library.rules_state import RulesState
from card_arena.library.state import Packs, State
from card_arena.tables.cards import in_pack_order
from card_arena.tables.game import CHANCE
from card_arena.tables.record import Record


def new_game(
    name: str,
    options: Mapping[str, Any] | Any = None,
    *,
    seats: int | None = None,
    seed: int = 0,
    native: bool | None = None,
) -> State:
    """Begin a game; one seed gives one game on every machine.

    `options` are those of a tournament's table, all others have their defaults; `seats` is the
    lowest possible number if it is not given. `native` chooses between the compiled core and the
    Python rules, which play the same; the core is the default where it is compiled. Raises
    `LookupError` for an unknown game, `ValueError` for options or seats that aren't possible, and
    `RuntimeError` for a core that isn't compiled.
    """
    game = named(name)
    settings = game.options(options)
    count = seats or game.seats[0]
    game.rules.check_table(settings, count)
    if native is None:
        native = game.is_native
    if native and not game.is_native:
        raise RuntimeError(
            f"{name} is not compiled here: run python -m card_arena.library.native,"
            " or leave native out"
        )
    packs = Packs({0: seed % 2**64})
    return (NativeState if native else RulesState)(game, settings, count, packs)


def replay(record: Record | Mapping[str, Any]) -> Iterator[tuple[State, str]]:
    """Step through a stored game: the state before each decision, and the answer that was played.

    `record` is one of the records in a match's file, as data. The state goes on with the iteration,
    so clone it to keep it. Raises `ValueError` for a record that can't be read or whose rules have
    changed, and `IllegalAction` or `MalformedAnswer` for a turn that can't be played.
    """
    if not isinstance(record, Record):
        record = Record.from_data(record)
    game = named(record.game)
    if record.version != game.rules.version:
        raise ValueError(
            f"the record has version {record.version} of the rules of {game.name}, these are"
            f" version {game.rules.version}"
        )
    packs = [turn.action.split(",") for turn in record.turns if turn.seat == CHANCE]
    given = [[*map(in_pack_order(pack).index, pack)] for pack in packs if len(pack) > 1]
    settings, dealt = game.options(record.options), Packs({0: 0}, dict(enumerate(given)))
    state: State
    if record.purses or record.shoe:  # the core begins without any
        first = game.rules.resume(settings, record.seats, record.purses, record.shoe)
        state = RulesState(game, settings, record.seats, dealt, first)
    else:
        make = NativeState if game.is_native else RulesState
        state = make(game, settings, record.seats, dealt)
    for turn in record.turns:
        if turn.seat != CHANCE:
            yield state, turn.action
            state.answer(turn.action)

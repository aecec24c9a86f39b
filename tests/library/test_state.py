"""States: what they do, that they are values, and that nothing hidden is told."""

from __future__ import annotations

import json
import pickle
import random
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import card_arena
from card_arena.library.play import replay
from card_arena.library.registry import Game, games
from card_arena.library.state import State
from card_arena.tables.dealing import Packs
from card_arena.tables.game import BadTable, IllegalAction, Phase
from card_arena.tables.record import Record
from card_arena.tables.referee import Step, play
from card_arena.tables.registry import GAMES
from card_arena.tests.library.playing import random_table
from card_arena.tests.tables.scripted import Always, Said

TOP = Path(__file__).parents[2]

every_game = pytest.mark.parametrize("game", games(), ids=lambda game: game.name)
each_way = pytest.mark.parametrize("native", [True, False], ids=["core", "rules"])


def begun(game: Game, seed: int, actions: int, native: bool = True) -> State:
    """A game under random options, of which so many random actions have been taken, if it lasts."""
    rng = random.Random(f"{game.name} {seed}")
    while True:
        options, seats = random_table(game, rng)
        if hasattr(options, "open_hands"):
            options = options.model_copy(update={"open_hands": False})
        state = card_arena.new_game(game.name, options, seats=seats, seed=seed, native=native)
        if not state.is_over:  # as blackjack is where nobody can pay
            break
    for _ in range(actions):
        state.apply(rng.choice(state.legal_actions()))
        if state.is_over:
            state.undo()
            break
    return state


@every_game
@each_way
def test_an_illegal_action_is_one_clear_error_and_changes_nothing(game, native):
    state = begun(game, 1, 7, native)
    before, legal = state.clone(), state.legal_actions()
    for action in (-1, 10**6, *(n for n in range(len(game.actions)) if n not in legal)):
        with pytest.raises(IllegalAction, match=f"action {action} is not legal now: expected"):
            state.apply(action)
    assert state == before
    assert state.legal_actions() == legal
    assert [state.mask()[action] for action in legal] == [1] * len(legal)
    assert sum(state.mask()) == len(legal)


@each_way
def test_a_penalty_where_there_is_none_is_an_illegal_action(native):
    state = card_arena.new_game("blot", seed=1, native=native)
    before, revoke = state.clone(), len(state.game.actions)
    with pytest.raises(IllegalAction, match=f"action {revoke} is not legal now"):
        state.apply(revoke)
    assert state == before
    assert not state.path


@every_game
@each_way
def test_undo_takes_every_action_back(game, native):
    state = begun(game, 2, 0, native)
    rng, seen = random.Random(2), []
    for _ in range(40):
        seen.append(state.clone())
        state.apply(rng.choice(state.legal_actions()))
        if state.is_over:
            break
    for before in reversed(seen):
        state.undo()
        assert state == before
        assert state.legal_actions() == before.legal_actions()
    with pytest.raises(ValueError, match="there is no action to take back"):
        state.undo()


@every_game
@each_way
def test_a_state_is_a_value(game, native):
    state = begun(game, 3, 12, native)
    for copy in (state.clone(), pickle.loads(pickle.dumps(state))):
        assert copy == state
        assert hash(copy) == hash(state)
        assert copy.question() == state.question()
        copy.apply(copy.legal_actions()[0])
        assert copy != state
        copy.undo()
        assert copy == state


@every_game
@each_way
def test_the_same_seed_gives_the_same_game_everywhere(game, native):
    known = json.loads((TOP / "tests/library/known.json").read_text())
    state = card_arena.new_game(game.name, seed=7, native=native)
    for _ in range(8 if game.name == "blackjack" else 30):
        before = state.clone()
        state.apply(state.legal_actions()[len(state.path) % len(state.legal_actions())])
    assert (before if state.is_over else state).question() == known[game.name]


@every_game
@each_way
def test_another_deal_that_a_seat_cant_tell_from_the_true_one(game, native):
    rng, differ = random.Random(4), 0
    for seed in range(12 if native else 2):
        state = begun(game, seed, rng.randrange(30), native)
        for seat in range(state.seats):
            other = state.resample(seat, rng)
            assert other.question(seat) == state.question(seat)
            assert other.observation(seat) == state.observation(seat)
            assert other.path == state.path
            assert other.legal_actions() == other.rules().legal_actions()
            differ += any(other.question(one) != state.question(one) for one in range(state.seats))
            again = other.resample((seat + 1) % state.seats, rng)
            assert again.question((seat + 1) % state.seats) == other.question(
                (seat + 1) % state.seats
            )
            for _ in range(10):
                other.apply(rng.choice(other.legal_actions()))
                if other.is_over:
                    break
                assert other.question() == other.rules().question()
    assert differ or game.name == "blackjack", "the others hold other cards"


def test_all_deals_that_a_seat_cant_tell_apart_are_equally_likely():
    state = card_arena.new_game("spades", seed=5)
    while state.question().split()[5].count(",") > 1 or state.question().split()[8] != "-":
        state.apply(state.legal_actions()[-1])
    seat, rng = state.to_act, random.Random(1)
    found: dict[str, int] = {}
    for _ in range(3000):
        other = state.resample(seat, rng)
        key = " ".join(other.question(one).split()[5] for one in range(4))
        found[key] = found.get(key, 0) + 1
    expected = 3000 / len(found)
    square = sum((count - expected) ** 2 / expected for count in found.values())
    assert len(found) > 5
    freedom = len(found) - 1
    assert square < freedom + 5 * (2 * freedom) ** 0.5, found


@every_game
def test_a_stored_game_can_be_stepped_with_its_faults(game):
    rng = random.Random(6)

    class Wild:
        """Answers at random, and now and then with nonsense."""

        phase: Phase

        def ask(self, words: Sequence[str]) -> Said:
            legal = self.phase.legal_actions(self.phase.to_act)
            nonsense = rng.random() < 0.03
            return Said("nonsense" if nonsense else self.phase.write(legal.sample(rng)))

        def tell(self, line: str) -> None:
            pass

    for number in range(4):
        seats = max(2, game.seats[0])
        wild = Wild()
        start = game.rules.start(game.options(), seats)

        record = recorded(game, [wild] * seats, Packs(bytes(32), f"stored/{number}"), wild, start)
        data = json.loads(json.dumps(record.to_data()))
        asked = []
        for state, answer in replay(data):
            turn = record.turns[len(asked)]
            asked.append(answer)
            if not turn.fault:
                assert state.to_act >= 0
        assert state.is_over
        assert state.returns() == record.over.scores
        assert asked == [turn.action for turn in record.turns if turn.seat >= 0]


def recorded(game: Game, players: list[Any], packs: Packs, wild: Any, start: Phase) -> Record:
    """Play a game whose players see the phase before they are asked."""
    wild.phase = start

    class Dealer:
        def deal(self, choice: Any) -> Any:
            return packs.deal(choice)

    def follow(step: Step) -> None:
        wild.phase = step.after

    return play(game.rules, game.options(), players, Dealer(), watch=follow)


def test_a_wrong_table_is_one_clear_error():
    with pytest.raises(LookupError, match="there is no game 'spaeds': did you mean spades"):
        card_arena.new_game("spaeds")
    with pytest.raises(ValueError, match="goal"):
        card_arena.new_game("spades", {"goal": "much"})
    with pytest.raises(BadTable, match="spades seats 4 players, not 3"):
        card_arena.new_game("spades", seats=3)


@each_way
def test_any_whole_number_is_an_action(native):
    state = card_arena.new_game("spades", native=native)
    state.apply(np.int64(state.legal_actions()[3]))
    assert [type(action) for action in state.path] == [int]
    state.resample(np.int32(state.to_act), random.Random(1))
    assert state.text(np.int32(0)) == "2C"
    with pytest.raises(TypeError):
        state.apply(2.0)
    with pytest.raises(ValueError, match="spades has no action 68"):
        state.text(68)
    assert card_arena.new_game("blackjack", native=native).text(7 + 30) == "+30"


@each_way
def test_a_seat_that_isnt_there_is_one_clear_error(native):
    state = card_arena.new_game("spades", native=native)
    for ask in (state.observation, state.question, lambda seat: state.resample(seat, random)):
        for seat in (-1, 4):
            with pytest.raises(ValueError, match=f"there is no seat {seat} at a table of 4"):
                ask(seat)


def test_every_name_of_the_library_stays_what_it_is_after_all_have_been_used():
    card_arena.new_game("spades")
    for _ in range(2):
        for name in card_arena.__all__:
            assert not isinstance(getattr(card_arena, name), ModuleType), name


def test_without_the_core_everything_works_by_the_python_rules():
    code = """
import card_arena
state = card_arena.new_game("durak", seed=1)
assert not state.game.is_native
state.apply(state.legal_actions()[0])
try:
    card_arena.new_game("durak", native=True)
except RuntimeError as error:
    print(error)
"""
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"CARD_ARENA_CORE": "python"},
    )
    assert "durak is not compiled here: run python -m card_arena.library.native" in ran.stdout


def test_a_game_is_asked_without_any_package_of_the_server():
    code = """
import sys, card_arena
print(*sys.modules)
card_arena.new_game("spades").question()
print(*sys.modules)
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    imported, asked = (line.split() for line in ran.stdout.splitlines())
    before = {*subprocess.run(
        [sys.executable, "-c", "import sys; print(*sys.modules)"],
        capture_output=True, text=True, check=True,
    ).stdout.split()}  # fmt: skip
    known = {*sys.stdlib_module_names, *before}
    assert {name.partition(".")[0] for name in imported} - known == {"card_arena"}
    assert [name for name in imported if name.startswith("card_arena.")] == []
    others = {name.partition(".")[0] for name in asked if not name.startswith("_")} - known
    of_pydantic = {"annotated_types", "typing_extensions", "typing_inspection", "pydantic_core"}
    assert others - of_pydantic == {"card_arena", "pydantic"}
    rooms = {name.split(".")[1] for name in asked if name.startswith("card_arena.")}
    assert rooms == {"library", "tables", "common"}


def test_the_examples_of_the_documentation_run(tmp_path):
    game = GAMES["durak"]
    players = [Always(""), Always("")]
    record = play(game, game.options(), players, Packs(bytes(32), "example"))
    (tmp_path / "match.json").write_text(json.dumps({"records": [record.to_data()]}))
    page = (TOP / "docs/library.md").read_text()
    examples = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(examples) >= 5
    for example in examples:
        subprocess.run([sys.executable, "-c", example], check=True, cwd=tmp_path, env={})

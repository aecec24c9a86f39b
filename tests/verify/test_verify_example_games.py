"""`examples/verify` follows games as the arena's rules play them, and finds what was changed.

It was written from the pages of rules; here it meets random games at tables of many options.
"""

from __future__ import annotations

import ast
import json
import random
import re
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, get_args

import pytest

from card_arena.tables.encoding import asked_words
from card_arena.tables.game import CHANCE, Terminal
from card_arena.tables.record import Record
from card_arena.tables.registry import GAMES
from card_arena.tests.structure import OURS, imported
from card_arena.tests.tables.scripted import random_steps
from card_arena.tests.tournament.foreign import PROGRAM, part
from card_arena.tests.verify.example import SETTINGS

THEIRS = part("games")
TABLE = part("table")
WRONG = part("basics").Wrong

ROUND = {"buy_in_per": "round", "visible_scope": "round", "push": "return", "hands": 9}
POOR = {"afford": "over_20", "start_chips": 60, "dealer_stands_at": 18, "move_cap": 3}
CLUBS = {"first_dealer": "drawn", "first_lead": "two_of_clubs", "double_nil": False}
AUCTION = {"first_dealer": "seat_0", "auction_end": "three_passes", "recontra_by": "declarer"}
CLUB = {"petite": False, "chelem_by": "any", "trump_discards": "never", "poignees": "10/13/15"}
HALVES = {"petit_sec": "ignore", "redeals": 0, "excuse_last": "to_winner", "half_points": "kept"}

TABLES: list[tuple[str, int, dict[str, Any]]] = [
    *((name, seats, {}) for name, game in GAMES.items() for seats in game.seats if seats > 1),
    *(("blackjack", 3, GAMES["blackjack"].presets[name].model_dump()) for name in ("cardshark",)),
    ("blackjack", 4, ROUND),
    ("blackjack", 2, POOR),
    *(("spades", 4, preset.model_dump()) for preset in GAMES["spades"].presets.values()),
    ("spades", 4, {**CLUBS, "failed_nil_tricks": "contract"}),
    ("blot", 4, AUCTION),
    *(("tarot", 3, {**CLUB, "reach": reach}) for reach in ("at_least", "more")),
    ("tarot", 3, HALVES),
    *(("durak", 4, preset.model_dump()) for preset in GAMES["durak"].presets.values()),
    ("durak", 3, {"deck": 24, "transfer": "card", "refill": "throwers"}),
]


def random_record(
    name: str, seats: int, seed: int, options: dict[str, Any], prefixed: tuple[int, ...] = ()
) -> dict[str, Any]:
    """The record of a game of legal answers at random, as a season's file has it."""
    steps = random_steps(GAMES[name], seats, seed, **options)
    turns = [
        step.turn
        if step.turn.seat == CHANCE
        else step.turn._replace(
            question=" ".join(asked_words(GAMES[name], step.before, step.turn.seat, prefixed)),
            answer=step.turn.action,
        )
        for step in steps
    ]
    over, game = steps[-1].after, GAMES[name]
    assert isinstance(over, Terminal)
    whole = game.options(**options).model_dump(mode="json")
    told = tuple(turns)
    record = Record(name, game.version, whole, seats, (), told, (), over, prefixed=prefixed)
    data: dict[str, Any] = json.loads(json.dumps(record.to_data()))
    return data


def follow(record: dict[str, Any], seed: int) -> dict[str, list[int]]:
    """How the program says that a game ended; raises its `Wrong`."""
    play, asked, *_ = THEIRS.GAMES[record["game"]]
    key = seed.to_bytes(32, "big")
    table = TABLE.Table(record, asked.split(), key, "random/0", SETTINGS)
    end: dict[str, list[int]] = play(table, SimpleNamespace(**record["options"]))
    table.ended()
    assert table.wrong_packs == []
    return end


@pytest.mark.parametrize(("name", "seats", "options"), TABLES)
def test_it_follows_random_games_to_the_arenas_scores(
    name: str, seats: int, options: dict[str, Any]
) -> None:
    for seed in range(4):
        record = random_record(name, seats, seed, options)
        assert THEIRS.unknown(record) == ""
        end = follow(record, seed)
        assert end == {field: record["over"].get(field, []) for field in end}
        assert {*end} >= {"scores", "hands", "won"}


@pytest.mark.parametrize("options", [{}, GAMES["blackjack"].presets["cardshark"].model_dump()])
def test_it_knows_the_questions_of_bots_that_ask_for_the_prefix(options: dict[str, Any]) -> None:
    for seed in range(4):
        record = random_record("blackjack", 3, seed, options, prefixed=(0, 2))
        follow(record, seed)
        for wrong in ([0], [1], [0, 1, 2]):
            with pytest.raises(WRONG, match=r"turn \d+ (shows seat|asks)"):
                follow({**record, "prefixed": wrong}, seed)
        for wrong in ([], [2, 0], [0, 0, 2], [0, 2, 3]):
            with pytest.raises(WRONG, match="a prefix for seats that can't have one"):
                follow({**record, "prefixed": wrong}, seed)
    spades = random_record("spades", 4, 0, {})
    with pytest.raises(WRONG, match="a prefix for seats that can't have one"):
        follow({**spades, "prefixed": [0]}, 0)


def values() -> Iterator[tuple[str, str, object]]:
    """Every value of every option that has a few."""
    for name, game in GAMES.items():
        for option, field in game.options.model_fields.items():
            for value in get_args(field.annotation) or (True, False) * (field.annotation is bool):
                yield name, option, value


@pytest.mark.parametrize(("name", "option", "value"), [*values()])
def test_it_plays_every_value_of_an_option_or_says_that_it_does_not_know_it(
    name: str, option: str, value: object
) -> None:
    seats = 4 if 4 in GAMES[name].seats else 3
    try:
        record = random_record(name, seats, 5, {option: value})
    except ValueError:  # of options that exclude each other
        return
    if THEIRS.unknown(record):
        assert THEIRS.unknown(record) == f"{option}: {value}"
    else:
        end = follow(record, 5)
        assert end == {field: record["over"].get(field, []) for field in end}


@pytest.mark.parametrize("name", GAMES)
def test_an_answer_that_was_changed_does_not_fit_the_rest(name: str) -> None:
    rng = random.Random(14)
    record = random_record(name, GAMES[name].seats[-1], 1, {})
    turns = record["turns"]
    tried = 0
    while tried < 30:
        one, other = sorted(rng.sample(range(len(turns["seat"])), 2))
        if turns["action"][one] == turns["action"][other] or turns["seat"][one] == CHANCE:
            continue
        tried += 1
        was = turns["action"][one]
        turns["action"][one] = turns["action"][other]
        with pytest.raises((WRONG, LookupError, TypeError, ValueError)):
            follow(record, 1)
        turns["action"][one] = was
    follow(record, 1)


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("spades", {"blind_nil": "any"}, "blind_nil: any"),
        ("blot", {"declare": "bot"}, "declare: bot"),
        ("durak", {"throw_in": "several"}, "throw_in: several"),
    ],
)
def test_it_says_which_options_it_does_not_know(
    name: str, options: dict[str, Any], said: str
) -> None:
    record = random_record(name, 4, 1, options)
    assert THEIRS.unknown(record) == said
    record["options"]["a_new_one"] = 7
    assert "a_new_one: 7" in THEIRS.unknown(record)
    record["version"] = 99
    assert THEIRS.unknown(record) == f"{name}, version 99 of its rules"


def test_it_knows_every_option_that_the_games_have() -> None:
    for name, game in GAMES.items():
        *_, played, fixed = THEIRS.GAMES[name]
        names = {option.partition("=")[0] for option in played.split()} | {*fixed}
        assert names == {*game.options.model_fields}
        defaults = game.options().model_dump(mode="json")
        assert fixed.items() <= defaults.items()


def test_it_imports_nothing_but_the_standard_library() -> None:
    files = [*PROGRAM.rglob("*.py")]
    own = {each.relative_to(PROGRAM).parts[0].removesuffix(".py") for each in files}
    trees = [ast.parse(each.read_text()) for each in files]
    found = {name.partition(".")[0] for tree in trees for name in imported(ast.walk(tree))}
    assert found - own <= {*sys.stdlib_module_names}
    assert not own & {*OURS}


def lines(text: str) -> int:
    """The lines of code: without imports, blanks, comments and docstrings."""
    code = re.sub(r'""".*?"""', "", text, flags=re.DOTALL).splitlines()
    return sum(not re.match(r"\s*(#|from |import |$)", line) for line in code)


@pytest.mark.parametrize("game", GAMES)
def test_a_game_takes_seventy_lines_and_one_of_auctions_and_odd_cards_two_thirds_more(
    game: str,
) -> None:
    most = {"blot": 115, "tarot": 115}.get(game, 70)
    assert lines((PROGRAM / "games" / f"{game}.py").read_text()) <= most

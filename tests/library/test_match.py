"""Matches between functions and bots, and the command for them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from card_arena.commands.actions.match import MatchResult
from card_arena.common.errors import UserError
from card_arena.library.match import play_match
from card_arena.library.state import State
from card_arena.tables.game import IllegalAction
from card_arena.tests.cli.home import Home
from card_arena.tests.needs import need

BOTS = Path(__file__).parents[2] / "bots"
SHORT = {"max_rounds": 1}


def first(state: State) -> int:
    return state.legal_actions()[0]


def last(state: State) -> int:
    return state.legal_actions()[-1]


def test_functions_play_the_same_match_from_the_same_seed():
    match = play_match("spades", [first, last], boards=4, seed=3, options=SHORT)
    assert match == play_match("spades", [first, last], boards=4, seed=3, options=SHORT)
    assert [player.decisions for player in match.players] == [8 * 2 * 14] * 2
    assert len(match.games) == 8, "each board in both rotations"
    assert [game.seats for game in match.games[:2]] == [(0, 1, 0, 1), (1, 0, 1, 0)]
    ahead = [
        sum(
            (1 if seat == 0 else -1) * score
            for seat, score in zip(game.seats, game.scores, strict=True)
        )
        / 2
        for game in match.games
    ]
    assert match.players[0].margin.value == pytest.approx(sum(ahead) / len(ahead))
    assert match.players[1].margin.value == -match.players[0].margin.value


@pytest.mark.parametrize("name", ["spades", "blackjack", "durak", "tarot", "blot"])
def test_a_bot_in_a_sandbox_meets_a_function(name):
    need("bwrap")
    match = play_match(name, [BOTS / name / "random", first], boards=1, seed=1)
    bot, *functions = match.players
    assert bot.decisions
    assert not bot.faults
    assert all(one.decisions for one in functions)
    assert {one.name for one in functions} == {"first"}


def test_the_same_cards_are_dealt_to_functions_and_to_bots():
    def wrapped(state: State) -> int:
        return first(state)

    seen: list[list[str]] = []

    def noting(state: State) -> int:
        seen[-1].append(state.question().split()[5])
        return first(state)

    for opponent in (wrapped, BOTS / "spades" / "random"):
        seen.append([])
        play_match("spades", [noting, opponent], seed=5, options=SHORT)
    assert seen[0][0] == seen[1][0]


def test_players_that_dont_fit_are_one_clear_error(tmp_path):
    with pytest.raises(ValueError, match="a table of 4 at spades takes 2 or 4 players, not 3"):
        play_match("spades", [first] * 3)
    with pytest.raises(ValueError, match="a match has at least two players, not 1"):
        play_match("blackjack", [first])
    with pytest.raises(UserError, match="plays durak and not spades"):
        play_match("spades", [BOTS / "durak" / "random", first])
    with pytest.raises(UserError, match="does not exist"):
        play_match("spades", [tmp_path / "none", first])
    with pytest.raises(IllegalAction, match="action 99999 is not legal now"):
        play_match("spades", [lambda state: 99_999, first])


def test_a_match_without_a_database(tmp_path):
    need("bwrap")
    home = Home(tmp_path)
    bots = [BOTS / "spades" / "random"] * 2
    words = ("match", "spades", *bots, "--boards", 2, "--seed", 9, "--options", "max_rounds=1")
    one, again = (MatchResult(**json.loads(home.done(*words, "--json"))) for _ in range(2))
    assert [game.board for game in one.games] == [0, 0, 1, 1]
    assert {len(game.scores) for game in one.games} == {4}
    assert again.boards == 2
    assert "points a game" in home.done(*words)
    assert not [*tmp_path.glob("**/*.db")]
    assert "takes 2 or 4 players" in home.refused("match", "spades", bots[0])
    assert "did you mean goal" in home.refused("match", "spades", *bots, "--options", "goall=3")


def test_a_bot_gets_the_prefix_that_it_asks_for_and_its_fault_has_its_standard_error(tmp_path):
    need("bwrap")
    (tmp_path / "bot.yaml").write_text(
        "name: prefixed\ngames: [blackjack]\nprotocol: argv\nprefix: true\nlanguage: shell\n"
    )
    program = '[ "$1" = blackjack ] && echo S || echo "no prefix"\n'
    (tmp_path / "bot.sh").write_text(program)
    players = [tmp_path, first]
    asked, _ = play_match("blackjack", players).players
    assert asked.decisions
    assert not asked.faults
    (tmp_path / "bot.sh").write_text("echo what was that >&2; echo nonsense\n")
    wrong, _ = play_match("blackjack", players).players
    assert wrong.first_fault is not None
    assert wrong.first_fault["kind"] == "malformed"
    assert wrong.first_fault["answer"] == "nonsense"
    assert "what was that" in wrong.first_fault["stderr"]


@pytest.mark.parametrize(
    ("name", "boards", "options"),
    [
        ("blackjack", 40, {}),
        ("spades", 10, {"max_rounds": 2}),
        ("blot", 20, {"max_deals": 2}),
        ("tarot", 6, {"deals": 2}),
        ("durak", 20, {}),
    ],
)
def test_the_starter_in_python_beats_random_in_every_game(name, boards, options):
    need("bwrap")
    players = [BOTS / "starters" / "python", BOTS / name / "random"]
    seats = len(players) if name in ("blackjack", "durak") else None
    match = play_match(name, players, boards=boards, seed=1, options=options, seats=seats)
    starter = match.players[0]
    assert not starter.faults
    assert starter.margin.low is not None
    assert starter.margin.low > 0

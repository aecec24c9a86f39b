"""The transcripts that authors download: each is a whole game, played again from the file alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from card_arena.tables.cards import cards
from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE, Terminal
from card_arena.tables.legal_actions import Order
from card_arena.tables.registry import GAMES
from card_arena.tables.transcript import transcript
from card_arena.tests.documentation import TOP, TRANSCRIPTS


def lines_of(name: str) -> list[str]:
    return (TOP / TRANSCRIPTS[name]).read_text().splitlines()


def told(lines: list[str]) -> Iterator[tuple[str, str]]:
    """What each line of a transcript is, and its text; remarks for people are left out."""
    for line in lines:
        kind, text = line[:16].strip(), line[18:]
        if kind:
            yield kind, text


def options_of(text: str) -> dict[str, Any]:
    return {} if text == "the defaults" else yaml.safe_load(f"{{{text}}}")


@pytest.mark.parametrize("name", GAMES)
def test_a_transcript_is_what_the_rules_make_of_its_cards_and_answers(name: str):
    """`python -m card_arena.tests.documentation` writes it anew."""
    game = GAMES[name]
    told_lines = told(lines_of(name))
    head = dict(next(told_lines) for _ in range(3))
    found = re.fullmatch(rf"{name}, rules version (\d+), (\d+) seats", head["the game"])
    assert found
    assert int(found[1]) == game.version
    top = cards(head["the pack"].removesuffix(" ..."))
    phase: Any = game.start(game.options(**options_of(head["the options"])), int(found[2]))
    asked = 0
    while not isinstance(phase, Terminal):
        seat = phase.to_act
        choice = phase.legal_actions(seat)
        if seat == CHANCE:
            action = choice.fallback_action
            if isinstance(choice, Order):
                action = (*top, *(card for card in choice.pack if card not in top))
        else:
            question = " ".join(words(phase.question(seat)))
            assert next(told_lines) == (f"seat {seat} is asked", question)
            kind, answer = next(told_lines)
            assert kind == "answers"
            action = phase.read(answer)
            asked += 1
        assert action in choice
        phase, notices = phase.apply(action)
        for notice in notices:
            assert next(told_lines) == ("all are told", f"# {notice}")
    scores = ", ".join(f"seat {seat} {score:+}" for seat, score in enumerate(phase.scores))
    assert [*told_lines] == [("the scores", scores)]
    assert asked == len(game.example.answers)


@pytest.mark.parametrize("name", GAMES)
def test_a_transcript_is_that_of_the_games_example(name: str):
    assert transcript(GAMES[name]) == lines_of(name)

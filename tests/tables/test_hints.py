"""What was meant by a line that is no answer."""

from __future__ import annotations

import pytest

from card_arena.tables.game import Phase
from card_arena.tables.hints import hint_for, hint_text
from card_arena.tables.registry import GAMES
from card_arena.tests.tables.scripted import random_steps
from card_arena.tournament.play.match import first_question


def phase(game: str, kind: str = "") -> Phase:
    """The first position of a game in which a bot is asked, or the first of a kind."""
    if not kind:
        return first_question(GAMES[game], GAMES[game].options())
    steps = random_steps(GAMES[game], GAMES[game].seats[-1], 1)
    return next(step.before for step in steps if type(step.before).__name__ == kind)


@pytest.mark.parametrize(
    ("game", "line", "what", "meant"),
    [
        ("blackjack", '"H"', "quotes and brackets", "H"),
        ("blackjack", "['S']", "quotes and brackets", "S"),
        ("blackjack", "('S',)", "punctuation", "S"),
        ("blackjack", '{"answer": "H"}', "the answer's name", "H"),
        ("blackjack", "answer=H", "the answer's name", "H"),
        ("blackjack", "\ufeffH", "byte order mark", "H"),
        ("blackjack", "\\xff\\xfeH\x00", "UTF-16", "H"),
        ("blackjack", "B10", "a blank stands before the number", "B 10"),
        ("blackjack", "I take H", "more than the answer", "H"),
        ("blackjack", "B 10 chips", "more than the answer", "B 10"),
        ("spades", "4.0", "a whole number", "4"),
    ],
)
def test_a_slip_is_named_with_what_to_print(game: str, line: str, what: str, meant: str) -> None:
    hint = hint_text(hint_for(line, phase(game).read))
    assert what in hint
    assert f"{hint}, and".partition(", and")[0].endswith(f"print just {meant}")


@pytest.mark.parametrize(
    ("line", "what", "meant"),
    [
        ("10H", "a ten is written T", "TH"),
        ("HK", "its rank and then its suit", "KH"),
        ("S10", "its rank and then its suit", "TS"),
        ("K♠", "suits are the letters", "KS"),
    ],
)
def test_a_card_that_is_written_otherwise_is_named(line: str, what: str, meant: str) -> None:
    hint = hint_text(hint_for(line, phase("spades", "Playing").read))
    assert what in hint
    assert hint.endswith(f"print just {meant}")


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("", "the line is empty"),
        ("None", "printed None, which is no value"),
        ("undefined", "printed undefined, which is no value"),
        ("what did I hold there", "goes to standard error"),
    ],
)
def test_a_line_without_an_answer_is_told_what_it_looks_like(line: str, hint: str) -> None:
    assert hint in hint_text(hint_for(line, phase("blackjack").read))


def test_nothing_is_said_of_a_line_that_no_slip_explains() -> None:
    asked = phase("blackjack")
    assert hint_for("hit", asked.read) == {}
    assert hint_text({}) == ""

"""The champion of durak: legal answers, exact endings, and deals that agree with the play."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from card_arena.tables.encoding import words
from card_arena.tables.evaluation import evaluate_words, evaluated_answers, read_scores
from card_arena.tables.game import CHANCE, Terminal
from card_arena.tables.registry import game
from card_arena.tests.bots.durak_positions import positions
from card_arena.tests.bots.house import compiled
from card_arena.tests.tables.scripted import random_steps

DURAK = game("durak")
DRAWN = 200


@pytest.fixture(scope="module")
def champion(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The champion with a small budget, compiled."""
    program = tmp_path_factory.mktemp("champion") / "champion"
    return compiled("durak", "champion", program, "-DBUDGET=60")


@pytest.fixture(scope="module")
def dealer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that prints the deals that the champion draws."""
    program = tmp_path_factory.mktemp("dealer") / "dealer"
    main = Path(__file__).with_name("durak_deals.c")
    return compiled("durak", "champion", program, "-DBUDGET=60", main=main)


def answers(program: Path, questions: Sequence[Sequence[str]]) -> list[str]:
    told = "".join(f"{' '.join(question)}\n# notices\n" for question in questions)
    done = subprocess.run([program], input=told, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_every_answer_is_legal_on_every_table(champion: Path) -> None:
    asked = [(phase, question) for _, phase, question in positions(range(20))]
    lines = answers(champion, [question for _, question in asked])
    assert len(lines) == len(asked) > 1000
    for line, (phase, question) in zip(lines, asked, strict=True):
        assert phase.read(line) in phase.legal_actions(phase.to_act), question


def test_every_legal_answer_has_an_expected_score(champion: Path) -> None:
    asked = [(phase, question) for _, phase, question in positions(range(30, 36))]
    asked = [(phase, question) for phase, question in asked if evaluated_answers(phase)]
    lines = answers(champion, [evaluate_words(question, 1) for _, question in asked])
    assert len(lines) == len(asked) > 200
    for line, (phase, question) in zip(lines, asked, strict=True):
        scores = read_scores(line, evaluated_answers(phase) or ())
        most = 2 * len(DURAK.sides(phase.bout.options, len(phase.bout.hands))) - 2
        assert all(0 <= score <= most for score in scores.values()), question


def test_the_same_question_has_the_same_answer_by_either_protocol(champion: Path) -> None:
    *_, (_, _, question) = positions(range(1))
    (line,) = answers(champion, [question])
    done = subprocess.run([champion, *question], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [line]


def test_words_of_no_game_get_a_legal_answer(champion: Path) -> None:
    question = "durak attack 7H,8H x 7H,8H D:7D 9 6,,6 - 0 1 6 0:7H,9:zz/1"
    assert answers(champion, [question.split(), ["durak"]]) == ["7H", "-"]


def endings(cards: int) -> Iterator[tuple[Any, list[str]]]:
    """Questions of games for two without a talon, with so many cards in the hands at most."""
    for seed in range(12):
        for step in random_steps(DURAK, 2, seed, deck=24):
            phase: Any = step.before
            if step.turn.seat == CHANCE or phase.bout.talon or len(phase.legal) == 1:
                continue
            if sum(map(len, phase.bout.hands)) <= cards:
                yield phase, list(words(phase.question(phase.seat)))


def worth(phase: Any, seat: int, known: dict[Any, int]) -> int:
    """The score of a seat by the rules if both play as well as they can."""
    if isinstance(phase, Terminal):
        return phase.scores[seat]
    key = (phase.bout._replace(history="", number=2, swept=()), phase.seat, seat)
    if key not in known:
        values = (worth(phase.apply(action)[0], seat, known) for action in phase.legal)
        known[key] = max(values) if phase.to_act == seat else min(values)
    return known[key]


def test_endings_are_worth_what_the_rules_make_of_them(champion: Path) -> None:
    known: dict[Any, int] = {}
    asked = list(endings(cards=6))
    lines = answers(champion, [evaluate_words(question, 1) for _, question in asked])
    played = answers(champion, [question for _, question in asked])
    values = []
    for line, answer, (phase, question) in zip(lines, played, asked, strict=True):
        exact = {
            phase.write(action): worth(phase.apply(action)[0], phase.seat, known)
            for action in phase.legal
        }
        assert read_scores(line, evaluated_answers(phase) or ()) == exact, question
        assert exact[phase.write(phase.read(answer))] == max(exact.values()), question
        values.append(max(exact.values()))
    assert min(values.count(0), values.count(2)) > 3


def test_a_deal_is_whole_and_holds_what_is_known_on_every_table(dealer: Path) -> None:
    asked = [(phase, question) for _, phase, question in positions(range(6))][::5]
    deals = iter(answers(dealer, [question for _, question in asked]))
    for phase, question in asked:
        bout = phase.bout
        pack = {card for cards in (*bout.hands, bout.talon) for card in cards}
        for _ in range(DRAWN):
            *hands, talon = [set(part.split(",")) - {""} for part in next(deals).split("/")]
            assert [*map(len, hands)] == [*map(len, bout.hands)], question
            assert set().union(*hands, talon) == pack, question
            assert hands[phase.seat] == set(bout.hands[phase.seat]), question
            assert len(talon) == len(bout.talon), question


def held(dealer: Path, question: str, seat: int) -> dict[str, float]:
    """How often a seat holds each card in the deals that are drawn."""
    hands = [line.split("/")[seat].split(",") for line in answers(dealer, [question.split()])]
    cards = {card for hand in hands for card in hand}
    return {card: sum(card in hand for hand in hands) / len(hands) for card in cards}


def test_cards_that_were_picked_up_are_known_until_they_are_laid(dealer: Path) -> None:
    hand = "0 4C,5C,6C,7C,8C,9C D:7D"
    taken = held(dealer, f"durak attack 4C {hand} 38 6,8 - 0 1 6 0:QC,1:take,0:QS,0:done", 1)
    assert taken["QC"] == taken["QS"] == 1
    history = "0:QC,1:take,0:QS,0:done/0:3C,1:4H/1:QS"
    laid = held(dealer, f"durak defend take {hand} 37 6,6 QS- 1 0 5 {history}", 1)
    assert laid["QC"] == 1
    assert "QS" not in laid


def test_what_was_played_makes_cards_more_or_less_likely(dealer: Path) -> None:
    hand = "0 6C,8C,9C,TC,QC,KC D:7D"
    took = held(dealer, f"durak attack 6C {hand} 23 6,7 - 0 1 6 0:TS,1:take", 1)
    assert took["QS"] + took["KS"] < took["QH"] + took["KH"]
    threw_nothing_in = held(dealer, f"durak attack 6C {hand} 22 6,6 - 0 1 6 1:TH,0:JH", 1)
    assert threw_nothing_in.get("JC", 0) + threw_nothing_in.get("JS", 0) < 0.25
    assert threw_nothing_in["QH"] + threw_nothing_in["QS"] > 0.25
    kept = held(dealer, f"durak attack 6C {hand} 22 6,6 - 0 1 6 1:TH,0:JH,1:done", 1)
    assert kept["JC"] + kept["JS"] + kept["JD"] + kept["TD"] > 1.1

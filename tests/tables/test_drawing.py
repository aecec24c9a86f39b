"""What a table looks like in a terminal."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from card_arena.common.faults import Fault, FaultEvent
from card_arena.tables.cards import TAROT_PACK, Card, card, cards
from card_arena.tables.drawing import card_text, draw, fanned, narrate, show, with_suit_signs
from card_arena.tables.game import CHANCE, Presentation
from card_arena.tables.legal_actions import Pick
from card_arena.tables.record import Turn
from card_arena.tables.referee import Step
from card_arena.tables.registry import GAMES, game
from card_arena.tables.scene import Pile, Place, Scene, Shown
from card_arena.tests.tables.scripted import random_steps

NAMES = ("ada", "bob", "cy", "dee")


def laid(text: str) -> tuple[Shown, ...]:
    return tuple(map(Shown, cards(text)))


def hidden(text: str) -> tuple[Shown, ...]:
    return tuple(Shown(card, face_down=True) for card in cards(text))


SPADES = Scene(
    "round 2",
    (
        Place(
            0,
            laid("2C 9S AS KH TH 2H QD JD 7D 9C 8C 3C"),
            (("score", "120"), ("bid", "4"), ("took", "1")),
            in_hand=True,
            played=laid("7H"),
        ),
        Place(
            1,
            laid("5H 6H AH KS QS JS TS 8S KD 4D 4C 6C QC"),
            (("score", "85"), ("bid", "3"), ("took", "0")),
            to_act=True,
            in_hand=True,
        ),
    ),
    facts=(("trick", "2"), ("spades", "not broken")),
)


def test_a_hidden_hand_is_a_number_of_cards_while_a_game_is_played():
    assert draw(SPADES, NAMES) == [
        "round 2",
        "  trick 2   spades not broken",
        "  ada  7♥    12 cards  score 120   bid 4     took 1",
        "> bob        13 cards  score 85    bid 3     took 0",
    ]


def test_a_hidden_hand_is_open_afterwards_in_the_order_in_which_people_hold_one():
    assert draw(SPADES, NAMES, reveal=True) == [
        "round 2",
        "  trick 2   spades not broken",
        "  ada  7♥    score 120   bid 4     took 1",
        "       A♠ 9♠ K♥ 10♥ 2♥ 9♣ 8♣ 3♣ 2♣ Q♦ J♦ 7♦",
        "> bob        score 85    bid 3     took 0",
        "       K♠ Q♠ J♠ 10♠ 8♠ A♥ 6♥ 5♥ Q♣ 6♣ 4♣ K♦ 4♦",
    ]


def test_one_card_and_no_cards_are_counted_in_words():
    scene = Scene("deal 1", (Place(0, laid("2C"), in_hand=True), Place(1, in_hand=True)))
    assert [line[2:].split("  ", 1)[1].strip() for line in draw(scene, NAMES)[1:]] == [
        "1 card",
        "no cards",
    ]


@pytest.mark.parametrize("width", [60, 80])
def test_a_hand_of_thirty_cards_is_told_in_lines_that_fit(width):
    place = Place(0, tuple(map(Shown, TAROT_PACK[44:74])), (("score", "-120"),), in_hand=True)
    lines = draw(
        Scene("deal 3 of 12", (place,)), ("a-name-of-thirty-two-characters-",), reveal=True
    )
    lines = draw(Scene("deal 3 of 12", (place,)), NAMES, reveal=True, width=width)
    assert max(map(len, lines)) <= width
    told = " ".join(lines[2:]).split()
    assert sorted(told) == sorted(card_text(shown.card) for shown in place.cards)


@pytest.mark.parametrize("reveal", [False, True])
@pytest.mark.parametrize("width", [60, 80])
def test_many_facts_of_a_place_go_on_in_a_second_line(width, reveal):
    facts = tuple((f"fact{n}", "1 of 20") for n in range(6))
    place = Place(0, laid("2C 3C 4C"), facts, in_hand=True, played=laid("7H"), took=True)
    lines = draw(Scene("deal", (place,), facts=facts), NAMES, width=width, reveal=reveal)
    assert max(map(len, lines)) <= width
    assert " ".join(lines).count("fact5 1 of 20") == 2
    assert any(line.endswith("took it") for line in lines)


def test_cards_that_lie_face_down_are_backs_in_a_game_and_bracketed_afterwards():
    scene = Scene("deal 1", (Place(0),), piles=(Pile("dog", hidden("3C EX") + laid("KH")),))
    assert draw(scene, NAMES)[1] == "  dog  ░░ ░░ K♥"
    assert draw(scene, NAMES, reveal=True)[1] == "  dog  [3♣] [Exc] K♥"


def test_a_heap_of_cards_face_down_is_counted():
    talon = Pile("talon", hidden("3C 4C 5C 6C 7C 8C 9C") + laid("7D"))
    assert draw(Scene("bout 1", (Place(0),), piles=(talon,)), NAMES)[1] == "  talon  ░░×7 7♦"


def test_an_attack_and_what_beat_it_hold_together():
    piles = (Pile("", laid("7S 9S")), Pile("", laid("9H")), Pile("talon", laid("6D")))
    lines = draw(Scene("bout 5", (Place(0),), piles=piles), NAMES)
    assert lines[1:3] == ["  7♠-9♠ 9♥", "  talon  6♦"]


def test_the_cards_of_tarot_have_their_own_signs():
    assert [card_text(card(text)) for text in ("A1", "A21", "EX", "NS", "1D", "TC")] == [
        "1★",
        "21★",
        "Exc",
        "N♠",
        "1♦",
        "10♣",
    ]


def test_a_hand_of_tarot_begins_with_the_excuse_and_the_trumps():
    hand = fanned(laid("KD 3S A2 NC EX A21 1C QC"))
    assert " ".join(shown.card for shown in hand) == "EX A21 A2 3S QC NC 1C KD"


def test_the_cards_in_an_answer_are_told_with_their_signs():
    assert with_suit_signs("A7 show A1,A2,EX") == "7★ show 1★,2★,Exc"
    assert with_suit_signs("9H TS 7H+T 7H+7S") == "9♥ 10♠ 7♥+T 7♥+7♠"
    assert with_suit_signs("B 15") == "B 15"


def test_a_knight_is_no_bid_without_trumps():
    assert with_suit_signs("NS") == "N♠"


@pytest.mark.parametrize(
    ("bid", "spoken"),
    [("24S", "24♠"), ("25Hc", "25♥ capot"), ("10N", "10 no-trump"), ("P", "P")],
)
def test_a_bid_is_told_as_its_game_says_it(bid, spoken):
    rules = game("blot")
    asked = next(step for step in random_steps(rules, 4, 1) if step.turn.seat != CHANCE)
    step = asked._replace(turn=asked.turn._replace(action=bid))
    assert narrate(rules, step, NAMES) == [f"{NAMES[step.turn.seat]}: {spoken}"]


class Remarkable:
    """A game with one remark and one scene."""

    presentation = Presentation(
        scene=lambda phase: SPADES,
        remark=lambda before, after, names: f"{names[0]} takes the trick",
    )


class Discarding:
    """A phase in which a seat puts two cards away."""

    def legal_actions(self, seat):
        return Pick(2, cards("2C 3C 4C"), verb="puts away")


def test_cards_that_were_put_away_are_told_only_afterwards():
    step = Step(3, Turn(0, "2C,4C"), Discarding(), Discarding(), ())
    assert narrate(Remarkable(), step, NAMES) == ["ada: puts away 2 cards"]
    assert narrate(Remarkable(), step, NAMES, reveal=True) == ["ada: 2♣,4♣"]


def test_a_fault_is_told_with_question_answer_and_the_end_of_standard_error():
    fault = FaultEvent(Fault.MALFORMED, "no-line")
    turn = Turn(0, "2C,4C", "discard 2C,3C,4C", "\x1b[31mwhat?", fault=fault)
    noise = "".join(f"line {n}\n" for n in range(100))
    step = Step(3, turn, Discarding(), Discarding(), (), noise)
    first, fallback_action, asked, answered, *stderr = narrate(Remarkable(), step, NAMES)
    assert first == "ada: malformed, strike: ended without an answer"
    assert fallback_action == "    fallback action  puts away 2 cards"
    assert asked == "    asked     discard 2C,3C,4C"
    assert answered == "    answered  \\x1b[31mwhat?"
    assert stderr == [f"    stderr    line {n}" for n in range(88, 100)]


def test_what_a_turn_came_to_is_told_in_the_words_of_the_game():
    step = Step(3, Turn(0, "2C,4C"), Discarding(), Discarding(), ())
    assert list(show(Remarkable(), step, NAMES))[1] == "ada takes the trick"


def test_a_long_remark_is_told_in_lines_that_fit(monkeypatch):
    remark = " ".join(f"word{n}" for n in range(40))
    drawn = Presentation(scene=lambda phase: SPADES, remark=lambda *_: remark)
    monkeypatch.setattr(Remarkable, "presentation", drawn)
    step = Step(3, Turn(0, "2C,4C"), Discarding(), Discarding(), ())
    _, *lines = show(Remarkable(), step, NAMES, width=60)
    assert " ".join(lines) == remark
    assert max(map(len, lines)) <= 60


def test_facts_of_one_name_stand_below_each_other():
    places = (
        Place(0, facts=(("bid", "contre!"), ("took", "2"))),
        Place(1, facts=(("bid", "pass"), ("took", "0"))),
    )
    _, first, second = draw(Scene("deal 1", places), NAMES)
    assert first.index("took") == second.index("took")


def test_a_card_among_the_facts_has_the_sign_of_its_suit():
    place = Place(0, facts=(("shows", "9H"), ("took", "1 of 13")))
    assert draw(Scene("deal 1", (place,)), NAMES)[1].endswith("shows 9♥    took 1 of 13")


def test_a_table_of_open_cards_is_drawn_as_it_is_seen():
    step = next(
        step for step in random_steps(game("blackjack"), 2, 2011) if step.turn.seat != CHANCE
    )
    dealer, first, second = draw(game("blackjack").presentation.scene(step.before), NAMES)[1:]
    assert dealer.endswith("░░")
    assert first.startswith("> ada  ")
    assert len({first.index("score"), second.index("score")}) == 1


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_no_card_of_a_hidden_hand_is_drawn_while_a_game_is_played(rules):
    names = [f"seat{seat}" for seat in range(rules.seats[-1])]
    for step in random_steps(rules, len(names), 7)[:300]:
        scene = without_words(rules.presentation.scene(step.before))
        drawn = re.split("[ -]+", " ".join(draw(scene, names)))
        open_, closed = seen(scene)
        assert not {card_text(card) for card in closed - open_} & set(drawn)
        assert {card_text(card) for card in open_} <= set(drawn)


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_every_card_of_a_scene_is_drawn_once_a_game_is_over(rules):
    names = [f"seat{seat}" for seat in range(rules.seats[-1])]
    for step in random_steps(rules, len(names), 8)[:300]:
        scene = rules.presentation.scene(step.before)
        drawn = re.split(r"[ \[\]-]+", " ".join(draw(scene, names, reveal=True)))
        open_, closed = seen(scene)
        assert {card_text(card) for card in open_ | closed} <= set(drawn)


def without_words(scene: Scene) -> Scene:
    """A scene without its facts: a bid may read like a card."""
    return replace(
        scene, facts=(), places=tuple(replace(place, facts=()) for place in scene.places)
    )


def seen(scene: Scene) -> tuple[set[Card], set[Card]]:
    """The cards that lie open on a table, and those that somebody there doesn't see."""
    open_, closed = set(), set()
    for place in scene.places:
        for shown in place.cards:
            (closed if shown.face_down or place.in_hand else open_).add(shown.card)
    for shown in (
        *(shown for place in scene.places for shown in place.played),
        *(shown for pile in scene.piles for shown in pile.cards),
    ):
        (closed if shown.face_down else open_).add(shown.card)
    return open_, closed


def test_a_trick_is_a_line_a_card_and_then_the_table():
    game = GAMES["spades"]
    steps = random_steps(game, 4, 1)
    names = ["ann", "bob", "cy", "di"]
    first = next(n for n, step in enumerate(steps) if "takes the trick" in remark_on(game, step))
    shown = [list(show(game, step, names)) for step in steps[first - 3 : first + 1]]
    assert [len(lines) for lines in shown[:3]] == [1, 1, 1]
    assert shown[3][0].startswith(tuple(names))
    assert "takes the trick" in shown[3][1]
    assert len(shown[3]) > 5


def remark_on(game, step):
    return game.presentation.remark(step.before, step.after, ["ann", "bob", "cy", "di"])

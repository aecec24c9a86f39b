"""Durak against a second implementation: what each seat may know, and every way a game can go.

A seat knows its own hand, the trumps and the card that shows them, how large the talon and every
hand is, the table with both roles, how many cards can still be laid, and all that was laid or said.
Everybody is told a bout when it is over: what was laid and said in it, and nothing that was drawn.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from card_arena.tables.durak import Durak
from card_arena.tables.durak.bout import Options, Say, in_order
from card_arena.tables.durak.messages import BoutOver
from card_arena.tables.durak.phases import Asked, Attacking, Defending, Shuffling, Throwing
from card_arena.tables.encoding import words
from card_arena.tables.game import Terminal
from card_arena.tests.tables.durak_model import Model, random_table

GAME = Durak()


def side_by_side(seed, options, seats):
    """Play a random game by the rules and by the model; gives every question with the model.

    What everybody is told is compared on the way.
    """
    rng = random.Random(seed)
    phase = GAME.start(Options(**options), seats)
    order = phase.legal_actions(-1).sample(rng)
    phase, notices = phase.apply(order)
    model = Model(options, seats, [str(c) for c in order])
    assert list(map(str, notices)) == model.notices
    while not isinstance(phase, Terminal):
        assert not model.over
        yield phase, model
        action = phase.legal_actions(phase.to_act).sample(rng)
        model.play(phase.write(action).replace(" ", ":"))
        phase, notices = phase.apply(action)
        assert list(map(str, notices)) == model.notices
    assert model.over
    assert phase.scores == tuple(model.scores())


def compare(seeds):
    """How many questions of each phase are word for word what the seat may know."""
    seen = dict.fromkeys(("attack", "defend", "throw", "give"), 0)
    for seed in seeds:
        options, seats = random_table(random.Random(seed))
        for phase, model in side_by_side(seed, options, seats):
            asked = words(phase.question(phase.to_act))
            assert list(asked) == model.words()
            seen[asked[1]] += 1
    return seen


def test_a_question_holds_what_the_seat_may_know_and_nothing_else():
    seen = compare(range(250))
    assert min(seen.values()) > 1500, seen


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_default_table_goes_as_the_model_says(seats):
    for seed in range(15):
        for phase, model in side_by_side(seed, {}, seats):
            assert list(words(phase.question(phase.to_act))) == model.words()


def test_every_card_is_in_a_hand_in_the_talon_on_the_table_or_gone():
    for seed in range(40):
        options, seats = random_table(random.Random(seed))
        gone = 0
        for phase, _ in side_by_side(seed, options, seats):
            bout = phase.bout
            held = [c for hand in bout.hands for c in hand]
            there = [*held, *bout.talon, *bout.attacks, *bout.defences]
            assert len(set(there)) == len(there) == options["deck"] - bout.discarded
            assert bout.discarded >= gone
            gone = bout.discarded


LEAKS = {
    "the card to be drawn next": lambda bout, asked: replace(
        asked, talon=f"{asked.talon}:{bout.talon[0] if bout.talon else ''}"
    ),
    "another seat's cards": lambda bout, asked: replace(
        asked, sizes="/".join(",".join(hand) for hand in bout.hands)
    ),
    "all hands on a table that is not open": lambda bout, asked: replace(
        asked, hands="/".join(",".join(hand) for hand in bout.hands)
    ),
    "what the others can throw in": lambda bout, asked: replace(
        asked,
        left=sum(c.rank in str(bout.attacks) for hand in bout.hands for c in hand),
    ),
    "the hand of the seat after": lambda bout, asked: replace(
        asked, hand=",".join(bout.hands[(asked.seat + 1) % len(bout.hands)]) or "-"
    ),
}


@pytest.mark.parametrize("leak", LEAKS.values(), ids=LEAKS)
def test_a_leak_is_noticed(monkeypatch, leak):
    honest = Asked.question
    monkeypatch.setattr(Asked, "question", lambda self, seat: leak(self.bout, honest(self, seat)))
    with pytest.raises(AssertionError):
        compare(range(3))


def test_a_public_deal_is_noticed(monkeypatch):
    honest = Shuffling.dealt

    def public(shuffling, order):
        phase, _ = honest(shuffling, order)
        return phase, (BoutOver(0, ",".join(order), "dealt"),)

    monkeypatch.setattr(Shuffling, "dealt", public)
    with pytest.raises(AssertionError):
        compare(range(1))


def test_notices_of_the_cards_that_were_drawn_are_noticed(monkeypatch):
    honest = Throwing.apply

    def telling(phase, action):
        after, notices = honest(phase, action)
        drawn = ",".join(phase.bout.talon[:6])
        return after, [replace(told, plays=f"{told.plays},{drawn}") for told in notices]

    monkeypatch.setattr(Throwing, "apply", telling)
    with pytest.raises(AssertionError):
        compare(range(3))


def test_swapping_cards_that_the_seat_has_not_seen_changes_no_question():
    changed = 0
    for seed in range(120):
        options, seats = random_table(random.Random(seed))
        rng = random.Random(seed)
        for phase, _ in side_by_side(seed, options | {"open_hands": False}, seats):
            swapped = swap_unseen(phase, rng)
            changed += swapped.bout != phase.bout
            assert swapped.question(phase.seat) == phase.question(phase.seat)
    assert changed > 5000


def swap_unseen(phase, rng):
    """The same position with the other hands and the talon dealt anew, asked of the same seat."""
    bout, me = phase.bout, phase.seat
    hidden = [c for seat, hand in enumerate(bout.hands) for c in hand if seat != me]
    hidden += bout.talon[:-1]
    rng.shuffle(hidden)
    talon = (*[hidden.pop() for _ in bout.talon[:-1]], *bout.talon[-1:])
    hands = tuple(
        hand if seat == me else in_order([hidden.pop() for _ in hand], bout.trump.suit)
        for seat, hand in enumerate(bout.hands)
    )
    bout = bout._replace(talon=talon, hands=hands)
    if isinstance(phase, Attacking):
        legal = bout.layable(hands[me])
    elif isinstance(phase, Defending):
        attack = bout.attacks[len(bout.defences)]
        legal = (*bout.defences_to(attack), *bout.transfers(), Say.TAKE)
    else:
        ranks = {c.rank for c in (*bout.attacks, *bout.defences)}
        matching = [c for c in hands[me] if c.rank in ranks]
        legal = (*bout.layable(matching), Say.DONE)
    return type(phase)(bout, me, legal)


class TestTrees:
    """Late positions, played in every way there is, by the rules and by the model."""

    @pytest.mark.parametrize(
        ("seats", "deck", "options", "late"),
        [
            (2, 24, {}, 7),
            (2, 24, {"transfer": "show_trump"}, 7),
            (2, 24, {"throw_in": "several"}, 7),
            (3, 24, {}, 7),
            (3, 24, {"transfer": "card", "throwers": "neighbours"}, 7),
            (3, 24, {"throw_after_take": False, "last_cards": "attacker_wins"}, 8),
            (4, 24, {"partners": True}, 8),
            (4, 24, {"throwers": "attacker", "refill": "seats"}, 7),
        ],
    )
    def test_every_way_to_the_end_is_the_models(self, seats, deck, options, late):
        options = {"deck": deck} | options
        ways = 0
        for seed in range(6):
            phase, model = late_position(seed, options, seats, late)
            ours = sorted(playouts(phase, depth=9))
            assert ours == sorted(model_playouts(model, depth=9))
            ways += len(ours)
        assert ways > 100


def late_position(seed, options, seats, cards):
    """An attack late in a random game: no talon, and about so many cards in all hands together."""
    while True:
        for phase, model in side_by_side(seed, options, seats):
            held = sum(map(len, phase.bout.hands))
            late = not phase.bout.talon and cards - 2 <= held <= cards
            if late and isinstance(phase, Attacking):
                return phase, model
        seed += 1000


def playouts(phase, depth, path=()):
    """Every way on for so many answers, with the scores where the game ends on it."""
    if isinstance(phase, Terminal) or not depth:
        yield path, phase.scores if isinstance(phase, Terminal) else ()
        return
    for action in phase.legal:
        following, _ = phase.apply(action)
        yield from playouts(following, depth - 1, (*path, str(action)))


def model_playouts(model, depth, path=()):
    if model.over or not depth:
        yield path, tuple(model.scores()) if model.over else ()
        return
    _, _, legal = model.turn()
    for answer in legal:
        yield from model_playouts(model.after(answer), depth - 1, (*path, answer))

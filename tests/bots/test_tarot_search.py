"""The tarot bot that searches: always legal, and sound where the answer is known."""

from __future__ import annotations

import random
from functools import partial
from types import SimpleNamespace

import pytest

from card_arena.tables.dealing import Packs
from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE
from card_arena.tables.referee import play
from card_arena.tables.registry import game
from card_arena.tables.tarot.phases import Playing
from card_arena.tests.bots import house
from card_arena.tests.bots.house import Seated
from card_arena.tests.bots.tarot_lib import LIB, asked
from card_arena.tests.tables.scripted import random_steps

TAROT = game("tarot")
Settings, Searcher, Search = LIB.search.Settings, LIB.search.Searcher, LIB.search.Search
program = partial(house.program, "tarot")


def searcher(**settings):
    return Searcher(Settings(**{"seed": 1, "iterations": 200, **settings}))


@pytest.mark.parametrize("options", [{"deals": 2}, {"deals": 1, "dog": "hidden"}])
@pytest.mark.parametrize("partner", ["coalition", "strict"])
def test_every_card_is_legal_whatever_was_played_before(partner, options):
    player = searcher(iterations=4, partner=partner)
    for step in random_steps(TAROT, 3, 8, **options):
        if step.turn.seat != CHANCE:
            answer = player.answer(list(words(step.before.question(step.turn.seat))))
            action = step.before.read(answer)
            assert action in step.before.legal_actions(step.turn.seat)


def test_a_search_with_a_seed_is_repeated_card_by_card():
    question = next(
        words(step.before.question(step.before.to_act))
        for step in random_steps(TAROT, 3, 3)
        if isinstance(step.before, Playing)
    )
    answers = {searcher(iterations=60).answer(list(question)) for _ in range(3)}
    assert len(answers) == 1


def endings(partner):
    """Searches with three tricks to go in which every deal is the true one.

    They are scored as petites: what random play loses in a contre is beyond the scale of rewards.
    """
    settings = Settings(seed=1, iterations=400, partner=partner)
    for step in random_steps(TAROT, 3, 4):
        before = step.before
        if isinstance(before, Playing) and len(before.tricks) == 21:
            question = LIB.table.parse(words(before.question(before.to_act)))
            search = Search(question, settings)
            search.question = question._replace(contract="petite", chelem=False)
            hidden = [*before.hands, before.deal.discard or before.deal.dog]
            truth = {
                place: [LIB.cards.NUMBERS[str(card)] for card in lie_there]
                for place, lie_there in enumerate(hidden)
            }
            truth[LIB.knowledge.ASIDE] = [c for c in truth[3] if c not in question.discard]
            search.dealer = SimpleNamespace(deal=lambda truth=truth: truth)
            if len(question.legal) > 1:
                yield search


def exact(search, played=()):
    """The searcher's reward when its friends do their best for it and the others their worst."""
    position = search.dealt()
    for card in played:
        position.play(card)
    if position.finished == 24:
        return search.reward(position)
    seat = position.to_act
    cards = LIB.play.legal(position.hands[seat], position.trick)
    rewards = [exact(search, (*played, card)) for card in cards]
    return max(rewards) if seat in search.friends else min(rewards)


@pytest.mark.parametrize("partner", ["coalition", "strict"])
def test_where_all_is_known_the_search_plays_as_well_as_trying_every_line(partner):
    at_stake = []
    for search in endings(partner):
        rewards = {card: exact(search, (card,)) for card in search.question.legal}
        assert rewards[search.best(0)] >= max(rewards.values()) - 0.006
        at_stake.append(max(rewards.values()) - min(rewards.values()))
    assert sum(stake >= 0.01 for stake in at_stake) >= 5


def test_a_partner_is_a_friend_in_a_coalition_and_a_taker_has_none():
    def friends(seat, partner):
        hand = ",".join(LIB.cards.NAMES[20:44])
        words_of = asked("play", hand, seat=seat, taker=1)
        return Search(LIB.table.parse(words_of), Settings(partner=partner)).friends

    assert friends(0, "coalition") == {0, 2}
    assert friends(0, "strict") == {0}


@pytest.mark.parametrize(
    ("notices", "seconds"),
    [([], 0.8), (["clock", "5000", "0"], 0.8), (["clock", "500", "3"], 0.4), (["off", "1"], 0.8)],
)
def test_a_card_takes_most_of_the_time_that_is_left_and_never_more_than_it_is_given(
    notices, seconds
):
    player = Searcher(Settings())
    player.hear(notices)
    assert player.seconds == seconds


def test_a_search_by_time_gives_a_card_even_when_there_is_none():
    player = Searcher(Settings(seconds=0.0))
    assert (
        player.answer(asked("play", ",".join(LIB.cards.NAMES[20:44]), taker=1)) in LIB.cards.NAMES
    )


class Careless:
    """Bids and puts away by rule, and plays any card."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def answer(self, asked_of):
        return LIB.turns.answer_with(lambda question: self.random.choice(question.legal), asked_of)


def test_it_wins_against_the_same_bids_and_cards_at_random():
    """Two boards, each turned so that everybody holds all hands."""
    bots = [searcher(iterations=40), Careless(1), Careless(2)]
    scores = [0, 0, 0]
    for board in range(2):
        for turn in range(3):
            seated = [(seat + turn) % 3 for seat in range(3)]
            players = [Seated(bots[entrant]) for entrant in seated]
            record = play(TAROT, TAROT.options(deals=1), players, Packs(b"s" * 32, str(board)))
            assert record.faults == ()
            for entrant, score in zip(seated, record.over.scores, strict=True):
                scores[entrant] += score
    assert scores[0] > max(scores[1:])


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("mcts", Settings()),
        ("mcts-strict", Settings(seconds=0.1, partner="strict")),
        ("mcts-300ms", Settings(seconds=0.3)),
        ("mcts-100ms", Settings(seconds=0.1)),
        ("mcts-30ms", Settings(seconds=0.03)),
    ],
)
def test_a_submission_searches_with_its_settings(name, settings):
    assert program(name).player.settings == settings

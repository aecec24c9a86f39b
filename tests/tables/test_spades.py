"""The rules of spades: every worked example, every option, every kind of bad answer.

Rules are cited from docs/rules/spades.md.
"""

from __future__ import annotations

import json
import pickle
import random
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from card_arena.tables.cards import FULL_PACK, Card, card, cards
from card_arena.tables.dealing import Packs
from card_arena.tables.encoding import words
from card_arena.tables.fault_texts import fault_text
from card_arena.tables.game import CHANCE, BadTable, IllegalAction, MalformedAnswer, Terminal
from card_arena.tables.record import Record
from card_arena.tables.referee import Strikes, play, replay
from card_arena.tables.scene import Side
from card_arena.tables.spades import Spades
from card_arena.tables.spades.phases import (
    Bidding,
    Blind,
    Drawing,
    Finished,
    GoingBlind,
    Passing,
    Playing,
    Shuffling,
    asked_to_play,
)
from card_arena.tables.spades.rules import Options, Round, trick_winner
from card_arena.tables.transcript import transcript
from card_arena.tables.tricks import sorted_hand
from card_arena.tests.tables.scripted import Always, random_steps

GAME = Spades()
ANSWERS = ["0", "3", "13", "BN", "-", "2C", "as", "KH", "7D"]
TABLES = [
    {"blind_nil": "any", "blind_exchange": 2},
    {"first_dealer": "drawn", "first_lead": "two_of_clubs"},
    {"blind_nil": "any", "double_nil": False, "bid_cap": "side", "open_hands": True},
]
NAMES = ("ada", "bob", "cy", "dan")
THREE_ROUNDS = {"max_rounds": 3, "lose": -10_000, "goal": 10_000}
OTHERS = ((3, 3), 4)
"""What the other side bids and its first seat takes, where it does not matter."""


def hands_of(*texts: str) -> tuple[tuple[Card, ...], ...]:
    """Four hands, seat by seat: `hands_of("AS 2C", "3C", "", "")`."""
    return tuple(cards(text) for text in texts)


def asked(hand: str, trick: str = "", *, broken: bool = False, seat: int = 0, **options) -> Playing:
    """A seat that holds this hand is asked for a card, when these have been played to the trick."""
    hands = hands_of(*("" if other != seat else hand for other in range(4)))
    round = Round(Options(**options), number=1, dealer=3)
    return asked_to_play(round, (3, 3, 3, 3), hands, seat, cards(trick), broken=broken)


def last_trick(bids, took, *, scores=(0, 0), bags=(0, 0), blind=(), number=1, **options) -> Playing:
    """The last trick of a round that is going to end with these tricks taken."""
    winner = max(range(4), key=took.__getitem__)
    hands = hands_of(*("AS" if seat == winner else f"{seat + 2}D" for seat in range(4)))
    return asked_to_play(
        Round(Options(**options), number, 0, scores, bags, blind=blind),
        bids,
        hands,
        winner,
        broken=True,
        took=tuple(count - (seat == winner) for seat, count in enumerate(took)),
        history="0:2C,3C,4C,5C",
    )


def after(phase, *answers: str):
    """Where a game stands after these answers, each by whoever is asked."""
    for answer in answers:
        phase, _ = phase.apply(phase.read(answer))
    return phase


def played_out(phase):
    """The first legal answer until somebody must shuffle or the game is over."""
    while not isinstance(phase, Shuffling | Terminal):
        phase, _ = phase.apply(phase.legal_actions(phase.to_act).fallback_action)
    return phase


def scored(bids, took, score=0, bags=0, *, others=OTHERS, blind=(), **options) -> tuple[int, int]:
    """Score and bags of the side that bids and takes this, after the round, played to its end."""
    (bid_a, bid_b), took_a = others
    phase = last_trick(
        (bids[0], bid_a, bids[1], bid_b),
        (took[0], took_a, took[1], 13 - took[0] - took[1] - took_a),
        scores=(score, 0),
        bags=(bags, 0),
        blind=blind,
        **{"goal": 1000, "lose": 0} | options,
    )
    end = played_out(phase)
    assert isinstance(end, Shuffling)
    return end.round.scores[0], end.round.bags[0]


def dealt(order=FULL_PACK, dealer=0, **options):
    """The first question of a round that is dealt from this pack."""
    phase, _ = Shuffling(Round(Options(**options), 1, dealer)).apply(tuple(order))
    return phase


class TestScoring:
    """Rule b.4: examples d.1 to d.9, and what lies between them."""

    def test_d1_a_side_that_misses_its_contract_loses_ten_for_each_trick_bid(self):
        assert scored((4, 2), (3, 2)) == (-60, 0)

    def test_d2_every_trick_over_the_contract_is_a_bag_and_a_point(self):
        assert scored((4, 2), (5, 4)) == (63, 3)

    def test_d3_ten_bags_cost_a_hundred_points_and_their_own_ten(self):
        assert scored((4, 2), (5, 4), 288, 8) == (241, 1)

    def test_d3_ten_bags_cost_a_hundred_points_where_the_penalty_is_100(self):
        assert scored((4, 2), (5, 4), 288, 8, bag_penalty=100) == (251, 1)

    @pytest.mark.parametrize(("took", "result"), [((5, 3), (290, 0)), ((5, 4), (291, 1))])
    def test_under_a_penalty_of_100_the_last_digit_of_the_score_stays_the_bags(self, took, result):
        """With example d.4."""
        assert scored((3, 2), took, 337, 7, bag_penalty=100) == result

    def test_the_tenth_bag_is_paid_for_at_once(self):
        assert scored((4, 2), (4, 4), 105, 8) == (105 + 62 - 110, 0)

    def test_the_ninth_bag_is_not(self):
        assert scored((4, 2), (4, 3), 105, 8) == (166, 9)

    def test_twenty_bags_are_paid_for_twice(self):
        assert scored((0, 0), (7, 4), 0, 9) == (-200 + 11 - 220, 0)  # example d.9

    def test_bags_are_counted_for_themselves_below_zero_too(self):
        assert scored((4, 2), (5, 4), -55, 2) == (8, 5)

    def test_a_contract_of_thirteen_can_be_made(self):
        assert scored((7, 6), (8, 5), others=((0, 3), 0)) == (130, 0)

    def test_a_side_may_bid_more_than_thirteen_and_miss(self):
        assert scored((13, 13), (8, 1)) == (-260, 0)

    def test_d5_a_nil_that_holds_brings_a_hundred_beside_the_partners_contract(self):
        assert scored((0, 4), (0, 5)) == (141, 1)

    @pytest.mark.parametrize("rule", ["bags", "contract", "both"])
    def test_d6_a_failed_nil_costs_a_hundred_and_its_trick_is_a_bag(self, rule):
        assert scored((0, 4), (1, 4), failed_nil_tricks=rule) == (-59, 1)

    @pytest.mark.parametrize(
        ("rule", "result"), [("bags", (-139, 1)), ("contract", (-60, 0)), ("both", (-60, 0))]
    )
    def test_d6_a_failed_nils_trick_helps_the_contract_only_where_the_table_says_so(
        self, rule, result
    ):
        assert scored((0, 4), (1, 3), failed_nil_tricks=rule) == result

    def test_a_nil_may_sit_on_either_side_of_her_partner(self):
        assert scored((4, 0), (3, 1)) == scored((0, 4), (1, 3)) == (-139, 1)

    def test_d7_of_two_nils_each_counts_for_itself_and_all_tricks_are_bags(self):
        assert scored((0, 0), (0, 2)) == (2, 2)

    def test_a_double_nil_that_holds_brings_two_hundred(self):
        assert scored((0, 0), (0, 0), others=((3, 3), 7)) == (200, 0)

    def test_a_blind_nil_counts_twice(self):
        assert scored((0, 4), (0, 5), blind=(0,), blind_nil="any") == (241, 1)  # example d.8
        assert scored((0, 4), (1, 4), blind=(0,), blind_nil="any") == (-159, 1)

    def test_only_the_blind_one_of_two_nils_counts_twice(self):
        assert scored((0, 0), (0, 2), blind=(0,), blind_nil="any") == (200 - 100 + 2, 2)

    def test_two_blind_nils_are_two_bets(self):
        both = {"blind": (0, 2), "blind_nil": "any"}
        assert scored((0, 0), (0, 0), others=((6, 6), 6), **both) == (400, 0)
        assert scored((0, 0), (1, 2), **both) == (-400 + 3, 3)

    def test_both_sides_are_scored(self):
        end = played_out(last_trick((4, 3, 2, 2), (3, 5, 2, 3), scores=(7, 20), bags=(1, 9)))
        assert end.round.scores == (7 - 60, 20 + 53 - 110)
        assert end.round.bags == (1, 2)


class TestTheEnd:
    """Rule b.5 and example d.10: when a game is over, and who wins it."""

    def end(self, scores, **options):
        """After a round in which both sides bid and took six, from sixty points less."""
        start = tuple(score - 60 for score in scores)
        phase = last_trick((3, 3, 3, 3), (3, 4, 3, 3), scores=start, **{"goal": 200} | options)
        return played_out(phase)

    def scores(self, scores, **options):
        """How a game stands after such a round; the side 1+3 has taken one trick more."""
        end = self.end((scores[0], scores[1] - 1), **options)
        return end.scores if isinstance(end, Terminal) else None

    def test_d10_where_both_reach_the_goal_the_higher_score_wins(self):
        assert self.scores((205, 210)) == (205, 210, 205, 210)

    def test_d10_equal_scores_play_another_round(self):
        assert self.scores((200, 200)) is None

    def test_d10_where_both_have_lost_the_higher_score_wins(self):
        assert self.scores((-105, -130)) == (-105, -130, -105, -130)

    @pytest.mark.parametrize("score", [-100, -400])
    def test_two_sides_that_have_fallen_equally_low_play_another_round(self, score):
        assert self.scores((score, score)) is None

    def test_d10_a_side_that_has_fallen_too_low_loses(self):
        assert self.scores((150, -100)) == (150, -100, 150, -100)

    def test_one_point_above_the_losing_score_plays_on(self):
        assert self.scores((150, -99)) is None

    def test_one_point_below_the_goal_plays_on(self):
        assert self.scores((199, 3)) is None

    @pytest.mark.parametrize(
        ("test", "score", "over"),
        [("reached", 200, True), ("exceeded", 200, False), ("exceeded", 201, True)],
    )
    def test_the_goal_is_reached_or_exceeded(self, test, score, over):
        assert (self.scores((score, 3), goal_test=test) is not None) == over

    def test_without_a_losing_score_a_side_may_fall_as_low_as_it_likes(self):
        assert self.scores((150, -400), lose=0) is None

    def test_a_losing_score_of_the_tables_own(self):
        assert self.scores((150, -300), lose=-300) is not None
        assert self.scores((150, -299), lose=-300) is None

    @pytest.mark.parametrize("scores", [(20, 30), (20, 20)])
    def test_after_the_last_round_it_is_over_even_with_equal_scores(self, scores):
        assert self.scores(scores, max_rounds=1) == scores * 2

    def test_rounds_won_are_those_in_which_a_side_scored_more(self):
        over = self.end((205, 300))
        assert over.hands == (1, 1, 1, 1)
        assert over.won == (0, 1, 0, 1)

    def test_a_side_that_is_behind_can_win_a_round(self):
        over = played_out(last_trick((3,) * 4, (3, 4, 3, 3), scores=(90, 0), max_rounds=1))
        assert over == Terminal(scores=(150, 61, 150, 61), hands=(1,) * 4, won=(0, 1, 0, 1))

    def test_a_drawn_round_is_won_by_nobody(self):
        over = played_out(last_trick((4, 4, 4, 4), (3, 4, 3, 3), max_rounds=1))
        assert over == Terminal(scores=(-80,) * 4, hands=(1,) * 4, won=(0,) * 4)

    def test_the_game_goes_on_until_somebody_wins(self):
        steps = random_steps(GAME, 4, 11, max_rounds=40, lose=-10_000, goal=10_000)
        rounds = [step for step in steps if isinstance(step.after, Shuffling | Terminal)]
        assert len(rounds) == 40 == steps[-1].after.hands[0]


class TestLegality:
    """Rule b.3: examples d.11 to d.17."""

    def test_d11_no_spade_is_led_before_spades_are_broken(self):
        assert asked("AS 4S 7H 2D").legal == cards("7H 2D")

    def test_d11_once_they_are_broken_any_card_is_led(self):
        assert asked("AS 4S 7H 2D", broken=True).legal == cards("AS 4S 7H 2D")

    def test_d12_who_holds_nothing_but_spades_leads_one(self):
        assert asked("AS 4S").legal == cards("AS 4S")

    def test_d13_suit_is_followed(self):
        assert asked("KH 2H AS", "9H").legal == cards("KH 2H")

    def test_d14_who_cannot_follow_plays_anything(self):
        assert asked("AS 3D", "9H").legal == cards("AS 3D")

    def test_spades_are_followed_too(self):
        assert asked("AS 3D", "9S 2D").legal == cards("AS")

    @pytest.mark.parametrize(
        ("trick", "winner"),
        [
            ("9H KH 2S 3S", "3S"),  # example d.15
            ("9H AD KH AC", "KH"),  # example d.16
            ("5D AH QD 2S", "2S"),  # example d.17
            ("2S AS KS QS", "AS"),
            ("2C AD AH KD", "2C"),
        ],
    )
    def test_d15_to_d17_the_highest_spade_takes_a_trick_else_the_highest_of_the_suit_led(
        self, trick, winner
    ):
        assert cards(trick)[trick_winner(cards(trick))] == card(winner)

    def test_d17_a_cut_breaks_spades(self):
        hands = hands_of("5D 9C", "AH 8C", "QD 7C", "2S 3S")
        start = asked_to_play(Round(Options(), 1, 3), (3, 3, 3, 3), hands, 0)
        before = after(start, "5D", "AH", "QD")
        assert not before.broken
        cut = after(before, "2S")
        assert (cut.broken, cut.to_act, cut.took) == (True, 3, (0, 0, 0, 1))
        assert cut.history == "0:5D,AH,QD,2S"

    def test_a_spade_that_is_led_by_a_hand_of_spades_breaks_them(self):
        hands = hands_of("5S 4S", "AS 8C", "QS 7C", "2S 3D")
        start = asked_to_play(Round(Options(), 1, 3), (3, 3, 3, 3), hands, 0)
        assert not start.broken
        assert after(start, "5S").broken
        won = after(start, "5S", "AS", "QS", "2S")
        assert (won.to_act, won.legal) == (1, cards("8C"))

    def test_the_winner_leads_to_the_next_trick(self):
        hands = hands_of("5D 9C", "AD 8C", "QD 7C", "2D 3S")
        start = asked_to_play(Round(Options(), 1, 3), (3, 3, 3, 3), hands, 0)
        won = after(start, "5D", "AD", "QD", "2D")
        assert (won.to_act, won.leader, won.trick) == (1, 1, ())


class TestTheRound:
    """Who deals, bids and leads."""

    def test_cards_are_dealt_one_at_a_time_from_the_dealers_left(self):
        phase = dealt(dealer=2)
        assert phase.hands[3] == sorted_hand(FULL_PACK[0::4])
        assert phase.hands[0] == sorted_hand(FULL_PACK[1::4])
        assert phase.hands[2] == sorted_hand(FULL_PACK[3::4])

    def test_a_hand_is_sorted_as_players_hold_it(self):
        assert sorted_hand(cards("2C AC TD KS 9S 2S AH")) == cards("KS 9S 2S AH TD AC 2C")

    def test_bids_go_round_once_from_the_dealers_left_who_also_leads(self):
        phase, order = dealt(dealer=1), []
        while isinstance(phase, Bidding):
            order.append(phase.to_act)
            phase = after(phase, str(phase.to_act))
        assert order == [2, 3, 0, 1]
        assert (phase.bids, phase.to_act) == ((0, 1, 2, 3), 2)

    def test_any_number_of_tricks_may_be_bid_whatever_the_partner_said(self):
        phase = after(dealt(), "13", "13")
        assert set(phase.legal_actions(3).actions) == set(range(14))
        assert phase.question(3).legal == "0..13"

    def test_the_deal_moves_on_clockwise_and_the_table_is_clear(self):
        end = played_out(last_trick((3, 3, 3, 3), (3, 4, 3, 3), blind=(1,), blind_nil="any"))
        assert (end.round.dealer, end.round.number) == (1, 2)
        assert (end.round.blind, end.round.gave) == ((), ((), (), (), ()))

    def test_the_first_dealer_is_seat_0(self):
        assert GAME.start(Options(), 4) == Shuffling(Round(Options(), 1, dealer=0))

    def test_thirteen_tricks_are_taken_in_every_round(self):
        for step in random_steps(GAME, 4, 3, max_rounds=9):
            if isinstance(step.after, Shuffling):
                assert sum(step.after.last.took) == 13

    def test_seats_opposite_each_other_play_together(self):
        assert GAME.sides(Options(), 4) == ((0, 2), (1, 3))


class TestOptions:
    """Each option that the tests above have not changed yet, and wrong ones."""

    def test_the_bids_of_a_side_may_be_held_to_thirteen(self):
        phase = after(dealt(bid_cap="side"), "9", "5")
        assert phase.question(3).legal == "0..4"
        with pytest.raises(IllegalAction, match="5 is not allowed now: expected 1, 2, 3, 4, 0"):
            phase.apply(5)
        assert after(phase, "4").question(0).legal == "0..8"

    def test_a_second_nil_of_a_side_may_be_forbidden(self):
        assert after(dealt(), "0", "3").question(3).legal == "0..13"
        phase = after(dealt(double_nil=False), "0", "3")
        assert phase.question(3).legal == "1..13"
        assert after(phase, "1").question(0).legal == "0..13"

    def test_the_first_dealer_may_be_drawn_by_the_highest_card(self):
        drawing = GAME.start(Options(first_dealer="drawn"), 4)
        assert isinstance(drawing, Drawing)
        top = cards("9S TD 2C TC")
        order = (*top, *(held for held in FULL_PACK if held not in top))
        shuffling, _ = drawing.apply(order)
        assert shuffling.round.dealer == 1
        assert GAME.presentation.remark(drawing, shuffling, NAMES) == "bob deals first"

    def test_the_two_of_clubs_may_lead_to_the_first_trick(self):
        usual = after(dealt(dealer=3), "3", "3", "3", "3")
        phase = after(dealt(dealer=0, first_lead="two_of_clubs"), "3", "3", "3", "3")
        assert card("2C") in phase.hands[1]
        assert usual.legal != phase.legal == cards("2C")
        moved = dealt((*FULL_PACK[1:], FULL_PACK[0]), dealer=2, first_lead="two_of_clubs")
        phase = after(moved, "3", "3", "3", "3")
        assert (phase.to_act, phase.legal) == (2, cards("2C"))

    def test_after_the_first_trick_the_two_of_clubs_is_like_any_card(self):
        phase = after(dealt(dealer=0, first_lead="two_of_clubs"), "3", "3", "3", "3", "2C")
        assert len(phase.legal) > 1
        for _ in range(3):
            phase, _ = phase.apply(phase.legal[0])
        assert len(phase.legal) > 1

    def test_open_hands_are_added_to_every_question(self):
        closed, opened = after(dealt(), "3"), after(dealt(open_hands=True), "3")
        assert words(opened.question(2))[:-1] == words(closed.question(2))
        hands = words(opened.question(2))[-1].split("/")
        assert hands == [",".join(hand) for hand in opened.hands]
        assert GAME.rated(Options())
        assert not GAME.rated(Options(open_hands=True))

    def test_a_hand_without_cards_is_written_as_nothing(self):
        phase = after(last_trick((3, 3, 3, 3), (4, 3, 3, 3), open_hands=True), "AS")
        assert words(phase.question(1))[-1] == "-/3D/4D/5D"

    def test_a_table_without_a_losing_score_says_so(self):
        assert dealt(lose=0).question(1).lose == "-"
        assert dealt(lose=-200, goal=77).question(1).lose == "-200"
        assert dealt(lose=-200, goal=77).question(1).goal == 77

    def test_a_goal_to_exceed_is_told_as_the_lowest_score_that_ends_the_game(self):
        assert dealt(goal=77, goal_test="exceeded").question(1).goal == 78

    def test_the_papers_games_end_above_its_goal_and_without_a_losing_score_to_500(self):
        paper, paper_500 = (GAME.presets[name] for name in ("paper", "paper_500"))
        assert (paper.winning_score, paper.lose) == (201, -100)
        assert (paper_500.winning_score, paper_500.lose) == (501, 0)

    @pytest.mark.parametrize(
        ("wrong", "complaint"),
        [
            ({"blind_exchange": 2}, "blind_exchange: 2 needs a blind_nil"),
            ({"lose": 0, "max_rounds": 0}, "lose: 0 needs max_rounds"),
            ({"bag_penalty": 50}, "110 or 100"),
            ({"goal": 0}, "greater than or equal to 1"),
            ({"lose": 5}, "less than or equal to 0"),
            ({"goal": "500"}, "valid integer"),
            ({"blind_exchange": 1, "blind_nil": "any"}, "0 or 2"),
            ({"jokers": True}, "Extra inputs"),
        ],
    )
    def test_wrong_options_are_refused(self, wrong, complaint):
        with pytest.raises(ValidationError, match=complaint):
            Options(**wrong)

    @pytest.mark.parametrize("seats", [2, 3, 5])
    def test_other_numbers_of_seats_are_refused(self, seats):
        with pytest.raises(BadTable, match=f"spades seats 4 players, not {seats}"):
            GAME.start(Options(), seats)


class TestBlindNil:
    """Nil before the cards are seen."""

    def test_nobody_is_asked_where_it_is_off(self):
        assert isinstance(dealt(), Bidding)

    def test_everybody_is_asked_in_bidding_order_before_any_card_is_shown(self):
        phase, order = dealt(blind_nil="any", dealer=2), []
        while isinstance(phase, GoingBlind):
            order.append(phase.to_act)
            assert phase.question(phase.to_act).hand == "-"
            phase = after(phase, "-")
        assert order == [3, 0, 1, 2]
        assert (phase.to_act, phase.bids) == (3, (None,) * 4)

    @pytest.mark.parametrize(
        ("scores", "asked"),
        [((0, 100), [0, 2]), ((0, 99), []), ((-10, 120), [0, 2]), ((300, 100), [1, 3])],
    )
    def test_behind100_asks_only_a_side_that_trails_by_a_hundred(self, scores, asked):
        start = Shuffling(Round(Options(blind_nil="behind100"), 7, 3, scores))
        phase, _ = start.apply(FULL_PACK)
        order = []
        while isinstance(phase, GoingBlind):
            order.append(phase.to_act)
            phase = after(phase, "-")
        assert order == asked
        assert isinstance(phase, Bidding)

    def test_a_blind_nil_is_a_bid_that_everybody_sees(self):
        phase = after(dealt(blind_nil="any"), "-", "BN")
        assert phase.question(3).bids == "-,-,B,-"
        phase = after(phase, "-", "-")
        assert isinstance(phase, Bidding)
        order = []
        while isinstance(phase, Bidding):
            order.append(phase.to_act)
            assert phase.question(phase.to_act).bids[4] == "B"
            phase = after(phase, "4")
        assert order == [1, 3, 0]
        assert (phase.bids, phase.question(1).bids) == ((4, 4, 0, 4), "4,4,B,4")

    def test_everybody_may_bid_blind_nil(self):
        phase = after(dealt(blind_nil="any"), "BN", "BN", "BN", "BN")
        assert isinstance(phase, Playing)
        assert phase.question(1).bids == "B,B,B,B"

    def test_without_double_nil_the_partner_of_a_blind_nil_is_not_asked_and_cannot_bid_nil(self):
        phase = after(dealt(blind_nil="any", double_nil=False), "BN")
        assert phase.to_act == 2
        phase = after(phase, "-")
        assert phase.to_act == 0
        phase = after(phase, "-", "2")
        assert phase.to_act == 3
        assert phase.question(3).legal == "1..13"

    def test_two_cards_may_be_exchanged_with_the_partner_after_the_bids(self):
        start = after(dealt(blind_nil="any", blind_exchange=2), "-", "BN", "-", "-", "3", "3", "3")
        assert isinstance(start, Passing)
        assert start.to_act == 2
        nil, partner = start.hands[2], start.hands[0]
        phase = after(start, nil[0], nil[1])
        assert phase.to_act == 0
        assert set(phase.hands[0]) == {*partner, *nil[:2]}
        assert phase.question(0).passed == f"-/{nil[0]},{nil[1]}"
        phase = after(phase, nil[1], partner[-1])
        assert isinstance(phase, Playing)
        assert set(phase.hands[2]) == {*nil[1:], partner[-1]}
        assert list(map(len, phase.hands)) == [13] * 4
        assert phase.hands[0] == sorted_hand(phase.hands[0])
        assert phase.question(2).passed == f"{nil[0]},{nil[1]}/{nil[1]},{partner[-1]}"
        assert phase.question(0).passed == f"{nil[1]},{partner[-1]}/{nil[0]},{nil[1]}"
        assert phase.question(1).passed == phase.question(3).passed == "-/-"
        assert phase.to_act == 1

    def test_who_holds_the_two_of_clubs_after_the_exchange_leads_it(self):
        table = {"blind_nil": "any", "blind_exchange": 2, "first_lead": "two_of_clubs"}
        phase = after(dealt(**table), "BN", "-", "-", "-", "3", "3", "3")
        assert card("2C") in phase.hands[1]
        phase = after(phase, "2C", "6C", "5S", "9S")
        assert (phase.to_act, phase.legal) == (3, cards("2C"))

    def test_one_of_each_side_may_exchange(self):
        start = after(dealt(blind_nil="any", blind_exchange=2), "-", "BN", "BN", "-", "3", "3")
        order = []
        while isinstance(start, Passing):
            order.append(start.to_act)
            start, _ = start.apply(start.hands[start.to_act][0])
        assert order == [2, 2, 0, 0, 3, 3, 1, 1]

    def test_two_blind_partners_exchange_nothing(self):
        phase = after(dealt(blind_nil="any", blind_exchange=2), "-", "BN", "-", "BN", "3", "3")
        assert isinstance(phase, Playing)

    def test_without_the_option_nothing_is_exchanged_and_no_word_speaks_of_it(self):
        phase = after(dealt(blind_nil="any"), "-", "BN", "-", "-", "3", "3", "3")
        assert isinstance(phase, Playing)
        assert len(words(phase.question(1))) == 14


class TestAnswers:
    """What is an answer, and what is allowed."""

    @pytest.mark.parametrize("line", ["7h", "7H", " 7h\t", "7H "])
    def test_a_card_may_be_written_small_and_with_blanks_around_it(self, line):
        assert asked("7H 2D").read(line) == card("7H")
        assert isinstance(asked("7H 2D").read(line), Card)

    @pytest.mark.parametrize(
        "line",
        [
            *(
                "",
                "7",
                "H7",
                "7H 2D",
                "7H,2D",
                "7 H",
                "7H.",
                "10H",
                "１H",
                "７H",
                "7ſ",
                "1H",
                "NC",
                "A14",
            ),
            *("EX", "3", "BN", "-", "play 7H", "7\nH"),
        ],
    )
    def test_what_is_no_card_is_malformed(self, line):
        with pytest.raises(MalformedAnswer, match="is not a card: expected one such as 7H"):
            asked("7H 2D").read(line)

    @pytest.mark.parametrize(("line", "bid"), [("0", 0), ("13", 13), (" 4 ", 4), ("14", 14)])
    def test_a_bid_is_a_number(self, line, bid):
        assert dealt().read(line) == bid

    @pytest.mark.parametrize(
        "line",
        [
            *(
                "",
                "007",
                "07",
                "00",
                "+3",
                "-3",
                "-",
                "3.0",
                "３",
                "٣",
                "3 4",
                "3 tricks",
                "bid 3",
                "nil",
            ),
            *("BN", "7H", "0x3", "1_0", "1234", "²"),
        ],
    )
    def test_what_is_no_bid_is_malformed(self, line):
        with pytest.raises(MalformedAnswer, match="is not a bid: expected a number from 0 to 13"):
            dealt().read(line)

    @pytest.mark.parametrize(
        ("line", "said"), [("BN", Blind.NIL), ("bn", Blind.NIL), (" - ", Blind.LOOK)]
    )
    def test_blind_answers(self, line, said):
        assert dealt(blind_nil="any").read(line) is said

    @pytest.mark.parametrize("line", ["", "B", "BN BN", "0", "nil", "--", "–", "ＢＮ"])
    def test_what_is_no_blind_answer_is_malformed(self, line):
        with pytest.raises(MalformedAnswer, match="before the cards: expected - or BN"):
            dealt(blind_nil="any").read(line)

    @pytest.mark.parametrize(
        ("phase", "action", "complaint"),
        [
            (asked("7H 2D", "3H"), card("2D"), "2D is not allowed now: expected 7H"),
            (asked("7H 2D"), card("3D"), "3D is not allowed now: expected 7H, 2D"),
            (asked("7H AS"), card("AS"), "AS is not allowed now: expected 7H"),
            (dealt(), 14, "14 is not allowed now: expected 1, 2"),
            (dealt(), -1, "-1 is not allowed now"),
            (dealt(), "3", "3 is not allowed now"),
            (dealt(blind_nil="any"), 0, "0 is not allowed now: expected -, BN"),
            (dealt(blind_nil="any"), "0", "0 is not allowed now: expected -, BN"),
        ],
    )
    def test_what_is_not_allowed_is_illegal(self, phase, action, complaint):
        assert action not in phase.legal_actions(phase.to_act)
        with pytest.raises(IllegalAction, match=complaint):
            phase.apply(action)

    def test_a_card_that_is_not_held_cannot_be_passed(self):
        phase = after(dealt(blind_nil="any", blind_exchange=2), "BN", "-", "-", "-", "3", "3", "3")
        assert isinstance(phase, Passing)
        gone = phase.hands[1][0]
        following = after(phase, gone)
        for foreign in (phase.hands[0][0], gone):
            with pytest.raises(IllegalAction, match=f"{foreign} is not allowed now"):
                following.apply(foreign)

    def test_the_referee_quotes_what_was_said_and_says_what_was_allowed(self):
        record = play(GAME, Options(max_rounds=1), [Always("é" * 100)] * 4, Packs(b"s" * 32, "m"))
        fault = record.faults[0][2]
        assert fault.kind == "malformed"
        assert fault_text(fault, "é" * 100) == (
            f"'{'é' * 79}…' is not a bid: expected a number from 0 to 13; allowed now: 1, 2, 3, 4,"
            " 5, 6, 7, 8, 9, 10, 11, 12, 13, 0"
        )
        record = play(GAME, Options(max_rounds=1), [Always("14")] * 4, Packs(b"s" * 32, "m"))
        assert record.faults[0][2].kind == "illegal"
        assert record.faults[4][2].kind == "malformed"
        assert "'14' is not a card: expected one such as 7H; allowed now: " in (
            fault_text(record.faults[4][2], "14")
        )

    def test_a_silent_seat_bids_one_and_no_nil(self):
        record = play(GAME, Options(max_rounds=1), [Always("?")] * 4, Packs(b"s" * 32, "m"))
        assert [turn.action for turn in record.turns[1:5]] == ["1", "1", "1", "1"]


class TestForPeople:
    """Scenes and remarks."""

    def scenes(self, phase, *answers):
        return GAME.presentation.scene(after(phase, *answers))

    def test_the_example_is_told_with_its_nil_its_tricks_and_its_scores(self):
        told = [line.strip() for line in transcript(GAME)]
        assert "(seat 3 bids nil)" in told
        assert "(seat 0 and seat 2 bid 7, seat 1 and seat 3 bid 5)" in told
        assert "(spades are broken; seat 0 takes the trick)" in told
        assert told[-2] == (
            "(seat 2 takes the trick; seat 3's nil fails; seat 0 and seat 2 bid 7 and took 8:"
            " +71; seat 1 and seat 3 bid 5 and took 4: -149)"
        )

    def test_blind_nils_and_passed_cards_are_remarked(self):
        start = dealt(blind_nil="any", blind_exchange=2)
        phase, remarks = start, []
        for answer in ("BN", "-", "-", "-", "0", "3", "4"):
            following = after(phase, answer)
            remarks.append(GAME.presentation.remark(phase, following, NAMES))
            phase = following
        assert remarks == [
            *("bob bids blind nil", "", "", "", "cy bids nil", ""),
            "ada and cy bid 4, bob and dan bid 3",
        ]
        assert (
            GAME.presentation.remark(phase, after(phase, phase.hands[1][0]), NAMES)
            == "bob passes it to dan"
        )

    def test_a_nil_that_holds_is_remarked_when_the_round_is_over(self):
        phase = after(last_trick((0, 3, 5, 3), (0, 4, 6, 3)), "AS", "5D", "2D")
        assert GAME.presentation.remark(phase, after(phase, "3D"), NAMES) == (
            "cy takes the trick; ada's nil holds; ada and cy bid 5 and took 6: +151;"
            " bob and dan bid 6 and took 7: +61"
        )

    def test_one_trick_is_not_tricks(self):
        phase = after(last_trick((3, 7, 3, 4), (0, 6, 1, 6)), "AS", "4D", "5D")
        assert "ada and cy bid 6 and took 1: -60" in (
            GAME.presentation.remark(phase, after(phase, phase.legal[0]), NAMES)
        )

    def test_cards_lie_face_down_until_the_bidder_may_look(self):
        blind = self.scenes(dealt(blind_nil="any"))
        seen = self.scenes(dealt(blind_nil="any"), "-", "-", "-", "-")
        assert all(shown.face_down for place in blind.places for shown in place.cards)
        assert not any(shown.face_down for place in seen.places for shown in place.cards)
        assert all(place.in_hand for place in (*blind.places, *seen.places))

    def test_a_finished_trick_stays_on_the_table_until_somebody_leads(self):
        hands = hands_of("5D 9C", "AD 8C", "QD 7C", "2D 3S")
        start = asked_to_play(Round(Options(), 1, 3), (3, 3, 3, 3), hands, 0)
        scene = self.scenes(start, "5D", "AD", "QD", "2D")
        assert [place.played[0].card for place in scene.places] == list(cards("5D AD QD 2D"))
        assert [place.took for place in scene.places] == [False, True, False, False]
        scene = self.scenes(start, "5D", "AD", "QD", "2D", "8C")
        assert [place.played for place in scene.places].count(()) == 3
        assert {place.status for place in scene.places} == {""}

    def test_the_table_tells_the_trick_and_how_far_each_side_is(self):
        scene = GAME.presentation.scene(last_trick((4, 3, 2, 0), (3, 5, 2, 3), bags=(0, 1)))
        assert str(scene.stage) == "trick 13 of 13"
        assert scene.facts == (("spades", "broken"),)
        assert scene.sides == (
            Side((0, 2), 0, (("bid", "6"), ("took", "5"), ("bags", "0"))),
            Side((1, 3), 0, (("bid", "3"), ("took", "7"), ("bags", "1"))),
        )
        assert scene.places[3].facts == (("bid", "nil"), ("took", "3"))

    def test_after_a_round_the_scene_shows_what_it_came_to(self):
        end = played_out(last_trick((4, 3, 2, 0), (3, 5, 2, 3), scores=(10, 70), blind=(3,)))
        scene = GAME.presentation.scene(end)
        assert scene.title == "round 1"
        facts = (("bid", "3"), ("took", "8"), ("bags", "5"), ("round", "-165"))
        assert scene.sides[1] == Side((1, 3), -95, facts)
        assert scene.places[3].facts == (("bid", "blind nil"), ("took", "3"))
        assert [len(place.played) for place in scene.places] == [1] * 4

    def test_the_title_is_the_same_for_a_whole_round(self):
        titles = [
            GAME.presentation.scene(step.after).title
            for step in random_steps(GAME, 4, 2, **THREE_ROUNDS)
        ]
        assert list(dict.fromkeys(titles)) == ["round 1", "round 2", "round 3", "the end"]
        assert titles == sorted(titles)

    def test_the_last_table_of_a_game_shows_its_last_round_as_it_was_scored(self):
        *_, last = random_steps(GAME, 4, 2, max_rounds=1)
        action = last.before.read(last.turn.action)
        scene = GAME.presentation.ending(last.before, action, last.after)
        assert scene.title == "round 1"
        assert [side.score for side in scene.sides] == [*last.after.scores[:2]]
        assert [len(place.played) for place in scene.places] == [1] * 4

    def test_a_contract_counts_as_kept_until_it_can_no_longer_be(self):
        def projected(bids, took):
            return tuple(GAME.presentation.projected_scores(last_trick(bids, took)))[:2]

        assert projected((4, 3, 2, 3), (3, 3, 2, 5)) == (60, 61)
        assert projected((4, 3, 2, 3), (2, 3, 2, 6)) == (-60, 62)
        assert projected((4, 3, 2, 0), (3, 5, 2, 3)) == (60, -100 + 30 + 1 + 3)


class TestWholeGames:
    """Every phase there is, in games that anybody plays."""

    @given(
        answers=st.lists(st.sampled_from(ANSWERS) | st.text(max_size=4), min_size=1, max_size=20),
        options=st.sampled_from(TABLES),
    )
    @settings(max_examples=60)
    def test_bots_that_answer_anything_are_played_to_the_end_and_replayed(self, answers, options):
        bots = [Always(answers[seat % len(answers)]) for seat in range(4)]
        record = play(
            GAME,
            Options(max_rounds=2, **options),
            bots,
            Packs(b"s" * 32, "m"),
            strikes=Strikes(limit=1000),
        )
        stored = Record.from_data(json.loads(json.dumps(record.to_data())))
        steps = list(replay(GAME, stored))
        assert [step.turn for step in steps] == list(record.turns)
        for step in steps:
            assert GAME.presentation.scene(step.after).places
            assert isinstance(GAME.presentation.remark(step.before, step.after, NAMES), str)

    @pytest.mark.parametrize("options", TABLES, ids=lambda options: " ".join(options))
    def test_every_position_is_a_value_whose_actions_survive_the_wire(self, options):
        kinds = set()
        for step in random_steps(GAME, 4, 8, **THREE_ROUNDS, **options):
            phase, seat = step.before, step.before.to_act
            assert pickle.loads(pickle.dumps(phase)) == phase
            assert hash(phase) == hash(pickle.loads(pickle.dumps(phase)))
            for action in getattr(phase.legal_actions(seat), "actions", ()):
                assert phase.read(phase.write(action)) == action
            assert phase.apply(phase.read(step.turn.action))[0] == step.after
            kinds.add(type(phase))
        assert {Shuffling, Bidding, Playing} <= kinds
        assert (GoingBlind in kinds) == ("blind_nil" in options)
        assert (Passing in kinds) == ("blind_exchange" in options)
        assert (Drawing in kinds) == ("first_dealer" in options)


class TestTrees:
    """All ways to play a few cards, counted by the rules and by hand."""

    @pytest.mark.parametrize("broken", [False, True])
    @pytest.mark.parametrize("size", [2, 3])
    def test_the_tree_of_an_ending_has_as_many_leaves_as_counted_without_the_rules_code(
        self, size, broken
    ):
        rng = random.Random(size)
        for _ in range(25):
            pack = rng.sample(FULL_PACK, 4 * size)
            hands = tuple(tuple(pack[seat * size : (seat + 1) * size]) for seat in range(4))
            start = asked_to_play(Round(Options(), 1, 0), (3,) * 4, hands, 1, broken=broken)
            assert leaves(start) == leaves_by_hand([set(map(str, h)) for h in hands], 1, broken)

    def test_a_deal_of_one_suit_each_can_be_played_in_six_to_the_fourth_ways(self):
        """Nobody can follow, so everybody plays her three cards in any order; seat 0 never leads
        again once spades have cut."""
        hands = hands_of("2C 3C 4C", "2D 3D 4D", "2H 3H 4H", "2S 3S 4S")
        assert leaves(asked_to_play(Round(Options(), 1, 3), (3,) * 4, hands, 0)) == 6**4


def leaves(phase: Playing | Finished) -> int:
    if isinstance(phase, Finished):
        return 1
    return sum(leaves(phase.played(held)) for held in phase.legal)


def leaves_by_hand(hands: list[set[str]], leader: int, broken: bool) -> int:
    """Try all four-card combinations as a trick, throw out those against the rules, and go on."""
    if not hands[leader]:
        return 1
    order = [(leader + turn) % 4 for turn in range(4)]
    total = 0
    for trick in product(*(sorted(hands[seat]) for seat in order)):
        led = trick[0][1]
        if led == "S" and not broken and any(held[1] != "S" for held in hands[leader]):
            continue
        if any(
            played[1] != led and any(held[1] == led for held in hands[seat])
            for seat, played in zip(order[1:], trick[1:], strict=True)
        ):
            continue
        trumps = [played for played in trick if played[1] == "S"]
        running = trumps or [played for played in trick if played[1] == led]
        best = sorted(running, key=lambda played: "23456789TJQKA".index(played[0]))[-1]
        rest = [hand.difference(trick) for hand in hands]
        total += leaves_by_hand(rest, order[trick.index(best)], broken or bool(trumps))
    return total


def test_nobody_is_asked_while_the_dealer_shuffles():
    for phase in (GAME.start(Options(), 4), GAME.start(Options(first_dealer="drawn"), 4)):
        assert phase.to_act == CHANCE
        with pytest.raises(LookupError):
            phase.question(0)

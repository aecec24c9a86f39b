"""The rules of durak: every worked example, every option, every edge that is easily missed.

Rules are cited from docs/rules/durak.md.
"""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from card_arena.tables.cards import FULL_PACK, card, cards, pack
from card_arena.tables.drawing import draw
from card_arena.tables.durak import Durak
from card_arena.tables.durak.bout import (
    Bout,
    Options,
    Say,
    Show,
    Together,
    Transfer,
    beating,
    in_order,
)
from card_arena.tables.durak.phases import BOUTS, Attacking, Shuffling
from card_arena.tables.encoding import words
from card_arena.tables.fault_texts import fault_text
from card_arena.tables.game import CHANCE, BadTable, IllegalAction, MalformedAnswer, Terminal
from card_arena.tables.legal_actions import Order
from card_arena.tables.referee import play
from card_arena.tests.tables.scripted import Always, random_steps

GAME = Durak()


def attack(*hands, attacker=0, trump="7D", talon="", number=2, **options):
    """The beginning of a bout with these hands, seat by seat; an empty hand is out."""
    held = tuple(in_order(cards(hand), trump[1]) for hand in hands)
    out = tuple(0 if hand else 1 for hand in held)
    bout = Bout(held, Options(**options), card(trump), cards(talon), out, number)
    bout = bout.attacked_by(attacker)
    return Attacking(bout, attacker, bout.layable(bout.hands[attacker]))


def after(phase, *answers):
    """Where a game stands after these answers, each by whoever is asked."""
    for answer in answers:
        action = phase.read(answer)
        assert action in phase.legal_actions(phase.to_act), f"{answer} is not in {legal(phase)}"
        phase, _ = phase.apply(action)
    return phase


def legal(phase):
    return words(phase.question(phase.to_act))[2].split(",")


def asked(phase):
    """Who is asked, and for what."""
    return phase.to_act, words(phase.question(phase.to_act))[1]


def dealt(*hands, rest="", deck=52, **options):
    """The first question of a game in which the seats are dealt these hands, `rest` next."""
    order = [c for turn in zip(*(cards(hand) for hand in hands), strict=True) for c in turn]
    order += cards(rest)
    start = GAME.start(Options(deck=deck, **options), len(hands))
    full = start.legal_actions(CHANCE).pack
    phase, _ = start.apply((*order, *(c for c in full if c not in order)))
    return phase


class TestVectors:
    """Section d: the worked examples, one test each; diamonds are trumps."""

    @pytest.mark.parametrize(
        ("attack_card", "hand", "answers"),
        [
            ("9S", "TS 8S 6D AH", ["TS", "6D", "take"]),  # example d.1
            ("9D", "TD 6D AS", ["TD", "take"]),  # example d.2
            ("AD", "KD AS 6D", ["take"]),  # example d.3
        ],
    )
    def test_d1_to_d3_what_beats_a_card(self, attack_card, hand, answers):
        assert legal(after(attack(f"{attack_card} 2C", hand), attack_card)) == answers

    def test_d4_cards_of_the_ranks_on_the_table_can_be_thrown_in(self):
        phase = after(attack("7S 7H 9D KC", "9S 2C 2H"), "7S", "9S")
        assert legal(phase) == ["7H", "9D", "done"]

    def test_d5_a_defender_with_three_cards_is_attacked_with_three(self):
        phase = attack("7S 7H 7C 7D 2C", "8S 8H 8C", "KC QC")
        phase = after(phase, "7S", "8S", "7H", "8H", "7C")
        assert words(phase.question(1))[11] == "0"
        phase = after(phase, "8C")
        assert (phase.bout.number, asked(phase)) == (3, (2, "attack"))

    def test_d6_six_attack_cards_end_the_bout(self):
        phase = after(
            attack("7S 7H 7C 8S 8H 8C 9D", "8D 9S 9H 9C TS TH TC AH KH"),
            *("7S", "8D", "7H", "9H", "7C", "9C", "8S", "9S", "8H", "TH", "8C"),
        )
        assert legal(phase) == ["TC", "take"]
        ended = after(phase, "TC")
        assert ended.bout.number == 3
        assert ended.to_act == 1

    def test_d7_the_fifth_beaten_card_ends_the_first_bout_where_its_limit_is_five(self):
        hands = ("7S 7H 7C 8S 8H 8C 9C", "8D 9S 9H TC JC QC KC AS AH")
        answers = ("7S", "8D", "7H", "9H", "7C", "TC", "8S", "9S", "8H", "AH")
        first = after(attack(*hands, number=1, first_limit=5), *answers)
        assert (first.bout.number, asked(first)) == (2, (1, "attack"))
        assert asked(after(attack(*hands, number=1), *answers)) == (0, "throw")
        assert asked(after(attack(*hands, number=2, first_limit=5), *answers)) == (0, "throw")

    def test_d8_who_takes_has_all_cards_and_does_not_attack_next(self):
        phase = attack("7S 9H 2C", "9S 3C 3H 4H", "KC QC")
        phase = after(phase, "7S", "9S", "9H", "take")
        assert phase.bout.hands[1] == cards("3C 3H 4H 9H 7S 9S")
        assert phase.to_act == 2

    def test_d9_three_players_after_a_take(self):
        phase = after(attack("7S 2C", "3C 4C", "KC QC"), "7S", "take")
        assert (phase.bout.attacker, phase.bout.defender) == (2, 0)

    def test_d10_the_attacker_draws_first_and_the_defender_last(self):
        phase = attack("7S 2C 3C 4C 6C", "9S AC KC QC", "2H 3H 4H 5H 6H", talon="TH TS 7D")
        phase = after(phase, "7S", "9S")
        assert [len(hand) for hand in phase.bout.hands] == [6, 3, 6]
        assert set(cards("TH TS")) <= set(phase.bout.hands[0])
        assert card("7D") in phase.bout.hands[2]

    def test_d11_the_last_cards_of_both_are_a_draw(self):
        over = after(attack("7S", "9S"), "7S", "9S")
        assert over == Terminal(scores=(1, 1), hands=(1, 1), won=(0, 0))

    def test_d12_who_keeps_a_card_is_the_fool(self):
        over = after(attack("7S", "9S 2C"), "7S", "9S")
        assert over == Terminal(scores=(2, 0), hands=(1, 1), won=(1, 0))

    def test_d13_a_transfer_needs_enough_cards_in_the_next_hand(self):
        hands = ("8S 2C 2S", "8H 3C 3S 4S")
        assert legal(after(attack(*hands, "4C", transfer="card"), "8S")) == ["take"]
        assert legal(after(attack(*hands, "4C 5C", transfer="card"), "8S")) == ["pass:8H", "take"]

    def test_d14_six_players_with_36_cards_have_no_talon_and_the_last_card_shows_trumps(self):
        order = pack("6789TJQKA")
        phase, _ = GAME.start(Options(deck=36), 6).apply(order)
        asked = words(phase.question(phase.to_act))
        assert asked[5:8] == ("S:AS", "0", "6,6,6,6,6,6")
        assert order[-1] == "AS"
        assert card("AS") in phase.bout.hands[5]

    def test_d15_the_lowest_trump_begins(self):
        hands = ("7D 2C 3C 4C 5C 6C", "6D 2S 3S 4S 5S 6S", "2H 3H 4H 5H 6H 7H")
        phase = dealt(*hands, rest="8D")
        assert asked(phase) == (1, "attack")


class TestDeal:
    """Section a: the deal."""

    def test_the_card_under_the_talon_shows_trumps_and_is_drawn_last(self):
        phase = dealt("2C 3C 4C 5C 6C 7C", "2S 3S 4S 5S 6S 7S", rest="9H AC")
        assert phase.bout.trump == card("9H")
        assert phase.bout.talon[0] == card("AC")
        assert phase.bout.talon[-1] == card("9H")
        assert len(phase.bout.talon) == 40

    def test_the_card_that_shows_trumps_makes_nobody_begin(self):
        """All 24 cards are dealt: seat 3 has the 9D, seat 2 the TD."""
        hands = ("9C TC JC QC KC AC", "9S TS JS QS KS AS", "9H TH JH TD KH AH")
        phase = dealt(*hands, "QH JD QD KD AD 9D", deck=24)
        assert phase.bout.trump == card("9D")
        assert asked(phase) == (2, "attack")

    def test_without_a_trump_in_any_hand_the_seat_after_the_dealer_begins(self):
        phase = dealt("2C 3C 4C 5C 6C 7C", "2S 3S 4S 5S 6S 7S", rest="9H")
        assert asked(phase) == (0, "attack")

    @pytest.mark.parametrize(("deck", "lowest"), [(52, "2"), (36, "6"), (32, "7"), (24, "9")])
    def test_the_deck_is_shuffled_from_its_lowest_rank(self, deck, lowest):
        choice = GAME.start(Options(deck=deck), 2).legal_actions(CHANCE)
        assert isinstance(choice, Order)
        assert len(choice.pack) == deck
        assert {c.suit for c in choice.pack if c.rank == lowest} == set("CDHS")
        assert set(choice.pack) <= set(FULL_PACK)

    @pytest.mark.parametrize(
        ("options", "seats", "complaint"),
        [
            ({}, 1, "durak seats 2 to 6 players, not 1"),
            ({"deck": 36}, 7, "durak seats 2 to 6 players, not 7"),
            ({"deck": 24}, 5, "24 cards are too few for 5 players: everybody gets 6"),
            ({"deck": 32}, 6, "32 cards are too few for 6 players: everybody gets 6"),
            ({"partners": True}, 3, "durak with partners seats 4 players, not 3"),
        ],
    )
    def test_a_table_that_cannot_be_is_refused_with_a_sentence(self, options, seats, complaint):
        with pytest.raises(BadTable, match=complaint):
            GAME.start(Options(**options), seats)

    @pytest.mark.parametrize(
        "wrong",
        [
            *({"deck": 40}, {"deck": "52"}, {"throwers": "nobody"}, {"first_limit": 4}),
            *({"transfer": True}, {"trumps": "D"}, {"partners": 1}),
        ],
    )
    def test_wrong_options_are_refused(self, wrong):
        with pytest.raises(ValidationError):
            Options(**wrong)

    def test_a_two_beats_no_ace_in_a_pack_without_twos(self):
        with pytest.raises(ValidationError, match="there is no 2 in 36 cards"):
            Options(deck=36, deuce_beats_ace=True)


class TestBout:
    """Section b: a bout, where simple programs go wrong."""

    def test_the_attacker_is_asked_first_and_then_clockwise_from_the_defender(self):
        phase = attack("7S 7H 2C", "9S 3C 3H", "9H 4C", "9C 5C", attacker=0)
        phase = after(phase, "7S", "9S")
        assert asked(phase) == (0, "throw")
        phase = after(phase, "done")
        assert asked(phase) == (2, "throw")
        phase = after(phase, "done")
        assert asked(phase) == (3, "throw")

    def test_the_attacker_is_asked_first_where_he_sits_behind_the_defender_too(self):
        phase = after(attack("9H 4C", "7C 5C", "7S 7H", "9S 3C 2C", attacker=2), "7S", "9S")
        assert asked(phase) == (2, "throw")
        phase = after(phase, "done")
        assert asked(phase) == (0, "throw")
        assert asked(after(phase, "done")) == (1, "throw")

    def test_after_a_throw_in_everybody_who_was_done_is_asked_again(self):
        phase = attack("7S 7H 2C", "9S JS 3C 3H", "9C 4C", "5C")
        phase = after(phase, "7S", "9S", "done")
        assert asked(phase) == (2, "throw")
        phase = after(phase, "9C", "take")
        assert asked(phase) == (0, "give")

    def test_who_has_no_card_to_throw_in_is_not_asked(self):
        phase = attack("7S 2C", "9S 3C 3H", "4C", "9C 5C")
        assert asked(after(phase, "7S", "9S")) == (3, "throw")

    def test_a_bout_ends_when_nobody_can_throw_in(self):
        phase = after(attack("7S 2C", "9S 3C 3H", "4C 5C"), "7S", "9S")
        assert (phase.bout.number, asked(phase)) == (3, (1, "attack"))

    def test_who_beat_everything_attacks_next(self):
        phase = after(attack("7S 2C", "9S 3C 3H", "4C 5C"), "7S", "9S")
        assert (phase.bout.attacker, phase.bout.defender) == (1, 2)

    def test_the_limit_is_the_hand_at_the_beginning_of_the_bout_and_not_what_is_left_of_it(self):
        phase = after(attack("7S 7H 7C 7D", "8S 8H"), "7S", "8S", "7H")
        assert words(phase.question(1))[11] == "0"
        ended = after(phase, "8H")
        assert ended.scores == (0, 2)

    def test_throwing_in_while_the_defender_takes_is_limited_too(self):
        phase = after(attack("7S 7H 7C 2C", "3S 3H"), "7S", "take")
        assert asked(phase) == (0, "give")
        ended = after(phase, "7H")
        assert ended.bout.number == 3
        assert len(ended.bout.hands[1]) == 4

    def test_a_throw_in_after_a_take_asks_the_others_again(self):
        phase = after(attack("7S 7H 2C", "3S 3H 4H 5H", "7C 7D 4C"), "7S", "take", "done")
        assert asked(phase) == (2, "give")
        phase = after(phase, "7C")
        assert asked(phase) == (0, "give")
        phase = after(phase, "7H")
        assert asked(phase) == (2, "give")
        phase = after(phase, "done")
        assert phase.bout.number == 3
        assert set(cards("7S 7C 7H")) <= set(phase.bout.hands[1])

    def test_a_hand_is_filled_up_only_to_six(self):
        phase = attack("7S 2C 3C 4C 5C 6C 8C", "3S 3H 4H 5H 6H 7H", talon="9C TC 7D")
        phase = after(phase, "7S", "take")
        assert [len(hand) for hand in phase.bout.hands] == [6, 7]
        assert len(phase.bout.talon) == 3

    def test_nobody_is_out_while_there_is_a_talon(self):
        phase = after(attack("7S", "3S 3H 4H 5H 6H 8H", talon="9C TC 7D"), "7S", "take")
        assert phase.bout.out == (0, 0)
        assert [len(hand) for hand in phase.bout.hands] == [3, 7]

    def test_who_lays_the_last_card_is_out_and_the_next_one_plays_for_him(self):
        """Seat 2 takes, seat 3 would attack seat 0, who is out: it attacks seat 1."""
        phase = attack("", "7S", "3S 3H", "4C 5C", "8C 9C", attacker=1)
        phase = after(phase, "7S", "take")
        assert phase.bout.out == (1, 2, 0, 0, 0)
        assert (phase.bout.attacker, phase.bout.defender) == (3, 4)
        phase = after(phase, "4C", "8C")
        assert (phase.bout.attacker, phase.bout.defender) == (4, 2)

    def test_a_defender_who_beat_all_with_his_last_card_is_out_and_the_next_one_attacks(self):
        phase = after(attack("7S 2C", "9S", "4C 5C"), "7S", "9S")
        assert phase.bout.out == (0, 2, 0)
        assert (phase.bout.attacker, phase.bout.defender) == (2, 0)

    def test_a_thrower_can_go_out_with_the_card_he_throws_in(self):
        phase = after(attack("7S 2C", "9S JC 3H", "9C"), "7S", "9S", "9C", "JC")
        assert phase.bout.out == (0, 0, 2)

    def test_those_who_go_out_in_the_same_bout_tie(self):
        over = after(attack("7S", "9S JC 3H", "9C"), "7S", "9S", "9C", "JC")
        assert over.scores == (3, 0, 3)
        assert over.won == (1, 0, 1)

    def test_nobody_ties_with_the_fool(self):
        over = after(attack("7S", "2H 3H"), "7S", "take")
        assert over.scores == (2, 0)

    def test_a_simultaneous_finish_of_the_last_two_is_a_draw_behind_those_who_were_out(self):
        over = after(attack("7S", "9S", ""), "7S", "9S")
        assert over.scores == (1, 1, 4)
        assert over.won == (0, 0, 1)

    def test_six_players_without_a_talon_play_to_the_fool(self):
        over = random_steps(GAME, 6, 3, deck=36)[-1].after
        assert sum(over.scores) == 30
        assert over.scores.count(0) == 1

    def test_a_game_that_does_not_end_is_a_draw_after_five_hundred_bouts(self):
        """Three who always take and never throw in give the same cards round and round."""
        phase = attack("7S 2C", "3S 4S", "5H 6H", "")
        first = phase.bout
        while not isinstance(phase, Terminal):
            number = phase.bout.number
            word = {"attack": 0, "defend": -1, "throw": -1, "give": -1}[asked(phase)[1]]
            phase = after(phase, legal(phase)[word])
        assert first.out == (0, 0, 0, 1)
        assert number == BOUTS == 500
        assert phase.scores == (2, 2, 2, 6)
        assert phase.won == (0, 0, 0, 1)

    def test_who_goes_out_in_the_last_bout_is_not_in_the_draw(self):
        over = after(attack("7S", "3S 3C", "KC QC", number=BOUTS), "7S", "take")
        assert over.scores == (4, 1, 1)
        assert over.won == (1, 0, 0)


class TestTransfer:
    """Passing an attack on, where the table allows it."""

    HANDS = ("8S 2C 2S", "8H 3C 3S 4S", "4C 5C 8C 6C")

    def test_without_the_option_there_is_none(self):
        assert legal(after(attack(*self.HANDS), "8S")) == ["take"]

    def test_the_defender_attacks_now_and_the_next_one_defends_against_all(self):
        phase = after(attack(*self.HANDS, transfer="card"), "8S", "pass 8H")
        asked_ = words(phase.question(2))
        assert phase.to_act == 2
        assert asked_[8:12] == ("8S-,8H-", "1", "2", "2")
        assert asked_[12] == "0:8S,1:pass:8H"

    def test_several_cards_are_beaten_in_the_order_they_were_laid(self):
        hands = ("8S 2C 2S", "8H 3C 3S 4S", "9H 9S 5C 6C")
        phase = after(attack(*hands, transfer="card"), "8S", "pass 8H")
        assert legal(phase) == ["9S", "take"]
        phase = after(phase, "9S")
        assert legal(phase) == ["9H", "take"]

    def test_no_transfer_once_a_card_was_beaten(self):
        hands = ("8S 2C 8D", "9S 8H 3S 4S", "4C 5C 8C 6C")
        phase = after(attack(*hands, transfer="card"), "8S", "9S", "8D")
        assert legal(phase) == ["take"]

    def test_after_a_transfer_who_passed_it_on_throws_in_first(self):
        hands = ("8S 9C 2S", "8H 9D 3S 4S", "9S 9H 5C 6C")
        phase = after(attack(*hands, transfer="card"), "8S", "pass 8H", "9S", "9H")
        assert asked(phase) == (1, "throw")

    def test_the_last_two_pass_an_attack_back_and_forth_unless_the_table_says_no(self):
        hands = ("8S 8C 2S 2H", "8H 8D 3S 4S")
        phase = after(attack(*hands, transfer="card"), "8S", "pass 8H")
        assert legal(phase) == ["pass:8C", "take"]
        assert legal(after(phase, "pass 8C"))[0] == "8D"
        once = attack(*hands, transfer="card", transfer_back=False)
        assert legal(after(once, "8S")) == ["8D", "take"]

    def test_after_a_transfer_the_limit_is_the_new_defenders_hand(self):
        hands = ("8S 8C 9C 9D", "8H 3C 3S 4S", "9S 9H TC")
        phase = after(attack(*hands, transfer="card"), "8S", "pass 8H")
        assert words(phase.question(2))[11] == "1"
        ended = after(phase, "9S", "9H", "8C", "TC")
        assert ended.bout.number == 3

    def test_the_lower_limit_of_the_first_bout_holds_after_a_transfer_too(self):
        hands = ("8S 2C 2S", "8H 3C 3S 4S", "4C 5C 6C 9C TC JC")
        options = {"transfer": "card", "first_limit": 5}
        for number, left in ((1, "3"), (2, "4")):
            phase = after(attack(*hands, number=number, **options), "8S", "pass 8H")
            assert words(phase.question(2))[11] == left

    def test_a_trump_is_shown_and_stays_in_the_hand_once_in_a_bout(self):
        hands = ("8S 8C 2S 2H", "8D 3C 3S 4S")
        assert "show:8D" not in legal(after(attack(*hands, transfer="card"), "8S"))
        phase = after(attack(*hands, transfer="show_trump"), "8S")
        assert legal(phase) == ["8D", "pass:8D", "show:8D", "take"]
        phase = after(phase, "show 8D")
        assert card("8D") in phase.bout.hands[1]
        assert words(phase.question(0))[8:13] == ("8S-", "1", "0", "2", "0:8S,1:show:8D")
        phase = after(phase, "pass 8C")
        assert legal(phase) == ["8D", "take"]

    def test_showing_a_trump_needs_no_more_cards_in_the_next_hand(self):
        hands = ("8S 2C", "8D 3C 3S 4S", "4C")
        phase = after(attack(*hands, transfer="show_trump"), "8S")
        assert legal(phase) == ["8D", "show:8D", "take"]


class TestOptions:
    """Every option changes something; those of the deal and the transfer have their own tests."""

    HANDS = ("7S 7H 2C", "9S 3C 3H", "9H 4C", "9C 5C", "7C 6C")

    @pytest.mark.parametrize(
        ("throwers", "seats"), [("all", [0, 2, 3, 4]), ("neighbours", [0, 2]), ("attacker", [0])]
    )
    def test_throwers(self, throwers, seats):
        phase, who = after(attack(*self.HANDS, throwers=throwers), "7S", "9S"), []
        while phase.bout.number == 2:
            who.append(phase.to_act)
            phase = after(phase, "done")
        assert who == seats

    def test_the_neighbour_of_a_defender_is_the_next_one_who_is_in(self):
        hands = ("7S 2C", "9S 3C 3H", "", "9H 4C", "9C 5C")
        phase = after(attack(*hands, throwers="neighbours"), "7S", "9S")
        assert asked(phase) == (3, "throw")
        assert after(phase, "done").bout.number == 3

    def test_several_cards_of_a_rank_are_laid_at_once(self):
        hands = ("7S 7H 7C 2C", "9S 9H 9C 3H", "9D 4C")
        assert "7C+7H" not in legal(attack(*hands))
        phase = attack(*hands, throw_in="several")
        assert legal(phase) == ["2C", "7C", "7H", "7S", "7C+7H", "7C+7S", "7H+7S", "7C+7H+7S"]
        phase = after(phase, "7S+7H")
        assert words(phase.question(1))[8] == "7H-,7S-"
        phase = after(phase, "9H", "9S")
        assert legal(phase) == ["7C", "done"]
        assert words(phase.question(0))[12] == "0:7H+7S,1:9H,1:9S"

    def test_no_more_cards_are_laid_at_once_than_there_is_room_for(self):
        phase = attack("7S 7H 7C 2C", "9S 9H", throw_in="several")
        assert "7C+7H+7S" not in legal(phase)
        assert "7C+7H" in legal(phase)

    def test_without_throwing_in_after_a_take_the_bout_is_over_at_once(self):
        phase = after(attack(*self.HANDS, throw_after_take=False), "7S", "take")
        assert phase.bout.number == 3
        assert asked(after(attack(*self.HANDS), "7S", "take")) == (0, "give")

    def test_a_two_beats_the_ace_of_its_suit(self):
        hands = ("AS 3C", "2S 2C KS 4H")
        assert legal(after(attack(*hands), "AS")) == ["take"]
        assert legal(after(attack(*hands, deuce_beats_ace=True), "AS")) == ["2S", "take"]

    def test_a_two_of_trumps_beats_the_ace_of_trumps_and_an_ace_still_beats_a_two(self):
        assert card("2D") in beating(card("AD"), "D", True)
        assert card("2D") not in beating(card("AD"), "D")
        assert card("AS") in beating(card("2S"), "D", True)
        assert card("2S") not in beating(card("KS"), "D", True)

    @pytest.mark.parametrize(
        ("refill", "drawn"),
        [("attacker_first", "TC JC QC"), ("throwers", "TC QC JC"), ("seats", "JC QC TC")],
    )
    def test_refill(self, refill, drawn):
        """Seat 1 attacks, seat 0 throws in and then seat 3; TC is drawn first, JC, then QC."""
        hands = ("9H 2C 3C 4C 5C 6C", "7S 2H 3H 4H 5H 6H", "9S TH 2S 3S 4S 5S", "6S 7H 8H 8C 9D 8S")
        phase = attack(*hands, attacker=1, talon="TC JC QC KC AC 7D", refill=refill)
        phase = after(phase, "7S", "9S", "done", "9H", "take", "9D", "done")
        for seat, name in zip((1, 3, 0), cards(drawn), strict=True):
            assert name in phase.bout.hands[seat]

    @pytest.mark.parametrize(
        ("last_cards", "scores"), [("draw", (1, 1)), ("attacker_wins", (2, 0))]
    )
    def test_last_cards(self, last_cards, scores):
        assert after(attack("7S", "9S", last_cards=last_cards), "7S", "9S").scores == scores

    def test_a_hand_with_five_cards_of_a_suit_is_dealt_again(self):
        hands = ("2C 3C 4C 5C 6C 7H", "2S 3S 4S 5H 6S 7D")
        assert isinstance(dealt(*hands), Attacking)
        again = dealt(*hands, redeal=True)
        assert isinstance(again, Shuffling)
        assert again.to_act == CHANCE
        assert isinstance(dealt(*reversed(hands), redeal=True), Shuffling)
        four = ("2C 3C 4C 5C 6H 7H", "2S 3S 4S 5S 6D 7D")
        assert isinstance(dealt(*four, redeal=True), Attacking)

    def test_open_hands_are_named_in_every_question_and_such_a_table_is_not_rated(self):
        phase = attack("7S 2C", "9S", "", "3C 4D", open_hands=True)
        assert words(phase.question(0))[13] == "2C,7S/9S/-/3C,4D"
        assert len(words(attack("7S", "9S").question(0))) == 13
        assert not GAME.rated(Options(open_hands=True))
        assert GAME.rated(Options())

    @pytest.mark.parametrize("preset", Durak.presets)
    def test_presets_play_to_the_end(self, preset):
        options = Durak.presets[preset].model_dump()
        assert isinstance(random_steps(GAME, 3, 1, **options)[-1].after, Terminal)


class TestPartners:
    """Two against two, seats 0 and 2 against 1 and 3."""

    def test_nobody_throws_in_against_his_partner(self):
        phase = attack("7S 2C", "9S 3C 3H", "9H 4C", "9C 7C", partners=True)
        assert asked(after(phase, "7S", "9S")) == (2, "throw")
        without = attack("2C 7S", "9S 3C 3H", "5H 4C", "9C 7C", partners=True)
        assert after(without, "7S", "9S").bout.number == 3

    def test_a_neighbour_who_is_the_defenders_partner_throws_nothing_in(self):
        """Seat 2 is out: the next one after the defender is his partner, seat 3."""
        hands = ("7S 2C", "9S 3C 3H", "", "9C 7C")
        phase = attack(*hands, partners=True, throwers="neighbours")
        assert after(phase, "7S", "9S").bout.number == 3

    def test_a_transfer_goes_past_the_partner(self):
        hands = ("8S 2C", "8H 3C", "", "9C 7C 8C")
        phase = after(attack(*hands, partners=True, transfer="card"), "8S")
        assert legal(phase) == ["take"], "seat 0 is left with one card, and two would lie there"
        hands = ("8S 2C 4C", "8H 3C", "", "9C 7C 8C")
        phase = after(attack(*hands, partners=True, transfer="card"), "8S", "pass 8H")
        assert (phase.bout.attacker, phase.bout.defender) == (1, 0)

    def test_an_attack_goes_to_the_next_opponent(self):
        phase = attack("7S 2C", "", "9H 4C", "9C 7C", partners=True)
        assert (phase.bout.attacker, phase.bout.defender) == (0, 3)

    def test_the_game_is_over_when_one_side_has_no_cards(self):
        over = after(attack("7S", "8C 3C", "", "9C 4C", partners=True), "7S", "take")
        assert over.scores == (2, 0, 2, 0)
        assert over.won == (1, 0, 1, 0)

    def test_a_player_without_cards_waits_for_his_partner(self):
        phase = after(attack("7S", "8C 3C", "5H", "9C 4C", partners=True), "7S", "take")
        assert phase.bout.out == (2, 0, 0, 0)
        assert phase.to_act == 2

    def test_who_went_out_early_loses_with_a_partner_who_keeps_a_card(self):
        over = after(attack("7S 2C", "9S", "", "", partners=True), "7S", "9S")
        assert over.scores == (0, 2, 0, 2)

    def test_a_simultaneous_finish_is_a_draw_of_the_sides(self):
        over = after(attack("7S", "9S", "", "", partners=True), "7S", "9S")
        assert over.scores == (1, 1, 1, 1)


class TestAnswers:
    """What is an answer, and what is allowed."""

    @pytest.mark.parametrize(
        ("line", "action"),
        [
            *(("7H", card("7H")), ("7h", card("7H")), (" 7H\t", card("7H"))),
            *(("take", Say.TAKE), ("TAKE", Say.TAKE), ("done", Say.DONE)),
            *(("pass 8H", Transfer(card("8H"))), ("pass:8h", Transfer(card("8H")))),
            *(("show 8D", Show(card("8D"))), ("show:8D", Show(card("8D")))),
            ("7S+7h", Together(cards("7H 7S"))),
        ],
    )
    def test_answers_and_their_spellings(self, line, action):
        assert attack("7H", "9H").read(line) == action

    @pytest.mark.parametrize(
        "line",
        [
            *("", "7", "H7", "7 H", "10H", "1H", "NH", "A14", "EX", "7HH", "7H 7S", "7H take"),
            *("take it", "done.", "pass", "pass 8", "pass8H", "pass take", "8H pass", "7H+", "+7H"),
            *("7H,7S", "7H + 7S", "07H", "-", "#", "\x007H", "7H\n8H"),
            "\N{FULLWIDTH DIGIT SEVEN}H",
            "7\N{BLACK HEART SUIT}",
            "A\N{LATIN SMALL LETTER LONG S}",
            "\N{LATIN SMALL LETTER LONG S}how 8D",
        ],
    )
    def test_anything_else_is_malformed(self, line):
        with pytest.raises(MalformedAnswer, match="expected a card such as 7H, take, done"):
            attack("7H", "9H").read(line)

    def test_a_card_named_twice_is_malformed(self):
        with pytest.raises(MalformedAnswer, match=r"'7H\+7h' names a card twice"):
            attack("7H", "9H").read("7H+7h")

    def test_a_long_answer_is_quoted_in_short(self):
        with pytest.raises(MalformedAnswer) as caught:
            attack("7H", "9H").read("take " * 1000)
        assert len(str(caught.value)) < 200

    @pytest.mark.parametrize(
        "line", ["9H", "take", "done", "pass 7H", "show 7D", "7H+7S", "AS", "6D"]
    )
    def test_what_is_not_allowed_now_is_illegal(self, line):
        phase = attack("7H 7S 2C", "9H 3C")
        action = phase.read(line)
        assert action not in phase.legal_actions(0)
        with pytest.raises(IllegalAction):
            phase.apply(action)

    @pytest.mark.parametrize(
        ("answer", "kind", "text"),
        [
            ("AH", "illegal", "not allowed now: expected 2C, 7S"),
            ("7X", "malformed", "'7X' is not an answer: expected a card such as 7H"),
        ],
    )
    def test_a_fault_is_told_with_what_was_legal(self, answer, kind, text):
        class Dealer:
            def deal(self, choice):
                order = cards("2C 3S 7S 4S 8S 5S 9S 6S TS 7C JS 8C AD")
                return (*order, *(c for c in choice.pack if c not in order))

        record = play(GAME, Options(), [Always(answer), Always("take")], Dealer())
        number, seat, fault = record.faults[0]
        assert (seat, fault.kind, record.turns[number].answer) == (0, kind, answer)
        assert fault_text(fault, answer).startswith(text)
        assert "2C, 7S, 8S, 9S, TS, JS" in fault_text(fault, answer)
        assert record.turns[1].action == "2C"


class TestShown:
    """What people and listening bots are told."""

    def test_a_finished_bout_is_notices(self):
        phase = after(attack("7S 9H 2C", "9S 3C 3H 4H", "KC QC"), "7S", "9S", "9H")
        _, notices = phase.apply(Say.TAKE)
        assert [str(item) for item in notices] == ["bout 2 0:7S,1:9S,0:9H,1:take taken"]
        phase = after(attack("7S 2C", "9S 3C 3H", "KC QC"), "7S")
        _, notices = phase.apply(card("9S"))
        assert [str(item) for item in notices] == ["bout 2 0:7S,1:9S beaten"]

    def test_nothing_is_told_in_the_middle_of_a_bout(self):
        phase = attack("7S 9H 2C", "9S 3C 3H 4H", "KC QC")
        for answer in ("7S", "9S", "9H"):
            phase, notices = phase.apply(phase.read(answer))
            assert not notices

    def test_the_table_is_drawn_with_what_beat_what(self):
        phase = after(attack("7S 9H 2C", "9S 3C 3H 4H", "KC QC", talon="TC 7D"), "7S", "9S", "9H")
        lines = draw(GAME.presentation.scene(phase), ["ada", "bob", "cy"], reveal=True)
        assert lines[0] == "bout 2"
        assert "trumps diamonds" in lines[1]
        assert "talon 2" in lines[1]
        assert any("7♠-9♠ 9♥" in line for line in lines)
        assert any(line.startswith("> bob") and line.endswith("defends") for line in lines)

    def test_what_was_beaten_lies_there_until_the_next_attack(self):
        phase = after(attack("7S 2C", "9S 3C 3H", "KC QC"), "7S", "9S")
        scene = GAME.presentation.scene(phase)
        assert scene.title == "bout 2"
        assert [[str(c.card) for c in pile.cards] for pile in scene.piles] == [["7S", "9S"]]
        scene = GAME.presentation.scene(after(phase, "3C"))
        assert scene.title == "bout 3"
        assert [[str(c.card) for c in pile.cards] for pile in scene.piles] == [["3C"]]

    @pytest.mark.parametrize(
        ("phase", "answer", "remark"),
        [
            (after(attack("7S 2C", "9S 3C", "KC"), "7S"), "9S", "bob has beaten the attack"),
            (after(attack("7S", "3S 3C", "KC"), "7S"), "take", "bob takes the cards; ada is out"),
            (after(attack("7S", "9S JC 3H", "9C", "4C"), "7S", "9S", "9C"), "JC",
             "bob has beaten the attack; ada and cy are out"),
            (after(attack("7S", "9S 2C"), "7S"), "9S", "bob is the fool"),
            (after(attack("7S", "9S"), "7S"), "9S", "a draw: nobody is the fool"),
            (after(attack("7S", "8C 3C", "", "9C 4C", partners=True), "7S"), "take",
             "bob and dan are the fools"),
            (after(attack("8S 2C", "8H 3C", "4C 5C", transfer="card"), "8S"), "pass 8H",
             "bob passes the attack on to cy"),
            (attack("7S 2C", "9S 3C", "KC"), "7S", ""),
        ],
    )  # fmt: skip
    def test_a_reader_is_told_what_a_turn_came_to(self, phase, answer, remark):
        names = ["ada", "bob", "cy", "dan"][: len(phase.bout.hands)]
        assert GAME.presentation.remark(phase, after(phase, answer), names) == remark

    def test_a_reader_is_told_who_begins_and_of_a_redeal(self):
        start = GAME.start(Options(), 2)
        begun = dealt("2C 3C 4C 5C 6C 7C", "2S 3S 4S 5S 6S 7S", rest="9H")
        assert GAME.presentation.remark(start, begun, ["ada", "bob"]) == "ada begins"
        assert "deals again" in GAME.presentation.remark(start, start, ["ada", "bob"])

    def test_nobody_is_asked_while_the_dealer_has_the_cards(self):
        with pytest.raises(LookupError):
            GAME.start(Options(), 2).question(0)

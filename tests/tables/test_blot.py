"""The rules of blot: every worked example, every option, every way an answer can be wrong.

Rules are cited from docs/rules/blot.md.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from card_arena.tables.blot.answers import Announcing, Call, Penalty
from card_arena.tables.blot.phases import Bidding, Playing, Shuffling
from card_arena.tables.blot.rules import (
    NAMES,
    PACK,
    POINTS,
    Bid,
    Contract,
    Declaration,
    Options,
    Sides,
    playable,
    result,
    tens,
    winner,
)
from card_arena.tables.cards import card, cards
from card_arena.tables.dealing import Packs
from card_arena.tables.drawing import draw
from card_arena.tables.encoding import words
from card_arena.tables.fault_texts import fault_text
from card_arena.tables.game import CHANCE, BadTable, IllegalAction, MalformedAnswer, Terminal
from card_arena.tables.legal_actions import Order, describe
from card_arena.tables.referee import Strikes, play, replay
from card_arena.tests.tables.blot_deals import GAME, HANDS, after, bidding, late, packed, playing
from card_arena.tests.tables.scripted import SILENT, Always, Said, random_steps


def legal(trick: str, hand: str, strain: str = "S", **options) -> str:
    """What may be played to a trick, in the hand's order."""
    return " ".join(playable(cards(hand), cards(trick), strain, Options(**options)))


def allowed(phase) -> str:
    """The word of the question that lists the answers."""
    return phase.question(phase.to_act).legal


class TestWhatMayBePlayed:
    """Section d: examples g.1 to g.10, and others."""

    @pytest.mark.parametrize(
        ("trick", "hand", "expected"),
        [
            pytest.param("7S", "9S KS AH", "9S KS", id="g1 a led trump must be beaten"),
            pytest.param("9S", "JS 7S AH", "JS", id="g2 by the one that can"),
            pytest.param("JS", "9S 7S AH", "9S 7S", id="g3 or any trump where none can"),
            pytest.param("9S", "AH 7D", "AH 7D", id="g4 or anything without one"),
            pytest.param("AH 7S", "KH 9S", "KH", id="g5 suit goes before trump"),
            pytest.param("AH 7S", "8S 9S AD", "8S 9S", id="g6 overtrump an opponent"),
            pytest.param("AH 9S", "KS 7S AD", "KS 7S", id="g7 or undertrump him"),
            pytest.param("TC QC", "TS KD", "TS KD", id="g8 the partner wins: anything"),
            pytest.param("QC TC", "TS KD", "TS", id="g9 an opponent wins: trump"),
        ],
    )
    def test_with_spades_as_trumps(self, trick, hand, expected):
        assert legal(trick, hand) == expected

    def test_g8_unless_trumping_a_partner_is_a_must(self):
        assert legal("TC QC", "TS KD", ruff_partner_winning="must") == "TS"

    def test_g10_without_trumps_anything_goes_where_the_suit_is_missing(self):
        assert legal("QC", "TS KD", strain="N") == "TS KD"

    def test_without_trumps_suit_must_be_followed_but_not_beaten(self):
        assert legal("QC", "TC 7C KD", strain="N") == "TC 7C"

    def test_a_led_trump_is_beaten_even_when_the_partner_wins(self):
        assert legal("9S 7S", "JS 8S", strain="S") == "JS"

    def test_the_best_trump_on_the_table_is_to_be_beaten_not_the_led_one(self):
        assert legal("7S AS", "KS 9S", strain="S") == "9S"

    def test_a_suit_that_was_trumped_need_not_be_beaten(self):
        assert legal("KH 7S", "AH 7H JS") == "AH 7H"

    def test_the_partner_wins_with_a_trump_too(self):
        assert legal("7C 8S AC", "9S 7S AD") == "9S 7S AD"

    def test_an_opponents_overtrump_ends_the_partners_win(self):
        assert legal("7H TS 9S", "JS AD") == "JS"
        assert legal("7H TS 9S", "AS AD") == "AS"

    def test_a_leader_may_play_any_card(self):
        assert legal("", "AS 7D") == "AS 7D"


class TestTricks:
    def test_g11_a_trick_counts_by_the_trumps(self):
        trick = cards("JS 9S AS TS")
        counted = {strain: sum(POINTS[strain][one] for one in trick) for strain in "SHN"}
        assert counted == {"S": 55, "H": 23, "N": 31}

    @pytest.mark.parametrize("strain", "CDHSN")
    def test_the_pack_counts_152_in_every_contract(self, strain):
        assert sum(POINTS[strain][one] for one in PACK) == 152

    @pytest.mark.parametrize(
        ("trick", "strain", "expected"),
        [
            ("TH KH AH 9H", "S", "AH"),
            ("JH TH KH QH", "S", "TH"),
            ("AH 7S TH KH", "S", "7S"),
            ("AS 9S JS TS", "S", "JS"),
            ("AS 9S KS TS", "S", "9S"),
            ("7H AS AD AC", "N", "7H"),
            ("9S JS TS AS", "N", "AS"),
            ("9H 8H JD 7H", "S", "9H"),
        ],
    )
    def test_the_best_trump_takes_it_else_the_best_of_the_suit(self, trick, strain, expected):
        assert cards(trick)[winner(cards(trick), strain)] == expected


def scored(contract, bidders, tricks=5, declared=(0, 0), belotes=(0, 0), **options):
    """The points of bidders and defenders for a contract such as `10Sx`."""
    bid = contract.rstrip("x")
    level, strain = int(bid.rstrip("c")[:-1]), bid.rstrip("c")[-1]
    outcome = result(
        Options(**options),
        Contract(Bid(level, strain, bid.endswith("c")), 0, contract.count("x")),
        Sides(bidders, 162 - bidders),
        tricks,
        Sides(*declared),
        Sides(*belotes),
    )
    return tuple(outcome.points)


class TestScores:
    """Section e: its table, and examples g.12 to g.24."""

    @pytest.mark.parametrize(
        ("contract", "bidders", "tricks", "expected"),
        [
            pytest.param("9S", 90, 5, (18, 7), id="g12"),
            pytest.param("9S", 89, 5, (0, 25), id="g13"),
            pytest.param("10S", 118, 5, (22, 4), id="g14"),
            pytest.param("10S", 106, 5, (21, 5), id="g15"),
            pytest.param("8S", 85, 5, (16, 8), id="g16"),
            pytest.param("8S", 86, 5, (17, 7), id="g16 a six is rounded up"),
            pytest.param("10N", 118, 5, (32, 4), id="g17"),
            pytest.param("10N", 99, 5, (0, 36), id="g17 failed"),
            pytest.param("14S", 0, 0, (0, 39), id="g18"),
            pytest.param("10Sx", 100, 5, (36, 0), id="g19"),
            pytest.param("10Sx", 99, 5, (0, 36), id="g19 failed"),
        ],
    )
    def test_vectors(self, contract, bidders, tricks, expected):
        assert scored(contract, bidders, tricks) == expected

    @pytest.mark.parametrize(
        ("contract", "bidders", "tricks", "declared", "expected"),
        [
            # made: M*b + R(cardsA) + declA/10, and 16 - R(cardsA) + declD/10
            ("10S", 118, 6, (20, 0), (24, 4)),  # example g.20
            ("10S", 118, 6, (0, 50), (22, 9)),
            ("12S", 90, 5, (50, 0), (26, 7)),
            ("8N", 100, 5, (0, 0), (26, 6)),
            ("8N", 100, 5, (190, 0), (45, 6)),
            # made with all eight tricks: M*b + 25 + declA/10, and declD/10
            ("10S", 162, 8, (0, 0), (35, 0)),  # example g.21
            ("10S", 162, 8, (20, 20), (37, 2)),
            ("8N", 162, 8, (0, 0), (41, 0)),
            ("25Sc", 162, 8, (0, 0), (50, 0)),
            ("25S", 162, 8, (0, 0), (50, 0)),
            ("27Sc", 162, 8, (20, 0), (54, 0)),
            # failed: nothing, and M*b + 16 + declD/10
            ("12S", 90, 5, (20, 0), (0, 28)),
            ("10S", 80, 5, (0, 70), (0, 33)),
            ("25Sc", 150, 7, (100, 0), (0, 41)),
            ("26S", 162, 8, (0, 0), (0, 42)),  # example g.22
            # failed and the defenders took all eight: nothing, and M*b + 25 + declD/10
            ("9S", 0, 0, (0, 0), (0, 34)),
            ("8N", 0, 0, (0, 100), (0, 51)),
            # doubled: the winner MX*b + 16, or 25 on capot, + decl/10; the loser nothing
            ("9Sx", 90, 5, (0, 20), (34, 0)),
            ("9Sx", 90, 5, (50, 0), (39, 0)),
            ("9Sx", 89, 5, (0, 20), (0, 36)),
            ("9Sxx", 90, 5, (0, 0), (52, 0)),  # example g.23
            ("9Sxx", 89, 5, (0, 0), (0, 52)),
            ("9Sx", 162, 8, (0, 0), (43, 0)),
            ("9Sx", 0, 0, (0, 0), (0, 43)),
            ("9Nx", 90, 5, (0, 0), (43, 0)),  # example g.24
            ("9Nxx", 90, 5, (0, 0), (61, 0)),
            ("9Nx", 162, 8, (0, 0), (52, 0)),
        ],
    )
    def test_the_table_of_the_rules(self, contract, bidders, tricks, declared, expected):
        assert scored(contract, bidders, tricks, declared) == expected

    def test_a_rest_of_six_counts_as_a_ten(self):
        assert [tens(points) for points in (85, 86, 95, 96, 0, 5, 6, 162)] == [
            *(8, 9, 9, 10, 0, 0, 1, 16)
        ]

    def test_the_last_trick_counts_ten_more(self):
        phase = after(late(["AS", "7H", "8H", "9H"], points=(80, 61)), "AS 7H 8H")
        _, notices = phase.apply(card("9H"))
        assert (notices[0].points, notices[0].gained) == ("101,61", "20,6")

    def test_capot_of_the_defenders(self):
        hands = ["7H", "AH", "8H", "9H"]
        phase = late(hands, points=(0, 141), tricks=(0, 7), max_deals=1)
        assert after(phase, "7H AH 8H 9H").scores == (0, 35, 0, 35)

    def test_declarations_fulfil_a_bid_that_no_cards_could(self):
        declared = ((Declaration("4", cards("JC JD JH JS"), 200),), (), (), ())
        phase = late(
            ["AS", "7H", "8H", "9H"], "35S", points=(141, 0), declared=declared, max_deals=1
        )
        assert after(phase, "AS 7H 8H 9H").scores[0] == 35 + 16 + 20


class TestAuction:
    def test_the_dealers_next_opens_with_eight_or_more(self):
        phase = bidding()
        assert phase.to_act == 1
        assert allowed(phase) == "P,8+"
        assert Bid(7, "S") not in phase.legal_actions(1)

    def test_a_bid_must_be_higher_whatever_its_suit(self):
        phase = after(bidding(), "9C")
        assert allowed(phase) == "P,X,10+"
        for bid in ("9S", "9N", "8N"):
            with pytest.raises(
                IllegalAction, match=f"{bid} is not allowed now: expected P, X or a"
            ):
                phase.apply(phase.read(bid))

    def test_passing_is_not_final(self):
        phase = after(bidding(), "P P P 8S")
        assert (phase.to_act, phase.contract.seat) == (1, 0)
        assert Bid(9, "H") in phase.legal_actions(1)

    def test_four_passes_end_the_auction_so_a_bidder_may_raise_himself(self):
        phase = after(bidding(), "8S P P P")
        assert isinstance(phase, Bidding)
        assert phase.to_act == 1
        phase = after(phase, "13S P P P P")
        assert isinstance(phase, Playing)
        assert str(phase.contract) == "13S@1"
        assert phase.auction == "8S,P,P,P,13S,P,P,P,P"

    def test_with_three_passes_the_bidder_is_not_asked_again(self):
        phase = after(bidding(auction_end="three_passes"), "8S P P P")
        assert isinstance(phase, Playing)

    def test_with_three_passes_everybody_may_still_open(self):
        phase = after(bidding(auction_end="three_passes"), "P P P")
        assert isinstance(phase, Bidding)

    def test_where_all_pass_the_next_dealer_deals_anew(self):
        shuffling, notices = after(bidding(), "P P P").apply(Call.PASS)
        assert isinstance(shuffling, Shuffling)
        assert [str(item) for item in notices] == ["deal 1 - - - 0,0 0,0 0,0"]
        again, _ = shuffling.apply(PACK)
        assert (again.sheet.dealer, again.to_act, again.sheet.played) == (1, 2, 0)

    def test_the_deal_goes_round_after_a_played_round_too(self):
        phase, _ = playing("8S P P P P").apply(Penalty.REVOKE)
        again, _ = phase.apply(PACK)
        assert (again.sheet.dealer, again.to_act, again.sheet.played) == (1, 2, 1)

    def test_only_the_opponents_bid_can_be_doubled(self):
        assert Call.CONTRA not in bidding().legal_actions(1)
        phase = after(bidding(), "8S")
        assert Call.CONTRA in phase.legal_actions(2)
        phase = after(phase, "P")
        assert Call.CONTRA not in phase.legal_actions(3)
        phase = after(phase, "P P")
        assert Call.CONTRA not in phase.legal_actions(1)

    @pytest.mark.parametrize(("calls", "order"), [("8S X", [3, 1]), ("8S P P X", [1, 3])])
    def test_after_a_contra_the_bidding_side_is_asked_from_the_doubler_on(self, calls, order):
        phase = after(bidding(), calls)
        asked = [phase.to_act]
        assert allowed(phase) == "P,XX"
        phase = after(phase, "P")
        asked.append(phase.to_act)
        assert asked == order
        phase = after(phase, "P")
        assert isinstance(phase, Playing)
        assert str(phase.contract) == "8Sx@1"

    def test_the_first_recontra_ends_the_auction(self):
        for calls in ("8S X XX", "8S X P XX"):
            phase = after(bidding(), calls)
            assert isinstance(phase, Playing)
            assert str(phase.contract) == "8Sxx@1"
            assert phase.to_act == 1

    def test_after_a_contra_nobody_bids_any_more(self):
        phase = after(bidding(), "8S X")
        for action in (Bid(9, "S"), Call.CONTRA):
            with pytest.raises(IllegalAction):
                phase.apply(action)

    def test_without_a_contra_there_is_no_recontra(self):
        assert Call.RECONTRA not in after(bidding(), "8S").legal_actions(2)

    def test_with_recontra_by_declarer_the_bidder_alone_is_asked(self):
        phase = after(bidding(recontra_by="declarer"), "8S X")
        assert phase.to_act == 1
        assert str(after(phase, "P").contract) == "8Sx@1"
        assert str(after(phase, "XX").contract) == "8Sxx@1"

    def test_a_capot_bid_is_of_25_or_more(self):
        choice = bidding().legal_actions(1)
        assert Bid(24, "H", capot=True) not in choice
        assert Bid(25, "H", capot=True) in choice
        assert Bid(25, "H") in choice

    def test_capot_level_lets_it_begin_earlier(self):
        choice = bidding(capot_level=8).legal_actions(1)
        assert Bid(8, "H", capot=True) in choice
        assert Bid(7, "H", capot=True) not in choice

    def test_over_a_capot_bid_every_bid_is_one(self):
        phase = after(bidding(), "25Hc")
        assert allowed(phase) == "P,X,26c+"
        choice = phase.legal_actions(2)
        assert Bid(26, "S") not in choice
        assert Bid(26, "S", capot=True) in choice
        assert Bid(25, "S", capot=True) not in choice
        assert str(phase.contract) == "25Hc@1"

    def test_80_is_the_highest_bid(self):
        choice = bidding().legal_actions(1)
        assert Bid(80, "S") in choice
        assert Bid(81, "S") not in choice
        phase = after(bidding(), "80S")
        assert allowed(phase) == "P,X"
        assert Bid(81, "S", capot=True) not in phase.legal_actions(2)

    def test_what_is_allowed_is_said_in_words(self):
        phase = after(bidding(), "9C")
        assert describe(phase.legal_actions(2).outline(phase.write)) == (
            "P, X or a bid from 10C to 80C in any of C, D, H, S, N,"
            " from 25 on also with c for capot"
        )
        phase = after(phase, "25Hc")
        assert describe(phase.legal_actions(3).outline(phase.write)) == (
            "P, X or a bid from 26Cc to 80Cc in any of C, D, H, S, N"
        )

    def test_samples_are_allowed_and_of_every_kind(self):
        rng = random.Random(3)
        for calls in ("P", "8S", "25Hc", "79S", "79Sc"):
            phase = after(bidding(), calls)
            choice = phase.legal_actions(phase.to_act)
            drawn = [choice.sample(rng) for _ in range(400)]
            assert all(action in choice for action in drawn)
            assert {type(action) for action in drawn} == {Call, Bid}
            assert choice.fallback_action is Call.PASS


class TestDeal:
    def test_everybody_gets_four_cards_and_then_four_more(self):
        phase, _ = GAME.start(Options(first_dealer="seat_0"), 4).apply(PACK)
        assert set(phase.hands[1]) == {*PACK[:4], *PACK[16:20]}
        assert set(phase.hands[0]) == {*PACK[12:16], *PACK[28:32]}

    def test_hands_are_held_in_suits_from_the_ace_down(self):
        assert " ".join(bidding().hands[1]) == "KS QS 7S KH JH AD QD TD"

    def test_the_highest_of_four_cards_deals_first(self):
        top = cards("7C AD KS AH")
        order = (*top, *(one for one in PACK if one not in top))
        shuffling, _ = GAME.start(Options(), 4).apply(order)
        assert shuffling.sheet.dealer == 3

    def test_or_seat_0_where_the_table_says_so(self):
        assert GAME.start(Options(first_dealer="seat_0"), 4).sheet.dealer == 0


class TestDeclarationsInPlay:
    def questions(self, answers, calls="P 10S P P P P", **options):
        """The declarations that the next seat is told, after every card."""
        phase = playing(calls, **options)
        told = []
        for answer in answers.split():
            phase, _ = phase.apply(phase.read(answer))
            told.append(phase.question(phase.to_act).declarations)
        return told

    def test_a_class_is_announced_with_the_first_card_and_shown_with_the_second(self):
        assert self.questions("7S 9S TH 8S JS TC AS") == [
            "-",
            "2:T",
            "2:T/3:F",
            "2:T/3:F/0:T",
            "2:T:JS,TS,9S/3:F/0:T",
            "2:T:JS,TS,9S/3:F:TC,9C,8C,7C/0:T",
            "2:T:JS,TS,9S/3:F:TC,9C,8C,7C/0:T:9D,8D,7D",
        ]

    def test_the_belote_is_announced_by_its_first_card_in_whatever_trick(self):
        told = self.questions("7S 9S TH 8S JS TC AS QS TS 7H KC KS")
        assert not any("B" in line for line in told[:7])
        assert told[7].startswith("1:B:KS,QS/2:T:")
        assert told[-1].startswith("1:B:KS,QS/2:T:")

    def test_a_whole_round_with_the_belote_in_two_tricks_and_tierces_that_a_fifty_voids(self):
        """The manual's example: 148 and no declarations for 13; 1, the fifty and the belote."""
        notices = ()
        phase, _ = GAME.start(GAME.example.options, 4).apply(cards(GAME.example.cards))
        for answer in GAME.example.answers:
            phase, notices = phase.apply(phase.read(answer))
        assert notices[0].declarations == "1:B:KS,QS/2:T:JS,TS,9S/3:F:TC,9C,8C,7C/0:T:9D,8D,7D"
        assert notices[0].history.startswith("1:KS,JS,TH,AS/2:9S,TC,8S,QS/")
        assert (notices[0].points, notices[0].gained) == ("148,14", f"{13 + 15},{1 + 5 + 2}")
        assert phase == Terminal((28, 8, 28, 8), (1, 1, 1, 1), (1, 0, 1, 0))

    def test_with_declare_bot_nothing_is_announced_that_nobody_says(self):
        told = self.questions("7S 9S TH 8S JS TC AS", declare="bot")
        assert told == ["-"] * 7

    def test_with_declare_bot_a_bot_says_its_classes_with_its_first_card(self):
        told = self.questions("7S 9S+T TH+F 8S JS", declare="bot")
        assert told == ["-", "2:T", "2:T/3:F", "2:T/3:F", "2:T:JS,TS,9S/3:F"]

    def test_with_declare_bot_the_belote_needs_no_word(self):
        assert self.questions("KS", declare="bot") == ["1:B:KS,QS"]

    def test_with_declare_bot_what_the_hand_has_not_is_illegal(self):
        phase = after(playing("P 10S P P P P", declare="bot"), "7S")
        assert allowed(phase) == "JS,JS+T,TS,TS+T,9S,9S+T"
        for answer in ("9S+F", "9S+TT", "9S+4", "8H+T"):
            with pytest.raises(IllegalAction):
                phase.apply(phase.read(answer))

    def test_with_declare_bot_the_second_card_announces_nothing(self):
        phase = after(playing("P 10S P P P P", declare="bot"), "7S 9S TH 8S")
        assert Announcing(card("JS"), "T") not in phase.legal_actions(2)
        assert card("JS") in phase.legal_actions(2)

    def test_classes_may_be_said_in_any_order(self):
        phase = playing("P 10S P P P P", declare="bot")
        assert phase.read("KS+T4") == phase.read("ks+4t") == Announcing(card("KS"), "4T")
        assert phase.write(phase.read("KS+T4")) == "KS+4T"

    def test_every_class_has_a_name(self):
        assert set(NAMES) == set("TFH4B")


class TestRevoke:
    def test_an_illegal_card_ends_the_round_for_16_and_all_declarations(self):
        """Both tierces, the fifty and the belote: 20 + 20 + 50 + 20."""
        record = play(
            GAME,
            Options(first_dealer="seat_0", max_deals=1),
            _players(1, ["P", "P", "AS"], 2, ["10S", "P"], 3, ["P", "P"], 0, ["P", "P"]),
            _Deals(),
        )
        assert record.over.scores == (27, 0, 27, 0)
        ((number, seat, fault),) = record.faults
        assert (seat, fault.kind, record.turns[number].action) == (1, "illegal", "revoke")
        assert fault_text(fault, None) == (
            "not allowed now: expected KS, QS, 7S, KH, JH, AD, QD, TD"
        )

    def test_the_history_says_where_it_happened(self):
        phase = after(playing("P 10S P P P P"), "7S 9S")
        _, notices = phase.apply(Penalty.REVOKE)
        assert str(notices[0]) == (
            "deal 1 10S@2 1:B:KS,QS/2:T:JS,TS,9S/3:F:TC,9C,8C,7C/0:T:9D,8D,7D"
            " 1:7S,9S,revoke 0,0 27,0 27,0"
        )

    def test_with_declare_bot_only_what_was_announced_counts(self):
        phase = after(playing("P 10S P P P P", declare="bot"), "7S 9S+T")
        _, notices = phase.apply(Penalty.REVOKE)
        assert notices[0].gained == "20,0"  # 16, the tierce of 2 and the belote of 1

    def test_neither_contract_nor_contra_count_after_a_revoke(self):
        phase = playing("P 10S X P P", loser_belote="kept")
        _, notices = phase.apply(Penalty.REVOKE)
        assert notices[0].gained == "27,0"

    def test_nobody_may_give_up_a_round_that_would_cost_more(self):
        players = _players(1, ["P", "P", "revoke"], 2, ["14S"], 3, [], 0, [])
        options = Options(first_dealer="seat_0", max_deals=1)
        record = play(GAME, options, players, _Deals(), strikes=Strikes(limit=1))
        ((number, seat, fault),) = record.faults
        assert (seat, fault.kind, record.turns[number].answer) == (1, "illegal", "revoke")
        assert record.struck_out == (1,)
        assert record.turns[number].action == "revoke"
        assert list(replay(GAME, record))[-1].after == record.over

    def test_nobody_revokes_by_chance(self):
        choice = playing("P 10S P P P P").legal_actions(1)
        rng = random.Random(1)
        assert all(choice.sample(rng) is not Penalty.REVOKE for _ in range(200))
        assert choice.fallback_action is Penalty.REVOKE
        assert choice.fallback_action not in choice

    def test_with_substitute_the_lowest_legal_card_is_played(self):
        phase = playing("P 10S P P P P", revoke="substitute")
        choice = phase.legal_actions(1)
        assert choice.fallback_action == card("JH")
        assert choice.actions[-3:] == cards("7S QS KS")
        assert Penalty.REVOKE not in choice
        with pytest.raises(MalformedAnswer):
            phase.read("revoke")
        with pytest.raises(IllegalAction):
            phase.apply(Penalty.REVOKE)

    def test_with_substitute_nothing_is_announced_for_a_silent_bot(self):
        phase = after(playing("P 10S P P P P", revoke="substitute", declare="bot"), "7S")
        assert phase.legal_actions(2).fallback_action == card("TS")

    def test_in_the_auction_a_fault_is_a_pass(self):
        record = play(
            GAME,
            Options(first_dealer="seat_0", max_deals=1),
            [Always("?") for _ in range(4)],
            Packs(b"s" * 32, "m"),
        )
        assert [turn.action for turn in record.turns[1:]] == ["P"] * 4

    def test_a_seat_that_is_struck_out_passes_and_gives_up_the_rounds_it_should_play(self):
        silent = Always(SILENT)
        players = _players(0, [], 1, [], 2, ["10S"], 3, [])
        record = play(
            GAME,
            Options(first_dealer="seat_0", max_deals=1),
            [players[0], silent, *players[2:]],
            _Deals(),
            strikes=Strikes(limit=1),
        )
        assert len(silent.asked) == 1
        assert record.struck_out == (1,)
        assert [turn.action for turn in record.turns[1:]] == ["P", "10S", *"PPPP", "revoke"]
        assert record.over.scores == (27, 0, 27, 0)


class _Deals:
    """A dealer who deals the hands that these tests know."""

    def deal(self, choice):
        assert isinstance(choice, Order)
        return packed(HANDS, first=1)


class _Says:
    """Gives its answers in turn, then passes."""

    def __init__(self, answers):
        self.answers = list(answers)

    def ask(self, words):
        return Said(self.answers.pop(0) if self.answers else "P")

    def tell(self, line):
        pass


def _players(*pairs):
    """Seats and their answers, as they come in the auction: `1, [...], 2, [...]`."""
    scripts = dict(zip(pairs[::2], pairs[1::2], strict=True))
    return [_Says(scripts[seat]) for seat in range(4)]


class TestAnswers:
    """What is an answer, and what is allowed."""

    @pytest.mark.parametrize(
        ("line", "action"),
        [
            ("P", Call.PASS),
            ("p", Call.PASS),
            (" x\t", Call.CONTRA),
            ("XX", Call.RECONTRA),
            ("8S", Bid(8, "S")),
            ("10n", Bid(10, "N")),
            ("25Hc", Bid(25, "H", capot=True)),
            ("25HC", Bid(25, "H", capot=True)),
            ("8cc", Bid(8, "C", capot=True)),
        ],
    )
    def test_small_letters_and_blanks_around_a_call_are_accepted(self, line, action):
        assert bidding().read(line) == action

    @pytest.mark.parametrize(
        "line",
        [
            *("", "bid 007", "007S", "08S", "8", "S", "S8", "8T", "8SX", "8S c", "+8S", "-8S"),
            *("P P", "8S now", "XXX", "\uff18S", "8\u017f", "8S\n", "99999S", "8.5S", "pass"),
        ],
    )
    def test_what_is_no_call_is_malformed(self, line):
        with pytest.raises(MalformedAnswer, match="is not a call: expected P, X, XX or a bid such"):
            bidding().read(line)

    @pytest.mark.parametrize("line", ["0S", "7S", "81S", "800S", "9Sc", "X", "XX"])
    def test_a_call_that_is_not_allowed_is_illegal(self, line):
        phase = bidding()
        assert phase.read(line) not in phase.legal_actions(1)
        with pytest.raises(IllegalAction, match="not allowed now: expected P or a bid from 8C to"):
            phase.apply(phase.read(line))

    @pytest.mark.parametrize("line", ["KS", "ks", " kS ", "KS\t"])
    def test_a_card_in_small_letters_is_accepted(self, line):
        assert playing("8S P P P P").read(line) == card("KS")

    @pytest.mark.parametrize(
        "line",
        [
            *("", "P", "8N", "10S", "2S", "6H", "SK", "KS KS", "KS now", "K", "KS+T", "KS+"),
            *("\uff2bS", "K\u017f", "KS,QS", "A1", "EX", "NS", "revoked"),
        ],
    )
    def test_what_is_no_card_of_blot_is_malformed(self, line):
        with pytest.raises(MalformedAnswer, match="is not a card of blot: expected one such as 7H"):
            playing("8S P P P P").read(line)

    @pytest.mark.parametrize(
        "line", ["KS+", "KS+B", "KS+X", "KS+T now", "+T", "2S+T", "KS+TTTTTTTTT"]
    )
    def test_what_announces_no_class_is_malformed(self, line):
        with pytest.raises(MalformedAnswer, match=r"or 7H\+T to announce a tierce"):
            playing("8S P P P P", declare="bot").read(line)

    def test_a_card_that_is_not_held_or_does_not_follow_is_illegal(self):
        phase = after(playing("8S P P P P"), "7S")
        for line in ("KS", "AH"):
            with pytest.raises(
                IllegalAction, match=f"{line} is not allowed now: expected JS, TS, 9S"
            ):
                phase.apply(phase.read(line))

    def test_no_more_than_80_characters_are_quoted(self):
        with pytest.raises(MalformedAnswer) as caught:
            bidding().read("9" * 500)
        assert "9" * 79 + "\N{HORIZONTAL ELLIPSIS}" in str(caught.value)
        assert "9" * 80 not in str(caught.value)

    def test_a_bots_answer_is_told_with_what_was_allowed(self):
        players = _players(0, [], 1, ["8S now"], 2, ["8S"], 3, ["8C"])
        options = Options(first_dealer="seat_0", max_deals=1)
        turns = play(GAME, options, players, _Deals()).turns
        asked = [turn for turn in turns if turn.fault]
        faults = [turn.fault for turn in asked]
        assert [(turn.fault.kind, turn.answer) for turn in asked[:2]] == [
            ("malformed", "8S now"),
            ("illegal", "8C"),
        ]
        assert fault_text(faults[0], "8S now") == (
            "'8S now' is not a call: expected P, X, XX or a bid such as 10S or 25Hc;"
            " the line holds more than the answer: print just 8S, and all else on standard error;"
            " allowed now: P or a bid from 8C to 80C in any of C, D, H, S, N, from 25 on also with"
            " c for capot"
        )
        text = fault_text(faults[1], "8C")
        assert text.startswith("not allowed now: expected P, X or a bid from 9C to 80C")

    def test_an_action_that_only_looks_like_one_is_refused(self):
        for action in ((8, "S", False), "8S", None):
            with pytest.raises(IllegalAction):
                bidding().apply(action)
        with pytest.raises(IllegalAction):
            playing("8S P P P P").apply("revoke")


class TestOptions:
    """Every option changes something, and a wrong one is refused."""

    def test_target(self):
        last = {"points": (97, 44), "scores": (90, 0)}
        assert isinstance(after(late(["AS", "7H", "8H", "9H"], **last), "AS 7H 8H 9H"), Shuffling)
        over = after(late(["AS", "7H", "8H", "9H"], target=101, **last), "AS 7H 8H 9H")
        assert over.scores == (112, 4, 112, 4)

    def test_a_game_ends_when_a_side_has_reached_the_target(self):
        for before, ends in ((278, False), (279, True)):
            phase = late(["AS", "7H", "8H", "9H"], points=(97, 44), scores=(before, 0))
            assert isinstance(after(phase, "AS 7H 8H 9H"), Terminal) is ends

    def test_the_higher_score_wins_where_both_have_reached_it(self):
        phase = late(["AS", "7H", "8H", "9H"], points=(97, 44), scores=(300, 320))
        assert after(phase, "AS 7H 8H 9H").scores == (322, 324, 322, 324)

    def test_equal_scores_play_another_round(self):
        phase = late(["AS", "7H", "8H", "9H"], points=(97, 44), scores=(300, 318))
        following = after(phase, "AS 7H 8H 9H")
        assert isinstance(following, Shuffling)
        assert following.sheet.scores == (322, 322)

    def test_max_deals_ends_the_game_with_whatever_the_scores_are(self):
        phase = late(["AS", "7H", "8H", "9H"], points=(97, 44), scores=(0, 18), deal=200)
        assert after(phase, "AS 7H 8H 9H") == Terminal((22, 22, 22, 22), (1,) * 4, (1, 0, 1, 0))

    def test_max_deals_counts_those_that_everybody_passed(self):
        assert after(bidding(max_deals=1), "P P P P") == Terminal((0,) * 4, (0,) * 4, (0,) * 4)

    def test_ruff_partner_winning(self):
        assert legal("AH 7H", "TS KD") == "TS KD"
        assert legal("AH 7H", "TS KD", ruff_partner_winning="must") == "TS"
        assert legal("AH 7H", "KH TS", ruff_partner_winning="must") == "KH"
        assert legal("AH 7H", "KC KD", ruff_partner_winning="must") == "KC KD"

    def test_trump_over_partner(self):
        partner_wins = "7C QS 8C"
        assert legal(partner_wins, "JS 7S AD") == "JS 7S AD"
        assert legal(partner_wins, "JS 7S AD", trump_over_partner="higher") == "JS AD"
        assert legal(partner_wins, "8S 7S AD", trump_over_partner="higher") == "AD"
        assert legal(partner_wins, "8S 7S", trump_over_partner="higher") == "8S 7S"
        assert legal("TC QC", "7S KD", trump_over_partner="higher") == "7S KD"

    def test_undertrump(self):
        assert legal("AH 9S", "KS 7S AD") == "KS 7S"
        assert legal("AH 9S", "KS 7S AD", undertrump="free") == "KS 7S AD"
        assert legal("AH 9S", "JS 7S AD", undertrump="free") == "JS"
        assert legal("AH 7H", "JS 7S AD", undertrump="free", ruff_partner_winning="must") == "JS 7S"

    def test_declare(self):
        assert after(playing("P 10S P P P P"), "7S 9S").question(3).declarations == "2:T"
        silent = after(playing("P 10S P P P P", declare="bot"), "7S 9S")
        assert silent.question(3).declarations == "-"

    def test_belote_overlap(self):
        hands = ("AS KS QS 7H 8D 9C TH JD", "7S 8S 9H TD AC KC 9D 7C")
        rest = [one for one in PACK if one not in cards(" ".join(hands))]
        hands = (*hands, " ".join(rest[:8]), " ".join(rest[8:]))
        for overlap, kinds in ((False, ["B"]), (True, ["T", "B"])):
            phase = playing("8S P P P P", hands, belote_overlap=overlap)
            assert [one.kind for one in phase.declared[0]] == kinds

    @pytest.mark.parametrize(("top_card", "gained"), [("high", "24,4"), ("low", "22,6")])
    def test_top_card(self, top_card, gained):
        declared = (
            (Declaration("T", cards("AD KD QD"), 20),),
            (Declaration("T", cards("KH QH JH"), 20),),
            (),
            (),
        )
        phase = late(
            ["AS", "7H", "8H", "9H"], points=(97, 44), declared=declared, top_card=top_card
        )
        _, notices = after(phase, "AS 7H 8H").apply(card("9H"))
        assert notices[0].gained == gained

    def test_fulfil(self):
        assert scored("9S", 86) == (0, 25)
        assert scored("9S", 86, fulfil="rounded") == (18, 7)
        assert scored("9S", 85, fulfil="rounded") == (0, 25)

    def test_capot_fulfils(self):
        assert scored("26S", 162, tricks=8) == (0, 42)
        assert scored("26S", 162, tricks=8, capot_fulfils="any_bid") == (51, 0)
        assert scored("26S", 162, tricks=7, capot_fulfils="any_bid") == (0, 42)
        assert scored("25S", 162, tricks=8) == (50, 0)
        assert scored("30Hc", 162, tricks=8) == (0, 46)
        assert scored("30Hc", 162, tricks=8, capot_fulfils="any_bid") == (55, 0)
        assert scored("26Sx", 162, tricks=8, capot_fulfils="any_bid") == (77, 0)

    def test_a_declaration_helps_a_capot_over_its_252_points(self):
        assert scored("26S", 162, tricks=8, declared=(20, 0)) == (53, 0)

    def test_the_preset_of_the_paper_scores_by_its_words(self):
        paper = GAME.presets["paper"].model_dump()
        assert scored("9S", 86, **paper) == (18, 7)
        assert scored("26S", 162, tricks=8, **paper) == (51, 0)

    def test_decl_counts_for_contract(self):
        assert scored("12S", 90, declared=(50, 0)) == (26, 7)
        assert scored("12S", 90, declared=(50, 0), decl_counts_for_contract=False) == (0, 28)

    def test_defenders_share(self):
        assert scored("10S", 106) == (21, 5)
        assert scored("10S", 106, defenders_share="rounded") == (21, 6)

    def test_loser_belote(self):
        belote = {"declared": (40, 0), "belotes": (20, 0)}
        assert scored("14S", 90, **belote) == (0, 30)
        assert scored("14S", 90, **belote, loser_belote="kept") == (2, 30)
        theirs = {"declared": (0, 20), "belotes": (0, 20)}
        assert scored("9Sx", 90, **theirs) == (34, 0)
        assert scored("9Sx", 90, **theirs, loser_belote="kept") == (34, 2)

    def test_no_trump_double(self):
        assert [scored("9Nx", 90), scored("9Nxx", 90)] == [(43, 0), (61, 0)]
        four_eight = {"no_trump_double": "4/8"}
        assert [scored("9Nx", 90, **four_eight), scored("9Nxx", 90, **four_eight)] == [
            *((52, 0), (88, 0))
        ]
        assert scored("9N", 90, **four_eight) == scored("9N", 90)

    def test_open_hands(self):
        phase = after(playing("P 10S P P P P", open_hands=True), "7S")
        assert words(phase.question(2))[-1] == (
            "AS,8S,9H,KD,9D,8D,7D,KC/KS,QS,KH,JH,AD,QD,TD"
            "/JS,TS,9S,AH,8H,AC,QC,JC/QH,TH,7H,JD,TC,9C,8C,7C"
        )
        assert len(words(bidding(open_hands=True).question(1))) == 15
        assert len(words(bidding().question(1))) == 14
        assert not GAME.rated(Options(open_hands=True))
        assert GAME.rated(Options())

    @pytest.mark.parametrize(
        "wrong",
        [
            *({"target": 0}, {"max_deals": 0}, {"declare": "nobody"}, {"capot_level": 7}),
            *({"capot_level": 81}, {"house": 1}, {"target": "301"}, {"first_dealer": 0}),
        ],
    )
    def test_wrong_options_are_refused(self, wrong):
        with pytest.raises(ValidationError):
            Options(**wrong)

    def test_options_that_contradict_each_other_are_refused(self):
        with pytest.raises(ValidationError, match="trump_over_partner: higher is for tables where"):
            Options(ruff_partner_winning="must", trump_over_partner="higher")

    @pytest.mark.parametrize("seats", [2, 3, 5])
    def test_four_can_play(self, seats):
        with pytest.raises(BadTable, match=f"blot seats 4 players, not {seats}"):
            GAME.start(Options(), seats)

    def test_who_sits_opposite_plays_together(self):
        assert GAME.sides(Options(), 4) == ((0, 2), (1, 3))


class TestBotsThatAnswerAnything:
    @pytest.mark.parametrize(
        "options",
        [{"declare": "bot"}, {"declare": "bot", "revoke": "substitute"}, {"capot_level": 8}],
        ids=str,
    )
    @given(
        answers=st.lists(
            st.one_of(
                st.sampled_from(
                    ["P", "X", "XX", "8S", "9Nc", "26Cc", "80H", "revoke", "7H", "KS+B", "*"]
                ),
                st.builds("{}{}{}".format, *map(st.sampled_from, ("789TJQKA", "CDHS", ["", "+T"]))),
            ),
            min_size=1,
            max_size=60,
        )
    )
    @settings(max_examples=40)
    def test_any_table_is_played_to_its_end_and_replays(self, options, answers):
        """`*` is the first of the answers that the question lists."""

        class Anything:
            turn = 0

            def ask(self, words):
                self.turn += 1
                answer = answers[self.turn % len(answers)]
                return Said(words[2].split(",")[0] if answer == "*" else answer)

            def tell(self, line):
                pass

        record = play(
            GAME,
            Options(max_deals=4, **options),
            [Anything() for _ in range(4)],
            Packs(b"s" * 32, "m"),
            strikes=Strikes(limit=1000),
        )
        assert list(replay(GAME, record))[-1].after == record.over


class TestQuestions:
    def test_the_first_question(self):
        assert " ".join(words(bidding().question(1))) == (
            "blot bid P,8+ 1 0 KS,QS,7S,KH,JH,AD,QD,TD - - - - - 0,0 0,0 301"
        )

    def test_a_question_in_the_middle_of_a_round(self):
        phase = after(playing("P 8S X XX"), "KS JS TH AS 9S TC 8S")
        assert " ".join(words(phase.question(1))) == (
            "blot play QS,7S 1 0 QS,7S,KH,JH,AD,QD,TD P,8S,X,XX 8Sxx@2"
            " 1:B:KS,QS/2:T:JS,TS,9S/3:F:TC,9C,8C,7C/0:T:9D,8D,7D"
            " 1:KS,JS,TH,AS 2:9S,TC,8S 45,0 0,0 301"
        )

    def test_the_sample_is_a_question_of_the_first_phase(self):
        """The hand of the bidder's example: its partner bids 8 spades, the opponent 9 clubs."""
        hand = "KS TS 9S JH 9D 8D 7D AC"
        rest = [one for one in PACK if one not in cards(hand)]
        hands = (" ".join(rest[:8]), " ".join(rest[8:16]), hand, " ".join(rest[16:]))
        drawing = GAME.start(Options(), 4)
        shuffling, _ = drawing.apply(PACK)  # 7C, 8C, 9C, TC: seat 3 deals
        phase, _ = shuffling.apply(packed(hands, first=0))
        assert words(after(phase, "8S 9C").question(2)) == GAME.sample

    def test_notices_tell_the_last_trick_that_no_question_shows(self):
        phase = late(["AS", "7H", "8H", "9H"], points=(97, 44), scores=(10, 20), deal=3)
        _, notices = after(phase, "AS 7H 8H").apply(card("9H"))
        assert [str(item) for item in notices] == ["deal 3 10S@0 - 0:AS,7H,8H,9H 118,44 22,4 32,24"]

    def test_nobody_is_asked_while_the_dealer_shuffles(self):
        for phase in (GAME.start(Options(), 4), after(bidding(), "P P P P")):
            assert phase.to_act == CHANCE
            with pytest.raises(LookupError):
                phase.question(0)


class TestScenes:
    NAMES = ("ada", "bob", "cy", "di")

    def remark(self, phase, answer):
        following, _ = phase.apply(phase.read(answer))
        return GAME.presentation.remark(phase, following, self.NAMES)

    def drawn(self, phase):
        return [" ".join(line.split()) for line in draw(GAME.presentation.scene(phase), self.NAMES)]

    def test_the_title_stays_the_same_for_a_deal(self):
        for seed in range(5):
            number = 1
            for step in random_steps(GAME, 4, seed, first_dealer="seat_0"):
                title = GAME.presentation.scene(step.after).title
                if step.turn.seat == CHANCE and step.number:
                    number += 1
                assert title in (f"deal {number}", "the end")

    def test_the_auction(self):
        assert self.drawn(after(bidding(), "P 10S X")) == [
            "deal 1",
            "contract 10 spades, contra",
            "seats 0+2 score 0",
            "seats 1+3 score 0",
            "> ada 8 cards deals",
            "bob 8 cards bid pass",
            "cy 8 cards bid 10♠",
            "di 8 cards bid contra",
        ]

    def test_a_trick_lies_on_the_table_until_the_next_is_led(self):
        phase = after(playing("P 10S P P P P"), "KS JS TH AS")
        assert self.drawn(phase) == [
            "deal 1",
            "trick 2 of 8 contract 10 spades",
            "seats 0+2 score 0 points 45",
            "seats 1+3 score 0 points 0",
            "ada A♠ 7 cards has tierce",
            "bob K♠ 7 cards has belote",
            "> cy J♠ 7 cards bid 10♠ has tierce took it",
            "di 10♥ 7 cards has fifty",
        ]
        led = self.drawn(after(phase, "9S"))
        assert led[5:8] == [
            "ada 7 cards has tierce",
            "bob 7 cards has belote",
            "cy 9♠ 6 cards bid 10♠ has tierce",
        ]

    def test_declarations_lie_open_while_the_second_trick_does(self):
        phase = after(playing("P 10S P P P P"), "KS JS TH AS 9S TC")
        assert self.drawn(phase)[4:6] == ["tierce J♠ 10♠ 9♠", "fifty 10♣ 9♣ 8♣ 7♣"]
        phase = after(phase, "8S QS")
        assert self.drawn(phase)[4] == "tierce 9♦ 8♦ 7♦ J♠ 10♠ 9♠"
        assert self.drawn(after(phase, "TS"))[4] == "ada 6 cards has tierce"

    def test_after_a_round_it_is_seen_what_it_came_to(self):
        phase = late(["AS", "7H", "8H", "9H"], points=(97, 44))
        assert self.drawn(after(phase, "AS 7H 8H 9H"))[1:5] == [
            "contract 10 spades",
            "seats 0+2 score 22 points 118 deal +22",
            "seats 1+3 score 4 points 44 deal +4",
            "ada A♠ bid 10♠",
        ]

    def test_a_deal_that_everybody_passed(self):
        assert self.drawn(after(bidding(), "P P P P"))[:3] == [
            "deal 1",
            "contract everybody passed",
            "seats 0+2 score 0 points 0 deal +0",
        ]

    def test_a_revoke_is_seen(self):
        shuffling, _ = after(playing("P 10S P P P P"), "KS JS").apply(Penalty.REVOKE)
        assert [place.status for place in GAME.presentation.scene(shuffling).places] == [
            "",
            "",
            "",
            "revoked",
        ]
        shuffling, _ = playing("P 10S P P P P").apply(Penalty.REVOKE)
        assert [place.status for place in GAME.presentation.scene(shuffling).places] == [
            "",
            "revoked",
            "",
            "",
        ]

    def test_remarks_on_the_auction(self):
        assert self.remark(bidding(), "P") == ""
        assert self.remark(after(bidding(), "8S"), "X") == "cy says contra"
        assert self.remark(after(bidding(), "8S X"), "XX") == (
            "bob and di to make 8 spades, recontra"
        )
        assert self.remark(after(bidding(), "25Nc P P P"), "P") == (
            "bob and di to make 25 no-trump, capot"
        )
        assert self.remark(after(bidding(), "P P P"), "P") == "everybody passes"

    def test_remarks_on_the_play(self):
        phase = playing("P 10S P P P P")
        assert self.remark(phase, "KS") == "bob announces belote"
        assert self.remark(after(phase, "KS"), "JS") == "cy announces a tierce"
        assert self.remark(after(phase, "KS JS TH"), "AS") == (
            "ada announces a tierce; cy takes the trick"
        )

    @pytest.mark.parametrize("deal", [1, 200])
    def test_remarks_on_the_end_of_a_round_and_of_a_game(self, deal):
        hands = ["AS", "7H", "8H", "9H"]
        made = after(late(hands, points=(97, 44), deal=deal), "AS 7H 8H")
        assert self.remark(made, "9H") == (
            "ada takes the last trick; ada and cy made 10 spades: +22, bob and di +4"
        )
        failed = after(late(hands, points=(60, 81), deal=deal), "AS 7H 8H")
        assert self.remark(failed, "9H") == (
            "ada takes the last trick; ada and cy missed 10 spades: +0, bob and di +26"
        )
        assert self.remark(made, "revoke") == "di revokes: ada and cy +16, bob and di +0"
        early = playing("P 10S P P P P", max_deals=deal)
        assert self.remark(early, "revoke") == "bob revokes: ada and cy +27, bob and di +0"

    def test_remarks_on_who_deals_first(self):
        start = GAME.start(Options(), 4)
        assert self.remark(start, ",".join(PACK)) == "di deals first"

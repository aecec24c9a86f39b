"""The rules of blackjack: every worked example, every option, and what a seat may know.

Rules are cited from docs/rules/blackjack.md.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace

import pytest
from pydantic import ValidationError

from card_arena.tables.blackjack import Blackjack
from card_arena.tables.blackjack.messages import HandOver
from card_arena.tables.blackjack.phases import Bet, Move, Playing, Settled, Shuffling
from card_arena.tables.blackjack.table import Options, score
from card_arena.tables.cards import FULL_PACK, Card
from card_arena.tables.dealing import Packs
from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE, BadTable, IllegalAction, MalformedAnswer, Terminal
from card_arena.tables.record import Record
from card_arena.tables.referee import Step, Strikes, play, replay
from card_arena.tables.registry import game
from card_arena.tests.tables.scripted import (
    SILENT,
    Always,
    Rigged,
    Said,
    play_scripted,
    random_steps,
    rigged,
)

GAME = Blackjack()
PACK = "K 6 9 7 5 A T 2"
GOING_ON = {"shoe": "exhausted", "hands": 1}
FORGIVING = Strikes(forgiven=frozenset({"illegal"}))


def hand_of(ranks: str) -> tuple[Card, ...]:
    return tuple(Card(rank, "S") for rank in ranks)


def one_hand(packs, scripts, **options):
    return play_scripted(GAME, packs, scripts, hands=1, **options)


def playing(ranks="K 7 9 A", seats=1, purses=(), **options) -> Playing:
    """The first question of a hand dealt from these ranks."""
    start = GAME.start(Options(**options), seats, purses)
    phase, _ = start.apply(rigged(ranks))
    assert isinstance(phase, Playing)
    return phase


def stake_and_chips(phase, seat=0):
    """What a seat has at stake, and what beside."""
    spot = phase.table.spots[seat]
    return spot.stake, spot.chips


def after(phase, *answers):
    """Where a game stands after these answers, each by whoever is asked."""
    for answer in answers:
        phase, _ = phase.apply(phase.read(answer))
    return phase


class TestVectors:
    """Section d: the worked examples, one test each."""

    def test_d1_a_double_wins_twice_the_stake_and_a_lower_score_loses(self):
        record = one_hand([PACK], [[("17 K7 9#K675 10 190", "S")], [("11 65 9#K675 10 190", "D")]])
        assert record.over.purses == (190, 220)
        assert record.over.scores == (-10, 20)

    def test_d2_a_hit_is_followed_by_a_second_question_in_the_next_pass(self):
        record = one_hand(
            [PACK],
            [
                [("17 K7 9#K675 10 190", "S")],
                [("11 65 9#K675 10 190", "H"), ("21 65T 9#K675T 10 190", "S")],
            ],
        )
        assert record.over.purses == (190, 210)

    @pytest.mark.parametrize(
        ("hand", "value"),
        [
            ("AA", 12),
            ("AAA", 13),
            ("AAT", 12),
            ("A9A", 21),
            ("KJA", 21),
            ("KQ2", 0),
            ("A6", 17),
            ("A65", 12),
        ],
    )
    def test_d3_scores(self, hand, value):
        assert score(hand_of(hand)) == value

    @pytest.mark.parametrize(("push", "chips"), [("lose", 190), ("return", 200)])
    def test_d4_a_tie_loses_unless_the_table_returns_it(self, push, chips):
        record = one_hand(["T 9 8 9"], [[("18 T8 9#T8 10 190", "S")]], push=push)
        assert record.over.purses == (chips,)

    def test_d5_the_sign_of_a_bet_is_dropped(self):
        phase = after(playing("5 9 5 9"), "B -15")
        assert stake_and_chips(phase) == (25, 175)

    def test_d5_a_bet_over_the_chips_is_not_allowed_and_stands(self):
        record = one_hand(["5 9 5 9"], [[("10 55 9#55 10 190", "B 200")]])
        assert record.over.purses == (190,)
        assert [fault.kind for _, _, fault in record.faults] == ["illegal"]

    def test_d6_a_double_after_a_bet_is_not_the_first_move(self):
        record = one_hand(
            ["5 9 6 9 T"], [[("11 56 9#56 10 190", "B 5"), ("11 56 9#56 15 185", "D")]]
        )
        assert record.over.purses == (185,)
        assert [fault.kind for _, _, fault in record.faults] == ["illegal"]
        assert record.turns[2].action == "S"

    def test_d7_a_double_that_cannot_be_paid_stands_without_a_card(self):
        record = one_hand(["5 9 6 9 T"], [[("11 56 9#56 10 9", "D")]], purses=(19,))
        assert record.over.purses == (9,)
        assert record.turns[1].action == "S"

    def test_d8_a_bust_bot_loses_even_when_the_dealer_busts(self):
        record = one_hand(["T 9 6 7 6 9"], [[("16 T6 9#T6 10 190", "H")]], push="return")
        assert record.over.purses == (190,)

    def test_d9_a_new_full_pack_is_shuffled_when_a_draw_finds_none(self):
        first = "".join(card.rank for card in FULL_PACK)
        record = play(GAME, Options(), [Always("S") for _ in range(4)], Rigged([first, first]))
        packs = [turn for turn in record.turns if turn.action.count(",") == 51]
        assert len(packs) == 2
        assert record.over.hands == (5, 5, 5, 5)

    def test_d9_the_pack_may_run_out_in_the_middle_of_a_move(self):
        phase = playing("2 3 4 5")
        short = Playing(phase.table._replace(drawn=52), 0)
        shuffling, _ = short.apply(Move.HIT)
        assert isinstance(shuffling, Shuffling)
        asked, _ = shuffling.apply(rigged("K"))
        assert words(asked.question(0)) == ("16", "24K", "3#24K", "10", "190")

    @pytest.mark.parametrize(("stands_at", "chips"), [(17, 210), (18, 190)])
    def test_d10_the_dealer_stands_on_a_soft_17_unless_it_must_exceed_it(self, stands_at, chips):
        record = one_hand(["T A 8 6 4"], [[("18 T8 A#T8 10 190", "S")]], dealer_stands_at=stands_at)
        assert record.over.purses == (chips,)

    def test_d11_a_seat_with_nine_chips_sits_out(self):
        record = one_hand([PACK], [[], [("19 K9 6#K9 10 190", "S")]], purses=(9, 200))
        assert record.over.purses[0] == 9
        assert record.over.hands == (0, 1)

    def test_d11_a_seat_with_ten_chips_plays_with_none_left(self):
        phase = playing("K 9 7 A", purses=(10,))
        assert words(phase.question(0)) == ("17", "K7", "9#K7", "10", "0")
        legal = phase.legal_actions(0)
        assert Move.HIT in legal
        assert Move.STAND in legal
        assert Move.DOUBLE not in legal
        assert Bet(1) not in legal

    def test_d12_linear_bets_fractions_are_truncated(self):
        assert playing().read("B 107.14285714285714") == Bet(107)
        assert playing().read("B 150.0") == Bet(150)


class TestAnswers:
    """What is an answer, and what is allowed."""

    @pytest.mark.parametrize("line", ["h", " H ", "H\t", "H"])
    def test_small_letters_and_blanks_are_accepted(self, line):
        assert playing().read(line) is Move.HIT

    @pytest.mark.parametrize("line", ["h", " H", "B 5 "])
    def test_a_strict_table_takes_only_the_exact_words(self, line):
        with pytest.raises(MalformedAnswer):
            playing(answers="strict").read(line)

    @pytest.mark.parametrize(
        "line",
        [
            *("", "P", "HIT", "H S", "B", "B5", "B x", "B 1e9", "B 1_0", "B 0x5", "B --5"),
            *("B nan", "B True", "\x00H", "\N{FULLWIDTH LATIN CAPITAL LETTER H}", "B 5 5", "B .5"),
            "B \N{ARABIC-INDIC DIGIT THREE}",
            "\N{LATIN SMALL LETTER LONG S}",
        ],
    )
    def test_anything_else_is_malformed(self, line):
        with pytest.raises(MalformedAnswer, match="expected H, S, D or B"):
            playing().read(line)

    def test_a_number_of_five_thousand_digits_is_malformed(self):
        with pytest.raises(MalformedAnswer):
            playing().read("B " + "9" * 5000)

    def test_a_fraction_is_malformed_where_the_table_says_so(self):
        with pytest.raises(MalformedAnswer):
            playing(fractions="malformed").read("B 107.1")
        assert playing(fractions="malformed").read("B 107") == Bet(107)

    def test_an_action_that_is_not_allowed_is_refused_by_the_rules_too(self):
        with pytest.raises(IllegalAction):
            playing().apply(Bet(191))
        with pytest.raises(IllegalAction):
            playing().apply("H and more")

    def test_every_seat_gets_exactly_one_answer_in_a_pass(self):
        seats = []
        play(
            GAME,
            Options(hands=1),
            [Always("B 1"), Always("H"), Always("B 2")],
            Rigged(["2 3 4 5 6 7 8 9"]),
            watch=lambda step: seats.append(step.turn.seat),
        )
        asked = [seat for seat in seats if seat != CHANCE]
        assert asked[:6] == [0, 1, 2, 0, 1, 2]

    def test_a_bet_in_the_first_pass_leaves_the_bot_in(self):
        phase = after(playing("5 9 6 9"), "B 10")
        assert phase.to_act == 0
        assert words(phase.question(0)) == ("11", "56", "9#56", "20", "180")

    def test_the_dealer_plays_even_if_all_bots_are_bust(self):
        phase = after(playing("T 9 6 2 9 8"), "H")
        assert isinstance(phase, Settled)
        assert [card.rank for card in phase.table.dealer] == ["9", "2", "8"]

    def test_people_see_what_a_bust_hand_comes_to(self):
        phase = after(playing("T 9 6 2 9 8"), "H")
        dealer, seat = GAME.presentation.scene(phase).places
        assert seat.facts[0] == ("score", "bust (25)")
        assert dealer.facts == (("score", "19"),)


class TestOptions:
    """Every option changes something, and a wrong one is refused."""

    def test_start_chips(self):
        assert stake_and_chips(playing(start_chips=50)) == (10, 40)

    def test_hands(self):
        record = play(GAME, Options(hands=2), [Always("S")], Rigged([PACK]))
        assert record.over.hands == (2,)

    def test_a_buy_in_per_round_is_paid_once(self):
        hand = play(GAME, Options(), [Always("S")], Rigged(["2 T 2 T"]))
        once = play(GAME, Options(buy_in_per="round"), [Always("S")], Rigged(["2 T 2 T"]))
        assert once.over.purses[0] > hand.over.purses[0]
        assert once.over.purses[0] in (190, 210)

    def test_later_hands_of_a_round_begin_with_no_stake_where_the_buy_in_is_per_round(self):
        settled = after(playing("T 9 7 9 2 3 4 5", buy_in_per="round"), "S")
        second, _ = settled.apply(settled.read("next"))
        assert words(second.question(0)) == ("6", "24", "3#24", "0", "190")
        raised = after(second, "B 30")
        assert stake_and_chips(raised) == (30, 160)
        doubled = after(second, "D")
        assert stake_and_chips(doubled) == (0, 190)

    @pytest.mark.parametrize(
        ("afford", "least"), [("at_least_10", 10), ("over_10", 11), ("over_20", 21)]
    )
    def test_afford_says_how_many_chips_a_seat_needs(self, afford, least):
        options = Options(afford=afford)
        assert GAME.can_sit(options, least)
        assert not GAME.can_sit(options, least - 1)
        start = GAME.start(options, 2, (least - 1, 200))
        phase, _ = start.apply(rigged(PACK))
        assert phase.to_act == 1

    def test_a_bot_that_has_not_sat_down_yet_brings_the_start_chips(self):
        assert GAME.can_sit(Options(), None)
        assert not GAME.can_sit(Options(start_chips=5), None)

    def test_visible_cards_start_anew_with_every_hand_or_grow_for_a_round(self):
        def second(scope):
            settled = after(playing("T 9 7 8 2 3 4 5", visible_scope=scope), "S")
            phase, _ = settled.apply(settled.read("next"))
            return phase.question(0).visible

        assert second("hand") == "3#24"
        assert second("round") == "98T7" + "3#24"

    def test_visible_order(self):
        assert playing("T 9 7 8").question(0).visible == "9#T7"
        assert playing("T 9 7 8", visible_order="hidden_first").question(0).visible == "#9T7"

    def test_deal_order(self):
        phase = playing("T 9 7 8", deal_order="dealer_first")
        assert words(phase.question(0))[:3] == ("15", "78", "T#78")

    def test_turns_go_round_in_passes_or_are_whole(self):
        """Both draw from 2 3 and 2 3; whose card the 5 is depends on whose turn it is."""
        shoe = "2 2 9 3 3 9 4 5 6 7"
        one_hand(
            [shoe],
            [
                [
                    ("5 23 9#2233 10 190", "H"),
                    ("9 234 9#223345 10 190", "H"),
                    ("15 2346 9#22334567 10 190", "S"),
                ],
                [
                    ("5 23 9#22334 10 190", "H"),
                    ("10 235 9#2233456 10 190", "H"),
                    ("17 2357 9#22334567 10 190", "S"),
                ],
            ],
        )
        one_hand(
            [shoe],
            [
                [
                    ("5 23 9#2233 10 190", "H"),
                    ("9 234 9#22334 10 190", "H"),
                    ("14 2345 9#223345 10 190", "S"),
                ],
                [("5 23 9#223345 10 190", "H"), ("11 236 9#2233456 10 190", "S")],
            ],
            turns="whole",
        )

    def test_a_whole_turn_goes_on_after_a_bet_and_ends_with_a_double(self):
        phase = playing("5 6 9 6 5 9", seats=2, turns="whole")
        assert after(phase, "B 5").to_act == 0
        assert after(phase, "B 5", "B 5").to_act == 0
        assert after(phase, "D").to_act == 1
        assert isinstance(after(phase, "S", "S"), Settled)

    def test_letters(self):
        assert words(playing("T A K 8", letters="lower").question(0))[1:3] == ("tk", "a#tk")

    def test_a_double_on_credit_leaves_the_chips_negative(self):
        phase = playing("5 9 6 7 T", purses=(12,), unaffordable_double="allowed", hands=1)
        settled = after(phase, "D")
        assert settled.table.spots[0].stake == 20
        lost = after(playing("5 9 6 T 2", purses=(12,), unaffordable_double="allowed"), "D")
        assert lost.table.spots[0].chips == -8

    def test_a_bet_of_nothing(self):
        assert Bet(0) not in playing().legal_actions(0)
        phase = after(playing(bet_zero="nothing"), "B 0")
        assert (phase.to_act, phase.table.spots[0].stake) == (0, 10)

    def test_the_move_cap_stands_a_seat(self):
        phase = after(playing(move_cap=3), "B 1", "B 1", "B 1")
        assert isinstance(phase, Settled)
        assert phase.table.spots[0].stake == 13

    def test_without_a_cap_a_seat_may_go_on_betting(self):
        bets = play(GAME, Options(move_cap=0, hands=1), [Always("B 1")], Rigged(["2 T 2 T"]))
        assert len([turn for turn in bets.turns if turn.action == "B 1"]) == 190

    @pytest.mark.parametrize(
        "wrong",
        [
            *({"hands": 0}, {"push": "win"}, {"house_edge": 1}, {"hands": "5"}),
            *({"start_chips": -1}, {"bet_zero": "nothing", "move_cap": 0}),
        ],
    )
    def test_wrong_options_are_refused(self, wrong):
        with pytest.raises(ValidationError):
            Options(**wrong)

    @pytest.mark.parametrize(
        ("seats", "purses", "complaint"),
        [(0, (), "1 to 4"), (5, (), "1 to 4"), (2, (200,), "2 seats bring 2 purses along, not 1")],
    )
    def test_a_wrong_number_of_seats_or_purses_is_refused(self, seats, purses, complaint):
        with pytest.raises(ValueError, match=complaint):
            GAME.start(Options(), seats, purses)


class TestShoe:
    """With `shoe: exhausted` a pack is dealt to its last card, also from round to round."""

    def round(self, shoe=(), *, pack="", answer="S", **options):
        """A round of one seat; its record, and what the seat was asked and told."""
        seat = Always(answer)
        options = Options(**{**GOING_ON, **options})
        record = play(GAME, options, [seat], Rigged([pack]), shoe=shoe)
        assert list(replay(GAME, record))[-1].after == record.over
        return record, seat

    def test_a_round_leaves_nothing_where_each_has_a_pack_of_its_own(self):
        seat = Always("S")
        record = play(GAME, Options(hands=1), [seat], Rigged(["T 9 8 9"]))
        assert record.over.shoe == ()
        assert "shoe" not in record.to_data()
        assert "shoe" not in record.to_data()["over"]
        assert [line.split()[0] for line in seat.told] == ["hand"]

    def test_the_next_round_is_dealt_from_what_is_left(self):
        first, seat = self.round(pack="T 9 8 9" + "2 3 4 5 6 7")
        assert seat.told == ["hand 1 99T8"]
        assert len(first.over.shoe) == 48
        second, seat = self.round(first.over.shoe)
        assert seat.told[0] == "shoe 899T"
        assert seat.asked == ["6 24 3#24 10 190"]  # 2 to the seat, 3, 4 to the seat, 5 hidden
        assert seat.told[1] == "hand 1 352467"  # 3, 5, and 6 and 7 drawn: 21
        assert second.over.shoe == first.over.shoe[6:]
        _, seat = self.round(second.over.shoe)
        assert seat.told[0] == "shoe 2345678" + "99T"

    def test_a_pack_that_runs_out_is_followed_by_a_whole_one(self):
        record, seat = self.round(("TS", "9S"), pack="8 9 2 3")
        assert seat.asked == ["18 T8 9#T8 10 190"]
        assert [turn.action for turn in record.turns[:1]] == ["next"]
        assert len(record.over.shoe) == 50

    def test_a_pack_that_ends_with_the_round_leaves_nothing(self):
        record, _ = self.round(("TS", "9S", "8S", "9C"))
        assert record.over.shoe == ()

    def test_letters_are_those_of_the_table(self):
        _, seat = self.round([str(card) for card in FULL_PACK[:-2]], letters="lower")
        assert seat.told[0] == "shoe ka"

    def test_a_round_that_goes_on_with_a_whole_pack_says_that_none_is_gone(self):
        _, seat = self.round([str(card) for card in FULL_PACK])
        assert seat.told[0] == "shoe -"

    def test_a_record_keeps_the_shoe_that_it_began_with_and_the_one_that_it_left(self):
        record, _ = self.round(("TS", "9S", "8S", "9C", "2C", "4D"))
        data = json.loads(json.dumps(record.to_data()))
        assert Record.from_data(data) == record
        assert data["shoe"] == ["TS", "9S", "8S", "9C", "2C", "4D"]
        assert data["over"]["shoe"] == ["2C", "4D"]

    def test_nobody_is_asked_before_the_first_hand(self):
        phase = GAME.resume(Options(**GOING_ON), 1, shoe=("TS", "9S"))
        assert phase.to_act == CHANCE
        with pytest.raises(LookupError):
            phase.question(0)
        with pytest.raises(MalformedAnswer):
            phase.read("deal")
        with pytest.raises(IllegalAction):
            phase.apply(Move.HIT)
        assert "the first deal" in str(GAME.presentation.scene(phase))

    @pytest.mark.parametrize(
        ("shoe", "options", "complaint"),
        [
            (("TS",), {"shoe": "round"}, "with `shoe: round` no cards are left"),
            (("TS", "TS"), {}, "TS,TS can't be what is left of a pack of 52"),
            (("A1",), {}, "A1 can't be what is left of a pack of 52"),
            (("?",), {}, "can't be what is left of a pack of 52"),
        ],
    )
    def test_a_shoe_that_cannot_be_is_refused(self, shoe, options, complaint):
        with pytest.raises(BadTable, match=re.escape(complaint)):
            GAME.resume(Options(**{**GOING_ON, **options}), 1, shoe=shoe)

    def test_other_games_carry_no_shoe(self):
        blot = game("blot")
        with pytest.raises(BadTable, match="no cards are left at a table of blot"):
            blot.resume(blot.options(), 4, shoe=("TS",))

    def test_the_contests_preset_is_the_texts(self):
        contest = GAME.presets["contest"]
        assert (contest.shoe, contest.turns) == ("exhausted", "whole")
        assert (Options().shoe, Options().turns) == ("round", "passes")


class TestSecrecy:
    """What a seat may know, stated from the rules and not from the code."""

    def test_a_question_holds_what_the_rules_allow_and_nothing_else(self):
        assert _told_what_the_rules_allow(range(300)) > 3000

    @pytest.mark.parametrize(
        "leak",
        [
            lambda table, asked: {"visible": asked.visible.replace("#", table.dealer[1].rank)},
            lambda table, asked: {"visible": asked.visible + table.pack[-1].rank},
            lambda table, asked: {"chips": sum(spot.chips for spot in table.spots)},
        ],
        ids=["the hidden card", "a card of the pack", "everybody's chips"],
    )
    def test_the_comparison_notices_a_planted_leak(self, monkeypatch, leak):
        honest = Playing.question

        def leaky(phase, seat):
            asked = honest(phase, seat)
            return replace(asked, **leak(phase.table, asked))

        monkeypatch.setattr(Playing, "question", leaky)
        with pytest.raises(AssertionError):
            _told_what_the_rules_allow(range(4))

    def test_the_comparison_notices_notices_of_a_hand_that_is_not_over(self, monkeypatch):
        honest = Playing.apply

        def early(phase, action):
            after, notices = honest(phase, action)
            cards = phase.table.visible(turned=True)
            return after, notices or (HandOver(phase.table.round.number, cards),)

        monkeypatch.setattr(Playing, "apply", early)
        with pytest.raises(AssertionError):
            _told_what_the_rules_allow(range(4))

    def test_the_hidden_card_changes_no_question(self):
        for seed in range(60):
            for step in random_steps(GAME, 3, seed):
                if isinstance(step.before, Playing):
                    table, seat = step.before.table, step.turn.seat
                    other = Card("A" if table.dealer[1].rank != "A" else "5", "C")
                    swapped = table._replace(dealer=(table.dealer[0], other, *table.dealer[2:]))
                    again = Playing(swapped, seat).question(seat)
                    assert again == step.before.question(seat)

    def test_the_rest_of_the_pack_and_others_chips_change_no_question(self):
        rng = random.Random(7)
        for step in random_steps(GAME, 4, 7):
            if isinstance(step.before, Playing):
                table, seat = step.before.table, step.turn.seat
                rest = list(table.pack[table.drawn :])
                rng.shuffle(rest)

                foreign = tuple(
                    spot if s == seat else spot._replace(chips=spot.chips + 77, stake=77)
                    for s, spot in enumerate(table.spots)
                )
                pack = (*table.pack[: table.drawn], *rest)
                other = table._replace(pack=pack, spots=foreign)
                assert Playing(other, seat).question(seat) == step.before.question(seat)

    def test_notices_tell_the_cards_on_the_table_once_the_hand_is_over_and_nothing_before(self):
        told = Always("S")
        play(GAME, Options(hands=2), [told, Always("H")], Rigged([PACK + "3 4 5 6 7 8 9"]))
        assert told.told[0] == "hand 1 9AK675T2"
        assert len(told.told) == 2

    def test_nobody_is_asked_while_the_dealer_has_the_cards(self):
        start = GAME.start(Options(), 2)
        settled = after(playing("T 9 7 8"), "S")
        for phase in (start, settled):
            assert phase.to_act == CHANCE
            with pytest.raises(LookupError):
                phase.question(0)


def _told_what_the_rules_allow(seeds: range) -> int:
    """Compare questions and notices of random games with the cards; give how many were asked.

    A question is the own score, hand, stake and chips, and the dealt cards with one `#`; the
    notices are those cards without a `#`, when a hand is over.
    """
    asked = 0
    for seed in seeds:
        for step in random_steps(GAME, 1 + seed % 4, seed):
            assert [str(item) for item in step.notices] == _notices_expected(step)
            if step.turn.seat == CHANCE:
                continue
            state, seat = step.before.table, step.turn.seat
            spot = state.spots[seat]
            own = [card.rank for card in spot.cards]
            table = [state.dealer[0].rank, "#", state.dealt]
            expected = (
                str(_score_by_trial(own)),
                "".join(own),
                "".join(table),
                str(spot.stake),
                str(spot.chips),
            )
            assert words(step.before.question(seat)) == expected
            held = [card.rank for spot in state.spots for card in spot.cards]
            assert sorted(held) == sorted(state.dealt)
            asked += 1
    return asked


def _notices_expected(step: Step) -> list[str]:
    if not isinstance(step.after, Settled):
        return []
    state = step.after.table
    cards = "".join(card.rank for card in state.dealer[:2]) + state.dealt
    return [f"hand {state.round.number} {cards}"]


def _score_by_trial(ranks: list[str]) -> int:
    """Every way to count the aces, tried out: the slow definition of a score."""
    totals = {0}
    for rank in ranks:
        values = (1, 11) if rank == "A" else (10,) if rank in "TJQK" else (int(rank),)
        totals = {total + value for total in totals for value in values}
    return max((total for total in totals if total <= 21), default=0)


class Lim17:
    """The contest's Lim17: draws below 17."""

    def ask(self, words):
        return Said("H" if int(words[0]) < 17 else "S")

    def tell(self, line):
        pass


class TestOdds:
    """The rules against what is known of them from elsewhere."""

    @pytest.mark.parametrize(("stands_at", "known"), [(17, 0.4075), (18, 0.4045)])
    def test_lim17_wins_as_many_hands_as_in_another_programs_long_run(self, stands_at, known):
        """Four of them, 12,000 hands: a standard error of .0045."""
        won = 0
        for deal in range(600):
            packs = Packs(b"lim17", f"{stands_at}/{deal}")
            options = Options(dealer_stands_at=stands_at)
            won += sum(play(GAME, options, [Lim17()] * 4, packs).over.won)
        assert abs(won / 12_000 - known) < 0.0135

    def test_every_small_hand_scores_as_trying_all_aces_does(self):
        ranks = "A23456789TJQK"
        for a in ranks:
            for b in ranks:
                for c in ranks:
                    assert score(hand_of(a + b + c)) == _score_by_trial([a, b, c])

    def test_the_tree_of_a_tiny_pack_has_as_many_endings_as_counted_by_hand(self):
        """One seat, 12 chips, no bets of more than the 2 left, the pack T T T T J ...

        Standing on 20 ends it; a third ten is bust; `B 1`, `B 2` come back, `D` can't be paid.
        B 1 then B 1 equals B 2 in chips but not in answers, so the answers are: S, H,
        B1-S, B1-H, B1-B1-S, B1-B1-H, B2-S, B2-H.
        """
        phase = playing("T T T T J", purses=(12,), hands=1)
        assert len(list(_endings(phase, ()))) == 8

    def test_a_silent_seat_stands_and_after_three_strikes_nobody_asks_it(self):
        silent = Always(SILENT)
        record = play(GAME, Options(), [silent, Always("S")], Rigged(["2 3 4 5"]))
        assert len(silent.asked) == 3
        assert record.struck_out == (0,)
        assert record.over.hands == (5, 5)


def _endings(phase, path):
    if isinstance(phase, Settled | Terminal):
        yield path
        return
    for action in (Move.STAND, Move.HIT, Move.DOUBLE, Bet(1), Bet(2)):
        if action in phase.legal_actions(phase.to_act):
            following, _ = phase.apply(action)
            yield from _endings(following, (*path, action))

"""The rules of French tarot: every worked example, every option, every edge, every bad answer.

Rules are cited from docs/rules/tarot.md.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from card_arena.tables.cards import EXCUSE, TAROT_PACK, card, cards
from card_arena.tables.dealing import Packs
from card_arena.tables.drawing import draw
from card_arena.tables.encoding import words
from card_arena.tables.fault_texts import fault_text
from card_arena.tables.game import BadTable, IllegalAction, MalformedAnswer, Terminal
from card_arena.tables.legal_actions import describe
from card_arena.tables.referee import play
from card_arena.tables.registry import game
from card_arena.tables.tarot import Tarot
from card_arena.tables.tarot.messages import DealOff, DealOver
from card_arena.tables.tarot.phases import Bidding, Discarding, Playing, Shuffling
from card_arena.tables.tarot.rules import (
    HALF_POINTS,
    Call,
    Count,
    Options,
    Poignee,
    Trick,
    chelem,
    dealt,
    discards,
    excuse_share,
    marks,
    petit_au_bout,
    playable,
    points_text,
    result,
    taker_count,
    winning_place,
)
from card_arena.tests.tables.scripted import SILENT, Always, Said, random_steps
from card_arena.tests.tables.tarot_model import packed

GAME = Tarot()
KINGS = "KC KD KH KS"
TRUMPS = " ".join(f"A{n}" for n in range(1, 22))
NAMES = ["ada", "bob", "cy"]


def begin(*hands, dealer=2, **options) -> Bidding:
    """The first bid of a deal with these cards in the hands of seats 0, 1, 2 and in the dog."""
    start = GAME.start(Options(**options), 3)
    shuffling = Shuffling(start.sheet._replace(dealer=dealer))
    phase, _ = shuffling.apply(cards(" ".join(packed(*hands))))
    return phase


def after(phase, *answers):
    """Where a game stands after these answers, each by whoever is asked."""
    for answer in answers:
        phase, _ = phase.apply(phase.read(answer))
    return phase


def played_out(phase):
    """The rest of a deal, everybody playing the last card that is allowed; with the notices."""
    while isinstance(phase, Playing):
        legal = phase.legal_actions(phase.to_act)
        last = (legal.actions if phase.tricks else legal.cards)[-1]
        phase, notices = phase.apply(last)
    return phase, notices


def legal_text(hand, trick=""):
    return " ".join(playable(cards(hand), cards(trick)))


class TestPack:
    """Section a: 78 cards, 91 points."""

    def test_the_pack_has_78_cards_and_182_half_points(self):
        assert len(set(TAROT_PACK)) == 78
        assert sum(HALF_POINTS.values()) == 182

    def test_everybody_gets_24_cards_and_the_dog_six_neither_the_first_nor_the_last(self):
        hands, dog = dealt(TAROT_PACK)
        assert [len(hand) for hand in hands] == [24, 24, 24]
        assert len(dog) == 6
        assert sorted((*dog, *hands[0], *hands[1], *hands[2])) == sorted(TAROT_PACK)
        assert not {TAROT_PACK[0], TAROT_PACK[-1]} & set(dog)
        assert hands[0][:4] == TAROT_PACK[:4]

    def test_the_dealers_neighbour_gets_the_first_cards_and_bids_first(self):
        phase = begin("KC", dealer=0)
        assert phase.to_act == 1
        assert card("KC") in phase.hands[1]

    def test_the_deal_goes_on_to_the_next_seat(self):
        dealers = [
            step.before.sheet.dealer
            for step in random_steps(GAME, 3, 1)
            if isinstance(step.before, Shuffling)
        ]
        assert dealers[:5] == [2, 0, 1, 2, 0]


class TestScoreVectors:
    """Rule b.6: examples d.1 to d.9, some of them the federation's, and others."""

    def test_d1_a_garde_with_a_poignee_and_the_petit_au_bout(self):
        price = result("garde", Count(98, 2), poignees=20, petit=1).price
        assert price == 106
        assert marks(0, price) == (212, -106, -106)
        assert 3 * price == 318  # with four players

    def test_d2_a_lost_petite_pays_the_poignee_but_gets_the_petit(self):
        price = result("petite", Count(68, 2), poignees=20, petit=1).price
        assert price == -42
        assert marks(1, price) == (42, -84, 42)

    @pytest.mark.parametrize(
        ("half_points", "price"), [(81, -26), (83, 26), (82, 25)], ids=["d6", "d7", "d8"]
    )
    def test_d6_to_d8_half_a_point_counts_for_the_winner(self, half_points, price):
        assert result("petite", Count(half_points, 2)).price == price

    def test_d9_a_garde_contre_without_bouts(self):
        price = result("contre", Count(112, 0)).price
        assert marks(2, price) == (-150, -150, 300)

    def test_points_are_written_with_their_half(self):
        assert [points_text(n) for n in (0, 1, 81, 82)] == ["0", "0.5", "40.5", "41"]

    @pytest.mark.parametrize(("bouts", "needed"), [(0, 56), (1, 51), (2, 41), (3, 36)])
    def test_the_bouts_say_how_many_points_are_needed(self, bouts, needed):
        assert result("petite", Count(2 * needed, bouts)).made
        assert not result("petite", Count(2 * needed - 1, bouts)).made

    @pytest.mark.parametrize(("contract", "price"), [("petite", 35), ("garde", 70)])
    def test_a_petite_counts_once_and_a_garde_twice(self, contract, price):
        assert result(contract, Count(92, 3)).price == price

    @pytest.mark.parametrize(("contract", "price"), [("sans", 140), ("contre", 210)])  # example d.3
    def test_a_garde_sans_counts_four_times_and_a_garde_contre_six_times(self, contract, price):
        assert result(contract, Count(92, 3)).price == price

    def test_poignees_go_to_the_winning_side_and_are_not_multiplied(self):
        assert result("contre", Count(112, 0), poignees=50).price == 200  # example d.4
        assert result("contre", Count(110, 0), poignees=50).price == -6 * 26 - 50  # example d.5


class TestLegalVectors:
    """Rule b.5: examples d.12 to d.19."""

    @pytest.mark.parametrize(
        ("hand", "trick", "legal"),
        [
            pytest.param("3S EX A5", "9S", "3S EX", id="d12 suit is followed"),
            pytest.param("3S A5 EX", "9H", "A5 EX", id="d13 who is void must trump"),
            pytest.param("3S A5 EX", "9H A7", "A5 EX", id="d14 and undertrump"),
            pytest.param("3S A5 A12 EX", "9H A7", "A12 EX", id="d15 but go over where one can"),
            pytest.param("KS 4D", "A10", "KS 4D", id="d16 without trumps everything goes"),
            pytest.param("KS 4D", "EX", "KS 4D", id="d17 everything goes behind the Excuse"),
            pytest.param("KS 5D A3", "EX 4D", "5D", id="d17 the card behind it is led"),
            pytest.param("KS 2H A1", "A21", "A1", id="d18 a trump is followed by any trump"),
            pytest.param("5C EX", "KH", "5C EX", id="d19 no suit and no trump"),
            pytest.param("3S A5 EX", "", "3S A5 EX", id="everything may be led"),
            pytest.param("A5 A12 KS", "A7 A15", "A5 A12", id="a partner's trump counts as well"),
            pytest.param("3H KS A5", "9H A7", "3H", id="suit is followed over a trump"),
            pytest.param("A8 A20 KS", "EX A9", "A20", id="a trump led behind the Excuse"),
            pytest.param("A4 A20 KS", "KD 2S", "A4 A20", id="the first card is the suit led"),
        ],
    )
    def test_d12_to_d19(self, hand, trick, legal):
        assert legal_text(hand, trick) == legal

    @pytest.mark.parametrize(
        ("trick", "place"),
        [
            *(("9H KH QH", 1), ("9H KS 2H", 0), ("9H A2 KH", 1), ("9H A2 A3", 2)),
            *(("EX 2H KS", 1), ("EX A1 KS", 1), ("2H EX 3H", 2), ("KS QS EX", 0)),
            *(("1C TC 9C", 1), ("QC NC JC", 0)),
        ],
    )
    def test_the_highest_trump_wins_else_the_highest_of_the_suit_and_never_the_excuse(
        self, trick, place
    ):
        assert winning_place(cards(trick)) == place


def tricks_with(special, *, number, leader, winner, taker_wins=True):
    """24 tricks of worthless cards, one of which is this one."""
    usual = Trick(0, cards("1C 1D 1H"), 0 if taker_wins else 1)
    some = [usual] * 24
    some[number - 1] = Trick(leader, cards(special), winner)
    return some


class TestExcuse:
    """Rule b.5: whose the Excuse is, with examples d.11, d.20 and d.21."""

    def test_d20_the_takers_excuse_counts_four_and_the_winner_gets_half_a_point(self):
        without = tricks_with("2S 1S 3S", number=5, leader=0, winner=1, taker_wins=False)
        with_it = tricks_with("EX 1S 3S", number=5, leader=0, winner=1, taker_wins=False)
        assert taker_count(with_it, 0) == Count(8, 1)
        assert taker_count(without, 0) == Count(0, 0)

    def test_d20_a_defenders_excuse_gives_the_taker_half_a_point(self):
        tricks = tricks_with("2S EX 3S", number=5, leader=0, winner=0)
        assert taker_count(tricks, 0) == Count(23 * 3 + 2 + 1, 0)

    def test_an_excuse_in_a_trick_of_its_own_side_is_kept_whole(self):
        assert excuse_share(1, 2, taker=0, last=False) == 0
        assert excuse_share(0, 0, taker=0, last=False) == 9

    def test_d21_in_the_last_trick_it_changes_sides_even_from_the_winners_side(self):
        tricks = tricks_with("2S EX KS", number=24, leader=0, winner=2, taker_wins=False)
        assert taker_count(tricks, 0) == Count(9, 1)
        own = tricks_with("EX 2S KS", number=24, leader=0, winner=2, taker_wins=False)
        assert taker_count(own, 0) == Count(0, 0)

    def test_excuse_last_to_winner_gives_it_to_whoever_takes_the_last_trick(self):
        tricks = tricks_with("2S EX KS", number=24, leader=0, winner=2, taker_wins=False)
        assert taker_count(tricks, 0, rule="to_winner") == Count(0, 0)
        taken = tricks_with("KS EX 2S", number=24, leader=0, winner=0, taker_wins=False)
        assert taker_count(taken, 0, rule="to_winner") == Count(9 + 9 + 1, 1)

    def test_a_side_without_a_trick_keeps_its_excuse_for_four_points(self):
        """Example d.11, the federation's: all the rest comes to 87."""
        order = list(TAROT_PACK)
        order.remove(EXCUSE)
        order.insert(1, EXCUSE)  # seat 1 plays it in the first trick
        tricks = [Trick(0, tuple(order[n : n + 3]), 0) for n in range(0, 72, 3)]
        assert points_text(taker_count(tricks, 0, order[72:]).half_points) == "87"

    def test_an_excuse_in_the_dog_counts_for_the_taker_under_sans_and_not_under_contre(self):
        for contract, bouts in (("sans", 1), ("contre", 0)):
            phase = after(begin("", "", "", "EX A1"), contract, "pass", "pass")
            assert EXCUSE in phase.deal.dog
            assert len({EXCUSE, card("A1")}.intersection(phase.deal.aside)) == 2 * bouts

    def test_the_excuse_as_a_lead_leaves_the_suit_to_the_next_card(self):
        phase = after(begin("EX", "4D KS", "5D 6D"), "sans", "pass", "pass")
        phase = after(phase, "EX", "4D")
        assert all(held.suit == "D" for held in phase.legal_actions(2).cards)
        assert after(phase, "5D").leader == 2


class TestBidding:
    """Rules a.3 and b.1."""

    def test_everybody_is_asked_once_and_must_bid_higher(self):
        phase = after(begin(), "garde")
        names = phase.question(1).legal
        assert names == "pass,sans,contre,sans!,contre!"
        assert after(phase, "pass", "sans").deal.taker == 2

    def test_a_bid_below_the_standing_one_is_illegal_and_not_malformed(self):
        phase = after(begin(), "garde")
        for low in ("petite", "garde", "garde!"):
            assert phase.read(low) not in phase.legal_actions(1)
            with pytest.raises(IllegalAction, match=f"{low} is not allowed now: expected pass, s"):
                phase.apply(phase.read(low))

    def test_where_all_pass_the_next_dealer_deals_the_same_deal_again(self):
        phase, notices = after(begin(), "pass", "pass").apply(Call("pass"))
        assert notices == (DealOff(1, "passed"),)
        assert str(notices[0]) == "off 1 passed"
        again, _ = phase.apply(TAROT_PACK)
        assert again.to_act == 1
        assert again.question(1).deal == "1/12"
        assert (again.sheet.dealer, again.sheet.scores) == (0, (0, 0, 0))

    def test_a_table_of_bots_that_never_bid_comes_to_an_end(self):
        record = play(
            GAME, Options(deals=2, redeals=3), [Always("pass")] * 3, Packs(b"s" * 32, "m")
        )
        assert record.over == Terminal((0, 0, 0), (0, 0, 0), (0, 0, 0))
        assert len(record.turns) == 2 * 4 * 4

    def test_petit_sec_annuls_the_deal_before_the_bids(self):
        start = GAME.start(Options(), 3)
        order = packed(f"A1 {KINGS}", TRUMPS.removeprefix("A1 "), "EX")
        phase, notices = start.apply(cards(" ".join(order)))
        assert notices == (DealOff(1, "petit"),)
        assert phase.sheet.dealer == 0
        assert GAME.presentation.remark(start, phase, NAMES) == (
            "the petit is ada's only trump: the deal is annulled"
        )

    @pytest.mark.parametrize("beside", ["EX", "A2"])
    def test_the_petit_beside_the_excuse_or_another_trump_is_no_petit_sec(self, beside):
        rest = " ".join(f"A{n}" for n in range(3, 22))
        assert isinstance(begin(f"A1 {beside} {KINGS}", rest), Bidding)


class TestDog:
    """Rule b.3, with examples d.22 and d.23."""

    def test_under_petite_and_garde_the_taker_holds_thirty_cards(self):
        for contract in ("petite", "garde"):
            phase = after(begin(), contract, "pass", "pass")
            assert isinstance(phase, Discarding)
            assert len(phase.hands[0]) == 30
            assert set(phase.deal.dog) < set(phase.hands[0])

    def test_under_sans_and_contre_nobody_touches_it(self):
        for contract in ("sans", "contre"):
            phase = after(begin(), contract, "pass", "pass")
            assert isinstance(phase, Playing)
            assert [len(hand) for hand in phase.hands] == [24, 24, 24]
            assert phase.question(0).dog == phase.question(1).dog == "-"

    def test_d22_with_eight_plain_cards_any_six_of_them_go_and_no_trump(self):
        hand = cards(f"{KINGS} 1C 2C 3C 4C 5C 6C 7C 8C {TRUMPS.removesuffix(' A19 A20 A21')}")
        pick = discards(hand)
        assert " ".join(pick.cards) == "1C 2C 3C 4C 5C 6C 7C 8C"
        assert frozenset(cards("1C 2C 5C 6C 7C 8C")) in pick
        assert frozenset(cards("1C 2C 5C 6C 7C A2")) not in pick

    def test_with_exactly_six_plain_cards_no_trump_is_offered(self):
        hand = cards(f"{KINGS} 1C 2C 3C 4C 5C 6C {TRUMPS.removesuffix(' A21')}")
        assert " ".join(discards(hand).cards) == "1C 2C 3C 4C 5C 6C"

    def bidding(self, **options):
        """Seat 0 gets, with the dog, the kings, all trumps and four plain cards."""
        trumps = TRUMPS.removesuffix(" A21")
        return begin(f"{KINGS} {trumps}", "", "", "A21 EX 1C 2C 3C 4C", **options)

    def forced(self):
        return after(self.bidding(), "garde", "pass", "pass")

    def test_d23_with_four_plain_cards_these_go_and_two_trumps_but_no_bout(self):
        phase = self.forced()
        legal = phase.legal_actions(0)
        assert frozenset(cards("1C 2C 3C 4C A2 A20")) in legal
        for wrong in (
            "1C 2C 3C A2 A3 A4",
            "1C 2C 3C 4C A2 A1",
            "1C 2C 3C 4C A2 A21",
            "1C 2C 3C 4C A2 EX",
            "1C 2C 3C 4C A2 KC",
        ):
            assert frozenset(cards(wrong)) not in legal
        assert phase.question(0).legal.split(",")[:6] == ["1C", "2C", "3C", "4C", "A2", "A3"]

    def test_d23_the_trumps_put_away_are_shown_to_everybody_and_the_rest_to_the_taker(self):
        phase = after(self.forced(), "1C,2C,3C,4C,A2,A20")
        assert phase.question(0).discard == "1C,2C,3C,4C,A2,A20"
        assert phase.question(1).discard == phase.question(2).discard == "A2,A20"
        assert (
            GAME.presentation.remark(self.forced(), phase, NAMES)
            == "ada puts trump 2 and trump 20 away"
        )

    def test_trump_discards_never_annuls_a_deal_that_would_need_one(self):
        bidding = after(self.bidding(trump_discards="never"), "garde", "pass")
        phase, notices = bidding.apply(Call("pass"))
        assert notices == (DealOff(1, "discard"),)
        assert isinstance(phase, Shuffling)

    def test_trump_discards_never_changes_nothing_for_a_taker_with_six_plain_cards(self):
        phase = after(begin(trump_discards="never"), "garde", "pass", "pass")
        assert isinstance(phase, Discarding)

    def test_the_discard_counts_for_the_taker(self):
        phase = after(begin(), "garde", "pass", "pass")
        put = ",".join(phase.question(0).legal.split(",")[-6:])
        assert after(phase, put).deal.aside == cards(put)


def with_trumps(count, *, excuse=False, **options):
    """Seat 0 holds so many trumps from the 2 up, plays a garde sans and leads."""
    trumps = " ".join(f"A{n}" for n in range(2, 2 + count))
    others = " ".join(f"{rank}C" for rank in "123456789TJNQK"[: 24 - count - excuse])
    held = f"{trumps} {others}" + " EX" * excuse
    rest = [f"A{n}" for n in range(2 + count, 22)]
    return after(
        begin(held, " ".join(["A1", *rest[::2]]), " ".join(rest[1::2]), **options),
        *("sans", "pass", "pass"),
    )


def show(phase, text):
    return phase.read(f"{phase.hands[0][0]} show {text.replace(' ', ',')}")


def up_to(count, start=2):
    return " ".join(f"A{n}" for n in range(start, start + count))


class TestPoignee:
    """Rule b.4."""

    @pytest.mark.parametrize(("count", "worth"), [(13, 20), (15, 30), (18, 40)])
    def test_a_poignee_shows_13_15_or_18_trumps_for_20_30_or_40(self, count, worth):
        phase = with_trumps(18)
        assert show(phase, up_to(count)) in phase.legal_actions(0)
        plain, _ = played_out(after(phase, str(phase.hands[0][0])))
        shown, _ = played_out(phase.apply(show(phase, up_to(count)))[0])
        gain = shown.last.result().price - plain.last.result().price
        assert abs(gain) == worth
        assert (gain > 0) == plain.last.result().made

    def test_everybody_sees_it(self):
        phase = with_trumps(13)
        following, _ = phase.apply(show(phase, up_to(13)))
        expected = "0:" + up_to(13).replace(" ", ",")
        assert following.question(1).shown == following.question(2).shown == expected

    def test_the_surplus_of_ones_choice_stays_hidden(self):
        phase = with_trumps(14)
        legal = phase.legal_actions(0)
        assert show(phase, up_to(13)) in legal
        assert show(phase, up_to(13, start=3)) in legal

    def test_a_smaller_poignee_than_ones_trumps_allow_may_be_shown(self):
        phase = with_trumps(18)
        assert show(phase, up_to(13)) in phase.legal_actions(0)

    def test_the_excuse_stands_for_a_missing_trump_only(self):
        exact, more = with_trumps(12, excuse=True), with_trumps(13, excuse=True)
        assert show(exact, f"{up_to(12)} EX") in exact.legal_actions(0)
        assert show(more, f"{up_to(12)} EX") not in more.legal_actions(0)
        assert show(more, up_to(13)) in more.legal_actions(0)

    def test_a_poignee_does_not_excuse_from_following_suit(self):
        phase = after(begin("1C", f"2C 2D {up_to(13)}"), "sans", "pass", "pass")
        legal = after(phase, "1C").legal_actions(1)
        assert Poignee(card("2C"), frozenset(cards(up_to(13)))) in legal
        assert Poignee(card("2D"), frozenset(cards(up_to(13)))) not in legal

    def test_only_the_first_card_can_be_played_with_one(self):
        phase = with_trumps(14)
        first = str(phase.hands[0][0])
        phase = after(phase, first)
        phase = after(phase, str(playable(phase.hands[1], phase.trick)[0]))
        phase = after(phase, str(playable(phase.hands[2], phase.trick)[0]))
        while phase.to_act != 0:
            phase = after(phase, str(playable(phase.hands[phase.to_act], phase.trick)[0]))
        late = Poignee(playable(phase.hands[0], phase.trick)[0], frozenset(cards(up_to(13))))
        with pytest.raises(IllegalAction):
            phase.apply(late)

    @pytest.mark.parametrize(
        ("text", "why"),
        [
            (f"{up_to(12)} KC", "not a trump"),
            (f"{up_to(12)} A21", "not held"),
            (f"{up_to(14)} A21", "one too many for the hand"),
        ],
    )
    def test_a_poignee_of_cards_that_cannot_be_shown_is_illegal(self, text, why):
        phase = with_trumps(14)
        with pytest.raises(IllegalAction, match="with it, a poignée of 13, 15 or 18 of your tru"):
            phase.apply(show(phase, text))

    @pytest.mark.parametrize(
        "text",
        [
            up_to(14),
            up_to(12),
            f"{up_to(12)} A2",
            f"{up_to(13)} A2",
            f"{up_to(12)} A22",
            "A2",
            "A2,,A3",
        ],
    )
    def test_a_poignee_of_the_wrong_size_or_with_a_card_twice_is_malformed(self, text):
        phase = with_trumps(14)
        with pytest.raises(MalformedAnswer, match="shows no poignée: expected 13, 15 or 18"):
            show(phase, text)

    def test_random_players_show_one_now_and_then(self):
        phase, rng = with_trumps(18), random.Random(1)
        samples = [phase.legal_actions(0).sample(rng) for _ in range(200)]
        assert 20 < sum(isinstance(action, Poignee) for action in samples) < 180
        assert all(action in phase.legal_actions(0) for action in samples)


def sweep(bid, **options):
    """Seat 0 holds every trump: it can take all tricks."""
    return after(begin(f"{TRUMPS} EX KC KD", "", "", **options), bid, "pass", "pass")


def swept(phase, *, petit_late=True):
    """All trumps from the top, the kings, the petit, and the Excuse at the end."""
    middle = ("KC", "KD", "A1") if petit_late else ("A1", "KC", "KD")
    for led in (*(f"A{n}" for n in range(21, 1, -1)), *middle, "EX"):
        while phase.to_act != 0:
            phase = after(phase, str(playable(phase.hands[phase.to_act], phase.trick)[0]))
        phase, notices = phase.apply(phase.read(led))
    while isinstance(phase, Playing):
        phase, notices = phase.apply(playable(phase.hands[phase.to_act], phase.trick)[0])
    return phase, notices


class TestChelem:
    """Rules b.2, b.5 and b.6, with example d.10."""

    def test_an_announced_chelem_is_worth_400_and_the_excuse_takes_the_last_trick(self):
        """Example d.10: all 91 points and three bouts under sans, the petit in the 23rd trick."""
        phase, (notices,) = swept(sweep("sans!"))
        assert phase.last.tricks[-1].winner == 0
        price = (25 + 55) * 4 + 10 * 4 + 400
        assert notices.marks == f"{2 * price},{-price},{-price}"
        assert (notices.points, notices.bouts, notices.contract) == ("91", 3, "sans!")

    def test_the_petit_counts_in_the_23rd_trick_where_the_excuse_is_the_24th(self):
        late, _ = swept(sweep("sans!"))
        early, _ = swept(sweep("sans!"), petit_late=False)
        gain = late.sheet.scores[0] - early.sheet.scores[0]
        assert gain == 2 * 10 * 4

    @pytest.mark.parametrize(("number", "points", "bouts"), [(23, "87", 2), (24, "91", 3)])
    def test_a_defenders_excuse_is_lost_only_in_the_last_trick_of_a_chelem(
        self, number, points, bouts
    ):
        order = [held for held in TAROT_PACK if held != EXCUSE]
        order.insert(3 * number - 2, EXCUSE)  # the second card of that trick is seat 1's
        tricks = [Trick(0, tuple(order[n : n + 3]), 0) for n in range(0, 72, 3)]
        pile = taker_count(tricks, 0, order[72:])
        assert (points_text(pile.half_points), pile.bouts) == (points, bouts)

    def test_without_the_announcement_it_is_worth_200(self):
        said, _ = swept(sweep("sans!"))
        unsaid, _ = swept(sweep("sans"))
        assert said.sheet.scores[0] - unsaid.sheet.scores[0] == 2 * 200

    def test_who_announces_it_leads(self):
        assert after(begin(), "pass", "pass", "garde!").deal.leads == 2
        assert after(begin(), "pass", "pass", "garde").deal.leads == 0

    def test_who_is_bid_over_has_announced_nothing(self):
        deal = after(begin(), "garde!", "sans", "pass").deal
        assert (deal.taker, deal.leads, deal.call) == (1, 0, Call("sans"))

    def test_the_announcement_is_seen_by_all(self):
        phase = after(begin(), "pass", "contre!", "pass")
        assert phase.question(2).bids == "pass,contre!,pass"
        assert phase.question(2).contract == "contre!"

    def test_announced_and_missed_it_costs_200_and_all_tricks_lost_cost_200(self):
        some = tricks_with("2S 3S 4S", number=1, leader=0, winner=0, taker_wins=False)
        none = tricks_with("2S 3S 4S", number=1, leader=0, winner=1, taker_wins=False)
        assert chelem(some, 0) == 0
        assert chelem(some, 0, by_taker=True) == -200
        assert chelem(none, 0) == chelem(none, 0, by_taker=True) == -200

    def test_a_defence_that_announced_gets_400_or_pays_200(self):
        some = tricks_with("2S 3S 4S", number=1, leader=0, winner=0, taker_wins=False)
        none = tricks_with("2S 3S 4S", number=1, leader=0, winner=1, taker_wins=False)
        assert chelem(none, 0, by_defence=True) == -400
        assert chelem(some, 0, by_defence=True) == 200
        assert chelem(some, 0, by_taker=True, by_defence=True) == 0
        assert chelem([none[1]._replace(winner=0)] * 24, 0, by_defence=True) == 200

    def test_chelem_by_any_lets_a_player_who_passes_announce_for_the_defence(self):
        assert Call("pass", chelem=True) not in begin().legal_actions(0)
        phase = after(begin(chelem_by="any"), "pass", "pass!", "garde")
        assert phase.deal.leads == 1
        assert phase.deal.defence_announced == (1,)
        taker_too = after(begin(chelem_by="any"), "pass", "pass!", "garde!")
        assert taker_too.deal.leads == 2

    def test_a_missed_announcement_of_the_defence_is_paid_to_the_taker(self):
        phase = after(begin("", chelem_by="any"), "petite", "pass", "pass!")
        over, _ = played_out(after(phase, ",".join(phase.question(0).legal.split(",")[:6])))
        said = over.last
        assert 0 < sum(trick.winner == 0 for trick in said.tricks) < 24
        unsaid = said._replace(deal=said.deal._replace(calls=(Call("petite"), *[Call("pass")] * 2)))
        assert said.result().price - unsaid.result().price == 200

    def test_the_excuse_of_a_taker_who_has_lost_a_trick_takes_nothing(self):
        phase = sweep("sans")
        tricks = (Trick(0, cards("2S 3S 4S"), 1), *[Trick(0, cards("A2 3C 4C"), 0)] * 22)
        last = phase._replace(
            hands=(cards("EX"), cards("2H"), cards("1H")), tricks=tricks, leader=0, trick=()
        )
        assert after(last, "EX", "2H").after(card("1H")).tricks[-1].winner == 1
        swept_so_far = last._replace(tricks=tricks[1:2] * 23)
        assert after(swept_so_far, "EX", "2H").after(card("1H")).tricks[-1].winner == 0

    def test_petit_au_bout_goes_to_whoever_takes_the_last_trick(self):
        def last(special, leader, winner):
            return tricks_with(special, number=24, leader=leader, winner=winner)

        assert petit_au_bout(last("A1 2S 3S", 0, 0), 0) == 1
        assert petit_au_bout(last("A1 A2 3S", 0, 1), 0) == -1
        assert petit_au_bout(last("A3 A2 3S", 0, 0), 0) == 0
        assert petit_au_bout(last("EX A1 3S", 0, 1), 0) == -1


class TestOptions:
    """Every option changes something, and a wrong one is refused."""

    def test_deals(self):
        for deals in (1, 4):
            over = random_steps(GAME, 3, 5, deals=deals)[-1].after
            assert over.hands == (deals,) * 3

    def test_petite(self):
        assert begin().question(0).legal.startswith("pass,petite,garde,sans,contre,petite!")
        assert (
            begin(petite=False).question(0).legal == "pass,garde,sans,contre,garde!,sans!,contre!"
        )

    def test_poignees(self):
        small = with_trumps(10, poignees="10/13/15")
        assert show(small, up_to(10)) in small.legal_actions(0)
        with pytest.raises(MalformedAnswer, match="expected 13, 15 or 18"):
            show(with_trumps(10), up_to(10))
        thirteen = with_trumps(13, poignees="10/13/15")
        plain, _ = played_out(after(thirteen, str(thirteen.hands[0][0])))
        shown, _ = played_out(thirteen.apply(show(thirteen, up_to(13)))[0])
        assert abs(shown.last.result().price - plain.last.result().price) == 30

    def test_petit_sec(self):
        hands = (f"A1 {KINGS}", TRUMPS.removeprefix("A1 "), "EX")
        assert isinstance(begin(*hands), Shuffling)
        assert isinstance(begin(*hands, petit_sec="ignore"), Bidding)

    def test_redeals(self):
        phase, notices = after(begin(redeals=0), "pass", "pass").apply(Call("pass"))
        assert notices == (DealOff(1, "passed"),)
        assert (phase.sheet.number, phase.sheet.scores) == (2, (0, 0, 0))
        again = after(begin(redeals=1), "pass", "pass", "pass")
        assert (again.sheet.number, again.sheet.again) == (1, 1)

    def test_a_passed_deal_that_counts_may_be_the_last(self):
        over, _ = after(begin(redeals=0, deals=1), "pass", "pass").apply(Call("pass"))
        assert over == Terminal((0, 0, 0), (0, 0, 0), (0, 0, 0))

    def test_dog(self):
        shown = after(begin(), "garde", "pass", "pass")
        hidden = after(begin(dog="hidden"), "garde", "pass", "pass")
        put = ",".join(shown.question(0).legal.split(",")[:6])
        for seat in (1, 2):
            assert len(after(shown, put).question(seat).dog.split(",")) == 6
            assert after(hidden, put).question(seat).dog == "-"
        assert len(after(hidden, put).question(0).dog.split(",")) == 6

    def test_excuse_last(self):
        """Seat 1, a defender, wins the last trick; seat 2's Excuse is in it."""
        scores = []
        for rule in ("changes_side", "to_winner"):
            phase = after(begin(excuse_last=rule), "petite", "pass", "pass")
            phase = after(phase, ",".join(phase.question(0).legal.split(",")[:6]))
            last = phase._replace(
                hands=(cards("2S"), cards("KS"), cards("EX")),
                tricks=(Trick(0, cards("QC 3C 4C"), 0),) * 23,
            )
            following, _ = played_out(last)
            scores.append(following.last.result().counted)
        assert scores[0].half_points - scores[1].half_points == 9
        assert scores[0].bouts - scores[1].bouts == 1

    def test_reach_at_the_table(self):
        """The taker's tricks are worth exactly the 36 points that three bouts need."""
        won = [f"{card} 1C 2C" for card in ("A1", "A21", "EX", "KC", "QC", "QD", "JC", "JD")]
        tricks = [
            *[Trick(0, cards(text), 0) for text in won],
            *[Trick(0, cards("1C 2C 3C"), 1)] * 16,
        ]
        for reach, scores in (("at_least", (300, -150, -150)), ("more", (-300, 150, 150))):
            phase = after(begin(reach=reach, deals=1), "contre", "pass", "pass")
            hands = (cards("3D"), (), cards("3C"))
            last = phase._replace(
                tricks=tuple(tricks[:23]), hands=hands, trick=cards("2C"), leader=1
            )
            over, _ = played_out(last)
            assert over.scores == scores
            assert over.won == ((1, 0, 0) if scores[0] > 0 else (0, 1, 1))

    def test_reach(self):
        assert result("petite", Count(72, 3)).price == 25
        assert result("petite", Count(72, 3), reach="more").price == -25
        assert result("petite", Count(73, 3), reach="more").price == 26

    def test_half_points_kept_count_everything_in_halves(self):
        assert result("petite", Count(81, 2), halves="kept").price == -51
        assert result("petite", Count(83, 2), halves="kept").price == 51
        assert result("garde", Count(83, 2), poignees=20, petit=1, halves="kept").price == 182

    def test_open_hands_end_the_question_with_all_hands_and_are_not_rated(self):
        phase = begin(open_hands=True)
        expected = "/".join(",".join(hand) for hand in phase.hands)
        assert words(phase.question(0))[-1] == expected
        assert len(words(begin().question(0))) == 16
        assert GAME.rated(Options())
        assert not GAME.rated(Options(open_hands=True))

    def test_an_empty_open_hand_is_a_dash(self):
        phase = sweep("sans", open_hands=True)
        last = phase._replace(hands=(cards("EX"), cards("2H"), cards("1H")))
        assert after(last, "EX").question(1).hands == "-/2H/1H"

    @pytest.mark.parametrize(
        "wrong",
        [
            *({"deals": 0}, {"deals": "12"}, {"poignees": "13"}, {"dog": "open"}),
            *({"redeals": -1}, {"petite": 1}, {"bidding": True}, {"reach": ">"}),
        ],
    )
    def test_wrong_options_are_refused(self, wrong):
        with pytest.raises(ValidationError):
            Options(**wrong)

    @pytest.mark.parametrize("seats", [2, 4])
    def test_a_table_of_another_size_is_refused(self, seats):
        with pytest.raises(BadTable, match=f"tarot seats 3 players, not {seats}"):
            GAME.start(Options(), seats)


class TestAnswers:
    """What is an answer, and what is allowed."""

    def discarding(self):
        return after(begin(), "garde", "pass", "pass")

    @pytest.mark.parametrize("line", ["garde", " garde ", "GARDE", "Garde\t"])
    def test_a_bid_may_have_capital_letters_and_blanks_around_it(self, line):
        assert begin().read(line) == Call("garde")

    def test_the_chelem_stands_behind_the_bid(self):
        assert begin().read("garde!") == Call("garde", chelem=True)

    @pytest.mark.parametrize(
        "line",
        [
            *("", "bid", "garde sans", "garde !", "!garde", "garde!!", "007", "bid 007", "1"),
            *(
                "pass now",
                "KS",
                "\N{FULLWIDTH LATIN SMALL LETTER G}arde",
                "pa\N{LATIN SMALL LETTER LONG S}s",
            ),
        ],
    )
    def test_what_is_no_bid_is_malformed_and_quoted(self, line):
        with pytest.raises(MalformedAnswer, match="is not a bid: expected pass, petite, garde"):
            begin().read(line)

    def test_no_more_than_eighty_characters_are_quoted(self):
        with pytest.raises(MalformedAnswer) as error:
            begin().read("garde" * 100)
        assert len(str(error.value).split("'")[1]) == 80

    @pytest.mark.parametrize("line", ["1s", "1S", " 1S\t", "ex", "a14", "A14", "eX"])
    def test_a_card_may_have_small_letters_and_blanks_around_it(self, line):
        assert sweep("sans").read(line) == line.strip().upper()

    @pytest.mark.parametrize(
        "line",
        [
            *("", "A0", "A22", "A01", "AS", "0S", "10S", "EX EX", "KS QS", "KS,QS", "K S", "KSX"),
            *(
                "A\N{FULLWIDTH DIGIT SEVEN}",
                "A\N{ARABIC-INDIC DIGIT THREE}",
                "007",
                "pass",
                "excuse",
            ),
            *(
                "KS\r",
                "\N{NO-BREAK SPACE}KS",
                "KS show",
                "show A1",
                "KS shows A1,A2",
                "KS show A1 A2",
                "K\N{LATIN SMALL LETTER LONG S}",
            ),
        ],
    )
    def test_what_is_no_card_is_malformed(self, line):
        with pytest.raises(
            MalformedAnswer, match="is not a card: expected one such as KS, A14 or EX"
        ):
            sweep("sans").read(line)

    def test_a_card_that_is_not_held_or_breaks_a_duty_is_illegal(self):
        phase = after(begin("1S 2H", "2S"), "sans", "pass", "pass")
        phase = after(phase, "1S")
        for wrong in ("1S", "3D"):
            assert phase.read(wrong) not in phase.legal_actions(1)
            with pytest.raises(IllegalAction, match=f"{wrong} is not allowed now: expected 2S"):
                phase.apply(phase.read(wrong))

    def test_a_discard_is_six_cards_in_any_order_and_in_small_letters(self):
        phase = self.discarding()
        six = phase.question(0).legal.split(",")[:6]
        assert phase.read(",".join(six)) == phase.read(",".join(six[::-1]).lower())
        assert phase.write(phase.read(",".join(six[::-1]))) == ",".join(six)

    @pytest.mark.parametrize(
        ("line", "why"),
        [
            ("1C,2C,3C,4C,5C", "has 5 cards: expected six"),
            ("1C", "has 1 card: expected six"),
            ("1C,2C,3C,4C,5C,6C,7C", "has 7 cards: expected six"),
            ("1C,2C,3C,4C,5C,5c", "names a card twice: expected six different cards"),
            ("1C,2C,3C,4C,5C,5X", "is not a discard: expected six cards joined by commas"),
            ("1C,2C,3C,4C,5C,", "is not a discard"),
            ("1C 2C 3C 4C 5C 6C", "is not a discard"),
            ("1C,2C,3C,4C,5C,6C please", "is not a discard"),
            ("", "is not a discard"),
            ("A\N{FULLWIDTH DIGIT TWO},1C,2C,3C,4C,5C", "is not a discard"),
        ],
    )
    def test_a_discard_of_the_wrong_count_or_with_a_card_twice_is_malformed(self, line, why):
        with pytest.raises(MalformedAnswer, match=why):
            self.discarding().read(line)

    def test_a_discard_of_a_card_not_held_a_king_a_bout_or_a_trump_is_illegal(self):
        phase = after(begin("1C 2C 3C 4C 5C 6C KC A1 A2 EX"), "garde", "pass", "pass")
        for wrong in ("KC", "A1", "EX", "A2", "KS"):
            action = phase.read(f"1C,2C,3C,4C,5C,{wrong}")
            assert action not in phase.legal_actions(0)
            with pytest.raises(IllegalAction, match="can't be put away: expected 6 different card"):
                phase.apply(action)

    def test_a_taker_who_falls_silent_puts_away_and_plays_the_first_legal_cards(self):
        class Once(Always):
            def ask(self, words):
                return Said("garde") if words[1] == "bid" else SILENT

        players = [Once(""), Always("pass"), Always("pass")]
        record = play(GAME, Options(deals=1), players, Packs(b"s" * 32, "m"))
        number, _, _ = record.faults[0]
        turn = record.turns[number]
        assert turn.action == ",".join(turn.question.split()[2].split(",")[:6])
        assert (turn.seat, record.struck_out[0]) == (0, 0)

    def test_the_referee_says_what_was_allowed(self):
        record = play(
            GAME,
            Options(deals=1),
            [Always("KK"), Always("A21"), Always("pass")],
            Packs(b"s" * 32, "m"),
        )
        fault = record.faults[0][2]
        assert fault.kind == "malformed"
        assert fault_text(fault, "KK").endswith(
            "allowed now: pass, petite, garde, sans, contre, petite!, garde!, sans!, contre!"
        )
        first_card = describe(sweep("sans").legal_actions(0).outline(str))
        assert first_card.endswith("EX; with it, a poignée of 13, 15 or 18 of your trumps")

    @given(
        st.text(max_size=40)
        | st.lists(
            st.sampled_from([*TAROT_PACK, "show", "SHOW", "garde!", "pass", "!", "", "A22"]),
            max_size=16,
        ).flatmap(lambda names: st.sampled_from([",".join(names), " ".join(names)]))
    )
    @example(f"A2 show {up_to(13).replace(' ', ',')}")
    @example("1C,2C,3C,4C,5C,6C")
    @settings(max_examples=300)
    def test_a_line_is_malformed_or_means_one_thing(self, line):
        for phase in (begin(), self.discarding(), sweep("sans")):
            try:
                action = phase.read(line)
            except MalformedAnswer:
                continue
            assert phase.read(phase.write(action)) == action
            if action not in phase.legal_actions(phase.to_act):
                with pytest.raises(IllegalAction):
                    phase.apply(action)

    def test_an_action_of_another_phase_is_illegal(self):
        for phase in (begin(), self.discarding(), sweep("sans")):
            for action in (Call("garde", True)._replace(contract="x"), frozenset(), "pass", 7):
                with pytest.raises(IllegalAction):
                    phase.apply(action)


class TestPeople:
    """What people see and are told."""

    def test_the_title_names_the_deal_and_says_if_it_is_dealt_again(self):
        assert GAME.presentation.scene(begin()).title == "deal 1 of 12"
        passed = after(begin(), "pass", "pass", "pass")
        again, _ = passed.apply(TAROT_PACK)
        assert GAME.presentation.scene(again).title == "deal 1 of 12, dealt again (1)"

    def test_the_dog_is_a_pile_face_down_until_it_is_shown(self):
        dog = GAME.presentation.scene(begin()).piles[0]
        assert dog.label == "dog"
        assert all(shown.face_down for shown in dog.cards)
        discarding = after(begin(), "garde", "pass", "pass")
        assert not any(
            shown.face_down for shown in GAME.presentation.scene(discarding).piles[0].cards
        )
        hidden = after(begin(dog="hidden"), "garde", "pass", "pass")
        assert all(shown.face_down for shown in GAME.presentation.scene(hidden).piles[0].cards)

    def test_the_discard_lies_face_down_but_for_its_trumps_until_the_deal_is_over(self):
        phase = after(TestDog().forced(), "1C,2C,3C,4C,A2,A20")
        discard = GAME.presentation.scene(phase).piles[0]
        assert [shown.card for shown in discard.cards if not shown.face_down] == list(
            cards("A2 A20")
        )
        over, _ = played_out(phase)
        assert not any(shown.face_down for shown in GAME.presentation.scene(over).piles[0].cards)

    def test_the_taker_his_points_and_who_took_the_trick_are_marked(self):
        phase = after(begin("KC QC", "1C", "2C"), "contre", "pass", "pass")
        phase = after(phase, "KC", "1C", "2C")
        scene = GAME.presentation.scene(phase)
        assert [place.status for place in scene.places] == ["taker", "", ""]
        assert [place.took for place in scene.places] == [True, False, False]
        assert str(scene.stage) == "trick 2 of 24"
        assert dict(scene.facts) == {
            "contract": "garde contre",
            "taker's points": "5.5 of 56",
            "bouts": "0",
        }
        assert [place.played[0].card for place in scene.places] == list(cards("KC 1C 2C"))

    def test_a_poignee_lies_open_until_the_first_trick_is_taken(self):
        phase = with_trumps(13)
        phase, _ = phase.apply(show(phase, up_to(13)))
        dog, poignee = GAME.presentation.scene(phase).piles
        assert [shown.card for shown in poignee.cards] == list(cards(up_to(13)))
        assert not any(shown.face_down for shown in poignee.cards)
        assert ("poignée", "13") in GAME.presentation.scene(phase).places[0].facts
        for seat in (1, 2):
            phase = after(phase, str(playable(phase.hands[seat], phase.trick)[0]))
        assert GAME.presentation.scene(phase).piles == (dog,)
        assert ("poignée", "13") in GAME.presentation.scene(phase).places[0].facts

    def test_a_deal_that_came_to_nothing_says_why(self):
        petit = begin(f"A1 {KINGS}", TRUMPS.removeprefix("A1 "), "EX")
        passed = after(begin(), "pass", "pass", "pass")
        stuck = after(TestDog().bidding(trump_discards="never"), "garde", "pass", "pass")
        told = [
            dict(GAME.presentation.scene(phase).facts)["ended"] for phase in (petit, passed, stuck)
        ]
        assert told == ["petit sec", "all passed", "no discard"]
        before = after(TestDog().bidding(trump_discards="never"), "garde", "pass")
        assert GAME.presentation.remark(before, stuck, NAMES) == (
            "ada plays a garde but has no discard: the deal is annulled"
        )

    def test_a_finished_deal_shows_what_it_came_to(self):
        phase, _ = swept(sweep("sans!"))
        scene = GAME.presentation.scene(phase)
        assert dict(scene.facts)["result"] == "made by 55"
        assert dict(scene.places[0].facts)["this deal"] == "+1520"
        assert dict(scene.places[0].facts)["score"] == "1520"

    @pytest.mark.parametrize(
        ("answers", "said"),
        [
            (("pass", "garde", "pass"), "bob plays a garde"),
            (("pass", "pass", "contre!"), "cy plays a garde contre, chelem"),
            (("pass", "pass", "pass"), "all pass"),
        ],
    )
    def test_the_end_of_the_bids_is_told(self, answers, said):
        before = after(begin(), *answers[:-1])
        assert GAME.presentation.remark(before, after(before, answers[-1]), NAMES) == said

    def test_tricks_poignees_and_results_are_told(self):
        phase = with_trumps(13)
        shown, _ = phase.apply(show(phase, up_to(13)))
        assert GAME.presentation.remark(phase, shown, NAMES) == "ada shows a poignée of 13"
        steps = random_steps(GAME, 3, 3, deals=1)
        told = [GAME.presentation.remark(step.before, step.after, NAMES) for step in steps]
        assert sum("takes the trick" in line for line in told) == 24
        notices = steps[-1].notices[0]
        verb = "makes" if int(notices.marks.split(",")[notices.taker]) > 0 else "loses"
        assert f"; {NAMES[notices.taker]} {verb} the " in told[-1]
        assert told[-1].endswith(f": {int(notices.marks.split(',')[notices.taker]):+}")

    def test_every_position_can_be_drawn(self):
        for seed in range(3):
            for step in random_steps(GAME, 3, seed, deals=2, redeals=0):
                assert draw(GAME.presentation.scene(step.after), NAMES, reveal=True)

    def test_notices_tell_a_deal_in_one_line(self):
        _, (notices,) = swept(sweep("sans!"))
        assert isinstance(notices, DealOver)
        assert str(notices).startswith("deal 1 0 sans! 91 3 1520,-760,-760 0:A21,")
        assert str(notices).count("/") == 23

    def test_the_game_can_be_found(self):
        assert isinstance(game("tarot"), Tarot)
        assert {"official", "club"} <= set(Tarot.presets)

    def test_won_counts_the_deals_of_the_winning_side(self):
        phase, _ = swept(sweep("sans!", deals=2))
        assert (phase.sheet.played, phase.sheet.won) == (1, (1, 0, 0))
        over, _ = swept(sweep("sans", deals=1))
        assert over == Terminal((1120, -560, -560), (1, 1, 1), (1, 0, 0))

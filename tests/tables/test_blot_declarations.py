"""What is announced at blot, by section c, and every choice held against trying all.

Rules are cited from docs/rules/blot.md.
"""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from card_arena.tables.blot.rules import (
    Declaration,
    announceable,
    announced,
    awarded,
    belotes,
    best_seat,
    largest,
    strength,
)
from card_arena.tables.cards import SUITS, Card, cards, pack

PACK = pack("789TJQKA")


def said(hand: str, strain: str = "S", overlap: bool = False) -> list[tuple[str, str, int]]:
    found = largest(cards(hand), strain, belote_overlap=overlap)
    return [(one.kind, " ".join(one.cards), one.value) for one in found]


def total(hand: str, strain: str = "S", overlap: bool = False) -> int:
    return sum(value for _, _, value in said(hand, strain, overlap))


def table(*hands: str, strain: str = "S"):
    """What four hands announce."""
    return [largest(cards(hand), strain, belote_overlap=False) for hand in hands]


class TestVectors:
    """Examples g.25 to g.28."""

    def test_g25_king_and_queen_of_trumps_count_in_the_tierce_or_as_belote(self):
        assert total("AS KS QS") == 20

    def test_g25_or_in_both_where_the_table_lets_the_belote_overlap(self):
        assert total("AS KS QS", overlap=True) == 40

    def test_g26_eight_in_a_row_are_still_one_hundred(self):
        assert said("7H 8H 9H TH JH QH KH AH") == [("H", "AH KH QH JH TH 9H 8H 7H", 100)]

    def test_g27_four_eights_are_nothing(self):
        assert said("8C 8D 8H 8S") == []
        assert said("7C 7D 7H 7S", strain="N") == []

    def test_g28_the_higher_top_card_wins_between_runs_and_then_trumps(self):
        assert best_seat(table("AH KH QH", "JS TS 9S", "", ""), "S", leader=1) == 0
        assert best_seat(table("JH TH 9H", "JS TS 9S", "", ""), "S", leader=0) == 1


class TestWhatCounts:
    @pytest.mark.parametrize(
        ("hand", "kind", "value"),
        [
            ("9H 8H 7H", "T", 20),
            ("AH KH QH", "T", 20),
            ("TH 9H 8H 7H", "F", 50),
            ("JH TH 9H 8H 7H", "H", 100),
            ("QH JH TH 9H 8H 7H", "H", 100),
            ("KH QH JH TH 9H 8H 7H", "H", 100),
        ],
    )
    def test_a_run_counts_by_its_length(self, hand, kind, value):
        assert said(hand) == [(kind, hand, value)]

    @pytest.mark.parametrize(
        ("rank", "at_trumps", "at_no_trump"),
        [
            ("J", 200, 100),
            ("9", 140, 0),
            ("A", 110, 190),
            ("K", 100, 100),
            ("Q", 100, 100),
            ("T", 100, 100),
            ("8", 0, 0),
            ("7", 0, 0),
        ],
    )
    def test_four_of_a_kind_count_by_rank_and_contract(self, rank, at_trumps, at_no_trump):
        hand = " ".join(rank + suit for suit in "CDHS")
        assert total(hand, "S") == at_trumps
        assert total(hand, "N") == at_no_trump

    def test_two_in_a_row_and_three_of_a_kind_are_nothing(self):
        assert said("AH KH JH TH KC KD 7S 8S") == []

    def test_a_run_goes_by_the_order_ace_king_queen_jack_in_trumps_too(self):
        assert said("QS JS TS") == [("T", "QS JS TS", 20)]
        assert said("AS JS 9S") == []

    def test_there_is_no_way_round_from_the_ace_to_the_seven(self):
        assert said("8H 7H AH KH") == []

    def test_the_belote_is_king_and_queen_of_trumps(self):
        assert said("KS QS") == [("B", "KS QS", 20)]
        assert said("KH QH") == []

    def test_without_trumps_there_is_no_belote(self):
        assert said("KS QS", strain="N") == []

    def test_of_equal_totals_that_of_fewer_cards_is_announced(self):
        assert said("KS QS JS") == [("B", "KS QS", 20)]

    def test_a_fifty_swallows_the_belote(self):
        assert said("KS QS JS TS") == [("F", "KS QS JS TS", 50)]

    def test_a_card_counts_in_a_four_or_in_a_run(self):
        assert said("JH TH 9H JC JD JS") == [("4", "JC JD JH JS", 200)]

    def test_a_run_is_shortened_for_a_card_that_counts_elsewhere(self):
        assert said("AH KH QH JH AC AD AS") == [("4", "AC AD AH AS", 110), ("T", "KH QH JH", 20)]
        assert said("AS KS QS JS TS 9S 8S 7S") == [("H", "JS TS 9S 8S 7S", 100), ("B", "KS QS", 20)]

    def test_two_fours_use_up_the_belote(self):
        assert [kind for kind, *_ in said("KC KD KH KS QC QD QH QS")] == ["4", "4"]

    def test_two_fours_and_an_overlapping_belote(self):
        assert total("KC KD KH KS QC QD QH QS", overlap=True) == 220


class TestWhoseIsBest:
    @pytest.mark.parametrize(
        ("better", "worse"),
        [
            ("TC TD TH TS", "AH KH QH JH TH"),  # four over a hundred, though both are 100
            ("TH 9H 8H 7H", "AD KD QD"),
            ("JH TH 9H 8H 7H", "AD KD QD JD"),
            ("JC JD JH JS", "9C 9D 9H 9S"),
            ("9C 9D 9H 9S", "AC AD AH AS"),
            ("AC AD AH AS", "TC TD TH TS"),
            ("TC TD TH TS", "KC KD KH KS"),
            ("KC KD KH KS", "QC QD QH QS"),
            ("AH KH QH JH TH", "KD QD JD TD 9D 8D"),  # six are no better than five
            ("KH QH JH", "QD JD TD"),
            ("QH JH TH", "JS TS 9S"),
        ],
    )
    def test_class_then_value_or_top_card_decide(self, better, worse):
        for hands in ((better, worse, "", ""), (worse, better, "", "")):
            assert best_seat(table(*hands), "S", leader=3) == hands.index(better)

    def test_without_trumps_four_aces_come_first_and_then_the_ranks_as_ever(self):
        order = [f"{rank}C {rank}D {rank}H {rank}S" for rank in "AJTKQ"]
        for better, worse in combinations(order, 2):
            assert best_seat(table(worse, better, "", "", strain="N"), "N", leader=0) == 1

    def test_equal_ones_go_to_the_first_from_the_leader(self):
        hands = table("JH TH 9H", "JD TD 9D", "JC TC 9C", "")
        assert [best_seat(hands, "S", leader) for leader in range(4)] == [0, 1, 2, 0]

    def test_where_nobody_has_one_nobody_wins(self):
        assert best_seat(table("KS QS", "", "", ""), "S", leader=0) is None

    def test_the_paper_takes_the_lower_top_card_for_the_better_one(self):
        ace, king = (Declaration("T", cards(run), 20) for run in ("AH KH QH", "KD QD JD"))
        assert strength(ace, "S") > strength(king, "S")
        assert strength(ace, "S", low_runs=True) < strength(king, "S", low_runs=True)

    def test_the_side_with_the_best_one_counts_all_it_has_and_the_other_nothing(self):
        hands = table("TH 9H 8H 7H", "AD KD QD", "9C 8C 7C", "TD 9D 8D")
        assert awarded(hands, "S", leader=1) == (70, 0)

    def test_a_belote_counts_for_whoever_holds_it_and_wins_nothing(self):
        hands = table("KS QS", "9D 8D 7D", "TH 9H 8H", "")
        assert awarded(hands, "S", leader=0) == (40, 0)
        hands = table("KS QS", "TD 9D 8D", "9H 8H 7H", "")
        assert awarded(hands, "S", leader=0) == (20, 20)
        assert belotes(hands) == (20, 0)


class TestWhatABotMayAnnounce:
    def test_every_part_of_what_the_hand_allows(self):
        hand = cards("JC JD JH JS 9H 8H 7H")
        assert announceable(hand, "S", belote_overlap=False) == ("", "4", "T", "4T")

    def test_a_tierce_may_be_kept_back_for_the_belote_and_the_other_way_round(self):
        hand = cards("KS QS JS")
        assert announceable(hand, "S", belote_overlap=False) == ("", "T")
        assert [one.kind for one in announced(hand, "S", "", belote_overlap=False)] == ["B"]
        assert [one.kind for one in announced(hand, "S", "T", belote_overlap=False)] == ["T"]
        assert [one.kind for one in announced(hand, "S", "T", belote_overlap=True)] == ["T", "B"]

    def test_of_two_tierces_the_better_is_announced_first(self):
        hand = cards("AH KH QH 9D 8D 7D")
        assert announceable(hand, "S", belote_overlap=False) == ("", "T", "TT")
        (one,) = announced(hand, "S", "T", belote_overlap=False)
        assert one.cards == cards("AH KH QH")

    def test_a_fifty_is_no_tierce(self):
        assert announceable(cards("TH 9H 8H 7H"), "S", belote_overlap=False) == ("", "F")

    def test_what_counts_most_may_always_be_announced(self):
        for hand, strain in _hands(seed=5, count=1500):
            best = largest(hand, strain, belote_overlap=False)
            classes = "".join(one.kind for one in best if one.kind != "B")
            assert classes in announceable(hand, strain, belote_overlap=False)
            again = announced(hand, strain, classes, belote_overlap=False)
            assert sum(one.value for one in again) == sum(one.value for one in best)


class TestAgainstTryingEverything:
    @pytest.mark.parametrize("overlap", [False, True])
    def test_no_choice_of_declarations_counts_more(self, overlap):
        chosen = 0
        for hand, strain in _hands(seed=11, count=4000):
            found = largest(hand, strain, belote_overlap=overlap)
            most, fewest = _by_trial(hand, strain, overlap)
            assert sum(one.value for one in found) == most
            assert sum(len(one.cards) for one in found) == fewest
            chosen += len(found) > 1
        assert chosen > 200

    def test_no_card_is_announced_twice_and_none_that_is_not_held(self):
        for hand, strain in _hands(seed=12, count=2000):
            used = [one for said in largest(hand, strain, belote_overlap=False) for one in said[1]]
            assert len(used) == len(set(used))
            assert set(used) <= set(hand)


def _hands(seed: int, count: int):
    """Hands of eight: of the whole pack, of few ranks and of few suits, where choices are many."""
    rng = random.Random(seed)
    packs = (PACK, pack("TJQKA"), pack("9TJQ"), pack("789TJQKA", "HS"), pack("JQKA"))
    for number in range(count):
        hand = tuple(rng.sample(packs[number % len(packs)], 8))
        yield hand, rng.choice("CDHSN")


def _by_trial(hand: tuple[Card, ...], strain: str, overlap: bool) -> tuple[int, int]:
    """The most that a hand can count, and with how few cards: every choice, tried out.

    A run is announced with all its cards that don't count elsewhere, and no run is cut in two.
    """
    order, held = "AKQJT987", set(hand)
    fours = {"N": dict(zip("AKQJT", (190, 100, 100, 100, 100), strict=True))}.get(
        strain, dict(zip("J9AKQT", (200, 140, 110, 100, 100, 100), strict=True))
    )
    options: list[tuple[int, frozenset[str], str]] = []
    for rank, value in fours.items():
        four = frozenset(rank + suit for suit in SUITS)
        if four <= held:
            options.append((value, four, ""))
    for suit in SUITS:
        for first in range(8):
            for last in range(first + 3, 9):
                run = frozenset(rank + suit for rank in order[first:last])
                if run <= held:
                    value = {3: 20, 4: 50}.get(len(run), 100)
                    options.append((value, run, suit))
    pair = frozenset(("K" + strain, "Q" + strain))
    extra = (20, 2) if overlap and pair <= held else (0, 0)
    if not overlap and pair <= held:
        options.append((20, pair, ""))
    best = (0, 0)
    for size in (1, 2, 3):
        for some in combinations(options, size):
            used = frozenset().union(*(part for _, part, _ in some))
            if len(used) < sum(len(part) for _, part, _ in some):
                continue
            runs = [(part, suit) for _, part, suit in some if suit]
            if any(_touch(one, other, held) for one, other in combinations(runs, 2)):
                continue
            if all(_is_whole(part, suit, held - used) for part, suit in runs):
                best = max(best, (sum(value for value, _, _ in some), -len(used)))
    return best[0] + extra[0], -best[1] + extra[1]


def _touch(one, other, held) -> bool:
    """Say whether two runs are parts of one run of the hand."""
    order = "AKQJT987"
    if one[1] != other[1]:
        return False
    places = sorted(order.index(part[0]) for run, _ in (one, other) for part in run)
    return all(order[place] + one[1] in held for place in range(places[0], places[-1] + 1))


def _is_whole(run, suit, free) -> bool:
    """Say whether neither end of a run can be prolonged with a card that is free."""
    order = "AKQJT987"
    places = sorted(order.index(part[0]) for part in run)
    ends = (places[0] - 1, places[-1] + 1)
    return not any(0 <= end < 8 and order[end] + suit in free for end in ends)

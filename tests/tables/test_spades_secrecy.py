"""What a seat may know at spades, stated from the rules and not from the code.

A witness sits beside the table. It sees every pack and hears every answer, keeps its own books,
and writes down word for word what each seat may be told. It shares no code with the rules.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE
from card_arena.tables.spades import Spades
from card_arena.tables.spades import phases as spades_phases
from card_arena.tables.spades.messages import RoundOver
from card_arena.tables.spades.phases import Bidding, GoingBlind, Passing, Playing
from card_arena.tables.tricks import sorted_hand
from card_arena.tests.tables.scripted import random_steps

GAME = Spades()
LONG = {"max_rounds": 6, "lose": -10_000, "goal": 10_000}
TABLES = [
    {},
    {"blind_nil": "any"},
    {"blind_nil": "any", "blind_exchange": 2},
    {"blind_nil": "behind100", "double_nil": False, "bid_cap": "side"},
    {"first_dealer": "drawn", "first_lead": "two_of_clubs", "failed_nil_tricks": "both"},
    {"open_hands": True, "blind_nil": "any", "blind_exchange": 2, "bag_penalty": 100},
]
RANKS = "23456789TJQKA"
SUITS = "CDHS"


def by_height(card: str) -> tuple[int, int]:
    return SUITS.find(card[1]), RANKS.find(card[0])


class Witness:
    """Keeps the books of one game from the packs and the answers alone."""

    def __init__(self, options):
        self.options = options
        self.dealer = None if options.first_dealer == "drawn" else 0
        self.scores, self.bags, self.rounds = [0, 0], [0, 0], 0
        self.notices: str | None = None

    def dealt(self, pack: list[str]) -> None:
        if self.dealer is None:
            top = pack[:4]
            self.dealer = top.index(max(top, key=lambda c: (RANKS.find(c[0]), SUITS.find(c[1]))))
            return
        self.hands: list[set[str]] = [set(), set(), set(), set()]
        seat = self.dealer
        for card in pack:
            seat = (seat + 1) % 4
            self.hands[seat].add(card)
        self.rounds += 1
        self.bids: dict[int, str] = {}
        self.given: dict[int, list[str]] = {0: [], 1: [], 2: [], 3: []}
        self.table: list[tuple[int, str]] = []
        self.tricks: list[list[tuple[int, str]]] = []
        self.took = [0, 0, 0, 0]
        self.notices = None

    def answered(self, phase: str, seat: int, answer: str) -> None:
        if phase == "blind" and answer == "BN":
            self.bids[seat] = "B"
        elif phase == "bid":
            self.bids[seat] = answer
        elif phase == "pass":
            self.hands[seat].remove(answer)
            self.hands[(seat + 2) % 4].add(answer)
            self.given[seat].append(answer)
        elif phase == "play":
            self.hands[seat].remove(answer)
            self.table.append((seat, answer))
            if len(self.table) == 4:
                self.swept()

    def swept(self) -> None:
        best = self.table[0]
        for seat, card in self.table[1:]:
            higher = by_height(card) > by_height(best[1])
            if (card[1] == best[1][1] and higher) or (card[1] == "S" != best[1][1]):
                best = seat, card
        self.took[best[0]] += 1
        self.tricks.append(self.table)
        self.table = []
        if len(self.tricks) == 13:
            self.count()

    def count(self) -> None:
        """Score the round as the rules' prose has it, trick by trick and bag by bag."""
        points = [0, 0]
        for side in (0, 1):
            contract = sum(int(self.bids[s]) for s in (side, side + 2) if self.bids[s] != "B")
            good = bags = 0
            for seat in (side, side + 2):
                nil = self.bids[seat] in ("0", "B")
                if nil:
                    stake = 200 if self.bids[seat] == "B" else 100
                    points[side] += stake if self.took[seat] == 0 else -stake
                for _ in range(self.took[seat]):
                    if nil and self.options.failed_nil_tricks == "bags":
                        bags += 1
                    else:
                        good += 1
            if good >= contract:
                points[side] += 10 * contract
                bags += good - contract
            else:
                points[side] -= 10 * contract
            for _ in range(bags):
                points[side] += 1
                self.bags[side] += 1
                if self.bags[side] == 10:
                    self.bags[side] = 0
                    points[side] -= self.options.bag_penalty
            self.scores[side] += points[side]
        self.dealer = (self.dealer + 1) % 4
        numbers = (",".join(map(str, pair)) for pair in (points, self.scores, self.bags))
        self.notices = " ".join(
            (f"round {self.rounds}", self.bids_word(), self.history_word(), *numbers)
        )

    def bids_word(self) -> str:
        return ",".join(self.bids.get(seat, "-") for seat in range(4))

    def history_word(self) -> str:
        return "/".join(map(trick_word, self.tricks)) or "-"

    def hand_word(self, seat: int) -> str:
        return ",".join(sorted(self.hands[seat], key=by_height, reverse=True)) or "-"

    def legal_word(self, phase: str, seat: int) -> str:
        if phase == "blind":
            return "-,BN"
        if phase == "bid":
            partner = self.bids.get((seat + 2) % 4, "-")
            low = 1 if partner in ("0", "B") and not self.options.double_nil else 0
            high = 13 - int(partner) if self.options.bid_cap == "side" and partner.isdigit() else 13
            return f"{low}..{high}"
        hand = self.hand_word(seat).split(",")
        if phase == "pass":
            return ",".join(hand)
        if self.table:
            following = [card for card in hand if card[1] == self.table[0][1][1]]
            return ",".join(following or hand)
        if not self.tricks and self.options.first_lead == "two_of_clubs":
            return "2C"
        if any(card[1] == "S" for trick in self.tricks for _, card in trick):
            return ",".join(hand)
        return ",".join([card for card in hand if card[1] != "S"] or hand)

    def may_know(self, phase: str, seat: int) -> tuple[str, ...]:
        """Own hand, all bids, every card played and by whom, scores and bags, dealer, options."""
        known = [
            *("spades", phase, self.legal_word(phase, seat), str(seat), str(self.dealer)),
            "-" if phase == "blind" else self.hand_word(seat),
            self.bids_word(),
            self.history_word(),
            trick_word(self.table),
            *(",".join(map(str, column)) for column in (self.took, self.scores, self.bags)),
            *(str(self.options.goal), str(self.options.lose)),
        ]
        if self.options.blind_exchange:
            partner = (seat + 2) % 4
            known.append("/".join(",".join(self.given[s]) or "-" for s in (seat, partner)))
        if self.options.open_hands:
            known.append("/".join("-" if phase == "blind" else self.hand_word(s) for s in range(4)))
        return tuple(known)


def trick_word(trick: list[tuple[int, str]]) -> str:
    return f"{trick[0][0]}:{','.join(card for _, card in trick)}" if trick else "-"


PHASES = {GoingBlind: "blind", Bidding: "bid", Passing: "pass", Playing: "play"}


def watch_games(options: dict, seeds: range) -> dict[str, int]:
    """Compare every question and all notices of random games; count the questions by phase."""
    asked = dict.fromkeys(PHASES.values(), 0)
    for seed in seeds:
        witness = Witness(GAME.options(**LONG, **options))
        for step in random_steps(GAME, 4, seed, **LONG, **options):
            before, turn = step.before, step.turn
            if turn.seat == CHANCE:
                witness.dealt(turn.action.split(","))
                assert step.notices == ()
                continue
            phase = PHASES[type(before)]
            assert words(before.question(turn.seat)) == witness.may_know(phase, turn.seat)
            asked[phase] += 1
            tricks = len(witness.tricks)
            witness.answered(phase, turn.seat, turn.action)
            over = len(witness.tricks) == 13 > tricks
            assert [str(item) for item in step.notices] == ([witness.notices] if over else [])
    return asked


@pytest.mark.parametrize("options", TABLES, ids=lambda options: " ".join(options) or "standard")
def test_questions_and_notices_say_what_the_rules_allow_and_nothing_else(options):
    asked = watch_games(options, range(30))
    assert asked["play"] > 9000
    assert asked["bid"] > 300
    assert (asked["blind"] > 100) == ("blind_nil" in options)
    assert (asked["pass"] > 100) == ("blind_exchange" in options)


def test_swapping_cards_that_a_seat_has_not_seen_changes_no_question():
    rng = random.Random(5)
    swapped = 0
    for seed in range(8):
        for step in random_steps(GAME, 4, seed, **LONG, **TABLES[2]):
            before, seat = step.before, step.turn.seat
            if seat == CHANCE:
                continue
            foreign = [card for s in range(4) if s != seat for card in before.hands[s]]
            rng.shuffle(foreign)
            hands = list(before.hands)
            for other in {0, 1, 2, 3} - {seat}:
                size = len(before.hands[other])
                hands[other], foreign = sorted_hand(foreign[:size]), foreign[size:]
            again = before._replace(hands=tuple(hands))
            assert again.question(seat) == before.question(seat)
            assert again.legal_actions(seat) == before.legal_actions(seat)
            swapped += again != before
    assert swapped > 2000


def test_before_the_cards_are_seen_not_even_the_own_ones_matter():
    for step in random_steps(GAME, 4, 1, **LONG, **TABLES[1]):
        if isinstance(step.before, GoingBlind):
            turned = step.before._replace(hands=step.before.hands[::-1])
            seat = step.turn.seat
            assert turned.question(seat) == step.before.question(seat)


def a_partners_hand(question, round, seat, hands):
    return replace(question, hand=",".join(hands[(seat + 2) % 4]) or "-")


def all_hands(question, round, seat, hands):
    return replace(question, hands="/".join(",".join(hand) or "-" for hand in hands))


def one_card_of_the_next_seat(question, round, seat, hands):
    return replace(question, trick=question.trick + "".join(hands[(seat + 1) % 4][:1]))


def what_the_others_passed(question, round, seat, hands):
    gave = round.gave[(seat + 1) % 4]
    return replace(question, passed=",".join(gave)) if gave else question


@pytest.mark.parametrize(
    "leak", [a_partners_hand, all_hands, one_card_of_the_next_seat, what_the_others_passed]
)
def test_the_witness_notices_a_leak(leak, monkeypatch):
    honest = spades_phases.question

    def leaking(round, seat, phase, legal, hands, *others):
        return leak(honest(round, seat, phase, legal, hands, *others), round, seat, hands)

    monkeypatch.setattr(spades_phases, "question", leaking)
    with pytest.raises(AssertionError):
        watch_games(TABLES[2], range(8))


def test_the_witness_notices_cards_that_are_shown_before_the_blind_bid(monkeypatch):
    def looking(phase, seat):
        hands = phase.hands
        return spades_phases.question(phase.round, seat, "blind", "-,BN", hands, (None,) * 4)

    monkeypatch.setattr(GoingBlind, "question", looking)
    with pytest.raises(AssertionError):
        watch_games(TABLES[1], range(2))


def test_the_witness_notices_a_public_deal(monkeypatch):
    honest = spades_phases.Shuffling.dealt

    def public(shuffling, order):
        phase, _ = honest(shuffling, order)
        return phase, (RoundOver(0, "-", ",".join(order), "0", "0", "0"),)

    monkeypatch.setattr(spades_phases.Shuffling, "dealt", public)
    with pytest.raises(AssertionError):
        watch_games(TABLES[0], range(2))

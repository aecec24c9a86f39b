"""The last tricks of blot, every way to play them, counted here and by the model's rules."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from card_arena.tables.blot.phases import Playing
from card_arena.tables.blot.rules import PACK, Options
from card_arena.tables.game import Terminal
from card_arena.tests.tables.blot_deals import late
from card_arena.tests.tables.blot_model import card_points, legal_cards, round_points, taker

TABLES = (
    {},
    {"ruff_partner_winning": "must"},
    {"undertrump": "free"},
    {"trump_over_partner": "higher"},
)


def endings(phase: Playing) -> Counter[tuple[str, str]]:
    """How often each end, the card points and what the round comes to, is reached by the game."""
    found: Counter[tuple[str, str]] = Counter()
    for action in phase.legal_actions(phase.to_act).actions:
        after, notices = phase.apply(action)
        if isinstance(after, Terminal):
            found[notices[0].points, notices[0].gained] += 1
        else:
            found += endings(after)
    return found


def by_trial(hands, trick, seat, strain, cards, tricks, options) -> Counter[tuple[str, str]]:
    """The same by the model's rules."""
    if len(trick) == 4:
        winner = (seat + taker(trick, strain)) % 4
        side = winner % 2
        worth = sum(card_points(card, strain) for card in trick) + (0 if hands[winner] else 10)
        cards = tuple(points + worth * (one == side) for one, points in enumerate(cards))
        tricks += side == 0
        if not hands[winner]:
            gained = round_points(
                options, 10, strain, False, 0, cards, tricks, declared=(0, 0), belotes=(0, 0)
            )
            return Counter([(f"{cards[0]},{cards[1]}", f"{gained[0]},{gained[1]}")])
        return by_trial(hands, [], winner, strain, cards, tricks, options)
    found: Counter[tuple[str, str]] = Counter()
    for card in legal_cards(hands[seat], trick, strain, options):
        left = [[one for one in hand if one != card] for hand in hands]
        found += by_trial(left, [*trick, card], (seat + 1) % 4, strain, cards, tricks, options)
    return found


@pytest.mark.parametrize("options", TABLES, ids=lambda options: " ".join(options) or "default")
@pytest.mark.parametrize("strain", "CDHSN")
def test_every_way_to_play_the_last_tricks_is_one_by_the_rules_and_scores_as_they_say(
    strain, options
):
    rng = random.Random(f"{strain} {options}")
    for count in (2, 2, 2, 3, 3):
        dealt = rng.sample(PACK, 4 * count)
        hands = [dealt[count * seat : count * (seat + 1)] for seat in range(4)]
        gone = 152 - sum(card_points(card, strain) for card in dealt)
        share = rng.randint(0, gone)
        taken = 8 - count if share == gone else 4 if share else 0
        phase = late(
            [" ".join(hand) for hand in hands],
            f"10{strain}",
            points=(share, gone - share),
            tricks=(taken, 8 - count - taken),
            max_deals=1,
            **options,
        )
        expected = by_trial(hands, [], 0, strain, (share, gone - share), taken, Options(**options))
        assert endings(phase) == expected


def test_a_tree_that_was_counted_by_hand():
    """Hearts are trumps; seat 0 leads AH or 7S, and everybody has two cards.

    On AH seat 1 must play 9H, which takes it; seats 2 and 3 have no heart and choose one of two
    each, 4 ways, and everybody has one card left. On 7S seat 1 has no spade and must trump; seat 2
    must follow; seat 3 has neither suit nor trump and chooses one of two: 2 ways.
    """
    phase = late(["AH 7S", "9H KC", "8S 7C", "TD 7D"], "10H", points=(60, 40), max_deals=1)
    assert sum(endings(phase).values()) == 4 + 2

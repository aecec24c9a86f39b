"""Before the play, by rule: what a hand is worth, the bid, what is put away, and the poignée."""

from lib.cards import EXCUSE, NAMES, PETIT, SUIT, TRUMPS, TWENTY_ONE, by_suit

HONOURS = {"K": 6, "Q": 3, "N": 2, "J": 1}
LEAST = {"contre": 59, "sans": 51, "garde": 41, "petite": 36}
"""The value from which a bid is made: with 41, three `tarot-points` make 60 % of their gardes."""


def hand_value(hand):
    """What a hand promises: bouts, length in trumps, honours, and suits to be trumped."""
    trumps = sum(SUIT[card] == TRUMPS for card in hand)
    value = 2 * trumps + 2 * max(0, trumps - 8)
    value += 10 * (TWENTY_ONE in hand) + 8 * (EXCUSE in hand)
    if PETIT in hand:
        value += 3 + min(trumps - 1, 9)
    for held in by_suit(hand)[:TRUMPS]:
        value += {0: 6, 1: 3}.get(len(held), 0)
        value += sum(HONOURS.get(NAMES[card][0], 0) for card in held)
    return value


def bid(question):
    """The highest bid that the hand's value allows; never a chelem."""
    value = hand_value(question.hand)
    made = (name for name, least in LEAST.items() if value >= least and name in question.legal)
    return next(made, "pass")


def discard(question):
    """Empty the shortest suits without a king, their honours first."""
    if any(SUIT[card] == TRUMPS for card in question.legal):
        return question.legal[:6]  # forced: all the others, and the lowest trumps
    suits = by_suit(question.hand)

    def order(card):
        held = suits[SUIT[card]]
        return NAMES[held[-1]][0] == "K", len(held), SUIT[card], -card

    return sorted(question.legal, key=order)[:6]


def poignee(hand):
    """Show as many trumps as a single or double poignée takes, the lowest ones."""
    trumps = sorted(card for card in hand if SUIT[card] == TRUMPS)
    for size in (15, 13):
        if len(trumps) >= size:
            return trumps[:size]
        if len(trumps) + 1 == size and EXCUSE in hand:
            return [*trumps, EXCUSE]
    return []

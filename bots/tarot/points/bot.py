"""Points: counts what its hand is worth, bids by the sum, and plays by a few rules of thumb."""

import sys
from typing import NamedTuple

RANKS = "123456789TJNQK"
SUITS = "CDHS"
PACK = [rank + suit for suit in SUITS for rank in RANKS] + [f"A{n}" for n in range(1, 22)]
BOUTS = ("A1", "A21", "EX")
HALF_POINTS = {"K": 9, "Q": 7, "N": 5, "J": 3}


class Question(NamedTuple):
    """The words of a question."""

    game: str
    phase: str
    legal: str
    seat: str
    dealer: str
    hand: str
    bids: str
    taker: str
    contract: str
    dog: str
    discard: str
    shown: str
    history: str
    trick: str
    scores: str
    deal: str


def is_trump(card):
    return card[0] == "A"


def suit(card):
    """C, D, H, S, A for a trump, E for the Excuse."""
    return card[0] if card[0] in "AE" else card[1]


def height(card):
    """How high a card is within its suit; the Excuse is below everything."""
    if card == "EX":
        return -1
    return int(card[1:]) if is_trump(card) else RANKS.index(card[0])


def worth(card):
    """A card's half points."""
    if card in BOUTS:
        return 9
    return 1 if is_trump(card) else HALF_POINTS.get(card[0], 1)


def cards(word):
    """The cards of a word such as `KS,A3`, or of tricks such as `0:KC,3C,2C/0:9S,TS,A21`."""
    tricks = word.split("/") if word != "-" else []
    return [card for trick in tricks for card in trick.split(":")[-1].split(",")]


# The bids


def hand_value(hand):
    """What a hand promises: bouts, length in trumps, honours, and suits to be trumped."""
    trumps = sum(map(is_trump, hand))
    value = 2 * trumps + 2 * max(0, trumps - 8)
    value += 10 * ("A21" in hand) + 8 * ("EX" in hand)
    if "A1" in hand:
        value += 3 + min(trumps - 1, 9)
    for each in SUITS:
        held = [card for card in hand if suit(card) == each]
        value += {0: 6, 1: 3}.get(len(held), 0)
        value += sum({"K": 6, "Q": 3, "N": 2, "J": 1}.get(card[0], 0) for card in held)
    return value


LEAST = {"contre": 62, "sans": 54, "garde": 43, "petite": 38}
"""The value from which a bid is made."""


def bid(legal, hand):
    value = hand_value(hand)
    return next((name for name, least in LEAST.items() if value >= least and name in legal), "pass")


# The discard


def discard(legal, hand):
    """Empty the shortest suits without a king, their honours first."""
    if any(map(is_trump, legal)):  # forced: all the others, and the lowest trumps
        return ",".join(legal[:6])

    def order(card):
        held = [other for other in hand if suit(other) == suit(card)]
        return "K" + suit(card) in held, len(held), suit(card), -height(card)

    return ",".join(sorted(legal, key=order)[:6])


# The play


def poignee(hand):
    """Show as many trumps as a single or double poignée takes, the lowest ones."""
    trumps = sorted(filter(is_trump, hand), key=height)
    for size in (15, 13):
        if len(trumps) >= size:
            return trumps[:size]
        if len(trumps) + 1 == size and "EX" in hand:
            return [*trumps, "EX"]
    return []


def best_of(trick):
    """The place of the card that takes a trick."""
    led = next((suit(card) for card in trick if card != "EX"), "E")

    def strength(place):
        card = trick[place]
        return is_trump(card), suit(card) == led, height(card)

    return max(range(len(trick)), key=strength)


def unbeaten(card, unseen):
    """Nobody else can have a higher card of the suit."""
    return not any(suit(other) == suit(card) and height(other) > height(card) for other in unseen)


def lead(legal, unseen, alone):
    """The taker draws trumps while he has more of them than the others.

    Else an honour that nobody can beat is brought home, or a long suit is led from the bottom.
    """
    trumps = [card for card in legal if is_trump(card)]
    plain = [card for card in legal if suit(card) in SUITS]
    others = sum(map(is_trump, unseen))
    if alone and 0 < others < len(trumps):
        return max(trumps, key=height)
    if not plain:
        return min(trumps or legal, key=lambda card: (card == "A1", height(card)))

    def length(card, among):
        return sum(suit(other) == suit(card) for other in among)

    # Where the others still hold many cards of a suit they must follow, and can't trump.
    safe = [
        card for card in plain if unbeaten(card, unseen) and (length(card, unseen) > 6 or not others)
    ]
    if safe:
        return max(safe, key=worth)
    return max(plain, key=lambda card: (length(card, plain), -worth(card), -height(card)))


def follow(legal, trick, unseen, friend, last):
    """Take the trick where it can be taken for good; give points to a friend, else little away.

    `friend` says whether the trick is the partner's so far, `last` whether nobody plays after us.
    """
    winning = [card for card in legal if best_of([*trick, card]) == len(trick)]
    losing = [card for card in legal if card not in winning and card != "EX"]

    def cost(card):
        return worth(card), height(card)

    if friend and last and losing:
        return max(losing, key=cost)
    if winning and not friend:
        if is_trump(winning[0]):
            # The petit goes home where nobody can take it any more, and else as late as possible.
            return min(winning, key=lambda card: ((card == "A1") != last, height(card)))
        highest = max(winning, key=height)
        if last or unbeaten(highest, unseen):
            return highest
    cheapest = min([*losing, *winning], key=cost, default="EX")
    return "EX" if "EX" in legal and worth(cheapest) > 1 else cheapest


def play(question, legal, hand):
    trick = cards(question.trick)
    gone = cards(question.history) + trick + cards(question.discard)
    unseen = set(PACK).difference(hand, gone)
    alone = question.taker == question.seat
    if "EX" in legal and 1 < len(hand) < 6:
        return "EX"  # in the last trick it would be lost
    if trick in ([], ["EX"]):
        return lead(legal, unseen, alone)
    ahead = str((int(question.trick[0]) + best_of(trick)) % 3)
    friend = not alone and ahead != question.taker
    return follow(legal, trick, unseen, friend, last=len(trick) == 2)


def answer(words):
    """Choose an answer to a question, which is given as its words."""
    question = Question(*words[: len(Question._fields)])
    legal, hand = question.legal.split(","), cards(question.hand)
    if question.phase == "bid":
        return bid(legal, hand)
    if question.phase == "discard":
        return discard(legal, hand)
    card = play(question, legal, hand)
    shown = poignee(hand) if len(hand) == 24 else []
    return f"{card} show {','.join(shown)}" if shown else card


if __name__ == "__main__":
    if len(sys.argv) > 1:  # argv: the question is in the arguments
        print(answer(sys.argv[1:]))
    else:  # stdin: a question a line, until the game ends
        for line in sys.stdin:
            if not line.startswith("#"):
                print(answer(line.split()), flush=True)

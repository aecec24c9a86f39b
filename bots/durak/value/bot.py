"""Value: puts a number on a hand, and does what leaves it the hand that is worth most.

The numbers are those of the article "A game (not) for fools" and of the program that came with it,
taken literally: where that divides whole numbers and drops the rest, so does this.
"""

import sys
from collections import Counter

RANKS = "23456789TJQKA"


class Table:
    """What a question tells: the hand's worth depends on the trumps, the talon and the others."""

    def __init__(self, words):
        self.phase, self.legal = words[1], words[2].split(",")
        self.hand = words[4].split(",")
        self.trump = words[5][0]
        self.talon = int(words[6])
        self.sizes = [int(size) for size in words[7].split(",")]
        self.laid = [card for card in words[8].replace("-", ",").split(",") if card]
        finished = words[12].split("/")[: -1 if self.laid else None]
        cards = self.talon + sum(self.sizes) + len(self.laid) + sum(map(beaten, finished))
        self.ranks = RANKS[-(cards // 4) :]  # 13 of them, or 9 where the pack begins with the six

    def height(self, rank):
        """How high a rank is: 6 for the ace to -6 for the two, or 4 to -4 in a pack of 36."""
        return self.ranks.index(rank) - (len(self.ranks) - 1) / 2

    def value(self, hand):
        """What a hand is worth: high cards, trumps, equal ranks, few cards, and even suits."""
        if not hand and not self.talon:
            return 30000
        value = sum(100 * self.height(rank) for rank, _ in hand)
        value += 1300 * sum(suit == self.trump for _, suit in hand)
        for rank, count in Counter(rank for rank, _ in hand).items():
            value += int(max(self.height(rank), 1) * (0, 0, 0.5, 0.75, 1.25)[count])
        plain = [suit for _, suit in hand if suit != self.trump]
        if plain:
            even = len(plain) / 3
            for suit in set("CDHS") - {self.trump}:
                value -= int(200 * abs(plain.count(suit) - even) / even)
        others = self.talon + sum(self.sizes) - len(hand)
        share = int(len(hand) / others) if others else 10
        return value + int((0.25 - share) * 600)

    def without(self, *cards):
        """What the hand is worth when these cards have left it."""
        return self.value([card for card in self.hand if card not in cards])

    def pairing(self, card):
        """What it is worth to attack with a card, when there are more of its rank to throw in."""
        count = sum(other[0] == card[0] for other in self.hand)
        height = 6 if card[0] == "A" else RANKS.index(card[0]) - 6
        return 100 * (0, 0, 1, 1.5, 2.5)[count] * height


def beaten(bout):
    """How many cards left the game in a finished bout; none where they were taken."""
    if "take" in bout:
        return 0
    laid = [play.split(":")[-1] for play in bout.split(",") if "show" not in play]
    return sum(word.count("+") + 1 for word in laid if word[0] in RANKS)


def answer(words):
    """Choose one of the legal answers."""
    table = Table(words)
    cards = [word for word in table.legal if len(word) == 2]
    if table.phase == "defend":
        return transfer(table) or defend(table, cards)
    best = max(cards, key=lambda card: table.without(card) + table.pairing(card))
    if table.phase == "attack":
        return best
    loss = table.value(table.hand) - table.without(best) - table.pairing(best)
    return best if loss < 1200 - 50 * table.talon else "done"


def transfer(table):
    """Pass the attack on where the hand without the rank is not worth much less."""
    passes = [word for word in table.legal if word.startswith("pass:")]
    if not passes:
        return None
    same = [word[5:] for word in passes]
    plain = [card for card in same if card[1] != table.trump] or same
    if max(table.without(*same), table.without(*plain)) <= table.value(table.hand) - 400:
        return None
    return "pass:" + max(plain, key=table.without)


def defend(table, cards):
    """Beat the card where that costs little, or less than to take; without a talon always."""
    ranks = {card[0] for card in table.laid}

    def worth(card):
        return table.without(card) + 300 * (card[0] in ranks)

    if not cards:
        return "take"
    best = max(cards, key=worth)
    now, taken = table.value(table.hand), table.value(table.hand + table.laid)
    cheap = now - worth(best) < 800 or taken - worth(best) < 2000 - 40 * table.talon
    return best if cheap or not table.talon else "take"


if __name__ == "__main__":
    if len(sys.argv) > 1:  # argv: the question is in the arguments
        print(answer(sys.argv[1:]))
    else:  # stdin: a question a line, until the game ends
        for line in sys.stdin:
            if not line.startswith("#"):
                print(answer(line.split()), flush=True)

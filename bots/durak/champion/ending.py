"""Endings for two with every card known: who wins, by search to the end.

Such an ending always ends. While the same player attacks, the attacker's cards and the talon
become fewer; the attack changes hands only when cards leave the game.
"""

from bits import BEATING, SAME, single
from lib.table import HAND


class TooLarge(Exception):
    """The ending needs more steps than there were to spend."""


class Ending:
    """What positions are worth to the attacker: 1 for a win, 0 for a draw, -1 for the fool.

    Hands, `laid` and `ranks` are bits, as in `Position`; the talon is a tuple of bits in the
    order they are drawn. Each method is one kind of turn, and is worth what the best play of both
    sides brings. `out_of_time` is asked now and then whether to give up: `TooLarge` is raised.
    """

    def __init__(self, out_of_time):
        self._known = {}
        self._steps = 0
        self._out_of_time = out_of_time

    def attack(self, attacker, defender, talon):
        """The attacker leads."""
        key = attacker, defender, talon
        best = self._known.get(key)
        if best is None:
            self._count()
            best, left = -1, min(HAND, defender.bit_count()) - 1
            for card in single(attacker):
                value = self.defend(attacker ^ card, defender, talon, card, card, SAME[card], left)
                if value > best:
                    best = value
                    if best == 1:
                        break
            self._known[key] = best
        return best

    def defend(self, attacker, defender, talon, attack, laid, ranks, left):
        """The defender beats this attack card, or takes."""
        key = attacker, defender, talon, attack, laid, left
        worst = self._known.get(key)
        if worst is None:
            self._count()
            worst = 1
            for card in single(defender & BEATING[attack]):
                value = self.throw(
                    attacker, defender ^ card, talon, laid | card, ranks | SAME[card], left
                )
                if value < worst:
                    worst = value
                    if worst == -1:
                        break
            if worst > -1:
                worst = min(worst, self.give(attacker, defender, talon, laid, ranks, left))
            self._known[key] = worst
        return worst

    def throw(self, attacker, defender, talon, laid, ranks, left):
        """Everything is beaten: the attacker throws in, or is done."""
        best = -1
        if left:
            for card in single(attacker & ranks):
                value = self.defend(
                    attacker ^ card, defender, talon, card, laid | card, ranks, left - 1
                )
                if value > best:
                    best = value
                    if best == 1:
                        return 1
        return max(best, self.beaten(attacker, defender, talon))

    def give(self, attacker, defender, talon, laid, ranks, left, above=0):
        """The defender takes: the attacker adds cards, each higher than `above`, or is done."""
        best = self.taken(attacker, defender | laid, talon)
        if left and best < 1:
            for card in single(attacker & ranks):
                if card > above:
                    value = self.give(
                        attacker ^ card, defender, talon, laid | card, ranks, left - 1, card
                    )
                    if value > best:
                        best = value
                        if best == 1:
                            break
        return best

    def beaten(self, attacker, defender, talon):
        """The cards leave the game, and the defender attacks."""
        if talon:
            attacker, talon = drawn(attacker, talon)
            defender, talon = drawn(defender, talon)
        if not talon and not (attacker and defender):
            return bool(defender) - bool(attacker)
        return -self.attack(defender, attacker, talon)

    def taken(self, attacker, defender, talon):
        """The defender has the cards, and is attacked again."""
        if talon:
            attacker, talon = drawn(attacker, talon)
        if not attacker:
            return 1
        return self.attack(attacker, defender, talon)

    def _count(self):
        self._steps += 1
        if self._steps % 256 == 0 and self._out_of_time():
            raise TooLarge


def drawn(hand, talon):
    """A hand filled up from the talon, and what is left of that."""
    missing = max(0, HAND - hand.bit_count())
    return hand | sum(talon[:missing]), talon[missing:]


def solve(position, seat, answers, out_of_time):
    """What answers are worth to a seat, where the attacker and the defender alone hold cards.

    `answers` are pairs of a word and a card's bit, as for `Position.play`, without transfers. The
    first that wins is the last that is looked at; those that time was too short for are missing.
    """
    ending, values = Ending(out_of_time), {}
    try:
        for answer in answers:
            values[answer] = _after(ending, position, seat, *answer)
            if values[answer] == 1:
                break
    except TooLarge:
        pass
    return values


def _after(ending, position, seat, word, card):
    trial = position.copy()
    trial.play(seat, word, card)
    hands = trial.hands[trial.attacker], trial.hands[trial.defender]
    talon, rest = tuple(reversed(trial.talon)), (trial.laid, trial.ranks, trial.left)
    if word == "done" and trial.taking:
        value = ending.taken(hands[0], hands[1] | trial.laid, talon)
    elif word == "done":
        value = ending.beaten(*hands, talon)
    elif trial.taking:
        value = ending.give(*hands, talon, *rest)
    elif trial.open:
        value = ending.defend(*hands, talon, trial.open[0], *rest)
    else:
        value = ending.throw(*hands, talon, *rest)
    return value if seat == trial.attacker else -value

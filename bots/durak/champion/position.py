"""A position with every hand known, and how a game is played out from it by simple rules."""

from bits import BEATING, SAME, TRUMPS, bits
from lib.table import HAND

LONGEST = 60  # bouts that are played out: with three or more, cards can be taken in a circle
BARGAIN = (1 << 30) - 1  # plain cards up to the jack: thrown in while there is a talon


class Position:
    """Hands are bits, the talon is a list whose last card is drawn first.

    `open` are the attack cards that wait to be beaten, `laid` all cards on the table and `ranks`
    all cards of their ranks. `left` is how many attack cards can still be laid, `done` who has
    said so since the last one. `out` are the seats that were out before this bout.
    """

    __slots__ = (
        *("hands", "talon", "attacker", "defender", "left", "open", "laid", "ranks"),
        *("taking", "done", "out"),
    )

    @classmethod
    def dealt(cls, table, hands, talon):
        """The position of a question with the unseen cards dealt like this."""
        bit = bits(table.trump)
        self = cls()
        self.hands = [sum(bit[card] for card in hand) for hand in hands]
        self.talon = [bit[card] for card in reversed(talon)]
        self.attacker, self.defender, self.left = table.attacker, table.defender, table.left
        self.taking = table.phase == "give"
        self.open = [] if self.taking else [bit[card] for card in table.open_cards]
        self.laid = self.ranks = 0
        for card in table.laid:
            self.laid |= bit[card]
            self.ranks |= SAME[bit[card]]
        playing = {play.seat for play in table.plays}.union(table.still_in)
        self.out = set(range(len(hands))) - playing
        self.done = set()
        for play in table.plays:
            if play.word == "done":
                self.done.add(play.seat)
            elif play.seat != table.defender:
                self.done.clear()
        return self

    def copy(self):
        """The same position once more, to be played on from."""
        other = Position()
        for name in Position.__slots__:
            setattr(other, name, getattr(self, name))
        other.hands, other.talon = self.hands[:], self.talon[:]
        other.open, other.done = self.open[:], self.done.copy()
        return other

    def next_in(self, seat):
        """The next seat that holds cards or can still draw some."""
        seats = len(self.hands)
        for step in range(1, seats):
            other = (seat + step) % seats
            if self.hands[other] or self.talon:
                return other
        return seat

    def play(self, seat, word, card=0):
        """Carry out an answer: "card", "take", "done" or "pass", with the card's bit."""
        if word == "take":
            self.taking, self.open = True, []
        elif word == "done":
            self.done.add(seat)
        elif word == "card" and self.open:
            self._lay(seat, card)
            del self.open[0]
        else:
            self._lay(seat, card)
            self.done.clear()
            self.left -= 1
            if word == "pass":
                self.attacker, self.defender = seat, self.next_in(seat)
                attacks = len(self.open) + 1
                self.left = min(HAND, self.hands[self.defender].bit_count()) - attacks
            if not self.taking:
                self.open.append(card)

    def _lay(self, seat, card):
        self.hands[seat] ^= card
        self.laid |= card
        self.ranks |= SAME[card]


def play_out(position):
    """Play on to the end and say in which bout each seat went out; the fool's is the last.

    The position is used up. Everybody attacks with the lowest card, beats with the lowest that
    will do, takes where that would cost a good trump while there is much to draw, and throws in
    low cards.
    """
    hands, talon = position.hands, position.talon
    seats = len(hands)
    went_out = [-1 if seat in position.out else 0 for seat in range(seats)]
    for bout in range(1, LONGEST):
        _finish_bout(position)
        defender = position.defender
        if position.taking:
            hands[defender] |= position.laid
        if talon:
            _draw(position)
        if not talon:
            for seat in range(seats):
                if not hands[seat] and not went_out[seat]:
                    went_out[seat] = bout
            if went_out.count(0) <= 1:
                break
        taken = position.taking or not (hands[defender] or talon)
        attacker = position.next_in(defender) if taken else defender
        position.attacker, position.defender = attacker, position.next_in(attacker)
        card = hands[attacker] & -hands[attacker]
        hands[attacker] ^= card
        position.left = min(HAND, hands[position.defender].bit_count()) - 1
        position.open, position.laid, position.ranks = [card], card, SAME[card]
        position.taking, position.done = False, set()
    return [went or LONGEST for went in went_out]


def _finish_bout(position):
    """Beat and throw in until nobody wants to any more."""
    hands, defender, talon = position.hands, position.defender, len(position.talon)
    while True:
        while position.open:
            beating = hands[defender] & BEATING[position.open[0]]
            card = beating & -beating
            if not card or (card & TRUMPS and _spares(card, talon)):
                position.taking, position.open = True, []
                break
            position.play(defender, "card", card)
        if position.left <= 0 or not _throw_in(position):
            return


def _spares(trump, talon):
    """Whether to take rather than to lay this trump: it is a good one and the end is far."""
    return talon > 8 and trump >= 1 << 46


def _throw_in(position):
    """Lay the lowest card that somebody wants to throw in, and say whether there was one."""
    hands, ranks, seats = position.hands, position.ranks, len(position.hands)
    attacker, defender = position.attacker, position.defender
    wanted = BARGAIN if position.talon else ~TRUMPS
    seat = attacker
    for step in range(seats):
        if seat != defender and seat not in position.done:
            cards = hands[seat] & ranks
            if not position.talon and hands[seat] & TRUMPS == hands[seat]:
                card = cards & -cards  # only trumps are left: out with them
            else:
                cards &= wanted
                card = cards & -cards
            if card:
                position.play(seat, "card", card)
                return True
        seat = (defender + 1 + step) % seats
        if seat == attacker:
            seat = (seat + 1) % seats
    return False


def _draw(position):
    """Fill the hands up: the attacker first, then the others in turn, the defender last."""
    hands, talon, seats = position.hands, position.talon, len(position.hands)
    order = [(position.attacker + step) % seats for step in range(seats)]
    order.remove(position.defender)
    order.append(position.defender)
    for seat in order:
        missing = HAND - hands[seat].bit_count()
        while missing > 0 and talon:
            hands[seat] |= talon.pop()
            missing -= 1

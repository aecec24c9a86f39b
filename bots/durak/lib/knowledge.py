"""What the play has shown of the others' hands.

Cards that were picked up in sight are known until they are laid again. A seat that was passed over
when cards could be thrown in has none of the ranks that lay there. A seat that took a card that is
no trump probably has no higher one of its suit. The last two hold until the seat draws from the
talon. All of it is worked out as on a table with the default options; where a table has others,
some of it may be wrong, so it is to be believed only as far as it can be true.
"""

from lib.table import HAND, RANKS, SUITS, laid_in, was_taken


class Knowledge:
    """Who holds what, as far as one seat can tell.

    `held`, `lacks` and `doubted` are a set of cards for each seat: those that it surely holds,
    surely does not, and probably does not. `unseen` are all that may be anywhere, in a hand or in
    the talon; the card under the talon is not among them.
    """

    def __init__(self, table):
        seats = len(table.sizes)
        self.pack = table.pack
        self.held = [set() for _ in range(seats)]
        self.lacks = [set() for _ in range(seats)]
        self.doubted = [set() for _ in range(seats)]
        self._trump = table.trump
        self._sizes = [HAND] * seats
        self._talon = len(self.pack) - HAND * seats
        if not self._talon:
            self.held[-1].add(table.indicator)  # the last card that was dealt
        gone = set()
        for bout in table.bouts:
            end = self._follow(bout)
            laid = laid_in(bout)
            if was_taken(bout):
                self._pick_up(end.defender, laid)
            else:
                gone.update(laid)
            self._draw(end, table.indicator)
        if table.plays:
            asked = table.seat if table.phase in ("throw", "give") else None
            self._follow(table.plays, asked)
        self._settle(table, gone)

    def _settle(self, table, gone):
        """Put what was followed beside what the question says now."""
        elsewhere = gone.union(table.hand, table.laid)
        if table.talon:
            elsewhere.add(table.indicator)
        for seat, size in enumerate(table.sizes):
            self.held[seat] -= elsewhere
            if len(self.held[seat]) > size:  # the table plays by other rules
                self.held[seat].clear()
        self.held[table.seat] = set(table.hand)
        if table.hands:
            self.held = [set(hand) for hand in table.hands]
        for held, lacks, doubted in zip(self.held, self.lacks, self.doubted):
            lacks -= held
            doubted -= held
        self.unseen = sorted(set(self.pack) - elsewhere.union(*self.held))

    def _pick_up(self, seat, cards):
        self.held[seat].update(cards)
        self._sizes[seat] += len(cards)

    def _draw(self, end, indicator):
        """Fill the hands up: a seat that draws may hold anything again; the last card is known."""
        seats = len(self._sizes)
        order = [(end.attacker + step) % seats for step in range(seats)]
        order.sort(key=lambda seat: seat == end.defender)
        for seat in order:
            cards = min(self._talon, max(0, HAND - self._sizes[seat]))
            if cards:
                self._talon -= cards
                self._sizes[seat] += cards
                self.lacks[seat].clear()
                self.doubted[seat].clear()
                if not self._talon:
                    self.held[seat].add(indicator)

    def _follow(self, plays, asked=None):
        """Go through one bout; `asked` is the seat that is asked to throw in at the end of it."""
        bout = _Bout(plays[0].seat, len(self._sizes))
        for play in plays:
            seat = play.seat
            if bout.is_defence():
                bout.defender = seat
                if play.word == "take" and bout.open[0][1] != self._trump:
                    self.doubted[seat].update(_higher(bout.open[0]))
            elif bout.ranks:
                self._passed_over(bout, seat)
            if play.word == "show":
                self.held[seat].update(play.cards)
            elif play.cards:
                self.held[seat].difference_update(play.cards)
                self._sizes[seat] -= len(play.cards)
            bout.resume(play)
        if asked is not None or (bout.ranks and not bout.is_full(self._sizes)):
            self._passed_over(bout, asked)
        return bout

    def _passed_over(self, bout, asked):
        """A seat that could have thrown in before the one asked has nothing to throw in."""
        for seat in bout.throwers():
            if seat == asked:
                return
            if seat not in bout.done:
                self.lacks[seat].update(rank + suit for rank in bout.ranks for suit in SUITS)


class _Bout:
    """How far a bout has come, while its plays are followed."""

    def __init__(self, attacker, seats):
        self.attacker, self.defender, self.seats = attacker, (attacker + 1) % seats, seats
        self.attacks, self.open, self.ranks, self.done = 0, [], set(), set()
        self.taking = False

    def is_defence(self):
        return bool(self.open) and not self.taking

    def is_full(self, sizes):
        """Whether no more attack cards can be laid; or else it goes on, and says nothing yet."""
        beaten = self.attacks - len(self.open)
        most = min(HAND, sizes[self.defender] + beaten)
        return self.is_defence() or self.attacks >= most

    def throwers(self):
        """The seats that may throw in, in the order they are asked."""
        order = [(self.defender + step) % self.seats for step in range(1, self.seats)]
        return sorted(order, key=lambda seat: seat != self.attacker)

    def resume(self, play):
        if play.word == "take":
            self.taking = True
        elif play.word == "done":
            self.done.add(play.seat)
        elif play.word in ("pass", "show"):
            self.attacker, self.defender = play.seat, (play.seat + 1) % self.seats
            self._attack(play.cards if play.word == "pass" else ())
        elif self.is_defence():
            self.open.pop(0)
            self.ranks.update(card[0] for card in play.cards)
        else:
            self._attack(play.cards)

    def _attack(self, cards):
        self.attacks += len(cards)
        self.open += cards
        self.ranks.update(card[0] for card in cards)
        self.done.clear()


def _higher(card):
    return [rank + card[1] for rank in RANKS[RANKS.index(card[0]) + 1 :]]

"""Durak once more, written from the rules alone: slow, mutable and without anything of ours.

It follows a game by its pack and its answers, and says at every turn what may be answered, what
the seat that is asked may know and what everybody is told. The tests hold `tables.durak` against
it.
"""

from __future__ import annotations

from copy import deepcopy
from itertools import combinations
from random import Random
from typing import Any

RANKS = "23456789TJQKA"


def random_table(rng: Random) -> tuple[dict[str, Any], int]:
    """Any table that can be: options as plain data, and how many sit at it."""
    deck = rng.choice([52, 52, 36, 32, 24])
    options = {
        "deck": deck,
        "throwers": rng.choice(["all", "neighbours", "attacker"]),
        "throw_in": rng.choice(["one", "several"]),
        "throw_after_take": rng.random() < 0.7,
        "first_limit": rng.choice([6, 5]),
        "transfer": rng.choice(["never", "card", "show_trump"]),
        "transfer_back": rng.random() < 0.7,
        "deuce_beats_ace": deck == 52 and rng.random() < 0.5,
        "refill": rng.choice(["attacker_first", "throwers", "seats"]),
        "last_cards": rng.choice(["draw", "attacker_wins"]),
        "partners": deck >= 24 and rng.random() < 0.3,
        "open_hands": rng.random() < 0.2,
    }
    return options, 4 if options["partners"] else rng.randint(2, min(6, deck // 6))


class Model:
    """One game. `cards` are the pack in the order it is dealt; `options` the table's, as a dict."""

    def __init__(self, options: dict[str, Any], seats: int, cards: list[str]) -> None:
        self.options = options
        self.seats = seats
        self.hands: list[list[str]] = [[] for _ in range(seats)]
        for number in range(6 * seats):
            self.hands[number % seats].append(cards[number])
        self.talon = cards[6 * seats + 1 :] + cards[6 * seats : 6 * seats + 1]
        self.indicator = self.talon[-1] if self.talon else cards[6 * seats - 1]
        self.places: dict[int, int] = {}
        self.bout = 1
        self.bouts: list[list[str]] = []
        self.notices: list[str] = []
        self.over = False
        trumps = [
            (RANKS.index(card[0]), seat)
            for seat in range(seats)
            for card in self.hands[seat]
            if card[1] == self.trump and card != self.indicator
        ]
        self.lay_out(min(trumps)[1] if trumps else 0)

    @property
    def trump(self) -> str:
        return self.indicator[1]

    def lay_out(self, attacker: int) -> None:
        """An empty table, and who attacks whom on it."""
        self.attacker = attacker
        self.defender = self.foe_after(attacker)
        self.table: list[list[str]] = []
        self.laid: list[int] = []
        self.done: set[int] = set()
        self.taking = self.showed = False
        self.events: list[str] = []

    def inside(self, seat: int) -> bool:
        return seat not in self.places

    def foe_after(self, seat: int) -> int:
        for step in range(1, self.seats):
            other = (seat + step) % self.seats
            partner = self.options.get("partners") and (other - seat) % 2 == 0
            if self.inside(other) and not partner:
                return other
        raise AssertionError("nobody is left to attack")

    def next_inside(self, seat: int) -> int:
        return next(
            other
            for other in [(seat + step) % self.seats for step in range(1, self.seats)]
            if self.inside(other)
        )

    def limit(self, defender: int) -> int:
        """Attack cards against this defender, by the hand he had when he became it."""
        most = 5 if self.options.get("first_limit") == 5 and self.bout == 1 else 6
        beaten_with = [pair[1] for pair in self.table if len(pair) == 2]
        return min(most, len(self.hands[defender]) + len(beaten_with))

    def left(self) -> int:
        return self.limit(self.defender) - len(self.table)

    def in_hand(self, seat: int) -> list[str]:
        """A hand as the question names it: suit by suit, low to high, trumps last."""
        return sorted(self.hands[seat], key=lambda c: (c[1] == self.trump, c[1], RANKS.index(c[0])))

    def beats(self, card: str, attack: str) -> bool:
        if card[1] != attack[1]:
            return card[1] == self.trump
        if self.options.get("deuce_beats_ace") and card[0] + attack[0] == "2A":
            return True
        return RANKS.index(card[0]) > RANKS.index(attack[0])

    def layings(self, cards: list[str]) -> list[str]:
        if self.options.get("throw_in") != "several":
            return cards
        together = []
        for rank in RANKS:
            group = [card for card in cards if card[0] == rank]
            for count in range(2, min(len(group), self.left()) + 1):
                together += ["+".join(sorted(some)) for some in combinations(group, count)]
        return cards + together

    def transfers(self) -> list[str]:
        kind = self.options.get("transfer", "never")
        if kind == "never" or any(len(pair) == 2 for pair in self.table):
            return []
        following = self.foe_after(self.defender)
        if following == self.attacker and not self.options.get("transfer_back", True):
            return []
        most = 5 if self.options.get("first_limit") == 5 and self.bout == 1 else 6
        room = min(most, len(self.hands[following]))
        same = [c for c in self.in_hand(self.defender) if c[0] == self.table[0][0][0]]
        ways = [f"pass:{card}" for card in same] if len(self.table) + 1 <= room else []
        if kind == "show_trump" and not self.showed and len(self.table) <= room:
            ways += [f"show:{card}" for card in same if card[1] == self.trump]
        return ways

    def throwers(self) -> list[int]:
        who = self.options.get("throwers", "all")
        ring = [(self.defender + step) % self.seats for step in range(1, self.seats)]
        others = [seat for seat in ring if self.inside(seat)]
        if self.options.get("partners"):
            others = [seat for seat in others if seat % 2 == self.attacker % 2]
        if who == "attacker":
            others = []
        elif who == "neighbours":
            others = [seat for seat in others if seat == self.next_inside(self.defender)]
        return [self.attacker] + [seat for seat in others if seat != self.attacker]

    def turn(self) -> tuple[int, str, list[str]] | None:
        """Who is asked, in which phase, and every legal answer; None where the bout has ended."""
        if not self.table:
            return self.attacker, "attack", self.layings(self.in_hand(self.attacker))
        open_cards = [pair[0] for pair in self.table if len(pair) == 1]
        if open_cards and not self.taking:
            hand = self.in_hand(self.defender)
            beating = [card for card in hand if self.beats(card, open_cards[0])]
            return self.defender, "defend", [*beating, *self.transfers(), "take"]
        if self.taking and not self.options.get("throw_after_take", True):
            return None
        if self.left() < 1 or not self.hands[self.defender]:
            return None
        ranks = {card[0] for pair in self.table for card in pair}
        for seat in self.throwers():
            cards = [card for card in self.in_hand(seat) if card[0] in ranks]
            if cards and seat not in self.done:
                phase = "give" if self.taking else "throw"
                return seat, phase, [*self.layings(cards), "done"]
        return None

    def words(self) -> list[str]:
        """What the seat that is asked may know, as the question writes it."""
        asked = self.turn()
        assert asked is not None
        seat, phase, legal = asked
        history = "/".join(",".join(bout) for bout in [*self.bouts, self.events] if bout)
        said = [
            *("durak", phase, ",".join(legal), str(seat), ",".join(self.in_hand(seat))),
            f"{self.trump}:{self.indicator}",
            str(len(self.talon)),
            ",".join(str(len(hand)) for hand in self.hands),
            ",".join("-".join([*pair, ""][:2]) for pair in self.table) or "-",
            *(str(self.attacker), str(self.defender), str(self.left()), history or "-"),
        ]
        if self.options.get("open_hands"):
            hands = [",".join(self.in_hand(seat)) or "-" for seat in range(self.seats)]
            said.append("/".join(hands))
        return said

    def play(self, answer: str) -> None:
        """Carry out a legal answer, written as in `legal`."""
        asked = self.turn()
        assert asked is not None
        seat, phase, legal = asked
        assert answer in legal, f"{answer} is not among {legal}"
        self.events.append(f"{seat}:{answer}")
        self.notices = []
        if answer == "take":
            self.taking = True
        elif answer == "done":
            self.done.add(seat)
        elif answer.startswith("show:"):
            self.showed = True
            self.attacker, self.defender = seat, self.foe_after(seat)
        elif answer.startswith("pass:"):
            self.lay(seat, answer.removeprefix("pass:"))
            self.attacker, self.defender = seat, self.foe_after(seat)
        elif phase == "defend":
            self.hands[seat].remove(answer)
            next(pair for pair in self.table if len(pair) == 1).append(answer)
        else:
            self.lay(seat, *answer.split("+"))
        if self.turn() is None:
            self.clear()

    def lay(self, seat: int, *cards: str) -> None:
        for card in cards:
            self.hands[seat].remove(card)
            self.table.append([card])
        self.laid.append(seat)
        self.done.clear()

    def clear(self) -> None:
        """The end of a bout: the cards, the draw, who is out, who attacks next."""
        defender = self.defender
        if self.taking:
            self.hands[defender] += [card for pair in self.table for card in pair]
        for seat in self.drawing():
            while self.talon and len(self.hands[seat]) < 6:
                self.hands[seat].append(self.talon.pop(0))
        if not self.talon:
            for seat in range(self.seats):
                if not self.hands[seat] and self.inside(seat):
                    self.places[seat] = self.bout
        self.bouts.append(self.events)
        came_to = "taken" if self.taking else "beaten"
        self.notices = [f"bout {self.bout} {','.join(self.events)} {came_to}"]
        holding = [seat for seat in range(self.seats) if self.inside(seat)]
        sides = {seat % 2 if self.options.get("partners") else seat for seat in holding}
        if len(sides) <= 1 or self.bout == 500:
            if not holding and self.options.get("last_cards") == "attacker_wins":
                del self.places[defender]
            self.over = True
            return
        self.bout += 1
        beat_all = not self.taking and self.inside(defender)
        self.lay_out(defender if beat_all else self.next_inside(defender))

    def drawing(self) -> list[int]:
        order = self.options.get("refill", "attacker_first")
        if order == "seats":
            return list(range(self.seats))
        if order == "throwers":
            first = list(dict.fromkeys(self.laid))
        else:
            first = [(self.attacker + step) % self.seats for step in range(self.seats)]
        return [seat for seat in first if seat != self.defender] + [self.defender]

    def scores(self) -> list[int]:
        """Two points for every side that was left longer with cards, one for every tie."""
        ends = [self.places.get(seat, 1000) for seat in range(self.seats)]
        if self.options.get("partners"):
            ends = [max(ends[0], ends[2]), max(ends[1], ends[3])]
        points = [2 * sum(o > own for o in ends) + ends.count(own) - 1 for own in ends]
        return points * 2 if self.options.get("partners") else points

    def after(self, answer: str) -> Model:
        """The game after one more answer; this one stays as it is."""
        following = deepcopy(self)
        following.play(answer)
        return following

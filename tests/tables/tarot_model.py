"""French tarot told a second time, on bare text and with nothing shared with the rules' code.

The tests hold the rules against it: legal sets, tricks, scores, and what each seat may know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

BIDS = ["petite", "garde", "sans", "contre"]
PACK = [
    *(rank + suit for suit in "CDHS" for rank in "123456789TJNQK"),
    *(f"A{number}" for number in range(1, 22)),
    "EX",
]
BOUTS = {"A1", "A21", "EX"}


def is_trump(card: str) -> bool:
    return card.startswith("A")


def suit(card: str) -> str:
    return "trumps" if is_trump(card) else card[1]


def number(card: str) -> int:
    return int(card[1:]) if is_trump(card) else 0


def value(card: str) -> Fraction:
    if card in BOUTS or card[0] == "K":
        return Fraction(9, 2)
    if is_trump(card):
        return Fraction(1, 2)
    return {"Q": Fraction(7, 2), "N": Fraction(5, 2), "J": Fraction(3, 2)}.get(
        card[0], Fraction(1, 2)
    )


def may_play(card: str, hand: Sequence[str], trick: Sequence[str]) -> bool:
    """Say of one card whether it may be played, duty by duty."""
    ordinary = [other for other in trick if other != "EX"]
    if card == "EX" or not ordinary:
        return True
    led = ordinary[0]
    can_follow = any(suit(other) == suit(led) for other in hand if other != "EX")
    if not is_trump(led) and can_follow:
        return card[1] == led[1] and not is_trump(card)
    if not any(map(is_trump, hand)):
        return True
    if not is_trump(card):
        return False
    highest = max(map(number, trick))
    return number(card) > highest or all(number(other) < highest for other in hand)


def takes(leader: int, trick: Sequence[str]) -> int:
    """The seat that takes a trick, but for the Excuse that ends a chelem."""
    ordinary = [card for card in trick if card != "EX"]
    trumps = [card for card in ordinary if is_trump(card)]
    followed = [card for card in ordinary if suit(card) == suit(ordinary[0])]
    best = max(trumps, key=number) if trumps else max(followed, key=PACK.index)
    return (leader + list(trick).index(best)) % 3


@dataclass
class Deal:
    """One deal as somebody keeps it on paper who sees all cards."""

    dealer: int
    options: object
    hands: list[list[str]]
    dog: list[str]
    said: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)
    shown: list[tuple[int, list[str]]] = field(default_factory=list)
    tricks: list[tuple[int, list[str], int]] = field(default_factory=list)
    leader: int = 0
    trick: list[str] = field(default_factory=list)

    @classmethod
    def dealt(cls, pack: Sequence[str], dealer: int, options: object) -> Deal:
        """Deal a pack: place 4 of every 13 cards is the dog's, the others go round by fours."""
        first = (dealer + 1) % 3
        hands: list[list[str]] = [[], [], []]
        dog = []
        for place, card in enumerate(pack):
            within = place % 13
            if within == 4:
                dog.append(card)
            else:
                turn = 0 if within < 4 else 1 if within < 9 else 2
                hands[(first + turn) % 3].append(card)
        deal = cls(dealer, options, [sorted(h, key=PACK.index) for h in hands], dog)
        deal.dog.sort(key=PACK.index)
        return deal

    @property
    def first(self) -> int:
        return (self.dealer + 1) % 3

    @property
    def petit_sec(self) -> bool:
        return any(
            [card for card in hand if is_trump(card) or card == "EX"] == ["A1"]
            for hand in self.hands
        )

    @property
    def contract(self) -> str | None:
        bids = [said for said in self.said if not said.startswith("pass")]
        return bids[-1] if bids else None

    @property
    def taker(self) -> int:
        return (self.first + self.said.index(self.contract)) % 3

    @property
    def takes_dog(self) -> bool:
        return self.contract.rstrip("!") in ("petite", "garde")

    def begin_play(self) -> None:
        hopeful = [
            (self.first + turn) % 3 for turn, said in enumerate(self.said) if said == "pass!"
        ]
        self.leader = self.taker if self.contract.endswith("!") else [*hopeful, self.first][0]

    def play(self, seat: int, answer: str) -> None:
        card, _, poignee = answer.partition(" show ")
        if poignee:
            self.shown.append((seat, poignee.split(",")))
        self.hands[seat].remove(card)
        self.trick.append(card)
        if len(self.trick) < 3:
            return
        winner = takes(self.leader, self.trick)
        swept = all(who == self.taker for _, _, who in self.tricks) and len(self.tricks) == 23
        if self.trick[0] == "EX" and swept and self.leader == self.taker:
            winner = self.leader
        self.tricks.append((self.leader, self.trick, winner))
        self.leader, self.trick = winner, []

    def score(self) -> tuple[Fraction, int, list[int]]:
        """The taker's points and bouts, and everybody's marks: every card is put on a heap."""
        options, taker = self.options, self.taker
        heap: dict[bool, list[str]] = {True: [], False: []}  # the taker's and the defence's
        exchanged = Fraction(0)
        bid = self.contract.rstrip("!")
        heap[bid != "contre"] += self.discard if self.takes_dog else self.dog
        for turn, (leader, trick, winner) in enumerate(self.tricks):
            for place, card in enumerate(trick):
                player = (leader + place) % 3
                home = winner == taker
                if card == "EX" and turn == 23 and winner != player:
                    if options.excuse_last == "changes_side":
                        home = player != taker
                elif card == "EX" and (player == taker) != home:
                    home = player == taker
                    exchanged += Fraction(-1, 2) if home else Fraction(1, 2)
                heap[home].append(card)
        assert len(heap[True]) + len(heap[False]) == 78
        points = sum(map(value, heap[True]), exchanged)
        bouts = len(BOUTS & set(heap[True]))
        needed = [56, 51, 41, 36][bouts]
        made = points >= needed if options.reach == "at_least" else points > needed
        distance = abs(points - needed)
        if options.half_points == "rounded" and distance.denominator == 2:
            distance += Fraction(1, 2)
        times = {"petite": 1, "garde": 2, "sans": 4, "contre": 6}[bid]
        sizes = [int(size) for size in options.poignees.split("/")]
        bonus = sum((20, 30, 40)[sizes.index(len(cards))] for _, cards in self.shown)
        price = ((25 + distance) * times + bonus) * (1 if made else -1)
        mine = [winner == taker for _, _, winner in self.tricks]
        last = 22 if all(mine) and self.tricks[23][1][0] == "EX" else 23
        if "A1" in self.tricks[last][1]:
            price += 10 * times if mine[last] else -10 * times
        price += self._chelem(mine)
        unit = 2 if options.half_points == "kept" else 1
        marks = [int(price * unit) * (2 if seat == taker else -1) for seat in range(3)]
        return points, bouts, marks

    def _chelem(self, mine: list[bool]) -> int:
        said, hoped = self.contract.endswith("!"), "pass!" in self.said
        if all(mine):
            return 400 if said else 200
        if not any(mine):
            return -400 if hoped else -200
        return (-200 if said else 0) + (200 if hoped else 0)

    # What each seat may know: own hand, bids, taker, contract, the dog where shown, the own
    # discard, discarded trumps, poignées, every card played, scores.

    def question(self, seat: int, phase: str, scores: Sequence[int], number: str) -> list[str]:
        """The words of a question, from the rules' list of what a seat may know."""
        by_seat = ["-"] * 3
        for turn, said in enumerate(self.said):
            by_seat[(self.first + turn) % 3] = said
        words = ["tarot", phase, ",".join(self.legal(seat, phase)), str(seat), str(self.dealer)]
        words += [",".join(self.hands[seat]), ",".join(by_seat)]
        words += ["-", "-"] if phase == "bid" else [str(self.taker), self.contract]
        sees_dog = phase != "bid" and self.takes_dog
        sees_dog = sees_dog and (self.options.dog == "shown" or seat == self.taker)
        words.append(",".join(self.dog) if sees_dog else "-")
        own = phase != "bid" and seat == self.taker
        put = self.discard if own else [card for card in self.discard if is_trump(card)]
        words.append(",".join(put) or "-")
        words.append("/".join(f"{who}:{','.join(cards)}" for who, cards in self.shown) or "-")
        told = [f"{leader}:{','.join(cards)}" for leader, cards, _ in self.tricks]
        words.append("/".join(told) or "-")
        words.append(f"{self.leader}:{','.join(self.trick)}" if self.trick else "-")
        words += [",".join(map(str, scores)), number]
        if self.options.open_hands:
            words.append("/".join(",".join(hand) or "-" for hand in self.hands))
        return words

    def legal(self, seat: int, phase: str) -> list[str]:
        if phase == "bid":
            lowest = BIDS.index(self.contract.rstrip("!")) + 1 if self.contract else 0
            bids = [bid for bid in BIDS[lowest:] if bid != "petite" or self.options.petite]
            hope = ["pass!"] if self.options.chelem_by == "any" else []
            return ["pass", *bids, *hope, *(bid + "!" for bid in bids)]
        hand = self.hands[seat]
        if phase == "play":
            return [card for card in hand if may_play(card, hand, self.trick)]
        plain = [c for c in hand if not is_trump(c) and c[0] != "K" and c != "EX"]
        trumps = [c for c in hand if is_trump(c) and c not in BOUTS]
        return plain if len(plain) >= 6 else plain + trumps


def packed(
    first: str = "", second: str = "", third: str = "", dog: str = "", rest: Sequence[str] = PACK
) -> list[str]:
    """A pack that deals these cards, filled up with the others in the order of `rest`.

    `first` is the hand of the dealer's neighbour.
    """
    wanted = [text.split() for text in (first, second, third, dog)]
    others = [card for card in rest if not any(card in cards for cards in wanted)]
    for cards, size in zip(wanted, (24, 24, 24, 6), strict=True):
        missing = size - len(cards)
        assert missing >= 0, f"{size} cards at most: {cards}"
        cards += others[:missing]
        del others[:missing]
    one, two, three, aside = wanted
    order: list[str] = []
    for four in range(0, 24, 4):
        order += [*one[four : four + 4], aside[four // 4]]
        order += [*two[four : four + 4], *three[four : four + 4]]
    assert sorted(order) == sorted(PACK)
    return order

"""Blot a second time, from the rules and not from the code: slow, in plain words and lists.

No other program plays these rules, so this one is what the game is held against. It hears every
action as text, and says what the seat to act may know, what is told at the end of a deal, and the
scores.

Rules are cited from docs/rules/blot.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

RUNS = "AKQJT987"
TRUMPS_UP = "78QKTA9J"
PLAIN_UP = "789JQKTA"
CLASS_UP = "TFH4"


def height(card: str, strain: str) -> int:
    """Where a card stands in its suit."""
    return (TRUMPS_UP if card[1] == strain else PLAIN_UP).index(card[0])


def card_points(card: str, strain: str) -> int:
    if card[1] == strain:
        return {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3}.get(card[0], 0)
    ace = 19 if strain == "N" else 11
    return {"A": ace, "T": 10, "K": 4, "Q": 3, "J": 2}.get(card[0], 0)


def taker(trick: Sequence[str], strain: str) -> int:
    """Which card of a trick wins: the best trump, else the best of the suit that was led."""
    of_trumps = [card for card in trick if card[1] == strain]
    in_suit = of_trumps or [card for card in trick if card[1] == trick[0][1]]
    return trick.index(max(in_suit, key=lambda card: height(card, strain)))


def legal_cards(hand: Sequence[str], trick: Sequence[str], strain: str, options: Any) -> list[str]:
    """Rules d.1 to d.3, and the options that change them."""
    if not trick:
        return list(hand)
    led = trick[0][1]
    follows = [card for card in hand if card[1] == led]
    trumps = [card for card in hand if card[1] == strain]
    lying = [height(card, strain) for card in trick if card[1] == strain]
    over = [card for card in trumps if height(card, strain) > max(lying, default=-1)]
    if follows:
        return (over or follows) if led == strain else follows
    if not trumps:
        return list(hand)
    partner_wins = len(trick) > 1 and taker(trick, strain) == len(trick) - 2
    if partner_wins and options.ruff_partner_winning == "free":
        if options.trump_over_partner == "any":
            return list(hand)
        kept = [card for card in hand if card in over or card[1] != strain]
        return kept or list(hand)
    if over:
        return over
    return list(hand) if options.undertrump == "free" else trumps


def run_class(length: int) -> str:
    return "T" if length == 3 else "F" if length == 4 else "H"


def worth(kind: str, cards: Sequence[str], strain: str) -> int:
    """What a declaration counts."""
    if kind != "4":
        return {"T": 20, "F": 50, "H": 100, "B": 20}[kind]
    if strain == "N":
        return {"A": 190, "9": 0, "8": 0, "7": 0}.get(cards[0][0], 100)
    return {"J": 200, "9": 140, "A": 110, "8": 0, "7": 0}.get(cards[0][0], 100)


def possible(hand: Sequence[str], strain: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Everything in a hand that could be announced for itself, shorter parts of runs included."""
    for rank in "J9AKQT":
        four = tuple(rank + suit for suit in "CDHS")
        if set(four) <= set(hand) and worth("4", four, strain):
            yield "4", four
    for suit in "CDHS":
        for first in range(6):
            for last in range(first + 3, 9):
                run = tuple(rank + suit for rank in RUNS[first:last])
                if set(run) <= set(hand):
                    yield run_class(len(run)), run
    pair = ("K" + strain, "Q" + strain)
    if set(pair) <= set(hand):
        yield "B", pair


def layouts(
    hand: Sequence[str], strain: str, overlap: bool
) -> Iterator[list[tuple[str, tuple[str, ...]]]]:
    """Every choice of declarations in which no card counts twice.

    A run is announced with all its cards that don't count elsewhere, and no run is cut in two.
    With `overlap` the belote may share its cards.
    """
    parts = list(possible(hand, strain))
    for size in range(4):
        for some in combinations(parts, size):
            counted = [
                card for kind, cards in some if not (overlap and kind == "B") for card in cards
            ]
            if len(counted) > len(set(counted)):
                continue
            runs = [cards for kind, cards in some if kind in "TFH"]
            free = set(hand) - set(counted)
            whole = all(not free & set(neighbours(run)) for run in runs)
            if whole and not any(one_run(a, b, hand) for a, b in combinations(runs, 2)):
                yield sorted(some, key=lambda one: (-"BTFH4".index(one[0]), hand_order(one[1])))


def hand_order(cards: Sequence[str]) -> tuple[int, int]:
    """The order in which declarations of a class are written: fours as listed, runs by suit."""
    return "J9AKQT87".index(cards[0][0]) if cards[0][0] == cards[1][0] else 0, "CDHS".index(
        cards[0][1]
    )


def neighbours(run: Sequence[str]) -> list[str]:
    """The cards that would prolong a run."""
    above, below = RUNS.index(run[0][0]) - 1, RUNS.index(run[-1][0]) + 1
    return [RUNS[place] + run[0][1] for place in (above, below) if 0 <= place < 8]


def one_run(one: Sequence[str], other: Sequence[str], hand: Sequence[str]) -> bool:
    """Say whether two runs are parts of one run of the hand."""
    if one[0][1] != other[0][1]:
        return False
    places = [RUNS.index(card[0]) for card in (*one, *other)]
    between = RUNS[min(places) : max(places) + 1]
    return all(rank + one[0][1] in hand for rank in between)


def best_layout(hand: Sequence[str], strain: str, overlap: bool):
    """The most points, of equal totals the fewest cards."""

    def key(layout):
        points = sum(worth(kind, cards, strain) for kind, cards in layout)
        return points, -sum(len(cards) for _, cards in layout)

    found = list(layouts(hand, strain, overlap))
    best = max(map(key, found))
    (chosen,) = [layout for layout in found if key(layout) == best]
    return chosen


def announced_as(hand: Sequence[str], strain: str, classes: str, overlap: bool):
    """What a bot announces that says these classes: the parts that count the most.

    The belote goes with them where its cards are free.
    """

    def key(layout):
        points = sum(worth(kind, cards, strain) for kind, cards in layout)
        tops = [(-RUNS.index(cards[0][0]), cards[0][1] == strain) for _, cards in layout]
        return points, -sum(len(cards) for _, cards in layout), tops

    found = [
        [*some, *(one for one in layout if one[0] == "B")]
        for layout in layouts(hand, strain, overlap)
        for size in range(4)
        for some in combinations([one for one in layout if one[0] != "B"], size)
        if sorted(kind for kind, _ in some) == sorted(classes)
    ]
    return max(found, key=key) if found else None


def points_of(said: Sequence[Any], strain: str, first: int, options: Any) -> list[int]:
    """What the declarations of both sides count (rules c.1 to c.4)."""

    def rank(kind, cards):
        top = cards[0]
        if kind == "4":
            return 3, worth(kind, cards, strain), "QKTA9J".index(top[0]), 0
        place = RUNS.index(top[0])
        return (
            "TFH".index(kind),
            place if options.top_card == "low" else -place,
            top[1] == strain,
            0,
        )

    best, winner = (-1, 0, 0, 0), None
    for step in range(4):
        seat = (first + step) % 4
        for kind, cards in said[seat]:
            if kind != "B" and rank(kind, cards) > best:
                best, winner = rank(kind, cards), seat
    points = [0, 0]
    for seat in range(4):
        for kind, cards in said[seat]:
            if kind == "B" or (winner is not None and (seat + winner) % 2 == 0):
                points[seat % 2] += worth(kind, cards, strain)
    return points


def belote_points(said: Sequence[Any]) -> list[int]:
    points = [0, 0]
    for seat in range(4):
        points[seat % 2] += sum(20 for kind, _ in said[seat] if kind == "B")
    return points


def tens(points: int) -> int:
    whole, rest = divmod(points, 10)
    return whole + (rest > 5)


def round_points(
    options: Any,
    level: int,
    strain: str,
    capot: bool,
    doubled: int,
    cards: Sequence[int],
    tricks: int,
    declared: Sequence[int],
    belotes: Sequence[int],
) -> tuple[int, int]:
    """The scores of rules e.1 to e.3; every pair is the bidders', then the defenders'."""
    no_trump = strain == "N"
    taken = 252 if tricks == 8 else cards[0]
    reached = taken + (declared[0] if options.decl_counts_for_contract else 0)
    enough = tens(reached) >= level if options.fulfil == "rounded" else reached >= 10 * level
    made = enough and (tricks == 8 or not capot)
    if tricks == 8 and options.capot_fulfils == "any_bid":
        made = True
    kept = [points // 10 if options.loser_belote == "kept" else 0 for points in belotes]
    if doubled:
        table = {"3/5": {1: 3, 2: 5}, "4/8": {1: 4, 2: 8}}[options.no_trump_double]
        factor = table[doubled] if no_trump else {1: 2, 2: 4}[doubled]
        swept = tricks == 8 if made else tricks == 0
        prize = factor * level + (25 if swept else 16)
        if made:
            return prize + declared[0] // 10, kept[1]
        return kept[0], prize + declared[1] // 10
    value = (2 if no_trump else 1) * level
    if made and tricks == 8:
        return value + 25 + declared[0] // 10, declared[1] // 10
    if made:
        share = 16 - tens(cards[0]) if options.defenders_share == "rest" else tens(cards[1])
        return value + tens(cards[0]) + declared[0] // 10, share + declared[1] // 10
    return kept[0], value + (16 if tricks else 25) + declared[1] // 10


class Model:
    """One game, told action by action."""

    def __init__(self, options: Any) -> None:
        self.options = options
        self.scores = [0, 0]
        self.deal = 1
        self.dealer = 0
        self.drawing = options.first_dealer == "drawn"
        self.over = False
        self.told: list[str] = []
        self.asked_seat = -1

    def act(self, seat: int, text: str) -> None:
        """Hear an action, the dealer's packs among them; `told` is what everybody hears then."""
        self.told = []
        if seat == -1:
            self._deal(text.split(","))
        elif self.bidding:
            self._call(seat, text)
        else:
            self._play(seat, text)

    def _deal(self, pack: Sequence[str]) -> None:
        if self.drawing:
            self.drawing = False
            drawn = [("789TJQKA".index(card[0]), "CDHS".index(card[1])) for card in pack[:4]]
            self.dealer = drawn.index(max(drawn))
            return
        self.first = (self.dealer + 1) % 4
        self.hands: list[list[str]] = [[], [], [], []]
        for place, card in enumerate(pack):
            self.hands[(self.first + place // 4) % 4].append(card)
        for hand in self.hands:
            hand.sort(key=lambda card: ("SHDC".index(card[1]), RUNS.index(card[0])))
        self.dealt = [list(hand) for hand in self.hands]
        self.bidding = True
        self.calls: list[str] = []
        self.bid: tuple[int, str, bool, int] | None = None
        self.doubled = 0
        self.answers: list[int] = []
        self.passes = 0
        self.asked_seat = self.first

    def _call(self, seat: int, text: str) -> None:
        self.calls.append(text)
        self.passes = self.passes + 1 if text == "P" else 0
        if text == "XX":
            self.doubled = 2
            self._open()
        elif text == "X":
            assert self.bid
            self.doubled = 1
            both = [(seat + 1) % 4, (seat + 3) % 4]
            self.answers = both if self.options.recontra_by == "both" else [self.bid[3]]
            self.asked_seat = self.answers.pop(0)
        elif text != "P":
            capot = text.endswith("c")
            bare = text.rstrip("c")
            self.bid = int(bare[:-1]), bare[-1], capot, seat
            self.asked_seat = (seat + 1) % 4
        elif self.doubled:
            if self.answers:
                self.asked_seat = self.answers.pop(0)
            else:
                self._open()
        elif self.bid and self.passes == (4 if self.options.auction_end == "four_passes" else 3):
            self._open()
        elif not self.bid and self.passes == 4:
            self.history: list[list[str]] = []
            self._end("-", "-", "-", [0, 0], [0, 0])
        else:
            self.asked_seat = (seat + 1) % 4

    def _open(self) -> None:
        """The first lead is due."""
        assert self.bid
        self.bidding = False
        strain, overlap = self.bid[1], self.options.belote_overlap
        self.said: list[Any] = [
            best_layout(hand, strain, overlap)
            if self.options.declare == "auto"
            else announced_as(hand, strain, "", overlap)
            for hand in self.hands
        ]
        self.tricks: list[tuple[int, list[str]]] = []
        self.trick: list[str] = []
        self.leader = self.asked_seat = self.first
        self.cards = [0, 0]
        self.won = [0, 0]

    def _play(self, seat: int, text: str) -> None:
        assert self.bid
        level, strain, capot, bidder = self.bid
        if text == "revoke":
            everything = sum(worth(*one, strain) for said in self.said for one in said)
            gained = [0, 0]
            gained[1 - seat % 2] = 16 + everything // 10
            broken = [*self._history(), f"{self.leader}:{','.join([*self.trick, 'revoke'])}"]
            self._end(self._contract(), self._shown(), "/".join(broken), self.cards, gained)
            return
        card, _, classes = text.partition("+")
        if classes:
            self.said[seat] = announced_as(
                self.dealt[seat], strain, classes, self.options.belote_overlap
            )
        self.hands[seat].remove(card)
        self.trick.append(card)
        self.asked_seat = (seat + 1) % 4
        if len(self.trick) < 4:
            return
        won_by = (self.leader + taker(self.trick, strain)) % 4
        self.cards[won_by % 2] += sum(card_points(card, strain) for card in self.trick)
        self.won[won_by % 2] += 1
        self.tricks.append((self.leader, self.trick))
        self.trick, self.leader, self.asked_seat = [], won_by, won_by
        if self.hands[won_by]:
            return
        self.cards[won_by % 2] += 10
        side = bidder % 2
        order = (side, 1 - side)
        declared = points_of(self.said, strain, self.first, self.options)
        belotes = belote_points(self.said)
        bidders, defenders = round_points(
            self.options,
            level,
            strain,
            capot,
            self.doubled,
            [self.cards[one] for one in order],
            self.won[side],
            [declared[one] for one in order],
            [belotes[one] for one in order],
        )
        gained = [bidders, defenders] if side == 0 else [defenders, bidders]
        history = "/".join(self._history())
        self._end(self._contract(), self._shown(), history, self.cards, gained)

    def _end(self, contract, declarations, history, cards, gained) -> None:
        """Write the deal down; the next one is due, or the game is over."""
        self.scores = [score + more for score, more in zip(self.scores, gained, strict=True)]
        numbers = (f"{a},{b}" for a, b in (cards, gained, self.scores))
        self.told = [f"deal {self.deal} {contract} {declarations} {history} {' '.join(numbers)}"]
        reached = max(self.scores) >= self.options.target and self.scores[0] != self.scores[1]
        self.over = reached or self.deal == self.options.max_deals
        self.deal += 1
        self.dealer = self.first
        self.asked_seat = -1

    def _history(self) -> list[str]:
        return [f"{leader}:{','.join(trick)}" for leader, trick in self.tricks]

    def _contract(self) -> str:
        if not self.bid:
            return "-"
        level, strain, capot, seat = self.bid
        return f"{level}{strain}{'c' * capot}{'x' * self.doubled}@{seat}"

    def _shown(self) -> str:
        """All declarations, their cards on the table."""
        turns = [(self.first + step) % 4 for step in range(4)]
        said = (f"{s}:{kind}:{','.join(cards)}" for s in turns for kind, cards in self.said[s])
        return "/".join(said) or "-"

    def _heard(self) -> str:
        """The declarations as far as they are public: the class, and later the cards."""
        texts = []
        for step in range(4):
            seat = (self.first + step) % 4
            played = [card for leader, trick in self.tricks for card in trick]
            played += self.trick
            own = [card for card in played if card in self.dealt[seat]]
            for kind, cards in self.said[seat]:
                if kind == "B":
                    if set(cards) & set(own):
                        texts.append(f"{seat}:B:{','.join(cards)}")
                elif len(own) >= 2:
                    texts.append(f"{seat}:{kind}:{','.join(cards)}")
                elif own:
                    texts.append(f"{seat}:{kind}")
        return "/".join(texts) or "-"

    def _legal(self, seat: int) -> list[str]:
        if not self.bidding:
            assert self.bid
            strain, hand = self.bid[1], self.hands[seat]
            cards = legal_cards(hand, self.trick, strain, self.options)
            if self.options.declare == "auto" or len(hand) < 8:
                return cards
            return [f"{card}+{c}" if c else card for card in cards for c in self._classes(seat)]
        if self.doubled:
            return ["P", "XX"]
        if not self.bid:
            return ["P", "8+"]
        level, _, capot, bidder = self.bid
        calls = ["P"] if bidder % 2 == seat % 2 else ["P", "X"]
        return calls if level == 80 else [*calls, f"{level + 1}{'c' * capot}+"]

    def _classes(self, seat: int) -> list[str]:
        """All groups of classes that a hand may announce, the short ones first."""
        assert self.bid
        groups = {
            "".join(sorted((kind for kind, _ in some), key="4HFT".index))
            for layout in layouts(self.hands[seat], self.bid[1], self.options.belote_overlap)
            for size in range(4)
            for some in combinations([one for one in layout if one[0] != "B"], size)
        }
        return sorted(groups, key=lambda group: (len(group), group))

    def question(self) -> tuple[str, ...]:
        """What the seat to act may know, in words."""
        seat = self.asked_seat
        words = [
            *("blot", "bid" if self.bidding else "play", ",".join(self._legal(seat)), str(seat)),
            *(str(self.dealer), ",".join(self.hands[seat]), ",".join(self.calls) or "-"),
            self._contract(),
            "-" if self.bidding else self._heard(),
            "-" if self.bidding else "/".join(self._history()) or "-",
            "-" if self.bidding or not self.trick else f"{self.leader}:{','.join(self.trick)}",
            "0,0" if self.bidding else f"{self.cards[0]},{self.cards[1]}",
            f"{self.scores[0]},{self.scores[1]}",
            str(self.options.target),
        ]
        if self.options.open_hands:
            words.append("/".join(",".join(hand) or "-" for hand in self.hands))
        return tuple(words)

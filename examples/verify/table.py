"""A record, followed turn by turn: what was asked, answered and dealt."""

from collections import Counter
from itertools import pairwise

from basics import must, shuffled
from conduct import Conduct, check_fault

COLUMNS = ("seat", "action", "question", "wall", "cpu", "peak")
"""What a record has of every turn."""

PREFIX = ("game", "phase", "legal", "seat")
"""The words of every question, at blackjack only for bots that ask for them."""


class Table:
    """A record, read turn by turn. The functions of the games say what should stand in it."""

    def __init__(self, record, words, key, label, settings):
        """`words` are the names of a question's words; without a `key` packs aren't compared."""
        turns = record["turns"]
        must({*turns} == {*COLUMNS, "answer", "fault"}, "its turns have other columns")
        self.rows = list(zip(*(turns[name] for name in COLUMNS), strict=True))
        for name in ("answer", "fault"):
            rising = all(one < other for (one, _), (other, _) in pairwise(turns[name]))
            must(rising, f"turns are listed twice, or out of order, under {name}")
        self.answers, self.faults = dict(turns["answer"]), dict(turns["fault"])
        for fault in self.faults.values():
            check_fault(fault)
        self.words = [*words, *["hands"] * bool(record["options"].get("open_hands"))]
        self.key, self.label = key, label
        self.limit, self.forgiven = settings["strikes"]["limit"], settings["strikes"]["forgiven"]
        self.conduct = Conduct(settings)
        self.seats, self.purses = record["seats"], record["purses"]
        self.shoe, self.prefixed = record.get("shoe", []), record.get("prefixed", [])
        few = self.prefixed == [s for s in range(self.seats) if s in self.prefixed]
        bare = few and self.prefixed and "legal" not in words
        must(bare or "prefixed" not in record, "it has a prefix for seats that can't have one")
        self.strikes, self.turn, self.packs, self.wrong_packs = Counter(), 0, 0, []
        self.hands, self.shown, self.fallback_action = [], {"game": record["game"]}, None

    def follow(self, seat):
        """The next row, which belongs to this seat."""
        must(self.turn < len(self.rows), "the record ends before the game does")
        row, self.turn = self.rows[self.turn], self.turn + 1
        must(row[0] == seat, f"turn {self.turn - 1} is seat {row[0]}'s, but it is seat {seat}'s")
        return row

    def silent(self, row):
        """Nobody was asked in the turn just read, so nothing was answered and nothing measured."""
        number = self.turn - 1
        nothing = row[2:] == ("", 0, 0, 0) and not {number} & {*self.answers, *self.faults}
        must(nothing, f"turn {number} asks nobody, but has a question, an answer, a fault or times")

    def dealer(self):
        """What the dealer does next."""
        row = self.follow(-1)
        self.silent(row)
        return row[1]

    def deal(self, pack):
        """The dealer brings this pack, in the order that the key gives."""
        order, label = self.dealer(), f"{self.label}/{self.packs}"
        must(sorted(order.split(",")) == sorted(pack), f"turn {self.turn - 1} deals no whole pack")
        if self.key and order != (right := ",".join(shuffled(pack, self.key, label))):
            self.wrong_packs.append(
                f"pack {label} is {order[:14]}..., the key gives {right[:14]}..."
            )
        self.packs += 1
        return order.split(",")

    def only_packs(self):
        """Go to the end of a game whose rules are not known, and look at packs and faults alone.

        A pack lies in its own order before it is shuffled: suit by suit, each from its lowest rank.
        """
        while self.turn < len(self.rows):
            seat, action, *_ = self.rows[self.turn]
            if seat == -1 and "," in action:
                self.deal(sorted(action.split(","), key=place_in_pack))
            else:
                fault = self.faults.get(self.turn)
                self.strikes[seat] += bool(fault) and fault["kind"] not in self.forgiven
                self.turn += 1

    def clear(self):
        """The dealer goes on to the next hand."""
        must(self.dealer() == "next", f"turn {self.turn - 1} should be the dealer's next")

    def ask(self, seat, may, read, fallback_action=None, /, **own):
        """A seat is shown what all are shown and its own, and plays; returns the action.

        One that fails, or has failed too often, is played for, by `fallback_action` or the first
        legal action. `may` are the allowed actions, or says whether one is; `read` gives the action
        that a line means, None for a line that is no answer. Every word of the question must be in
        `shown`, in `own`, or the seat's hand.
        """
        number, row = self.turn, self.follow(seat)
        _, action, question, *measured = row
        allowed = may if callable(may) else may.__contains__
        fault, answer = self.faults.get(number), self.answers.get(number, action)
        if out := self.strikes[seat] >= self.limit:
            self.silent(row)
        else:
            self.compare(number, seat, question, own)
            listed = number not in self.answers or answer != action
            must(listed, f"turn {number} lists an answer that is the action itself")
            meant = None if answer is None else read(answer)
            right = meant is not None and allowed(meant)
            if fault is None:
                must(meant == action, f"turn {number}: {answer!r} is not {action}")
                must(right, f"turn {number}: {action} is not allowed")
            self.conduct.turn(f"turn {number}", seat, measured, answer, fault, meant, right)
        if fault:
            struck = fault["kind"] not in self.forgiven
            must(fault["struck"] is struck, f"turn {number}: the settings decide what is a strike")
            self.strikes[seat] += struck
        if fault or out:
            instead = may[0] if fallback_action is None else fallback_action
            must(
                action == instead, f"turn {number} plays {action}, the fallback action is {instead}"
            )
        return action

    def compare(self, number, seat, question, own):
        """A question has exactly the words that it should have."""
        facts = {"seat": seat, **self.shown, **own}
        if self.hands:
            facts.setdefault("hand", self.hands[seat])
            facts["hands"] = "/".join(",".join(hand) or "-" for hand in self.hands)
        names = [*PREFIX * (seat in self.prefixed), *self.words]
        right, asked = [written(facts[name]) for name in names], question.split(" ")
        for name, one, other in zip(names, asked, right):
            must(one == other, f"turn {number} shows seat {seat} the {name} {one}, it is {other}")
        must(asked == right, f"turn {number} asks {len(asked)} words, {len(right)} are to be asked")

    def ended(self):
        """The record has no more turns, and nothing is listed for turns that it doesn't have."""
        must(self.turn == len(self.rows), "the record goes on after the game has ended")
        listed = {*self.answers, *self.faults} <= {*range(self.turn)}
        must(listed, "answers or faults are listed of turns that the record doesn't have")


def place_in_pack(card):
    """Where a card lies in a pack in its own order."""
    return "CDHS".index(card[1]), "123456789TJNQKA".index(card[0])


def written(value):
    """A value as a question writes it."""
    return (",".join(map(str, value)) if isinstance(value, list) else str(value)) or "-"

"""A record, followed turn by turn: what was asked, answered and dealt."""

import re
from collections import Counter

from basics import must, shuffled


class Table:
    """A record, read turn by turn. The functions of the games say what should stand in it."""

    def __init__(self, record, words, key, label, strikes):
        """`words` are the names of a question's words; without a `key` packs aren't compared."""
        turns = record["turns"]
        self.rows = list(zip(turns["seat"], turns["action"], turns["question"], strict=True))
        self.answers, self.faults = dict(turns["answer"]), dict(turns["fault"])
        self.words, self.key, self.label, self.limit = words, key, label, strikes["limit"]
        self.seats, self.purses = record["seats"], record["purses"]
        self.shoe = record.get("shoe", [])
        self.strikes, self.turn, self.packs, self.wrong_packs = Counter(), 0, 0, []
        self.hands, self.shown, self.stand_in = [], {}, None

    def follow(self, seat):
        """The next action and question, which belong to this seat."""
        must(self.turn < len(self.rows), "the record ends before the game does")
        who, action, question = self.rows[self.turn]
        must(who == seat, f"turn {self.turn} is seat {who}'s, but it is seat {seat}'s turn")
        self.turn += 1
        return action, question

    def deal(self, pack):
        """The dealer brings this pack, in the order that the key gives."""
        order, label = self.follow(-1)[0], f"{self.label}/{self.packs}"
        must(sorted(order.split(",")) == sorted(pack), f"turn {self.turn - 1} deals no whole pack")
        if self.key and order != (right := ",".join(shuffled(pack, self.key, label))):
            self.wrong_packs.append(
                f"pack {label} is {order[:14]}..., the key gives {right[:14]}..."
            )
        self.packs += 1
        return order.split(",")

    def clear(self):
        """The dealer goes on to the next hand."""
        must(self.follow(-1)[0] == "next", f"turn {self.turn - 1} should be the dealer's next")

    def ask(self, seat, legal, stand_in=None, **own):
        """A seat is shown its hand, what all are shown and its own, and plays; returns the action.

        One that fails, or has failed too often, is played for, by `stand_in` or the first legal
        action. `legal` are the allowed actions, None where the caller looks at the action itself.
        """
        number, (action, question) = self.turn, self.follow(seat)
        asked = dict(zip(self.words, question.split(" "), strict=False))
        out, fault = self.strikes[seat] >= self.limit, self.faults.get(number)
        must(out == (not question), f"turn {number} asks seat {seat} though it is out, or doesn't")
        hand = {"hand": self.hands[seat]} if self.hands else {}
        for name, value in {} if out else {**hand, **self.shown, **own}.items():
            text = (",".join(map(str, value)) or "-") if isinstance(value, list) else str(value)
            must(
                asked.get(name) == text,
                f"turn {number} shows seat {seat} the {name} {asked.get(name)}, it is {text}",
            )
        if fault or out:
            self.strikes[seat] += bool(fault and fault["struck"])
            right = legal[0] if stand_in is None else stand_in
            must(action == right, f"turn {number} plays {action}, the stand-in is {right}")
        else:
            answer = self.answers.get(number, action) or ""
            must(letters(answer) == letters(action), f"turn {number}: {answer!r} is not {action}")
            must(legal is None or action in legal, f"turn {number}: {action} is not allowed")
        return action

    def allow(self, holds):
        """Raise `Wrong` unless the last action may be played."""
        number = self.turn - 1
        must(holds, f"turn {number}: {self.rows[number][1]} is not allowed")


def letters(answer):
    """An answer without what may be written in several ways: case, order, blanks, fractions."""
    plain = re.sub(r"\.\d*", "", answer.upper())
    return sorted(re.sub(r"[^A-Z0-9!]|\b0+(?=\d)", "", plain))

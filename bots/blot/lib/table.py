"""A question of blot, taken apart: what the protocol's words mean, as values.

    question = parse(words)
    question.hand          ("KS", "QS", "7S")
    question.contract      Contract(10, "S", capot=False, doubled=0, seat=3), or None
    question.cards         the cards that may be played now
    question.say("KS")     the answer that plays it

Cards, calls and suits stay text, as the protocol writes them.
"""

from typing import NamedTuple

LOWEST_LEVEL, HIGHEST_LEVEL = 8, 80


class Contract(NamedTuple):
    """The standing bid: `strain` is C, D, H, S or N; `doubled` is 1 after a contra, 2 after XX."""

    level: int
    strain: str
    capot: bool
    doubled: int
    seat: int


class Trick(NamedTuple):
    """Cards in the order they were played, the first by the seat `leader`."""

    leader: int
    cards: tuple


class Declaration(NamedTuple):
    """What a seat has announced: T, F, H, 4 or B; `cards` is empty until they are shown."""

    seat: int
    kind: str
    cards: tuple


class Question(NamedTuple):
    """Everything that a seat is told; seats are 0 to 3.

    `calls` are pairs of a seat and what it said. `points` and `scores` are those of the sides
    0+2 and 1+3. `hands` are all four, or None where the table doesn't open them.
    """

    phase: str
    legal: tuple
    seat: int
    dealer: int
    hand: tuple
    calls: tuple
    contract: Contract | None
    declarations: tuple
    history: tuple
    trick: Trick
    points: tuple
    scores: tuple
    target: int
    hands: tuple | None

    @property
    def cards(self):
        """The cards that may be played, each once, whatever can be announced with it."""
        return tuple(dict.fromkeys(answer.partition("+")[0] for answer in self.legal))

    def say(self, card):
        """The answer that plays this card and announces all that can be announced with it."""
        return max((one for one in self.legal if one.partition("+")[0] == card), key=len)

    @property
    def lowest(self):
        """The lowest level that may be bid, or None where no bid without capot is allowed."""
        last = self.legal[-1]
        if self.phase != "bid" or not last.endswith("+") or last.endswith("c+"):
            return None
        return int(last[:-1])


def parse(words):
    """Read a question, a list of its words."""
    phase, legal, seat, dealer, hand, auction, contract, declarations, history, trick = words[1:11]
    points, scores, target = words[11:14]
    seat, dealer = int(seat), int(dealer)
    open_hands = tuple(map(_listed, words[14].split("/"))) if len(words) > 14 else None
    return Question(
        phase,
        _listed(legal),
        seat,
        dealer,
        _listed(hand),
        _calls(dealer, auction),
        _contract(contract),
        tuple(map(_declaration, _listed(declarations, "/"))),
        tuple(map(_trick, _listed(history, "/"))),
        Trick(seat, ()) if trick == "-" else _trick(trick),
        _numbers(points),
        _numbers(scores),
        int(target),
        open_hands,
    )


def _listed(text, separator=","):
    return () if text in ("-", "") else tuple(text.split(separator))


def _numbers(text):
    return tuple(map(int, text.split(",")))


def _calls(dealer, auction):
    """Pair every call with its seat.

    They go round from the dealer's next. A contra ends that: only the bidding side is asked then,
    the doubler's next first, and its partner if that one passes. (Under `recontra_by: declarer`,
    which no word tells, it is the bidder alone, and that call may stand for the partner's here.)
    """
    calls, seat, step = [], (dealer + 1) % 4, 1
    for call in _listed(auction):
        calls.append((seat, call))
        seat = (seat + step) % 4
        if call == "X":
            step = 2
    return tuple(calls)


def _contract(text):
    if text == "-":
        return None
    bid, _, seat = text.partition("@")
    doubled = bid.count("x")
    bid = bid.rstrip("x")
    capot = bid.endswith("c")
    bid = bid.rstrip("c")
    return Contract(int(bid[:-1]), bid[-1], capot, doubled, int(seat))


def _trick(text):
    leader, _, cards = text.partition(":")
    return Trick(int(leader), _listed(cards))


def _declaration(text):
    seat, kind, *cards = text.split(":")
    return Declaration(int(seat), kind, _listed(cards[0]) if cards else ())

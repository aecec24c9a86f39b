"""Bazar Blot, by docs/rules/blot.md."""

import re
from itertools import chain, combinations, product

from cards import RANKS, SUITS, around, by_trumps, following, pack_of, partners, tricks

FOURS = {"Q": 100, "K": 100, "T": 100, "A": 110, "9": 140, "J": 200}
NO_TRUMP = {"9": 0, "J": 100, "A": 190}
TOPS = "AKQJT987"


def blot(table, o):
    """Deal after deal: an auction, then eight tricks."""
    table.stand_in = "revoke"

    def play(first):
        bid = auction(table, o, first)
        return bid and played(table, first, *bid)

    return partners(table, pack_of("789TJQKA"), 4, o.first_dealer, play, o.max_deals, o.target)


def auction(table, o, first):
    """The bid that stands: level, trumps, capot, bidder, and how often it was doubled; or None."""
    bid, calls, seat = None, [], first

    def call(seat, legal):
        calls.append(table.ask(seat, [*legal, "P"], "P", auction=calls))
        return calls[-1]

    while True:
        level, _, capot, bidder = bid or (7, "", "", seat)
        bids = product(range(level + 1, 81), "CDHSN", {"c", capot})
        legal = [f"{n}{s}{c}" for n, s, c in bids if not c or n >= o.capot_level]
        said = call(seat, legal + ["X"] * ((bidder - seat) % 2))
        if said == "X":
            asked = [bidder] if o.recontra_by == "declarer" else [(seat + 1) % 4, (seat + 3) % 4]
            return *bid, 1 + any(call(each, ["XX"]) == "XX" for each in asked)
        if said != "P":
            number, strain, capot = re.fullmatch(r"(\d+)(.)(c?)", said).groups()
            bid = int(number), strain, capot, seat
        enough = 3 if bid and o.auction_end == "three_passes" else 4
        if calls[-enough:] == ["P"] * enough:
            return bid and (*bid, 0)
        seat = (seat + 1) % 4


def played(table, first, level, strain, capot, bidder, doubled):
    """Play a deal; what both sides score."""
    said, points, took = [declared(hand, strain) for hand in table.hands], [0, 0], [0, 0]

    def worth(card):
        special = {"J": 20, "9": 14} if card[1] == strain else {"A": 19} if strain == "N" else {}
        return {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, **special}.get(card[0], 0)

    power = by_trumps(strain, lambda card: (worth(card), RANKS.index(card[0])))

    def legal(hand, trick):
        follows = any(card[1] == trick[0][1] for card in hand) if trick else True
        mate_wins = len(trick) > 1 and trick[-2] == max(trick, key=lambda c: power(c, trick))
        return hand if mate_wins and not follows else following(hand, trick, power, strain)

    for winner, trick, _ in tricks(table, first, legal, power, points=points):
        if "revoke" in trick.values():
            everything = sum(value for each in said for *_, value in each) // 10
            return [0 if side == winner % 2 else 16 + everything for side in (0, 1)]
        points[winner % 2] += sum(map(worth, trick.values())) + 10 * (not table.hands[winner])
        took[winner % 2] += 1
    side, extra, gained = bidder % 2, counted(said, first), [0, 0]
    total = (252 if took[side] == 8 else points[side]) + extra[side]
    made = total // 10 >= level and (took[side] == 8 or not capot)
    winner = side if made else 1 - side
    share = 25 if took[winner] == 8 else (points[side] + 4) // 10 if made and not doubled else 16
    factor = ((2, 3, 5) if strain == "N" else (1, 2, 4))[doubled]
    gained[winner] = level * factor + share + extra[winner] // 10
    if made and not doubled:
        gained[1 - side] = max(0, 16 - share) + extra[1 - side] // 10
    return gained


def declared(hand, strain):
    """The declarations that count the most: how strong each is, how many cards, and its value."""
    fours = {**FOURS, **NO_TRUMP} if strain == "N" else FOURS
    known = [((1, n, at), [r + s for s in SUITS], n) for at, (r, n) in enumerate(fours.items())]
    known, ways = [*known, ((), ["K" + strain, "Q" + strain], 20)], []
    known = [each for each in known if {*each[1]} <= {*hand}]
    for some in chain.from_iterable(combinations(known, n) for n in range(4)):
        used = [card for _, cards, _ in some for card in cards]
        way = [(strength, len(cards), value) for strength, cards, value in some]
        for suit in SUITS:
            line = "".join(r if r + suit in {*hand} - {*used} else " " for r in TOPS)
            for run in re.findall(r"\S{3,}", line):
                value = {3: 20, 4: 50}.get(len(run), 100)
                way.append(((0, value, -TOPS.index(run[0]), suit == strain), len(run), value))
        ways += [way] if len(used) == len({*used}) else []
    return max(ways, key=lambda way: (sum(d[2] for d in way), -sum(d[1] for d in way)))


def counted(said, first):
    """The declarations' points of both sides: all of the side with the best, the others' belote."""
    best = max(around(first, 4), key=lambda seat: max((s for s, *_ in said[seat]), default=()))
    counts = [[n for s, _, n in said[seat] if not s or (best - seat) % 2 == 0] for seat in range(4)]
    return [sum(counts[side] + counts[side + 2]) for side in (0, 1)]

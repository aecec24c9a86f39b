"""Bazar Blot, by docs/rules/blot.md."""

import re
from itertools import chain, combinations, product

from cards import (
    RANKS,
    SUITS,
    around,
    by_trumps,
    following,
    pack_of,
    partners,
    tricks,
)

from games import answers

FOURS = {"Q": 100, "K": 100, "T": 100, "A": 110, "9": 140, "J": 200}
NO_TRUMP = {"9": 0, "J": 100, "A": 190}
TOPS = "AKQJT987"


def blot(table, o):
    """Deal after deal: an auction, then eight tricks."""
    table.fallback_action = "revoke"
    table.shown["target"] = o.target

    def play(first):
        bid = auction(table, o, first)
        return bid and played(table, first, *bid)

    return partners(table, pack_of("789TJQKA"), 4, o.first_dealer, play, o.max_deals, o.target)


def auction(table, o, first):
    """The bid that stands: level, trumps, capot, bidder, and how often it was doubled; or None."""
    bid, calls, seat, doubled = None, [], first, ""
    table.shown |= {"phase": "bid", "auction": calls, "declarations": "", "points": [0, 0]}

    def call(seat, words, bids):
        lowest = [f"{level + 1}{capot}+"] if bids else []
        contract = bid and contract_text(*bid, doubled)
        facts = {"legal": ["P", *words, *lowest], "contract": contract or ""}
        calls.append(table.ask(seat, [*bids, *words, "P"], answers.call, "P", **facts))
        return calls[-1]

    while True:
        level, _, capot, bidder = bid or (7, "", "", seat)
        bids = product(range(level + 1, 81), "CDHSN", {"c", capot})
        legal = [f"{n}{s}{c}" for n, s, c in bids if not c or n >= o.capot_level]
        said = call(seat, ["X"] * ((bidder - seat) % 2), legal)
        if said == "X":
            asked = [bidder] if o.recontra_by == "declarer" else [(seat + 1) % 4, (seat + 3) % 4]
            doubled = "x"
            return *bid, 1 + any(call(each, ["XX"], []) == "XX" for each in asked)
        if said != "P":
            number, strain, capot = re.fullmatch(r"(\d+)(.)(c?)", said).groups()
            bid = int(number), strain, capot, seat
        enough = 3 if bid and o.auction_end == "three_passes" else 4
        if calls[-enough:] == ["P"] * enough:
            return bid and (*bid, 0)
        seat = (seat + 1) % 4


def contract_text(level, strain, capot, bidder, doubled):
    """The bid that stands, as questions write it."""
    return f"{level}{strain}{capot}{doubled}@{bidder}"


def played(table, first, level, strain, capot, bidder, doubled):
    """Play a deal; what both sides score."""
    said, points, took = [declared(hand, strain) for hand in table.hands], [0, 0], [0, 0]
    contract = contract_text(level, strain, capot, bidder, "x" * doubled)

    def announced(_):
        return "/".join(text for seat in around(first, 4) for text in told(seat))

    def told(seat):
        left = table.hands[seat]
        for kind, _, cards, _ in said[seat]:
            if kind == "B":
                if {*cards} - {*left}:
                    yield f"{seat}:B:{','.join(cards)}"
            elif len(left) < 7:
                yield f"{seat}:{kind}:{','.join(cards)}"
            elif len(left) < 8:
                yield f"{seat}:{kind}"

    def worth(card):
        special = {"J": 20, "9": 14} if card[1] == strain else {"A": 19} if strain == "N" else {}
        return {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, **special}.get(card[0], 0)

    power = by_trumps(strain, lambda card: (worth(card), RANKS.index(card[0])))

    def legal(hand, trick):
        follows = any(card[1] == trick[0][1] for card in hand) if trick else True
        mate_wins = len(trick) > 1 and trick[-2] == max(trick, key=lambda c: power(c, trick))
        return hand if mate_wins and not follows else following(hand, trick, power, strain)

    facts = {"contract": contract, "declarations": announced, "points": points}
    for winner, trick, _ in tricks(table, first, legal, power, answers.card_or_revoke, **facts):
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
    """The declarations that count the most, as they are announced: kind, strength, cards, value."""
    fours = {**FOURS, **NO_TRUMP} if strain == "N" else FOURS
    known = [
        ("4", (1, n, at), [r + s for s in SUITS], n) for at, (r, n) in enumerate(fours.items())
    ]
    known.sort(key=lambda four: -four[3])
    known, ways = [*known, ("B", (), ["K" + strain, "Q" + strain], 20)], []
    known = [each for each in known if {*each[2]} <= {*hand}]
    for some in chain.from_iterable(combinations(known, n) for n in range(4)):
        used = [card for _, _, cards, _ in some for card in cards]
        way = list(some)
        for suit in SUITS:
            line = "".join(r if r + suit in {*hand} - {*used} else " " for r in TOPS)
            for run in re.findall(r"\S{3,}", line):
                kind, value = {3: ("T", 20), 4: ("F", 50)}.get(len(run), ("H", 100))
                strength = (0, value, -TOPS.index(run[0]), suit == strain)
                way.append((kind, strength, [rank + suit for rank in run], value))
        ways += [way] if len(used) == len({*used}) else []
    best = max(ways, key=lambda way: (sum(d[3] for d in way), -sum(len(d[2]) for d in way)))
    return sorted(best, key=lambda each: "BTFH4".index(each[0]), reverse=True)


def counted(said, first):
    """The declarations' points of both sides: all of the side with the best, the others' belote."""
    best = max(around(first, 4), key=lambda seat: max((d[1] for d in said[seat]), default=()))
    counts = [
        [n for k, *_, n in said[seat] if k == "B" or (best - seat) % 2 == 0] for seat in range(4)
    ]
    return [sum(counts[side] + counts[side + 2]) for side in (0, 1)]

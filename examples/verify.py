"""Check a season of Card Arena that somebody else has published, without Card Arena.

    python3 verify.py friday-0003.zip [HEAD]

HEAD is a head of the ledger that you have saved. This program is written from docs/verifying.md and
docs/rules, and imports nothing of the arena. Whatever it can't check, it says.
"""

import hashlib
import hmac
import json
import re
import sys
import zipfile
from collections import Counter
from fractions import Fraction
from itertools import chain, combinations, pairwise
from types import SimpleNamespace

RANKS, SUITS = "23456789TJQKA", "CDHS"
ZEROS = "0" * 64


class Wrong(Exception):
    """A record contradicts the rules."""


class Unknown(Exception):
    """This program doesn't know how something is played."""


def must(holds, sentence):
    """Raise `Wrong` unless something holds."""
    if not holds:
        raise Wrong(sentence)


def sha256(data):
    """The SHA-256 of bytes, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def shuffled(items, key, label):
    """The recipe of protocol.md: these items in the order that key and label give."""
    items, drawn, block = list(items), b"", 0
    for last in range(len(items) - 1, 0, -1):
        byte = 256
        while byte >= 256 - 256 % (last + 1):
            if not drawn:
                drawn = hmac.digest(key, f"{label}/{block}".encode(), "sha256")
                block += 1
            byte, drawn = drawn[0], drawn[1:]
        other = byte % (last + 1)
        items[last], items[other] = items[other], items[last]
    return items


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
        self.stand_in = None

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

    def ask(self, seat, legal, stand_in, **shown):
        """A seat is shown this and plays; one that fails, or has failed too often, is played for.

        `legal` are the allowed actions, None where the caller looks at the action itself.
        """
        number, (action, question) = self.turn, self.follow(seat)
        asked = dict(zip(self.words, question.split(" "), strict=False))
        out, fault = self.strikes[seat] >= self.limit, self.faults.get(number)
        must(out == (not question), f"turn {number} asks seat {seat} though it is out, or doesn't")
        for name, value in {} if out else shown.items():
            text = (",".join(map(str, value)) or "-") if isinstance(value, list) else str(value)
            must(
                asked.get(name) == text,
                f"turn {number} shows seat {seat} the {name} {asked.get(name)}, it is {text}",
            )
        if fault or out:
            self.strikes[seat] += bool(fault and fault["struck"])
            must(action == stand_in, f"turn {number} plays {action}, the stand-in is {stand_in}")
        else:
            answer = self.answers.get(number, action) or ""
            must(letters(answer) == letters(action), f"turn {number}: {answer!r} is not {action}")
            must(legal is None or action in legal, f"turn {number}: {action} is not allowed")
        return action


def letters(answer):
    """An answer without what may be written in several ways: case, order, blanks, fractions."""
    plain = re.sub(r"\.\d*", "", answer.upper())
    return sorted(re.sub(r"[^A-Z0-9!]|\b0+(?=\d)", "", plain))


def around(first, seats):
    """The seats in turn, beginning with this one."""
    return [(first + step) % seats for step in range(seats)]


def highest(pack):
    """The seat that draws the highest card where the first dealer is drawn."""
    return max(range(4), key=lambda seat: (RANKS.index(pack[seat][0]), SUITS.index(pack[seat][1])))


def held(cards):
    """A hand as questions name it: spades, hearts, diamonds, clubs, each from the ace down."""
    return sorted(cards, key=lambda c: (SUITS.index(c[1]), RANKS.index(c[0])), reverse=True)


def pack_of(ranks):
    """A pack in its own order: suit by suit, each from its lowest rank."""
    return [rank + suit for suit in SUITS for rank in ranks]


def tricks(table, hands, leader, legal, power, shown):
    """Play tricks until the hands are empty: yields leader, cards, winner, and what was said.

    `legal(hand, trick)` are the cards that may be played, `power(card, trick)` what compares them.
    """
    while hands[leader]:
        trick, said = [], []
        for seat in around(leader, len(hands)):
            text = f"{leader}:{','.join(trick)}" if trick else "-"
            may = legal(hands[seat], trick)
            other = table.stand_in or may[0]
            action = table.ask(seat, None, other, hand=hands[seat], trick=text, **shown)
            card, _, more = action.partition(" ")
            if card == table.stand_in:
                yield leader, [card], seat, []
                return
            must(card in may, f"turn {table.turn - 1}: {card} is not allowed")
            trick.append(card)
            said += [(hands[seat].copy(), more)] if more else []
            hands[seat].remove(card)
        heights = [power(card, trick) for card in trick]
        winner = (leader + heights.index(max(heights))) % len(hands)
        yield leader, trick, winner, said
        leader = winner


# --- blackjack: docs/rules/blackjack.md ---


def score(cards):
    """The best total up to 21; 0 for a hand that is bust."""
    total = sum(int(c[0]) if c[0].isdigit() else 1 if c[0] == "A" else 10 for c in cards)
    total += 10 * (total <= 11 and any(c[0] == "A" for c in cards))
    return total if total <= 21 else 0


def blackjack(table, o):
    """Hand after hand against the dealer, from one pack, and a new one when it is used up."""
    count, pack, earlier, inside = table.seats, list(table.shoe), "", []
    brought = table.purses or [o.start_chips] * count
    chips, hands, won = list(brought), [0] * count, [0] * count
    written = str.lower if o.letters == "lower" else str
    if table.shoe:
        table.clear()
    for number in range(o.hands):
        price = 0 if o.buy_in_per == "round" and number else 10
        inside = [s for s in range(count) if chips[s] >= LEAST[o.afford]] if price else inside
        if not inside:
            break
        for seat in inside:
            chips[seat], hands[seat] = chips[seat] - price, hands[seat] + 1
        pack = [] if number and o.shoe == "hand" else pack
        stakes, moves, cards = [price] * count, Counter(), {s: [] for s in (*inside, -1)}
        house, seen, playing, last = cards[-1], "", list(inside), -1
        due = [*inside, -1] * 2 if o.deal_order == "players_first" else [-1, -1, *inside * 2]
        while True:
            for seat in due:
                pack = pack or table.deal(pack_of(RANKS))
                seen += pack[0][0] if seat >= 0 or len(house) > 1 else ""
                cards[seat].append(pack.pop(0))
                if seat in playing and not score(cards[seat]):
                    playing.remove(seat)
            if not playing:
                if due := [-1] * (0 < score(house) < o.dealer_stands_at):
                    continue
                break
            first = last if o.turns == "whole" and last >= 0 else (last + 1) % count
            last = seat = next(s for s in around(first, count) if s in playing)
            own, visible = "".join(c[0] for c in cards[seat]), house[0][0] + "#" + seen
            shown = {"hand": written(own), "visible": earlier + written(visible)}
            shown |= {"score": score(cards[seat]), "stake": stakes[seat], "chips": chips[seat]}
            action = table.ask(seat, None, "S", **shown)
            more = int(action[2:]) if action[0] == "B" else stakes[seat] * (action == "D")
            lent = action == "D" and o.unaffordable_double == "allowed"
            form = r"[HS]|B [0-9]+" if moves[seat] else r"[HSD]|B [0-9]+"
            enough = action[0] != "B" or more >= (o.bet_zero != "nothing")
            allowed = re.fullmatch(form, action) and enough and (more <= chips[seat] or lent)
            must(allowed, f"turn {table.turn - 1}: {action} is not allowed")
            chips[seat], stakes[seat] = chips[seat] - more, stakes[seat] + more
            moves[seat] += 1
            if action in "SD" or moves[seat] == o.move_cap:
                playing.remove(seat)
            due = [seat] * (action in "HD")
        for seat in inside:
            more = (score(cards[seat]) or -1) - score(house)
            chips[seat] += stakes[seat] * (2 * (more > 0) + (more == 0 and o.push == "return"))
            won[seat] += more > 0
        table.clear()
        if o.visible_scope == "round":
            earlier += written(house[0][0] + house[1][0] + seen)
    pack = pack if o.shoe == "exhausted" else []
    scores = [now - then for now, then in zip(chips, brought, strict=True)]
    return {"scores": scores, "hands": hands, "won": won, "purses": chips, "shoe": pack}


# --- spades: docs/rules/spades.md ---


def spades_tricks(table, o, hands, first, shown):
    """Play thirteen tricks; how many each seat takes."""
    clubs, gone, took = o.first_lead == "two_of_clubs", [], [0] * 4
    leader = next(seat for seat in range(4) if "2C" in hands[seat]) if clubs else first

    def legal(hand, trick):
        if trick or any(c[1] == "S" for c in gone):
            return [c for c in hand if trick and c[1] == trick[0][1]] or hand
        return ["2C"] if clubs and not gone else [c for c in hand if c[1] != "S"] or hand

    def power(card, trick):
        return card[1] == "S", card[1] == trick[0][1], RANKS.index(card[0])

    shown = {**shown, "took": took}
    for _, trick, winner, _ in tricks(table, hands, leader, legal, power, shown):
        took[winner] += 1
        gone += trick
    return took


def spades(table, o):
    """Round after round: four hands, a bid each, thirteen tricks."""
    scores, bags, won, number, over = [0, 0], [0, 0], [0, 0], 0, False
    dealer = highest(table.deal(pack_of(RANKS))) if o.first_dealer == "drawn" else 0
    while not over:
        number, first, points = number + 1, (dealer + 1) % 4, [0, 0]
        pack = table.deal(pack_of(RANKS))
        hands = [held(pack[(seat - first) % 4 :: 4]) for seat in range(4)]
        bids = ["-"] * 4
        public = {"dealer": dealer, "scores": list(scores), "bags": list(bags)}
        for seat in around(first, 4):
            mate = bids[seat - 2]
            most = 13 - (0 if mate == "-" or o.bid_cap == "none" else mate)
            legal = [*range(1, most + 1), *range(mate == 0 and not o.double_nil, 1)]
            shown = {**public, "hand": hands[seat], "bids": bids}
            bids[seat] = int(table.ask(seat, [*map(str, legal)], str(legal[0]), **shown))
        took = spades_tricks(table, o, hands, first, {**public, "bids": bids})
        for side in (0, 1):
            nils = [seat for seat in (side, side + 2) if bids[seat] == 0]
            alone = sum(took[s] for s in nils) if o.failed_nil_tricks == "bags" else 0
            bid, tricks = bids[side] + bids[side + 2], took[side] + took[side + 2] - alone
            more = alone + max(0, tricks - bid)
            points[side] = sum(-100 if took[s] else 100 for s in nils) + more
            points[side] += 10 * bid if tricks >= bid else -10 * bid
            points[side] -= (bags[side] + more) // 10 * o.bag_penalty
            scores[side], bags[side] = scores[side] + points[side], (bags[side] + more) % 10
        won = [won[side] + (points[side] > points[1 - side]) for side in (0, 1)]
        goal = o.goal + (o.goal_test == "exceeded")
        reached = max(scores) >= goal or (o.lose and min(scores) <= o.lose)
        over = number == o.max_rounds or (reached and scores[0] != scores[1])
        dealer = first
    return {"scores": scores * 2, "hands": [number] * 4, "won": won * 2}


# --- Bazar Blot: docs/rules/blot.md ---

FOURS = {"J": 200, "9": 140, "A": 110, "K": 100, "Q": 100, "T": 100}
FOURS_AT_NO_TRUMP = {"A": 190, "K": 100, "Q": 100, "J": 100, "T": 100}


def worth(card, strain):
    """What a card counts."""
    if card[1] == strain:
        return {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3}.get(card[0], 0)
    return {"A": 19 if strain == "N" else 11, "T": 10, "K": 4, "Q": 3, "J": 2}.get(card[0], 0)


def declarations(hand, strain):
    """The layout of a hand with the most points, as kind, cards, value; then the fewest cards."""
    fours = (FOURS_AT_NO_TRUMP if strain == "N" else FOURS).items()
    found = [("4", [r + s for s in SUITS], n) for r, n in fours]
    found = [*found, ("B", ["K" + strain, "Q" + strain], 20)]
    found, layouts = [each for each in found if {*each[1]} <= {*hand}], []
    for some in chain.from_iterable(combinations(found, n) for n in range(len(found) + 1)):
        used, layout = [card for each in some for card in each[1]], list(some)
        for suit in SUITS if len(used) == len({*used}) else ():
            line = "".join(r if r + suit in {*hand} - {*used} else " " for r in "AKQJT987")
            for run in (run for run in line.split() if len(run) > 2):
                kind, value = {3: ("T", 20), 4: ("F", 50)}.get(len(run), ("H", 100))
                layout.append((kind, [rank + suit for rank in run], value))
        layouts += [layout] if len(used) == len({*used}) else []
    return max(layouts, key=lambda said: (sum(d[2] for d in said), -sum(len(d[1]) for d in said)))


def counted(said, strain, first):
    """The declarations' points of both sides: all of the side with the best, the others' belote."""

    def strength(seat):
        return [
            (3, value, "QKTA9J".index(cards[0][0]))
            if kind == "4"
            else ("TFH".index(kind), "789TJQKA".index(cards[0][0]), cards[0][1] == strain)
            for kind, cards, value in said[seat]
            if kind != "B"
        ]

    best = max(around(first, 4), key=lambda seat: max(strength(seat), default=(-1,)))
    points = [0, 0]
    for seat in range(4):
        mine = (seat - best) % 2 == 0
        points[seat % 2] += sum(value for kind, _, value in said[seat] if mine or kind == "B")
    return points


def auction(table, o, hands, first, public):
    """The calls in turn; the bid that stands as level, strain, capot, seat and contras, or None."""
    bid, doubled, calls, queue, seat = None, 0, [], [], first
    while True:
        call = table.ask(seat, None, "P", hand=hands[seat], auction=calls, **public)
        calls = [*calls, call]
        if made := re.fullmatch(r"(\d+)([CDHSN])(c?)", call):
            right = not doubled and (bid[0] if bid else 7) < int(made[1]) <= 80
            capot = bool(made[3])
            right = right and (int(made[1]) >= o.capot_level if capot else not (bid and bid[2]))
            bid = int(made[1]), made[2], capot, seat
        elif call == "X":
            right, doubled = bid and not doubled and (bid[3] - seat) % 2, 1
            queue = [(seat + 1) % 4, (seat + 3) % 4] if o.recontra_by == "both" else [bid[3]]
        else:
            right, doubled = call == "P" or (call == "XX" and doubled), doubled * len(call)
        must(right, f"turn {table.turn - 1}: {call} is not allowed")
        passes = 3 if bid and o.auction_end == "three_passes" else 4
        if doubled == 2 or (not queue and (doubled or calls[-passes:] == ["P"] * passes)):
            return bid and (*bid, doubled)
        seat = queue.pop(0) if queue else (seat + 1) % 4


def blot(table, o):
    """Deal after deal: eight cards each, an auction, eight tricks."""
    pack, scores, won, played = pack_of("789TJQKA"), [0, 0], [0, 0], 0
    dealer, table.stand_in = highest(table.deal(pack)) if o.first_dealer == "drawn" else 0, "revoke"
    for _ in range(o.max_deals):
        first, order = (dealer + 1) % 4, table.deal(pack)
        turns = [4 * ((seat - first) % 4) for seat in range(4)]
        hands = [held(order[at : at + 4] + order[at + 16 : at + 20]) for at in turns]
        public = {"dealer": dealer, "scores": scores}
        if bid := auction(table, o, hands, first, public):
            gained = blot_deal(table, hands, bid, first, public)
            scores = [scores[side] + gained[side] for side in (0, 1)]
            won = [won[side] + (gained[side] > gained[1 - side]) for side in (0, 1)]
            played += 1
        dealer = first
        if max(scores) >= o.target and scores[0] != scores[1]:
            break
    return {"scores": scores * 2, "hands": [played] * 4, "won": won * 2}


def blot_deal(table, hands, bid, first, public):
    """Play a deal; what both sides score."""
    (level, strain, capot, bidder, doubled), points, took = bid, [0, 0], [0, 0]
    said = [declarations(hand, strain) for hand in hands]

    def power(card, trick):
        if card[1] == strain:
            return 10 + "78QKTA9J".index(card[0])
        return "789JQKTA".index(card[0]) if card[1] == trick[0][1] else -1

    def legal(hand, trick):
        suit = [c for c in hand if trick and c[1] == trick[0][1]]
        trumps = suit or [c for c in hand if c[1] == strain]
        if not trick or not trumps or (suit and trick[0][1] != strain):
            return suit or hand
        best = max(power(c, trick) for c in trick)
        if not suit and len(trick) > 1 and power(trick[-2], trick) == best:
            return hand
        return [c for c in trumps if power(c, trick) > best] or trumps

    shown = {**public, "points": points}
    for _, trick, winner, _ in tricks(table, hands, first, legal, power, shown):
        if trick == ["revoke"]:
            all_said = sum(value for each in said for *_, value in each) // 10
            return [0 if side == winner % 2 else 16 + all_said for side in (0, 1)]
        points[winner % 2] += sum(worth(c, strain) for c in trick) + 10 * (not hands[winner])
        took[winner % 2] += 1
    side, extra, gained = bidder % 2, counted(said, strain, first), [0, 0]
    everything = (252 if took[side] == 8 else points[side]) + extra[side]
    made = everything // 10 >= level and (took[side] == 8 or not capot)
    winner = side if made else 1 - side
    share = 25 if took[winner] == 8 else (points[side] + 4) // 10 if made and not doubled else 16
    if made and not doubled:
        gained[1 - winner] = max(0, 16 - share) + extra[1 - winner] // 10
    factor = ((2, 3, 5) if strain == "N" else (1, 2, 4))[doubled]
    gained[winner] = level * factor + share + extra[winner] // 10
    return gained


# --- French tarot: docs/rules/tarot.md ---

TAROT = [r + s for s in SUITS for r in "123456789TJNQK"] + [f"A{n}" for n in range(1, 22)] + ["EX"]
CONTRACTS = ["petite", "garde", "sans", "contre"]


def suit(card):
    """The suit; A for a trump, X for the Excuse."""
    return card[0] if card[0] == "A" else card[1]


def halves(card):
    """What a card counts, in half points."""
    if card in ("A1", "A21", "EX"):
        return 9
    return 1 if suit(card) == "A" else {"K": 9, "Q": 7, "N": 5, "J": 3}.get(card[0], 1)


def tarot(table, o):
    """Deal after deal: bids, the taker's discard, 24 tricks."""
    scores, won, count, dealer, number, again = [0] * 3, [0] * 3, 0, 2, 1, 0
    while number <= o.deals:
        first, order, bids = (dealer + 1) % 3, table.deal(TAROT), ["-"] * 3
        parts = [[order[at + i] for at in range(0, 78, 13) for i in range(*where)]
                 for where in ((0, 4), (5, 9), (9, 13), (4, 5))]  # fmt: skip
        *dealt, dog = [sorted(part, key=TAROT.index) for part in parts]
        hands = [dealt[(seat - first) % 3] for seat in range(3)]
        public = {"dealer": dealer, "scores": list(scores), "deal": f"{number}/{o.deals}"}
        dealer, taker, lowest = first, None, 0 if o.petite else 1
        alone = any([c for c in h if suit(c) in "AX"] == ["A1"] for h in hands)
        off = alone and o.petit_sec == "annul"
        for seat in [] if off else around(first, 3):
            names = ["pass", *CONTRACTS[lowest:]]
            legal = names + [n + "!" for n in names if n != "pass" or o.chelem_by == "any"]
            bids[seat] = table.ask(seat, legal, "pass", hand=hands[seat], bids=list(bids), **public)
            if not bids[seat].startswith("pass"):
                taker, lowest = seat, CONTRACTS.index(bids[seat].strip("!")) + 1
        aside = []
        if taker is not None:
            aside = put_away(table, o, hands[taker], taker, dog, bids[taker].strip("!"), public)
        if off or aside is None or (taker is None and again < o.redeals):
            again += 1
            continue
        number, again = number + 1, 0
        if taker is not None:
            price, made = tarot_deal(table, o, hands, first, taker, bids, aside, public)
            scores = [n + price * (2 if s == taker else -1) for s, n in enumerate(scores)]
            won = [n + ((s == taker) == made) for s, n in enumerate(won)]
            count += 1
    return {"scores": scores, "hands": [count] * 3, "won": won}


def put_away(table, o, hand, taker, dog, contract, public):
    """What counts for the taker without being played; None if the deal is annulled."""
    if contract not in ("petite", "garde"):
        return dog if contract == "sans" else []
    hand[:] = sorted([*hand, *dog], key=TAROT.index)
    plain = [c for c in hand if suit(c) in SUITS and c[0] != "K"]
    trumps = [c for c in hand if suit(c) == "A" and c not in ("A1", "A21")]
    if len(plain) < 6 and o.trump_discards != "forced":
        return None
    may = plain if len(plain) >= 6 else plain + trumps
    stand_in = ",".join(may[:6])
    away = table.ask(taker, None, stand_in, hand=hand, taker=taker, **public).split(",")
    right = len({*away}) == 6 and {*away} <= {*may} and (may == plain or {*plain} <= {*away})
    must(right, f"turn {table.turn - 1}: {','.join(away)} can't be put away")
    hand[:] = [c for c in hand if c not in away]
    return away


def tarot_deal(table, o, hands, first, taker, bids, aside, public):
    """Play a deal; what each defender pays the taker, and whether he has made the contract."""
    history, shown, announced = [], 0, [s for s in around(first, 3) if bids[s] == "pass!"]
    leader = taker if bids[taker].endswith("!") else [*announced, first][0]
    sizes = [*map(int, o.poignees.split("/"))]

    def power(card, trick):
        if card == "EX":  # led to the last trick by a taker who has all others, it wins
            return 999 if trick[0] == "EX" and [w for *_, w in history] == [taker] * 23 else -9
        followed = suit(card) == suit((trick[1:] if trick[0] == "EX" else trick)[0])
        return 100 + int(card[1:]) if suit(card) == "A" else followed * (1 + TAROT.index(card) % 14)

    def legal(hand, trick):
        led = [c for c in trick if c != "EX"][:1] if trick[:1] == ["EX"] else trick[:1]
        same = [c for c in hand if led and suit(c) == suit(led[0])]
        trumps = [c for c in hand if suit(c) == "A"]
        if not led or not (same or trumps):
            return hand
        if not same or suit(led[0]) == "A":
            best = max((int(c[1:]) for c in trick if suit(c) == "A"), default=0)
            same = [c for c in trumps if int(c[1:]) > best] or trumps
        return [c for c in hand if c in same or c == "EX"]

    shows = {**public, "taker": taker, "contract": bids[taker]}
    for led, trick, winner, said in tricks(table, hands, leader, legal, power, shows):
        for hand, more in said:
            cards = more.removeprefix("show ").split(",")
            trumps = [c for c in hand if suit(c) == "A"]
            whole = {*cards} == {*trumps, "EX"} and "EX" in hand
            right = not history and ({*cards} <= {*trumps} or whole) and len({*cards}) == len(cards)
            must(right, f"{more} is no poignée")
            shown += (20, 30, 40)[sizes.index(len(cards))]
        history.append((led, trick, winner))
    points, bouts = sum(map(halves, aside)), sum(halves(c) == 9 and c[0] in "AE" for c in aside)
    for led, trick, winner in history:
        for card, seat in zip(trick, around(led, 3), strict=True):
            own, mine, value = seat == taker, winner == taker, halves(card) * (winner == taker)
            if card == "EX" and (led, trick, winner) == history[-1] and seat != winner:
                value = 9 * (mine if o.excuse_last == "to_winner" else not own)
            elif card == "EX":
                value = 9 * own if own == mine else 8 if own else 1
            points, bouts = points + value, bouts + (value >= 8 and card in ("A1", "A21", "EX"))
    times = (1, 2, 4, 6)[CONTRACTS.index(bids[taker].strip("!"))]
    taken, over = sum(w == taker for *_, w in history), points - 2 * (56, 51, 41, 36)[bouts]
    made = over > 0 or (over == 0 and o.reach == "at_least")
    sign, (led, trick, winner) = 1 if made else -1, history[-1]
    before = trick[0] == "EX" and winner == led == taker  # the trick before counts as the last
    _, trick, winner = history[-2 if before else -1]
    extras = sign * shown + 10 * times * (1 if winner == taker else -1) * ("A1" in trick)
    alone, theirs = bids[taker].endswith("!"), bool(announced)
    extras += {24: 200 + 200 * alone, 0: -200 - 200 * theirs}.get(taken, 200 * (theirs - alone))
    if o.half_points == "kept":
        return sign * (50 + abs(over)) * times + 2 * extras, made
    return sign * (25 + (abs(over) + 1) // 2) * times + extras, made


# --- durak: docs/rules/durak.md ---


def durak(table, o):
    """One game: bout after bout, until at most one seat has cards."""
    n, pack, place = table.seats, pack_of(RANKS[13 - o.deck // 4 :]), RANKS.index
    order = table.deal(pack)
    given, talon = order[: 6 * n], order[6 * n :]
    trump, talon = (talon or given[-1:])[0], talon[1:] + talon[:1]

    def key(card):
        return card[1] == trump[1], SUITS.index(card[1]), place(card[0])

    hands, out = [sorted(given[seat::n], key=key) for seat in range(n)], [0] * n
    low = [(place(c[0]), s) for s in range(n) for c in hands[s] if c[1] == trump[1] and c != trump]
    attacker = min(low, default=(0, 0))[1]

    def after(seat):
        return next(s for s in around(seat + 1, n) if not out[s])

    def most(seat):
        return min(o.first_limit if bout == 1 else 6, len(hands[seat]))

    for bout in range(1, 501):
        defender, attacks, defences, laid, done, taking = after(attacker), [], [], [], [], False
        limit = most(defender)
        while True:
            left, fits = limit - len(attacks), {c[0] for c in attacks + defences}
            seat, legal, stand_in = attacker, list(hands[attacker]), hands[attacker][:1]
            if attacks and (taking or len(attacks) == len(defences)):
                others = around(defender + 1, n)[:-1] if o.throwers == "all" else [after(defender)]
                may = {s: [c for c in hands[s] if c[0] in fits] for s in [attacker, *others]}
                seat = next((s for s in may if left and may[s] and s not in done), None)
                if seat is None:
                    break
                legal, stand_in = [*may[seat], "done"], ["done"]
            elif attacks:
                seat, it = defender, attacks[len(defences)]
                legal = [c for c in hands[seat] if key(c) > key(it) and c[1] in it[1] + trump[1]]
                if o.transfer == "card" and not defences and most(after(seat)) > len(attacks):
                    legal += ["pass " + c for c in hands[seat] if c[0] == it[0]]
                legal, stand_in = [*legal, "take"], [*legal, "take"]
            shown = {"hand": hands[seat], "sizes": [len(hand) for hand in hands], "left": left}
            shown |= {"attacker": attacker, "defender": defender, "talon": len(talon)}
            word, card = ("", *table.ask(seat, legal, stand_in[0], **shown).split(" "))[-2:]
            hands[seat] = [c for c in hands[seat] if c != card]
            if card in ("done", "take"):
                done, taking = [*done, seat], taking or card == "take"
            elif seat == defender and not word:
                defences.append(card)
            else:
                attacks, laid, done = [*attacks, card], [*laid, seat], []
            if word:
                attacker, defender, limit = seat, after(seat), most(after(seat))
        if taking:
            hands[defender] = sorted(hands[defender] + attacks + defences, key=key)
        first = dict.fromkeys(laid) if o.refill == "throwers" else around(attacker, n)
        turns = [*(s for s in first if s != defender), defender]
        for seat in range(n) if o.refill == "seats" else turns:
            missing = max(0, 6 - len(hands[seat]))
            hands[seat], talon = sorted(hands[seat] + talon[:missing], key=key), talon[missing:]
        if not talon:
            out = [went or (0 if hand else bout) for went, hand in zip(out, hands, strict=True)]
        if out.count(0) <= 1:
            break
        attacker = after(defender) if taking or out[defender] else defender
    ends = [went or 501 for went in out]
    scores = [2 * sum(e > end for e in ends) + ends.count(end) - 1 for end in ends]
    return {"scores": scores, "hands": [1] * n, "won": [int(s > min(scores)) for s in scores]}


# --- the season ---

WORDS = "game phase legal seat dealer hand "
GAMES = {  # the words of a question; the options that are played; those that are only known so
    "blackjack": (
        blackjack,
        "score hand visible stake chips",
        "start_chips hands dealer_stands_at push=lose|return buy_in_per=hand|round"
        " afford=at_least_10|over_10|over_20 visible_scope=hand|round"
        " deal_order=players_first|dealer_first shoe=round|exhausted|hand turns=passes|whole"
        " letters=upper|lower unaffordable_double=stand|allowed bet_zero=stand|nothing"
        " fractions=truncate|malformed answers=lenient|strict move_cap",
        {"visible_order": "up_first"},
    ),
    "spades": (
        spades,
        WORDS + "bids history trick took scores bags goal lose",
        "goal goal_test=reached|exceeded lose max_rounds bag_penalty bid_cap=none|side double_nil"
        " failed_nil_tricks=bags|contract|both first_dealer=seat_0|drawn"
        " first_lead=dealers_left|two_of_clubs open_hands",
        {"blind_nil": "off", "blind_exchange": 0},
    ),
    "blot": (
        blot,
        WORDS + "auction contract declarations history trick points scores target",
        "target max_deals first_dealer=seat_0|drawn auction_end=four_passes|three_passes"
        " capot_level recontra_by=both|declarer open_hands",
        {
            "ruff_partner_winning": "free",
            "trump_over_partner": "any",
            "undertrump": "forced",
            "declare": "auto",
            "belote_overlap": False,
            "top_card": "high",
            "fulfil": "raw",
            "capot_fulfils": "its_points",
            "decl_counts_for_contract": True,
            "revoke": "round",
            "defenders_share": "rest",
            "loser_belote": "lost",
            "no_trump_double": "3/5",
        },
    ),
    "tarot": (
        tarot,
        WORDS + "bids taker contract dog discard shown history trick scores deal",
        "deals petite chelem_by=taker|any trump_discards=forced|never poignees=13/15/18|10/13/15"
        " petit_sec=annul|ignore redeals dog=shown|hidden excuse_last=changes_side|to_winner"
        " reach=at_least|more half_points=rounded|kept open_hands",
        {},
    ),
    "durak": (
        durak,
        "game phase legal seat hand trump talon sizes table attacker defender left history",
        "deck throwers=all|neighbours first_limit transfer=never|card"
        " refill=attacker_first|throwers|seats open_hands",
        {
            "throw_in": "one",
            "throw_after_take": True,
            "transfer_back": True,
            "deuce_beats_ace": False,
            "last_cards": "draw",
            "partners": False,
            "redeal": False,
        },
    ),
}


SEATS = {
    "blackjack": range(1, 5),
    "spades": [4],
    "blot": [4],
    "tarot": [3],
    "durak": range(2, 7),
}
LEAST = {"at_least_10": 10, "over_10": 11, "over_20": 21}


def sides_of(game, options, seats):
    """The side of every seat."""
    together = game in ("spades", "blot") or options.get("partners")
    return [seat % 2 if together else seat for seat in range(seats)]


def unknown(record):
    """Why this program can't follow a record; empty if it can."""
    if record["game"] not in GAMES or record["version"] != 1 or record["format"] != 2:
        return f"{record['game']}, version {record['version']} of its rules"
    *_, played, fixed = GAMES[record["game"]]
    strange = []
    known = {name: texts.split("|") for name, _, texts in map(by_name, played.split())}
    for name, value in record["options"].items():
        texts = [fixed[name]] if name in fixed else known.get(name, [])
        if value not in texts and (texts != [""] or isinstance(value, str)):
            strange.append(f"{name}: {value}")
    return ", ".join(strange)


def by_name(option):
    """An option that is played, and the texts that it may be."""
    return option.partition("=")


class Season:
    """A season's file, and what is found in it."""

    def __init__(self, path):
        """Read the five members; hashes are made of the bytes that are there."""
        with zipfile.ZipFile(path) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
        self.facts, self.manifest, self.standings = (
            json.loads(parts[name]) for name in ("season.json", "manifest.json", "standings.json")
        )
        self.hashes = {name: sha256(data) for name, data in parts.items()}
        self.ledger_lines = parts["ledger.jsonl"].splitlines()
        self.ledger = [json.loads(line) for line in self.ledger_lines]
        lines = parts["matches.jsonl"].splitlines()
        self.matches = {match["key"]: match for match in map(json.loads, lines)}
        self.match_hashes = dict(zip(self.matches, map(sha256, lines), strict=True))
        self.settings, self.found, self.notes = self.manifest["settings"], [], []
        self.for_chips = self.settings["game"] == "blackjack" and not self.settings["duplicate"]
        self.players = [e["version"] for e in self.manifest["entrants"] if not e["sits_out"]]
        self.seed, self.key, self.count = self.facts["seed"], None, Counter()
        self.points = "not followed"

    def check(self, head):
        """Everything, in the order of docs/verifying.md."""
        self.check_ledger(head)
        self.check_manifest()
        self.results = {key: self.check_match(match) for key, match in self.matches.items()}
        if self.count["packs"] and self.count["packs"] == self.count["wrong packs"]:
            self.found.append(
                "no pack is the one that the key gives: manifest, seed or public value are others"
                " than those with which the season was played (a bundle, a setting, who sat out)"
            )
        self.check_format()

    def check_ledger(self, head):
        """The chain of hashes; what it tells of this season is what the file holds."""
        hashes, number, previous = [*map(sha256, self.ledger_lines)], self.facts["season"], ZEROS
        for place, (entry, own) in enumerate(zip(self.ledger, hashes, strict=True), 1):
            if (entry["number"], entry["previous"]) != (place, previous):
                self.found.append(f"the ledger was rewritten: its entry {place} doesn't follow")
            previous = own
        if self.facts["head"] != hashes[-1] or (head and head not in hashes):
            self.found.append(f"the ledger was rewritten: no entry has the head {head or 'of old'}")
        began = [entry["season"] for entry in self.ledger if entry["kind"] == "begin"]
        for before, after in pairwise(began):
            if after != before + 1:
                self.found.append(f"season {before + 1} was left out: after {before} came {after}")
        here = [entry for entry in self.ledger if entry["season"] == number]
        told = {entry["key"]: entry for entry in here if entry["kind"] == "match"}
        for key in sorted({*told} | {*self.matches}):
            if key not in self.matches:
                self.found.append(f"{key}: the match was dropped, the ledger tells of it")
            elif key not in told:
                self.found.append(f"{key}: the ledger tells of no such match")
            elif (told[key]["sha256"], told[key]["entrants"]) != (
                self.match_hashes[key],
                self.matches[key]["entrants"],
            ):
                self.found.append(f"{key}: the match was changed after it was played")
        self.told = {entry["kind"]: entry for entry in here}
        end = self.told.get("finish")
        if (end is not None) != self.facts["finished"] or (
            end and (end["matches"], end["sha256"]) != (len(told), self.hashes["standings.json"])
        ):
            self.found.append("the end of the season, or its standings, were changed")

    def check_manifest(self):
        """The manifest is the one that was published, and so are seed and public value."""
        manifest, value = self.manifest, self.facts["public_value"]
        own, begin = self.hashes["manifest.json"], self.told["begin"]
        if not own == begin["sha256"] == self.facts["manifest"]:
            self.found.append(
                "the manifest was changed after the season had begun: a setting, an entrant's"
                " bundle, or who sits out"
            )
        if manifest["previous"] != begin["previous"]:
            self.found.append("the manifest follows another entry of the ledger: one was left out")
        if (value is not None, value) != (
            "value" in self.told,
            self.told.get("value", {}).get("value"),
        ) or (value is not None and manifest["public_value"]["source"] == "none"):
            self.found.append("the public value is not the one that the ledger tells of")
        if manifest["public_value"]["source"] == "nonces" and value is not None:
            self.check_nonces(manifest["public_value"], value)
        if not self.seed:
            self.notes.append("the seed is still secret: packs and seats aren't checked")
            return
        seed, promised = bytes.fromhex(self.seed), [manifest["seed"]["sha256"]]
        if manifest["seed"]["source"] == "made" and "announce" in self.told:
            promised.append(self.told["announce"]["sha256"])
        if {sha256(seed)} != {*promised}:
            self.found.append("the seed is not the one that was announced")
        text = f"{own}/{value or ''}".encode()
        self.key = hmac.digest(seed, text, "sha256") if manifest["key"] == "manifest" else seed

    def check_nonces(self, source, value):
        """Nonces are those that were handed in, all that could be are there, and give the value."""
        here = [entry for entry in self.ledger if entry["season"] == self.facts["season"]]
        shown = {entry["bot"]: entry["nonce"] for entry in here if entry["kind"] == "nonce"}
        left_out = {bot for entry in here if entry["kind"] == "unshown" for bot in entry["bots"]}
        for bot, text in shown.items():
            if sha256(text.encode()) != source["hashes"].get(bot):
                self.found.append(f"the nonce of {bot} was swapped: another hash was handed in")
        if {*source["hashes"]} - {*shown} != left_out or (
            left_out and self.told["value"]["time"] < source["until"]
        ):
            self.found.append("a nonce was dropped, or left out before the time for it was over")
        if sha256("".join(f"{bot} {shown[bot]}\n" for bot in sorted(shown)).encode()) != value:
            self.found.append("the public value is not the one that the nonces give")

    def check_match(self, match):
        """Seats, packs, play and scores of a match; its counted scores, purses and shoe."""
        key, settings, records = match["key"], self.settings, match["records"]
        sides = sides_of(settings["game"], settings["options"], len(match["seatings"][0]))
        first = [*range(len(sides))] if settings["partners"] == "different" else sides
        count = len({*sides}) if settings["duplicate"] else 1
        turns = [first[turn:] + first[:turn] for turn in range(count)]
        right = turns * (len(match["seatings"]) // count)
        entrants = [sides[first.index(entrant)] for entrant in sorted({*first})]
        if (match["seatings"], match["sides"]) != (right, entrants):
            self.found.append(f"{key}: entrants sat in another order than the settings give")
        if out := {*match["entrants"]} - {*self.players}:
            self.found.append(f"{key}: version {min(out)} played, but is said to sit out")
        board, scores, struck = -1, [0] * len(match["entrants"]), set()
        for game, (record, seating) in enumerate(zip(records, match["seatings"], strict=True), 1):
            board += seating == match["seatings"][0]
            self.check_record(f"{key}, game {game}", record, f"{key}/{board}")
            struck |= {match["sides"][seating[seat]] for seat in record["struck_out"]}
            for entrant in range(len(scores)):
                scores[entrant] += record["over"]["scores"][seating.index(entrant)]
        return self.counted(match, scores, struck)

    def counted(self, match, scores, struck):
        """What each entrant's lead is made of: nobody counts more than one of a better rank."""
        order = [(s in struck, -n) for s, n in zip(match["sides"], scores, strict=True)]
        capped = [min(n for n, o in zip(scores, order, strict=True) if o <= own) for own in order]
        leads = []
        for own, side in zip(capped, match["sides"], strict=True):
            theirs = [n for n, s in zip(capped, match["sides"], strict=True) if s != side]
            leads.append(own - Fraction(sum(theirs), len(theirs)) if theirs else Fraction(0))
        return leads

    def check_record(self, where, record, label):
        """One game: follow it by the rules, and compare how it ended."""
        settings = self.settings
        if (record["game"], record["options"]) != (settings["game"], settings["options"]):
            self.found.append(f"{where}: it was played with other options than the season's")
        if why := unknown(record):
            self.count["unknown"] += 1
            self.notes.append(f"this program doesn't know {why}: such games aren't followed")
            return
        play, words, *_ = GAMES[record["game"]]
        table = Table(record, words.split(), self.key, label, settings["strikes"])
        try:
            end = play(table, SimpleNamespace(**record["options"]))
            must(table.turn == len(table.rows), "the record goes on after the game has ended")
            for name, value in end.items():
                stored = record["over"].get(name, [])
                must(stored == value, f"{name} were changed: {stored}, but the play gives {value}")
            out = [s for s in range(table.seats) if table.strikes[s] >= table.limit]
            must(out == record["struck_out"], "the seats that were struck out were changed")
        except Wrong as error:
            self.found.append(f"{where}: {error}")
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            self.found.append(f"{where}: the record can't be followed: {error!r}")
        self.count.update(games=1, packs=table.packs, turns=table.turn)
        self.count["wrong packs"] += len(table.wrong_packs)
        self.found += [f"{where}: another deal: {text}" for text in table.wrong_packs[:1]]

    def check_format(self):
        """Follow a contest by its lots, up to the points; of other formats say so."""
        name, options = next(iter(self.settings["format"].items()))
        if name != "contest":
            self.notes.append(f"who met whom, and the points: the format is {name}")
        elif not self.facts["finished"] or self.count["unknown"]:
            self.notes.append("who met whom, and the points, of a season without all its games")
        elif self.count["packs"] > self.count["wrong packs"]:
            points = self.follow_contest(options)
            stored = {each["version"]: each["points"] for each in self.standings["standings"]}
            self.points = "by the lots of a contest"
            if points is not None and points != stored:
                self.found.append(f"the points were changed: {stored}, the matches give {points}")

    def table_sizes(self, bots):
        """How many entrants sit at each table of a round, the fullest first."""
        settings, sizes = self.settings, []
        for seats in range(settings["seats"], 0, -1):
            sides = sides_of(settings["game"], settings["options"], seats)
            size = seats if settings["partners"] == "different" else len({*sides})
            if seats in SEATS[settings["game"]]:
                sizes += [size] * (bots // size)
                bots %= size
            if not bots or (sizes and not self.for_chips):
                break
        return sizes

    def follow_contest(self, contest):
        """Seat every round by lot; the points of every version, None if the seats are others."""
        settings, points, games = self.settings, dict.fromkeys(self.players, 0), Counter()
        legs, rounds, most = (
            contest["legs"],
            contest["rounds"],
            len(self.table_sizes(len(self.players))),
        )
        start, seen = settings["options"].get("start_chips", 0), set()
        least = LEAST[settings["options"]["afford"]] if self.for_chips else 0
        for leg in range(1, legs + 1):
            purses, shoes, seated = dict.fromkeys(self.players, start), {}, Counter()
            for round in range(1, rounds + 1):
                place = f"t{leg:0{max(2, len(str(legs)))}}/r{round:0{len(str(rounds))}}"
                place = f"{self.facts['tournament']}/{self.facts['season']:04}/{place}"
                lots = [v for v in self.players if purses[v] >= least]
                lots = sorted(shuffled(lots, self.key, f"{place}/seats"), key=seated.__getitem__)
                for table, size in enumerate(self.table_sizes(len(lots))):
                    versions, lots = lots[:size], lots[size:]
                    name = chr(ord("a") + table) if most <= 26 else f"{table + 1:0{len(str(most))}}"
                    key = f"{place}/{name}"
                    if key not in self.matches:
                        self.found.append(f"{key}: the season is finished without this match")
                        return None
                    match, leads = self.matches[key], self.results[key]
                    if match["entrants"] != versions:
                        self.found.append(f"{key}: {match['entrants']} sat there, not {versions}")
                        return None
                    seen.add(key)
                    seated.update(versions)
                    games.update(dict.fromkeys(versions, len(match["records"])))
                    if not self.for_chips:
                        points |= {v: points[v] + n for v, n in zip(versions, leads, strict=True)}
                        continue
                    record, brought = match["records"][0], [purses[v] for v in versions]
                    was = record["purses"] or [start] * size, record.get("shoe", [])
                    if was != (brought, shoes.get(table, [])):
                        self.found.append(f"{key}: chips or shoe are not those of the round before")
                    purses |= zip(versions, record["over"]["purses"], strict=True)
                    shoes[table] = record["over"].get("shoe", [])
            if self.for_chips:
                kept = {
                    v: n * (n >= least or contest["broke"] == "chips") for v, n in purses.items()
                }
                points |= {v: points[v] + kept[v] for v in points}
        for key in sorted({*self.matches} - seen):
            self.found.append(f"{key}: the season has no such match")
        if self.for_chips:
            return {v: n / legs for v, n in points.items()}
        return {v: float(n / games[v]) for v, n in points.items() if games[v]}


def main(path, head=""):
    """Check a file, and say what was found."""
    try:
        season = Season(path)
        season.check(head)
    except (
        OSError,
        zipfile.BadZipFile,
        LookupError,
        ValueError,
        TypeError,
        AttributeError,
    ) as error:
        print(f"WRONG: {path} can't be followed as a season's file: {error!r}")
        return 1
    facts, count = season.facts, season.count
    print(
        f"{facts['tournament']}, season {facts['season']}: followed {len(season.ledger)} entries of"
        f" the ledger, {len(season.matches)} matches, {count['games']} games, {count['turns']}"
        f" turns, {count['packs'] if season.key else 0} packs from the key; points: {season.points}"
    )
    for note in dict.fromkeys(season.notes):
        print(f"not checked: {note}")
    for sentence in season.found:
        print(f"WRONG: {sentence}")
    print(f"the ledger's head is {facts['head']}")
    return 1 if season.found else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: python3 verify.py SEASON.zip [HEAD]")
    sys.exit(main(*sys.argv[1:]))

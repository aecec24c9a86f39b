"""French tarot, by docs/rules/tarot.md."""

from functools import partial

from cards import around, deals, dealt, following, tricks

from games.answers import CONTRACTS, TAROT, bid_of, card_and_shown, six_cards

BOUTS = ["A1", "A21", "EX"]


def suit(card):
    """The suit; A for a trump, X for the Excuse."""
    return card[0] if card[0] == "A" else card[1]


def is_trump(card):
    """Whether it is one of the trumps; the Excuse is not."""
    return suit(card) == "A"


def halves(card):
    """What a card counts, in half points."""
    return 9 if card in BOUTS else {"K": 9, "Q": 7, "N": 5, "J": 3}.get(card[0], 1)


def tarot(table, o):
    """Deal after deal: bids, the taker's discard, 24 tricks."""
    scores, won, count, number, again = [0] * 3, [0] * 3, 0, 1, 0
    for first, order in deals(table, TAROT, 2, 3):
        hands = dealt([card for at, card in enumerate(order) if at % 13 != 4], 3, first, 4)
        table.hands = [sorted(hand, key=TAROT.index) for hand in hands]
        table.shown |= {"scores": scores, "deal": f"{number}/{o.deals}", "phase": "bid"}
        table.shown |= dict.fromkeys(("taker", "contract", "dog", "discard", "shown"), "")
        alone = any([c for c in hand if suit(c) in "AX"] == ["A1"] for hand in table.hands)
        annulled = alone and o.petit_sec == "annul"
        bids, taker, lowest = ["-"] * 3, None, 0 if o.petite else 1
        for seat in [] if annulled else around(first, 3):
            names = ["pass", *CONTRACTS[lowest:]]
            chelems = [name + "!" for name in names if name != "pass" or o.chelem_by == "any"]
            legal, table.shown["bids"] = names + chelems, bids
            bids[seat] = table.ask(seat, legal, bid_of, legal=legal)
            if not bids[seat].startswith("pass"):
                taker, lowest = seat, CONTRACTS.index(bids[seat].strip("!")) + 1
        aside = [] if taker is None else put_away(table, o, taker, bids[taker], order[4::13])
        if annulled or aside is None or (taker is None and again < o.redeals):
            again += 1
            continue
        number, again = number + 1, 0
        if taker is not None:
            price, made = played(table, o, first, taker, bids, aside, order[4::13])
            scores = [n + price * (2 if s == taker else -1) for s, n in enumerate(scores)]
            won = [n + ((s == taker) == made) for s, n in enumerate(won)]
            count += 1
        if number > o.deals:
            return {"scores": scores, "hands": [count] * 3, "won": won}


def put_away(table, o, taker, bid, dog):
    """What counts for the taker without being played; None if the deal is annulled."""
    if bid.strip("!") not in ("petite", "garde"):
        return dog if bid.startswith("sans") else []
    hand = table.hands[taker] = sorted([*table.hands[taker], *dog], key=TAROT.index)
    plain = [card for card in hand if suit(card) not in "AX" and card[0] != "K"]
    trumps = [card for card in hand if suit(card) == "A" and card not in BOUTS]
    if len(plain) < 6 and o.trump_discards != "forced":
        return None
    may = plain if len(plain) >= 6 else plain + trumps

    def allowed(action):
        cards = {*action.split(",")}
        return cards <= {*may} and (may == plain or {*plain} <= cards)

    facts = {"phase": "discard", "legal": may, "taker": taker, "contract": bid}
    facts["dog"] = sorted(dog, key=TAROT.index)
    away = table.ask(taker, allowed, six_cards, ",".join(may[:6]), **facts).split(",")
    table.hands[taker] = [card for card in hand if card not in away]
    return away


def played(table, o, first, taker, bids, aside, dog):
    """Play a deal; what each defender pays the taker, and whether the contract is made."""
    history, shown, sizes = [], [], [*map(int, o.poignees.split("/"))]
    contract, announced = bids[taker], [s for s in around(first, 3) if bids[s] == "pass!"]
    leader = taker if contract.endswith("!") else [*announced, first][0]
    takes = contract.strip("!") in ("petite", "garde")

    def power(card, trick):
        if card == "EX":  # led to the last trick by a taker who has all others, it wins
            return 999 if trick[0] == "EX" and [w for w, _ in history] == [taker] * 23 else -9
        followed = suit(card) == suit((trick[1:] if trick[0] == "EX" else trick)[0])
        return 100 + int(card[1:]) if suit(card) == "A" else followed * (1 + TAROT.index(card) % 14)

    def legal(hand, trick):
        led = trick[1:] if trick[:1] == ["EX"] else trick
        return [c for c in hand if c in [*following(hand, led, power, "A", suit), "EX"]]

    def may_say(hand, more):
        cards, trumps = {*more.removeprefix("show ").split(",")}, {*filter(is_trump, hand)}
        whole = "EX" in hand and cards == {*trumps, "EX"}
        return not history and (whole or cards <= trumps)

    def dog_seen(seat):
        return sorted(dog, key=TAROT.index) if takes and (seat == taker or o.dog == "shown") else ""

    def put_away_seen(seat):
        return [card for card in aside if seat == taker or is_trump(card)] if takes else ""

    read = partial(card_and_shown, sizes)
    facts = {"taker": taker, "contract": contract, "dog": dog_seen, "discard": put_away_seen}
    facts["shown"] = lambda _: "/".join(f"{seat}:{cards}" for seat, cards in shown)
    for winner, trick, said in tricks(table, leader, legal, power, read, may_say, **facts):
        if said:
            shown.append((winner, said.removeprefix("show ")))
        else:
            history.append((winner, trick))
    shown = sum((20, 30, 40)[sizes.index(len(cards.split(",")))] for _, cards in shown)
    points, bouts = sum(map(halves, aside)), len({*aside} & {*BOUTS})
    for winner, trick in history:
        for seat, card in trick.items():
            won, own, half = winner == taker, seat == taker, 0
            if card == "EX" and seat != winner and trick is history[-1][1]:
                won = won if o.excuse_last == "to_winner" else not own
            elif card == "EX":  # who played it keeps it, and gives half a point for it
                won, half = own, won - own
            points, bouts = points + halves(card) * won + half, bouts + (won and card in BOUTS)
    times = (1, 2, 4, 6)[CONTRACTS.index(contract.strip("!"))]
    over = points - 2 * (56, 51, 41, 36)[bouts]
    made = over > 0 or (over == 0 and o.reach == "at_least")
    sign, (winner, trick) = 1 if made else -1, history[-1]
    if trick[winner] == "EX":  # the trick before counts as the last
        winner, trick = history[-2]
    extras = sign * shown + 10 * times * (1 if winner == taker else -1) * ("A1" in trick.values())
    alone, theirs = contract.endswith("!"), bool(announced)
    chelem = {24: 200 + 200 * alone, 0: -200 - 200 * theirs}
    extras += chelem.get([w for w, _ in history].count(taker), 200 * (theirs - alone))
    if o.half_points == "kept":
        return sign * (50 + abs(over)) * times + 2 * extras, made
    return sign * (25 + (abs(over) + 1) // 2) * times + extras, made

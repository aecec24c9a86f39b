"""Spades, by docs/rules/spades.md."""

from cards import RANKS, around, by_trumps, following, pack_of, partners, tricks

from games.answers import number, one_of


def spades(table, o):
    """Round after round: a bid each, then thirteen tricks."""
    bags = [0, 0]

    def play(first):
        bids = ["-"] * 4
        table.shown |= {"bags": list(bags), "bids": bids, "took": [0] * 4, "phase": "bid"}
        for seat in around(first, 4):
            mate = bids[seat - 2]
            most = 13 - (0 if mate == "-" or o.bid_cap == "none" else mate)
            low = int(mate == 0 and not o.double_nil)
            legal = [*map(str, [*range(1, most + 1), *range(low, 1)])]
            own = {"legal": f"{low}..{most}"}
            bids[seat] = int(table.ask(seat, legal, number, **own))
        took, points = thirteen_tricks(table, o, first), [0, 0]
        for side in (0, 1):
            nils = [seat for seat in (side, side + 2) if bids[seat] == 0]
            alone = sum(took[s] for s in nils) if o.failed_nil_tricks == "bags" else 0
            bid, made = bids[side] + bids[side + 2], took[side] + took[side + 2] - alone
            more = alone + max(0, made - bid)
            points[side] = sum(-100 if took[s] else 100 for s in nils) + more
            points[side] += 10 * bid if made >= bid else -10 * bid
            points[side] -= (bags[side] + more) // 10 * o.bag_penalty
            bags[side] = (bags[side] + more) % 10
        return points

    goal, pack = o.goal + (o.goal_test == "exceeded"), pack_of(RANKS)
    table.shown |= {"goal": goal, "lose": str(o.lose or "")}
    return partners(table, pack, 1, o.first_dealer, play, o.max_rounds, goal, o.lose)


def thirteen_tricks(table, o, first):
    """How many tricks each seat takes."""
    clubs, gone, took = o.first_lead == "two_of_clubs", [], [0] * 4
    leader = next(seat for seat in range(4) if "2C" in table.hands[seat]) if clubs else first
    power = by_trumps("S", lambda card: RANKS.index(card[0]))

    def legal(hand, trick):
        if trick or any(card[1] == "S" for card in gone):
            return following(hand, trick, power, trumps=None)
        return ["2C"] if clubs and not gone else [c for c in hand if c[1] != "S"] or hand

    for winner, trick, _ in tricks(table, leader, legal, power, one_of(pack_of(RANKS)), took=took):
        took[winner] += 1
        gone += trick.values()
    return took

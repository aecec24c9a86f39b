"""Blackjack, by docs/rules/blackjack.md."""

from collections import Counter
from functools import partial

from cards import RANKS, around, pack_of

from games.answers import move

LEAST = {"at_least_10": 10, "over_10": 11, "over_20": 21}


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

            left, lowest = chips[seat], int(o.bet_zero != "nothing")
            free = not moves[seat] and (stakes[seat] <= left or o.unaffordable_double == "allowed")
            legal = [*"SH", *"D" * free, *[f"B:{lowest}..{left}"] * (lowest <= left)]
            shown |= {"phase": "play", "legal": legal}

            def allowed(action, stake=stakes[seat], first=not moves[seat], left=chips[seat]):
                bet, kind = int(action[2:] or 0), action[0]
                if kind == "B":
                    return (o.bet_zero != "nothing") <= bet <= left
                return kind != "D" or (
                    first and (stake <= left or o.unaffordable_double == "allowed")
                )

            action = table.ask(seat, allowed, partial(move, o), "S", **shown)
            more = int(action[2:]) if action[0] == "B" else stakes[seat] * (action == "D")
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

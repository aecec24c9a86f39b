"""Durak, by docs/rules/durak.md."""

from cards import RANKS, SUITS, around, dealt, pack_of

from games.answers import laid_or_said


def durak(table, o):  # noqa: C901
    """One game: bout after bout, until at most one seat has cards."""
    n, pack, place = table.seats, pack_of(RANKS[13 - o.deck // 4 :]), RANKS.index
    order = table.deal(pack)
    given, talon = order[: 6 * n], order[6 * n :]
    trump, talon = (talon or given[-1:])[0], talon[1:] + talon[:1]

    def key(card):
        return card[1] == trump[1], SUITS.index(card[1]), place(card[0])

    table.hands = hands = [sorted(hand, key=key) for hand in dealt(given, n)]
    low = [(place(c[0]), s) for s in range(n) for c in hands[s] if c[1] == trump[1] and c != trump]
    attacker, out, history = min(low, default=(0, 0))[1], [0] * n, []
    table.shown["trump"] = f"{trump[1]}:{trump}"

    def after(seat):
        return next(s for s in around(seat + 1, n) if not out[s])

    def most(seat):
        return min(o.first_limit if bout == 1 else 6, len(hands[seat]))

    for bout in range(1, 501):
        defender, attacks, defences, laid, done, taking = after(attacker), [], [], [], [], False
        limit, plays = most(defender), []
        history.append(plays)
        while True:
            left, fits = limit - len(attacks), {c[0] for c in attacks + defences}
            seat, legal, fallback_action, phase = attacker, list(hands[attacker]), None, "attack"
            if attacks and (taking or len(attacks) == len(defences)):
                others = around(defender + 1, n)[:-1] if o.throwers == "all" else [after(defender)]
                may = {s: [c for c in hands[s] if c[0] in fits] for s in [attacker, *others]}
                seat = next((s for s in may if left and may[s] and s not in done), None)
                if seat is None:
                    break
                legal, fallback_action = [*may[seat], "done"], "done"
                phase = "give" if taking else "throw"
            elif attacks:
                seat, it = defender, attacks[len(defences)]
                legal = [c for c in hands[seat] if key(c) > key(it) and c[1] in it[1] + trump[1]]
                if o.transfer == "card" and not defences and most(after(seat)) > len(attacks):
                    legal += ["pass " + c for c in hands[seat] if c[0] == it[0]]
                legal, phase = [*legal, "take"], "defend"
            facts = {"attacker": attacker, "defender": defender, "sizes": [*map(len, hands)]}
            facts |= {"phase": phase, "talon": len(talon), "left": left}
            facts["legal"] = [each.replace(" ", ":") for each in legal]
            beaten = [*defences, *[""] * (len(attacks) - len(defences))]
            facts["table"] = [f"{one}-{other}" for one, other in zip(attacks, beaten)]
            facts["history"] = "/".join(",".join(plays) for plays in history if plays)
            action = table.ask(seat, legal, laid_or_said, fallback_action, **facts)
            plays.append(f"{seat}:{action.replace(' ', ':')}")
            word, card = ("", *action.split(" "))[-2:]
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

"""Fits the numbers in calls.h: what makes a seat bid, double or pass.

    arena export decisions SEASON decisions.jsonl
    python3 fit_calls.py < decisions.jsonl > calls.h

A call is one of a pass, the lowest bid in each strain, and a contra or recontra; how likely each is
follows from its features by a conditional logit. Needs numpy, unlike the bot.
"""

import json
import sys

import numpy as np

STRAINS, RANKS = "CDHSN", "789TJQKA"
TRUMPS = slice(0, 8)
PLAIN = slice(8, 16), slice(16, 24)
AUCTION = slice(24, 32), slice(32, 40)
DOUBLES = slice(40, 50), slice(50, 60)
STEADY = 1.0
"""How much the fit holds back: ridge regression."""


def options(hand, calls, seat, dealer):
    """The calls that a seat may make, with the features of each; a pass has none."""
    held = np.zeros((4, 8))
    for card in hand.split(","):
        held["CDHS".index(card[1]), RANKS.index(card[0])] = 1
    bids, doubled, turn, step = [], False, (dealer + 1) % 4, 1
    for call in calls:
        if call[0].isdigit():
            bids.append((turn, int(call.rstrip("CDHSNc")), STRAINS.index(call.rstrip("c")[-1])))
        turn = (turn + step) % 4
        if call == "X":
            doubled, step = True, 2
    bidder, level, standing = bids[-1] if bids else (seat, 7, -1)
    over_partner = bool(bids) and (bidder - seat) % 2 == 0
    last = [strain for other, _, strain in bids if (other - seat) % 4 == 2][-1:]
    theirs = {strain for other, _, strain in bids if (other - seat) % 2}
    own = {strain for other, _, strain in bids if other == seat}
    rows = {"P": np.zeros(60)}
    for strain in range(0 if doubled else 5):
        row, plain = np.zeros(60), int(strain == 4)
        if not plain:
            row[TRUMPS] = held[strain]
        row[PLAIN[plain]] = held.sum(0) - (0 if plain else held[strain])
        above = level - 7
        partner = [over_partner, over_partner * above, strain in last]
        row[AUCTION[plain]] = [1, not bids, above, *partner, strain in theirs, strain in own]
        rows[STRAINS[strain]] = row
    if doubled or (bids and not over_partner):
        row = np.zeros(60)
        trumps = held[standing] if standing < 4 else np.zeros(8)
        aces, tens = held[:, 7].sum() - trumps[7], held[:, 3].sum() - trumps[3]
        after = bidder == seat if doubled else bool(last)
        honours = [trumps[4], trumps[2], trumps[7] + trumps[3], trumps.sum(), aces, tens]
        row[DOUBLES[doubled]] = [1, standing == 4, level, *honours, after]
        rows["XX" if doubled else "X"] = row
    return rows


def read(lines):
    """All options of all decisions: their features, which was chosen, and where each begins."""
    features, chosen, starts = [], [], []
    for line in lines:
        decision = json.loads(line)
        words, answer = decision["question"].split(), decision["answer"]
        if words[:2] != ["blot", "bid"]:
            continue
        calls = [] if words[6] == "-" else words[6].split(",")
        kind = answer.rstrip("c")[-1] if answer[0].isdigit() else answer
        rows = options(words[5], calls, int(words[3]), int(words[4]))
        if kind in rows:
            starts.append(len(features))
            features += rows.values()
            chosen += [name == kind for name in rows]
    return np.array(features), np.array(chosen), np.array(starts)


def fitted(features, chosen, starts, steps=30):
    """The weights that make the choices likeliest, by Newton's method."""
    weights = np.zeros(features.shape[1])
    sizes = np.diff([*starts, len(features)])
    for _ in range(steps):
        odds = np.exp(np.clip(features @ weights, -30, 30))
        chance = odds / np.repeat(np.add.reduceat(odds, starts), sizes)
        means = np.add.reduceat(features * chance[:, None], starts)
        slope = features.T @ (chosen - chance) - STEADY * weights
        bend = (features * chance[:, None]).T @ features - means.T @ means
        weights += np.linalg.solve(bend + STEADY * np.eye(len(weights)), slope)
    print(f"{-np.log(chance[chosen]).mean():.4f} nats a call", file=sys.stderr)
    return weights


def main():
    """Print the weights as arrays in C."""
    weights = fitted(*read(sys.stdin))

    def numbers(part):
        return "{" + ", ".join(f"{weight:.2f}" for weight in weights[part]) + "}"

    print(
        "/* What makes a seat call: logarithms, made by fit_calls.py. By kind: of bids with trumps"
    )
    print(" * and without, of contra and recontra. */")
    print(f"static const double TRUMPS[8] = {numbers(TRUMPS)};")
    for name, parts in (("PLAIN", PLAIN), ("AUCTION", AUCTION), ("DOUBLES", DOUBLES)):
        size = parts[0].stop - parts[0].start
        print(f"static const double {name}[2][{size}] = {{")
        for part in parts:
            print(f"    {numbers(part)},")
        print("};")


if __name__ == "__main__":
    main()

"""Fits the numbers in weights.h: plays deals after every bid and takes the least squares.

    python3 fit.py 6000 > weights.h        a quarter of an hour on two cores

Each deal has one seat whose bids are tried; the others bid by rule, and all three search every card
with 500 games. Needs gcc, the arena's library/native and, unlike the bot, numpy.
"""

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy

HERE = Path(__file__).parent
CORE = HERE.parents[2] / "library"
BIDS = ("passed", "petite", "garde", "sans", "contre")
BLOCK = 250
"""Deals that one process plays, from the same random numbers whatever the others do."""
STEADY = 10.0
"""How many deals without any effect of the hand are thought to have been seen: ridge regression."""

DRIVER = r"""
#include "champion.h"
#include <stdio.h>
#include <stdlib.h>

enum { GAMES = 500, IMPOSSIBLE = 1 << 20 };

/* What the seat to act knows of a deal. */
static State known_of(const State *s)
{
    State known = *s;
    for (int seat = 0; seat < 3; seat++)
        if (seat != s->table.to_act)
            known.hands[seat] = (Hand){0, 0};
    if (s->table.to_act != s->taker)
        known.discard.suits = 0;
    if (!takes_dog(s))
        known.dog = (Hand){0, 0};
    return known;
}

/* What our seat scores with this bid; `features` are those that it was made with. */
static int played(State s, int ours, int bid, uint64_t *random, double features[])
{
    while (s.phase == BID && s.table.to_act >= 0) {
        int seat = s.table.to_act, highest = highest_bid(&s);
        int rule = bid_by_rule(hand_value(s.hands[seat]));
        if (seat == ours) {
            features_of(&s, features);
            if (bid > PASSED && bid <= highest)
                return IMPOSSIBLE;
            rule = bid;
        }
        tarot.apply(&s, rule > highest ? PASS + rule - PASSED : PASS);
    }
    if (s.phase == DISCARD)
        put_away(&s, discard_by_rule(s.hands[s.taker]));
    while (s.phase == PLAY && s.table.to_act >= 0) {
        State known = known_of(&s);
        Cards shown = s.played < 3 ? poignee_by_rule(s.hands[s.table.to_act]) : 0;
        int card = choose_card(&known, random, GAMES);
        if (shown) {
            tarot.apply(&s, SHOW + 1 + (count(shown) > 13));
            put_away(&s, (Hand){0, shown});
        }
        tarot.apply(&s, card);
    }
    return s.scores[ours];
}

int main(int argc, char *argv[])
{
    int from = argc > 2 ? atoi(argv[1]) : 0, to = argc > 2 ? atoi(argv[2]) : 0;
    for (int number = from; number < to; number++) {
        uint64_t random = (uint64_t)number;
        uint8_t pack[CARDS];
        State s = {.dealer = 2};
        int ours = below(&random, 3), value;
        for (int card = 0; card < CARDS; card++) {
            int other = below(&random, card + 1);
            pack[card] = pack[other];
            pack[other] = (uint8_t)card;
        }
        ((Options *)s.table.options)->petit_sec_ignored = 1;
        tarot.deal(&s, pack);
        value = hand_value(s.hands[ours]);
        for (int bid = PASSED; bid <= CONTRE; bid++) {
            double features[BID_FEATURES];
            int scored;
            if ((bid == SANS && value < 36) || (bid == CONTRE && value < 44))
                continue;
            if ((scored = played(s, ours, bid, &random, features)) == IMPOSSIBLE)
                continue;
            printf("%d %d %d", number, bid - PASSED, scored);
            for (int i = 0; i < BID_FEATURES; i++)
                printf(" %g", features[i]);
            putchar('\n');
        }
    }
}
"""


def played(program, deals):
    """Rows of a deal, a bid, what it scored, and the features of its hand."""
    blocks = [
        [program, str(first), str(min(first + BLOCK, deals))] for first in range(0, deals, BLOCK)
    ]

    def rows(command):
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return [[float(number) for number in line.split()] for line in done.stdout.splitlines()]

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return numpy.array([row for block in pool.map(rows, blocks) for row in block])


def fitted(features, scores):
    """The least squares, of features scaled to be of one size; the first, a constant, is free."""
    size = features.std(axis=0)
    size[size == 0] = 1
    scaled = features / size
    ridge = numpy.diag([0.0] + [STEADY] * (features.shape[1] - 1))
    return numpy.linalg.solve(scaled.T @ scaled + ridge, scaled.T @ scores) / size


def weights_of(rows):
    """A row of weights for each bid."""
    of_bid = [rows[rows[:, 1] == bid] for bid in range(len(BIDS))]
    return numpy.array([fitted(tried[:, 3:], tried[:, 2]) for tried in of_bid])


def gains(rows, weights):
    """What each deal's best bid by the weights scored more than passing."""
    best = {}
    for row in rows:
        deal, bid, scored = row[:3]
        kept = best.setdefault(deal, [-numpy.inf, 0.0, 0.0])
        if bid == 0:
            kept[2] = scored
        expected = weights[int(bid)] @ row[3:]
        if expected > kept[0]:
            kept[:2] = expected, scored
    return numpy.array([scored - passed for _, scored, passed in best.values()])


def main():
    """Fit to all deals; what a fit to the others says of every fifth one is on standard error."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "driver")
        program.with_suffix(".c").write_text(DRIVER)
        parts = [part for part in HERE.glob("*.c") if part.name != "bot.c"]
        parts += (CORE / "native").glob("*.c")
        command = ["gcc", "-std=gnu17", "-O2", f"-I{HERE}", f"-I{CORE}", "-o", program]
        subprocess.run([*command, program.with_suffix(".c"), *parts, "-lm"], check=True)
        rows = played(program, int(sys.argv[1]))
    held = rows[:, 0] % 5 == 0
    gain = gains(rows[held], weights_of(rows[~held]))
    error = 1.96 * gain.std() / len(gain) ** 0.5
    print(f"{gain.mean():.1f} +- {error:.1f} points more than who passes", file=sys.stderr)
    print("/* What each feature adds to the score of a bid, in points; made by fit.py. */")
    print("static const double WEIGHTS[CONTRE + 1][BID_FEATURES] = {")
    for name, weights in zip(BIDS, weights_of(rows), strict=True):
        numbers = [f"{weight:.2f}" for weight in weights]
        print(f"    [{name.upper()}] = {{{', '.join(numbers[:7])},")
        print(f"        {', '.join(numbers[7:])}}},")
    print("};")


if __name__ == "__main__":
    main()

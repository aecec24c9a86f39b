"""Fits the numbers in weights.h: plays deals after every bid and takes the least squares.

    python3 fit.py 6000 > weights.h        a quarter of an hour on two cores

Each deal has one seat whose bids are tried; the others bid by rule, and all three search every card
with 500 games. Needs gcc and, unlike the bot, numpy.
"""

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy

HERE = Path(__file__).parent
BIDS = ("pass", "petite", "garde", "sans", "contre")
BLOCK = 250
"""Deals that one process plays, from the same random numbers whatever the others do."""
STEADY = 10.0
"""How many deals without any effect of the hand are thought to have been seen: ridge regression."""

DRIVER = r"""
#include "bids.h"
#include "rules.h"
#include "search.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { GAMES = 500, FOREVER = 1000 };

static uint64_t state;

static int below(int limit)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % limit);
}

/* What our seat scores with this bid; `*bids` are the features that it was bid with. */
static int played(const Cards dealt[SEATS], Cards dog, int ours, int bid, double features[])
{
    Question q = {.phase = 'b', .taker = -1, .bids = {NOT_YET, NOT_YET, NOT_YET}};
    Cards hands[SEATS];
    Position p;
    Stakes stakes;
    for (int seat = 0; seat < SEATS; seat++) {
        int said;
        q.seat = seat;
        q.hand = hands[seat] = dealt[seat];
        if (seat == ours)
            features_of(&q, features);
        said = seat == ours ? bid : contract_worth(hand_value(q.hand));
        q.bids[seat] = said > q.contract ? said : PASS;
        if (said > q.contract) {
            q.contract = said;
            q.taker = seat;
        } else if (seat == ours && bid != PASS) {
            return INT32_MIN;
        }
    }
    if (q.taker < 0)
        return 0;
    q.phase = 'p';
    if (takes_dog(q.contract)) {
        Cards all = hands[q.taker] | dog;
        q.dog = dog;
        dog = discard_by_rule(all, may_be_put_away(all));
        hands[q.taker] = all & ~dog;
    }
    p = new_position(q.taker, 0);
    for (int seat = 0; seat < SEATS; seat++)
        p.hands[seat] = hands[seat];
    if (takes_dog(q.contract))
        p.discard = dog;
    if (q.contract != CONTRE)
        count_aside(&p, dog);
    while (p.finished < TRICKS) {
        Trick *trick;
        Cards shown;
        int seat = q.seat = to_act(&p), card;
        q.hand = p.hands[seat];
        q.legal = legal(&p);
        q.discard = seat == q.taker ? p.discard : p.discard & ALL_TRUMPS;
        card = choose_card(&q, FOREVER, GAMES);
        if (size(q.hand) == HAND && (shown = poignee_by_rule(q.hand))) {
            q.shown[seat] = shown;
            q.poignees += poignee_worth(size(shown));
        }
        if (!p.count)
            q.tricks[q.tricks_begun++] = (Trick){.leader = seat};
        trick = &q.tricks[q.tricks_begun - 1];
        trick->cards[trick->count++] = card;
        play(&p, card);
    }
    stakes = stakes_of(&q);
    return score(price(&p, &stakes), ours, q.taker);
}

int main(int argc, char *argv[])
{
    int from = argc > 2 ? atoi(argv[1]) : 0, to = argc > 2 ? atoi(argv[2]) : 0;
    for (int number = from; number < to; number++) {
        Cards hands[SEATS] = {0}, dog = 0;
        int pack[PACK], ours, value;
        state = (uint64_t)number * 0x9E3779B97F4A7C15u + 1;
        for (int i = 0; i < 8; i++)
            below(1);
        for (int card = 0; card < PACK; card++) {
            int other = below(card + 1);
            pack[card] = pack[other];
            pack[other] = card;
        }
        for (int i = 0; i < PACK; i++)
            if (i < SEATS * HAND)
                hands[i / HAND] |= CARD(pack[i]);
            else
                dog |= CARD(pack[i]);
        ours = below(SEATS);
        value = hand_value(hands[ours]);
        for (int bid = PASS; bid <= CONTRE; bid++) {
            double features[FEATURES];
            int scored;
            if ((bid == SANS && value < 36) || (bid == CONTRE && value < 44))
                continue;
            if ((scored = played(hands, dog, ours, bid, features)) == INT32_MIN)
                continue;
            printf("%d %d %d", number, bid, scored);
            for (int i = 0; i < FEATURES; i++)
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
        command = ["gcc", "-std=gnu17", "-O2", f"-I{HERE}", "-o", program]
        subprocess.run([*command, program.with_suffix(".c"), *parts, "-lm"], check=True)
        rows = played(program, int(sys.argv[1]))
    held = rows[:, 0] % 5 == 0
    gain = gains(rows[held], weights_of(rows[~held]))
    error = 1.96 * gain.std() / len(gain) ** 0.5
    print(f"{gain.mean():.1f} +- {error:.1f} points more than who passes", file=sys.stderr)
    print("/* What each feature adds to the score of a bid, in points; made by fit.py. */")
    print("static const double WEIGHTS[CONTRE + 1][FEATURES] = {")
    for name, weights in zip(BIDS, weights_of(rows), strict=True):
        numbers = [f"{weight:.2f}" for weight in weights]
        print(f"    [{name.upper()}] = {{{', '.join(numbers[:7])},")
        print(f"        {', '.join(numbers[7:])}}},")
    print("};")


if __name__ == "__main__":
    main()

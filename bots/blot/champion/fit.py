"""Fits the numbers in weights.h: solves deals at random and takes the least squares.

    python3 fit.py 12000 > weights.h        a quarter of an hour

Needs gcc and, unlike the bot, numpy.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy

HERE = Path(__file__).parent
EVEN = 81

DRIVER = r"""
#include "estimate.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char *argv[])
{
    uint64_t random = argc;
    BlotSolver *solver = new_blot_solver();
    for (int deals = atoi(argv[1]), strain = atoi(argv[2]); deals; deals--) {
        State state = {.strain = strain};
        int pack[32];
        for (int card = 0; card < 32; card++) {
            int other = below(&random, card + 1);
            pack[card] = pack[other];
            pack[other] = card;
        }
        for (int card = 0; card < 32; card++)
            state.hands[card & 3] |= bit(pack[card]);
        Position position = position_of(&state);
        position.rough = 1;
        double features[FEATURES];
        features_of(&position, features);
        new_deal(solver);
        printf("%g", without_leap(value_of_lead(solver, &position, 81)));
        for (int i = 0; i < FEATURES; i++)
            printf(" %g", features[i]);
        puts("");
    }
}
"""


def built(folder):
    """The driver, compiled with the arena's core."""
    driver, native = Path(folder, "driver.c"), Path(folder, "native")
    driver.write_text(DRIVER)
    native.symlink_to(HERE.parents[2] / "library" / "native")
    program = driver.with_suffix("")
    gcc = ["gcc", "-std=gnu17", "-O2", f"-I{HERE}", f"-I{folder}", "-o", program]
    subprocess.run(
        [*gcc, driver, HERE / "estimate.c", *native.glob("*.c"), "-lm"],
        check=True,
    )
    return program


def solved(program, deals, strain):
    """Rows of the value of a deal and its features."""
    run = [program, str(deals), str(strain)]
    lines = subprocess.run(run, check=True, capture_output=True, text=True).stdout.splitlines()
    return numpy.array([[float(number) for number in line.split()] for line in lines])


def main():
    """Fit to two thirds of the deals; the rest say how wrong it is, on standard error."""
    deals = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        program = built(folder)
        for title, strain in (("no trumps", 4), ("trumps", 3)):
            rows = solved(program, deals, strain)
            seen = len(rows) * 2 // 3
            values, features = rows[:, 0] - EVEN, rows[:, 1:]
            weights = numpy.linalg.lstsq(features[:seen], values[:seen], rcond=None)[0]
            error = numpy.std(values[seen:] - features[seen:] @ weights)
            print(f"{title}: wrong by {error:.1f}", file=sys.stderr)
            numbers = [f"{weight:.1f}" for weight in weights]
            print(f"    {{ /* {title} */")
            for start in range(0, len(numbers), 16):
                print(f"        {', '.join(numbers[start : start + 16])},")
            print("    },")


if __name__ == "__main__":
    main()

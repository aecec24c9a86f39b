"""Random: does anything that is allowed, each answer equally often."""

import random
import sys


def answer(words):
    """Pick one of the legal answers: the question's third word, joined by commas."""
    return random.choice(words[2].split(","))


if __name__ == "__main__":
    if len(sys.argv) > 1:  # argv: the question is in the arguments
        print(answer(sys.argv[1:]))
    else:  # stdin: a question a line, until the game ends
        for line in sys.stdin:
            if not line.startswith("#"):
                print(answer(line.split()), flush=True)

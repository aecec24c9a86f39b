"""Random: does anything that is allowed.

The generator is seeded with the question, so that the same deal is played the same way again.
"""

import random
import sys


def answer(words):
    """Choose one of the legal answers."""
    return random.Random(" ".join(words)).choice(words[2].split(","))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(answer(sys.argv[1:]))
    else:
        for line in sys.stdin:
            if not line.startswith("#"):
                print(answer(line.split()), flush=True)

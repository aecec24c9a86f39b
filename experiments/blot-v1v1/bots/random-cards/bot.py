"""The bidder of blot-v1, which comes along in v1/, with cards at random, as in the paper's data.

The generator is seeded with the question, so that the same deal is played the same way again.
"""

import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "v1"))
from v1 import bot as v1  # noqa: E402 - it finds its own library in there


def answer(words):
    """Bid like v1; play any legal card."""
    if words[1] == "bid":
        return v1.answer(words)
    return random.Random(" ".join(words)).choice(words[2].split(","))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(answer(sys.argv[1:]))
    else:
        for line in sys.stdin:
            if not line.startswith("#"):
                print(answer(line.split()), flush=True)

"""The bidder of another bot, which comes along in bidder/, with cards at random.

So were the bidders of the paper compared. The generator is seeded with the question, so that the
same deal is played the same way again.
"""

import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "bidder"))
from bidder import bot as bidder  # noqa: E402 - it finds its own library in there


def answer(words):
    """Bid like the other bot; play any legal card."""
    if words[1] == "bid":
        return bidder.answer(words)
    return random.Random(" ".join(words)).choice(words[2].split(","))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(answer(sys.argv[1:]))
    else:
        for line in sys.stdin:
            if not line.startswith("#"):
                print(answer(line.split()), flush=True)

"""The bidder of another bot, which comes along in bidder/, with cards at random.

So the bidders of [Bazar Blot n.d.] were compared. The generator is seeded with the question, so
that the same deal is played the same way again.
"""

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "bidder"))
from bidder import bot as bidder  # it finds its own library in there


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

"""Random play [Bazar Blot n.d.]: somebody has a contract, nobody fights for it, any card goes.

The generator is seeded with the question, so that the same deal is played the same way again.
"""

import random
import sys


def answer(words):
    """Bid 8 in any suit where nobody has bid, else pass; play any legal card."""
    phase, legal, contract = words[1], words[2].split(","), words[7]
    rng = random.Random(" ".join(words))
    if phase == "play":
        return rng.choice(legal)
    return "8" + rng.choice("CDHS") if contract == "-" else "P"


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(answer(sys.argv[1:]))
    else:
        for line in sys.stdin:
            if not line.startswith("#"):
                print(answer(line.split()), flush=True)

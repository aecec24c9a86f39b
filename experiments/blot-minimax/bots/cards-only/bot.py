"""The player of another bot, which comes along in player/, with bids of which nobody can be proud.

Only the play is compared [Bazar Blot n.d., data]: the first to speak bids 8 in some suit, drawn
from the question.
"""

import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "player"))
from player import bot as player  # it finds its own library in there


def answer(words):
    """Bid 8 in any suit where nobody has bid, else pass; play like the other bot."""
    if words[1] == "play":
        return player.answer(words)
    if words[7] != "-":
        return "P"
    return "8" + random.Random(" ".join(words)).choice("CDHS")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(answer(sys.argv[1:]))
    else:
        for line in sys.stdin:
            if not line.startswith("#"):
                print(answer(line.split()), flush=True)

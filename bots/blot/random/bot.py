"""Random: does anything that is allowed, each kind of answer equally often."""

import random
import sys


def answer(words):
    """Choose one of the legal answers; `9+` is a bid of level 9 and more, of which it takes 9."""
    choice = random.choice(words[2].split(","))
    if not choice.endswith("+"):
        return choice
    level = choice.rstrip("c+")
    capot = "c" if choice.endswith("c+") else ""  # once a capot stands, every bid is one
    return level + random.choice("CDHSN") + capot


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(answer(sys.argv[1:]))
    else:
        for line in sys.stdin:
            if not line.startswith("#"):
                print(answer(line.split()), flush=True)

"""Random: any bid and any card that is allowed; it never shows a poignée."""

import random
import sys


def answer(words):
    """Choose one of the legal answers: the question's third word, joined by commas."""
    _, phase, legal = words[:3]
    if phase != "discard":
        return random.choice(legal.split(","))
    # The list begins with the cards that must go; trumps behind them fill up what is missing.
    cards = legal.split(",")
    suited = [card for card in cards if card[0] != "A"]
    trumps = [card for card in cards if card[0] == "A"]
    if trumps:
        return ",".join(suited + random.sample(trumps, 6 - len(suited)))
    return ",".join(random.sample(suited, 6))


if __name__ == "__main__":
    if len(sys.argv) > 1:  # argv: the question is in the arguments
        print(answer(sys.argv[1:]))
    else:  # stdin: a question a line, until the game ends
        for line in sys.stdin:
            if not line.startswith("#"):
                print(answer(line.split()), flush=True)

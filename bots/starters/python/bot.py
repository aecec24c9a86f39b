"""A whole bot for every game: an answer that is allowed, and sensible bids and hits."""

import sys


def answer(words):
    """Choose an answer; the words of the question are all text, so numbers need int().

    Blackjack's are score, hand, visible cards, stake and chips. Every other game's begin with the
    game, the phase and the legal answers, joined by commas.
    """
    if len(words) == 5:
        return "H" if int(words[0]) < 17 else "S"
    game, phase, legal = words[:3]
    if phase == "discard":  # at tarot the taker puts six cards away
        return ",".join(legal.split(",")[:6])
    if phase == "bid" and ".." in legal:  # at spades "0..13" stands for all numbers from 0 to 13
        low, high = legal.split("..")
        return min(max(low, "3", key=int), high, key=int)
    return legal.split(",")[0]


if len(sys.argv) > 1:  # argv: the question is in the arguments
    print(answer(sys.argv[1:]))
else:  # stdin: a question a line, until the game ends
    for line in sys.stdin:
        if not line.startswith("#"):  # "# ..." is a notice and wants no answer
            print(answer(line.split()), flush=True)  # send it now, don't keep it in a buffer

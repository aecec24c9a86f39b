# A whole bot for every game: any answer that is allowed, and at blackjack a sensible one.
import sys


# Blackjack's words are score, hand, visible cards, stake and chips. Every other game's begin with
# the game, the phase and the legal answers, joined by commas.
def answer(words):
    if len(words) == 5:
        if int(words[0]) < 17:
            return "H"
        return "S"
    game, phase, legal = words[:3]
    if phase == "discard":  # at tarot the taker puts six cards away
        return ",".join(legal.split(",")[:6])
    return legal.split(",")[0].split("..")[0]  # "0..13" stands for all numbers from 0 to 13


if len(sys.argv) > 1:  # argv: the question is in the arguments
    print answer(sys.argv[1:])
else:  # stdin: a question a line, until the game ends
    for line in iter(sys.stdin.readline, ""):  # `for line in sys.stdin` would wait for more
        if not line.startswith("#"):  # "# ..." is a notice and wants no answer
            print answer(line.split())
            sys.stdout.flush()  # send it now, don't keep it in a buffer

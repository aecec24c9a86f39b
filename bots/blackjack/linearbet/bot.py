"""LinearBet [KOTH 2011]: draws below 15, bets in proportion to its score, once, and stands.

The bet is a fraction of 150, printed as it comes: 15 makes `B 107.14285714285714`.
"""

from lib.talk import serve

BUY_IN = 10


def answer(question):
    """Bet by the hand that it has; below 15 draw."""
    if question.score < 15:
        return "H"
    if question.stake == BUY_IN:
        return f"B {question.score / 21 * 150}"
    return "S"


serve(answer)

"""Champion: deals the unseen cards as they may lie, plays every answer out, and takes the best.

Where two are left and every card is known, it searches the ending to its end instead.
"""

import random
from time import monotonic

from bits import bits
from ending import solve
from lib.deals import deal
from lib.knowledge import Knowledge
from lib.table import Table
from lib.talk import serve
from position import Position, play_out

SECONDS = 0.7  # of the second that an answer may take; a crowded machine needs the rest


def answer(words):
    """Choose one of the legal answers."""
    return choose(Table(words), random.Random(), monotonic() + SECONDS)


def choose(table, rng, until):
    """The best answer that is found until then, a time of `monotonic`."""
    answers = readable(table)
    if len(answers) == 1:
        return next(iter(answers))
    knowledge = Knowledge(table)
    if is_open(table):
        half = (monotonic() + until) / 2
        answers = promising(table, knowledge, answers, rng, lambda: monotonic() > half)
    return by_playouts(table, knowledge, answers, rng, until)


def readable(table):
    """The legal answers, each as a word and a card's bit; without those of rare tables.

    Several cards at once and the showing of a trump are never needed, and left to others.
    """
    bit, answers = bits(table.trump), {}
    for word in table.legal:
        if "+" not in word and not word.startswith("show"):
            kind, _, card = word.rpartition(":")
            answers[word] = (kind or "card", bit[card]) if card in bit else (word, 0)
    return answers


def is_open(table):
    """Whether two are left, every card is known, and no attack is passed on."""
    playing = {table.attacker, table.defender}
    return (
        table.seat in playing
        and playing.issuperset(table.still_in)
        and table.talon <= 1
        and (table.phase == "give" or len(table.open_cards) <= 1)
        and not any(word.startswith("pass") for word in table.legal)
    )


def promising(table, knowledge, answers, rng, out_of_time):
    """Those of the answers that search finds best; or that it had no time to refute."""
    position = Position.dealt(table, *deal(table, knowledge, rng))
    values = solve(position, table.seat, answers.values(), out_of_time)
    best = max(values.values(), default=-1)
    if best == 1 or len(values) == len(answers):
        return {word: said for word, said in answers.items() if values.get(said) == best}
    return {word: said for word, said in answers.items() if values.get(said) != -1}


def by_playouts(table, knowledge, answers, rng, until):
    """The answer that does best where every one is played out from the same deals."""
    totals = dict.fromkeys(answers, 0)
    deals = 0
    while len(totals) > 1:
        dealt = Position.dealt(table, *deal(table, knowledge, rng))
        for word in totals:
            position = dealt.copy()
            position.play(table.seat, *answers[word])
            totals[word] += points(play_out(position), table.seat)
        deals += 1
        if deals % 8 == 0:
            totals = worth_trying(totals, deals)
            if monotonic() > until:
                break
    return max(totals, key=totals.get)


def points(went_out, seat):
    """Two for everybody who went out later and one for a tie, by the most there can be."""
    own = went_out[seat]
    later = sum(other > own for other in went_out)
    as_late = went_out.count(own) - 1
    return (2 * later + as_late) / (2 * len(went_out) - 2)


def worth_trying(totals, deals):
    """Leave out what is behind by more than chance: three times the error of a difference."""
    least = max(totals.values()) - 1.5 * deals**0.5
    return {word: total for word, total in totals.items() if total >= least}


if __name__ == "__main__":
    serve(answer)

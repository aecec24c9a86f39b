"""Points: counts what its hand is worth, bids by the sum, and plays by a few rules of thumb."""

from lib.cards import EXCUSE, PACK, PETIT, SUIT, TRUMPS, WORTH
from lib.play import winning_place
from lib.talk import serve
from lib.turns import answer_with


def is_trump(card):
    """Not the Excuse."""
    return SUIT[card] == TRUMPS


def is_plain(card):
    """A card of the four suits."""
    return SUIT[card] < TRUMPS


def unbeaten(card, unseen):
    """Nobody else can have a higher card of the suit."""
    return not any(SUIT[other] == SUIT[card] and other > card for other in unseen)


def lead(legal, unseen, alone):
    """The taker draws trumps while it has more of them than the others.

    Else an honour that nobody can beat is brought home, or a long suit is led from the bottom.
    """
    trumps = [card for card in legal if is_trump(card)]
    plain = [card for card in legal if is_plain(card)]
    others = sum(map(is_trump, unseen))
    if alone and 0 < others < len(trumps):
        return max(trumps)
    if not plain:
        return min(trumps or legal, key=lambda card: (card == PETIT, card))

    def length(card, among):
        return sum(SUIT[other] == SUIT[card] for other in among)

    # Where the others still hold many cards of a suit they must follow, and can't trump.
    safe = [
        card
        for card in plain
        if unbeaten(card, unseen) and (length(card, unseen) > 6 or not others)
    ]
    if safe:
        return max(safe, key=lambda card: WORTH[card])
    return max(plain, key=lambda card: (length(card, plain), -WORTH[card], -(card % 14)))


def follow(legal, trick, unseen, friend, last):
    """Take the trick where it can be taken for good; give points to a friend, else little away.

    `friend` says whether the trick is the partner's so far, `last` whether nobody plays after us.
    """
    winning = [card for card in legal if winning_place([*trick, card]) == len(trick)]
    losing = [card for card in legal if card not in winning and card != EXCUSE]

    def cost(card):
        return WORTH[card], is_trump(card), card if is_trump(card) else card % 14

    if friend and last and losing:
        return max(losing, key=cost)
    if winning and not friend:
        if is_trump(winning[0]):
            # The petit goes home where nobody can take it any more, and else as late as possible.
            return min(winning, key=lambda card: ((card == PETIT) != last, card))
        highest = max(winning)
        if last or unbeaten(highest, unseen):
            return highest
    cheapest = min([*losing, *winning], key=cost, default=EXCUSE)
    return EXCUSE if EXCUSE in legal and WORTH[cheapest] > 1 else cheapest


def play(question):
    """Choose a card."""
    legal, trick = question.legal, question.trick.cards
    unseen = set(PACK).difference(question.hand, question.played, question.discard)
    if EXCUSE in legal and 1 < len(question.hand) < 6:
        return EXCUSE  # in the last trick it would be lost
    if trick in ([], [EXCUSE]):
        return lead(legal, unseen, question.alone)
    ahead = (question.trick.leader + winning_place(trick)) % 3
    friend = not question.alone and ahead != question.taker
    return follow(legal, trick, unseen, friend, last=len(trick) == 2)


def answer(words):
    """Choose an answer to a question, which is given as its words."""
    return answer_with(play, words)


if __name__ == "__main__":
    serve(answer)

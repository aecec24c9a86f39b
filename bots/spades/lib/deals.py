"""Deals of the cards one can't see, at random and consistent with the play so far."""

from random import random, shuffle

from lib.cards import as_list, as_set


def held(table):
    """Count the cards in every hand."""
    counts = [len(table.hand)] * 4
    for turn in range(len(table.trick)):
        counts[(table.leader + turn) % 4] -= 1
    return counts


def deal(unseen, lacks, counts, me):
    """Deal the unseen cards to the three others; give the hands as sets, the own one empty.

    `unseen` is a set of cards, `lacks` what each seat can't hold (`Table.voids`), `counts` how
    many cards each seat has. Every card goes to a seat that may hold it with chances in proportion
    to the room that is left, the cards with the fewest seats to go to first. Where that leads
    nowhere it starts again; after 20 attempts, or where no deal fits, voids are forgotten.
    """
    others = [seat for seat in range(4) if seat != me]
    cards = as_list(unseen)
    for _ in range(20):
        shuffle(cards)
        cards.sort(key=lambda card: sum(not lacks[seat] >> card & 1 for seat in others))
        hands, room = [0] * 4, list(counts)
        for card in cards:
            seats = [seat for seat in others if room[seat] and not lacks[seat] >> card & 1]
            if not seats:
                break
            seat = seats[0] if len(seats) == 1 else _drawn(seats, room)
            hands[seat] |= 1 << card
            room[seat] -= 1
        else:
            return hands
    shuffle(cards)
    hands = [0] * 4
    for seat in others:
        hands[seat] = as_set(cards[: counts[seat]])
        del cards[: counts[seat]]
    return hands


def _drawn(seats, room):
    """Draw one of the seats by the room it has."""
    place = random() * sum(room[seat] for seat in seats)
    for seat in seats:
        place -= room[seat]
        if place < 0:
            return seat
    return seats[-1]

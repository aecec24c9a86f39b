"""The unseen cards, dealt as they may lie."""

DOUBT = 0.4  # how likely a deal is kept for each card that its holder probably does not have
TRIES = 8  # then the next one is taken, however doubtful: there may be no other


def deal(table, knowledge, rng):
    """Deal the unseen cards at random: everybody's hand, and the talon in the order it is drawn.

    Everybody has as many cards as the question says, among them those that are known. What a seat
    lacks it gets only where nothing else is left; what it probably lacks it gets less often. The
    hands that are most restricted are filled first, so consistent deals are not all equally
    likely, but nearly.
    """
    for _ in range(TRIES):
        hands, talon = _deal(table, knowledge, rng)
        doubts = sum(
            card in doubted
            for hand, doubted in zip(hands, knowledge.doubted)
            if doubted
            for card in hand
        )
        if not doubts or rng.random() < DOUBT**doubts:
            break
    return hands, talon


def _deal(table, knowledge, rng):
    cards = list(knowledge.unseen)
    rng.shuffle(cards)
    hands = [list(held) for held in knowledge.held]
    seats = [seat for seat, hand in enumerate(hands) if len(hand) < table.sizes[seat]]
    for seat in sorted(seats, key=lambda seat: -len(knowledge.lacks[seat])):
        lacks, missing = knowledge.lacks[seat], table.sizes[seat] - len(hands[seat])
        cards.sort(key=lacks.__contains__)  # stable: what it may hold comes first, still shuffled
        hands[seat] += cards[:missing]
        del cards[:missing]
    rng.shuffle(cards)
    return hands, cards + [table.indicator] * (table.talon > 0)

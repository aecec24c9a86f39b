"""What several games share: packs, hands, tricks, and deals of two sides."""

RANKS, SUITS = "23456789TJQKA", "CDHS"


def around(first, seats):
    """The seats in turn, beginning with this one."""
    return [(first + step) % seats for step in range(seats)]


def pack_of(ranks):
    """A pack in its own order: suit by suit, each from its lowest rank."""
    return [rank + suit for suit in SUITS for rank in ranks]


def dealt(cards, seats, first=0, packet=1):
    """The hands of all seats: cards go round in packets, beginning with the seat `first`."""
    hands = [[] for _ in range(seats)]
    for at in range(0, len(cards), packet):
        hands[(first + at // packet) % seats] += cards[at : at + packet]
    return hands


def held(cards):
    """A hand as questions name it: spades, hearts, diamonds, clubs, each from the ace down."""
    return sorted(cards, key=lambda c: (SUITS.index(c[1]), RANKS.index(c[0])), reverse=True)


def highest(pack):
    """The seat that draws the highest card where the first dealer is drawn."""
    return max(range(4), key=lambda seat: (RANKS.index(pack[seat][0]), SUITS.index(pack[seat][1])))


def deals(table, pack, dealer, seats):
    """Deal after deal, each by the next seat: yields the seat after the dealer, and the pack."""
    while True:
        table.shown |= {"dealer": dealer, "history": "", "trick": ""}
        dealer = (dealer + 1) % seats
        yield dealer, table.deal(pack)


def partners(table, pack, packet, first_dealer, play, most, goal, lose=0):
    """Deal after deal of two sides, until one has reached the goal: how the game ends.

    `play(first)` plays a deal and says what both sides score, or None if nobody played it. After
    `most` deals, or with a score of `lose`, the game ends as well.
    """
    scores, won, played = [0, 0], [0, 0], 0
    dealer = highest(table.deal(pack)) if first_dealer == "drawn" else 0
    for number, (first, order) in enumerate(deals(table, pack, dealer, 4), 1):
        table.hands = [held(hand) for hand in dealt(order, 4, first, packet)]
        table.shown["scores"] = scores
        if points := play(first):
            scores = [scores[side] + points[side] for side in (0, 1)]
            won = [won[side] + (points[side] > points[1 - side]) for side in (0, 1)]
            played += 1
        reached = max(scores) >= goal or (lose and min(scores) <= lose)
        if number == most or (reached and scores[0] != scores[1]):
            return {"scores": scores * 2, "hands": [played] * 4, "won": won * 2}


def plain_suit(card):
    """The suit of a card that has no other."""
    return card[1]


def by_trumps(trumps, height):
    """What compares two cards of a trick: trumps first, then the suit led, then their height."""
    return lambda card, trick: (card[1] == trumps, card[1] == trick[0][1], height(card))


def following(hand, trick, power, trumps, suit=plain_suit):
    """The cards that follow suit; without any, trumps, and of trumps those that beat the trick.

    Where no such card is at hand, the next best will do: any trump, and then any card.
    """
    if not trick:
        return hand
    same = [card for card in hand if suit(card) == suit(trick[0])]
    if same and suit(trick[0]) != trumps:
        return same
    trump = [card for card in hand if suit(card) == trumps]
    best = max(power(card, trick) for card in trick)
    return [card for card in trump if power(card, trick) > best] or trump or hand


def tricks(table, leader, legal, power, read, may_say=None, **shown):
    """Play tricks until the hands are empty.

    `legal(hand, trick)` are the cards that may be played, `power(card, trick)` is what compares
    them, and `read` reads a card. `may_say(hand, words)` tells whether words may follow a card, and
    `shown` values that are functions are given the seat that is asked. Yields the winner, the cards
    by seat, and who said something: seat and what was said.
    """
    hands, history = table.hands, []
    while hands[leader]:
        trick = {}
        for seat in around(leader, len(hands)):
            cards = [*trick.values()]
            may = legal(hands[seat], cards)

            def allowed(action, hand=tuple(hands[seat]), may=may):
                card, _, more = action.partition(" ")
                return card in may and (not more or (bool(may_say) and may_say(hand, more)))

            facts = {name: its(seat) if callable(its) else its for name, its in shown.items()}
            facts |= {"phase": "play", "legal": may, "trick": trick_text(leader, cards)}
            facts["history"] = "/".join(history)
            fallback_action = table.fallback_action or may[0]
            card, _, more = table.ask(seat, allowed, read, fallback_action, **facts).partition(" ")
            if card == table.fallback_action:
                yield seat, {seat: card}, ""
                return
            trick[seat] = card
            hands[seat].remove(card)
            if more:
                yield seat, {}, more
        cards = [*trick.values()]
        history.append(trick_text(leader, cards))
        leader = max(trick, key=lambda seat: power(trick[seat], cards))
        yield leader, trick, ""


def trick_text(leader, cards):
    """A trick as questions write it: who led, and the cards in turn."""
    return f"{leader}:{','.join(cards)}" if cards else ""

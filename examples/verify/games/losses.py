"""The score that counts for a side that was struck out: docs/ratings.md, d.2."""

from types import SimpleNamespace


def forfeit(record, seat, theirs):
    """The worst score that the rules allow a seat, given what its opponents count."""
    o = SimpleNamespace(**record["options"])
    if record["game"] == "blackjack":
        brought = record["purses"][seat] if record["purses"] else o.start_chips
        return -brought - 10 * (o.unaffordable_double == "allowed")
    margin = {"durak": of_durak, "tarot": of_tarot, "spades": of_spades, "blot": of_blot}
    return sum(theirs) // len(theirs) - margin[record["game"]](o, record["seats"])


def of_durak(_o, seats):
    """Two points for everybody who lasts longer."""
    return seats


def of_tarot(o, _seats):
    """Every deal a contre that is lost without a point, with all that can be lost beside it."""
    price = (25 + 56) * 6 + 10 * 6 + 40 + 400
    return 3 * o.deals * price * (2 if o.half_points == "kept" else 1)


def of_spades(o, _seats):
    """The widest gap that doesn't end a game, and a round of two failed bids of 13."""
    swing = 2 * 130 + 2 * o.bag_penalty + 230
    gaps = [(o.max_rounds - 1) * swing] if o.max_rounds else []
    if o.lose:
        gaps.append(o.goal + (o.goal_test == "exceeded") - o.lose - 2)
    return min(gaps) + swing


def of_blot(o, _seats):
    """The widest gap that doesn't end a game, and the highest bid recontra'd with all fours."""
    deal = 80 * 5 + 25 + 77
    return min(o.target - 1, (o.max_deals - 1) * deal) + deal

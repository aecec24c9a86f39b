"""The success curves of BIS: the chance of a nil, given its nil value and the bids before it.

[Cohensius 2019] fits them to games of people. These are logistic regression on the 4,983 nils of
12,000 rounds in which nils of all values were tried (`lib/explorer.py`); `arena experiment
spades-curves` plays them and fits these numbers.
"""

from math import exp

BY_BIDS = (-2.04, 7.34, -3.09, 0.194, 0.923, 0.006, 0.021, -0.922)
SINGLE = (-1.954, 7.48, -3.23)


def features(value, before):
    """List what decides a nil: its value, and the bids before it where there are any.

    `before` are the bids before the own one, the right-hand opponent's first, then the partner's
    and the left-hand opponent's (`Table.before`).
    """
    right, partner, left = ((bid - 3) / 3 for bid in (*before, 3, 3, 3)[:3])
    return (
        1.0,
        value,
        value * value,
        float(len(before) > 1),
        partner,
        right,
        left,
        value * partner,
    )


def chance_of_nil(value, before, single=False):
    """Find the chance that a nil succeeds; `single` takes one curve for all bids."""
    return logistic(SINGLE if single else BY_BIDS, features(value, before))


def logistic(weights, given):
    """Find the chance that weights give to what is the case; spare features count for nothing."""
    return 1 / (1 + exp(-sum(weight * x for weight, x in zip(weights, given))))

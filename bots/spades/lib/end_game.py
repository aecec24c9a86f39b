"""Where a round may end the game, winning it is what counts [Cohensius 2019, 4.4 and G.1]."""

TYPICAL_BID = 3


class Race:
    """The scores after a round in which everybody makes what is bid; open bids count as three.

    `they_win` and `we_win` say who has then reached the goal with the higher score, `behind` by how
    much the opponents are ahead.
    """

    def __init__(self, table, own):
        self.goal = table.goal
        self.ours = table.scores[0] + 10 * own + _worth(table, table.partner)
        self.theirs = table.scores[1] + sum(_worth(table, seat) for seat in table.opponents)
        self.behind = self.theirs - self.ours
        self.they_win = self.theirs >= self.goal and self.behind > 0
        self.we_win = self.ours >= self.goal and self.behind < 0

    def still_won_at(self, less):
        """Say whether we win with that many points less."""
        return self.ours - less >= self.goal and self.behind + less < 0


def _worth(table, seat):
    """Count what a seat's bid brings if it is made."""
    bid = table.bids[seat]
    if bid:
        return 10 * bid
    if bid is None:
        return 10 * TYPICAL_BID
    return 200 if seat in table.blind else 100


def contract(table, own):
    """Change a bid of at least one so that it rather wins the game."""
    race = Race(table, own)
    before = table.before
    last = len(before) == 3
    if race.they_win:
        total = sum(before) + own
        if last and 0 not in before and total >= 11:
            return max(1, own + 14 - total)  # somebody must fail
        if race.behind < 20:
            return own + (1 if race.behind < 10 else 2)
    elif race.we_win and own > 1 and table.bags[0] + 2 < 10 and race.still_won_at(10):
        return own - 1  # safer; it wins at ten less only where we lead by more than that
    return own

"""BIS: the bidder of *Bidding in Spades* [Cohensius 2019, algorithm 1].

Regular takes, less what the bids before leave; nil where the success curve of the hand's nil value
promises enough; changes where the game may end; signals to a partner that is a BIS too.
"""

from lib.cards import ACE, JACK, KING, NUMBER, SIDE_SUITS, SPADES, TEN, ranks_of
from lib.curves import chance_of_nil
from lib.end_game import TYPICAL_BID, Race, contract
from lib.nil_value import nil_value
from lib.takes import regular_takes

THRESHOLD = 25
DESPERATE = -25  # where the opponents win unless something happens
ENCOURAGED = -10  # beside a partner that can cover

MEAN_BID = 2.64
OF_BIDS = 0.15
BIAS = -0.3
"""The factor for the bids before is not published: less for what they exceed the mean."""

BIG_5, BIG_6 = 5, 6
"""Bids of a pair's first bidder that ask for a nil; no other hand bids the one that is reserved."""
FAR_BEHIND = 100
COVERED = {NUMBER["KS"], NUMBER["QS"]}
"""What a partner with a big bid can beat."""


class Bis:
    """The bidder; every part can be left out [Cohensius 2019, table 4].

    `curves` is "by bids" or "single"; `end_game`, `signals` (Big 5 and Big 6) and `blind` (blind
    nil) are switches; `nils` off never bids nil.
    """

    def __init__(self, *, curves="by bids", end_game=True, signals=True, blind=True, nils=True):
        self.single = curves == "single"
        self.end_game, self.signals, self.blind, self.nils = end_game, signals, blind, nils

    def bid(self, table):
        """Bid what [Cohensius 2019, algorithm 1] bids."""
        takes = expected_takes(table)
        race = Race(table, rounded(takes))
        if self.end_game and race.they_win and 0 in opponents_bids(table):
            takes -= 0.5
            race = Race(table, rounded(takes))
        if self.nils and self.bids_nil(table, race):
            return 0
        own = rounded(takes)
        signals = self.signals and table.bids[table.partner] is None
        if signals and covers(table, own):
            return reserved(table)
        bid = contract(table, own) if self.end_game else own
        return bid - 1 if signals and bid == reserved(table) else bid

    def bids_nil(self, table, race):
        """Say whether nil is worth more than the threshold."""
        if table.bids[table.partner] == 0:
            return False
        if self.end_game and race.we_win and len(table.before) == 3:
            return False
        threshold, hand = THRESHOLD, table.hand
        if self.end_game and race.they_win and race.behind > 20:
            threshold = DESPERATE
        if self.signals and is_encouraged(table):
            threshold = min(threshold, ENCOURAGED)
            hand = [card for card in hand if card not in COVERED]
        chance = chance_of_nil(nil_value(hand), table.before, self.single)
        return 200 * chance - 100 > threshold

    def goes_blind(self, table):
        """Bid nil blind where it is far behind and an easy bid wins the game for the others."""
        wins_easily = table.scores[1] + 10 * 2 * TYPICAL_BID >= table.goal
        alone = table.partner not in table.blind
        return self.blind and alone and is_far_behind(table) and wins_easily


def opponents_bids(table):
    """List what the opponents have bid, None where there is no bid yet."""
    return [table.bids[seat] for seat in table.opponents]


def expected_takes(table):
    """Count regular takes, with the rest of the table in mind."""
    takes = regular_takes(table.hand, 1 if 0 in opponents_bids(table) else 2)
    before = table.before
    return takes + BIAS - OF_BIDS * (sum(before) - MEAN_BID * len(before))


def rounded(takes):
    """Round half up to a bid of at least one."""
    return min(13, max(1, int(takes + 0.5)))


def is_far_behind(table):
    """Say whether the scores differ by more than what allows desperate bids."""
    return table.scores[1] - table.scores[0] > FAR_BEHIND


def reserved(table):
    """Find the bid that asks for a nil: Big 5, or Big 6 in its place where we are far behind."""
    return BIG_6 if is_far_behind(table) else BIG_5


def covers(table, own):
    """Say whether a hand that is worth `own` tricks meets the criteria of the reserved bid."""
    if is_far_behind(table):
        return own >= 4 and promises(table.hand, (ACE,), TEN)
    return 4 <= own <= 6 and promises(table.hand, (ACE, KING), JACK)


def promises(hand, spades, rank):
    """Say whether a hand covers a nil: one of these spades, no suit without a card as high."""
    held = ranks_of(hand, SPADES)
    sides = [ranks_of(hand, suit) for suit in SIDE_SUITS]
    return any(spade in held for spade in spades) and all(not s or s[0] >= rank for s in sides)


def is_encouraged(table):
    """Say whether the partner has made the reserved bid, and so promised to cover a nil."""
    return table.bids[table.partner] == reserved(table)

"""A BIS that tries nils of all values: success curves are fitted to what comes of them."""

from zlib import crc32

from lib.bid_bis import Bis
from lib.nil_value import nil_value


class Explorer(Bis):
    """Bids nil with a chance that grows with the nil value; the rest is BIS.

    The chance is drawn from the hand itself, so that a game can be played again.
    """

    def bids_nil(self, table, race):
        """Draw, whatever the curves say."""
        if table.bids[table.partner] == 0:
            return False
        drawn = crc32(bytes(table.hand)) / 2**32
        return drawn < 0.6 * (0.15 + 0.85 * nil_value(table.hand))

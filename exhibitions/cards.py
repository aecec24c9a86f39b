"""The packs of a table: a key for each, so that a deal can be checked when it is over.

The key of pack i is HMAC-SHA256(seed, table + "/" + i): `seed` is the table's secret, `table` its
key, i = 0, 1, 2, ... in decimal. The order of the pack follows from its key and the label
`<table>/<i>` by the recipe in `tables/dealing.py`. The SHA-256 of a pack's key is its commitment.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass

from card_arena.exhibitions.entries import Table
from card_arena.tables.cards import cards, in_pack_order
from card_arena.tables.dealing import commitment, shuffled
from card_arena.tables.legal_actions import Action, LegalActions, Order


@dataclass(frozen=True, slots=True)
class Deal:
    """One pack of a table: its commitment and, once its deal is over, its key and cards.

    `label` is that of the recipe. A pack of a stored board is `given`: it has no key, and its
    commitment is empty.
    """

    pack: int
    label: str
    commitment: str
    key: str | None = None
    cards: tuple[str, ...] | None = None
    given: bool = False


def pack_key(seed: bytes, table: str, pack: int) -> bytes:
    """The key of one pack of a table."""
    return hmac.digest(seed, label(table, pack).encode(), "sha256")


def label(table: str, pack: int) -> str:
    """The label of a pack in the recipe."""
    return f"{table}/{pack}"


class TableDealer:
    """The referee's dealer for a table: the packs of its stored board, then packs of its own."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.pack = 0
        """The number of the next pack."""

    def deal(self, choice: LegalActions, /) -> Action:
        """Order the next pack; where there is nothing to shuffle, do the one thing there is."""
        if not isinstance(choice, Order):
            return choice.fallback_action
        pack = self.pack
        self.pack += 1
        board = self._table.board
        if board and pack < len(board.packs) and (given := cards(board.packs[pack])) in choice:
            return given
        key = self._table.key
        return shuffled(choice.pack, pack_key(self._table.seed, key, pack), label(key, pack))


def deals(table: Table, packs: Sequence[str]) -> tuple[Deal, ...]:
    """List the packs that a table was dealt, and the next one of a game that isn't over.

    `packs` are the dealt ones, as they are written in turns. The last of them is not shown before
    the game is over.
    """
    result = []
    board = table.board.packs if table.board else ()
    for pack in range(len(packs) + (not table.is_over)):
        over = table.is_over or pack < len(packs) - 1
        dealt = tuple(packs[pack].split(",")) if over else None
        # a board's pack that did not fit the table was replaced by one of its own
        given = pack < len(board) and (pack >= len(packs) or packs[pack] == board[pack])
        key = pack_key(table.seed, table.key, pack)
        result.append(
            Deal(
                pack,
                label(table.key, pack),
                "" if given else commitment(key),
                key.hex() if over and not given else None,
                dealt,
                given,
            )
        )
    return tuple(result)


def is_as_committed(deal: Deal) -> bool:
    """Whether the key of a deal that is over is what was committed to, and gives its cards."""
    if deal.key is None or deal.cards is None:
        return False
    key = bytes.fromhex(deal.key)
    order = shuffled(in_pack_order(deal.cards), key, deal.label)
    return commitment(key) == deal.commitment and order == deal.cards

"""The dealer: packs in an order that nobody can foresee and everybody can check afterwards.

Every season of a tournament has a secret seed of 32 bytes. Its SHA-256 is published before entries
close, the seed itself after the last card. From then on anybody can deal every pack again.

The key. The key of a season's deals is HMAC-SHA256(seed, manifest + "/" + value): `manifest` is the
SHA-256 of the season's manifest in 64 hexadecimal digits, `value` its public value, empty if it has
none. Where the manifest says that the key is the seed, the key is the seed itself.

The recipe. A pack's label is `<match>/<board>/<pack>`, such as `friday/0003/t07/r2/a/0/0`. Let
block i be HMAC-SHA256(key, label + "/" + i) with i = 0, 1, 2, ... in decimal, all in ASCII, and
read the blocks one after another as bytes. Start with the game's pack in its own order, suit by
suit and each from its lowest rank (for 52 cards 2C, 3C ... AC, 2D ... AD, 2H ... AH, 2S ... AS), at
positions 0, 1, 2 and so on. For `last` from the highest position down to 1: let n = last + 1; take
bytes until one is below 256 - 256 mod n; swap the cards at `last` and at that byte mod n. Bots are
put in order in the same way. While n is over 256, two bytes, the higher first, are taken as one
number, until one is below 65536 - 65536 mod n.

It is Fisher and Yates's shuffle (Knuth, The Art of Computer Programming, 3.4.2, algorithm P)
with rejection sampling, so that every order is equally likely.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import TypeVar

from card_arena.tables.legal_actions import Action, LegalActions, Order

Item = TypeVar("Item")

MOST_ITEMS = 65_536
"""The most items that two bytes can put in order."""


def commitment(seed: bytes) -> str:
    """The SHA-256 of a seed in hexadecimal: what is published before entries close."""
    return hashlib.sha256(seed).hexdigest()


def dealing_key(seed: bytes, manifest: str, public_value: str = "") -> bytes:
    """The key of a season's deals; `manifest` is its manifest's SHA-256 in hexadecimal."""
    return hmac.digest(seed, f"{manifest}/{public_value}".encode(), "sha256")


def _stream(key: bytes, label: str) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(key, f"{label}/{block}".encode("ascii"), "sha256")
        block += 1


def shuffled(items: Sequence[Item], key: bytes, label: str) -> tuple[Item, ...]:
    """Put up to 65536 items in the order that the recipe gives for this key and label."""
    if len(items) > MOST_ITEMS:
        raise ValueError(f"the recipe shuffles up to {MOST_ITEMS} items, not {len(items)}")
    order, stream = list(items), _stream(key, label)
    for last in range(len(order) - 1, 0, -1):
        n = last + 1
        values = 256 if n <= 256 else 65_536
        drawn = values
        while drawn >= values - values % n:
            drawn = next(stream) if n <= 256 else 256 * next(stream) + next(stream)
        other = drawn % n
        order[last], order[other] = order[other], order[last]
    return tuple(order)


class Packs:
    """A referee's dealer for one game: its packs are labelled `<match>/<board>/<pack>`, from 0.

    Games of one board are dealt the same packs in the same order.
    """

    def __init__(self, key: bytes, match: str, board: int = 0) -> None:
        self._key = key
        self._label = f"{match}/{board}"
        self._pack = 0

    def deal(self, choice: LegalActions) -> Action:
        """Order the next pack; where there is nothing to shuffle, do the one thing there is."""
        if not isinstance(choice, Order):
            return choice.fallback_action
        label = f"{self._label}/{self._pack}"
        self._pack += 1
        return shuffled(choice.pack, self._key, label)

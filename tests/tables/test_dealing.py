"""The dealer's recipe: fair, and to be followed by anybody who has the seed."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from itertools import permutations

import pytest

from card_arena.tables.cards import FULL_PACK
from card_arena.tables.dealing import Packs, commitment, shuffled
from card_arena.tables.legal_actions import OneOf, Order

SEED = bytes(range(32))


def test_the_recipe_worked_out_by_hand():
    """HMAC-SHA256(00 01 ... 1f, "hand/15/0/0") begins with 46 253 89 209 41 132 209 106.

    A B C D E F G H
    last 7: 46 mod 8 = 6, swap 7 and 6      A B C D E F H G
    last 6: 253 is not below 252, next; 89 mod 7 = 5, swap 6 and 5      A B C D E H F G
    last 5: 209 mod 6 = 5, stays
    last 4: 41 mod 5 = 1, swap 4 and 1      A E C D B H F G
    last 3: 132 mod 4 = 0, swap 3 and 0     D E C A B H F G
    last 2: 209 mod 3 = 2, stays
    last 1: 106 mod 2 = 0, swap 1 and 0     E D C A B H F G
    """
    assert "".join(shuffled("ABCDEFGH", SEED, "hand/15/0")) == "EDCABHFG"


def test_the_packs_of_a_match_are_labelled_match_board_pack():
    packs = Packs(SEED, "friday/0003/t07/r2/a", board=1)
    choice = Order(FULL_PACK)
    assert packs.deal(choice) == shuffled(FULL_PACK, SEED, "friday/0003/t07/r2/a/1/0")
    assert packs.deal(choice) == shuffled(FULL_PACK, SEED, "friday/0003/t07/r2/a/1/1")


def test_a_dealer_with_nothing_to_shuffle_uses_up_no_pack():
    packs = Packs(SEED, "m")
    assert packs.deal(OneOf(("next",))) == "next"
    assert packs.deal(Order(FULL_PACK)) == shuffled(FULL_PACK, SEED, "m/0/0")


def test_a_shuffled_pack_is_a_whole_pack():
    for deal in range(50):
        assert Counter(shuffled(FULL_PACK, SEED, f"whole/{deal}")) == Counter(FULL_PACK)


def test_every_order_is_equally_likely():
    """Chi-square over the 24 orders of four cards; 49.7 is passed once in a thousand."""
    trials = 4800
    seen = Counter("".join(shuffled("ABCD", SEED, f"fair/{deal}")) for deal in range(trials))
    expected = trials / 24
    orders = ("".join(order) for order in permutations("ABCD"))
    assert sum((seen[order] - expected) ** 2 / expected for order in orders) < 49.7


def test_another_seed_or_label_gives_another_order():
    base = shuffled(FULL_PACK, SEED, "a/0")
    assert shuffled(FULL_PACK, SEED, "a/1") != base
    assert shuffled(FULL_PACK, SEED[::-1], "a/0") != base


def test_the_commitment_is_the_sha_256_of_the_seed():
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


def test_a_thousand_bots_are_put_in_order_by_two_bytes_each_until_256_are_left():
    order, stream = [*range(1000)], iter(hashes("many"))
    for n in range(1000, 1, -1):
        bytes_each = 2 if n > 256 else 1
        limit = 256**bytes_each - 256**bytes_each % n
        while (number := int.from_bytes([next(stream) for _ in range(bytes_each)])) >= limit:
            pass
        other = number % n
        order[n - 1], order[other] = order[other], order[n - 1]
    assert shuffled(range(1000), SEED, "many") == (*order,)
    assert sorted(order) == [*range(1000)]


def hashes(label: str) -> bytes:
    blocks = (
        hmac.new(SEED, f"{label}/{block}".encode(), hashlib.sha256).digest() for block in range(100)
    )
    return b"".join(blocks)


def test_more_items_than_two_bytes_can_name_are_refused():
    with pytest.raises(ValueError, match="up to 65536"):
        shuffled(range(65_537), SEED, "x")

"""The library of the durak bots, held against the rules: what it reads and what hands are worth."""

from __future__ import annotations

import pytest

from card_arena.tests.bots.durak_positions import TABLE, VALUE, VALUES, asked, positions


def test_a_table_is_read_from_its_question() -> None:
    line = (
        "durak throw TD,done 2 TD,QD,TH,KH S:9S 6 3,5,4 9C-JC,9H-QH,JD-AD,QD- 2 0 2"
        " 1:9C,2:pass:9H,0:JC,0:QH,2:JD,0:AD,2:QD"
    )
    table = TABLE.Table(line.split())
    assert (table.phase, table.seat, table.attacker, table.defender) == ("throw", 2, 2, 0)
    assert table.cards == ["TD"]
    assert table.plays[:2] == [(1, "card", ("9C",)), (2, "pass", ("9H",))]
    assert (table.bouts, table.hands) == ([], None)


def test_the_pack_is_counted_from_what_is_there_and_what_is_gone() -> None:
    for options, _, question in positions(range(20)):
        assert len(TABLE.Table(question).pack) == options["deck"]


@pytest.mark.parametrize(("hand", "value"), VALUES)
def test_numbers_are_divided_multiplied_and_cut_in_the_articles_order(
    hand: str, value: int
) -> None:
    assert VALUE.Worth(TABLE.Table(asked("attack", hand, hand))).of(hand.split(",")) == value


@pytest.mark.parametrize(
    ("hand", "literal", "intended"),
    [
        ("2C,2S,QD,QH,QC,QS", 1697, 2103),
        ("5S,JS,AS,6D,9D,KD", 4250, 4111),
        ("5S,TC,AS,3D,9D,KD", 4250, 4111),
        ("2D,6D,9D,JD,KD,AD", 8650, 8511),
    ],
)
def test_the_articles_hands_have_the_value_that_its_program_gives(
    hand: str, literal: int, intended: int
) -> None:
    """Literally two twos add 0, four queens 5, and a small share of the cards 150.

    As meant it is 50, 500 and, for six cards where others have 26, (1/4 - 6/26) * 600 = 11.
    """
    table = TABLE.Table(asked("attack", hand, hand))
    assert VALUE.Worth(table).of(table.hand) == literal
    assert VALUE.Worth(table, VALUE.INTENDED).of(table.hand) == intended


def test_a_share_below_nought_is_cut_towards_it() -> None:
    """Seven cards where 0 + 2 + 1 are counted: 7 / -4 is -1 as a whole number, not -2."""
    gone = ",".join(["0:2C"] * 44)
    line = f"durak defend KH,take 0 4H,KH D:7D 0 2,1 5S-7S,5C-7C,5H- 1 0 1 {gone}/"
    table = TABLE.Table((line + "1:5S,0:7S,1:5C,0:7C,1:5H").split())
    # A 4, a king, three fives, two sevens: -400 + 500 - 900 - 200, and no bonus below the middle.
    # Of the 7, which would be even at 7/3 a suit, 3, 2 and 2 cost 57, 28 and 28.
    assert VALUE.Worth(table).of(table.hand + table.laid) == -1000 - 57 - 28 - 28 + (0.25 + 1) * 600


def test_no_cards_and_no_talon_is_the_best_there_is() -> None:
    table = TABLE.Table(asked("defend", "6D,take", "6D", "9S-", talon=0))
    assert VALUE.Worth(table).without("6D") == 30000

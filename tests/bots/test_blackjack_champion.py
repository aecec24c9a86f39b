"""The champion of blackjack, in C: its chances against plain sums, and what it answers."""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from card_arena.tables.blackjack.table import score
from card_arena.tables.cards import Card, card
from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE
from card_arena.tables.registry import game
from card_arena.tests.bots import house
from card_arena.tests.tables.scripted import random_steps

BLACKJACK = game("blackjack")

DRIVER = r"""
#include "odds.h"
#include "worth.h"
#include <stdio.h>

/* Lines of the cards of a hand that is over, of those that are gone from the shoe at the start of a
   round, or of a hand and the cards on the table. */
int main(void)
{
    static Shoe shoe;
    char first[1024], second[1024];
    new_shoe(&shoe);
    prepare_worth();
    while (scanf("%1023s %1023s", first, second) == 2) {
        if (*first == '-') {
            settle(&shoe, second);
            continue;
        }
        if (*first == '+') {
            go_on(&shoe, second);
            continue;
        }
        Hand hand = {0, false};
        for (const char *cards = first; *cards; cards++)
            hand = with(hand, worth_of(*cards));
        const Coming unseen = coming(&shoe, second);
        const Purse purse = {10, 190, 1, true, LEG, UNKNOWN};
        printf("%.9f\n", advise(hand, worth_of(*second), &unseen, &purse).chance);
    }
    return 0;
}
"""


@pytest.fixture(scope="module")
def champion(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return house.compiled("blackjack", "champion", tmp_path_factory.mktemp("champion") / "program")


@pytest.fixture(scope="module")
def odds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    driver = tmp_path_factory.mktemp("odds") / "driver.c"
    driver.write_text(DRIVER)
    return house.compiled("blackjack", "champion", driver.with_suffix(""), main=driver)


def said(program: Path, lines: list[str]) -> list[str]:
    told = "".join(f"{line}\n" for line in lines)
    done = subprocess.run([program], input=told, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def scored(ranks: str) -> int:
    cards: list[Card] = [card(rank + "S") for rank in ranks]
    return score(cards)


def chance(own: str, dealer: str, holes: Counter[str], pool: Counter[str]) -> float:
    """To win without another card: what the dealer does card by card, by the table's scores."""

    def beaten(cards: str, left: Counter[str]) -> float:
        theirs = scored(cards)
        if not 0 < theirs < 17:
            return float(scored(own) > theirs)
        size = left.total()
        if not size:
            left, size = Counter("A23456789TJQK" * 4), 52
        return sum(
            count / size * beaten(cards + rank, left - Counter(rank))
            for rank, count in left.items()
        )

    apart = holes is not pool
    return sum(
        count / holes.total() * beaten(dealer + rank, pool if apart else pool - Counter(rank))
        for rank, count in holes.items()
    )


def test_chances_are_the_plain_sums_over_what_is_left(odds: Path) -> None:
    """Late in the pack the sums are short: 38 of its cards have gone in three hands."""
    gone = ["A5" + "K7Q9" + "2345", "TT" + "9876" + "6543" + "2K", "34" + "J298" + "QA7J" + "AK"]
    own, table = "T8", "6#T598"
    lines = [f"- {cards}" for cards in gone]
    pool = Counter("A23456789TJQK" * 4)
    pool -= Counter("".join(gone) + table.replace("#", ""))
    assert pool.total() == 52 - 10 - 12 - 12 - 5
    (found,) = said(odds, [*lines, f"{own} {table}"])
    assert float(found) == pytest.approx(chance(own, "6", pool, pool), abs=1e-8)


def test_chances_are_those_of_what_the_round_before_left(odds: Path) -> None:
    gone = "2233344455566677788899TTJJQQQKKKAAAA"
    own, table = "T8", "6#T598"
    pool = Counter("A23456789TJQK" * 4) - Counter(gone + table.replace("#", ""))
    (found,) = said(odds, [f"+ {gone}", f"{own} {table}"])
    assert float(found) == pytest.approx(chance(own, "6", pool, pool), abs=1e-8)


def test_the_champion_hears_what_is_gone_from_the_shoe(champion: Path) -> None:
    """But the hidden card, a nine, and four fours the pack is gone: the dealer has 15, then 19."""
    left = Counter("TK6" + "9" + "4444")
    gone = "".join((Counter("A23456789TJQK" * 4) - left).elements())
    question = "20 TK 6#TK 10 190"
    knowing = said(champion, [f"# shoe {gone}", question, question])
    assert knowing != said(champion, [question, question])
    assert said(champion, ["# shoe -", question]) == said(champion, [question])


def test_a_pack_that_runs_out_gives_the_hidden_card_away(odds: Path) -> None:
    """The hidden card was the last but one of its pack: 51 others are seen, one of the next too."""
    pack = "A23456789TJQK" * 4
    before = pack[:42]  # a hand of four seats, which took all these
    now = pack[42:]
    # dealt in this order: first cards of two seats, the open card, second cards, the hidden one
    first, up, second, more = now[:2], now[2], now[3:5], now[6:]
    hidden = now[5]
    table = f"{up}#{first}{second}{more}2"
    own = first[0] + second[0]
    (found,) = said(odds, [f"- {before[4:6]}{before[:4]}{before[6:]}", f"{own} {table}"])
    fresh = Counter("A23456789TJQK" * 4) - Counter("2")
    assert float(found) == pytest.approx(chance(own, up, Counter(hidden), fresh), abs=1e-8)


@pytest.mark.parametrize("table", ["contest", "cardshark"])
def test_every_answer_is_legal(champion: Path, table: str) -> None:
    options = BLACKJACK.presets[table].model_dump()
    for seed in range(8):
        steps = [
            step
            for step in random_steps(BLACKJACK, 4, seed, **{**options, "hands": 8})
            if step.turn.seat == 2
        ]
        lines = [" ".join(words(step.before.question(2))) for step in steps]
        for step, answer in zip(steps, said(champion, lines), strict=True):
            assert step.turn.seat != CHANCE
            assert step.before.read(answer) in step.before.legal_actions(2)


def answer(champion: Path, question: str) -> str:
    """What it says to a question, which it reads from its arguments."""
    done = subprocess.run([champion, *question.split()], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_it_draws_where_no_card_can_hurt_and_puts_no_more_on_a_bad_hand(champion: Path) -> None:
    assert answer(champion, "11 65 9#K675 10 190") == "H"
    assert answer(champion, "10 64 T#6T48 10 190") == "H"


def test_it_stakes_much_on_a_good_hand_and_all_on_a_won_one(champion: Path) -> None:
    strong = answer(champion, "20 KQ 6#K7Q9 10 190")
    assert strong.startswith("B ")
    assert 50 < int(strong[2:]) <= 190
    assert answer(champion, "20 KQ 6#K7Q9 10 0") == "S"


def test_it_lets_the_others_draw_before_it_bets(champion: Path) -> None:
    """A chip at a time, and as soon as nobody has drawn it bets."""
    first, second, third = said(
        champion,
        ["20 KQ 6#K7Q9 10 190", "20 KQ 6#K7Q95 11 189", "20 KQ 6#K7Q95 12 188"],
    )
    assert (first, second) == ("B 1", "B 1")
    assert int(third[2:]) > 50


def scores(champion: Path, question: str) -> dict[str, float]:
    """The answers that it gives scores to, and these."""
    (line,) = said(champion, [f"evaluate 1 {question}"])
    return {text: float(score) for text, score in re.findall(r"([A-Z][^=]*)=(\S+)", line)}


def test_it_expects_of_an_answer_what_its_stake_wins(champion: Path) -> None:
    """With 14 it takes a card whatever it raises; of 20 another card makes nothing better."""
    poor = scores(champion, "14 T4 T#6T48 10 190")
    assert [*poor] == ["S", "H", "D", "B 1", "B 47", "B 95", "B 190"]
    assert poor["H"] > poor["S"]
    assert poor["B 190"] == pytest.approx(20 * poor["H"], abs=0.02)
    good = scores(champion, "20 KQ 6#K7Q9 10 90")
    pool = Counter("A23456789TJQK" * 4) - Counter("6K7Q9")
    assert good["S"] == pytest.approx(10 * (2 * chance("KQ", "6", pool, pool) - 1), abs=0.001)
    assert good["B 90"] == pytest.approx(10 * good["S"], abs=0.01)
    assert good["D"] < good["S"]
    assert "D" not in scores(champion, "20 K55 6#K7595 10 90")


def test_at_a_table_of_two_it_stakes_what_brings_it_ahead_of_the_other(champion: Path) -> None:
    """In the last hand with 20: all if the other has won four hands, less if it has lost them."""

    def last_answer(cards: str) -> str:
        hands = [("20 KQ 6#K7Q9 10 190", f"# hand {number} {cards}") for number in range(1, 5)]
        question = "20 TQ 9#TKQQ 10 190"
        lines = [line for hand in hands for line in hand]
        return said(champion, [*lines, question, question])[-1]

    dealer_has_26, dealer_has_21 = "6TK7Q9T", "65K7Q9T"
    assert last_answer(dealer_has_26) == "B 190"
    assert 0 < int(last_answer(dealer_has_21)[2:]) < 150

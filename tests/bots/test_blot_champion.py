"""The champion of blot, in C: its parts against the table's own rules, and what it answers."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tables.blot.rules import (
    BELOTE,
    CAPOT,
    PACK,
    STRAINS,
    Bid,
    Contract,
    Options,
    Sides,
    awarded,
    largest,
    result,
)
from tables.encoding import words
from tables.game import CHANCE
from tables.registry import game
from tests.bots import house
from tests.needs import need
from tests.tables.scripted import random_steps

BLOT = game("blot")
HERE = house.BOTS / "blot" / "champion"
GCC = ["gcc", "-std=gnu17", "-O2", "-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers"]

DRIVER = r"""
#include "declare.h"
#include "score.h"
#include "solver.h"
#include <stdio.h>
#include <string.h>

static Cards hand(void)
{
    char card[8];
    Cards cards = 0;
    while (scanf("%7s", card) == 1 && strcmp(card, "/"))
        cards |= bit(read_card(card));
    return cards;
}

int main(void)
{
    char what[16], letter;
    while (scanf("%15s %c", what, &letter) == 2) {
        const int strain = read_strain(letter);
        if (!strcmp(what, "score")) {
            int capot, cards, declared[2];
            Contract contract = {.strain = strain};
            scanf("%d %d %d %d", &contract.level, &capot, &contract.doubled, &cards);
            scanf("%d %d", &declared[0], &declared[1]);
            contract.capot = capot;
            printf("%d\n", lead_of(&contract, cards, declared));
            continue;
        }
        int first;
        Cards hands[4];
        scanf("%d", &first);
        for (int seat = 0; seat < 4; seat++)
            hands[seat] = hand();
        if (!strcmp(what, "declare")) {
            Declared said[4];
            int points[2];
            for (int seat = 0; seat < 4; seat++)
                said[seat] = declared_of(hands[seat], strain);
            award(said, first, points);
            printf("%d %d", points[0], points[1]);
            for (int class = 0; class < CLASSES; class++)
                printf(" %d", said[0].said[class]);
            puts("");
        } else {
            const Order *order = order_of(strain);
            Position position = {.seat = first, .sweeper = NOBODY, .trick = NO_CARDS};
            if (!strcmp(what, "sweep"))
                position.sweeper = EITHER;
            for (int seat = 0; seat < 4; seat++)
                position.hands[seat] = to_places(order, hands[seat]);
            new_deal(order);
            printf("%d\n", solve(&position, 40));
        }
    }
    return 0;
}
"""


def built(folder: Path, name: str, *arguments: str | Path) -> Path:
    need("gcc", "gcc libc6-dev")
    program = folder / name
    subprocess.run([*GCC, f"-I{HERE}", "-o", program, *arguments, "-lm"], check=True)
    return program


@pytest.fixture(scope="module")
def champion(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bot as it is, with two hundredths of a second for an answer."""
    sources = sorted(HERE.glob("*.c"))
    return built(tmp_path_factory.mktemp("champion"), "bot", "-DCPU_SECONDS=.02", *sources)


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that asks the bot's parts."""
    folder = tmp_path_factory.mktemp("parts")
    (folder / "driver.c").write_text(DRIVER)
    names = ("cards.c", "declare.c", "score.c", "solver.c")
    return built(folder, "driver", folder / "driver.c", *(HERE / name for name in names))


def said(program: Path, lines: list[str]) -> list[str]:
    told = "".join(f"{line}\n" for line in lines)
    done = subprocess.run([program], input=told, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def deals(count: int, cards: int = 32) -> Iterator[tuple[str, int, list[list[str]]]]:
    """A strain, who leads first, and four hands out of so many cards."""
    rng = random.Random(7)
    for _ in range(count):
        dealt = rng.sample([str(card) for card in PACK], cards)
        yield rng.choice(STRAINS), rng.randrange(4), [dealt[seat::4] for seat in range(4)]


def asked(what: str, strain: str, first: int, hands: list[list[str]]) -> str:
    return f"{what} {strain} {first} " + " ".join(f"{' '.join(hand)} /" for hand in hands)


def test_declarations_count_what_the_table_counts(parts: Path) -> None:
    """In one deal of four every hand has all four cards of two ranks."""
    rng = random.Random(3)
    lines, expected = [], []
    for number, (strain, first, hands) in enumerate(deals(1500)):
        if number % 4 == 0:
            ranks = rng.sample("789TJQKA", 8)
            pack = [rank + suit for rank in ranks for suit in "CDHS"]
            hands = [pack[0:8], pack[8:16], pack[16:24], pack[24:32]]
        lines.append(asked("declare", strain, first, hands))
        by_name = {str(card): card for card in PACK}
        declared = [
            largest([by_name[card] for card in hand], strain, belote_overlap=False)
            for hand in hands
        ]
        kinds = [one.kind for one in declared[0] if one.kind != BELOTE]
        points = awarded(declared, strain, first)
        expected.append(" ".join(map(str, (*points, *map(kinds.count, "TFH4")))))
    assert said(parts, lines) == expected


def test_contracts_score_what_the_table_scores(parts: Path) -> None:
    rng = random.Random(5)
    lines, expected = [], []
    for _ in range(3000):
        bid = Bid(rng.randint(8, 30), rng.choice(STRAINS), rng.random() < 0.2)
        contract = Contract(bid, 0, rng.randrange(3))
        tricks = rng.choice([0, 3, 5, 8])
        cards = {0: 0, 8: 162}.get(tricks, rng.randrange(163))
        declared = rng.choice([0, 20, 100]), rng.choice([0, 20, 50])
        taken, counted = Sides(cards, 162 - cards), Sides(*declared)
        points = result(Options(), contract, taken, tricks, counted, Sides(0, 0)).points
        swept = {0: 162 - CAPOT, 8: CAPOT}.get(tricks, cards)
        text = f"score {bid.strain} {bid.level} {int(bid.capot)} {contract.doubled} {swept}"
        lines.append(f"{text} {declared[0]} {declared[1]}")
        expected.append(str(points.bidders - points.defenders))
    assert said(parts, lines) == expected


def test_endings_are_worth_what_plain_search_finds(parts: Path) -> None:
    """Up to the few points that cards of nearly the same worth may make."""
    lib = house.library("blot")
    lines, exact = [], []
    for strain, first, hands in deals(150, cards=16):
        order = lib.tricks.order_of(strain)
        masks = [order.mask(hand) for hand in hands]
        position = lib.minimax.Position(
            first, masks[first], None, None, None, 0, 4, lib.minimax.NOBODY
        )
        most = max(lib.minimax.Search(order).values(position, masks, 16).values())
        total = sum(order.points[order.number[card]] for hand in hands for card in hand) + 10
        exact.append((total + (most if first % 2 == 0 else -most)) / 2)
        lines.append(asked("solve", strain, first, hands))
    found = [int(value) for value in said(parts, lines)]
    assert max(abs(one - other) for one, other in zip(found, exact, strict=True)) <= 4
    assert sum(one == other for one, other in zip(found, exact, strict=True)) > 120


def test_a_hand_that_takes_every_trick_is_worth_a_capot(parts: Path) -> None:
    hands = [[rank + suit for rank in "JA9TKQ87"] for suit in "SHDC"]
    assert said(parts, [asked("sweep", "S", 0, hands), asked("sweep", "H", 0, hands)]) == [
        "252",
        "-90",
    ]


TABLES = [
    {},
    {"declare": "bot", "open_hands": True},
    {"capot_level": 8, "recontra_by": "declarer", "auction_end": "three_passes"},
    {"ruff_partner_winning": "must", "undertrump": "free", "top_card": "low"},
]


@pytest.mark.parametrize("table", TABLES, ids=[" ".join(one) for one in TABLES])
def test_every_answer_is_legal_on_every_table(champion: Path, table: dict[str, object]) -> None:
    steps = [
        step
        for seed in range(3)
        for step in random_steps(BLOT, 4, seed, target=1000, **table)
        if step.turn.seat != CHANCE
    ]
    phases = [step.before for step in steps[:: len(steps) // 60]]
    lines = [" ".join(words(phase.question(phase.to_act))) for phase in phases]
    answers = said(champion, lines)
    for phase, answer in zip(phases, answers, strict=True):
        assert phase.read(answer) in phase.legal_actions(phase.to_act)


def answer(champion: Path, question: str) -> str:
    """What it says to a question, which it reads from its arguments."""
    done = subprocess.run([champion, *question.split()], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def bids(champion: Path, hand: str, auction: str = "- -", legal: str = "P,8+") -> str:
    return answer(
        champion,
        f"blot bid {legal} 2 1 {hand.replace(' ', ',')} {auction} - - - 0,0 0,0 301",
    )


def test_it_bids_its_suit_and_passes_where_the_others_stand_well(champion: Path) -> None:
    strong = bids(champion, "JS 9S AS KS 8S AH TH AD")
    assert strong.endswith(("S", "N"))
    assert int(strong[:-1]) >= 9
    weak = "8S 7S QH 8H 9D 7D QC 8C"
    assert bids(champion, weak, "P,P,12H,P 12H@0", "P,13+") == "P"


def test_it_says_contra_where_the_bid_can_t_be_made_and_recontra_where_it_must(
    champion: Path,
) -> None:
    assert bids(champion, "JS 9S AS TS 8D 7D 8H 8C", "P,P,P,15S 15S@1", "P,X,16+") == "X"
    beats = "JS 9S AS TS KS AH AD AC"
    assert bids(champion, beats, "8S,X 8Sx@0", "P,XX") == "XX"


def plays(champion: Path, rest: str) -> str:
    return answer(champion, f"blot play {rest} 0,0 301")


@pytest.mark.parametrize(
    ("rest", "card"),
    [
        # the last but one trick: the partner's ace holds it, so the ten goes there
        (
            "TH,9H 2 3 TH,9H P 8S@0 - "
            "0:JS,7S,9S,8S/0:AS,QS,7D,7H/0:TS,KS,8D,8H/0:AD,9D,KD,QD/0:JD,JC,TD,QC/0:AC,7C,KC,9C "
            "0:AH,QH 150,0",
            "TH",
        ),
        # an opponent's ace holds it: the ten is kept for nothing better, but not given away
        (
            "TC,8C 2 3 TC,8C P 8S@0 - "
            "1:JS,7S,9S,8S/1:AS,QS,7D,7H/1:TS,KS,8D,8H/1:AD,9D,KD,QD/1:JD,JC,TD,QC/1:TH,JH,KH,QH "
            "1:AC 0,140",
            "8C",
        ),
    ],
)
def test_it_gives_points_to_its_partner_and_none_to_others(
    champion: Path, rest: str, card: str
) -> None:
    assert plays(champion, rest) == card


def test_it_looks_at_open_hands_where_they_are_open(champion: Path) -> None:
    """A finesse that only works since the queen is seen to lie bare behind."""
    hands = "AC,TH/7C,8D/AS,QC/KC,9D"
    question = (
        "blot play AC,TH 0 3 AC,TH P 8S@0 - "
        "0:JS,7S,9S,8S/0:TS,QS,7D,7H/0:KS,AH,8H,9H/0:AD,JH,KD,QD/0:JD,JC,TD,QH/0:TC,8C,KH,9C "
        f"- 100,0 0,0 301 {hands}"
    )
    assert answer(champion, question) == "TH"


def test_notices_want_no_answer(champion: Path) -> None:
    question = " ".join(BLOT.sample)
    assert len(said(champion, [question, "# deal 1 - - - 0,0 0,0 0,0", question])) == 2

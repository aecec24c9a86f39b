"""The champion of blot, in C: what it infers, its rough search, and what it answers."""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from card_arena.tables.blot.phases import Playing
from card_arena.tables.blot.rules import PACK, STRAINS
from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE
from card_arena.tables.registry import game
from card_arena.tests.bots import house
from card_arena.tests.tables.scripted import random_steps

BLOT = game("blot")
LIB = house.library("blot")

DRIVER = r"""
#include "estimate.h"
#include "native/words.h"
#include "view.h"

static View view;

/* Prints how many deals there are, and the seats that may hold each unseen card. */
static void infer(void)
{
    printf("%.0f", view.ways);
    for (int at = 0; at < view.unseen.cards; at++)
        for (int place = 0; place < 3; place++)
            if (view.unseen.may[at] >> place & 1)
                printf(" %d:%d", (view.seat + 1 + place) % 4, view.unseen.card[at]);
    puts("");
}

/* Prints the calls: seat, level and strain. */
static void list_calls(void)
{
    for (int i = 0; i < view.call_count; i++) {
        Call call = view.calls[i];
        printf("%d:%d,%d ", call.seat, call.level, call.strain);
    }
    puts("");
}

/* Prints of 400 deals how many spades seat 0 has on average, and how often it has a tierce. */
static void believe(void)
{
    int spades = 0, tierces = 0;
    draw_deals(&view);
    for (int i = 0; i < 400; i++) {
        Cards dealt[4];
        deal_likely(&view, dealt);
        set_deal(&view, dealt);
        spades += count(dealt[0] & suit_cards(3));
        for (int j = 0; j < view.state.declared[0].count; j++)
            tierces += view.state.declared[0].of[j].class == TIERCE;
    }
    printf("%g %d\n", spades / 400., tierces);
}

/* Prints the exact value and the rough one of hands, the strain, the leader, the sweeper. */
static void value(const Question *question)
{
    BlotSolver *solver = new_blot_solver();
    State s = {.strain = strchr(SUITS, *question->words[1]) - SUITS};
    s.table.to_act = atoi(question->words[2]);
    for (int seat = 0; seat < 4; seat++)
        s.hands[seat] = read_cards(question->words[4 + seat], RANKS);
    Position position = position_of(&s);
    position.sweeper = atoi(question->words[3]);
    for (position.rough = 0; position.rough <= 1; position.rough++) {
        new_deal(solver);
        printf("%d ", value_of_lead(solver, &position, 40));
    }
    puts("");
    free(solver);
}

static void answer(Question *question)
{
    char what = *question->words[0];
    if (what == 'v') {
        value(question);
        return;
    }
    question->count--;
    question->words++;
    read_view(&view, question);
    if (what == 'i')
        infer();
    else if (what == 'c')
        list_calls();
    else
        believe();
}

int main(int argc, char *argv[]) { return answer_questions(argc, argv, answer, NULL); }
"""


@pytest.fixture(scope="module")
def champion(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bot as it is, with a third of its search for an answer."""
    program = tmp_path_factory.mktemp("champion") / "champion"
    return house.compiled("blot", "champion", program, "-DLEADS_SEARCHED=20000")


@pytest.fixture(scope="module")
def parts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that asks the bot's parts."""
    driver = tmp_path_factory.mktemp("parts") / "driver.c"
    driver.write_text(DRIVER)
    return house.compiled("blot", "champion", driver.with_suffix(""), main=driver)


def said(program: Path, lines: list[str]) -> list[str]:
    told = "".join(f"{line}\n" for line in lines)
    done = subprocess.run([program], input=told, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def phases(games: int, most: int, **table: Any) -> list[Any]:
    """Positions of games at random."""
    steps = [
        step
        for seed in range(games)
        for step in random_steps(BLOT, 4, seed, target=1000, **table)
        if step.turn.seat != CHANCE
    ]
    return [step.before for step in steps[:: len(steps) // most]]


def inferred(parts: Path, asked: list[Any]) -> Iterator[tuple[float, dict[int, set[str]]]]:
    """How many deals there are by each question, and which cards each seat may hold."""
    questions = [f"infer {' '.join(words(phase.question(phase.to_act)))}" for phase in asked]
    for line in said(parts, questions):
        ways, *pairs = line.split()
        held: dict[int, set[str]] = {seat: set() for seat in range(4)}
        for pair in pairs:
            seat, card = pair.split(":")
            held[int(seat)].add(str(PACK[int(card)]))
        yield float(ways), held


def test_it_infers_what_the_library_infers(parts: Path) -> None:
    asked = [phase for phase in phases(3, 400) if isinstance(phase, Playing)]
    barred = 0
    for phase, (ways, held) in zip(asked, inferred(parts, asked), strict=True):
        question = LIB.table.parse(words(phase.question(phase.to_act)))
        unseen = LIB.unseen.look(question)
        order = LIB.tricks.order_of(question.contract.strain)
        assert ways == unseen.count
        for seat in unseen.others:
            assert held[seat] == set(order.names(unseen.can_hold[seat]))
            barred += len(unseen.cards) - len(held[seat])
    assert barred > 100


@pytest.mark.parametrize(
    "table", [{}, {"undertrump": "free", "open_hands": True}], ids=["hidden", "open"]
)
def test_the_true_deal_is_never_ruled_out(parts: Path, table: dict[str, Any]) -> None:
    asked = phases(3, 400, **table)
    for phase, (ways, held) in zip(asked, inferred(parts, asked), strict=True):
        assert ways == 1 or not table
        for seat, hand in enumerate(phase.hands):
            assert seat == phase.to_act or set(map(str, hand)) <= held[seat]


def test_play_that_the_default_rules_forbid_is_taken_for_that_of_another_table(parts: Path) -> None:
    """Seat 2 has no hearts and discards a diamond under the jack of trumps, but has trumps too."""
    hands = (
        "TH,9H,JH,QH,KH,7S,8S",
        "AS,TS,KS,AD,TD,KD,QD",
        "9S,QS,JD,9D,8D,AC,TC",
        "7H,KC,QC,JC,9C,8C,7C",
    )
    rest = f"{hands[1]} P,8S,P,P,P,P 8S@1 - 0:AH,JS,7D,8H - 0,0 0,0 301 {'/'.join(hands)}"
    assert said(parts, [f"infer blot play {hands[1]} 1 3 {rest}"])[0].split()[0] == "1"


def test_it_knows_who_called_what(parts: Path) -> None:
    """After a contra only the bidding side is asked."""
    hand = "7C,8C,9C,7D,8D,9D,7H,8H"
    auctions = {
        "8S,X,P,XX": "0:8,3 1:0,5 2:0,-1 0:0,6 ",
        "P,P,8H,25Nc,P": "0:0,-1 1:0,-1 2:8,2 3:25,4 0:0,-1 ",
    }
    lines = [f"calls blot bid P 1 3 {hand} {one} 8H@2 - - - 0,0 0,0 301" for one in auctions]
    assert said(parts, lines) == list(auctions.values())


def test_the_command_that_fits_what_calls_tell_learns_a_plain_bidder() -> None:
    """Who has the jack of hearts bids hearts, and all others pass."""
    hands = ("JH,9H,AS,KS,8D,7D,7C,8C", "QH,8H,AS,KS,8D,7D,7C,8C")
    decisions = [
        {"question": f"blot bid P,8+ 0 3 {hand} - - - - - 0,0 0,0 301", "answer": call}
        for hand, call in zip(hands, ("8H", "P"), strict=True)
    ]
    done = subprocess.run(
        [sys.executable, house.BOTS / "blot" / "champion" / "fit_calls.py"],
        input="".join(f"{json.dumps(decision)}\n" for decision in decisions * 40),
        capture_output=True,
        text=True,
        check=True,
    )
    first = done.stdout.splitlines()[2]
    trumps = [float(number) for number in re.findall(r"-?\d+\.\d+", first)]
    assert first.startswith("static const double TRUMPS[8] = {")
    assert trumps.index(max(trumps)) in (2, 4)
    assert float(done.stderr.split()[0]) < 0.2


def test_deals_are_believed_that_go_with_what_was_said(parts: Path) -> None:
    hand = "7C,8C,9C,7D,8D,9D,7H,8H"
    questions = [
        f"believe blot bid P,13+ 1 3 {hand} {calls} - - - - 0,0 0,0 301" for calls in ("P", "12S")
    ] + [
        f"believe blot play 8H 1 3 {hand} 12S,P,P,P,P 12S@0 {declared} - 0:TH 0,0 0,0 301"
        for declared in ("-", "0:T")
    ]
    passed, bid, silent, announced = (
        tuple(map(float, line.split())) for line in said(parts, questions)
    )
    assert bid[0] > passed[0] + 0.5
    assert silent[1] < 20
    assert announced[1] > 200


def deals(count: int, cards: int) -> Iterator[tuple[str, int, list[list[str]]]]:
    """A strain, who leads first, and four hands out of so many cards."""
    rng = random.Random(7)
    for _ in range(count):
        dealt = rng.sample([str(card) for card in PACK], cards)
        yield rng.choice(STRAINS), rng.randrange(4), [dealt[seat::4] for seat in range(4)]


def valued(strain: str, first: int, sweeper: int, hands: list[list[str]]) -> str:
    return f"value {strain} {first} {sweeper} {' '.join(','.join(hand) for hand in hands)}"


EITHER, NOBODY = 2, 3


def test_endings_are_worth_what_plain_search_finds(parts: Path) -> None:
    """Rough ones, up to the few points that cards of nearly the same worth may make."""
    lines, exact = [], []
    for strain, first, hands in deals(150, cards=16):
        order = LIB.tricks.order_of(strain)
        masks = [order.mask(hand) for hand in hands]
        position = LIB.minimax.Position(
            first, masks[first], None, None, None, 0, 4, LIB.minimax.NOBODY
        )
        most = max(LIB.minimax.Search(order).values(position, masks, 16).values())
        total = sum(order.points[order.number[card]] for hand in hands for card in hand) + 10
        exact.append((total + (most if first % 2 == 0 else -most)) / 2)
        lines.append(valued(strain, first, NOBODY, hands))
    pairs = [tuple(map(int, line.split())) for line in said(parts, lines)]
    assert [value for value, _ in pairs] == exact
    assert 0 < max(abs(value - rough) for value, rough in pairs) <= 4


def test_a_hand_that_takes_every_trick_is_worth_a_capot(parts: Path) -> None:
    hands = [[rank + suit for rank in "JA9TKQ87"] for suit in "SHDC"]
    lines = [valued("S", 0, EITHER, hands), valued("H", 0, EITHER, hands)]
    assert said(parts, lines) == ["252 252 ", "-90 -90 "]


TABLES: list[dict[str, Any]] = [
    {},
    {"declare": "bot", "open_hands": True},
    {"capot_level": 8, "recontra_by": "declarer", "auction_end": "three_passes"},
    {"ruff_partner_winning": "must", "undertrump": "free", "top_card": "low"},
]


@pytest.mark.parametrize("table", TABLES, ids=[" ".join(one) for one in TABLES])
def test_every_answer_is_legal_on_every_table(champion: Path, table: dict[str, Any]) -> None:
    asked = phases(3, 60, **table)
    lines = [" ".join(words(phase.question(phase.to_act))) for phase in asked]
    answers = said(champion, lines)
    for phase, answer in zip(asked, answers, strict=True):
        assert phase.read(answer) in phase.legal_actions(phase.to_act)


def answer(champion: Path, question: str) -> str:
    """What it says to a question, which it reads from its arguments."""
    done = subprocess.run([champion, *question.split()], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_its_answers_depend_on_the_question_alone(champion: Path) -> None:
    lines = [" ".join(words(phase.question(phase.to_act))) for phase in phases(2, 20)]
    assert said(champion, lines) == said(champion, lines[::-1])[::-1]


def scores(champion: Path, question: str) -> dict[str, float]:
    """The answers that it gives scores to, and these."""
    (line,) = said(champion, [f"evaluate 1 {question}"])
    return {text: float(score) for text, score in (item.split("=") for item in line.split())}


def test_it_gives_every_card_and_the_bids_that_make_sense_a_score(champion: Path) -> None:
    for phase in phases(2, 20, declare="bot"):
        question = phase.question(phase.to_act)
        of = scores(champion, " ".join(words(question)))
        if isinstance(phase, Playing):
            assert sorted(of) == sorted(words(question)[2].split(","))
        else:
            assert "P" in of
            assert all(phase.read(text) in phase.legal_actions(phase.to_act) for text in of)


def test_it_expects_what_the_last_cards_bring(champion: Path) -> None:
    """The ace wins the last two tricks, 31 points with the last one's 10: 8 for 80 in the bid."""
    question = (
        "blot play TC,TH 0 3 TC,TH 8S,P,P,P,P 8S@0 - 0:JS,7S,9S,8S/0:AS,QS,TS,KS/0:AD,7D,KD,QD/"
        "0:TD,8D,JD,9D/0:KH,7H,8H,9H/0:KC,7C,8C,9C - 0,0 0,0 301 TC,TH/AC,JH/AH,QC/JC,QH"
    )
    of = scores(champion, question)
    assert of["TC"] > of["TH"]


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


@pytest.mark.parametrize("turned", range(4))
@pytest.mark.parametrize(
    ("rest", "card"),
    [
        # the last but one trick: the partner's ace holds it, so the ten goes there
        (
            "TH,9H {2} {3} TH,9H 8S,P,P,P,P 8S@{0} -"
            " {0}:JS,7S,9S,8S/{0}:AS,QS,7D,7H/{0}:TS,KS,8D,8H/{0}:AD,9D,KD,QD/{0}:TD,JC,JD,QC"
            "/{0}:AC,7C,KC,9C {0}:AH,QH 150,0",
            "TH",
        ),
        # an opponent's ace holds it: the ten is kept for nothing better, but not given away
        (
            "TC,8C {2} {0} TC,8C P,P,P,8S,P,P,P,P 8S@{0} -"
            " {1}:JS,7S,9S,8S/{1}:AS,QS,7D,7H/{1}:TS,KS,8D,8H/{1}:AD,9D,KD,QD/{1}:TD,JC,JD,QC"
            "/{1}:TH,JH,KH,QH {1}:AC 0,140",
            "8C",
        ),
    ],
)
def test_it_gives_points_to_its_partner_and_none_to_others(
    champion: Path, rest: str, card: str, turned: int
) -> None:
    seats = [(seat + turned) % 4 for seat in range(4)]
    assert plays(champion, rest.format(*seats)) == card


@pytest.mark.parametrize(
    ("others", "card"), [("AC,JH/AH,QC/JC,QH", "TC"), ("AH,JC/AC,QH/JH,QC", "TH")]
)
def test_it_looks_at_open_hands_where_they_are_open(champion: Path, others: str, card: str) -> None:
    """It loses the first of the two tricks that are left, to take the last one."""
    question = (
        "blot play TC,TH 0 3 TC,TH 8S,P,P,P,P 8S@0 - 0:JS,7S,9S,8S/0:AS,QS,TS,KS/0:AD,7D,KD,QD/"
        f"0:TD,8D,JD,9D/0:KH,7H,8H,9H/0:KC,7C,8C,9C - 0,0 0,0 301 TC,TH/{others}"
    )
    assert answer(champion, question) == card


def test_notices_want_no_answer(champion: Path) -> None:
    question = " ".join(BLOT.sample)
    assert len(said(champion, [question, "# deal 1 - - - 0,0 0,0 0,0", question])) == 2


def test_it_announces_all_that_it_can(champion: Path) -> None:
    rest = "7S,7S+T,7S+4T,7S+4 0 3 7S,8S,9S,TS,TH,TD,TC,AC P,10S,P,P,P 10S@0 - - - 0,0"
    assert plays(champion, rest) == "7S+4T"

"""Luck with the cards: it adds up to nothing, so a lead less luck has the mean of the plain lead.

`python -m card_arena.tests.tables.test_luck 100000` plays that many hands of every game and prints
both means; with the name of a game behind it only of that one.
"""

from __future__ import annotations

import random
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from math import factorial, sqrt
from typing import Any

import pytest

from card_arena.tables.blackjack.phases import Playing, Shuffling
from card_arena.tables.cards import FULL_PACK
from card_arena.tables.dealing import Packs
from card_arena.tables.durak.bout import Bout
from card_arena.tables.durak.bout import Options as DurakOptions
from card_arena.tables.durak.luck import luck_of_draws
from card_arena.tables.encoding import words
from card_arena.tables.game import CHANCE, Phase, Terminal
from card_arena.tables.legal_actions import Action, Order
from card_arena.tables.luck import UNIT, luck_of
from card_arena.tables.record import Record
from card_arena.tables.registry import GAMES
from card_arena.tests.in_process import Answer, bets_when_ahead, draws_below, house_bot, played
from card_arena.tests.tables.scripted import random_steps

SEED = bytes(32)
DEALT = ("spades", "blot", "tarot")
"""The games in which nothing is chance but the deal."""


def bots(name: str) -> list[Answer]:
    """Two players of a game that are quick, and differ."""
    if name == "blackjack":
        return [draws_below(15), bets_when_ahead(17)]
    names = {
        "spades": ("ms-wrp", "io"),
        "blot": ("v1", "v2"),
        "tarot": ("points", "points"),
        "durak": ("value", "lowest"),
    }
    return [house_bot(name, each) for each in names[name]]


def leads(name: str, games: int, seated: Sequence[Answer]) -> Iterator[tuple[float, float]]:
    """The plain lead of seat 0 over seat 1 in each game, and the luck in it."""
    game = GAMES[name]
    seats = next(seats for seats in (2, 3, 4) if seats in game.seats)
    for number in range(games):
        table = [seated[(seat + number) % 2] for seat in range(seats)]
        ended = played(game, game.options(), table, Packs(SEED, "luck", number))
        sign = 1 - 2 * (number % 2)
        scores, luck = ended.over.scores, ended.luck
        yield sign * (scores[0] - scores[1]), sign * (luck[0] - luck[1]) / UNIT


def sure(values: Sequence[float]) -> tuple[float, float]:
    """A mean and its standard error."""
    return statistics.fmean(values), statistics.stdev(values) / sqrt(len(values))


@pytest.mark.parametrize(("name", "games"), [("blackjack", 500), ("durak", 60)])
def test_a_lead_less_luck_has_the_mean_of_the_plain_lead_and_less_scatter(
    name: str, games: int
) -> None:
    found = [*leads(name, games, bots(name))]
    mean, error = sure([luck for _, luck in found])
    assert abs(mean) < 4 * error
    plain = statistics.stdev(lead for lead, _ in found)
    assert statistics.stdev(lead - luck for lead, luck in found) < plain


@pytest.mark.parametrize("name", DEALT)
def test_a_deal_gives_the_seats_nothing_on_average_over_who_gets_which_hand(name: str) -> None:
    game, rng = GAMES[name], random.Random(1)
    for _ in range(30):
        before, after = dealt(name, rng)
        total, ways = [0] * len(after.hands), factorial(len(after.hands))
        for hands in permutations(after.hands):
            for seat, gained in enumerate(
                game.statistics.luck(before, after._replace(hands=hands))
            ):
                total[seat] += gained
        assert all(abs(each) <= ways for each in total), "each is rounded to a thousandth"


@pytest.mark.parametrize("name", DEALT)
def test_who_holds_the_better_hands_is_the_lucky_one(name: str) -> None:
    game, rng = GAMES[name], random.Random(2)
    lucky = []
    for _ in range(200):
        before, after = dealt(name, rng)
        lucky.append(game.statistics.luck(before, after)[0])
    assert min(lucky) < -1000 < 1000 < max(lucky)


ONE_DEAL = {
    "spades": ("max_rounds", {}),
    "blot": ("max_deals", {"first_dealer": "seat_0"}),
    "tarot": ("deals", {"redeals": 0}),
}
"""The option that says how many deals a game has, and others for games of as many."""


@pytest.mark.parametrize(
    ("name", "luck"),
    [
        ("spades", [(-81625, 81625, -81625, 81625), (-14000, 14000, -14000, 14000)]),
        ("blot", [(17625, -17625, 17625, -17625), (15500, -15500, 15500, -15500)]),
        ("tarot", [(312840, -161040, -154440), (-30360, -36300, 67980)]),
    ],
)
def test_the_luck_of_a_deal_is_the_same_for_ever(name: str, luck: Sequence[Sequence[int]]) -> None:
    """A change of these numbers needs a new version of the game: stored luck is computed again."""
    rng = random.Random(4)
    found = []
    for _ in luck:
        before, after = dealt(name, rng)
        found.append(tuple(GAMES[name].statistics.luck(before, after)))
    assert found == luck


def lucks(
    name: str, deals: int, packs: Packs, choose: Callable[[Any, int], Action]
) -> list[tuple[int, ...]]:
    """The luck of every turn of chance in a game; `choose` is told the luck of seat 0 so far."""
    game = GAMES[name]
    limit, of_table = ONE_DEAL[name]
    phase: Any = game.start(game.options(**of_table, **{limit: deals}), game.seats[0])
    found: list[tuple[int, ...]] = []
    while not isinstance(phase, Terminal):
        if phase.to_act == CHANCE:
            action = packs.deal(phase.legal_actions(CHANCE))
        else:
            action = choose(phase, sum(luck[0] for luck in found))
        before, (phase, _) = phase, phase.apply(action)
        if luck := game.statistics.luck(before, phase):
            found.append(tuple(luck))
    return found


@pytest.mark.parametrize("name", DEALT)
def test_no_bot_moves_the_luck_of_a_deal(name: str) -> None:
    """Whatever is bid and played, luck is that of the cards."""
    house, rng, lucky = bots(name)[0], random.Random(6), 0

    def by_rule(phase: Any, _: int) -> Action:
        return phase.read(house([*words(phase.question(phase.to_act))]))

    def at_random(phase: Any, _: int) -> Action:
        return phase.legal_actions(phase.to_act).sample(rng)

    for number in range(12):
        luck, other = (
            lucks(name, 1, Packs(SEED, "moved", number), choose) for choose in (by_rule, at_random)
        )
        assert luck == other
        lucky += any(map(any, luck))
    assert lucky > 4


@pytest.mark.parametrize("name", DEALT)
def test_luck_is_nothing_on_average_for_a_bot_that_plays_by_the_luck_that_it_had(
    name: str,
) -> None:
    """It is told its luck, which no bot is, and does anything at all after lucky deals."""
    house, rng = bots(name)[0], random.Random(7)

    def adapting(phase: Any, luck: int) -> Action:
        if phase.to_act == 0 and luck > 0:
            return phase.legal_actions(0).sample(rng)
        return phase.read(house([*words(phase.question(phase.to_act))]))

    sums = [
        sum(luck[0] for luck in lucks(name, 4, Packs(SEED, "adaptive", number), adapting)) / UNIT
        for number in range(80)
    ]
    mean, error = sure(sums)
    assert abs(mean) < 3 * error


@pytest.mark.parametrize(
    ("name", "bot"), [("spades", "bis-no-end"), ("blot", "v1"), ("tarot", "points")]
)
def test_luck_says_most_of_how_the_house_bots_do_that_it_is_made_after(name: str, bot: str) -> None:
    limit, of_table = ONE_DEAL[name]
    game, house = GAMES[name], house_bot(name, bot)
    options = game.options(**of_table, **{limit: 1})
    ended = [
        played(game, options, [house] * game.seats[0], Packs(SEED, "house", number))
        for number in range(60)
    ]
    margins = [one.over.scores[0] - one.over.scores[1] for one in ended]
    assert statistics.correlation(margins, [one.luck[0] - one.luck[1] for one in ended]) > 0.7


def dealt(name: str, rng: random.Random) -> tuple[Phase, Any]:
    """A deal that stands: the position before it and the one after."""
    game = GAMES[name]
    phase: Any = game.start(game.options(), game.seats[0])
    while True:
        assert phase.to_act == CHANCE
        after, _ = phase.apply(phase.legal_actions(CHANCE).sample(rng))
        if after.to_act != CHANCE:
            return phase, after
        phase = after


def test_a_card_taken_at_blackjack_is_worth_nothing_on_average_over_all_that_could_come() -> None:
    game, rng, seen = GAMES["blackjack"], random.Random(3), 0
    for number in range(40):
        phase: Phase | Terminal = game.start(game.options(), 2 + number % 3)
        while not isinstance(phase, Terminal):
            if isinstance(phase, Playing):
                for word in ("H", "D"):
                    seen += _is_worth_nothing_on_average(phase, word)
                action = phase.read("H" if rng.random() < 0.5 else "S")
            else:
                action = phase.legal_actions(phase.to_act).sample(rng)
            phase, _ = phase.apply(action)
    assert seen > 100


def _is_worth_nothing_on_average(phase: Playing, word: str) -> bool:
    """Put every card that may be next on top of the pack; only the hidden one can't be swapped."""
    game, table, action = GAMES["blackjack"], phase.table, phase.read(word)
    on_the_table = len(table.dealer) + sum(len(spot.cards) for spot in table.spots)
    if action not in phase.legal_actions(phase.to_act) or table.drawn == len(table.pack):
        return False
    if table.drawn < on_the_table:
        return False  # the hidden card is of an older pack
    pack, top, total, ways = table.pack, table.drawn, 0, 0
    for other in (*range(top, len(pack)), pack.index(table.dealer[1])):
        swapped = list(pack)
        swapped[top], swapped[other] = swapped[other], swapped[top]
        dealer = (table.dealer[0], pack[top]) if other < top else table.dealer
        changed = Playing(table._replace(pack=tuple(swapped), dealer=dealer), phase.to_act)
        after, _ = changed.apply(action)
        if not isinstance(after, Playing):
            return False  # the dealer's cards are chance too
        total += game.statistics.luck(changed, after)[phase.to_act]
        ways += 1
    assert abs(total) <= ways, "each is rounded to a thousandth"
    return True


@pytest.mark.parametrize("options", [{"hands": 12}, {"hands": 12, "shoe": "hand"}])
@pytest.mark.parametrize("order", ["players_first", "dealer_first"])
def test_luck_at_blackjack_outlives_a_pack_that_runs_out_in_mid_hand(
    options: dict[str, Any], order: str
) -> None:
    game, lucky, scores = GAMES["blackjack"], [], []
    table = game.options(**options, deal_order=order)
    for number in range(60):
        ended = played(game, table, [draws_below(17)] * 3, Packs(SEED, "worn", number))
        lucky += [luck / UNIT for luck in ended.luck]
        scores += ended.over.scores
    mean, error = sure(lucky)
    assert abs(mean) < 4 * error
    rest = [score - luck for score, luck in zip(scores, lucky, strict=True)]
    assert statistics.stdev(rest) < 0.5 * statistics.stdev(scores)


def test_a_hand_at_blackjack_with_a_pack_of_its_own_is_dealt_from_all_the_cards() -> None:
    game, packs = GAMES["blackjack"], Packs(SEED, "fresh")
    phase: Phase | Terminal = game.start(game.options(shoe="hand", hands=4), 2)
    orders = 0
    while not isinstance(phase, Terminal):
        if isinstance(phase, Shuffling):
            assert phase.pack == FULL_PACK
            orders += 1
        legal = phase.legal_actions(phase.to_act)
        phase, _ = phase.apply(
            packs.deal(legal)
            if isinstance(legal, Order)
            else phase.read("next" if phase.to_act == CHANCE else "S")
        )
    assert orders == 4
    assert phase.shoe == ()


def test_draws_at_durak_are_worth_nothing_on_average_over_all_orders_of_the_talon() -> None:
    deck = FULL_PACK[40:]
    trump, hidden = deck[0], deck[1:6]
    before = Bout(((), ()), DurakOptions(), trump, (*hidden, trump), (0, 0))
    total = [0, 0]
    for order in permutations(hidden):
        after = before._replace(hands=(order[:2], order[2:3]), talon=(*order[3:], trump))
        for seat, gained in enumerate(luck_of_draws(before._replace(talon=(*order, trump)), after)):
            total[seat] += gained
    ways = factorial(len(hidden))
    assert all(abs(each) <= ways for each in total), "each is rounded to a thousandth"


def test_who_draws_the_trumps_at_durak_is_the_lucky_one() -> None:
    hearts, spades = FULL_PACK[26:39], FULL_PACK[39:]
    trump = spades[0]
    talon = (spades[12], hearts[0], hearts[1], hearts[2], trump)
    before = Bout(((), ()), DurakOptions(), trump, talon, (0, 0))
    after = before._replace(hands=(talon[:1], talon[1:2]), talon=talon[2:])
    mine, its = luck_of_draws(before, after)
    assert mine > 0 > its


@pytest.mark.parametrize("name", GAMES)
def test_a_record_tells_the_luck_that_was_seen_in_play(name: str) -> None:
    game = GAMES[name]
    steps = random_steps(game, game.seats[-1], 5)
    total = [0] * game.seats[-1]
    for step in steps:
        for seat, gained in enumerate(game.statistics.luck(step.before, step.after)):
            total[seat] += gained
    end = steps[-1].after
    assert isinstance(end, Terminal)
    record = Record(
        game=name,
        version=game.version,
        options=game.options().model_dump(mode="json"),
        seats=game.seats[-1],
        purses=(),
        turns=tuple(step.turn for step in steps),
        struck_out=(),
        over=end,
    )
    assert luck_of(record) == tuple(total)
    assert luck_of(replace(record, version=game.version + 1)) is None
    assert luck_of(replace(record, turns=record.turns[1:])) is None


def main(hands: int, names: Sequence[str]) -> None:
    """Play about this many hands of these games, and print both means of a lead."""
    for name in names:
        seated = bots(name)
        each = {"blackjack": 5, "spades": 10, "blot": 15, "tarot": 12}.get(name, 1)
        found = [*leads(name, max(2, hands // each), seated)]
        dealt_hands = each * len(found)
        plain, error = sure([lead for lead, _ in found])
        rest, less = sure([lead - luck for lead, luck in found])
        mean, of_luck = sure([luck for _, luck in found])
        print(
            f"{name}, {dealt_hands:,} hands: a lead of {plain:.3f} ± {error:.3f}, less luck"
            f" {rest:.3f} ± {less:.3f}; luck {mean:.3f} ± {of_luck:.3f}, z {mean / of_luck:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000, sys.argv[2:] or tuple(GAMES))

"""The starters and the house bots, each built and played as a stranger's would be."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

import pytest

from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.builds import Built, build
from card_arena.sandbox.bundles.bundle import Bundle, read_bundle
from card_arena.sandbox.check import Judge, Wrong, prove
from card_arena.sandbox.languages.registry import LANGUAGES
from card_arena.sandbox.limits import Clock, Limits
from card_arena.sandbox.sandbox import Reply
from card_arena.sandbox.seat import BotPlayer, Protocol
from card_arena.tables.legal_actions import LegalActions, Order
from card_arena.tables.record import Record
from card_arena.tables.referee import play
from card_arena.tables.registry import GAMES, game
from card_arena.tests.needs import need
from card_arena.tournament.submissions import question_of_each_phase, read_known

BOTS = Path(__file__).parents[2] / "bots"
STARTERS = sorted(path.parent for path in BOTS.glob("starters/*/bot.yaml"))
HOUSE = sorted(path.parent for path in BOTS.glob("blackjack/*/bot.yaml"))
DECK_WITH_A_HIDDEN_TWO = "A#" + "A23456789TJQK" * 3 + "3456789TJQK"
SAMPLE = ["21", "KJA", "KQKJA3592A", "25", "145"]


@pytest.fixture(scope="session")
def builds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("builds")


def built(folder: Path, builds: Path) -> tuple[Bundle, Built]:
    need("bwrap")
    bundle = read_bundle(folder)
    assert bundle.manifest.language is not None
    language = LANGUAGES[bundle.manifest.language]
    for tool in language.tools:
        need(tool)
    return bundle, build(bundle, backend("bubblewrap"), builds)


@contextmanager
def seated(made: Built, protocol: Protocol) -> Iterator[BotPlayer]:
    with backend("bubblewrap").open(made.program, Limits()) as sandbox:
        player = BotPlayer(sandbox, Clock(question=30.0, start=60.0), protocol)
        player.begin_game()
        yield player
        player.end_game()


def answer(made: Built, protocol: Protocol, question: Sequence[str] = SAMPLE) -> Reply:
    with seated(made, protocol) as player:
        return player.ask(question)


def is_legal(line: str | None, chips: int) -> bool:
    bet = re.fullmatch(r"B ([0-9.]+)", line or "")
    return line in ("H", "S", "D") or (bet is not None and 1 <= float(bet[1]) <= chips)


@cache
def every_question() -> tuple[tuple[Sequence[str], Judge], ...]:
    """One question of each phase of all games; at blackjack a starter hits below 17."""
    of_the_rules = [asked for each in GAMES.values() for asked in question_of_each_phase(each)]
    hits = (["16", "T6", "6#T6", "10", "190"], says("H"))
    return ((SAMPLE, says("S")), hits, *of_the_rules)


def says(expected: str) -> Judge:
    return lambda line: None if line == expected else Wrong(f"expected {expected!r}")


@pytest.mark.parametrize("folder", STARTERS, ids=lambda path: path.name)
def test_a_starter_plays_every_game_by_both_protocols(folder: Path, builds: Path) -> None:
    need("bwrap")
    language = LANGUAGES[folder.name]
    for tool in language.tools:
        need(tool)
    assert read_known(folder).manifest.games == tuple(GAMES)
    assert prove(folder, backend("bubblewrap"), builds, every_question()) is None


@pytest.mark.parametrize("folder", STARTERS, ids=lambda path: path.name)
def test_there_is_a_starter_for_every_language(folder: Path) -> None:
    assert read_bundle(folder).manifest.language == folder.name
    assert {path.name for path in STARTERS} == set(LANGUAGES)


@pytest.mark.parametrize("folder", HOUSE, ids=lambda path: path.name)
def test_a_house_bot_answers_the_contests_sample_question(folder: Path, builds: Path) -> None:
    bundle, made = built(folder, builds)
    assert bundle.manifest.name in (folder.name, f"blackjack-{folder.name}")
    assert bundle.manifest.tags == ("house",)
    assert bundle.manifest.about
    reply = answer(made, bundle.manifest.protocol)
    assert (reply.fault, reply.stderr) == (None, "")
    assert is_legal(reply.line, chips=145)


def test_the_house_speaks_six_languages_and_both_protocols() -> None:
    manifests = [read_bundle(folder).manifest for folder in HOUSE]
    assert len({manifest.language for manifest in manifests}) >= 6
    assert {manifest.protocol for manifest in manifests} == {"argv", "stdin"}


class Shuffler:
    """A dealer who shuffles from a seed."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def deal(self, choice: LegalActions) -> object:
        return choice.sample(self._rng) if isinstance(choice, Order) else choice.fallback_action


def house_round(names: Sequence[str], builds: Path, seed: int) -> Record:
    with ExitStack() as stack:
        players = []
        for name in names:
            bundle, made = built(BOTS / "blackjack" / name, builds)
            players.append(stack.enter_context(seated(made, bundle.manifest.protocol)))
        blackjack = game("blackjack")
        return play(blackjack, blackjack.options(), players, Shuffler(seed))


@pytest.mark.parametrize(
    "names",
    [
        ("basic", "counter", "davey", "lim17"),
        ("random", "lim15", "lim19", "counter"),
        ("counter", "doubledown"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_house_plays_whole_rounds_without_a_fault(
    names: Sequence[str], seed: int, builds: Path
) -> None:
    record = house_round(names, builds, seed)
    assert [turn.fault for turn in record.turns if turn.fault] == []
    assert sum(record.over.hands) >= 5


def test_linearbet_bets_more_than_it_has_as_it_did_in_2011(builds: Path) -> None:
    faults = [
        turn.fault
        for seed in range(3)
        for turn in house_round(["linearbet"], builds, seed).turns
        if turn.fault
    ]
    assert {fault.kind for fault in faults} == {"illegal"}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("21 KJA KQKJA3592A 25 145", "S"),
        ("11 65 9#K675 10 190", "D"),  # ten or eleven in two cards
        ("10 64 9#K664 10 10", "D"),
        ("11 65 9#K675 20 190", "H"),  # the stake is no longer the buy-in
        ("11 236 9#K236 10 190", "H"),  # three cards
        ("12 T2 6#T2 10 5", "B 5"),  # too few chips for another hand
        ("12 T2 6#T2 10 0", "H"),  # (4*86-18)/49 = 6.7: 18.7
        ("14 T4 5#T4 20 100", "H"),  # (4*86-19)/49 = 6.6: 20.6
        ("15 T5 T#T5 10 190", "S"),  # (4*86-25)/49 = 6.5: 21.5
        ("15 T5 TKT5QJT 10 190", "S"),  # (4*86-65)/45 = 6.2: 21.2
        ("15 96 TKTQJTQK96 10 190", "H"),  # (4*86-95)/42 = 5.9: 20.9
        ("13 A2 T#A2 10 190", "H"),
        ("20 TQ T#TQ 10 190", "S"),
        # A whole deck lies there, one two of it face down, which is all that is unseen. As a deck
        # is reckoned it counts 6: 21. With a card more another deck has begun: 347/52 = 6.7.
        (f"15 T5 {DECK_WITH_A_HIDDEN_TWO} 20 100", "H"),
        (f"15 T5 {DECK_WITH_A_HIDDEN_TWO}3 20 100", "S"),
    ],
)
def test_davey_draws_while_the_average_unseen_card_does_no_harm(
    question: str, expected: str, builds: Path
) -> None:
    _, made = built(BOTS / "blackjack" / "davey", builds)
    assert answer(made, "argv", question.split()).line == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("14 T4 6#T4 10 190", "H"),
        ("15 T5 6#T5 10 190", "B 107.14285714285714"),
        ("21 TA 6#TA 10 190", "B 150.0"),
        ("15 T5 6#T5 117 83", "S"),
    ],
)
def test_linearbet_bets_in_proportion_to_its_score(
    question: str, expected: str, builds: Path
) -> None:
    _, made = built(BOTS / "blackjack" / "linearbet", builds)
    assert answer(made, "argv", question.split()).line == expected


@pytest.mark.parametrize(("name", "limit"), [("lim15", 15), ("lim17", 17), ("lim19", 19)])
def test_a_lim_bot_draws_below_its_limit(name: str, limit: int, builds: Path) -> None:
    bundle, made = built(BOTS / "blackjack" / name, builds)
    with seated(made, bundle.manifest.protocol) as player:
        answers = [
            player.ask([str(score), "T5", "6#T5", "10", "190"]).line
            for score in range(limit - 1, limit + 1)
        ]
    assert answers == ["H", "S"]


@pytest.mark.parametrize(
    ("question", "first_letter"),
    [
        ("12 T2 6#T2 10 190", "S"),  # the dealer goes over often enough with a six
        ("12 T2 T#T2 10 190", "H"),
        ("16 T6 T#T6 10 190", "S"),  # a seventeen would win no more than this, for ties lose
        ("18 A7 T#A7 10 190", "H"),
        ("20 TK 6#TK 10 190", "B"),
        ("20 TK 6#TK 200 0", "S"),
        ("11 65 6#65 10 190", "H"),  # not D: it bets when it has seen the card
    ],
)
def test_basic_plays_against_the_dealers_card(
    question: str, first_letter: str, builds: Path
) -> None:
    _, made = built(BOTS / "blackjack" / "basic", builds)
    line = answer(made, "stdin", question.split()).line or ""
    assert line[:1] == first_letter


def test_the_counter_knows_the_last_cards_of_the_shoe(builds: Path) -> None:
    """All but the hidden card and four fours have been seen, so a dealer's six draws to 18 or 20.

    With a nine hidden he has 15, then 19: twenty beats him surely, and everything goes in.
    """
    _, made = built(BOTS / "blackjack" / "counter", builds)
    full = dict.fromkeys("A23456789TJQK", 4)
    this_hand = "TK6"
    for card in (*this_hand, "9", *"4444"):
        full[card] -= 1
    past = "".join(rank * count for rank, count in full.items())
    with seated(made, "stdin") as player:
        player.tell(f"hand 1 {past}")
        sure = player.ask(["20", "TK", "6#TK", "10", "190"]).line
    with seated(made, "stdin") as player:
        unsure = player.ask(["20", "TK", "6#TK", "10", "190"]).line
    with seated(made, "stdin") as player:
        player.tell(f"shoe {past}")
        told = player.ask(["20", "TK", "6#TK", "10", "190"]).line
    assert sure == told == "B 190"
    assert unsure is not None
    assert unsure.startswith("B ")
    assert unsure != sure

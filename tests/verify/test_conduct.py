"""Forged faults, clocks, answers and questions are refused by both verifiers, in their own words.

The forger writes all hashes anew. The bots of these seasons fail in every way, so that the records
hold faults of every kind.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from card_arena.common.fault_texts import CAUSES, TEXTS
from card_arena.common.faults import CODES, Fault
from card_arena.results.proof.season_file import BadSeasonFile
from card_arena.results.store import Store
from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.limits import Limits
from card_arena.tables.fault_texts import ALLOWED, fault_text
from card_arena.tables.game import MISTAKES
from card_arena.tables.hints import HINTS
from card_arena.tables.record import Record
from card_arena.tests.documentation import TOP
from card_arena.tests.needs import need
from card_arena.tests.sandbox.bots_for_sandboxes import python_bot
from card_arena.tests.tournament.faulty import faulty_season, opened
from card_arena.tests.tournament.foreign import part
from card_arena.tests.verify.changes import change
from card_arena.tests.verify.example import SETTINGS, run
from card_arena.tests.verify.forging import put_together, taken_apart
from card_arena.tournament.settings import settings_of
from card_arena.verify.matches import TRUSTED
from card_arena.verify.verify import verify_file, verify_season

Turns = dict[str, Any]


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Path:
    need("bwrap")
    return faulty_season(tmp_path_factory.mktemp("faulty"), "blackjack", spread=14)


def forged(season: Path, target: Path, forge: Callable[[Turns], bool | None]) -> tuple[str, str]:
    """Forge the first game that has what it takes; what the arena and the other program say."""
    parts = taken_apart(season)
    for match in parts.matches:
        if any(forge(record["turns"]) for record in match["records"]):
            break
    else:
        raise AssertionError("no game of the season has what is to be forged")
    parts.cover_up()
    file = put_together(parts, target / "forged.zip")
    code, said = run(file)
    assert code == 1, said
    return "\n".join(verify_file(file).differences), said


def answered(turns: Turns) -> int:
    """A turn with an answer that is no fault."""
    faults = dict(turns["fault"])
    return next(n for n, asked in enumerate(turns["question"]) if asked and n not in faults)


def ask_more(turns: Turns) -> bool:
    turns["question"][answered(turns)] += " extra"
    return True


def ask_less(turns: Turns) -> bool:
    number = answered(turns)
    turns["question"][number] = turns["question"][number].rpartition(" ")[0]
    return True


def turn_words(turns: Turns) -> bool:
    number = answered(turns)
    turns["question"][number] = " ".join(turns["question"][number].split(" ")[::-1])
    return True


def think_long(turns: Turns) -> bool:
    turns["wall"][answered(turns)] = 1_600_000
    return True


def compute_much(turns: Turns) -> bool:
    turns["cpu"][answered(turns)] = 600_000
    return True


def measure_the_dealer(turns: Turns) -> bool:
    turns["wall"][turns["seat"].index(-1)] = 5
    return True


def think_for_ever(turns: Turns) -> bool:
    """Only a fault may last so long, and no season did."""
    for number, fault in turns["fault"]:
        if fault["kind"] == "crash" or fault["kind"] == "timeout":
            turns["wall"][number] = 10**12
            return True
    return False


def answer_in_time(turns: Turns) -> bool:
    for number, fault in turns["fault"]:
        if fault["code"] in ("no-answer", "no-line-end"):
            turns["wall"][number] = 10
            return True
    return False


def forgive(turns: Turns) -> bool:
    for _, fault in turns["fault"]:
        fault["struck"] = not fault["struck"]
    return bool(turns["fault"])


def answer_well(turns: Turns) -> bool:
    for number, fault in turns["fault"]:
        if fault["kind"] == "malformed" and "allowed" in fault["facts"]:
            turns["answer"] = [[n, " s" if n == number else text] for n, text in turns["answer"]]
            return True
    return False


@pytest.mark.parametrize(
    ("forge", "ours", "theirs"),
    [
        (ask_more, "keeps the question", "asks 6 words, 5 are to be asked"),
        (ask_less, "keeps the question", "asks 4 words, 5 are to be asked"),
        (turn_words, "keeps the question", "shows seat . the score"),
        (think_long, "took 1600000 us, and is no timeout", "took 1600000 us, longer than it may"),
        (compute_much, "took 600000 us of processor time", "took 600000 us of processor time"),
        (measure_the_dealer, "asks nobody, but has", "asks nobody, but has"),
        (think_for_ever, "its answers took 10000.. s, but by", "its answers took 10000.. s, but"),
        (answer_in_time, "can't be a fault of this kind: timeout", "can't be a fault of this kind"),
        (forgive, "whether the fault .* is a strike", "the settings decide what is a strike"),
        (answer_well, "is recorded as malformed, but ' s' is no such", "' s' is not malformed"),
    ],
)
def test_a_forged_turn_is_refused_by_name(
    season: Path,
    tmp_path: Path,
    forge: Callable[[Turns], bool],
    ours: str,
    theirs: str,
) -> None:
    found, said = forged(season, tmp_path, forge)
    assert re.search(ours, found), found
    assert re.search(f"WRONG: .*{theirs}", said), said


HUGE = 10**400
CAUSED = {"exit": 1, "cause": "<b>"}
REFUSED = {"exit": 1, "refused": ["\x1b[2K"]}
LONG = {"microseconds": 10**15}
SHORT = {"microseconds": 20_000_000}


def with_fault(season: Path, target: Path, fault: Any) -> tuple[int, str, str]:
    """Replace a bot's fault; the other program's exit code, and what both say."""
    parts = taken_apart(season)
    records = [record["turns"] for match in parts.matches for record in match["records"]]
    turns, entry = next((t, e) for t in records for e in t["fault"] if e[1]["code"] == "memory")
    ended = {"kind": "crash", "code": "exit", "facts": {"exit": 3}, "struck": True}
    entry[1] = {**ended, **fault} if fault and isinstance(fault, dict) else fault
    turns["answer"] = sorted([*(e for e in turns["answer"] if e[0] != entry[0]), [entry[0], None]])
    for name in ("wall", "cpu", "peak"):
        turns[name][entry[0]] = 0
    parts.cover_up()
    file = put_together(parts, target / "forged.zip")
    code, said = run(file)
    try:
        return code, "\n".join(verify_file(file).differences), said
    except BadSeasonFile as error:
        return code, str(error), said


@pytest.mark.parametrize(
    "facts",
    [
        {"exit": 0},
        {"exit": 255, "cause": "busy", "computed": 0},
        {"exit": 1, "refused": ["ptrace", "system call 999"]},
    ],
)
def test_what_a_program_can_have_done_is_taken(
    season: Path, tmp_path: Path, facts: dict[str, Any]
) -> None:
    code, found, said = with_fault(season, tmp_path, {"facts": facts})
    assert (code, found) == (0, ""), said


@pytest.mark.parametrize(
    "fault",
    [
        *({}, [], "", 0, None, False, "exit", [1]),
        *({"facts": facts} for facts in ([1], None, "exit", {}, CAUSED, REFUSED)),
        *({"facts": {"exit": code}} for code in (-1, 256, HUGE, True, 1.0, "1", None, [])),
        *({"code": "signal", "facts": {"signal": number}} for number in (0, 65, HUGE)),
        *({"code": "not-started", "facts": {"errno": number}} for number in (0, 2**70)),
        *({"kind": "timeout", "code": "not-stopped", "facts": facts} for facts in (LONG, SHORT)),
        *({"kind": "timeout", "code": "sandbox-time", "facts": facts} for facts in (LONG, SHORT)),
        {"code": "no-sandbox", "facts": {"bots": 0, "matches": 0}},
        *({"code": code} for code in ("", "quit", "a" * 100_000, "\x1b[2K", "\ud800", [], None)),
        *({"kind": kind} for kind in ("crash\x1b[2K\r\n", "\ud800", [], None)),
        *({"struck": struck} for struck in (1, None, "yes")),
    ],
    ids=lambda fault: ascii(fault)[:60],
)
def test_a_fault_that_no_program_can_have_is_refused(
    season: Path, tmp_path: Path, fault: Any
) -> None:
    """The ledger tells of no bot without a sandbox, and the seat is asked again."""
    code, found, said = with_fault(season, tmp_path, fault)
    assert code == 1, said
    for text in (found, said):
        assert text
        assert text.replace("\n", "").isprintable()
        assert max(map(len, text.splitlines())) < 1000


def test_no_fault_passes_for_one_of_another_kind(season: Path, tmp_path: Path) -> None:
    parts = taken_apart(season)
    turns = [record["turns"] for match in parts.matches for record in match["records"]]
    seen = set()
    for fault in (fault for each in turns for _, fault in each["fault"]):
        was = fault["kind"]
        for kind in {*Fault} - {was}:
            if (was, str(kind)) in seen:
                continue
            seen.add((was, str(kind)))
            fault["kind"], fault["struck"] = str(kind), kind != "illegal"
            parts.cover_up()
            file = put_together(parts, tmp_path / "forged.zip")
            assert verify_file(file).differences, (was, kind)
            assert run(file)[0] == 1, (was, kind)
        fault["kind"], fault["struck"] = was, was != "illegal"
    assert len(seen) >= 20


def test_a_season_is_as_sound_when_every_sentence_has_other_words(
    season: Path, stored: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Verdicts are data: nothing reads the sentences that are made of them."""
    matches = taken_apart(season).matches
    records = [Record.from_data(record) for match in matches for record in match["records"]]
    faults = [fault for record in records for _, _, fault in record.faults]
    told = {fault_text(fault, "S") for fault in faults}
    for table in (TEXTS, CAUSES, HINTS, MISTAKES, ALLOWED):
        for code in table:
            monkeypatch.setitem(table, code, "other words")
    others = {fault_text(fault, "S") for fault in faults}
    assert len(told) > 5
    assert not told & others
    (number,) = stored.seasons("small")
    assert verify_season(stored, number).differences == []
    assert verify_file(season).differences == []


@pytest.mark.parametrize("seconds", [-1.0, 0.001, 1e6])
def test_a_match_that_lasted_as_it_can_not_have_is_refused(stored: Store, seconds: float) -> None:
    (season,) = stored.seasons("small")
    assert verify_season(stored, season).differences == []
    change(stored, "UPDATE matches SET seconds = ?", seconds)
    (found, *_) = verify_season(stored, season).differences
    assert f"it is stored as having lasted {seconds:.3f} s" in found


def test_a_match_is_stored_when_the_ledger_tells_of_it(stored: Store) -> None:
    (season,) = stored.seasons("small")
    change(stored, "UPDATE matches SET stored = '2020-01-01 00:00:00.000000'")
    (found, *_) = verify_season(stored, season).differences
    assert "it is said to have been stored at 2020-01-01" in found


@pytest.fixture
def stored(season: Path, tmp_path: Path) -> Iterator[Store]:
    shutil.copy(season.parent / "arena.db", tmp_path)
    store = opened(tmp_path / season.name)
    yield store
    store.close()


BUSY = """
import time
for line in __import__("sys").stdin:
    while time.process_time() < 0.5:
        pass
    print("S", flush=True)
"""


def test_what_a_living_bot_has_computed_too_long_is_recorded(tmp_path: Path) -> None:
    """So the verdict can be told from the record."""
    need("bwrap")
    program = python_bot(tmp_path / "bot", BUSY)
    with backend("bubblewrap").open(program, Limits(cpu=0.2)) as sandbox:
        reply = sandbox.ask("q", 60.0)
    assert (reply.fault, reply.detail) == (Fault.TIMEOUT, "computed for more than 0.2 s")
    assert reply.cpu > 200_000


BANK = (
    settings_of({"name": "b", "game": "blackjack", "clock": {"question": "1s", "bank": "2s"}})
    .freeze()
    .data()
)


@pytest.mark.parametrize(
    ("clock", "walls", "wrong"),
    [
        (SETTINGS, (5_050_000, 1_050_000, 900_000, 1_000_000), ""),
        (SETTINGS, (1_000_000, 1_050_000, 1_050_000, 1_050_000), "late too often"),
        (SETTINGS, (5_050_001, 1, 1, 1), "longer than it may"),
        (BANK, (1_000_000, 600_000, 390_000, 1), ""),
        (BANK, (1_000_000, 600_000, 460_000, 1), "longer than it may"),
        (BANK, (1_000_000, 900_000, 100_000, 1), "is not asked any more"),
    ],
)
def test_a_clock_goes_as_the_seat_has_it(
    clock: dict[str, Any], walls: tuple[int, ...], wrong: str
) -> None:
    conduct = part("conduct").Conduct(clock)
    said = ""
    for wall in walls:
        try:
            conduct.turn("turn", 0, [wall, 0, 0], "S", None, "S", True)
        except part("basics").Wrong as error:
            said = str(error)
            break
    assert wrong in said
    assert bool(wrong) == bool(said)


def test_the_page_and_both_programs_have_the_same_list() -> None:
    page = (TOP / "docs" / "verifying.md").read_text()
    for sentence in (*TRUSTED, *part("conduct").TRUSTED):
        assert f"- {sentence}\n" in page


def test_both_programs_and_the_page_know_the_same_codes_and_causes() -> None:
    page = (TOP / "docs" / "verifying.md").read_text()
    assert CODES.keys() == part("conduct").OF_PROGRAMS
    assert CAUSES.keys() == part("conduct").CAUSES
    assert all(f"`{name}`" in page for name in (*CODES, *CAUSES))


def test_both_programs_end_with_what_rests_on_the_organisers_word(season: Path) -> None:
    _, said = run(season)
    ending = [f"- {sentence}" for sentence in part("conduct").TRUSTED]
    assert said.splitlines()[-len(ending) - 1 :] == ["on the organiser's word alone:", *ending]

"""The two programs that check a season agree on what a ledger may say, entry for entry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest

from card_arena.common.json import canonical
from card_arena.results.proof.grammar import FOLLOWS, LedgerReader
from card_arena.results.proof.ledger import Entry
from card_arena.tests.tournament.foreign import part

HASH = "ab" * 32
A, B, C, D, E = (f"small/0001/t01/r{number}/a" for number in range(1, 6))
NEXT = "small/0002/t01/r1/a"
ENTRANT = {
    "version": 9,
    "bot": "late",
    "number": 1,
    "author": "ada",
    "digest": HASH,
    "submitted": "2026-11-24T08:00:00Z",
    "sits_out": "",
}

Told = dict[str, Any]


def told(kind: str, season: int = 1, **facts: Any) -> Told:
    return {"kind": kind, "season": season, "time": "2026-11-24T08:00:00Z", **facts}


def match(key: str, *entrants: int, season: int = 1, **facts: Any) -> Told:
    return told("match", season, key=key, entrants=list(entrants), sha256=HASH, **facts)


EVERYTHING: Sequence[Told] = [
    told("announce", sha256=HASH),
    told("begin", sha256=HASH),
    told("announce", 2, sha256=HASH),
    told("nonce", bot="one", nonce="7"),
    told("nonce", bot="four", nonce="8"),
    told("unshown", bots=["three", "two"]),
    told("value", value="7"),
    told("attempt", keys=[A, B]),
    match(A, 1, 2, host="alpha", host_sha256=HASH),
    *(
        each
        for _ in range(5)
        for each in (told("void", key=B, reason="a sandbox failed"), told("attempt", keys=[B]))
    ),
    told("void", key=B, reason="a sandbox failed"),
    told("trial", key=B, version=1),
    told("no sandbox", key=B, version=1, reason="it alone"),
    told("trial", key=B, version=2),
    told("no sandbox", version=2, reason="it alone"),
    told("unplayed", intervention=1, key=B, reason="nobody explains it"),
    told("attempt", keys=[C, D]),
    match(C, 3, 4),
    told("probation", intervention=2, version=3, reason="it failed"),
    told("void", key=D, reason="it left"),
    told("pause", reason="an order"),
    told("pause", reason="a break"),
    told("expel", intervention=3, version=3, reason="not its author's"),
    told("admit", intervention=4, version=9, entrant=ENTRANT, reason="it was late"),
    told("annul", intervention=5, key=C, reason="the power failed"),
    told("resume"),
    told("attempt", keys=[D]),
    told("move", bot="one", author="ada", to_bot="uno", to_author="bob", reason="sold"),
    told("resume"),
    told("attempt", keys=[D, E]),
    match(E, 1, 9),
    match(D, 2, 4),
    told("finish", matches=4, sha256=HASH),
    told("pause", reason="holidays"),
    told("resume"),
    told("annul", intervention=6, key=A, reason="found out later", standings=HASH),
    told("begin", 2, sha256=HASH),
    told("announce", 3, sha256=HASH),
    told("attempt", 2, keys=[NEXT]),
    told("annul", intervention=7, reason="found out later", standings=HASH),
    told("move", bot="uno", author="bob", to_bot="one", to_author="bob", reason="back"),
    told("annul", 2, intervention=1, reason="all was wrong"),
    told("finish", 2, matches=0, sha256=HASH),
    told("begin", 3, sha256=HASH),
    told("pause", 3, reason="stopped"),
    told("begin", 4, sha256=HASH),
]
"""A ledger with every kind of entry, wherever it may stand."""


def judged(ledger: Sequence[Told]) -> tuple[list[str], list[str]]:
    """What each of the two programs says against a ledger."""
    entries = [
        Entry(canonical({"number": number, "previous": HASH, **each}))
        for number, each in enumerate(ledger, start=1)
    ]
    found, _ = part("ledger").read("small", [entry.text.encode() for entry in entries])
    reader = LedgerReader("small")
    reader.follow(enumerate(entries, start=1))
    link, *refused = reader.differences(len(entries))
    assert "the ledger was rewritten: entry 1 follows" in link, "all have the same one before them"
    return refused, found


def test_a_ledger_with_everything_is_right_for_both() -> None:
    assert {each["kind"] for each in EVERYTHING} == FOLLOWS.keys() == part("ledger").FIELDS.keys()
    assert judged(EVERYTHING) == ([], [])


def left_out(random: Random, ledger: list[Told]) -> None:
    del ledger[random.randrange(len(ledger))]


def told_twice(random: Random, ledger: list[Told]) -> None:
    ledger.insert(random.randrange(len(ledger)), random.choice(ledger))


def moved(random: Random, ledger: list[Told]) -> None:
    ledger.insert(random.randrange(len(ledger)), ledger.pop(random.randrange(len(ledger))))


def changed(random: Random, ledger: list[Told]) -> None:
    """Put the value that another entry has into a field, or the like."""
    place = random.randrange(len(ledger))
    entry = dict(ledger[place])
    name = random.choice([name for name in entry if name not in ("key", "standings")])
    values = [each[name] for each in ledger if name in each]
    entry[name] = random.choice([*values, *values, 7, "7", True, None, [], ["7"], {}, 0, -1, ""])
    ledger[place] = entry


def with_other_fields(random: Random, ledger: list[Told]) -> None:
    place = random.randrange(len(ledger))
    entry = dict(ledger[place])
    if random.random() < 0.5:
        del entry[random.choice([*entry])]
    else:
        name, value = random.choice([*random.choice(ledger).items()])
        entry.setdefault(name, value)
    ledger[place] = entry


@pytest.mark.parametrize(
    "forge", [left_out, told_twice, moved, changed, with_other_fields], ids=lambda f: f.__name__
)
def test_what_one_program_refuses_the_other_refuses(
    forge: Callable[[Random, list[Told]], None],
) -> None:
    random = Random(forge.__name__)
    right = 0
    for _ in range(150):
        ledger = [*EVERYTHING]
        for _ in range(random.choice([1, 1, 2])):
            forge(random, ledger)
        ours, theirs = judged(ledger)
        assert bool(ours) == bool(theirs), (ours, theirs, ledger)
        right += not ours
    assert right < 100, "many of them are wrong"

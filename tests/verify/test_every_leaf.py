"""Every value of a real record is changed in turn: it is refused, or is on the published list.

The forger writes all hashes anew, so only the content can tell. Both verifiers look at a match as
they do in a whole file; what a match alone can't tell is tried on whole files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from card_arena.common.faults import CODES, Fault
from card_arena.common.json import canonical
from card_arena.results.proof.season_file import BadSeasonFile
from card_arena.results.proof.shapes import MatchShape
from card_arena.tables.referee import NOT_ALLOWED
from card_arena.tests.needs import need
from card_arena.tests.tournament.faulty import SMALL, faulty_season, opened
from card_arena.tests.tournament.foreign import part
from card_arena.tests.verify.example import run
from card_arena.tests.verify.forging import put_together, taken_apart
from card_arena.verify.evidence import Filed, FiledLine
from card_arena.verify.findings import of_match
from card_arena.verify.verify import verify_file, verify_season

Place = tuple[Any, ...]
"""Where a value stands: the names and numbers that lead to it."""

Verifier = Callable[[Any], Sequence[str]]
"""Says what is wrong with a match."""

THEIRS = part("matches").Match


@pytest.fixture(scope="module", params=SMALL)
def season(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short season of a game, of bots that fail now and then."""
    need("bwrap")
    return faulty_season(tmp_path_factory.mktemp(request.param), request.param)


def values(data: Any, path: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Every value, the containers among them."""
    yield path, data
    if isinstance(data, dict | list):
        inside = data.items() if isinstance(data, dict) else enumerate(data)
        for name, each in inside:
            yield from values(each, (*path, name))


def others(value: Any) -> Iterator[Any]:
    """What a forger might write instead of a value."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, -value - 1, value + 10**15, float(value), str(value), value > 0)
    elif isinstance(value, str):
        yield from (f"{value} x", f"{value}x", f"x{value}", value[:-1], value.swapcase(), None)
    elif value is None:
        yield from ("", "S", 0)
    elif isinstance(value, list):
        yield from (value[:-1], [*value, *value[-1:]], [*value[1:], *value[:1]], [*value, 0])
    elif isinstance(value, dict):
        yield {**value, "more": 0}
        yield from ({k: v for k, v in value.items() if k != name} for name in value)


def forgeries(match: Any) -> Iterator[tuple[Place, Any, Any]]:
    """Matches that differ from this one in one value: where, what it was, and the match.

    A container is changed in every way, and a value in one of several, in turn. Games are not
    swapped: those in which the same was played differ in nothing but their times.
    """
    whole, numbers = json.dumps(match), count()
    for path, value in values(match):
        ways = [other for other in others(value) if json.dumps(other) != json.dumps(value)]
        if ways and not isinstance(value, dict | list):
            ways = [ways[next(numbers) % len(ways)]]
        for other in ways:
            if path == ("records",) and len(other) == len(value):
                continue
            forged = place = json.loads(whole)
            for name in path[:-1]:
                place = place[name]
            if path:
                place[path[-1]] = other
            yield path, value, forged if path else other


def at(data: Any, path: Place) -> Any:
    for name in path:
        data = data[name]
    return data


ADDED = ("cause", "computed", "refused")
LONGEST = 1_550_000
"""The microseconds that an answer may take in these seasons."""


def is_trusted(path: Place, was: Any, forged: Any, *, explained: bool) -> bool:
    """Whether a change rests on the organiser's word, as docs/verifying.md says.

    `explained` says that the verifier follows the words in which faults are explained.
    """
    if path[:1] != ("records",) or path[2:3] != ("turns",):
        return False
    if path[3:] == ("answer",) and at(forged, path) == was[:-1]:  # it is the action itself then
        faults = dict(forged["records"][path[1]]["turns"]["fault"])
        return faults.get(was[-1][0], {}).get("kind") in ("crash", "flood", "memory")
    if len(path) < 5:
        return False
    turns, (column, row, *_), new = forged["records"][path[1]]["turns"], path[3:], at(forged, path)
    if column in ("wall", "cpu", "peak"):  # as far as the limits allow it
        if type(new) is not int or new < 0 or not turns["question"][row]:
            return False
        return new <= LONGEST or column == "peak" or row in dict(turns["fault"])
    if column == "answer":  # another line that has the same effect
        return len(path) == 6 and path[5] == 1 and isinstance(new, str)
    if column != "fault" or len(path) < 7:
        return False
    number, fault = turns["fault"][row]
    code, facts, (part, *inner) = fault["code"], fault["facts"], path[6:]
    if part == "code":
        game = forged["records"][path[1]]["game"]
        return not explained and code not in CODES and str(code).startswith(f"{game}.")
    if part != "facts" or not isinstance(facts, dict):
        return False
    if code not in CODES:  # a fault by the rules of the game
        plain = isinstance(facts.get("allowed"), dict) and (code != NOT_ALLOWED or len(facts) == 1)
        return not explained and plain
    if inner:
        if inner[0] in ("exit", "signal", "errno"):
            return type(new) is int and new >= 0
        return inner[0] in ("refused", "cause", "reason") and isinstance(new, str | list)
    own = [{name: each[name] for name in each if name not in ADDED} for each in (was, new)]
    return own[0] == own[1] and facts.get("computed", turns["cpu"][number]) == turns["cpu"][number]


def both(season: Path) -> tuple[Verifier, Verifier]:
    """The two verifiers' looks at a match of a season."""
    filed, manifest = Filed(season), taken_apart(season).manifest

    def ours(match: Any) -> Sequence[str]:
        try:
            MatchShape.model_validate(match)
        except ValidationError as error:  # the whole file can't be read
            return [str(error)]
        line = FiledLine(canonical(match), match)
        return of_match(line, filed.settings, filed.terms).differences

    def theirs(match: Any) -> Sequence[str]:
        check = THEIRS(match, manifest, filed.terms.key)
        try:
            check.check()
        except (LookupError, ValueError, TypeError, AttributeError) as error:
            return [str(error)]  # as the whole program has it
        return [*check.found, *check.unknown]

    return ours, theirs


def test_every_value_of_a_record_is_refused_or_rests_on_the_organisers_word(season: Path) -> None:
    match = taken_apart(season).matches[0]
    ours, theirs = both(season)
    assert (*ours(match), *theirs(match)) == ()
    missed, tried = [], 0
    for path, was, forged in forgeries(match):
        if path[:1] != ("records",):
            continue
        if len(path) > 1 and path[1] > 0:
            break
        tried += 1
        for name, verifier in (("arena verify", ours), ("examples/verify", theirs)):
            trusted = is_trusted(path, was, forged, explained=verifier is ours)
            if not trusted and not verifier(forged):
                missed.append((name, path, was, at(forged, path)))
    assert missed == []
    assert tried > 100


PLACES = ("leg", "round", "labels")
"""What `examples/verify` says that it doesn't follow."""


def test_every_value_of_a_match_beside_its_records_is_refused(season: Path, tmp_path: Path) -> None:
    for path, _, forged in forgeries(taken_apart(season).matches[0]):
        if path[:1] == ("records",):
            continue
        parts = taken_apart(season)
        parts.matches[0] = forged
        if isinstance(forged, dict) and {"key", "entrants"} <= {*forged}:
            for entry in parts.told("match"):
                if entry["key"] == forged["key"]:
                    entry["entrants"] = forged["entrants"]
            parts.cover_up()
        file = put_together(parts, tmp_path / "forged.zip")
        with suppress(BadSeasonFile):
            assert verify_file(file).differences, path
        code, said = run(file)
        assert code == 1 or path[0] in PLACES, (path, said)


def test_faults_of_every_kind_are_recorded_as_they_can_be(tmp_path: Path) -> None:
    need("bwrap")
    file = faulty_season(tmp_path, "spades", spread=16)
    records = [record for match in taken_apart(file).matches for record in match["records"]]
    kinds = {fault["kind"] for each in records for _, fault in each["turns"]["fault"]}
    assert kinds == {*Fault}
    assert verify_file(file).differences == []
    assert run(file)[0] == 0
    store = opened(file)
    try:
        (season,) = store.seasons("small")
        assert verify_season(store, season).differences == []
    finally:
        store.close()

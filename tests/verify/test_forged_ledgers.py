"""Ledgers that no arena writes, each refused by name by both programs that check a season.

The forger writes every hash anew, so that nothing but the entries themselves tells. What only adds
entries leaves a head that was saved before where it was.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from card_arena.common.json import canonical
from card_arena.results.proof.grammar import FEWEST_VOIDS
from card_arena.results.proof.ledger import BadEntry, parse
from card_arena.tests.needs import need
from card_arena.tests.tournament.foreign import by_the_example, part
from card_arena.tests.verify.forgeries import Published, three_seasons
from card_arena.tests.verify.forging import Forgery, Parts, put_together, taken_apart
from card_arena.tournament.play.match import RETRIES
from card_arena.verify.verify import verify_file

FIRST, SECOND, _ = KEYS = [f"small/0003/t01/r{number}/a" for number in (1, 2, 3)]
HASH = "ab" * 32


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Published:
    need("bwrap")
    return three_seasons(tmp_path_factory.mktemp("published"))


def by_the_arena(path: Path, head: str | None = None) -> list[str]:
    return verify_file(path, head=head).differences


def told(kind: str, **facts: Any) -> dict[str, Any]:
    return {"kind": kind, "season": 3, "time": "2026-11-24T08:00:00Z", **facts}


def of(parts: Parts, kind: str, number: int = 0) -> dict[str, Any]:
    return parts.told(kind)[number]


def put_in(entry: dict[str, Any], kind: str, *, after: bool = False) -> Forgery:
    """Put an entry before, or after, the first of a kind."""

    def forge(parts: Parts) -> None:
        place = parts.ledger.index(of(parts, kind)) + after
        parts.ledger.insert(place, dict(entry))

    return forge


def appended(*entries: dict[str, Any]) -> Forgery:
    return lambda parts: parts.ledger.extend(map(dict, entries))


def twice(kind: str) -> Forgery:
    def forge(parts: Parts) -> None:
        entry = of(parts, kind)
        parts.ledger.insert(parts.ledger.index(entry) + 1, dict(entry))

    return forge


def without(kind: str) -> Forgery:
    return lambda parts: parts.ledger.remove(of(parts, kind))


def changed(kind: str, **facts: Any) -> Forgery:
    return lambda parts: of(parts, kind).update(facts)


def a_match_before_its_attempt(parts: Parts) -> None:
    place = parts.ledger.index(of(parts, "match"))
    parts.ledger[place - 1 : place + 1] = parts.ledger[place - 1 : place + 1][::-1]


def a_match_after_the_end(parts: Parts) -> None:
    parts.ledger.append(dict(of(parts, "match")))


def a_season_that_had_more_matches(parts: Parts) -> None:
    parts.told("finish", 1)[0]["matches"] = 4


def an_attempt_at_a_match_of_another_season(parts: Parts) -> None:
    of(parts, "attempt")["keys"].append("small/0002/t01/r1/a")


def a_public_value_that_never_came(parts: Parts) -> None:
    parts.manifest["public_value"] = {"source": "drawn", "how": "dice"}


MOVE = {"bot": "sh12", "author": "ada", "to_bot": "sh12", "to_author": "bob", "reason": "sold"}
LEAVE = {"intervention": 1, "version": 1, "reason": "why not"}

FORGED: list[tuple[str, Forgery, str, str]] = [
    (
        "announced twice",
        put_in(told("announce", sha256=HASH), "announce"),
        "an announcement of the seed of season 3 can't follow in a season whose seed had been",
        r"\(announce, season 3\) can't come in a season that is announced",
    ),
    (
        "announced after the beginning",
        put_in(told("announce", sha256=HASH), "begin", after=True),
        "an announcement of the seed of season 3 can't follow in a season which had begun",
        r"\(announce, season 3\) can't come in a season that is begun",
    ),
    (
        "announced anew after the end",
        appended(told("announce", sha256=HASH)),
        "an announcement of the seed of season 3 can't follow in a season which was over",
        r"\(announce, season 3\) can't come in a season that is over",
    ),
    ("never announced", without("announce"), "announced before .* none was", "was announced"),
    (
        "begun twice",
        twice("begin"),
        "its beginning of season 3 can't follow in a season which had begun",
        r"\(begin, season 3\) can't come",
    ),
    (
        "finished twice",
        twice("finish"),
        "its end of season 3 can't follow in a season which was over",
        r"\(finish, season 3\) can't come in a season that is over",
    ),
    ("a match told twice", twice("match"), f"was told twice: {FIRST}", f"no attempt: {FIRST}"),
    (
        "a match after the end",
        a_match_after_the_end,
        "a match of season 3 can't follow in a season which was over",
        r"\(match, season 3\) can't come in a season that is over",
    ),
    (
        "a match without an attempt",
        without("attempt"),
        f"a match of season 3 .*(ends no attempt: {FIRST}|can't follow)",
        r"\(match, season 3\) (ends no attempt|can't come)",
    ),
    (
        "a match before its attempt",
        a_match_before_its_attempt,
        "a match of season 3 can't follow in a season which had begun",
        r"\(match, season 3\) can't come",
    ),
    (
        "an attempt that never ended",
        put_in(told("attempt", keys=["small/0003/t01/r9/a"]), "match"),
        "its end of season 3 comes before attempts have ended, such as that at .*r9",
        r"\(finish, season 3\) comes while a match is played: .*r9",
    ),
    (
        "an attempt told twice",
        twice("attempt"),
        f"an attempt of season 3 was told before, and has not ended: {FIRST}",
        f"is no new attempt: {FIRST}",
    ),
    (
        "an attempt after its match",
        put_in(told("attempt", keys=[FIRST]), "match", after=True),
        f"an attempt of season 3 comes after the match: {FIRST}",
        f"is no new attempt: {FIRST}",
    ),
    (
        "an attempt at a match of another season",
        an_attempt_at_a_match_of_another_season,
        "an attempt of season 3 is at a match of another season: small/0002",
        "is no new attempt: small/0002",
    ),
    (
        "an attempt after the end",
        appended(told("attempt", keys=["small/0003/t01/r9/a"])),
        "an attempt of season 3 can't follow in a season which was over",
        r"\(attempt, season 3\) can't come in a season that is over",
    ),
    (
        "an attempt at nothing",
        put_in(told("attempt", keys=[]), "match"),
        r"entry \d+ is none: keys: List should have at least 1 item",
        "names no match",
    ),
    (
        "a void match without an attempt",
        put_in(told("void", key=SECOND, reason="oh"), "match"),
        f"a void attempt of season 3 ends no attempt: {SECOND}",
        f"ends no attempt: {SECOND}",
    ),
    (
        "a void match after the end",
        appended(told("void", key=SECOND, reason="oh")),
        "a void attempt of season 3 can't follow in a season which was over",
        r"\(void, season 3\) can't come in a season that is over",
    ),
    (
        "a trial without a void match",
        put_in(told("trial", key=FIRST, version=1), "match"),
        "a trial of season 3 follows no void attempt",
        "follows no void attempt",
    ),
    (
        "a bot without a sandbox, and without a void match",
        put_in(told("no sandbox", version=1, reason="oh"), "match"),
        "a bot without a sandbox of season 3 follows no void attempt",
        "follows no void attempt",
    ),
    (
        "a match left out without attempts",
        put_in(told("unplayed", intervention=1, key=SECOND, reason="oh"), "match", after=True),
        f"an intervention of season 3 leaves {SECOND} out after 0 void attempts",
        "leaves a match out that was played or tried too rarely",
    ),
    (
        "a bot expelled after the end",
        appended(told("expel", **LEAVE)),
        "an intervention of season 3 can't follow in a season which was over",
        r"\(expel, season 3\) can't come in a season that is over",
    ),
    (
        "a match annulled that was not played",
        put_in(told("annul", intervention=1, key=SECOND, reason="oh"), "match", after=True),
        f"is about a match that had not been played: {SECOND}",
        "is about what is no match that counts",
    ),
    (
        "an end annulled without new standings",
        appended(told("annul", intervention=1, reason="oh")),
        "has new standings exactly if the season was over",
        "has new standings if the season was over, and not else",
    ),
    (
        "a season annulled twice",
        appended(
            told("annul", intervention=1, reason="oh", standings=HASH),
            told("annul", intervention=2, reason="oh", standings=HASH),
        ),
        "an intervention of season 3 can't follow in a season which was over and counted for",
        r"\(annul, season 3\) can't come",
    ),
    (
        "a resumption without a pause",
        appended(told("resume")),
        "a resumption of season 3 ends no pause",
        r"\(resume, season 3\) ends no pause",
    ),
    (
        "a match during a pause",
        put_in(told("pause", reason="oh"), "match"),
        "a match of season 3 can't follow a pause",
        r"\(match, season 3\) comes during a pause",
    ),
    (
        "a nonce while it is played",
        put_in(told("nonce", bot="sh12", nonce="7"), "match"),
        "a nonce of season 3 can't follow in a season which was being played",
        r"\(nonce, season 3\) can't come in a season that is played",
    ),
    (
        "a public value after the end",
        appended(told("value", value="7")),
        "its public value of season 3 can't follow in a season which was over",
        r"\(value, season 3\) can't come in a season that is over",
    ),
    (
        "a public value that never came",
        a_public_value_that_never_came,
        "the season was played before its public value was told",
        "the season was played before its public value was told",
    ),
    (
        "a move told twice",
        appended(told("move", **MOVE), told("move", **MOVE)),
        "a bot's move of season 3 is about a bot sh12 of ada, which there was not",
        r"\(move, season 3\) is about a bot that there was not",
    ),
    (
        "a move to where the bot is",
        appended(told("move", **{**MOVE, "to_author": "ada"})),
        "a bot's move of season 3 changes nothing",
        r"\(move, season 3\) is about a bot that there was not",
    ),
    (
        "another season with other matches",
        a_season_that_had_more_matches,
        "its end of season 1 counts 4 matches, but 3 were told",
        r"\(finish, season 1\) has another number of matches",
    ),
    (
        "an entry of an unknown kind",
        appended(told("bonus", version=1)),
        "is none: there are no entries of the kind 'bonus'",
        "is none of an arena: kind",
    ),
    (
        "a word more in an entry",
        changed("match", better="yes"),
        "is none: better: Extra inputs are not permitted",
        "is none of an arena: more fields than it may have",
    ),
    (
        "half a host",
        changed("match", host="h1"),
        "is none: .*host and host_sha256 belong together",
        "is none of an arena: host",
    ),
    (
        "a hash that is none",
        changed("announce", sha256="ab"),
        "is none: sha256: .*64 lower-case hexadecimal digits",
        "is none of an arena: sha256",
    ),
    (
        "a time that is none",
        changed("attempt", time="yesterday"),
        "is none: time: ",
        "is none of an arena: time",
    ),
    (
        "a day that is none",
        changed("attempt", time="2026-99-99T99:99:99Z"),
        "is none: time: ",
        "is none of an arena: time",
    ),
    (
        "a time in other digits",
        changed("attempt", time="2026-11-2\u0664T08:00:00Z"),
        "is none: time: ",
        "is none of an arena: time",
    ),
    (
        "a nonce that the manifest doesn't want",
        put_in(told("nonce", bot="sh12", nonce="7"), "begin", after=True),
        "the ledger tells of nonces, but the season's manifest wants none",
        "the ledger tells of nonces, but the manifest wants none",
    ),
    (
        "an unshown nonce that the manifest doesn't want",
        put_in(told("unshown", bots=["sh12"]), "begin", after=True),
        "the ledger tells of nonces, but the season's manifest wants none",
        "the ledger tells of nonces, but the manifest wants none",
    ),
    (
        "several seasons announced before the first one",
        lambda parts: parts.ledger.insert(0, told("announce", sha256=HASH)),
        "of season 1 is out of turn: season 3 comes next",
        r"\(announce, season 1\) is out of turn: season 3 comes next",
    ),
    (
        "nothing in a field's place",
        changed("attempt", time=None),
        "is none: .*time must be left out or have a value",
        "is none of an arena: time",
    ),
    (
        "other entrants of a match",
        changed("match", entrants=[1, 1, 1]),
        rf"{FIRST}: versions .* played, but the ledger's entry \d+ says \[1, 1, 1\]",
        f"{FIRST}: the match was changed",
    ),
]


@pytest.mark.parametrize(
    ("forge", "sentence", "other"),
    [pytest.param(*case, id=name.replace(" ", "-")) for name, *case in FORGED],
)
def test_both_programs_name_what_no_arena_writes(
    published: Published, tmp_path: Path, forge: Forgery, sentence: str, other: str
) -> None:
    parts = taken_apart(published.file)
    before = len(parts.ledger)
    unchanged = [canonical(entry) for entry in parts.ledger]
    forge(parts)
    parts.cover_up()
    path = put_together(parts, tmp_path / "forged.zip")
    head = ""
    if len(parts.ledger) > before:
        kept = [canonical(entry) for entry in parts.ledger[:before]] == unchanged
        head = published.head if kept else ""
    found = by_the_arena(path, head or None)
    assert any(re.search(sentence, each) for each in found), found
    assert not any("was saved as its head" in each for each in found), found
    found = by_the_example(path, head)
    assert any(re.search(other, each) for each in found), found


def test_a_ledger_that_is_not_canonical_is_refused_by_both(published: Published) -> None:
    entry = taken_apart(published.file).ledger[0]
    line = canonical(entry)
    assert parse(line).number == 1
    assert part("ledger").form(line.encode()) == ""
    spaced = line.replace(":", ": ", 1)
    doubled = f'{{"kind":"begin",{line[1:]}'
    for wrong in (spaced, doubled, "[]", "7"):
        with pytest.raises(BadEntry, match="not canonical JSON"):
            parse(wrong)
        assert part("ledger").form(wrong.encode()) == "canonical JSON"


def test_a_match_is_left_out_after_as_many_attempts_as_the_arena_makes() -> None:
    assert FEWEST_VOIDS == RETRIES + 2 == part("ledger").VOIDS


def again(parts: Parts, *ends: dict[str, Any]) -> None:
    """Tell that the first match was attempted before, and how that ended."""
    place = parts.ledger.index(of(parts, "attempt"))
    parts.ledger[place:place] = [told("attempt", keys=[FIRST]), *ends]


VOID = told("void", key=FIRST, reason="a sandbox failed")


@pytest.mark.parametrize(
    ("ends", "said"),
    [
        ([VOID], f"{FIRST} was attempted 2 times: 1 void, 0 interrupted"),
        ([told("resume")], f"{FIRST} was attempted 2 times: 0 void, 1 interrupted"),
    ],
)
def test_both_programs_name_a_match_that_was_attempted_more_than_once(
    published: Published, tmp_path: Path, ends: list[dict[str, Any]], said: str
) -> None:
    parts = taken_apart(published.file)
    again(parts, *ends)
    parts.cover_up()
    path = put_together(parts, tmp_path / "again.zip")
    report = verify_file(path)
    assert report.differences == []
    assert said in report.remarks
    told = report.ledger
    counts = (told.announcements, told.attempts, told.voids, told.interruptions)
    assert counts == (1, 4, ends.count(VOID), 1 - ends.count(VOID))
    season = part("season").Season(path)
    season.check("", {})
    assert season.found == []
    assert said in season.remarks
    assert season.entries.tries.total() == 4


def test_both_programs_name_a_match_that_was_begun_and_never_finished(
    published: Published, tmp_path: Path
) -> None:
    parts = taken_apart(published.file)
    gone = "small/0003/t01/r9/a"
    place = parts.ledger.index(of(parts, "attempt"))
    parts.ledger[place:place] = [told("attempt", keys=[gone]), told("resume")]
    parts.cover_up()
    path = put_together(parts, tmp_path / "begun.zip")
    report = verify_file(path)
    assert f"{gone} was begun once and never finished: 0 void, 1 interrupted" in report.remarks
    season = part("season").Season(path)
    season.check("", {})
    assert any(f"{gone} was begun 1 times and not played to its end" in s for s in season.remarks)

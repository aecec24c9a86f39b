"""The ledger tells of everything, in the transaction of what it tells of, and can't be changed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from io import BytesIO
from zipfile import ZipFile

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from card_arena.common.json import canonical, sha256
from card_arena.results.errors import Unknown
from card_arena.results.ledger import NothingAwaited, append
from card_arena.results.models import TournamentRow
from card_arena.results.proof.grammar import LedgerReader
from card_arena.results.proof.ledger import FIRST, Entry, Kind
from card_arena.results.proof.manifest import BadPublicValue, Manifest, first_round
from card_arena.results.store import Store
from card_arena.tables.dealing import commitment, dealing_key
from card_arena.tests.results.ledgers import begun
from card_arena.tests.results.made import (
    SEED,
    checked_matches,
    made_match,
    made_record,
    ranked,
    save_match,
)
from card_arena.tests.season_settings import season_settings

BEACON = {"source": "drand", "chain": "c" * 64, "genesis": 1_000_000_000, "period": 30, "round": 5}


def kinds(store: Store) -> list[str]:
    return [entry.kind for entry in store.ledger("friday")]


def broken_links(ledger: Sequence[Entry]) -> list[str]:
    reader = LedgerReader("friday")
    reader.follow(enumerate(ledger, start=1))
    return [told for told in reader.differences(len(ledger)) if "was rewritten" in told]


def test_a_season_takes_the_seed_that_was_announced_and_announces_the_next(store: Store):
    store.announce({"friday": season_settings({})}, all_there_are=True)
    (promise,) = store.ledger("friday")
    season = begun(store)
    assert promise["sha256"] == season.commitment
    assert kinds(store) == ["announce", "begin", "announce"]
    *_, following = store.ledger("friday")
    assert (following["season"], following["sha256"] != season.commitment) == (2, True)
    store.announce({"friday": season_settings({})}, all_there_are=True)
    assert len(kinds(store)) == 3, "a promise is made once"
    assert begun(store).commitment == following["sha256"]


@pytest.mark.parametrize("kind", ["announce", "begin", "unshown", "value", "finish"])
def test_what_is_told_once_of_a_season_cannot_be_told_again(store: Store, kind: Kind):
    begun(store)
    with store.database.reading() as session:
        (tournament,) = session.scalars(select(TournamentRow.id))
    facts = {"sha256": "ab" * 32}
    with suppress(IntegrityError), store.database.writing() as session:
        append(session, tournament, kind, 1, **facts)
    before = [entry.text for entry in store.ledger("friday")]
    with pytest.raises(IntegrityError), store.database.writing() as session:
        append(session, tournament, kind, 1, **facts)
    assert [entry.text for entry in store.ledger("friday")] == before


def test_a_season_that_is_played_on_after_a_kill_says_so_whatever_was_told_since(store: Store):
    season = begun(store, SEED)
    key = "friday/0001/t01/r1/a"
    store.note_attempts(season.id, [key])
    assert store.move("ann", "anna", "ada", "she was called so") is not None
    store.note_resumption(season.id)
    store.note_attempts(season.id, [])  # nothing is about to be played
    assert kinds(store) == ["begin", "attempt", "move", "resume"]
    assert store.ledger("friday")[1]["keys"] == [key]


def test_a_seed_that_is_given_by_hand_leaves_the_announced_one_to_the_next_season(store: Store):
    store.announce({"friday": season_settings({})}, all_there_are=True)
    (promise,) = store.ledger("friday")
    begun(store, SEED)
    *_, again = store.ledger("friday")
    assert (again["season"], again["sha256"]) == (2, promise["sha256"])
    assert begun(store).commitment == promise["sha256"]


def test_the_manifest_has_all_that_decides_a_season(store: Store):
    season = begun(store)
    manifest = store.manifest(season.id)
    assert manifest.sha256 == season.manifest == sha256(manifest.text)
    assert manifest.text == canonical(manifest.data), "it is canonical"
    data = manifest.data
    assert data["settings"] == season_settings({"boards": 2}).data()
    assert data["seed"] == {"sha256": commitment(season.seed), "source": "made"}
    assert [(e.bot, e.author, e.digest, e.sits_out) for e in manifest.entrants] == [
        ("ann", "ada", "d1", ""),
        ("bob", "ada", "d1", "it does not build"),
    ]
    promise, beginning, *_ = store.ledger("friday")
    assert data["previous"] == promise.sha256 == beginning["previous"]
    assert beginning["sha256"] == manifest.sha256


def test_the_key_follows_from_seed_manifest_and_public_value(store: Store):
    plain = begun(store)
    assert plain.key == dealing_key(plain.seed, plain.manifest, "")
    drawn = begun(store, public_value={"source": "drawn", "how": "dice"})
    assert drawn.awaits_value
    assert store.reveal("friday", " 4 2 ") == (2, "4 2")
    _, told = store.seasons("friday")
    assert not told.awaits_value
    assert told.key == dealing_key(told.seed, told.manifest, "4 2")
    assert told.key != drawn.key


def test_a_seed_given_by_hand_is_the_key_and_the_manifest_says_so(store: Store):
    season = begun(store, SEED)
    manifest = store.manifest(season.id)
    assert season.key == SEED
    assert (manifest.data["key"], manifest.data["seed"]["source"]) == ("seed", "given by hand")
    again = begun(store, SEED, public_value={"source": "drawn", "how": "dice"})
    assert again.key != SEED, "a value that nobody chose makes other cards"


def test_the_ledger_tells_of_a_whole_season_and_each_entry_has_the_hash_of_the_one_before(
    store: Store,
):
    season = begun(store, SEED)
    key = "friday/0001/t01/r1/a"
    store.note_resumption(season.id)  # it was only begun: nothing was interrupted
    store.note_void(season.id, key, "the disk\nis full " + "x" * 1900)
    store.note_pause(season.id, "the arena was stopped")
    store.note_resumption(season.id)
    match = made_match(key, (1, 2), made_record((3, 1)))
    for _ in range(2):  # a match that is stored already is told of once
        save_match(store, season.id, match)
    store.save_standings(season.id, ranked({1: 3.0, 2: 1.0}))
    for _ in range(2):
        store.finish_season(season.id)
    ledger = store.ledger("friday")
    told = [entry for entry in ledger if entry["kind"] != "announce"]
    assert [entry.kind for entry in told] == [
        *("begin", "void", "pause", "resume", "match", "finish")
    ]
    assert told[1]["reason"].startswith("the disk is full xxx")
    assert len(told[1]["reason"]) == 1000
    (stored,) = checked_matches(store, season.id)
    assert told[4].data.items() >= {"key": key, "sha256": sha256(stored.line)}.items()
    assert told[5]["sha256"] == sha256(store.standings_text(season.id))
    assert told[5]["matches"] == 1
    assert broken_links(ledger) == []


def test_the_head_of_a_ledger_is_its_last_entry(store: Store):
    begun(store)
    *_, last = ledger = store.ledger("friday")
    assert store.ledger_head("friday") == (len(ledger), last.sha256)
    assert [*store.ledger_until("friday", 2)] == ledger[:2]
    with pytest.raises(Unknown, match="nothing is stored of a tournament 'sunday'"):
        store.ledger_head("sunday")


def test_the_ledger_of_a_season_ends_with_the_season(store: Store):
    first = begun(store, SEED)
    store.finish_season(first.id)
    begun(store)

    def exported(season: int) -> list[str]:
        store.export("friday", season, file := BytesIO())
        return [entry["kind"] for entry in map(json.loads, ZipFile(file).open("ledger.jsonl"))]

    assert exported(1) == ["begin", "finish"]
    assert exported(2) == [entry.kind for entry in store.ledger("friday")]
    assert len(exported(2)) == 5


def test_a_value_is_awaited_once_and_never_changed(store: Store):
    begun(store, public_value={"source": "drawn", "how": "dice"})
    with pytest.raises(NothingAwaited, match="no season of 'saturday' waits"):
        store.reveal("saturday", "7")
    for wrong in ("", " ", "é", "x" * 201, "a\nb"):
        with pytest.raises(BadPublicValue, match="the value drawn in public: dice"):
            store.reveal("friday", wrong)
    store.reveal("friday", "7")
    with pytest.raises(NothingAwaited, match="it can't be changed"):
        store.reveal("friday", "8")
    assert [entry["value"] for entry in store.ledger("friday") if entry.kind == "value"] == ["7"]


def test_a_beacons_value_is_what_its_round_looks_like_and_never_early(store: Store):
    begun(store, public_value=BEACON)
    with pytest.raises(BadPublicValue, match="expected 64 hexadecimal digits, the randomness of"):
        store.reveal("friday", "4 2")
    assert store.reveal("friday", "AB" * 32) == (1, "ab" * 32)
    begun(store, public_value={**BEACON, "round": 10**9})
    with pytest.raises(BadPublicValue, match="too early for the randomness of round 1000000000"):
        store.reveal("friday", "ab" * 32)


@pytest.mark.parametrize(
    ("seconds", "number"), [(-5, 1), (0, 1), (1, 2), (30, 2), (31, 3), (60, 3), (61, 4)]
)
def test_the_first_round_after_a_moment(seconds: int, number: int):
    """The beacon's own rule: round n is published at genesis + (n - 1) periods."""
    after = datetime.fromtimestamp(1_000_000_000 + seconds, UTC)
    assert first_round(1_000_000_000, 30, after) == number


def test_an_entry_that_is_changed_dropped_or_put_in_breaks_the_chain(store: Store):
    begun(store)
    begun(store)
    ledger = [*store.ledger("friday")]
    assert ledger[0]["previous"] == FIRST
    assert broken_links(ledger) == []
    changed = Entry(ledger[1].text.replace('"season":1', '"season":7'))
    for forged in (
        [ledger[0], changed, *ledger[2:]],
        [*ledger[:2], *ledger[3:]],
        [*ledger[:2], ledger[1], *ledger[2:]],
        ledger[1:],
        [Entry("?"), *ledger[1:]],
    ):
        (found,) = broken_links(forged)
        assert found.startswith("the ledger was rewritten: ")


def test_a_manifest_is_one_text_whatever_the_order_of_its_facts():
    one, other = ({"b": 1.5, "a": [None, "é\ud800"]}, {"a": [None, "é\ud800"], "b": 1.5})
    assert canonical(one) == canonical(other) == '{"a":[null,"\\u00e9\\ud800"],"b":1.5}'
    assert Manifest(canonical(one)).sha256 == Manifest(canonical(other)).sha256
    with pytest.raises(ValueError, match="JSON"):
        canonical(float("nan"))


def test_only_what_is_told_of_a_whole_season_keeps_a_bot_without_a_sandbox_in_it(store: Store):
    season = begun(store, SEED)
    store.note_no_sandbox(season.id, 1, "it alone\nmakes sandboxes fail")
    store.note_no_sandbox(season.id, 2, "two failed beside it", "friday/0001/t01/r1/a")
    assert store.without_sandbox(season.id) == {1: "it alone makes sandboxes fail"}
    assert store.without_sandbox(begun(store).id) == {}

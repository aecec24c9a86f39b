"""Interventions that were forged: left out, put in, moved or changed, in a file or a database."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text

from card_arena.results.store import Store
from card_arena.tests.killed.small_seasons import SmallTournament
from card_arena.tests.results.fresh import fresh_store
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.intervened import (
    FAILING,
    SEASONS,
    by_the_example,
    exported,
    first_cannot_be_played,
    is_sound,
    play,
    prepared,
    request,
)
from card_arena.tests.verify.forging import Parts, put_together, taken_apart
from card_arena.verify.verify import verify_file, verify_season

BOTS = (*SEASONS["league"].bots[:4], FAILING)
LEAGUE = SmallTournament(
    f"{SEASONS['league'].text.replace('meetings: 1', 'meetings: 3')}"
    "probation: true\nsanity_check: false\n",
    BOTS,
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A season with one intervention of each kind that leaves something out."""
    folder = tmp_path_factory.mktemp("intervened")
    store = fresh_store(folder / "arena.db")
    with stage.cache_of_its_own(), pytest.MonkeyPatch.context() as patch:
        settings = prepared(store, folder, LEAGUE)
        first_cannot_be_played(patch, [store.version(name).id for name in ("bob", "bad")])
        play(store, settings, until=9)
        (season,) = store.seasons("small")
        key = next(
            result.key
            for result in store.results(season.id)
            if store.version("bad").id not in result.versions
        )
        request(store, "annul", key, tournament="small", reason="the power failed")
        request(store, "expel", "bob", tournament="small", reason="it was not its author's")
        play(store, settings)
        assert {each.kind for each in store.interventions(season.id)} == {
            *("annul", "expel", "probation", "unplayed")
        }
        is_sound(store, folder)
    store.close()
    return folder


def entry(parts: Parts, kind: str) -> dict[str, object]:
    (found,) = parts.told(kind)
    return found


def leave_out(kind: str) -> Callable[[Parts], None]:
    def forge(parts: Parts) -> None:
        parts.ledger.remove(entry(parts, kind))
        renumber(parts)

    return forge


def tell_twice(kind: str) -> Callable[[Parts], None]:
    def forge(parts: Parts) -> None:
        found = entry(parts, kind)
        parts.ledger.insert(parts.ledger.index(found) + 1, dict(found))
        renumber(parts)

    return forge


def play_after_leaving(parts: Parts) -> None:
    """The bot that was expelled is at a table all the same."""
    gone = entry(parts, "expel")
    place = parts.ledger.index(gone)
    later = next(e for e in parts.ledger[place:] if e["kind"] == "match")
    later["entrants"][0] = gone["version"]


def renumber(parts: Parts) -> None:
    number = 0
    for each in parts.ledger:
        if "intervention" in each:
            number += 1
            each["intervention"] = number


def put_probation_in(parts: Parts) -> None:
    innocent = {**entry(parts, "expel"), "kind": "probation"}
    parts.ledger.insert(parts.ledger.index(entry(parts, "expel")), innocent)
    renumber(parts)


def put_probation_off(parts: Parts) -> None:
    found = entry(parts, "probation")
    place = parts.ledger.index(found)
    parts.ledger.remove(found)
    after = next(n for n, e in enumerate(parts.ledger) if n >= place and e["kind"] == "match")
    parts.ledger.insert(after + 1, found)
    renumber(parts)


def expel_before_it_played(parts: Parts) -> None:
    found = entry(parts, "expel")
    parts.ledger.remove(found)
    first = next(n for n, e in enumerate(parts.ledger) if e["kind"] == "match")
    parts.ledger.insert(first, found)
    renumber(parts)


def annul_another(parts: Parts) -> None:
    found = entry(parts, "annul")
    found["key"] = next(e["key"] for e in parts.told("match") if e["key"] != found["key"])


def annul_what_was_not_played(parts: Parts) -> None:
    entry(parts, "annul")["key"] = "small/0001/t09/r9/z"


def leave_out_without_enough_attempts(parts: Parts) -> None:
    for each in parts.told("void")[4:]:
        parts.ledger.remove(each)


def leave_out_another(parts: Parts) -> None:
    """The organiser drops a match that went badly, and pretends that it couldn't be played."""
    dropped = parts.told("match")[-1]["key"]
    what = entry(parts, "unplayed")
    parts.ledger = [each for each in parts.ledger if each.get("key") != dropped]
    parts.matches = [each for each in parts.matches if each["key"] != dropped]
    parts.ledger.insert(parts.ledger.index(what) + 1, {**what, "key": dropped})
    renumber(parts)


def concern_a_stranger(parts: Parts) -> None:
    entry(parts, "expel")["version"] = 99


@pytest.mark.parametrize(
    "forge",
    [
        leave_out("expel"),
        leave_out("annul"),
        leave_out("probation"),
        put_probation_in,
        put_probation_off,
        expel_before_it_played,
        annul_another,
        annul_what_was_not_played,
        leave_out("unplayed"),
        leave_out_without_enough_attempts,
        leave_out_another,
        concern_a_stranger,
        play_after_leaving,
        *map(tell_twice, ("expel", "annul", "probation", "unplayed")),
    ],
)
def test_a_file_with_a_forged_intervention_is_found_out_by_both_programs(
    forge: Callable[[Parts], None], folder: Path, tmp_path: Path
):
    parts = taken_apart(folder / "season.zip")
    forge(parts)
    parts.cover_up()
    path = put_together(parts, tmp_path / "forged.zip")
    assert verify_file(path).differences
    checked = by_the_example(path)
    assert checked.returncode == 1
    assert "WRONG" in checked.stdout


@pytest.mark.parametrize(
    ("forgery", "found"),
    [
        ("DELETE FROM interventions WHERE kind = 'expel'", "in the ledger, but it is not stored"),
        ("UPDATE interventions SET reason = 'no reason' WHERE kind = 'expel'", "was changed"),
        ("UPDATE interventions SET after = after + 1 WHERE kind = 'annul'", "at another point"),
        ("UPDATE matches SET annulled = false", "was annulled, but it is kept as one that counts"),
        ("UPDATE matches SET annulled = true", "kept as annulled, but the ledger does not tell so"),
        ("UPDATE seasons SET annulled = true", "kept as annulled, but the ledger does not tell so"),
        (
            "INSERT INTO interventions (season_id, number, entry, made, kind, reason, version_id,"
            " after) SELECT season_id, 9, entry, made, 'expel', reason, 1, after FROM interventions"
            " WHERE number = 1",
            "is stored, but not in the ledger",
        ),
    ],
)
def test_a_database_with_a_forged_intervention_is_found_out(
    forgery: str, found: str, folder: Path, tmp_path: Path
):
    copied = tmp_path / "arena.db"
    copied.write_bytes((folder / "arena.db").read_bytes())
    store = Store(f"sqlite:///{copied}")
    with store.database.writing() as session:
        session.execute(text(forgery))
    (season,) = store.seasons("small")
    differences = verify_season(store, season).differences
    store.close()
    assert any(found in sentence for sentence in differences), differences


def test_a_file_tells_of_what_was_annulled_after_its_season_was_over(folder: Path, tmp_path: Path):
    copied = tmp_path / "arena.db"
    copied.write_bytes((folder / "arena.db").read_bytes())
    store = Store(f"sqlite:///{copied}")
    (season,) = store.seasons("small")
    key = store.results(season.id)[-1].key
    request(store, "annul", key, tournament="small", reason="found out later")
    path = exported(store, tmp_path)
    store.close()
    assert taken_apart(path).ledger[-1]["kind"] == "annul"
    parts = taken_apart(path)
    parts.standings["standings"][0]["points"] += 1
    assert verify_file(put_together(parts, tmp_path / "forged.zip")).differences

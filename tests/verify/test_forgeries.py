"""Ten kinds of forgery, in a season's file and in the database, are each refused by name.

In a file each is tried twice: as it is, and by a forger who writes every hash in the file anew.
What the second one can't write anew is the seed's hash, and the head that somebody else has saved.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from card_arena.results.entries import Entrant
from card_arena.results.errors import Damaged
from card_arena.results.proof.season_file import MEMBERS, BadSeasonFile
from card_arena.results.store import Store
from card_arena.tests.needs import need
from card_arena.tests.tournament.foreign import by_the_example
from card_arena.tests.verify.changes import change, edit_record
from card_arena.tests.verify.forgeries import (
    FIRST,
    FORGERIES,
    LAST,
    SETTINGS,
    Published,
    three_seasons,
)
from card_arena.tests.verify.forging import Forgery, Parts, put_together, taken_apart
from card_arena.tournament.play.schedules import begin
from card_arena.verify.evidence import Filed
from card_arena.verify.verify import verify_file, verify_ledger, verify_season


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Published:
    need("bwrap")
    return three_seasons(tmp_path_factory.mktemp("published"))


@pytest.fixture
def stored(published: Published, tmp_path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{shutil.copy(published.database, tmp_path)}")
    yield store
    store.close()


NAMES = [forge.__name__ for forge, _, _ in FORGERIES]


def found_in(path: Path, head: str | None = None) -> list[str]:
    return verify_file(path, head=head).differences


def test_the_file_as_it_was_published_is_sound(published: Published) -> None:
    report = verify_file(published.file, head=published.head)
    assert (report.differences, report.notes) == ([], [])
    assert (report.totals.matches, report.totals.other_packs) == (3, 0)
    assert report.totals.packs >= 3
    assert report.head == published.head


def test_the_parts_put_together_again_are_the_same_season(
    published: Published, tmp_path: Path
) -> None:
    """So what the tests below find is what each forgery changed, and nothing else."""
    parts = taken_apart(published.file)
    before = parts.facts["head"]
    parts.cover_up()
    assert parts.facts["head"] == before
    assert found_in(put_together(parts, tmp_path / "same.zip"), published.head) == []


@pytest.mark.parametrize(("forge", "sentence", "_"), FORGERIES, ids=NAMES)
def test_a_forgery_in_a_file_is_named(
    published: Published, tmp_path: Path, forge: Forgery, sentence: str, _: str
) -> None:
    parts = taken_apart(published.file)
    forge(parts)
    found = found_in(put_together(parts, tmp_path / "forged.zip"))
    assert any(re.search(sentence, difference) for difference in found), found


@pytest.mark.parametrize(("forge", "_", "sentence"), FORGERIES, ids=NAMES)
def test_a_forger_who_writes_every_hash_anew_is_found_by_the_cards_or_by_a_saved_head(
    published: Published, tmp_path: Path, forge: Forgery, _: str, sentence: str
) -> None:
    parts = taken_apart(published.file)
    forge(parts)
    parts.cover_up()
    forged = put_together(parts, tmp_path / "forged.zip")
    found = found_in(forged, published.head)
    assert any(re.search(sentence, difference) for difference in found), found
    if parts.facts["head"] != published.head:
        saved = rf"the ledger was rewritten: none of its \d+ entries .* {published.head}"
        assert any(re.match(saved, difference) for difference in found), found


def test_every_head_of_the_past_is_still_there(published: Published) -> None:
    for entry in Filed(published.file).ledger():
        assert found_in(published.file, entry.sha256) == []


def test_a_running_season_is_exported_without_its_seed_and_says_what_is_not_checked(
    stored: Store, tmp_path: Path
) -> None:
    file = tmp_path / "running.zip"
    with file.open("wb") as target:
        stored.export("small", 2, target)
    season = stored.seasons("small")[1]
    assert season.seed.hex() not in str(taken_apart(file))
    report = verify_file(file)
    assert report.differences == []
    assert report.notes == ["its seed is still secret, so packs and seats are not checked"]
    assert (report.totals.packs, report.totals.matches > 0) == (0, True)


def test_the_same_season_gives_the_same_file(
    published: Published, stored: Store, tmp_path: Path
) -> None:
    begin(stored, SETTINGS, [Entrant(1)], datetime.now(UTC))  # later seasons don't change it
    with (tmp_path / "again.zip").open("wb") as target:
        stored.export("small", 3, target)
    assert (tmp_path / "again.zip").read_bytes() == published.file.read_bytes()


def sentences_of(path: Path) -> list[str]:
    """What is said of a file, whether it can be read or not; anything else is a bug."""
    try:
        return verify_file(path).differences
    except (BadSeasonFile, Damaged) as error:
        return [str(error)]


def with_damaged_member(data: bytes, name: str) -> bytes:
    """The file with four wrong bytes in the middle of what one of its members holds."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        member = archive.getinfo(name)
    start = member.header_offset + 30 + len(member.filename) + len(member.extra)
    at = start + member.compress_size // 2
    return data[:at] + bytes(byte ^ 0xFF for byte in data[at : at + 4]) + data[at + 4 :]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: b"PK\x03\x04 and more",
        lambda data: data[: len(data) // 2],
        lambda data: data.replace(b"season.json", b"reason.json"),
        *(partial(with_damaged_member, name=name) for name in MEMBERS),
    ],
)
def test_a_file_that_is_damaged_is_refused_in_a_sentence(
    published: Published, tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "damaged.zip"
    path.write_bytes(damage(published.file.read_bytes()))
    assert sentences_of(path)
    assert by_the_example(path)


def members_of(path: Path) -> list[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as archive:
        return [(name, archive.read(name)) for name in archive.namelist()]


def nested(at: int) -> Callable[[list[tuple[str, bytes]]], None]:
    def change(members: list[tuple[str, bytes]]) -> None:
        members[at] = (members[at][0], b"[" * 100_000)

    return change


ODD: dict[str, Callable[[list[tuple[str, bytes]]], None]] = {
    **{f"{name} nested deeply": nested(at) for at, name in enumerate(MEMBERS)},
    "another member": lambda members: members.append(("../../evil", b"1")),
    "a member twice": lambda members: members.append(members[0]),
    "a field more": lambda members: members.__setitem__(
        0, (members[0][0], members[0][1].replace(b"{", b'{"more":1,', 1))
    ),
    "a season of another name": lambda members: members.__setitem__(
        0, (members[0][0], members[0][1].replace(b'"small"', b'"large"', 1))
    ),
    "a seed in capitals": lambda members: members.__setitem__(
        0,
        (members[0][0], re.sub(rb'(?<="seed":")\w+', lambda it: it[0].upper(), members[0][1])),
    ),
}


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("change", ODD.values(), ids=ODD)
def test_a_file_of_another_shape_is_refused_in_a_sentence_by_both(
    published: Published, tmp_path: Path, change: Callable[[list[tuple[str, bytes]]], None]
) -> None:
    members = members_of(published.file)
    change(members)
    with zipfile.ZipFile(tmp_path / "odd.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    assert sentences_of(tmp_path / "odd.zip")
    assert by_the_example(tmp_path / "odd.zip")


@pytest.mark.parametrize(("offset", "value"), [(8, 1), (6, 255), (10, 99)])
def test_a_zip_that_is_encrypted_or_of_a_later_version_is_refused_in_a_sentence_by_both(
    published: Published, tmp_path: Path, offset: int, value: int
) -> None:
    """Flags, version and compression stand in every member's place in the directory."""
    data = bytearray(published.file.read_bytes())
    for place in re.finditer(b"PK\x01\x02", bytes(data)):
        data[place.start() + offset] = value
    for place in re.finditer(b"PK\x03\x04", bytes(data)):
        data[place.start() + offset - 2] = value
    (tmp_path / "odd.zip").write_bytes(data)
    assert sentences_of(tmp_path / "odd.zip")
    assert by_the_example(tmp_path / "odd.zip")


JUNK = (None, 7, "x", [], {}, [7], {"x": 7}, -1, 1e300, True)


@pytest.mark.parametrize("member", ["facts", "manifest", "matches", "ledger", "standings"])
def test_a_file_with_anything_in_the_place_of_anything_ends_in_sentences(
    published: Published, tmp_path: Path, member: str
) -> None:
    """Whoever wrote the file, whoever checks it gets no traceback."""
    whole = taken_apart(published.file)
    top = getattr(whole, member)
    names = [*(top[-1] if isinstance(top, list) else top)]
    for number, (name, junk) in enumerate((n, j) for n in names for j in JUNK):
        parts = taken_apart(published.file)
        changed = getattr(parts, member)
        (changed[-1] if isinstance(changed, list) else changed)[name] = junk
        path = put_together(parts, tmp_path / f"{number}.zip")
        assert all(isinstance(sentence, str) for sentence in sentences_of(path))


@pytest.mark.parametrize("part", ["turns", "over", "options", ""])
def test_a_record_with_anything_in_the_place_of_anything_ends_in_sentences(
    published: Published, tmp_path: Path, part: str
) -> None:
    def place(parts: Parts) -> dict[str, Any]:
        record = parts.matches[0]["records"][0]
        return record[part] if part else record

    names = [*place(taken_apart(published.file))]
    for number, (name, junk) in enumerate((n, j) for n in names for j in JUNK):
        parts = taken_apart(published.file)
        was, place(parts)[name] = place(parts)[name], junk
        path = put_together(parts, tmp_path / f"{number}.zip")
        assert was == junk or sentences_of(path), (name, junk)


def of_season(stored: Store) -> list[str]:
    return verify_season(stored, stored.seasons("small")[-1]).differences


def edit(stored: Store, what: Callable[[dict[str, Any]], None]) -> None:
    edit_record(stored, what, FIRST)


def deal_another_stored_pack(stored: Store) -> None:
    def swap(data: dict[str, Any]) -> None:
        top, second, *rest = data["turns"]["action"][0].split(",")
        data["turns"]["action"][0] = ",".join((second, top, *rest))

    edit(stored, swap)


def change_a_stored_score(stored: Store) -> None:
    def give(data: dict[str, Any]) -> None:
        data["over"]["scores"][0] += 10

    edit(stored, give)


def drop_a_stored_match(stored: Store) -> None:
    for table in ("faults", "stderrs", "records", "held_seats", "seats"):
        with suppress(AssertionError):  # there may be none
            change(
                stored,
                f"DELETE FROM {table} WHERE match_id = (SELECT id FROM matches WHERE key = ?)",
                LAST,
            )
    change(stored, "DELETE FROM matches WHERE key = ?", LAST)


def set_a_stored_setting(stored: Store, path: str, value: int) -> None:
    change(
        stored,
        f"UPDATE seasons SET settings = json_set(settings, '$.{path}', {value}) WHERE number = 3",
    )


def play_fewer_stored_rounds(stored: Store) -> None:
    set_a_stored_setting(stored, "format.contest.rounds", 2)
    drop_a_stored_match(stored)


def send_the_stored_winner_off(stored: Store) -> None:
    change(
        stored,
        "UPDATE entrants SET sits_out = 'it could not be built' WHERE rank = 1 AND season_id ="
        " (SELECT id FROM seasons WHERE number = 3)",
    )


@pytest.mark.parametrize(
    ("forge", "sentence"),
    [
        (deal_another_stored_pack, f"{FIRST}, game 1, turn 0: the dealer played"),
        (
            lambda stored: change(
                stored,
                "UPDATE records SET seating = '[2, 1, 0]' WHERE match_id ="
                f" (SELECT id FROM matches WHERE key = '{FIRST}')",
            ),
            f"{FIRST}: entrants sat in",
        ),
        (change_a_stored_score, f"{FIRST}: the match was changed"),
        (drop_a_stored_match, f"{LAST}: the match was dropped: the ledger's entry"),
        (
            play_fewer_stored_rounds,
            "the setting format.contest.rounds was changed: it is stored as 2, but the manifest"
            " says 3",
        ),
        (
            lambda stored: change(stored, "UPDATE versions SET digest = '00' WHERE id = 2"),
            "sh16 v1 was swapped: its bundle is stored as 00, but the manifest says",
        ),
        (
            lambda stored: set_a_stored_setting(stored, "strikes.limit", 99),
            "the setting strikes.limit was changed: it is stored as 99, but the manifest says 3",
        ),
        (
            send_the_stored_winner_off,
            r"sh\d+ v1 is stored as sitting out, but by the manifest it plays",
        ),
    ],
)
def test_a_forgery_in_the_database_is_named(
    stored: Store, forge: Callable[[Store], None], sentence: str
) -> None:
    assert of_season(stored) == []
    forge(stored)
    found = of_season(stored)
    assert any(re.search(sentence, difference) for difference in found), found


def test_a_manifest_that_was_removed_from_the_database_is_named(stored: Store) -> None:
    change(stored, "DELETE FROM manifests WHERE season_id = (SELECT max(id) FROM seasons)")
    with pytest.raises(Damaged, match=r"^small, season 3: its manifest is missing$"):
        of_season(stored)


def test_an_aborted_season_that_is_deleted_from_the_database_is_named(stored: Store) -> None:
    assert verify_ledger(stored, "small") == []
    season = "(SELECT id FROM seasons WHERE number = 2)"
    matches = f"(SELECT id FROM matches WHERE season_id = {season})"
    for table in ("faults", "stderrs", "records", "held_seats", "seats"):
        with suppress(AssertionError):
            change(stored, f"DELETE FROM {table} WHERE match_id IN {matches}")
    for table in ("matches", "entrants", "manifests"):
        change(stored, f"DELETE FROM {table} WHERE season_id = {season}")
    change(stored, "DELETE FROM seasons WHERE number = 2")
    assert verify_ledger(stored, "small") == [
        "season 2 was left out: the ledger tells that it began, but it is not stored"
    ]


def test_a_ledger_that_is_rewritten_in_the_database_is_found_by_a_saved_head(
    published: Published, stored: Store
) -> None:
    """As a whole it is a chain again, so nothing else gives it away."""
    assert verify_ledger(stored, "small", published.head) == []
    parts = taken_apart(published.file)
    parts.ledger = [entry for entry in parts.ledger if entry["kind"] != "pause"]
    parts.cover_up()
    change(stored, "DELETE FROM ledger")
    numbers = count(1)
    for entry in parts.ledger:
        text = json.dumps(entry, sort_keys=True, separators=(",", ":"))
        row = (1, next(numbers), entry["season"], entry["kind"], text)
        change(stored, "INSERT INTO ledger VALUES (?, ?, ?, ?, ?)", *row)
    (found,) = verify_ledger(stored, "small", published.head)
    assert found.startswith("the ledger was rewritten: none of its")

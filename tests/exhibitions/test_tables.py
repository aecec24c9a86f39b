"""What people do at tables, and what is refused, in both kinds of databases; nothing is played."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import text

from card_arena.exhibitions.entries import (
    LimitReached,
    NotAllowed,
    Refused,
    SeatedBot,
    Table,
    UnknownTable,
)
from card_arena.exhibitions.settings import PlaySettings
from card_arena.exhibitions.store import LETTERS, TABLES, ExhibitionStore
from card_arena.results.store import Store
from card_arena.tables.record import Turn
from card_arena.tests.exhibitions.house import House
from card_arena.tests.results.releases import check_migrations

EVERYBODY = PlaySettings(who="everybody")
PACK = Turn(-1, ",".join(f"{rank}{suit}" for suit in "CDHS" for rank in "23456789TJQKA"))


@pytest.fixture
def house(url: str) -> Iterator[House]:
    with closing(ExhibitionStore(url)) as tables:
        yield House(url, cast(Store, None), tables)


def dealt(house: House, seats: int = 2) -> tuple[Table, str]:
    """A table of blackjack whose cards are dealt: the person is asked in turn 1."""
    table, secret = house.tables.create(house.new_table("blackjack", seats))
    house.tables.begin(table.id, ())
    assert house.tables.add_turn(table.id, 0, PACK, 0)
    return table, secret


def test_the_migrations_lead_from_the_first_tables_to_those_of_the_models(tmp_path: Path) -> None:
    check_migrations(TABLES, "exhibitions", tmp_path)


def test_an_answer_is_stored_once_and_the_first_one_counts(house: House) -> None:
    table, secret = dealt(house)
    house.tables.answer(table.key, secret, 1, "H")
    with pytest.raises(Refused, match="Wait for the next one"):
        house.tables.answer(table.key, secret, 1, "S")
    assert house.tables.inboxes([(table.id, 1, 0)])[table.id].line == "H"


@pytest.mark.parametrize(
    ("turn", "line", "reason"),
    [
        (0, "H", "has been played"),
        (2, "H", "not your turn"),
        (1, "B 0", "is not allowed: expected"),
        (1, "B 191", "is not allowed: expected"),
        (1, "nonsense", "is not allowed: expected"),
        (1, "H" * 300, "too long, or no text: expected"),
        (1, "H\0", "too long, or no text: expected"),
        (1, "\ud800", "too long, or no text: expected"),
    ],
)
def test_an_answer_that_is_not_allowed_now_is_refused(
    house: House, turn: int, line: str, reason: str
) -> None:
    table, secret = dealt(house)
    with pytest.raises(Refused, match=reason):
        house.tables.answer(table.key, secret, turn, line)
    assert house.tables.inboxes([(table.id, 1, 0)])[table.id].line is None


def test_an_illegal_answer_is_told_what_is_allowed(house: House) -> None:
    table, secret = dealt(house)
    with pytest.raises(Refused, match=r"^'X' is not allowed: expected S, H, D or B 1 "):
        house.tables.answer(table.key, secret, 1, "X")


def test_nobody_answers_with_anothers_secret_or_for_another_seat(house: House) -> None:
    (table, _), (_, other) = dealt(house), dealt(house)
    for secret in (other, "", "\ud800", "forged"):
        with pytest.raises(NotAllowed):
            house.tables.answer(table.key, secret, 1, "H")


def test_a_person_can_not_answer_for_a_bot(house: House) -> None:
    new = house.new_table("blackjack", 2, seat=1)
    table, secret = house.tables.create(new)
    house.tables.begin(table.id, ())
    assert house.tables.add_turn(table.id, 0, PACK, 0)
    with pytest.raises(Refused, match="not your turn"):
        house.tables.answer(table.key, secret, 1, "H")


def test_a_game_that_has_not_begun_or_is_over_takes_no_answers(house: House) -> None:
    table, secret = house.tables.create(house.new_table("blackjack"))
    with pytest.raises(Refused, match="has not begun"):
        house.tables.answer(table.key, secret, 0, "H")
    house.tables.stop(table.id, "for a test")
    with pytest.raises(Refused, match="is over"):
        house.tables.answer(table.key, secret, 0, "H")


def test_people_join_by_a_code_and_bots_take_the_free_seats(house: House) -> None:
    new = house.new_table("blackjack", 4, free_seats=frozenset({1, 2}), name="Ann")
    table, secret = house.tables.create(new)
    assert table.code is not None
    assert set(table.code) <= set(LETTERS)
    assert house.tables.due(9) == ()
    joined, seat, other = house.tables.join(f" {table.code.lower()} ", "Bob")
    assert (seat, joined.titles[:2]) == (1, ("Ann", "Bob"))
    assert house.tables.seat_of(table.key, other) == 1
    house.tables.start(table.key, secret)
    (due,) = house.tables.due(9)
    assert [person.name for person in due.persons] == ["Ann", "Bob"]
    with pytest.raises(UnknownTable, match="four letters"):
        house.tables.join(table.code, "Cid")
    with pytest.raises(Refused, match="begun already"):
        house.tables.start(table.key, secret)


def test_a_full_table_has_no_free_seat(house: House) -> None:
    table, _ = house.tables.create(house.new_table("blackjack", 2, free_seats=frozenset({1})))
    assert table.code
    _, _, other = house.tables.join(table.code, "Bob")
    with pytest.raises(Refused, match="seats of this table are taken"):
        house.tables.join(table.code, "Cid")
    house.tables.leave(table.key, other)
    assert house.tables.join(table.code, "Cid")[1] == 1


def test_a_table_that_everybody_has_left_is_stopped(house: House) -> None:
    table, secret = dealt(house)
    house.tables.leave(table.key, secret)
    assert house.tables.table(table.key).reason == "everybody has left the table"
    assert not house.tables.add_turn(table.id, 1, Turn(0, "S"), None)
    with pytest.raises(NotAllowed):
        house.tables.answer(table.key, secret, 1, "H")


@pytest.mark.parametrize("creator", [7, None])
def test_a_person_or_an_address_has_two_open_tables_and_fifty_a_day(
    house: House, creator: int | None
) -> None:
    limits = EVERYBODY.model_copy(update={"a_day": 3})
    new = house.new_table("blackjack", creator=creator, address="192.0.2.7")
    tables = [house.tables.create(new, limits)[0] for _ in range(2)]
    with pytest.raises(LimitReached, match=r"2 open tables \(limit 2\)"):
        house.tables.create(new, limits)
    other = house.new_table("blackjack", creator=8, address="192.0.2.8")
    house.tables.create(other, limits)
    house.tables.stop(tables[0].id, "for a test")
    house.tables.stop(house.tables.create(new, limits)[0].id, "for a test")
    with pytest.raises(LimitReached, match="3 tables in 24 hours"):
        house.tables.create(new, limits)


def test_members_or_nobody_may_play_as_the_organiser_says(house: House) -> None:
    guest = house.new_table("blackjack", address="192.0.2.7")
    with pytest.raises(NotAllowed, match="Nobody may play here"):
        house.tables.create(guest, PlaySettings())
    members = PlaySettings(who="members")
    with pytest.raises(NotAllowed, match="Sign in first"):
        house.tables.create(guest, members)
    house.tables.create(house.new_table("blackjack", creator=1), members)


def test_a_full_store_says_so(house: House) -> None:
    limits = EVERYBODY.model_copy(update={"most": 1})
    house.tables.create(house.new_table("blackjack", creator=1), limits)
    with pytest.raises(LimitReached, match="1 tables are stored, and no more are allowed"):
        house.tables.create(house.new_table("blackjack", creator=2), limits)


def test_old_tables_are_erased_once_they_are_over(house: House) -> None:
    over, playing = dealt(house)[0], dealt(house)[0]
    house.tables.stop(over.id, "for a test")
    assert house.tables.tidy(timedelta(days=1)) == 0
    assert house.tables.tidy(timedelta(seconds=-1)) == 1
    with pytest.raises(UnknownTable, match="erased by its age"):
        house.tables.turns(over.key)
    assert house.tables.turns(playing.key) == (PACK,)


def test_a_table_for_which_people_wait_in_vain_is_stopped(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, _ = house.tables.create(house.new_table("blackjack", free_seats=frozenset({1})))
    monkeypatch.setattr("card_arena.exhibitions.store.UNBEGUN", timedelta(0))
    house.tables.tidy(timedelta(days=1))
    assert "nobody began" in house.tables.table(table.key).reason


@pytest.mark.parametrize(
    ("game", "changes", "reason"),
    [
        ("spades", {"game": "whist"}, "No game 'whist'. Choose one of blackjack"),
        ("spades", {"bots": (SeatedBot("ann v1", 1),) * 3}, "spades seats 4 players, not 3"),
        ("spades", {"options": {"goal": "much"}}, "goal: Input should be"),
        ("spades", {"seat": 4}, "from 0 to 3"),
        ("spades", {"name": "\u202eeve"}, "The name"),
        ("spades", {"name": " "}, "The name is empty"),
        ("spades", {"name": "a" * 41}, "longer than 40"),
        ("spades", {"seat": None, "free_seats": frozenset({1})}, "creator sits"),
    ],
)
def test_a_table_that_can_not_be_played_is_refused(
    house: House, game: str, changes: dict[str, Any], reason: str
) -> None:
    new = house.new_table(game)
    with pytest.raises(Refused, match=reason):
        house.tables.create(replace(new, **changes))
    assert house.tables.due(9) == ()


def test_watchers_get_the_turns_that_they_lack(house: House) -> None:
    table, other = dealt(house)[0], dealt(house)[0]
    house.tables.set_away(other.id, 0)
    changes = house.tables.changes({table.key: 1, other.key: 0, "unknown": 0})
    assert changes[table.key].turns == ()
    assert changes[other.key].turns == (PACK,)
    assert (changes[table.key].away, changes[other.key].away) == (frozenset(), {0})
    assert "unknown" not in changes


def test_a_position_is_the_same_for_a_store_that_was_opened_later(house: House) -> None:
    table, _ = dealt(house)
    assert house.tables.position(table.key).number == 1
    assert house.tables.add_turn(table.id, 1, Turn(0, "S", "words", "S"), None)
    with closing(ExhibitionStore(house.url)) as again:
        assert again.position(table.key) == house.tables.position(table.key)
        assert again.position(table.key).number == 2


def test_a_seed_and_an_address_are_kept_from_whoever_prints_a_table(house: House) -> None:
    new = house.new_table("blackjack", address="192.0.2.7")
    table, secret = house.tables.create(new)
    assert table.seed.hex() not in repr(table)
    with house.tables.database.reading() as session:
        row = session.execute(text("SELECT address FROM tables")).scalar_one()
        hashes = session.execute(text("SELECT secret FROM seats WHERE number = 0")).scalar_one()
    assert "192.0.2.7" not in row
    assert secret not in hashes

"""What an author decides: the version that plays, a title, and what is deleted."""

from __future__ import annotations

import pytest

from card_arena.leaderboard.bots import bot_titles
from card_arena.results.bots import BadTitle, HasPlayed, UnknownBot, selected
from card_arena.results.errors import StoreError
from card_arena.results.store import Store
from card_arena.tests.results.made import made_bots, made_season, made_submission


def versions(store: Store, name: str, *digests: str) -> None:
    for digest in digests:
        store.submit(made_submission(name, digest), "ada")


def test_the_newest_version_plays_unless_another_is_chosen(store: Store):
    versions(store, "ann", "d1", "d2", "d3")
    assert store.version("ann").number == 3
    assert store.choose("ann", 2) == 2
    assert store.version("ann").number == 2
    assert [each.number for each in store.latest("snap")] == [2]
    found = [each.version for how in ("all", ["ann"]) for each in selected(store, "snap", how)]
    assert [each and each.number for each in found] == [2, 2]
    assert store.version("ann@3").number == 3
    assert store.choose("ann") == 3
    assert [each.number for each in store.latest("snap")] == [3]


def test_the_next_version_plays_again(store: Store):
    versions(store, "ann", "d1", "d2")
    store.choose("ann", 1)
    versions(store, "ann", "d2")
    assert store.version("ann").number == 1, "the same files again change nothing"
    versions(store, "ann", "d3")
    assert store.version("ann").number == 3


def test_only_a_version_that_is_there_is_chosen(store: Store):
    versions(store, "ann", "d1")
    with pytest.raises(UnknownBot, match="ann has no version 2: its newest is 1"):
        store.choose("ann", 2)
    with pytest.raises(UnknownBot, match="did you mean ann"):
        store.choose("anm", 1)


def test_a_title_stands_beside_the_name(store: Store):
    versions(store, "ann", "d1")
    assert store.give_title("ann", "  The  Great Ann ") == "The Great Ann"
    assert store.version("ann").title == "The Great Ann"
    assert bot_titles(store) == {"ann": "The Great Ann"}
    assert store.give_title("ann", "") == ""
    assert bot_titles(store) == {}


@pytest.mark.parametrize(
    ("title", "reason"),
    [
        ("Bob", "looks like 'bob'"),
        ("b0b!", "looks like 'bob'"),
        ("ＢＯＢ", "looks like 'bob'"),
        ("ROBERT the lst", "looks like 'Robert the 1st'"),
        ("B\u043eb", "of more than one script"),
        ("Bob\u202egnp", "that can be printed"),
        ("x" * 41, "up to 40 characters"),
        ("!!!", "has a letter or a digit"),
    ],
)
def test_a_title_that_could_be_taken_for_another_bot_is_refused(
    store: Store, title: str, reason: str
):
    versions(store, "ann", "d1")
    versions(store, "bob", "d2")
    store.give_title("bob", "Robert the 1st")
    with pytest.raises(BadTitle, match=reason):
        store.give_title("ann", title)
    assert store.version("ann").title == ""


def test_a_bots_own_name_and_other_alphabets_are_fine_titles(store: Store):
    versions(store, "ann", "d1")
    for title in ("ANN", "Αννα", "안나", "Анна"):
        assert store.give_title("ann", title) == title


def test_what_was_never_in_a_season_is_deleted_and_its_number_not_given_again(store: Store):
    versions(store, "ann", "d1", "d2")
    store.note_build(store.version("ann").id, True, "", "log")
    assert store.deletable("ann") == {1, 2}
    store.delete_version("ann", 2)
    assert store.version("ann").number == 1
    versions(store, "ann", "d3")
    assert store.version("ann").number == 3
    store.delete_bot("ann")
    with pytest.raises(UnknownBot):
        store.version("ann")
    _, new = store.submit(made_submission("ann"), "somebody else")
    assert new, "the name is free again"


def test_what_was_in_a_season_stays(store: Store):
    made_season(store, made_bots(store, "ann", "bob"))
    versions(store, "ann", "new")
    assert store.deletable("ann") == {2}
    with pytest.raises(HasPlayed, match="ann v1 can't be deleted: season 1 of friday was played"):
        store.delete_version("ann", 1)
    with pytest.raises(HasPlayed):
        store.delete_bot("ann")
    assert store.version("ann").number == 2, "nothing of the bot is deleted then"
    store.delete_version("ann", 2)
    with pytest.raises(StoreError, match="ann has no other version: delete the bot itself"):
        store.delete_version("ann", 1)


def test_deleting_the_chosen_version_lets_the_newest_play(store: Store):
    versions(store, "ann", "d1", "d2")
    store.choose("ann", 1)
    store.delete_version("ann", 1)
    assert store.version("ann").number == 2

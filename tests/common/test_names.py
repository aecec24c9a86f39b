"""What no name may look like, and that no name does, whatever it is of."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from card_arena.accounts.storage.account_store import AccountStore
from card_arena.common.errors import UserError
from card_arena.common.text import name_flaw
from card_arena.results.store import Store
from card_arena.sandbox.bundles import archives
from card_arena.sandbox.bundles.bundle import Bundle
from card_arena.tests.results.made import made_bots, made_submission
from card_arena.tournament.settings import read_settings

HYPHEN = "must not begin with a hyphen, as options of commands do"


@pytest.mark.parametrize(
    ("name", "flaw"),
    [
        ("-rf", HYPHEN),
        ("--help", HYPHEN),
        ("-", HYPHEN),
        (".", "must not be '.', which stands for a folder"),
        ("..", "must not be '..', which stands for a folder"),
        (" ann", "must not begin or end with a blank"),
        ("ann\t", "must not begin or end with a blank"),
        ("ann\u00a0", "must not begin or end with a blank"),
        ("a\0b", "must not hold '\\x00', which can't be printed"),
        ("a\x1b[2Jb", "must not hold '\\x1b', which can't be printed"),
        ("a\nb", "must not hold '\\n', which can't be printed"),
        ("a\u200bb", "must not hold '\\u200b', which can't be printed"),
        ("a\u202eb", "must not hold '\\u202e', which turns the direction of writing"),
        ("a\u2066b", "must not hold '\\u2066', which turns the direction of writing"),
        ("a\u200fb", "must not hold '\\u200f', which turns the direction of writing"),
        ("a\ud800b", "must not hold '\\ud800', which can't be printed"),
        *((sound, "") for sound in ("ann", "a-b", "_a", "...", "Ö b", "\u05d0\u05d1", "2")),
    ],
)
def test_a_name_is_seen_as_it_is_and_is_no_option_and_no_folder(name: str, flaw: str):
    assert name_flaw(name) == flaw


def of_a_bot(_: Store, __: AccountStore) -> None:
    about = b"name: -rf\ngames: [blackjack]\nprotocol: argv\nlanguage: shell\n"
    Bundle.from_archive(archives.pack([("bot.sh", b"echo S"), ("bot.yaml", about)]))


def of_a_tag_of_its_author(_: Store, __: AccountStore) -> None:
    about = b"name: a\ntags: [-rf]\ngames: [blackjack]\nprotocol: argv\nlanguage: shell\n"
    Bundle.from_archive(archives.pack([("bot.sh", b"echo S"), ("bot.yaml", about)]))


def of_a_file(_: Store, __: AccountStore) -> None:
    about = b"name: a\ngames: [blackjack]\nprotocol: argv\nlanguage: shell\n"
    Bundle.from_archive(archives.pack([("bot.sh", b""), ("bot.yaml", about), ("lib/-rf", b"")]))


def of_a_tag(store: Store, _: AccountStore) -> None:
    store.tag("ann", ["-rf"])


def of_an_author(store: Store, _: AccountStore) -> None:
    store.submit(made_submission("bob"), "-rf")


def of_a_new_author(store: Store, _: AccountStore) -> None:
    store.move("ann", "ann", "-rf", "sold")


def of_a_person(_: Store, accounts: AccountStore) -> None:
    accounts.invite("-rf", "ann@example.org")


def of_a_team(_: Store, accounts: AccountStore) -> None:
    accounts.invite("Ann", "ann@example.org", team="-rf")


def of_a_tournament(_: Store, __: AccountStore) -> None:
    read_settings("name: -rf\ngame: blackjack\n", "it.yaml")


@pytest.mark.parametrize(
    "name",
    [
        *(of_a_bot, of_a_tag_of_its_author, of_a_file, of_a_tag, of_an_author),
        *(of_a_new_author, of_a_person, of_a_team, of_a_tournament),
    ],
)
def test_a_name_that_begins_with_a_hyphen_is_refused_in_the_same_words(
    tmp_path: Path, name: Callable[[Store, AccountStore], None]
):
    url = f"sqlite:///{tmp_path}/arena.db"
    store, accounts = Store(url), AccountStore(url)
    made_bots(store, "ann")
    with pytest.raises((UserError, ValueError), match=HYPHEN):
        name(store, accounts)
    store.close()
    accounts.close()

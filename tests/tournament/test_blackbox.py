"""A stored match afterwards: any question again, and standard error for the bot's author."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from leaderboard.store import Store
from sandbox.bundle import read_bundle
from tests.needs import need
from tests.tournament import stage
from tests.tournament.stage import Bot, Notes
from tournament.blackbox import NotBuilt, NotInMatch, Question, find, put, written
from tournament.runner import run_once

KEY = "small/0001/t01/r1/a"

CHATTY = """\
while read -r line; do
    case $line in "#"*) ;; *) echo "heard $line" >&2; echo S ;; esac
done
"""

FAILING = 'echo "no idea" >&2\nexit 3\n'


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A season of one match: a living bot that writes everything down, and one that fails."""
    need("bwrap", "bubblewrap")
    folder = tmp_path_factory.mktemp("played")
    store = Store(f"sqlite:///{folder}/arena.db")
    for bot in (
        Bot("chatty", "stdin", "shell", CHATTY),
        Bot("failing", "argv", "shell", FAILING),
    ):
        stage.submit(store, bot.write(folder))
    settings = stage.tournament(tourneys=1, rounds=1, workers=1, sanity_check=False)
    run_once(store, settings, Notes(), stage.SEED)
    yield store
    store.close()


def question_of(store: Store, bot: str) -> Question:
    """The bot's first question of the match."""
    (record,) = store.records(KEY)
    asked = [number for number, turn in enumerate(record.turns) if turn.question]
    found = (find(store, KEY, 1, number) for number in asked)
    return next(question for question in found if question.bot == bot)


def test_the_words_are_those_that_were_asked(played: Store, tmp_path: Path) -> None:
    question = question_of(played, "failing v1")
    echo = Bot("mine", "argv", "shell", 'echo "asked: $*" >&2\necho S\n').write(tmp_path)
    turn, stderr = put(question, read_bundle(echo), "bubblewrap")
    assert turn.question == question.step.turn.question
    assert stderr == f"asked: {turn.question}\n"
    assert (turn.answer, turn.fault) == ("S", None)
    assert question.step.turn.fault is not None


def test_a_living_bot_is_asked_in_a_fresh_process(played: Store, tmp_path: Path) -> None:
    question = question_of(played, "chatty v1")
    counting = Bot("mine", "stdin", "shell", CHATTY.replace("heard", "$((n += 1))"))
    turn, stderr = put(question, read_bundle(counting.write(tmp_path)), "bubblewrap")
    assert stderr == f"1 {turn.question}\n"


def test_the_verdict_is_the_referees(played: Store, tmp_path: Path) -> None:
    question = question_of(played, "failing v1")
    wrong = Bot("mine", "argv", "shell", "echo B 5000\n").write(tmp_path)
    turn, _ = put(question, read_bundle(wrong), "bubblewrap")
    assert turn.fault is not None
    assert (turn.fault.kind, turn.answer) == ("illegal", "B 5000")


def test_a_bot_that_can_not_be_built_is_refused(played: Store, tmp_path: Path) -> None:
    need("gcc", "gcc")
    broken = Bot("mine", "argv", "c", "int main( {").write(tmp_path)
    with pytest.raises(NotBuilt, match=r"mine can't be built: .*\n.*error"):
        put(question_of(played, "chatty v1"), read_bundle(broken), "bubblewrap")


def test_standard_error_is_kept_for_the_author_and_is_in_no_record(played: Store) -> None:
    (told,) = written(played, KEY, "chatty")
    heading, *lines = told.splitlines()
    assert heading.startswith("game 1, seat ")
    (record,) = played.records(KEY)
    seat = int(heading.split()[3].rstrip(","))
    assert lines == [f"heard {turn.question}" for turn in record.turns if turn.seat == seat]
    (told,) = written(played, KEY, "failing@1", 1)
    assert told.splitlines()[1:] == ["no idea"] * 3
    assert "no idea" not in str(record)
    with pytest.raises(
        NotInMatch, match=r"'failing@2' did not play match .* but chatty@1, failing@1"
    ):
        list(written(played, KEY, "failing@2"))


def test_where_a_seat_is_struck_out_nobody_was_asked(played: Store) -> None:
    (record,) = played.records(KEY)
    (out,) = record.struck_out
    number = max(n for n, turn in enumerate(record.turns) if turn.seat == out)
    with pytest.raises(
        NotInMatch, match=f"turn {number} .* belongs to seat {out}, which is struck"
    ):
        find(played, KEY, 1, number)

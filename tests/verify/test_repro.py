"""A stored match afterwards: any question again, and standard error for the bot's author."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from card_arena.leaderboard.question_file import BadQuestionFile, QuestionFile, read_question
from card_arena.results.season_settings import SeasonClock
from card_arena.results.store import Store
from card_arena.sandbox.bundles.bundle import read_bundle
from card_arena.tables.game import CHANCE
from card_arena.tests.needs import need
from card_arena.tests.results.fresh import fresh_store
from card_arena.tests.tournament import stage
from card_arena.tests.tournament.stage import Bot, Notes
from card_arena.tournament.play.runner import run_once
from card_arena.verify.repro import NotBuilt, NotInMatch, find, put, read_file, written

KEY = "small/0001/t01/r1/a"

CHATTY = """\
while read -r line; do
    case $line in "#"*) ;; *) echo "heard $line" >&2; echo S ;; esac
done
"""

SCRIBE = """\
while read -r line; do
    echo "$line" >&2
    case $line in "#"*) ;; *)
        set -- $line
        number=$((number + 1))
        [ $number = 4 ] && exit 3
        first=${3%%,*}; echo "${first%%..*}" ;;
    esac
done
"""
"""Writes down every line that it is told, answers at durak, and fails at its fourth question."""

FAILING = 'echo "no idea" >&2\nexit 3\n'


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A season of one match: a living bot that writes everything down, and one that fails."""
    need("bwrap")
    folder = tmp_path_factory.mktemp("played")
    store = fresh_store(folder / "arena.db")
    for bot in (
        Bot("chatty", "stdin", "shell", CHATTY),
        Bot("failing", "argv", "shell", FAILING),
    ):
        stage.submit(store, bot.write(folder))
    settings = stage.tournament(legs=1, rounds=1, workers=1, sanity_check=False)
    run_once(store, settings, Notes(), stage.SEED, pool=stage.Here())
    yield store
    store.close()


def question_of(store: Store, bot: str) -> QuestionFile:
    """The bot's first question of the match."""
    (record,) = store.records(KEY)
    asked = [number for number, turn in enumerate(record.turns) if turn.question]
    found = (find(store, KEY, 1, number) for number in asked)
    return next(question for question in found if question.bot == bot)


def test_the_words_are_those_that_were_asked(played: Store, tmp_path: Path) -> None:
    question = question_of(played, "failing v1")
    echo = Bot("mine", "argv", "shell", 'echo "asked: $*" >&2\necho S\n').write(tmp_path)
    again = put(question, read_bundle(echo), "bubblewrap")
    assert again.stderr == f"asked: {question.question}\n"
    assert (again.answer.line, again.answer.fault) == ("S", None)
    assert question.then.fault is not None


def test_a_living_bot_is_asked_in_a_fresh_process(played: Store, tmp_path: Path) -> None:
    question = question_of(played, "chatty v1")
    counting = Bot("mine", "stdin", "shell", CHATTY.replace("heard", "$((n += 1))"))
    again = put(question, read_bundle(counting.write(tmp_path)), "bubblewrap")
    assert again.stderr == f"1 {question.question}\n"


def test_the_verdict_is_the_referees(played: Store, tmp_path: Path) -> None:
    question = question_of(played, "failing v1")
    wrong = Bot("mine", "argv", "shell", "echo B 5000\n").write(tmp_path)
    again = put(question, read_bundle(wrong), "bubblewrap").answer
    assert again.fault is not None
    assert (again.fault.kind, again.line) == ("illegal", "B 5000")


def test_a_bot_that_can_not_be_built_is_refused(played: Store, tmp_path: Path) -> None:
    need("gcc")
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


@pytest.fixture(scope="module")
def written_down(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Path]]:
    """A match of durak in which a bot wrote down all that it was told."""
    need("bwrap")
    folder = tmp_path_factory.mktemp("scribes")
    store = fresh_store(folder / "arena.db")
    for name in ("scribe", "other"):
        stage.submit(store, Bot(name, "stdin", "shell", SCRIBE, game="durak").write(folder))
    settings = stage.tournament(
        game="durak", seats=2, rounds=1, workers=1, sanity_check=False, legs=1
    )
    run_once(store, settings, Notes(), stage.SEED, pool=stage.Here())
    yield store, folder
    store.close()


def test_a_question_comes_with_what_its_seat_was_told_and_nothing_else(
    written_down: tuple[Store, Path],
) -> None:
    """Held against what the bots wrote down themselves, one process after the other."""
    store, _ = written_down
    stderr = store.stderr(KEY)
    compared = 0
    for number, record in enumerate(store.records(KEY)):
        for seat in range(record.seats):
            told = stderr[number, seat].splitlines()
            told = [line for line in told if not line.startswith("# clock")]
            asked = [n for n, t in enumerate(record.turns) if t.seat == seat and t.question]
            for turn in asked:
                found = find(store, KEY, number + 1, turn)
                lines = [*found.heard, found.question]
                # every process's lines stand together, one process behind the other
                starts = [at for at in range(len(told)) if told[at : at + len(lines)] == lines]
                assert starts, (number, seat, turn)
                compared += len(lines)
            restarts = [n for n in asked if record.turns[n].fault]
            after = next(n for n in asked if n > restarts[0])
            assert find(store, KEY, number + 1, after).heard == []
            heard = find(store, KEY, number + 1, restarts[0]).heard
            assert {line[0] for line in heard} > {"#"}
    assert compared > 80


def test_a_bot_is_told_what_the_seat_had_heard_and_fails_where_it_failed(
    written_down: tuple[Store, Path], tmp_path: Path
) -> None:
    store, folder = written_down
    record = store.records(KEY)[0]
    turn = next(n for n, t in enumerate(record.turns) if t.fault)
    question = find(store, KEY, 1, turn, private=True)
    assert question.stderr
    again = put(question, read_bundle(folder / "scribe"), "bubblewrap")
    assert again.answer.fault is not None
    assert again.answer.fault.kind == "crash"
    assert (again.at, again.heard) == ("", len(question.heard))
    heard = [line for line in again.stderr.splitlines() if not line.startswith("# clock")]
    assert heard == [*question.heard, question.question]

    early = Bot("early", "stdin", "shell", SCRIBE.replace("= 4", "= 2"), game="durak")
    again = put(question, read_bundle(early.write(tmp_path)), "bubblewrap")
    assert again.at == [line for line in question.heard if line[0] != "#"][1]


def test_a_file_is_the_question_again_without_the_database(
    written_down: tuple[Store, Path], tmp_path: Path
) -> None:
    store, _ = written_down
    record = store.records(KEY)[0]
    turn = next(n for n, t in enumerate(record.turns) if t.fault)
    question = find(store, KEY, 1, turn)
    (tmp_path / "q.json").write_text(question.model_dump_json())
    assert read_file(tmp_path / "q.json") == question
    assert question.stderr == ""
    hidden = {card for t in record.turns[:turn] if t.seat == CHANCE for card in t.action.split(",")}
    seen = set(re.findall(r"\b[2-9TJQKA][SHDC]\b", " ".join([*question.heard, question.question])))
    assert len(hidden - seen) > 9


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"format": 2}, "format: Input should be 1"),
        ({"heard": "all"}, "heard: Input should be a valid (list|array)"),
        ({"heard": ["a\nb"]}, r"heard\.0: String should match pattern"),
        ({"question": "x" * 200_000}, "question: String should have at most"),
        ({"more": 1}, "more: Extra inputs are not permitted"),
        ({"seats": 10**9}, "seats: Input should be less"),
    ],
)
def test_a_file_that_is_wrong_is_refused_in_one_line(
    written_down: tuple[Store, Path], change: dict[str, object], complaint: str
) -> None:
    store, _ = written_down
    turn = next(n for n, t in enumerate(store.records(KEY)[0].turns) if t.fault)
    data = json.loads(find(store, KEY, 1, turn).model_dump_json())
    with pytest.raises(
        BadQuestionFile, match=f"^q.json: is not a question file .*: {complaint}"
    ) as caught:
        read_question(json.dumps({**data, **change}).encode(), "q.json")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "data", [b"", b"no json", b"[]", b"[" * 100_000, b"\xff", b"x" * 3_000_000]
)
def test_what_is_no_such_file_at_all_is_refused(data: bytes) -> None:
    with pytest.raises(BadQuestionFile, match=r"^q\.json: is "):
        read_question(data, "q.json")


NEGATIVE = SeasonClock(question="-3s", start="5s", bank=None, overrun="50ms")


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"game": "chess"}, "the rules of chess, which this arena does not have"),
        ({"rules_version": 99}, "by version 99 of the rules of durak, which this arena"),
        ({"options": {"points": "many"}}, "has terms that no table can have"),
        ({"clock": NEGATIVE}, "has terms that no table can have"),
        ({"phase": "Dreaming"}, "names a phase 'Dreaming' that durak does not have"),
        ({"seats": 9}, "has terms that no table can have: durak seats 2 to 6 players, not 9"),
    ],
)
def test_a_file_of_other_rules_is_refused(
    written_down: tuple[Store, Path], change: dict[str, object], complaint: str
) -> None:
    store, folder = written_down
    turn = next(n for n, t in enumerate(store.records(KEY)[0].turns) if t.fault)
    question = find(store, KEY, 1, turn).model_copy(update=change)
    with pytest.raises(BadQuestionFile, match=complaint):
        put(question, read_bundle(folder / "scribe"), "bubblewrap")

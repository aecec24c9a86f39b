"""What a tournament requires of its sandboxes stops it before it starts, where it can't be had."""

from __future__ import annotations

import pytest

from card_arena.common.marked_yaml import BadYaml
from card_arena.sandbox.guarantees import GUARANTEES, USUAL, Guarantee
from card_arena.sandbox.sandbox import BackendMissing
from card_arena.tournament import requirements
from card_arena.tournament.requirements import NotGuaranteed, demand
from card_arena.tournament.settings import read_settings, thaw


def settings(more: str = "", name: str = "small"):
    return read_settings(f"name: {name}\ngame: blackjack\n{more}", "t.yaml")


def mistake(more: str) -> str:
    with pytest.raises(BadYaml) as caught:
        settings(more)
    (text,) = caught.value.mistakes
    return text


@pytest.fixture(autouse=True)
def _looked_up_anew():
    requirements._examined.cache_clear()
    yield
    requirements._examined.cache_clear()


def test_without_another_word_walls_are_required_and_without_a_sandbox_nothing() -> None:
    assert set(settings().require) == USUAL
    assert settings("sandbox: bare\n").require == ()


def test_everything_can_be_required_or_what_is_named() -> None:
    assert settings("require: all\n").require == tuple(GUARANTEES)
    named = settings("require: [own-core, memory]\n")
    assert named.require == ("memory", "own-core")
    assert settings("require: []\n").require == ()
    assert set(settings("require: [usual, own-system]\n").require) == {*USUAL, "own-system"}
    assert settings("sandbox: bare\nrequire: [usual, memory]\n").require == ("memory",)
    assert thaw(named.freeze()) == named


def test_a_requirement_that_nobody_knows_is_told_with_its_place_and_those_there_are() -> None:
    text = mistake("require: [memory, no-netwrok]\n")
    assert text.startswith("t.yaml:3:19: ")
    assert "must be one of wall-time, cpu-time" in text
    text = mistake("require: everything\n")
    assert text.startswith("t.yaml:3:10: ")
    assert "must be usual, all, or a list of what `arena doctor` lists" in text


def test_nobody_can_require_to_be_stopped_who_may_think_in_others_time() -> None:
    text = mistake("limits: {stopped_between_turns: false}\nrequire: [stopped-surely]\n")
    assert "must go with limits: {stopped_between_turns: true} for stopped-surely" in text
    free = settings("limits: {stopped_between_turns: false}\nrequire: all\n")
    assert "stopped-surely" not in free.require


def test_what_the_sandbox_keeps_here_lets_a_tournament_begin() -> None:
    demand([settings(), settings("sandbox: bare\nrequire: [memory]\n", "open")])


def test_what_it_does_not_keep_is_said_in_a_sentence_each_with_what_would_help() -> None:
    with pytest.raises(NotGuaranteed) as caught:
        demand(
            [
                settings("require: [memory, own-core]\n"),
                settings("sandbox: bare\nrequire: [no-network]\n", "open"),
            ]
        )
    assert str(caught.value).splitlines() == [
        "small requires own-core (a bot can't leave the processor its match was given), which"
        " the bubblewrap sandbox can't give here: use the docker sandbox",
        "open requires no-network (a bot reaches no network, its own machine's included), which"
        " the bare sandbox can't give here: use the bubblewrap sandbox or the docker sandbox",
        "nothing was started; `arena doctor` shows all that holds here",
    ]


def test_a_sandbox_that_can_not_be_made_at_all_stops_it_too(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackendMissing, match="apt-get install bubblewrap"):
        demand([settings()])


def test_a_machine_is_tried_once_in_a_run(monkeypatch) -> None:
    asked = []

    def examine(sandbox, names):
        asked.append(names)
        return [Guarantee(name, True, "a test") for name in names]

    monkeypatch.setattr(requirements, "examine", examine)
    for number in range(3):
        demand([settings(name=f"t{number}")])
    assert asked == [settings().require]

"""What people have the runner do, which alone writes results."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from card_arena.accounts.entries import AuditEntry
from card_arena.accounts.operations import CARRIED_OUT, OPERATIONS, Operation
from card_arena.commands import accounts
from card_arena.common.errors import UserError
from card_arena.results.errors import Unusable
from card_arena.results.lease import Lease
from card_arena.results.store import Store
from card_arena.sandbox.sandbox import SandboxBroken
from card_arena.tests.accounts.porch import Porch
from card_arena.tests.tournament import stage
from card_arena.tournament.operations import OperationQueue
from card_arena.tournament.play.runner import run, run_once


@pytest.fixture
def operations(porch: Porch) -> Iterator[OperationQueue]:
    found = OperationQueue(porch.store, porch.said.append)
    yield found
    found.close()


@pytest.fixture
def bots(porch: Porch, tmp_path: Path) -> Porch:
    """Two bots of the house, and Ann, who is an organiser."""
    porch.accounts.change_person("role", "ann@example.org", role="organiser")
    for limit in (14, 16):
        stage.submit(porch.store, stage.shell(f"lim{limit}", limit).write(tmp_path / "bots"))
    return porch


def plant(
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    function: Callable[..., str],
    *,
    interrupts: bool = False,
) -> None:
    """Declare an operation on bots for the time of a test."""
    declared = Operation(name, "bot", "", "", interrupts=interrupts)
    monkeypatch.setitem(OPERATIONS, name, declared)
    monkeypatch.setitem(CARRIED_OUT, name, function)


class OrderingOnce(stage.Notes):
    """Somebody who operations something when the first matches have come back."""

    def __init__(self, porch: Porch, what: str, about: str, **details: object) -> None:
        super().__init__()
        self.porch = porch
        self.wanted = what, about, details
        self.order: AuditEntry | None = None

    def advances(self, headway: object) -> None:
        if self.order is None:
            what, about, details = self.wanted
            self.order = self.porch.accounts.request_operation(
                self.porch.ann.id, what, about, **details
            )


def test_a_command_that_waits_for_matches_says_so(
    bots: Porch,
    operations: OperationQueue,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    def carry_out(_: float) -> None:
        operations.carry_out([])

    monkeypatch.setattr(accounts, "LONG", 0)
    monkeypatch.setattr("card_arena.commands.accounts.time.sleep", carry_out)
    with Lease(bots.store.database):
        answer = accounts.submit_and_wait(bots.store, OPERATIONS["withdraw"], "lim14", {})
    assert answer.startswith("lim14 has been withdrawn")
    assert capsys.readouterr().err == "waiting until the open matches are finished\n"


def test_an_operation_waits_in_the_log_until_it_has_been_carried_out(
    bots: Porch, operations: OperationQueue
):
    order = bots.accounts.request_operation(bots.ann.id, "withdraw", "lim14")
    assert (order.person, order.state, order.answer) == ("Ann", "waiting", "")
    operations.carry_out([])
    done = bots.accounts.audit_entry(order.id)
    assert done is not None
    assert done.state == "done"
    assert done.answer.startswith("lim14 has been withdrawn since ")
    assert bots.said == [done.answer]
    assert bots.accounts.waiting_operations() == []
    assert bots.accounts.audit_log(1) == [done]


def test_an_operation_that_can_not_be_carried_out_is_declined_with_the_reason(
    bots: Porch, operations: OperationQueue
):
    order = bots.accounts.request_operation(None, "tag", "lim15", tags=["new"])
    operations.carry_out([])
    found = bots.accounts.audit_entry(order.id)
    assert found is not None
    assert found.state == "declined"
    assert found.answer.startswith("no bot is called 'lim15'; did you mean ")


def test_an_operation_of_a_newer_program_is_declined(bots: Porch, operations: OperationQueue):
    order = bots.accounts.request_operation(None, "promote", "lim14")
    operations.carry_out([])
    found = bots.accounts.audit_entry(order.id)
    assert found is not None
    assert found.answer == "this arena does not know the operation 'promote'"


def test_an_operation_is_not_declined_for_a_database_that_is_out_of_order(
    bots: Porch, operations: OperationQueue, monkeypatch: pytest.MonkeyPatch
):
    def locked(*_: object) -> str:
        raise Unusable("it is locked")

    order = bots.accounts.request_operation(None, "withdraw", "lim14")
    with monkeypatch.context() as patch:
        plant(patch, "withdraw", locked)
        with pytest.raises(Unusable):
            operations.carry_out([])
    operations.carry_out([])
    found = bots.accounts.audit_entry(order.id)
    assert found is not None
    assert found.state == "done"


def test_nothing_is_made_where_nobody_has_ordered_anything(tmp_path: Path):
    store = Store(f"sqlite:///{tmp_path / 'arena.db'}")
    operations = OperationQueue(store, print)
    assert not operations.has_any()
    operations.close()
    store.close()
    assert not [*tmp_path.glob("*accounts*")]


def test_an_operation_is_carried_out_while_a_season_is_played(
    bots: Porch, operations: OperationQueue
):
    settings = stage.tournament(sandbox="bare", legs=2, rounds=3, same_author="together")
    audience = OrderingOnce(bots, "tag", "lim14", tags=["early"])
    operations._next_glance = float("inf")
    bots.accounts.request_operation(None, "tag", "lim16", tags=["late"])
    operations._next_glance = 0.0
    run(bots.store, [settings], audience, wait=False, pool=stage.Here(), operations=operations)
    assert "lim16 is tagged late" in bots.said


@pytest.mark.parametrize("once", [False, True], ids=["run", "run_once"])
def test_an_operation_that_interrupts_is_carried_out_between_the_matches_of_its_tournament(
    bots: Porch, operations: OperationQueue, monkeypatch: pytest.MonkeyPatch, once: bool
):
    stored = []

    def count(store: Store, order: AuditEntry) -> str:
        (season,) = store.seasons("small")
        stored.append((season.finished, len(store.results(season.id))))
        return "counted"

    plant(monkeypatch, "count", count, interrupts=True)
    monkeypatch.setattr("card_arena.tournament.operations.GLANCE", 0.0)
    settings = stage.tournament(sandbox="bare", legs=2, rounds=3, same_author="together")
    audience = OrderingOnce(bots, "count", "", tournament="small")
    if once:
        run_once(bots.store, settings, audience, pool=stage.Here(), operations=operations)
    else:
        run(bots.store, [settings], audience, wait=False, pool=stage.Here(), operations=operations)
    (season,) = bots.store.seasons("small")
    every = len(bots.store.results(season.id))
    assert season.finished
    assert len(stored) == 1, "it was carried out once"
    finished, matches = stored[0]
    assert finished is None
    assert 0 < matches < every


def test_operations_on_one_bot_are_carried_out_in_their_order(
    bots: Porch, operations: OperationQueue, monkeypatch: pytest.MonkeyPatch
):
    """Even if the first of them has to wait for matches to come home."""
    carried_out = []

    def remember(store: Store, order: AuditEntry) -> str:
        carried_out.append(order.id)
        return "done"

    plant(monkeypatch, "strike", remember, interrupts=True)
    plant(monkeypatch, "praise", remember)
    first = bots.accounts.request_operation(None, "strike", "lim14", tournament="small")
    second = bots.accounts.request_operation(None, "praise", "lim14")
    other = bots.accounts.request_operation(None, "praise", "lim16")
    operations.carry_out(["small"])
    assert carried_out == [other.id]
    operations.carry_out([])
    assert carried_out == [other.id, first.id, second.id]


def test_one_order_that_is_declined_does_not_stop_the_others(
    bots: Porch, operations: OperationQueue, monkeypatch: pytest.MonkeyPatch
):
    def never(*_: object) -> str:
        raise UserError("never")

    plant(monkeypatch, "refuse", never)
    bots.accounts.request_operation(None, "refuse", "lim14")
    bots.accounts.request_operation(None, "tag", "lim16", tags=["fine"])
    operations.carry_out([])
    assert bots.said == ["the operation refuse of lim14 is declined: never", "lim16 is tagged fine"]


def test_an_author_chooses_titles_and_deletes(
    bots: Porch, operations: OperationQueue, tmp_path: Path
):
    stage.submit(bots.store, stage.shell("lim14", 13).write(tmp_path / "newer"))
    for what, details in (
        ("activate", {"number": 1}),
        ("title", {"title": "Fourteen"}),
        ("delete", {"number": 2}),
        ("delete", {"number": 2}),
    ):
        bots.accounts.request_operation(bots.ann.id, what, "lim14", **details)
    bots.accounts.request_operation(
        bots.ann.id, "delete", "lim16", number=None, author="somebody else"
    )
    operations.carry_out([])
    assert [(entry.state, entry.answer) for entry in reversed(bots.accounts.audit_log(5))] == [
        ("done", "new seasons enter lim14 v1"),
        ("done", "lim14 is shown with the title Fourteen"),
        ("done", "lim14 v2 is deleted"),
        ("done", "lim14 v2 is deleted"),
        ("declined", "lim16 is another author's bot"),
    ]
    assert bots.store.deletable("lim14") == {1}
    bots.accounts.request_operation(None, "delete", "lim14", number=None)
    operations.carry_out([])
    assert bots.accounts.audit_log(1)[0].answer == "lim14 is deleted"
    assert bots.store.latest("blackjack")[0].bot == "lim16"


def test_an_operation_that_the_arena_can_not_carry_out_now_waits_and_holds_up_no_season(
    bots: Porch, operations: OperationQueue, monkeypatch: pytest.MonkeyPatch
):
    def on_fire(*_: object) -> str:
        raise SandboxBroken("the machine is on fire")

    monkeypatch.setattr("card_arena.tournament.operations.GLANCE", 0.0)
    order = bots.accounts.request_operation(None, "strike", "lim14", tournament="small")
    with monkeypatch.context() as patch:
        plant(patch, "strike", on_fire, interrupts=True)
        assert operations.interrupts("small")
        operations.carry_out([])
        assert not operations.interrupts("small"), "it is tried again in a minute"
    assert bots.said == ["the operation strike of lim14 has to wait: the machine is on fire"]
    found = bots.accounts.audit_entry(order.id)
    assert found is not None
    assert found.state == "waiting"
    plant(monkeypatch, "strike", lambda *_: "done", interrupts=True)
    monkeypatch.setattr("card_arena.tournament.operations.time.monotonic", lambda: 1e9)
    operations.carry_out([])
    assert bots.said[-1] == "done"


def test_an_operation_that_the_arena_never_manages_is_declined_at_last(
    bots: Porch, operations: OperationQueue, monkeypatch: pytest.MonkeyPatch
):
    def on_fire(*_: object) -> str:
        raise SandboxBroken("the machine is on fire")

    minutes = itertools.count(1e9, 61.0)
    plant(monkeypatch, "praise", on_fire)
    order = bots.accounts.request_operation(None, "praise", "lim14")
    bots.accounts.request_operation(None, "tag", "lim14", tags=["fine"])
    for minute in itertools.islice(minutes, 5):
        monkeypatch.setattr("card_arena.tournament.operations.time.monotonic", lambda: minute)  # noqa: B023
        operations.carry_out([])
    assert bots.said == [
        *["the operation praise of lim14 has to wait: the machine is on fire"] * 3,
        "the operation praise of lim14 is declined: the machine is on fire",
        "lim14 is tagged fine",
    ]
    found = bots.accounts.audit_entry(order.id)
    assert found is not None
    assert (found.state, found.answer) == ("declined", "the machine is on fire")


def test_a_command_ends_with_what_keeps_the_arena_from_doing_it(
    bots: Porch, monkeypatch: pytest.MonkeyPatch
):
    def on_fire(*_: object) -> str:
        raise SandboxBroken("the machine is on fire")

    plant(monkeypatch, "praise", on_fire)
    with pytest.raises(SandboxBroken, match="on fire"):
        accounts.submit_and_wait(bots.store, OPERATIONS["praise"], "lim14", {})


def test_a_command_tells_what_became_of_the_operations_before_it(
    bots: Porch, capsys: pytest.CaptureFixture[str]
):
    bots.accounts.request_operation(None, "tag", "lim16", tags=["fine"])
    answer = accounts.submit_and_wait(bots.store, OPERATIONS["tag"], "lim14", {"tags": ["good"]})
    assert answer == "lim14 is tagged good"
    assert capsys.readouterr().err == "lim16 is tagged fine\n"


def test_an_operation_that_waits_for_another_tournament_interrupts_none(
    bots: Porch, operations: OperationQueue, monkeypatch: pytest.MonkeyPatch
):
    """What it interrupts would begin again at once, since it is not its turn yet."""
    carried_out = []

    def remember(store: Store, order: AuditEntry) -> str:
        carried_out.append(order.details["tournament"])
        return "done"

    monkeypatch.setattr("card_arena.tournament.operations.GLANCE", 0.0)
    plant(monkeypatch, "strike", remember, interrupts=True)
    for tournament in ("slow", "quick"):
        bots.accounts.request_operation(None, "strike", "lim14", tournament=tournament)
    operations.carry_out(["slow", "quick"])
    assert operations.interrupts("slow")
    assert not operations.interrupts("quick")
    operations.carry_out(["quick"])
    assert carried_out == ["slow"]
    assert operations.interrupts("quick")
    operations.carry_out([])
    assert carried_out == ["slow", "quick"]


def test_an_operation_of_what_is_no_text_is_never_given_and_stops_nobody(
    bots: Porch, operations: OperationQueue
):
    with pytest.raises(UnicodeEncodeError):
        bots.accounts.request_operation(None, "title", "lim14", title="\udcff")
    assert bots.accounts.waiting_operations() == []

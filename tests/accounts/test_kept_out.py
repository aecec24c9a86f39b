"""What an organiser has withdrawn stays out, whatever else changes."""

from __future__ import annotations

import pytest

from card_arena.tests.accounts.porch import Porch


@pytest.fixture
def withdrawn(porch: Porch) -> Porch:
    """Bob is an organiser and has withdrawn Ann's bot."""
    porch.accounts.change_person("role", "bob@example.org", role="organiser")
    order = porch.accounts.request_operation(porch.bob.id, "withdraw", "davey")
    porch.accounts.answer(order.id, "done", "withdrawn")
    return porch


def test_it_stays_out_when_that_organiser_is_one_no_more(withdrawn: Porch):
    withdrawn.accounts.change_person("role", "bob@example.org", role="author")
    assert withdrawn.accounts.is_kept_out({"davey"})


def test_an_author_who_becomes_an_organiser_has_withdrawn_it_as_an_author(porch: Porch):
    porch.accounts.request_operation(porch.ann.id, "withdraw", "davey")
    porch.accounts.change_person("role", "ann@example.org", role="organiser")
    assert not porch.accounts.is_kept_out({"davey"})


def test_the_shell_keeps_out_and_lets_in(porch: Porch):
    porch.accounts.request_operation(None, "withdraw", "davey")
    assert porch.accounts.is_kept_out({"davey", "other"})
    porch.accounts.request_operation(None, "readmit", "davey")
    assert not porch.accounts.is_kept_out({"davey"})


def test_a_new_bot_of_the_name_of_one_that_was_deleted_is_another(withdrawn: Porch):
    for number, state, kept_out in (
        (2, "done", True),
        (None, "declined", True),
        (None, "done", False),
    ):
        order = withdrawn.accounts.request_operation(
            withdrawn.ann.id, "delete", "davey", number=number
        )
        withdrawn.accounts.answer(order.id, state, "deleted")  # type: ignore[arg-type]
        assert withdrawn.accounts.is_kept_out({"davey"}) == kept_out

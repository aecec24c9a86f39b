"""What a form of the admin pages shows and sends back unchanged stays as it was."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape

from card_arena.accounts.entries import Limits, Visibility
from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch
from card_arena.tests.season_settings import season_settings

BOARD = {"newest": None, "lines": []}


def shown(page: str) -> dict[str, str]:
    """The fields of a page's forms as they are filled in."""
    fields = re.findall(r'<input[^>]* name="(\w+)"[^>]* value="([^"]*)"', page)
    return {name: unescape(value) for name, value in fields if name != "csrf_token"}


def test_a_freeze_keeps_its_standings_when_names_are_hidden_as_well(boss: Browser, porch: Porch):
    porch.store.announce({"friday": season_settings({"game": "blackjack"})}, all_there_are=True)
    moment = datetime(2026, 11, 1, 12, 30, 42, 123456, tzinfo=UTC)
    porch.accounts.set_visibility(Visibility("friday", frozen=moment))
    porch.accounts.add_snapshot("friday", 1, moment, BOARD)
    path = "/admin/t/friday"
    frozen = shown(boss.get(path).text)["frozen"]
    said = {"names": "own", "frozen": frozen, "what": "set"}
    assert boss.send(f"{path}/visibility", page=path, **said).status_code == 303
    assert porch.accounts.visibility("friday") == Visibility("friday", "own", None, moment)
    assert [*porch.accounts.snapshots("friday")] == [1]
    said["frozen"] = frozen.replace("12:30", "12:31")
    assert boss.send(f"{path}/visibility", page=path, **said).status_code == 303
    assert not porch.accounts.snapshots("friday")


def test_limits_with_seconds_stay_what_they_are(boss: Browser, porch: Porch):
    deadline = datetime(2030, 1, 1, 12, 0, 59, tzinfo=UTC)
    limits = Limits(a_day=5, deadline=deadline, grace=timedelta(seconds=90), reason="an exam")
    porch.accounts.set_limits(limits)
    said = shown(boss.get("/admin/limits").text)
    assert boss.send("/admin/limits", **said).status_code == 303
    assert porch.accounts.limits()[0] == limits

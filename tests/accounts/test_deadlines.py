"""Deadlines: what the page promises is what decides, in whatever zone it was typed."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape
from zoneinfo import ZoneInfo

import pytest

from card_arena.accounts.entries import Limits
from card_arena.accounts.settings import AccountSettings
from card_arena.commands.arena_settings import ArenaSettings
from card_arena.common import moments
from card_arena.common.marked_yaml import BadYaml, load
from card_arena.tests.accounts.browser import Browser, archive
from card_arena.tests.accounts.porch import Porch
from card_arena.tests.accounts.sites import open_site

KATHMANDU, NEW_YORK = "Asia/Kathmandu", "America/New_York"


def in_file(deadline: str, zone: str, grace: str = "") -> AccountSettings:
    """The settings of accounts as an organiser types them in arena.yaml."""
    late = f"  grace: {grace}\n" if grace else ""
    text = f"zone: {zone}\naccounts:\n  deadline: {deadline}\n{late}"
    accounts = load(text.encode(), "arena.yaml", ArenaSettings).accounts
    assert accounts is not None
    return accounts


def promised(page: str, zone: str) -> datetime:
    """The deadline as a reader of the page understands it."""
    text = unescape(re.sub("<[^>]+>", "", page))
    found = re.search(r"until \w{3} (\d+ \w{3} \d{4}, [\d:]+) (\S+) \(([^)]*) UTC\)", text)
    assert found is not None, text
    assert found[2] == zone
    form = "%d %b %Y, %H:%M:%S" if found[1].count(":") == 2 else "%d %b %Y, %H:%M"
    there = datetime.strptime(found[1], form)
    both = [there.replace(tzinfo=ZoneInfo(zone), fold=fold).astimezone(UTC) for fold in (0, 1)]
    (moment,) = {each for each in both if f"{each:%H:%M}" in found[3]}
    return moment


def put_clock_to(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    class Clock(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return moment

    monkeypatch.setattr("card_arena.accounts.storage.uploads.datetime", Clock)


def entered(app: object, porch: Porch, email: str = "ann@example.org") -> Browser:
    browser = Browser(app)  # type: ignore[arg-type]
    browser.enter(porch.accounts.new_link(email)[1])
    return browser


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("2026-11-27T20:00", KATHMANDU),
        ("2026-11-27T20:00+00:43", KATHMANDU),
        ("2026-11-27 23:59:59", NEW_YORK),
        ("2026-03-08T01:59:59", NEW_YORK),  # the last second before clocks are put forward
        ("2026-03-08T03:00", NEW_YORK),
        ("2026-11-01T01:30-04:00", NEW_YORK),  # an hour that comes twice
        ("2026-11-01T01:30-05:00", NEW_YORK),
    ],
)
def test_a_second_before_the_promised_deadline_is_in_time_and_one_after_it_is_late(
    porch: Porch, monkeypatch: pytest.MonkeyPatch, typed: str, zone: str
):
    with open_site(porch, in_file(typed, zone, grace="1h")) as app:
        ann = entered(app, porch)
        deadline = promised(ann.get("/submit").text, zone)
        put_clock_to(monkeypatch, deadline - timedelta(seconds=1))
        ann.send("/submit", bundle=archive(limit=14))
        put_clock_to(monkeypatch, deadline + timedelta(seconds=1))
        ann.send("/submit", bundle=archive(limit=15))
        late, in_time = porch.accounts.uploads_of(porch.ann.teams[0].id)
        assert (in_time.received, in_time.late) == (deadline - timedelta(seconds=1), False)
        assert (late.received, late.late) == (deadline + timedelta(seconds=1), True)
        put_clock_to(monkeypatch, deadline + timedelta(hours=1, seconds=1))
        refused = ann.send("/submit", bundle=archive(limit=16)).text
        assert moments.written(deadline, zone, exact=True) in unescape(refused)
        assert len(porch.accounts.uploads_of(porch.ann.teams[0].id)) == 2


def test_a_deadline_that_the_admin_page_sets_is_in_the_zone_that_its_form_names(porch: Porch):
    with open_site(porch, in_file("2026-11-27T20:00", KATHMANDU)) as app:
        porch.accounts.change_person("role", "bob@example.org", role="organiser")
        boss, ann = entered(app, porch, "bob@example.org"), entered(app, porch)
        form = boss.get("/admin/limits").text
        assert f"Deadline, in {KATHMANDU}" in form
        boss.send("/admin/limits", deadline="2026-11-28T20:00")
        moment = datetime(2026, 11, 28, 14, 15, tzinfo=UTC)
        assert promised(ann.get("/submit").text, KATHMANDU) == moment
        limits, _ = porch.accounts.limits()
        assert limits == Limits(deadline=moment)
        assert 'value="2026-11-28T20:00:00"' in boss.get("/admin/limits").text


def test_a_form_keeps_an_hour_that_comes_twice(porch: Porch):
    second = datetime(2026, 11, 1, 6, 30, tzinfo=UTC)
    porch.accounts.set_limits(Limits(deadline=second))
    with open_site(porch, AccountSettings(zone=NEW_YORK)) as app:
        porch.accounts.change_person("role", "bob@example.org", role="organiser")
        boss = entered(app, porch, "bob@example.org")
        sent = boss.send("/admin/limits", deadline="2026-11-01T01:30:00", a_day="7")
        assert sent.status_code == 303, sent.text
        assert porch.accounts.limits()[0] == Limits(a_day=7, deadline=second)
        assert "twice" in boss.send("/admin/limits", deadline="2026-11-01T01:31").text


@pytest.mark.parametrize(
    ("typed", "why"),
    [
        ("2026-03-08T02:30", "is skipped in America/New_York"),
        ("2026-11-01T01:30", "twice"),
        ("soon", "must be a time such as"),
    ],
)
def test_a_deadline_that_nobody_can_be_sure_of_is_refused_with_its_line(typed: str, why: str):
    with pytest.raises(BadYaml, match=r"arena\.yaml:3:13") as caught:
        in_file(typed, NEW_YORK)
    assert why in str(caught.value)


def test_the_arena_s_zone_must_exist_and_stands_at_the_top():
    with pytest.raises(BadYaml, match=r"arena\.yaml:1:7: zone .*Asia/Kathmandu"):
        in_file("2026-11-27T20:00", "Europe/Kathmandu")
    with pytest.raises(BadYaml, match="put it at the top"):
        load(b"accounts: {zone: Asia/Kathmandu}", "arena.yaml", ArenaSettings)


def test_an_excuse_gives_one_person_the_deadline_that_they_are_shown(
    porch: Porch, monkeypatch: pytest.MonkeyPatch
):
    own = datetime(2026, 11, 29, 12, 0, 30, tzinfo=UTC)
    porch.accounts.excuse("ann@example.org", "in hospital", own)
    porch.accounts.invite("Cid", "cid@example.org", team="Red")
    with open_site(porch, in_file("2026-11-27T20:00", KATHMANDU)) as app:
        ann, cid = entered(app, porch), entered(app, porch, "cid@example.org")
        assert promised(ann.get("/submit").text, KATHMANDU) == own
        put_clock_to(monkeypatch, own)
        assert "the deadline was" in cid.send("/submit", bundle=archive()).text
        ann.send("/submit", bundle=archive())
        (upload,) = porch.accounts.uploads_of(porch.ann.teams[0].id)
        assert not upload.late
        put_clock_to(monkeypatch, own + timedelta(seconds=1))
        assert "the deadline was" in ann.send("/submit", bundle=archive(limit=16)).text


def test_a_page_says_how_much_time_is_left(porch: Porch):
    soon = datetime.now(UTC) + timedelta(hours=3, minutes=12, seconds=50)
    porch.accounts.set_limits(Limits(deadline=soon))
    with open_site(porch, AccountSettings(zone=KATHMANDU)) as app:
        assert re.search(r"<b>in 3 h 1[012] min</b>", entered(app, porch).get("/submit").text)

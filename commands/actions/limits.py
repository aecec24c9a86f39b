"""`arena limits`."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta

import click

from accounts.entries import AllLimits, Limits, Quota
from accounts.storage.door import Door
from commands.door_settings import usual_quota
from commands.printer import say, say_shape
from common.moments import time_left, written
from results.store import Store


def limits(
    team: str | None,
    a_day: int | None,
    size: int | None,
    bots: int | None,
    bots_a_person: int | None,
    deadline: datetime | None,
    grace: float | None,
    reason: str,
    as_usual: bool,
    as_json: bool,
    store: Store,
) -> None:
    """Set limits if any are given, and print those that hold then."""
    wanted = Limits(
        a_day=a_day,
        deadline=deadline,
        grace=None if grace is None else timedelta(seconds=grace),
        size=size,
        bots=bots,
        bots_a_person=bots_a_person,
        reason=reason,
    )
    if as_usual and wanted != Limits():
        raise click.UsageError("--as-usual takes all limits back, so it goes with none")
    usual = usual_quota()
    with closing(Door(store.database.address)) as door:
        if as_usual:
            door.clear_limits(team)
        elif wanted != Limits():
            door.set_limits(wanted, team)
        everybody, teams = door.limits()
        if as_json:
            say_shape(AllLimits.of(usual, everybody or Limits(), teams))
            return
        if team is None:
            say(f"everybody: {told((everybody or Limits()).over(usual))}")
        for each, its in teams.items():
            if team in (None, each.name):
                why = f" ({its.reason})" if its.reason else ""
                say(f"{each.name}: {told(door.quota(each.id, usual))}{why}")
        if team is not None and team not in {each.name for each in teams}:
            say(f"{team}: {told(door.quota(door.team_named(team).id, usual))}")


def told(quota: Quota) -> str:
    """What a team may hand in, in words."""
    said = [f"{quota.a_day} uploads in 24 hours", f"of {quota.largest} at most"]
    if quota.bots is not None:
        said.append(f"{quota.bots} bots a team")
    if quota.bots_a_person is not None:
        said.append(f"{quota.bots_a_person} bots a person")
    if quota.deadline is not None and quota.last is not None:
        left = time_left(quota.deadline, datetime.now(UTC))
        said.append(f"until {written(quota.deadline, quota.zone, exact=True)}, {left}")
        if quota.grace:
            said.append(f"late ones until {written(quota.last, quota.zone, exact=True)}")
    return ", ".join(said)

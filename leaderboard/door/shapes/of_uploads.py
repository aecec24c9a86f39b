"""What was handed in, for programs."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from leaderboard.door.entries import State, Upload
from leaderboard.shapes.base import PageShape, Shape, Text
from leaderboard.views.paging import Page


class UploadLine(Shape):
    """Something that was handed in, and what became of it."""

    id: int
    """Its number."""
    team: Text
    """The team that it belongs to."""
    person: Text
    """Who handed it in."""
    received: datetime
    """When it came."""
    filename: Text
    """What the file was called."""
    sha256: str
    """The SHA-256 of the file."""
    size: int
    """Its bytes."""
    state: State
    """What has become of it; it is decided when it is `admitted` or `refused`."""
    changed: datetime
    """Since when that is so."""
    bot: Text
    """The bot that it became, or would have become; empty if nobody knows."""
    version: int | None
    """The number of the version that it became; null if it is none."""
    reason: Text
    """Why it became none, in a sentence; empty if it did or may yet."""
    late: bool
    """Whether it came after the deadline, within the grace."""


class Uploads(PageShape):
    """What teams handed in."""

    items: tuple[UploadLine, ...]
    """The uploads of this page, the newest first."""


class ExaminedStepShape(Shape):
    """A step of an examination in one game, as `arena check` numbers and titles it."""

    game: str
    """The game."""
    number: int
    """The number of the step."""
    title: Text
    """What the bot has to do."""
    passed: bool
    """Whether it did."""
    detail: Text
    """What was seen, or what is wrong."""
    output: Text
    """What the program wrote, if it failed."""


class UploadShape(UploadLine):
    """An upload with all that its author may know."""

    ahead: int
    """How many are decided before it, while it waits."""
    began: datetime | None
    """When its build began; null if it has not."""
    steps: tuple[ExaminedStepShape, ...]
    """The steps of its examination, as far as they have come."""
    log: Text
    """What its build and its examination said, as far as they have come."""
    remarks: Text
    """What its author should know, though it keeps no bot out."""


class HandedIn(UploadShape):
    """An upload that was just handed in."""

    new: bool
    """False if these are the files that the team handed in last: nothing changes then."""


def uploads(page: Page[Upload]) -> Uploads:
    items = tuple(UploadLine(**_facts(upload)) for upload in page.items)
    return Uploads.of(page, items=items)


def upload_shape(upload: Upload, ahead: int) -> UploadShape:
    """An upload; `ahead` others are decided before it."""
    return UploadShape(**_facts(upload), **_story(upload, ahead))


def handed_in(upload: Upload, ahead: int, *, new: bool) -> HandedIn:
    return HandedIn(**_facts(upload), **_story(upload, ahead), new=new)


def _facts(upload: Upload) -> dict[str, object]:
    names = [name for name in UploadLine.model_fields if name not in ("team", "version")]
    facts = {name: getattr(upload, name) for name in names}
    return {**facts, "team": upload.team.name, "version": upload.number}


def _story(upload: Upload, ahead: int) -> dict[str, object]:
    return {
        "ahead": ahead,
        "began": upload.began,
        "steps": tuple(ExaminedStepShape(**asdict(step)) for step in upload.steps),
        "log": upload.log,
        "remarks": upload.remarks,
    }

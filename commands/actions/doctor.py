"""`arena doctor`."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import click
from pydantic import ConfigDict
from rich.console import RenderableType
from rich.table import Column

from commands.alarms import raise_alarms
from commands.console import Printer, Rows
from commands.deployment import Finding, deployment
from commands.health import health
from commands.printer import say_shape
from common.text import one_line
from leaderboard.models import Shape, Text
from sandbox.backends.registry import BACKENDS, with_variants
from sandbox.guarantees import GUARANTEES
from tournament import requirements
from tournament.requirements import Diagnosis


class PromiseShape(Shape):
    """A guarantee of a kind of sandbox, as it was found on this machine."""

    name: str
    """Its name."""
    means: str
    """What it says."""
    enforced: bool
    """Whether it is kept here."""
    by: Text
    """What keeps it, or what there is instead."""
    fix: Text
    """How to get it; empty if it is kept."""


class SandboxShape(Shape):
    """A kind of sandbox on this machine."""

    fit: bool
    """Whether tournaments can be played in it."""
    trouble: Text
    """Why there is no such sandbox here; empty if there is."""
    promises: tuple[PromiseShape, ...]
    """Its guarantees."""


class OpenFileShape(Shape):
    """A file that other users of this machine may use."""

    path: Text
    """The file."""
    mode: str
    """Its mode."""
    fix: Text
    """The command that closes it."""


class FindingShape(Shape):
    """Something that was found out about an arena."""

    check: str
    """What it is about: settings, public, proxy, host, secrets, database, disk, backup, clock,
    certificate, run, playing, serve, uploads or faults."""
    ok: bool
    """Whether it is as it should be."""
    found: Text
    """What was found, in a sentence."""
    fix: Text
    """What would help; empty if nothing needs to."""


class DoctorShape(Shape):
    """What sandboxes guarantee on this machine; each kind of sandbox is a member, by its name."""

    __pydantic_extra__: dict[str, SandboxShape]
    model_config = ConfigDict(extra="allow")

    open_files: tuple[OpenFileShape, ...]
    """Files of the arena that other users may use."""
    deployment: tuple[FindingShape, ...]
    """What was found out about the arena itself: its settings, its secrets, its database."""


def doctor(only: str | None, as_json: bool, alarm: bool, database: str | None) -> None:
    """Check sandboxes, files and settings; the exit code is about the sandboxes.

    With `alarm`, check only the problems of an unattended arena.
    """
    if alarm:
        if only or as_json:
            raise click.UsageError("--alarm can't be combined with --sandbox and --json")
        sys.exit(0 if raise_alarms(database) else 1)
    console = Printer()
    arena, findings = deployment(database)
    # before the database is opened, which makes files private
    open_files = requirements.open_files(arena.url)
    if arena.settings.public or arena.settings.alarm:
        findings += health(arena)
    diagnoses = []
    for kind in with_variants([only] if only else BACKENDS):
        diagnoses.append(requirements.diagnose(kind.name))
        if not as_json:
            for part in drawn(diagnoses[-1]):
                whole = isinstance(part, str) and part.startswith("  ")  # a command to be copied
                console.print(part, soft_wrap=whole)
            if difference := requirements.compared(diagnoses):
                console.print(f"{difference}\n")
    if open_files and not as_json:
        console.print(requirements.OPEN)
        for file in open_files:
            console.print(one_line(f"  {file.fix}"), soft_wrap=True)
    if as_json:
        data = {**requirements.plain_data(diagnoses, open_files), "deployment": findings}
        say_shape(DoctorShape.model_validate(data))
    elif findings:
        for part in drawn_findings(findings):
            console.print(part, soft_wrap=True)
    sys.exit(requirements.exit_code(diagnoses))


def drawn(diagnosis: Diagnosis) -> Iterator[RenderableType]:
    """Draw a diagnosis, for a terminal of 80 columns or more."""
    yield diagnosis.summary()
    if diagnosis.trouble:
        yield f"  {diagnosis.trouble}\n"
        return
    columns = (
        Column("guarantee", no_wrap=True),
        Column("that", ratio=5),
        Column("kept", no_wrap=True),
        Column("by", ratio=3),
    )
    table = Rows(*columns, pad_edge=False, padding=(0, 1, 0, 0))
    for guarantee in diagnosis.guarantees:
        enforced = "yes" if guarantee.enforced else "NO"
        style = "" if guarantee.enforced else "yellow"
        table.add_row(
            guarantee.name, GUARANTEES[guarantee.name], enforced, guarantee.by, style=style
        )
    yield table
    for fix, names in requirements.fixes(diagnosis.guarantees).items():
        yield f"{', '.join(names)}:"
        yield f"  {fix}"
    yield ""


def drawn_findings(findings: Sequence[Finding]) -> Iterator[str]:
    """The findings about the arena itself, line by line."""
    good = sum(finding.ok for finding in findings)
    yield f"this arena: {good} of {len(findings)} things are as they should be"
    for finding in findings:
        yield f"{'yes' if finding.ok else 'NO '} {finding.check}: {one_line(finding.found)}"
        if finding.fix:
            yield f"      {one_line(finding.fix)}"

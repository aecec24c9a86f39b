"""`arena doctor`."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import NamedTuple

import click
from pydantic import ConfigDict
from rich.console import RenderableType
from rich.table import Column

from card_arena.accounts.keeping import BESIDE
from card_arena.accounts.storage.account_store import Paths
from card_arena.commands.alarms import raise_alarms
from card_arena.commands.console import Printer, Rows
from card_arena.commands.deployment import Finding, deployment
from card_arena.commands.health import health
from card_arena.commands.printer import say_shape
from card_arena.common.text import one_line
from card_arena.leaderboard.models import Shape, Text
from card_arena.results.database import RESULTS, beside, file_of
from card_arena.results.sqlite_file import open_to_others, with_beside
from card_arena.sandbox.backends.registry import BACKENDS, backend, with_variants
from card_arena.sandbox.cache_folder import builds_folder
from card_arena.sandbox.doctor import examine
from card_arena.sandbox.guarantees import GUARANTEES, USUAL, Guarantee
from card_arena.sandbox.sandbox import BackendMissing, SandboxBroken


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
    open_files = files_open_to_others(arena.url)
    if arena.settings.public or arena.settings.alarm:
        findings += health(arena)
    diagnoses = []
    for kind in with_variants([only] if only else BACKENDS):
        diagnoses.append(diagnose(kind.name))
        if not as_json:
            for part in drawn(diagnoses[-1]):
                whole = isinstance(part, str) and part.startswith("  ")  # a command to be copied
                console.print(part, soft_wrap=whole)
            if difference := compared(diagnoses):
                console.print(f"{difference}\n")
    if open_files and not as_json:
        console.print(OPEN)
        for file in open_files:
            console.print(one_line(f"  {file.fix}"), soft_wrap=True)
    if as_json:
        shapes = {diagnosis.sandbox: diagnosis.shape() for diagnosis in diagnoses}
        data = {**shapes, "open_files": open_files, "deployment": findings}
        say_shape(DoctorShape.model_validate(data))
    elif findings:
        for part in drawn_findings(findings):
            console.print(part, soft_wrap=True)
    sys.exit(exit_code(diagnoses))


class Diagnosis(NamedTuple):
    """The test of a kind of sandbox; `trouble` is the reason if it failed."""

    sandbox: str
    guarantees: Sequence[Guarantee]
    trouble: str = ""

    @property
    def kept(self) -> frozenset[str]:
        return frozenset(guarantee.name for guarantee in self.guarantees if guarantee.enforced)

    @property
    def fit(self) -> bool:
        """Whether tournaments can be played in such sandboxes by default."""
        return self.kept >= USUAL

    def summary(self) -> str:
        """Return a line about the kept and the missing guarantees."""
        if self.trouble:
            return f"{self.sandbox}: no such sandbox can be made here"
        count = f"{self.sandbox}: keeps {len(self.kept)} of {len(GUARANTEES)}"
        missing = [name for name in GUARANTEES if name in USUAL - self.kept]
        if not backend(self.sandbox).isolated:
            return f"{count}; it isolates nothing: for bots that you trust"
        if missing:
            return f"{count}; not fit for strangers' bots: it lacks {', '.join(missing)}"
        return f"{count}, and all that tournaments require by default"

    def shape(self) -> SandboxShape:
        promises = (
            PromiseShape(**asdict(guarantee), means=GUARANTEES[guarantee.name])
            for guarantee in self.guarantees
        )
        return SandboxShape(fit=self.fit, trouble=self.trouble, promises=tuple(promises))


def diagnose(name: str) -> Diagnosis:
    try:
        return Diagnosis(name, examine(backend(name)))
    except (BackendMissing, SandboxBroken) as error:
        return Diagnosis(name, (), str(error))


def compared(diagnoses: Sequence[Diagnosis]) -> str:
    """Compare the last diagnosis, if it is of a variant (`docker:runsc`), with that of its kind.

    Returns a sentence, or an empty text if there is nothing to compare.
    """
    *others, variant = diagnoses
    kind, colon, _ = variant.sandbox.partition(":")
    usual = next((diagnosis for diagnosis in others if diagnosis.sandbox == kind), variant)
    if not colon or variant.trouble or usual.trouble:
        return ""
    more, less = (
        ", ".join(name for name in GUARANTEES if name in names) or "nothing"
        for names in (variant.kept - usual.kept, usual.kept - variant.kept)
    )
    return f"{variant.sandbox} adds to {kind}: {more}; it lacks, compared with {kind}: {less}"


OPEN = (
    "others on this machine can read files that hold seeds, sources or standard error;"
    " this closes them:"
)


def files_open_to_others(database: str) -> tuple[OpenFileShape, ...]:
    """Find files of an arena's databases, of its accounts, and of builds that others may use.

    `database` is an address as for the store; PostgreSQL's files are its server's business.
    """
    files = [file_of(beside(database, tables)) for tables in (RESULTS, *BESIDE)]
    paths = [path for file in files if file is not None for path in with_beside(file)]
    paths += Paths(database).private
    return tuple(
        OpenFileShape(path=str(path), mode=f"{mode:04o}", fix=f"chmod go= {shlex.quote(str(path))}")
        for path, mode in open_to_others([*paths, builds_folder()])
    )


def exit_code(diagnoses: Sequence[Diagnosis]) -> int:
    """Return 0 if the first sandbox is fit, 1 if it lacks a guarantee, 2 if it can't be made."""
    first = diagnoses[0]
    if first.trouble:
        return 2
    return 0 if first.fit or not backend(first.sandbox).isolated else 1


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
    names_by_fix: dict[str, list[str]] = {}
    for guarantee in diagnosis.guarantees:
        if not guarantee.enforced:
            names_by_fix.setdefault(guarantee.fix, []).append(guarantee.name)
    for fix, names in names_by_fix.items():
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

"""What there is on this machine and what the arena has noted, for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ConfigDict

from leaderboard.models import Shape, Text, VersionName
from leaderboard.rules import LanguageShape


class LanguageHere(LanguageShape):
    """A language for bots, on this machine."""

    missing: Text
    """What this machine lacks for it; empty if bots in it can play here."""
    how: Text
    """How bots in it are run here, where there are several ways."""


class LanguagesHere(Shape):
    """The languages for bots, on this machine."""

    items: tuple[LanguageHere, ...]
    """The languages."""


class LedgerEntry(Shape):
    """An entry of a ledger."""

    sha256: str
    """Its hash, which the next entry names."""
    text: Text
    """The exact text that is hashed."""
    told: Mapping[str, Any]
    """What it says."""


class LedgerShape(Shape):
    """The ledger of a tournament."""

    tournament: str
    """The tournament's name."""
    head: str
    """The hash of the last entry."""
    entries: tuple[LedgerEntry, ...]
    """What happened, from the beginning."""


class PairShape(Shape):
    """Two bots, and whether they spared each other."""

    one: VersionName
    """One of them."""
    other: VersionName
    """The other."""
    tables: int
    """The tables with a decision of one about the other."""
    decisions: int
    """How many such decisions there are."""
    softness: float
    """How much softer they were on each other than on the rest."""
    t: float
    """That in standard errors."""
    p: float
    """The chance of so large a `t` for one honest pair."""
    adjusted: float
    """That for any pair of this field."""
    found: bool
    """Whether it is a finding: a reason to look at the games, and no proof."""


class CollusionCheckShape(Shape):
    """A tournament's test of soft play."""

    tournament: str
    """The tournament's name."""
    matches: int
    """How many matches were looked at."""
    observed: int
    """How many decisions."""
    pairs: tuple[PairShape, ...]
    """The pairs, the most suspicious first."""


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

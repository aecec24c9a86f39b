"""The grammar of a ledger: which entry may follow which, and what each has to refer to.

A season has a phase. `FOLLOWS` says in which phases an entry of each kind may stand, and which
phase comes after it. What an entry refers to, such as the attempt that a match ends, is looked up
in what was told of the season before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from card_arena.results.proof import ledger
from card_arena.results.proof.ledger import FIRST, BadEntry, Entry, parse, wrong_link

Phase: TypeAlias = (
    Literal["new", "announced", "begun", "unshown", "valued", "played"]
    | Literal["annulled", "left", "finished", "over"]
)

PHASES: Mapping[Phase, str] = {
    "new": "which had not begun",
    "announced": "whose seed had been announced",
    "begun": "which had begun",
    "unshown": "whose public value had to come next",
    "valued": "whose public value was known",
    "played": "which was being played",
    "annulled": "which had been annulled and had to end",
    "left": "after which another one had begun",
    "finished": "which was over",
    "over": "which was over and counted for nothing",
}
"""The phases of a season, in words."""

_PLAYED: Mapping[Phase, Phase] = {"played": "played"}
_RUNNING: Mapping[Phase, Phase] = {phase: phase for phase in ("begun", "valued", "played")}
_AT_ANY_TIME: Mapping[Phase, Phase] = {
    **{phase: phase for phase in ("left", "finished", "over")},
    **_RUNNING,
}

FOLLOWS: Mapping[str, Mapping[Phase, Phase]] = {
    "announce": {"new": "announced"},
    "begin": {"new": "begun", "announced": "begun"},
    "nonce": {"begun": "begun"},
    "unshown": {"begun": "unshown"},
    "value": {"begun": "valued", "unshown": "valued"},
    "attempt": {"begun": "played", "valued": "played", "played": "played"},
    "match": _PLAYED,
    "void": _PLAYED,
    "trial": _PLAYED,
    "no sandbox": _PLAYED,
    "unplayed": _PLAYED,
    "probation": _PLAYED,
    "expel": _RUNNING,
    "admit": _RUNNING,
    "annul": {"left": "left", "finished": "finished", **_RUNNING},
    "finish": {**dict.fromkeys(_RUNNING, "finished"), "annulled": "over"},
    "pause": _AT_ANY_TIME,
    "resume": _AT_ANY_TIME,
    "move": _AT_ANY_TIME,
}
"""For each kind: the phases in which it may stand, each with the phase after it."""

NEVER_PAUSED = ("attempt", "match", "void", "trial", "no sandbox", "unplayed", "probation")
"""Kinds that don't follow a pause: nothing is played before it is told that the season goes on."""

FEWEST_VOIDS = 5
"""The void attempts after which a match may be left out: four, and one with nothing beside it."""


@dataclass(slots=True)
class Tries:
    """The attempts at a match: how many, and how many of them were void."""

    attempts: int = 0
    void: int = 0


@dataclass(slots=True)
class SeasonState:
    """The state of a season by the entries so far.

    `tries` are the attempts at matches that were not played to their end, by key, and `again` those
    at matches that were, if there was more than one. `open` are the matches that are being played,
    `gone` the versions that left, `tried` those that were tried alone, and `out` what was annulled
    or left out, by key; an empty one stands for the whole season.
    """

    number: int
    phase: Phase = "new"
    announcements: int = 0
    attempts: int = 0
    matches: int = 0
    voids: int = 0
    trials: int = 0
    interruptions: int = 0
    interventions: int = 0
    tries: dict[str, Tries] = field(default_factory=dict)
    again: dict[str, Tries] = field(default_factory=dict)
    open: set[str] = field(default_factory=set)
    played: set[str] = field(default_factory=set)
    out: set[str] = field(default_factory=set)
    gone: dict[int, str] = field(default_factory=dict)
    admitted: set[int] = field(default_factory=set)
    tried: set[int] = field(default_factory=set)
    nonces: set[str] = field(default_factory=set)


class Grammar:
    """A tournament's ledger, read entry by entry from the first one.

    `seasons` has the state of each season. Of seasons that are over the keys of their
    matches are forgotten, so memory grows with the season that is being read and no other.
    """

    def __init__(self, tournament: str) -> None:
        self.seasons: dict[int, SeasonState] = {}
        self._tournament = tournament
        self._newest: int | None = None
        self._next: int | None = None
        self._paused = False
        self._authors: dict[str, str | None] = {}
        """The authors of bots that were moved, by name; None for a name that no bot has now."""

    def follow(self, entry: ledger.ParsedEntry) -> Iterator[str]:
        """Take the next entry, and say what is wrong with it, if anything is."""
        season = self.seasons.setdefault(entry.season, SeasonState(entry.season))
        where = f"the ledger's entry {entry.number} is out of place: {entry.title} of season"
        where = f"{where} {season.number}"
        if season.phase not in FOLLOWS[entry.kind]:
            yield f"{where} can't follow in a season {PHASES[season.phase]}"
            return
        season.phase = FOLLOWS[entry.kind][season.phase]
        if self._paused and entry.kind in NEVER_PAUSED:
            yield f"{where} can't follow a pause"
        for why in self._apply(entry, season):
            yield f"{where} {why}"

    def _apply(self, entry: ledger.ParsedEntry, season: SeasonState) -> Iterator[str]:  # noqa: C901
        """Check the references of an entry and update the state; yield what is wrong."""
        if isinstance(entry, ledger.Intervened):
            season.interventions += 1
            if entry.intervention != season.interventions:
                yield f"is number {entry.intervention} of them, but is {season.interventions}"
        match entry:
            case ledger.Announce():
                season.announcements += 1
                yield from self._after_newest(season)
            case ledger.Begin():
                yield from self._after_newest(season)
                self._begin(season)
            case ledger.Nonce(bot=bot):
                if bot in season.nonces:
                    yield f"was told before: that of {bot}"
                season.nonces.add(bot)
            case ledger.Unshown(bots=bots):
                if bots != sorted({*bots} - season.nonces):
                    yield "names a bot twice, out of order, or one that showed its nonce"
            case ledger.Attempt(keys=keys):
                yield from self._attempt(keys, season)
            case ledger.Match():
                yield from self._match(entry, season)
            case ledger.Void(key=key):
                if key not in season.open:
                    yield f"ends no attempt: {key}"
                season.open -= {key}
                season.voids += 1
                season.tries.setdefault(key, Tries()).void += 1
            case ledger.Trial(key=key, version=version):
                season.trials += 1
                season.tried.add(version)
                yield from _after_void(key, season)
            case ledger.NoSandbox(key=key, version=version):
                yield from _after_void(key, season)
                if key is None and version not in season.tried:
                    yield f"follows no trial of version {version}"
            case ledger.Pause():
                self._interrupt(season)
                self._paused = True
            case ledger.Resume():
                if season.phase in ("left", "finished", "over") and not self._paused:
                    yield "ends no pause"
                self._interrupt(season)
                self._paused = False
                season.open.clear()
            case ledger.Finish():
                yield from self._finish(entry, season)
            case ledger.Leave(version=version):
                yield from self._leave(entry.kind, version, season)
            case ledger.Admit(version=version):
                if version in season.admitted:
                    yield f"was told before: that of version {version}"
                season.admitted.add(version)
            case ledger.Annul():
                yield from self._annul(entry, season)
            case ledger.Unplayed(key=key):
                yield from self._unplayed(key, season)
            case ledger.Move():
                yield from self._move(entry)

    def _after_newest(self, season: SeasonState) -> Iterator[str]:
        """Seasons are announced and begun one after another, whichever is the first."""
        if self._next is None:
            self._next = season.number
        elif season.number != self._next:
            yield f"is out of turn: season {self._next} comes next, and can't be left out"

    def _begin(self, season: SeasonState) -> None:
        before = self.seasons.get(self._newest or 0)
        if before is not None and before.phase in _RUNNING:
            before.phase = "left"
        self._newest, self._next, self._paused = season.number, season.number + 1, False

    def _attempt(self, keys: list[str], season: SeasonState) -> Iterator[str]:
        prefix = f"{self._tournament}/{season.number:04}/"
        for key in keys:
            if not key.startswith(prefix):
                yield f"is at a match of another season: {key}"
            if key in season.played or key in season.out:
                yield f"comes after the match: {key}"
            elif key in season.open:
                yield f"was told before, and has not ended: {key}"
            season.open.add(key)
            season.tries.setdefault(key, Tries()).attempts += 1
            season.attempts += 1

    def _match(self, entry: ledger.Match, season: SeasonState) -> Iterator[str]:
        key = entry.key
        if key in season.played:
            yield f"was told twice: {key}"
        elif key not in season.open:
            yield f"ends no attempt: {key}"
        if gone := {*season.gone} & {*entry.entrants}:
            yield f"has version {min(gone)}, which had left the season: {key}"
        season.open -= {key}
        season.played.add(key)
        season.matches += 1
        tries = season.tries.pop(key, Tries())
        if tries.attempts > 1:
            season.again[key] = tries

    def _interrupt(self, season: SeasonState) -> None:
        """Count a pause with its end, or one of them alone, while a season is played."""
        if not self._paused and season.phase in _RUNNING:
            season.interruptions += 1

    def _finish(self, entry: ledger.Finish, season: SeasonState) -> Iterator[str]:
        if entry.matches != season.matches:
            yield f"counts {entry.matches} matches, but {season.matches} were told"
        if season.open and season.phase != "over":
            yield f"comes before attempts have ended, such as that at {min(season.open)}"
        season.played.clear()

    def _leave(self, kind: str, version: int, season: SeasonState) -> Iterator[str]:
        if version in season.gone and (kind, season.gone[version]) != ("expel", "probation"):
            yield f"is about version {version}, which had left the season"
        season.gone[version] = kind

    def _annul(self, entry: ledger.Annul, season: SeasonState) -> Iterator[str]:
        was_over = season.phase == "finished"
        key = entry.key or ""
        if key in season.out:
            yield f"was told before: that of {key or 'the season'}"
        if key and not was_over and key not in season.played:
            yield f"is about a match that had not been played: {key}"
        if was_over != (entry.standings is not None):
            yield "has new standings exactly if the season was over"
        season.out.add(key)
        if not key:
            season.phase = "over" if was_over else "annulled"

    def _unplayed(self, key: str, season: SeasonState) -> Iterator[str]:
        if key in season.played or key in season.out or key in season.open:
            yield f"is about a match that was played, left out, or is being played: {key}"
        if (void := season.tries.get(key, Tries()).void) < FEWEST_VOIDS:
            yield (
                f"leaves {key} out after {void} void attempts of which the ledger tells, but"
                f" {FEWEST_VOIDS} are needed"
            )
        season.out.add(key)

    def _move(self, entry: ledger.Move) -> Iterator[str]:
        if (entry.bot, entry.author) == (entry.to_bot, entry.to_author):
            yield "changes nothing"
        if self._authors.get(entry.bot, entry.author) != entry.author:
            yield f"is about a bot {entry.bot} of {entry.author}, which there was not"
        self._authors[entry.bot] = None
        self._authors[entry.to_bot] = entry.to_author


def _after_void(key: str | None, season: SeasonState) -> Iterator[str]:
    """What is done about failing sandboxes comes after a void attempt."""
    tries = season.tries.get(key or "") or season.again.get(key or "") or Tries()
    if not (season.voids if key is None else tries.void):
        yield f"follows no void attempt: {key or 'at any match'}"


MANY = ("attempt", "match", "void", "trial", "pause", "resume")
"""Kinds of entries of which there may be many, and which aren't kept."""

Numbered = tuple[int, Entry]
"""An entry with its number where it is kept; numbers rise, but one may be missing."""


class LedgerReader:
    """A ledger as far as it was read, which no season of the tournament reads again.

    `newest` is the number of the last entry that was read, `head` its hash, and `entries` counts
    them all. `others` are the entries but the `MANY`. `differences` say where the ledger is no
    chain or breaks its grammar, and `bad` are the numbers of entries that can't be read.
    """

    def __init__(self, tournament: str) -> None:
        self.newest = 0
        self.entries = 0
        self.head = FIRST
        self.others: list[Numbered] = []
        self.bad: set[int] = set()
        self.grammar = Grammar(tournament)
        self._wrong_link: tuple[int, str] | None = None
        self._refused: list[tuple[int, str]] = []
        self._spans: dict[int, tuple[int, int]] = {}
        self._heads: dict[int, tuple[int, str]] = {}

    def follow(self, entries: Iterable[Numbered]) -> None:
        for number, entry in entries:
            self.entries += 1
            if self._wrong_link is None and (link := wrong_link(entry, self.entries, self.head)):
                self._wrong_link = number, link
            self.newest, self.head = number, entry.sha256
            try:
                wrong = [*self.grammar.follow(parse(entry.text))]
            except BadEntry as error:
                wrong = [f"the ledger's entry {self.entries} is none: {error}"]
                self.bad.add(number)
            else:
                self._keep(number, entry)
            self._refused += [(number, difference) for difference in wrong]

    def _keep(self, number: int, entry: Entry) -> None:
        if entry.kind not in MANY:
            self.others.append((number, entry))
            self._heads[number] = self.entries, self.head
        if entry.kind != "announce" and entry.season is not None:  # told in the season before
            first, _ = self._spans.get(entry.season, (number, number))
            self._spans[entry.season] = first, number

    def differences(self, until: int) -> list[str]:
        """Say what is wrong up to the entry of this number: the first broken link, and all else."""
        links = [] if self._wrong_link is None else [self._wrong_link]
        return [difference for number, difference in (*links, *self._refused) if number <= until]

    def head_at(self, until: int) -> tuple[int, str]:
        """How many entries there are up to one that ends a season, and its hash."""
        return self._heads.get(until, (self.entries, self.head))

    def span(self, season: int) -> tuple[int, int]:
        """The numbers of the first and last entry about a season; no range if there is none."""
        return self._spans.get(season, (1, 0))

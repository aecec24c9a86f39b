"""A tournament's ledger, read once for all of its seasons."""

from __future__ import annotations

from collections.abc import Iterable

from leaderboard.proof.grammar import Grammar
from leaderboard.proof.kinds import BadEntry, parse
from leaderboard.proof.ledger import FIRST, Entry, wrong_link

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
            if self._wrong_link is None and (told := wrong_link(entry, self.entries, self.head)):
                self._wrong_link = number, told
            self.newest, self.head = number, entry.sha256
            try:
                wrong = [*self.grammar.follow(parse(entry.text))]
            except BadEntry as error:
                wrong = [f"the ledger's entry {self.entries} is none: {error}"]
                self.bad.add(number)
            else:
                self._keep(number, entry)
            self._refused += [(number, told) for told in wrong]

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
        return [told for number, told in (*links, *self._refused) if number <= until]

    def head_at(self, until: int) -> tuple[int, str]:
        """How many entries there are up to one that ends a season, and its hash."""
        return self._heads.get(until, (self.entries, self.head))

    def span(self, season: int) -> tuple[int, int]:
        """The numbers of the first and last entry about a season; no range if there is none."""
        return self._spans.get(season, (1, 0))

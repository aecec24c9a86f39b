"""The key of a match: its season, and its place within the season."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class MatchKey:
    """A match's key as a value; `str` writes it, `parse` reads it.

    `friday/0003/t01/r2/a` is table a of round 2 of leg 1 of friday's third season. The season's
    format names the parts of the `place` and pads numbers with zeros, so that the text order of
    keys is playing order.
    """

    tournament: str
    season: int
    place: tuple[str, ...]

    def __str__(self) -> str:
        """Write the key as the store, the pages and the dealer's recipe do."""
        return "/".join((self.tournament, f"{self.season:04}", *self.place))

    @classmethod
    def parse(cls, text: str) -> MatchKey:
        """Read a key; raises `ValueError` if the text is not a key."""
        tournament, *rest = text.split("/")
        if len(rest) < 2 or not tournament or not all(rest) or not rest[0].isdecimal():
            raise ValueError(
                f"{text[:200]!r} is not a match's key: expected <tournament>/<season>/<place>"
            )
        return cls(tournament, int(rest[0]), tuple(rest[1:]))

    def within(self, *more: str) -> MatchKey:
        """The key of something at this place."""
        return MatchKey(self.tournament, self.season, (*self.place, *more))

"""All decisions of a bot as lines of JSON, which take as long to send as their reader likes."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from threading import Lock

from flask import Response
from werkzeug.exceptions import BadRequest, TooManyRequests

from card_arena.accounts.web.visitors import person
from card_arena.leaderboard.bots import decisions, matches_of
from card_arena.leaderboard.matches import match as read_match
from card_arena.results.store import Store

PLACES = 2
"""Long answers that are written at a time: each keeps a thread of the site busy."""

FETCHING: set[int] = set()
"""The people who have a place now, by their numbers; nobody takes the places of others."""

UNTOLD = {"bot": True, "fault": {"struck"}}
"""What lines about one bot leave out of its decisions."""

_TAKING = Lock()
"""Held while somebody looks for a place and takes it: two requests come at once."""


def decision_lines(store: Store, name: str, season: str) -> Response:
    """Every decision of a bot, match by match; `season` is "friday/3", "friday" or nothing.

    Raises `BadRequest`, and `TooManyRequests` while somebody fetches theirs, or others do.
    """
    tournament, _, number = season.partition("/")
    if number and not (number.isascii() and number.isdigit() and len(number) < 9):
        raise BadRequest("A season is written as friday/3.")
    lines = _Lines(person().id, _lines(store, name, tournament, int(number or 0)))
    headers = {"Content-Disposition": f'attachment; filename="{name}.jsonl"'}
    return Response(lines, 200, headers, "application/jsonl")


class _Lines:
    """The lines, a match at a time in memory, which give their place back however they end.

    Raises `TooManyRequests` where there is no place, or somebody has one already.
    """

    def __init__(self, person_id: int, lines: Generator[str]) -> None:
        self._holds_a_place = False
        self._lines = lines
        self._person_id = person_id
        with _TAKING:
            if person_id in FETCHING:
                raise TooManyRequests(
                    "You are fetching decisions already: wait until they are there."
                )
            if len(FETCHING) >= PLACES:
                raise TooManyRequests(
                    "Others are fetching decisions now: try it again in a minute."
                )
            FETCHING.add(person_id)
        self._holds_a_place = True

    def __iter__(self) -> Iterator[str]:
        yield from self._lines
        self.close()

    def close(self) -> None:
        """Give the place back; doing so again changes nothing."""
        try:
            self._lines.close()
        finally:
            # without the lock, as __del__ may run while this very thread holds it
            if self._holds_a_place:
                self._holds_a_place = False
                FETCHING.difference_update((self._person_id,))

    def __del__(self) -> None:
        self.close()


def _lines(store: Store, name: str, tournament: str, season: int) -> Generator[str]:
    for key in matches_of(store, name, tournament, season):
        match = read_match(store, key)
        for decision in decisions(match, (name,)):
            yield json.dumps({"match": key, **decision.data(exclude=UNTOLD)}) + "\n"

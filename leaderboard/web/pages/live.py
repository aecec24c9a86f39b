"""The live page of a tournament: its newest games, one after another, paced by a clock.

Bots of different authors play, so a game is shown when its match is stored: nobody is told anything
that a bot at the table could still use. All spectators see the same position, which follows from
the time; their pages get each game once, as it begins, and are told the time now and then.
"""

from __future__ import annotations

import json
import time
import zlib
from base64 import b64encode
from bisect import bisect_right
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from threading import Lock
from typing import Any

from flask import Response, abort, current_app, render_template, request, url_for

from card_arena.leaderboard.matches import Match, MatchDetail
from card_arena.leaderboard.matches import matches as read_matches
from card_arena.leaderboard.web.pages.matches import Table, faces_of, links_of, part_of, timeline_of
from card_arena.leaderboard.web.pages.site import Site, blueprint, game_title, site
from card_arena.leaderboard.web.replays import CARD, HELD, Replay
from card_arena.leaderboard.web.streams import Topic, streams
from card_arena.tables.referee import BadRecord
from card_arena.tables.registry import UnknownGame
from card_arena.tables.seating import Seating

BETWEEN = 4.0
"""Seconds between two games."""

EVERY = 1.0
"""Seconds between two looks for another game."""

SYNC = 5
"""Every so many looks the position is told again."""

AHEAD = 2
"""The parts of a game that a page has before they begin."""


@dataclass(frozen=True, slots=True)
class Now:
    """What is shown: a game of a match, counted from 1, after a turn.

    `waiting` says that it is over and no newer match is stored.
    """

    match: MatchDetail
    game: int
    turn: int
    waiting: bool

    @property
    def name(self) -> str:
        """The name of the game for the script of the page."""
        return f"{self.match.key} {self.game}"

    def told(self) -> str:
        """The position as the script of the page gets it."""
        return json.dumps({"game": self.name, "turn": self.turn, "waiting": self.waiting})

    def table(self, seen: Site) -> Table:
        return Table(
            seen.replay(self.match.key, self.game - 1),
            turned=turned(self.match.seatings, self.game),
            match=self.match,
            number=self.game,
        )


class Show:
    """The games of one tournament, one after another; `clock` gives seconds."""

    def __init__(self, name: str, clock: Callable[[], float]) -> None:
        self._name = name
        self._clock = clock
        self._lock = Lock()
        self._match: MatchDetail | None = None
        self._game = 0
        self._began = 0.0
        self._times: Sequence[float] = ()

    def now(self, seen: Site) -> Now | None:
        """What is shown now; None if nothing has been played. Raises `UnknownSeason`."""
        with self._lock:
            if self._match is None or self._clock() > self._began + self._times[-1] + BETWEEN:
                self._advance(seen)
            if self._match is None:
                return None
            passed = self._clock() - self._began
            turn = max(0, bisect_right(self._times, passed) - 1)
            waiting = passed > self._times[-1] + BETWEEN
            return Now(self._match, self._game, turn, waiting)

    def _advance(self, seen: Site) -> None:
        """Begin the next game of the match, or the first game of a newer match."""
        match = self._match
        if match is not None and self._game < len(match.records):
            self._begin(seen, match, self._game + 1)
            return
        newest = _newest(seen, self._name)
        if newest is not None and (match is None or newest.key != match.key):
            self._begin(seen, seen.match(newest.key), 1)

    def _begin(self, seen: Site, match: MatchDetail, game: int) -> None:
        try:
            self._times = times_of(seen.replay(match.key, game - 1))
        except (BadRecord, UnknownGame):
            return  # of older rules: it can't be shown
        self._match, self._game, self._began = match, game, self._clock()


def times_of(replay: Replay) -> Sequence[float]:
    """The second at which each turn of a game is shown, from its opening on."""
    opening, holds = replay.opening, replay.holds
    pauses = (
        0.0 if turn < opening else HELD if turn in holds else CARD
        for turn in range(len(replay.turns) - 1)
    )
    return [*accumulate(pauses, initial=0.0)]


def turned(seatings: Sequence[Seating], game: int) -> int:
    """By how many places the seats of a game, from 1, are turned, so that no entrant moves."""
    first, seating = seatings[0], seatings[game - 1]
    seats = len(first)
    return next(
        (
            places
            for places in range(seats)
            if all(seating[seat] == first[(seat + places) % seats] for seat in range(seats))
        ),
        0,
    )


def _newest(seen: Site, name: str) -> Match | None:
    season = seen.standings(name).season.number
    return next(iter(read_matches(seen.store, name, season, size=1).items), None)


def _show(name: str) -> Show:
    """The show of a tournament, for all who see the same of it."""
    shows: dict[Hashable, Show] = current_app.extensions.setdefault("shows", {})
    key = (name, site().readers.policy().key)
    return shows.setdefault(key, Show(name, time.monotonic))


@blueprint.get("/live/<name>")
def live(name: str) -> str:
    """The newest game of a tournament, as if it were played now."""
    now = _show(name).now(site())
    if now is None:
        abort(404, f"Nothing has been played in {name} yet.")
    return _drawn("live.html", name, now, now.table(site()))


def _drawn(template: str, name: str, now: Now, table: Table) -> str:
    return render_template(
        template,
        name=name,
        table=table,
        step=now.turn,
        told=now.told(),
        game_title=game_title,
        faces=faces_of(table),
        links=links_of(table, now.turn),
        timeline=timeline_of(table),
        frames=url_for(
            "pages.frames",
            key=now.match.key,
            game=now.game,
            turned=table.turned or None,
        ),
    )


@blueprint.get("/live/<name>/events")
def live_events(name: str) -> Response:
    """The live page as server-sent events: "game", "part" and "at".

    A game and its parts, drawn, are JSON that is compressed (zlib) and in base64. So nothing is
    requested for what all spectators see at the same time.
    """
    show, seen = _show(name), site()
    if show.now(seen) is None:
        abort(404, f"Nothing has been played in {name} yet.")
    app, base = current_app._get_current_object(), request.url_root  # type: ignore[attr-defined]
    looks, told = 0, -1
    game: str | None = None
    table: Table
    following = 0

    def parts(now: Now) -> list[Mapping[str, Any]]:
        """The parts until `AHEAD` of the present one that were not drawn yet."""
        nonlocal following
        present = sum(part.first <= now.turn for part in table.shown.parts) - 1
        first, following = following, min(present + AHEAD + 1, len(table.shown.parts))
        return [{"game": game, **part_of(table, number)} for number in range(first, following)]

    def poll(topic: Topic) -> None:
        nonlocal looks, told, game, table, following
        now = show.now(seen)
        if now is None:
            return
        is_new = now.name != game
        with app.test_request_context(base_url=base):
            if is_new:
                game, table = now.name, now.table(seen)
                following = max(0, sum(part.first <= now.turn for part in table.shown.parts) - 1)
                html = _drawn("_live.html", name, now, table)
                topic.publish("game", _packed({"game": game, "html": html, "parts": parts(now)}))
            for part in parts(now):
                topic.publish("part", _packed(part))
        if is_new or looks % SYNC == 0:
            topic.forget(told + 1)  # readers have had what came before the last position
            told = topic.publish("at", now.told())
        looks += 1

    hub = streams(current_app)
    return hub.stream(hub.topic(f"live {name} {site().readers.policy().key}", poll, EVERY))


def _packed(data: Mapping[str, Any]) -> str:
    return b64encode(zlib.compress(json.dumps(data).encode())).decode()

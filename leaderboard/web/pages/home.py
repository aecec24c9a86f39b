"""The home page, the list of tournaments, and the page "How it works"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import islice

from flask import render_template

from card_arena.common.faults import Fault
from card_arena.leaderboard.matches import Match, recent
from card_arena.leaderboard.plans import announcements
from card_arena.leaderboard.queue import queue as read_queue
from card_arena.leaderboard.standings import Standings
from card_arena.leaderboard.tournaments import Leader, Tournament, upcoming
from card_arena.leaderboard.tournaments import leaders as read_leaders
from card_arena.leaderboard.tournaments import tournaments as read_tournaments
from card_arena.leaderboard.web.filters import sides
from card_arena.leaderboard.web.pages.matches import Table, faces_of, links_of, timeline_of
from card_arena.leaderboard.web.pages.site import blueprint, game_title, site
from card_arena.tables.referee import BadRecord, Strikes
from card_arena.tables.registry import UnknownGame

LATEST = 30
"""How many of the latest matches the decisive ones are chosen from."""

DECISIVE = 2
"""How many decisive matches of a tournament the home page shows."""

TOURNAMENTS = 4
"""The number of tournaments with decisive matches on the home page."""


COMING = 3
"""The number of upcoming seasons on the home page."""


@blueprint.get("/")
def home() -> str:
    """The home page: a decisive game being played, leaders, upcoming seasons, matches to watch."""
    store = site().store
    matches = _decisive(recent(store, LATEST))
    table = _shown_table(matches)
    running = [line for line in read_tournaments(store) if line.state == "running"][:COMING]
    return render_template(
        "home.html",
        live=next(
            (line.name for line in running if line.matches),
            table.match.tournament if table else "",
        ),
        table=table,
        step=table.replay.opening if table else 0,
        timeline=timeline_of(table) if table else {},
        links=links_of(table, table.replay.opening) if table else {},
        faces=faces_of(table) if table else (),
        game_leaders=_leaders_of_games(),
        coming=upcoming(announcements(store), datetime.now(UTC))[:COMING],
        running=running,
        matches=[match for match in matches if not table or match.key != table.match.key],
        game_title=game_title,
    )


@blueprint.get("/tournaments")
def tournaments() -> str:
    """All tournaments, with the leaders of each, and those of each game."""
    store = site().store
    return render_template(
        "tournaments.html",
        tournaments=read_tournaments(store),
        leaders=read_leaders(store),
        game_leaders=_leaders_of_games(),
        coming=upcoming(announcements(store), datetime.now(UTC)),
        game_title=game_title,
    )


@blueprint.get("/queue")
def queue() -> str:
    """What is being played, what comes next, and about when."""
    return render_template("queue.html", queue=read_queue(site().store), game_title=game_title)


def _leaders_of_games() -> Sequence[tuple[Tournament, Standings]]:
    """For every game, the tournament that decides its leader, and its standings."""
    store = site().store
    deciding = deciding_tournaments(read_tournaments(store), read_leaders(store))
    return [(line, site().standings(line.name, line.season)) for line in deciding]


def _shown_table(matches: Iterable[Match]) -> Table | None:
    """The first game of a decisive match, of a game with tricks if there is one."""
    shown = None
    for match in matches:
        with suppress(BadRecord, UnknownGame):
            table = Table(site().replay(match.key, 0), match=site().match(match.key), number=1)
            if table.replay.tricks:
                return table
            shown = shown or table
    return shown


def deciding_tournaments(
    tournaments: Iterable[Tournament], leaders: Mapping[str, Sequence[Leader]]
) -> tuple[Tournament, ...]:
    """For every game, the tournament whose newest season has the leader of the game.

    It is the one that began last among those with points; rated ones come before unrated ones.
    Games are in the order of their names.
    """
    deciding: dict[str, Tournament] = {}
    for line in sorted(tournaments, key=lambda line: not line.rated):
        if leaders.get(line.name):
            deciding.setdefault(line.game, line)
    return tuple(deciding[name] for name in sorted(deciding))


def _decisive(matches: Sequence[Match]) -> Sequence[Match]:
    """The most decisive recent matches of each tournament.

    The tournament that was played last comes first. Matches that were decided by faults are left
    out.
    """

    def margin(match: Match) -> int:
        scores = [side[0].score for side in sides(match.entrants)]
        return scores[0] - scores[1]

    fair: dict[str, list[Match]] = {}
    for match in matches:
        if len({seat.side for seat in match.entrants}) > 1 and not any(
            seat.struck_out for seat in match.entrants
        ):
            fair.setdefault(match.tournament, []).append(match)
    return [
        match
        for played in islice(fair.values(), TOURNAMENTS)
        for match in sorted(played, key=margin, reverse=True)[:DECISIVE]
    ]


@blueprint.get("/how")
def how() -> str:
    """How it works, for visitors, authors and organisers."""
    return render_template("how.html", kinds=Fault, strikes=Strikes().limit)

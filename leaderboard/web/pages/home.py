"""The home page, and the page "How it works"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice

from flask import render_template

from common.faults import Fault
from leaderboard.matches import Match, recent
from leaderboard.plans import announcements
from leaderboard.tournaments import Leader, Tournament, upcoming
from leaderboard.tournaments import leaders as read_leaders
from leaderboard.tournaments import tournaments as read_tournaments
from leaderboard.web import card_svg
from leaderboard.web.filters import sides
from leaderboard.web.pages.site import blueprint, game_title, site
from tables.cards import SUITS, Card
from tables.referee import Strikes
from tables.scene import Shown

ACES = [Card("A", suit) for suit in SUITS]

LATEST = 30
"""How many of the latest matches the decisive ones are chosen from."""

DECISIVE = 2
"""How many decisive matches of a tournament the home page shows."""

TOURNAMENTS = 4
"""The number of tournaments with decisive matches on the home page."""


@blueprint.get("/")
def home() -> str:
    """The home page: introduction, leaders, upcoming seasons, tournaments, matches to watch."""
    store = site().store
    tournaments = read_tournaments(store)
    leaders = read_leaders(store)
    return render_template(
        "home.html",
        tournaments=tournaments,
        leaders=leaders,
        game_leaders=[
            (line, site().standings(line.name, line.season))
            for line in deciding_tournaments(tournaments, leaders)
        ],
        coming=upcoming(announcements(store), datetime.now(UTC)),
        matches=_decisive(recent(store, LATEST)),
        game_title=game_title,
        aces=card_svg.row(tuple(map(Shown, ACES)), "aces"),
        faces=card_svg.symbols(ACES),
    )


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

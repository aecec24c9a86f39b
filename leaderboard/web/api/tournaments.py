"""Tournaments, their seasons and standings, for programs."""

from __future__ import annotations

from datetime import UTC, datetime

from leaderboard.paging import paged
from leaderboard.plans import NotAnnounced, announcement, candidates
from leaderboard.seasons import UnknownSeason
from leaderboard.seasons import season as read_season
from leaderboard.shapes import seasons as season_shapes
from leaderboard.shapes import standings as standings_shapes
from leaderboard.shapes.base import PageShape
from leaderboard.shapes.seasons import Season, Seasons, TournamentDetail, Tournaments
from leaderboard.tournaments import tournaments as read_tournaments
from leaderboard.tournaments import upcoming
from leaderboard.versus import Versus
from leaderboard.web.api.answers import NUMBER, PageQuery, one_page
from leaderboard.web.api.blueprint import blueprint
from leaderboard.web.api.description import Answers, api
from leaderboard.web.pages.site import site

Paged = tuple[PageShape, object]


@blueprint.get("/tournaments")
@api.validate(resp=Answers(Tournaments, 404), tags=["tournaments"])
def tournaments(query: PageQuery) -> Paged:
    """Every tournament that was played, with its newest season."""
    page = paged(read_tournaments(site().store), query.page, query.size)
    items = tuple(map(season_shapes.Tournament.model_validate, page.items))
    found = Tournaments.of(page, items=items)
    return one_page(found, query)


@blueprint.get("/tournaments/<name>")
@api.validate(resp=Answers(TournamentDetail, 404), tags=["tournaments"])
def tournament(name: str) -> TournamentDetail:
    """A tournament: its newest season, and the next one."""
    store = site().store
    try:
        newest = read_season(store, name)
    except UnknownSeason:
        newest = None
    try:
        announced = announcement(store, name)
    except NotAnnounced:
        if newest is None:
            raise
        announced = None
    found = upcoming([announced], datetime.now(UTC)) if announced else ()
    entered = candidates(store, announced.settings) if announced else ()
    return TournamentDetail(
        name=name,
        seasons=newest.seasons if newest else (),
        newest=season_shapes.season(newest) if newest else None,
        coming=season_shapes.coming(*found[0]) if found else None,
        entered=season_shapes.entered(entered),
    )


@blueprint.get("/tournaments/<name>/seasons")
@api.validate(resp=Answers(Seasons, 404), tags=["tournaments"])
def seasons(name: str, query: PageQuery) -> Paged:
    """The seasons of a tournament, the newest first."""
    store = site().store
    page = paged(read_season(store, name).seasons[::-1], query.page, query.size)
    items = tuple(season_shapes.season(read_season(store, name, number)) for number in page.items)
    found = Seasons.of(page, items=items)
    return one_page(found, query)


@blueprint.get(f"/tournaments/<name>/seasons/{NUMBER}")
@api.validate(resp=Answers(Season, 404), tags=["tournaments"])
def season(name: str, number: int) -> Season:
    """A season of a tournament."""
    return season_shapes.season(read_season(site().store, name, number))


@blueprint.get("/tournaments/<name>/standings")
@api.validate(resp=Answers(standings_shapes.Standings, 404), tags=["standings"])
def newest_standings(name: str) -> standings_shapes.Standings:
    """The standings of a tournament's newest season, with their intervals."""
    return _standings(name, None)


@blueprint.get(f"/tournaments/<name>/seasons/{NUMBER}/standings")
@api.validate(resp=Answers(standings_shapes.Standings, 404), tags=["standings"])
def standings(name: str, number: int) -> standings_shapes.Standings:
    """The standings of a season, with their intervals."""
    return _standings(name, number)


def _standings(name: str, number: int | None) -> standings_shapes.Standings:
    return standings_shapes.standings(site().standings(name, number))


@blueprint.get("/tournaments/<name>/versus")
@api.validate(resp=Answers(Versus, 404), tags=["standings"])
def versus(name: str) -> Versus:
    """A tournament over all its seasons: strengths, and who leads whom."""
    return site().versus(name)

"""A tournament's seasons: the announced one, and those that were played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from flask import Response, abort, current_app, render_template, request, send_file
from werkzeug.exceptions import ServiceUnavailable

from card_arena.leaderboard.matches import matches as read_matches
from card_arena.leaderboard.models import paged
from card_arena.leaderboard.plans import Announcement, NotAnnounced, announcement, reference_bots
from card_arena.leaderboard.plans import candidates as read_candidates
from card_arena.leaderboard.seasons import Season, UnknownSeason, season_interventions
from card_arena.leaderboard.seasons import season as read_season
from card_arena.leaderboard.standings import Standing, Standings
from card_arena.leaderboard.tournaments import Coming, coming
from card_arena.leaderboard.web.pages.site import (
    blueprint,
    game_title,
    matches_search,
    searched_text,
    site,
    whole_site,
)
from card_arena.leaderboard.web.season_files import NotKept, NotYet
from card_arena.leaderboard.web.season_notes import rules, separation
from card_arena.results.proof.manifest import address, awaited_value
from card_arena.results.proof.season_file import file_name


@blueprint.get("/t/<name>")
def tournament(name: str) -> str:
    """A tournament's newest season, or the announcement of its first."""
    try:
        table = site().standings(name)
    except UnknownSeason:
        try:
            return _announcement_page(announcement(site().store, name))
        except NotAnnounced:
            pass
        raise
    return _season_page(table)


@blueprint.get("/t/<name>/<int:number>")
def season(name: str, number: int) -> str:
    return _season_page(site().standings(name, number))


@blueprint.get("/t/<name>/<int:number>/season.zip")
def season_file(name: str, number: int) -> Response:
    """A season as one file that anybody can check; it is made once."""
    facts = read_season(site().store, name, number)
    if facts.frozen or facts.masked:
        abort(404, "This season can be downloaded when everybody may see all its results.")
    files = whole_site().season_files
    try:
        file = files.kept(name, number)
        if file is None and request.method == "HEAD":
            return _head(name, number, files.key(name, number))
        file = file or files.file(name, number)
        if request.method == "HEAD" or file.key in request.if_none_match:
            return _head(name, number, file.key, file.path.stat().st_size)
        return send_file(file.path, "application/zip", True, file_name(name, number), etag=file.key)
    except NotYet as error:
        raise ServiceUnavailable(str(error), retry_after=error.seconds) from error
    except (NotKept, OSError) as error:
        current_app.logger.error("%s", error)
        raise ServiceUnavailable(
            "The arena can't write this file now. Try again later.", retry_after=300
        ) from error


def _head(name: str, number: int, key: str, size: int | None = None) -> Response:
    """The header of a season's file; without a size before the file is made.

    It becomes a 304 for a client that has the file, as all answers do.
    """
    headers = {"Content-Disposition": f"attachment; filename={file_name(name, number)}"}
    head = Response(status=200, headers=headers, mimetype="application/zip")
    head.automatically_set_content_length = False
    if size is not None:
        head.content_length = size
    head.accept_ranges = "bytes"
    if key:
        head.set_etag(key)
    return head


@blueprint.get("/t/<name>/next")
def next_season(name: str) -> str:
    return _announcement_page(announcement(site().store, name))


def _announcement_page(announced: Announcement) -> str:
    """Rules, entrants, date and deadline of a season that has not begun."""
    candidates = read_candidates(site().store, announced.settings)
    return render_template(
        "announcement.html",
        announced=announced,
        coming=coming(announced, datetime.now(UTC)),
        game_title=game_title(announced.game),
        candidates=candidates,
        references=reference_bots(site().store, announced.settings),
        rules=rules(announced.settings),
        separation=separation(announced.settings),
    )


def _season_page(table: Standings) -> str:
    season = table.season
    shown = columns(season)
    by = next((column for column in shown if column.key == request.args.get("by")), shown[0])
    legs = season.legs
    requested_leg = request.args.get("leg", type=int)
    leg = requested_leg if requested_leg in legs else (legs[-1] if legs else 1)
    playing = table.playing
    searched = searched_text()
    matching = ordered(
        [
            line
            for line in playing
            if matches_search(searched, line.bot, line.author, line.language)
        ],
        by,
    )
    matches = read_matches(
        site().store,
        season.tournament,
        season.number,
        leg=leg,
        versions=[line.version_id for line in matching] if searched else None,
        page=request.args.get("page", 1, type=int),
        size=site().rows,
    )
    ratings = [line.rating for line in playing if line.rating]
    groups = [
        (number, [f"{line.bot} v{line.version}" for line in playing if line.group == number])
        for number in range(1, table.groups + 1)
    ]
    rounds = [
        (number, list(lines))
        for number, lines in groupby(matches.items, key=lambda match: match.round)
    ]
    value_from = season.value_from
    return render_template(
        "season.html",
        season=season,
        hidden=whole_site().readers.hidden_from_others(season.tournament),
        game_title=game_title(season.game),
        separation=separation(season.settings),
        columns=shown,
        by=by,
        search=searched,
        playing=playing,
        bots_page=paged(matching, request.args.get("bots", 1, type=int), site().rows),
        ties=any(line.tied for line in playing),
        intervals=not season.carries and any(line.interval for line in playing),
        leans=table.leans,
        less_luck=any(line.less_luck for line in table.standings),
        too_many=table.too_many,
        sure=table.chance,
        odd=None if season.by_rating else disagreement(playing),
        absent=[line for line in table.standings if line.sits_out],
        low=min((rating.low for rating in ratings), default=0.0),
        high=max((rating.high for rating in ratings), default=1.0),
        groups=groups if len(groups) > 1 else [],
        leg=leg,
        legs=legs,
        matches=matches,
        hosts=site().store.matches_by_host(season.id),
        rounds=rounds,
        one_a_round=all(len(lines) == 1 for _, lines in rounds),
        rules=rules(season.settings),
        interventions=season_interventions(site().store, season.id).items,
        paused=site().store.paused().get(season.tournament, ""),
        coming=_next_of(season.tournament),
        bots={line.version_id: line for line in table.standings},
        wanted_value=awaited_value(value_from) if value_from else "",
        value_address=address(value_from) if value_from else "",
    )


def _next_of(name: str) -> Coming | None:
    try:
        announced = announcement(site().store, name)
    except NotAnnounced:
        return None
    return coming(announced, datetime.now(UTC))


def disagreement(lines: Sequence[Standing]) -> Standing | None:
    """The bot whose places by points and by rating are furthest apart; None where they agree."""
    rated = [
        (line.rank, line.rating_rank, line) for line in lines if line.rank and line.rating_rank
    ]
    furthest_first = sorted(rated, key=lambda places: (-abs(places[0] - places[1]), places[0]))
    for rank, by_rating, line in furthest_first:
        if any((rank - other) * (by_rating - its) < 0 for other, its, _ in rated):
            return line
    return None


@dataclass(frozen=True, slots=True)
class Column:
    """A column that the standings can be sorted by.

    `value` is the key to sort by, None for a line without a value in this column: it comes last.
    """

    key: str
    title: str
    value: Callable[[Standing], Any]
    highest_first: bool = True
    number: bool = True

    @property
    def direction(self) -> str:
        return "descending" if self.highest_first else "ascending"


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def columns(season: Season) -> tuple[Column, ...]:
    """The columns from left to right; the first gives the default order.

    Of points and ratings, those that the standings go by stand first.
    """
    points = (Column("points", season.points_title.capitalize(), lambda line: line.points),)
    ratings = (
        Column("rating", "Rating", lambda line: line.rating and line.rating.mu),
        Column("mu", "95 % interval", lambda line: line.rating and line.rating.low, number=False),
    )
    shown = ratings if season.rated else ()
    return (
        Column("rank", "Rank", lambda line: line.rank, highest_first=False),
        Column("bot", "Bot", lambda line: line.bot, highest_first=False, number=False),
        *((*shown, *points) if season.by_rating else (*points, *shown)),
        Column("matches", "Matches", lambda line: line.matches),
        Column("faults", "Fault rate", lambda line: _share(line.faults, line.decisions)),
    )


def ordered(lines: Sequence[Standing], column: Column) -> list[Standing]:
    """Sort lines by a column; ties keep their order."""
    shown = [line for line in lines if column.value(line) is not None]
    blank = [line for line in lines if column.value(line) is None]
    return sorted(shown, key=column.value, reverse=column.highest_first) + blank

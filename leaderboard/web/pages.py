"""The pages: each asks the views for what it shows, and a template to show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from functools import lru_cache
from itertools import accumulate, groupby, islice

from flask import Blueprint, Response, abort, current_app, render_template, request

from leaderboard import views
from leaderboard.question_file import question_file
from leaderboard.statistics.certainty import Certainty
from leaderboard.storage.store import Store, UnknownBot
from leaderboard.views.paging import paged
from leaderboard.views.upcoming import Upcoming, upcoming
from leaderboard.web import card_svg, replays, template_filters
from leaderboard.web.duplicates import boards, seat_names, totals
from leaderboard.web.histories import history
from leaderboard.web.kings import King, king, reigns
from leaderboard.web.places import disagreement, ties
from leaderboard.web.rules import rules
from leaderboard.web.separation import separation
from leaderboard.web.sorting import columns, ordered
from leaderboard.web.template_filters import sides
from tables.cards import SUITS, Card
from tables.referee import BadRecord, Strikes
from tables.registry import GAMES, UnknownGame, game
from tables.scene import Shown

blueprint = Blueprint("pages", __name__)

KINDS = {
    "timeout": "it gave no answer in the time it has",
    "crash": "it ended with an exit code or by a signal instead of answering",
    "malformed": "its line is no answer of this game",
    "illegal": "its answer is not allowed now",
    "flood": "it wrote more than it may",
    "memory": "it used more memory than it may",
}
"""The kinds of fault, explained to an author."""

ACES = [Card("A", suit) for suit in SUITS]

VERSIONS = 100
"""How many versions of a bot its page shows, the newest."""

LOGS = 5
"""Of how many of those that could not be built it shows what the build said."""

DECISIVE = 2
"""How many matches of a tournament the first page proposes."""

LATEST = 30
"""Among so many of its latest ones."""

CONTESTS = 4
"""Of how many tournaments at most."""

LONGEST_SEARCH = 80
"""How many letters of what a reader looks for are read."""

ROWS = 15
"""How many bots or matches stand on a page of a long list; there are links to the others."""


class Site:
    """What the pages share: the store, and the matches that were looked at lately.

    A stored match never changes, so it is read and replayed once for many readers.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.match = lru_cache(maxsize=64)(self._match)
        self.film = lru_cache(maxsize=16)(self._film)
        self._sure: dict[tuple[int, int], tuple[views.SeasonTable, Certainty | None]] = {}

    def sure(self, table: views.SeasonTable) -> Certainty | None:
        """How sure the order of these standings is, worked out anew only when they change."""
        season = table.season
        known = self._sure.get((season.id, season.matches))
        if known is None or known[0].standings != table.standings:
            known = table, views.season_certainty(self.store, table)
            self._sure = {
                kept: value for kept, value in self._sure.items() if kept[0] != season.id
            } | {(season.id, season.matches): known}
        return known[1]

    def king(self, line: views.TournamentLine) -> King:
        """Who leads a tournament's newest season, and how sure that is."""
        table = views.standings(self.store, line.name, line.season)
        return king(table, self.sure(table))

    def _match(self, key: str) -> views.MatchPage:
        return views.match(self.store, key)

    def _film(self, key: str, number: int) -> replays.Film:
        match = self.match(key)
        record = match.records[number]
        return replays.film(game(record.game), record, seat_names(match, number))


def site() -> Site:
    """The site that this request is for."""
    found = current_app.extensions["arena"]
    assert isinstance(found, Site)
    return found


def game_title(name: str) -> str:
    """A game's name for people."""
    return GAMES[name].title if name in GAMES else name


@blueprint.get("/")
def home() -> str:
    """What this is, who leads, what comes next, and what to watch."""
    store = site().store
    tournaments = views.tournaments(store)
    leaders = views.leaders(store)
    announced = views.announcements(store)
    coming = upcoming(announced, tournaments, datetime.now(UTC))
    return render_template(
        "home.html",
        tournaments=tournaments,
        leaders=leaders,
        kings=[(line, site().king(line)) for line in reigns(tournaments, leaders)],
        coming=coming,
        announced={each.name for each in announced},
        matches=_decisive(views.recent(store, LATEST)),
        game_title=game_title,
        aces=card_svg.row(tuple(map(Shown, ACES)), "aces"),
        faces=card_svg.symbols(ACES),
    )


def _decisive(matches: Sequence[views.MatchLine]) -> Sequence[views.MatchLine]:
    """The most decisive recent matches of each tournament.

    The tournament that was played last comes first. A match that was lost by faults says little,
    so it is left out.
    """

    def margin(match: views.MatchLine) -> int:
        scores = [side[0].score for side in sides(match.seats)]
        return scores[0] - scores[1]

    fair: dict[str, list[views.MatchLine]] = {}
    for match in matches:
        if len({seat.side for seat in match.seats}) > 1 and not any(
            seat.struck_out for seat in match.seats
        ):
            fair.setdefault(match.tournament, []).append(match)
    return [
        match
        for played in islice(fair.values(), CONTESTS)
        for match in sorted(played, key=margin, reverse=True)[:DECISIVE]
    ]


@blueprint.get("/t/<name>")
def tournament(name: str) -> str:
    """A tournament's newest season, or what is announced of its first."""
    try:
        table = views.standings(site().store, name)
    except views.UnknownSeason:
        try:
            return _announcement_page(views.announcement(site().store, name))
        except views.NotAnnounced:
            pass
        raise
    return _season_page(table)


@blueprint.get("/t/<name>/<int:number>")
def season(name: str, number: int) -> str:
    """One season of a tournament."""
    return _season_page(views.standings(site().store, name, number))


@blueprint.get("/t/<name>/next")
def next_season(name: str) -> str:
    """The next season of a tournament, as it is announced."""
    return _announcement_page(views.announcement(site().store, name))


def _announcement_page(announced: views.Announcement) -> str:
    """Rules, entrants, date and deadline of a season that has not begun."""
    candidates = views.candidates(site().store, announced.settings)
    return render_template(
        "announcement.html",
        announced=announced,
        coming=next(iter(upcoming([announced], (), datetime.now(UTC))), None),
        game_title=game_title(announced.game),
        candidates=candidates,
        rules=rules(announced.settings),
        separation=separation(announced.settings),
    )


def _season_page(table: views.SeasonTable) -> str:
    """Standings, tables, fairness and settings of a season."""
    season = table.season
    shown = columns(season.points_title, rated=season.rated)
    by = next((column for column in shown if column.key == request.args.get("by")), shown[0])
    legs = season.legs
    asked = request.args.get("tourney", type=int)
    leg = asked if asked in legs else (legs[-1] if legs else 1)
    playing = [line for line in table.standings if not line.sits_out]
    wanted = _wanted()
    found = ordered(
        [line for line in playing if _is_meant(wanted, line.bot, line.author, line.language)], by
    )
    matches = views.matches(
        site().store,
        season.tournament,
        season.number,
        leg=leg,
        versions=[line.version_id for line in found] if wanted else None,
        page=request.args.get("page", 1, type=int),
        size=ROWS,
    )
    spans = [
        (line.mu - 3 * line.sigma, line.mu + 3 * line.sigma)
        for line in playing
        if line.mu is not None and line.sigma is not None
    ]
    groups = [
        (number, [f"{line.bot} v{line.version}" for line in playing if line.group == number])
        for number in range(1, table.groups + 1)
    ]
    rounds = [
        (number, list(lines))
        for number, lines in groupby(matches.items, key=lambda match: match.round)
    ]
    sure = site().sure(table)
    return render_template(
        "season.html",
        season=season,
        game_title=game_title(season.game),
        separation=separation(season.settings),
        columns=shown,
        by=by,
        wanted=wanted,
        playing=playing,
        found=paged(found, request.args.get("bots", 1, type=int), ROWS),
        ties=ties(playing, sure),
        sure=king(table, sure).chance,
        odd=disagreement(playing),
        absent=[line for line in table.standings if line.sits_out],
        low=min((low for low, _ in spans), default=0.0),
        high=max((high for _, high in spans), default=1.0),
        groups=groups if len(groups) > 1 else [],
        leg=leg,
        legs=legs,
        matches=matches,
        rounds=rounds,
        one_a_round=all(len(lines) == 1 for _, lines in rounds),
        rules=rules(season.settings),
        coming=_next_of(season.tournament),
    )


def _wanted() -> str:
    """The letters that a reader looks for among bots."""
    return " ".join(request.args.get("bot", "").split())[:LONGEST_SEARCH]


def _is_meant(wanted: str, *texts: str) -> bool:
    """Whether a reader who looks for these letters may look for what has these texts."""
    return any(wanted.lower() in text.lower() for text in texts)


def _next_of(name: str) -> Upcoming | None:
    """The next season of a tournament, where it is announced."""
    try:
        announced = views.announcement(site().store, name)
    except views.NotAnnounced:
        return None
    return next(iter(upcoming([announced], (), datetime.now(UTC))), None)


@blueprint.get("/bots")
def bots() -> str:
    """Every bot."""
    everybody = views.bots(site().store)
    wanted = _wanted()
    found = [
        line
        for line in everybody
        if _is_meant(wanted, line.name, line.author, line.language, *map(game_title, line.games))
    ]
    return render_template(
        "bots.html",
        everybody=everybody,
        wanted=wanted,
        found=paged(found, request.args.get("page", 1, type=int), ROWS),
        game_title=game_title,
    )


@blueprint.get("/bot/<name>")
def bot(name: str) -> str | tuple[str, int]:
    """One bot: ratings, results, versions and faults."""
    store = site().store
    try:
        page = views.bot(store, name, request.args.get("page", 1, type=int), ROWS)
    except UnknownBot:
        names = [line.name for line in views.bots(store)]
        near = get_close_matches(name.lower(), names, 3, 0.5)
        return render_template("unknown_bot.html", name=name[:80], near=near), 404
    return render_template(
        "bot.html",
        bot=page,
        newest=page.versions[0],
        most_versions=VERSIONS,
        unbuilt=[one for one in page.versions if one.build and not one.build.ok][:LOGS],
        histories=[history(name, points) for name, points in page.ratings.items()],
        game_title=game_title,
    )


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a faulty frame is among all that a page shows."""

    at: int
    frame: replays.Frame


@blueprint.get("/match/<path:key>")
def match(key: str) -> str:
    """One match, step by step."""
    match = site().match(key)
    number = request.args.get("game", 1, type=int)
    if not 1 <= number <= len(match.records):
        abort(404, f"This match has {len(match.records)} games.")
    record = match.records[number - 1]
    film = replays.Film((), frozenset(), False, False)
    trouble = ""
    try:
        film = site().film(key, number - 1)
    except (BadRecord, UnknownGame) as error:
        trouble = str(error)
    cut = replays.pages(film.parts) or ((),)
    turn = request.args.get("turn", 0, type=int)
    page = replays.page_of(cut, turn)
    frames = [frame for part in cut[page] for frame in part.frames]
    paired = boards(match)
    return render_template(
        "match.html",
        match=match,
        game_title=game_title(record.game),
        game_number=number,
        carries=any(seat.purse is not None for seat in match.seats),
        boards=paired if len(match.records) > 1 else (),
        turned=len(paired) < len(match.records),
        totals=totals(match),
        chairs={
            seat.seat: outcome.seats
            for seat, outcome in zip(match.seats, paired[0].games[0].outcomes, strict=True)
        },
        trouble=trouble,
        names=seat_names(match, number - 1),
        film=film,
        faces=card_svg.symbols(film.deck),
        parts=cut[page],
        pages=cut,
        page=page,
        steps=len(frames),
        starts=list(accumulate((len(part.frames) for part in cut[page][:-1]), initial=0)),
        marks=[Mark(at, frame) for at, frame in enumerate(frames) if frame.fault],
        faults=record.faults,
        glance=replays.glance(film.parts),
    )


@blueprint.get("/repro/<path:key>")
def repro(key: str) -> Response:
    """A question of a match as a file for `arena repro`, with what its seat was told and no more.

    What the bot wrote on standard error is not in it: that is for its author alone.
    """
    match = site().match(key)
    number, turn = request.args.get("game", 1, type=int), request.args.get("turn", -1, type=int)
    record = match.records[number - 1] if 1 <= number <= len(match.records) else None
    if record is None or not 0 <= turn < len(record.turns) or not record.turns[turn].question:
        abort(404, f"Nobody was asked in turn {turn} of game {number} of this match.")
    seasons = site().store.seasons(match.tournament)
    settings = next(season.settings for season in seasons if season.number == match.season)
    try:
        question = question_file(match, number - 1, turn, settings)
    except (BadRecord, UnknownGame) as error:
        abort(404, f"This question can't be put again: {error}.")
    name = template_filters.repro_name(key, number, turn)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(question.model_dump_json(indent=1) + "\n", 200, headers, "application/json")


@blueprint.get("/how")
def how() -> str:
    """How it works, for visitors, authors and organisers."""
    return render_template("how.html", kinds=KINDS, strikes=Strikes().limit)

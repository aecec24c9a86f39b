"""The pages: each asks the views for what it shows, and a template to show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from functools import lru_cache
from itertools import accumulate, groupby

from flask import Blueprint, Response, abort, current_app, render_template, request

from leaderboard import views
from leaderboard.question_file import question_file
from leaderboard.store import Store, UnknownBot
from leaderboard.web import faces, replays, wording
from leaderboard.web.duplicates import boards, seat_names, totals
from leaderboard.web.histories import history
from leaderboard.web.separation import separation
from leaderboard.web.sorting import columns, ordered
from leaderboard.web.upcoming import next_run
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

WATCHED = 8
"""How many matches the first page proposes."""


class Site:
    """What the pages share: the store, and the matches that were looked at lately.

    A stored match never changes, so it is read and replayed once for many readers.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.match = lru_cache(maxsize=64)(self._match)
        self.film = lru_cache(maxsize=16)(self._film)

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
    """What this is, who leads, and what to watch."""
    store = site().store
    tournaments = views.tournaments(store)
    now = datetime.now(UTC)
    return render_template(
        "home.html",
        tournaments=tournaments,
        leaders=views.leaders(store),
        next_runs={line.name: next_run(line.settings, now) for line in tournaments},
        matches=[
            match
            for line in tournaments[:2]
            for match in _worth_watching(
                views.matches(store, line.name, line.season).items,
                WATCHED // min(2, len(tournaments)),
            )
        ],
        game_title=game_title,
        aces=faces.row(tuple(map(Shown, ACES)), "aces"),
        faces=faces.symbols(ACES),
    )


def _worth_watching(matches: Sequence[views.MatchLine], count: int) -> Sequence[views.MatchLine]:
    """Of the latest matches those in which most was won and lost."""

    def swing(match: views.MatchLine) -> int:
        scores = [seat.score for seat in match.seats]
        return max(scores) - min(scores)

    return sorted(matches, key=swing, reverse=True)[:count]


@blueprint.get("/t/<name>")
def tournament(name: str) -> str:
    """A tournament's newest season."""
    return _season_page(name, None)


@blueprint.get("/t/<name>/<int:number>")
def season(name: str, number: int) -> str:
    """One season of a tournament."""
    return _season_page(name, number)


def _season_page(name: str, number: int | None) -> str:
    """Standings, tables, fairness and settings of a season."""
    store = site().store
    table = views.standings(store, name, number)
    shown = columns(table.season.points_title, rated=table.season.rated)
    by = next((column for column in shown if column.key == request.args.get("by")), shown[0])
    legs = table.season.legs
    asked = request.args.get("tourney", type=int)
    leg = asked if asked in legs else (legs[-1] if legs else 1)
    page = request.args.get("page", 1, type=int)
    matches = views.matches(store, name, table.season.number, leg=leg, page=page)
    playing = [line for line in table.standings if not line.sits_out]
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
    return render_template(
        "season.html",
        season=table.season,
        game_title=game_title(table.season.game),
        separation=separation(table.season.settings),
        columns=shown,
        by=by,
        playing=ordered(playing, by),
        absent=[line for line in table.standings if line.sits_out],
        low=min((low for low, _ in spans), default=0.0),
        high=max((high for _, high in spans), default=1.0),
        groups=groups if len(groups) > 1 else [],
        leg=leg,
        matches=matches,
        rounds=rounds,
        one_a_round=all(len(lines) == 1 for _, lines in rounds),
    )


@blueprint.get("/bots")
def bots() -> str:
    """Every bot."""
    return render_template("bots.html", bots=views.bots(site().store), game_title=game_title)


@blueprint.get("/bot/<name>")
def bot(name: str) -> str | tuple[str, int]:
    """One bot: ratings, results, versions and faults."""
    store = site().store
    try:
        page = views.bot(store, name, request.args.get("page", 1, type=int))
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
        faces=faces.symbols(film.deck),
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
    headers = {
        "Content-Disposition": f'attachment; filename="{wording.repro_name(key, number, turn)}"'
    }
    return Response(question.model_dump_json(indent=1) + "\n", 200, headers, "application/json")


@blueprint.get("/how")
def how() -> str:
    """How it works, for visitors, authors and organisers."""
    return render_template("how.html", kinds=KINDS, strikes=Strikes().limit)

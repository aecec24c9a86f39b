"""Tables at which people play: choosing a game, the seat, watching, and the check of the cards."""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from markupsafe import Markup
from werkzeug.exceptions import Conflict, Forbidden, HTTPException, TooManyRequests
from werkzeug.wrappers import Response as AnyResponse

from card_arena.exhibitions.entries import LimitReached, NewTable, NotAllowed, Refused
from card_arena.leaderboard.levels import Level, board_table, conditions, levels
from card_arena.leaderboard.web import card_svg
from card_arena.leaderboard.web.client_address import by_address
from card_arena.leaderboard.web.live_tables import (
    EVERY,
    SPECTATOR,
    LiveTable,
    LiveTables,
    own_hand,
    own_turn,
    state_of,
)
from card_arena.leaderboard.web.pages.matches import GameView, links_of, steps_of_part, timeline_of
from card_arena.leaderboard.web.pages.site import game_title, site
from card_arena.leaderboard.web.streams import Topic, streams
from card_arena.tables.choices import Cards, Number, choices
from card_arena.tables.game import Seat, Terminal
from card_arena.tables.registry import GAMES

blueprint = Blueprint("tables", __name__)

COOKIE = "seat"
"""The cookie with the secret of a seat; its path is the table's."""

RECENT = 20
"""The last turns that a stream begins with; a page that lacks earlier ones is loaded again."""

LEVEL_NAMES = ("weakest", "weak", "medium", "strong", "champion")


def tables() -> LiveTables:
    """The tables of this site; 404 where nobody may play."""
    found = current_app.extensions.get("tables")
    if not isinstance(found, LiveTables):
        abort(404, "Nobody may play here. The organiser allows it by `play:` in arena.yaml.")
    return found


@blueprint.before_request
def refuse_other_sites() -> None:
    """Refuse forms that another site sends with a reader's cookies."""
    if request.method in ("GET", "HEAD"):
        return
    sender = request.headers.get("Sec-Fetch-Site", "same-origin")
    origin = request.headers.get("Origin")
    if sender not in ("same-origin", "none") or (
        origin is not None and origin.partition("://")[2] != request.host
    ):
        raise Forbidden("This form was sent by another site. Open the table and try again.")


@blueprint.after_request
def keep_nowhere(response: Response) -> Response:
    """What a seat sees is for nobody else."""
    response.cache_control.no_store = True
    return response


@blueprint.errorhandler(Refused)
def refused(error: Refused) -> AnyResponse:
    """A table doesn't do what was asked; scripts get the sentence alone."""
    status: type[HTTPException] = Conflict
    if isinstance(error, LimitReached):
        status = TooManyRequests
    elif isinstance(error, NotAllowed):
        status = Forbidden
    if request.accept_mimetypes.best == "application/json":
        body = json.dumps({"error": str(error)})
        return Response(body, status.code, mimetype="application/json")
    page = render_template("error.html", code=status.code, error=status(str(error)))
    return make_response(page, status.code)


# Sitting down.


@blueprint.get("/play")
def play() -> str:
    """Choose a game and an opponent."""
    tables()
    offered = {name: _named_levels(name) for name in GAMES}
    return render_template("play.html", offered=offered, game_title=game_title)


def _named_levels(game: str) -> list[tuple[str, Level]]:
    """The opponents of a game with the names of their levels, the weakest first."""
    found = levels(site().store, game)
    if not any(level.rating for level in found):
        return [(level.title, level) for level in found]
    last = len(LEVEL_NAMES) - 1
    steps = max(1, len(found) - 1)
    names = [LEVEL_NAMES[last - round((steps - at) * last / steps)] for at in range(len(found))]
    return [*zip(names, found, strict=True)]


@blueprint.post("/play")
def sit_down() -> AnyResponse:
    """Make a table for a person, with bots of a level in the other seats."""
    name, people = request.form.get("game", ""), request.form.get("people", 1, type=int)
    if name not in GAMES:
        abort(404, f"No game {name[:40]!r}. Choose one of {', '.join(GAMES)}.")
    offered = levels(site().store, name)
    if not offered:
        abort(404, f"No bot plays {game_title(name)} here yet.")
    chosen = next(
        (level for level in offered if level.bot.label == request.form.get("level")), offered[-1]
    )
    game = GAMES[name]
    seats = next(count for count in game.seats if count > max(1, people - 1))
    free = _free_seats(game.sides(game.options(), seats), people)
    champion = next((level.bot for level in offered if level.champion), None)
    return _seated(
        NewTable(
            game=name,
            bots=(chosen.bot,) * seats,
            free_seats=free,
            conditions=conditions(site().store, name),
            hints=champion,
        )
    )


def _free_seats(sides: Any, people: int) -> frozenset[Seat]:
    """The seats of the other people: partners first."""
    partners = [seat for seat in sides[0] if seat]
    others = [seat for side in sides[1:] for seat in side]
    return frozenset([*partners, *others][: max(0, people - 1)])


@blueprint.post("/play/board")
def play_board() -> AnyResponse:
    """Make a table for a person in a seat of a stored board."""
    key = request.form.get("match", "")
    number, seat = request.form.get("number", 1, type=int), request.form.get("seat", 0, type=int)
    return _seated(board_table(site().store, key, number, seat))


def _seated(new: NewTable) -> AnyResponse:
    reader = site().readers.person()
    if reader:
        new = replace(new, creator=reader[0], name=reader[1])
    new = replace(new, address=by_address())
    table, secret = tables().store.create(new, tables().settings)
    return _with_seat(table.key, secret)


@blueprint.post("/play/join")
def join() -> AnyResponse:
    """Take a free seat by the code of its table."""
    reader = site().readers.person()
    name = reader[1] if reader else request.form.get("name", "guest")
    table, _, secret = tables().store.join(request.form.get("code", ""), name)
    return _with_seat(table.key, secret)


def _with_seat(key: str, secret: str) -> AnyResponse:
    """Lead to a table, with the secret of a seat in a cookie."""
    path = url_for("tables.table", key=key)
    response = redirect(path, 303)
    response.set_cookie(
        COOKIE,
        secret,
        max_age=tables().settings.keep * 86_400,
        path=path,
        httponly=True,
        samesite="Strict",
        secure=request.is_secure,
    )
    return response


# At the table.


@dataclass(frozen=True)
class View:
    """A table as one reader sees it: in a seat, or as a spectator."""

    live: LiveTable
    seat: Seat

    @property
    def seats(self) -> int:
        return len(self.live.table.seats)

    @property
    def turned(self) -> int:
        """By how many places the seats are turned, so that a person sits in front."""
        return 0 if self.seat == SPECTATOR else -self.seat % self.seats

    def html(self, number: int) -> Markup:
        """Draw the table after a turn; with the person's controls after the last one."""
        last = number == self.live.number - 1
        turn = own_turn(self.live, self.seat) if last else None
        frame = self.live.replay.frame(number, self.seat, self.turned)
        hand = own_hand(self.live, self.seat, number, turn) if self.seat != SPECTATOR else ""
        return Markup(_macro("seat_position")(frame, self.live.replay, self.seat, turn, hand))

    def state(self) -> Markup:
        """Draw what people at the table have to know besides the cards."""
        url = url_for("tables.table", key=self.live.table.key)
        return Markup(_macro("state")(self.live.table, self.live.replay.sides, self.seat, url))


def _macro(name: str) -> Any:
    return getattr(current_app.jinja_env.get_template("_seat.html").module, name)


def _view(key: str) -> View:
    live = tables().at(key, now=True)
    secret = request.cookies.get(COOKIE, "")
    try:
        seat = tables().store.seat_of(key, secret) if secret else SPECTATOR
    except NotAllowed:
        seat = SPECTATOR
    return View(live, seat)


@blueprint.get("/table/<key>")
def table(key: str) -> str:
    """A table as its seat sees it, if the cookie has a secret; else as a spectator does."""
    view = _view(key)
    if view.live.table.is_over and view.live.number and "turn" in request.args:
        return _finished(view)
    last = view.live.number - 1
    return render_template(
        "table.html",
        view=view,
        live=view.live,
        table=view.live.table,
        last=last,
        frame=view.html(last) if last >= 0 else "",
        state=view.state(),
        game_title=game_title,
        faces=card_svg.symbols(view.live.pack, view.live.replay.game.presentation.framed),
    )


@dataclass(frozen=True)
class FinishedTable(GameView):
    """The game of a table that is over, position by position."""

    key: str = field(kw_only=True)

    def address(self, step: int | None = None) -> str:
        """The address of a step."""
        return url_for("tables.table", key=self.key, turn=0 if step is None else step)


def _shown(view: View) -> FinishedTable:
    return FinishedTable(view.live.replay, turned=view.turned, key=view.live.table.key)


def _finished(view: View) -> str:
    shown = _shown(view)
    step = request.args.get("turn", 0, type=int)
    if not 0 <= step < view.live.number:
        abort(404, f"This game has turns 0 to {view.live.number - 1}.")
    return render_template(
        "finished_table.html",
        view=view,
        table=shown,
        step=step,
        links=links_of(shown, step),
        timeline=timeline_of(shown),
        game_title=game_title,
        faces=card_svg.symbols(view.live.pack, view.live.replay.game.presentation.framed),
    )


@blueprint.get("/table/<key>/frames")
def frames(key: str) -> Response:
    """The drawn steps of one part of a game that is over, as JSON."""
    view = _view(key)
    if not view.live.table.is_over:
        abort(404, "The game is not over.")
    return steps_of_part(_shown(view))


@blueprint.get("/table/<key>/events")
def events(key: str) -> Response:
    """What happens at a table as server-sent events: "turn" and "state"."""
    view = _view(key)
    seat, app, live_tables = view.seat, current_app._get_current_object(), tables()  # type: ignore[attr-defined]
    base = request.url_root
    sent = max(0, view.live.number - RECENT)
    state: Hashable = None

    def poll(topic: Topic) -> None:
        nonlocal sent, state
        now = View(live_tables.at(key), seat)
        if sent == now.live.number and state == state_of(now.live):
            return
        with app.test_request_context(base_url=base):
            while sent < now.live.number:
                turn = now.live.replay.turns[sent]
                hold = turn.ends_stage or turn.before.title != turn.after.title
                actor = turn.step.turn.seat
                told = {
                    "turn": sent,
                    "html": str(now.html(sent)),
                    "hold": hold,
                    "own": actor == seat,
                    "place": actor if actor < 0 else (actor + now.turned) % now.seats,
                }
                topic.publish("turn", json.dumps(told))
                sent += 1
            if state != state_of(now.live):
                state = state_of(now.live)
                topic.publish("state", json.dumps({"html": str(now.state())}))

    hub = streams(current_app)
    return hub.stream(hub.topic(f"table {key} {seat}", poll, EVERY))


@blueprint.post("/table/<key>/answer")
def answer(key: str) -> AnyResponse:
    """Give the answer of a turn: a line, a number, or the picked cards."""
    turn = request.form.get("turn", -1, type=int)
    tables().store.answer(key, _secret(), turn, request.form.get("line") or _line(_view(key)))
    return _done(key)


def _line(view: View) -> str:
    """The line of an answer from the fields of the form for a number or picked cards."""
    phase = view.live.phase
    if isinstance(phase, Terminal):
        return ""
    picked, chosen = request.form.getlist("card"), request.form.get("with", "")
    for choice in choices(phase.legal_actions(phase.to_act), phase.write):
        if picked and isinstance(choice, Cards):
            return choice.answer(picked)
        if isinstance(choice, Number) and chosen == f"{choice.before}|{choice.after}":
            number = request.form.get(f"number {choice.low}", choice.low, type=int)
            return choice.answer(number)
    raise Refused("No answer was given. Tap a card, or choose one of the buttons.")


@blueprint.post("/table/<key>/start")
def start(key: str) -> AnyResponse:
    """Begin the game of a table that waits for people."""
    tables().store.start(key, _secret())
    return _done(key)


@blueprint.post("/table/<key>/leave")
def leave(key: str) -> AnyResponse:
    """Leave a table for good."""
    tables().store.leave(key, _secret())
    response = redirect(url_for("tables.play"), 303)
    response.delete_cookie(COOKIE, path=url_for("tables.table", key=key))
    return response


@blueprint.post("/table/<key>/back")
def back(key: str) -> AnyResponse:
    """Note that a person who was away is back."""
    tables().store.back(key, _secret())
    return _done(key)


@blueprint.post("/table/<key>/hint")
def hint(key: str) -> AnyResponse:
    """What the champion would answer, as JSON: null until it has answered."""
    turn = request.form.get("turn", -1, type=int)
    told = tables().store.hint(key, _secret(), turn)
    return Response(json.dumps({"hint": told}), mimetype="application/json")


@blueprint.get("/table/<key>/deals")
def deals(key: str) -> Response:
    """The packs of a table as JSON: commitments and, once a deal is over, keys and cards."""
    packs = [asdict(deal) for deal in tables().store.deals(key)]
    order = [str(card) for card in tables().at(key).pack]
    return Response(json.dumps({"order": order, "deals": packs}), mimetype="application/json")


def _secret() -> str:
    return request.cookies.get(COOKIE, "")


def _done(key: str) -> AnyResponse:
    """Lead back to the table; a script is told that it is done."""
    if request.accept_mimetypes.best == "application/json":
        return Response("{}", mimetype="application/json")
    return redirect(url_for("tables.table", key=key), 303)

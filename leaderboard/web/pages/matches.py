"""One match: its table, position by position, its results, and a question of it as a file."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from flask import Response, abort, current_app, render_template, request, url_for
from markupsafe import Markup

from card_arena.leaderboard.matches import MatchDetail
from card_arena.leaderboard.question_file import QuestionFile, question_file
from card_arena.leaderboard.reviews import MarkShape
from card_arena.leaderboard.web import card_svg, filters, replays
from card_arena.leaderboard.web.pages.site import blueprint, game_title, site
from card_arena.leaderboard.web.replays import Chapter, PairedTables, Replay, Steps, boards, totals
from card_arena.results.season_settings import SeasonSettings
from card_arena.tables.game import Seat
from card_arena.tables.referee import BadRecord
from card_arena.tables.registry import UnknownGame
from card_arena.tables.registry import game as game_of

DEAREST = 10
"""How many flagged decisions are shown at once, the dearest ones."""

LISTED = 100
"""How many of a match are listed."""


@dataclass(frozen=True)
class GameView(ABC):
    """What a reader looks at, step by step: a game, or two games of a board.

    `seen_by` is the seat whose view is shown; the seats are `turned` so many places around the
    page.
    """

    replay: Replay
    paired: PairedTables | None = None
    seen_by: Seat | None = None
    turned: int = 0

    @abstractmethod
    def address(self, step: int | None = None) -> str:
        """The address of a step, of the first one by default."""

    @property
    def shown(self) -> Steps:
        """What is stepped through."""
        return self.paired or self.replay

    @property
    def unit(self) -> str:
        """The reader's word for what the double arrows step by."""
        stages = (turn.after.stage for turn in self.replay.turns)
        return next((stage.unit for stage in stages if stage), self.replay.unit)

    @cached_property
    def chapters(self) -> Sequence[Chapter]:
        replay = self.replay
        found = (
            self._parted()
            if self.paired
            else replays.chapters(replay.turns, replay.swings, replay.names)
        )
        parts = (
            Chapter(part.first, "part", filters.capitalise(part.title), "")
            for part in self.shown.parts
        )
        return sorted((*parts, *found), key=lambda chapter: chapter.step)

    def _parted(self) -> Iterator[Chapter]:
        assert self.paired
        for at, step in enumerate(self.paired.steps):
            if step.parted is not None:
                turn = self.replay.turns[step.turns[0]]
                label = str(turn.before.stage or turn.before.title)
                name = replays.bot_name(self.replay.names[turn.step.turn.seat])
                yield Chapter(at, "parted", label, f"{name}’s seat", abs(step.parted))

    def share(self, step: int) -> str:
        """How far along the time line a step is, in percent."""
        return f"{100 * step / max(1, self.shown.length - 1):.2f}%"

    def turn_at(self, step: int) -> int:
        """The turn of the first table that a step shows."""
        return self.paired.steps[step].turns[0] if self.paired else step

    def step_of(self, turn: int, other: int) -> int:
        """The step that shows a turn of the first table, and of the second one."""
        if not self.paired:
            return turn
        pairs = [step.turns for step in self.paired.steps]
        if (turn, other) in pairs:
            return pairs.index((turn, other))
        return next((at for at, pair in enumerate(pairs) if pair[0] >= turn), len(pairs) - 1)

    def html(self, step: int) -> Markup:
        """Draw a step."""
        if self.paired:
            turns = self.paired.steps[step].turns
            pairs = zip(self.paired.replays, turns, strict=True)
            frames = [replay.frame(turn, self.seen_by) for replay, turn in pairs]
            return Markup(_macro("positions")(frames, self.paired, self.paired.steps[step]))
        frame = self.replay.frame(step, self.seen_by, self.turned)
        return Markup(_macro("position")(frame, self.replay, self.better(step)))

    def better(self, step: int) -> Markup:  # noqa: ARG002
        """The better answer, where a reviewer found one for the decision of a step."""
        return Markup("")


@dataclass(frozen=True)
class Table(GameView):
    """A game of a match; `number` counts from 1, and `beside` is the second one that is shown.

    `marks` are what a reviewer says of its decisions, by their turns.
    """

    match: MatchDetail = field(kw_only=True)
    number: int = field(kw_only=True)
    beside: int | None = field(kw_only=True, default=None)
    marks: Mapping[int, MarkShape] = field(kw_only=True, default_factory=dict)

    def better(self, step: int) -> Markup:
        mark = self.marks.get(step)
        if mark is None or not mark.flagged:
            return Markup("")
        best = replays.drawn_answer(self.replay.game, mark.best)
        return Markup(_macro("better")(best, mark.loss.value))

    def address(self, step: int | None = None, **changes: Any) -> str:
        """The address of a step, with `changes` of its query."""
        arguments = {
            "game": self.number if self.number > 1 else None,
            "beside": self.beside,
            "as": self.seen_by,
        }
        if step is not None and self.paired:
            turns = self.paired.steps[step].turns
            arguments |= {"turn": turns[0], "other": turns[1]}
        elif step is not None:
            arguments["turn"] = step
        return url_for("pages.match", key=self.match.key, **{**arguments, **changes})


def _macro(name: str) -> Any:
    return getattr(current_app.jinja_env.get_template("_table.html").module, name)


def table_of(match: MatchDetail) -> Table:
    """The table that this request asks for; raises `BadRecord` and `UnknownGame`."""
    number, games = request.args.get("game", 1, type=int), len(match.records)
    beside = request.args.get("beside", type=int)
    for chosen in (number, beside or 1):
        if not 1 <= chosen <= games:
            abort(404, f"This match has only {games} {'game' if games == 1 else 'games'}.")
    replay = site().replay(match.key, number - 1)
    seen_by = request.args.get("as", type=int)
    if seen_by is not None and not 0 <= seen_by < len(replay.names):
        abort(404, f"This table has seats 0 to {len(replay.names) - 1}.")
    paired = None
    if beside is not None:
        if match.games[beside - 1].board != match.games[number - 1].board or beside == number:
            abort(404, "Only two games of one board can be shown side by side.")
        paired = site().paired(match.key, number - 1, beside - 1)
    turned = request.args.get("turned", 0, type=int) % len(replay.names)
    review = site().review(match.key)
    marks = {mark.turn: mark for mark in review.marks if mark.game == number} if review else {}
    return Table(
        *(replay, paired, seen_by, turned),
        match=match,
        number=number,
        beside=beside,
        marks=marks,
    )


@blueprint.get("/match/<path:key>")
def match(key: str) -> str:
    """One match, on its table."""
    match = site().match(key)
    try:
        table = table_of(match)
    except (BadRecord, UnknownGame) as error:
        return render_template("match.html", **overview(match), trouble=str(error), game_number=1)
    turn = request.args.get("turn", table.replay.opening, type=int)
    last = len(table.replay.turns) - 1
    if not 0 <= turn <= last:
        abort(404, f"This game has turns 0 to {last}.")
    step = table.step_of(turn, request.args.get("other", -1, type=int))
    record = match.records[table.number - 1]
    return render_template(
        "match.html",
        **overview(match),
        trouble="",
        game_number=table.number,
        table=table,
        step=step,
        links=links_of(table, step),
        faces=faces_of(table),
        faults=record.faults,
        summary=replays.summary(table.replay),
        siblings=[
            game.number
            for game in match.games
            if game.board == match.games[table.number - 1].board and game.number != table.number
        ],
        timeline=timeline_of(table),
        **review_of(match),
    )


def timeline_of(table: GameView) -> Mapping[str, Any]:
    """The parts, the stops and, for two tables, the addresses of all steps, for the script."""
    return {
        "parts": [[part.first, part.title] for part in table.shown.parts],
        "stops": table.shown.stops,
        "addresses": [table.address(at) for at in range(table.shown.length)]
        if table.paired
        else [],
    }


def links_of(table: GameView, step: int) -> Mapping[str, str]:
    """The addresses of the neighbours of a step; empty where there is none."""
    stops = table.shown.stops
    neighbours = {
        "stage_back": max((at for at in stops if at < step), default=None),
        "back": step - 1 if step else None,
        "on": step + 1 if step + 1 < table.shown.length else None,
        "stage_on": min((at for at in stops if at > step), default=None),
    }
    return {name: "" if at is None else table.address(at) for name, at in neighbours.items()}


def faces_of(table: GameView) -> Sequence[Markup]:
    """The symbols of all cards that are seen in a game."""
    return card_svg.symbols(table.replay.deck, table.replay.game.presentation.framed)


@blueprint.get("/frames/<path:key>")
def frames(key: str) -> Response:
    """The drawn steps of one part of a game, as JSON for the script of a table.

    `part` counts from 0. Each step has its HTML, and `hold` where it completes a stage.
    """
    try:
        table = table_of(site().match(key))
    except (BadRecord, UnknownGame) as error:
        abort(404, f"This game can no longer be shown: {error}")
    return steps_of_part(table)


def steps_of_part(table: GameView) -> Response:
    """The drawn steps of the part that this request asks for."""
    number = request.args.get("part", 0, type=int)
    if not 0 <= number < len(table.shown.parts):
        abort(404, f"This game has parts 0 to {len(table.shown.parts) - 1}.")
    return Response(json.dumps(part_of(table, number)), mimetype="application/json")


def part_of(table: GameView, number: int) -> Mapping[str, Any]:
    """One part of a game, drawn."""
    part, holds = table.shown.parts[number], table.shown.holds
    steps = [
        {"html": str(table.html(step)), "hold": step in holds}
        for step in range(part.first, part.last + 1)
    ]
    return {"part": number, "first": part.first, "steps": steps}


def overview(match: MatchDetail) -> Mapping[str, Any]:
    """The parts of a match's page besides its games: the entrants and the result."""
    paired = boards(match)
    store = site().store
    return {
        "match": match,
        "host": store.host_of(match.key),
        "annulled": match.annulled,
        "game_title": game_title(match.records[0].game),
        "carries": any(seat.purse is not None for seat in match.entrants),
        "boards": paired if len(match.records) > 1 else (),
        "rotated": len(paired) < len(match.records),
        "totals": totals(match),
        "held_seats": {
            entrant.seat: seats
            for entrant, seats in zip(match.entrants, paired[0].games[0].seats, strict=True)
        },
    }


def review_of(match: MatchDetail) -> Mapping[str, Any]:
    """What the review on a match's page is made of."""
    return {
        "asked": site().store.review(match.key),
        "review": site().review(match.key),
        "drawn": partial(replays.drawn_answer, game_of(match.records[0].game)),
        "dearest": DEAREST,
        "listed": LISTED,
    }


@blueprint.get("/repro/<path:key>")
def repro(key: str) -> Response:
    """A question of a match as a file for `arena repro`, with the information of its seat alone.

    It has no standard error, which is for the author alone.
    """
    number, turn = request.args.get("game", 1, type=int), request.args.get("turn", -1, type=int)
    question = question_of(key, number, turn)
    name = filters.repro_name(key, number, turn)
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(question.model_dump_json(indent=1) + "\n", 200, headers, "application/json")


def question_of(key: str, number: int, turn: int) -> QuestionFile:
    """The question of a turn in game `number` (from 1) of a match, as its file has it."""
    match = site().match(key)
    record = match.records[number - 1] if 1 <= number <= len(match.records) else None
    if record is None or not 0 <= turn < len(record.turns) or not record.turns[turn].question:
        abort(404, f"No bot was asked in turn {turn} of game {number} of this match.")
    try:
        return question_file(match, number - 1, turn, season_settings(match))
    except (BadRecord, UnknownGame) as error:
        abort(404, f"This question can't be asked again: {error}.")


def season_settings(match: MatchDetail) -> SeasonSettings:
    seasons = site().store.seasons(match.tournament)
    return next(season.settings for season in seasons if season.number == match.season)

"""The games of a match as `static/archive.js` reads and draws them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flask import current_app
from markupsafe import Markup, escape

from leaderboard.views import MatchPage
from leaderboard.web import replays
from leaderboard.web.archive.deltas import Columns, Usual, letter
from leaderboard.web.archive.states import State, deck, labels, seat_name, state
from leaderboard.web.duplicates import boards, seat_names
from leaderboard.web.untrusted_text import stranger
from tables.game import DEALER
from tables.record import Record
from tables.referee import BadRecord
from tables.registry import UnknownGame, game

Patterns = Mapping[str, Usual]
"""What usually changes in a turn, by the names of games."""


@dataclass(frozen=True, slots=True)
class _Game:
    """One game: what is told of it once, and its turns."""

    about: Mapping[str, Any]
    columns: Columns


def match_data(match: MatchPage, known: Patterns) -> Mapping[str, Any]:
    """All games of a match, in short; what is `known` of its game is not told again."""
    return _data(match, known.get(match.records[0].game, Usual()).copy())


def usual_patterns(matches: Sequence[MatchPage]) -> Patterns:
    """What came more than once in these matches."""
    seen: dict[str, Usual] = {}
    counted: dict[str, Counter[str]] = {}
    for match in matches:
        name = match.records[0].game
        usual = seen.setdefault(name, Usual())
        data = _data(match, usual)
        if "deck" in data["games"][0]:
            usual.about = data["games"][0]
        texts = data["patterns"]
        counted.setdefault(name, Counter()).update(char for text in texts for char in text)
    return {name: seen[name].most_used(counts) for name, counts in counted.items()}


def _data(match: MatchPage, usual: Usual) -> Mapping[str, Any]:
    """All games of a match; what is new in them is added to the `usual`."""
    games = [_game(match, number, title, usual) for number, title in enumerate(_titles(match))]
    took = [text for text, _ in Counter(t for g in games for t in g.columns.times).most_common()]
    letters = {text: letter(at) for at, text in enumerate(took)}
    texts = []
    for packed in games:
        packed.columns.times = [letters[text] for text in packed.columns.times]
        texts.append(packed.columns.texts())
    return {
        "game": match.records[0].game,
        "games": [
            {name: value for name, value in packed.about.items() if usual.about.get(name) != value}
            for packed in games
        ],
        "took": took,
        **{column: [text[column] for text in texts] for column in texts[0]},
    }


def rough(microseconds: int) -> str:
    """Write how long an answer took, to one figure: that is a third of a page less."""
    amount = float(f"{microseconds:.1g}")
    if amount < 1_000:
        return f"{amount / 1_000:.1f} ms"
    return f"{amount / 1_000:.0f} ms" if amount < 1_000_000 else f"{amount / 1_000_000:.0f} s"


def _titles(match: MatchPage) -> Sequence[str]:
    """What each game is called, nothing where there is one alone."""
    if len(match.records) == 1:
        return [""]
    found = boards(match)
    turned = len(found) < len(match.records)
    return [
        f"Board {board.number}, turn {sitting.turn}" if turned else f"Game {sitting.number}"
        for board in found
        for sitting in board.games
    ]


def _game(match: MatchPage, number: int, title: str, usual: Usual) -> _Game:
    record = match.records[number]
    about: dict[str, Any] = {
        "title": title,
        "seats": record.seats,
        "names": [str(escape(name)) for name in seat_names(match, number)],
        "faults": [(turn, seat, fault.kind) for turn, seat, fault in record.faults],
        "trouble": "",
    }
    try:
        turns, states, style = _played(match, number, record)
    except (BadRecord, UnknownGame) as error:
        return _Game(about | {"trouble": stranger(str(error))}, Columns(usual, (), record.seats))
    held = deck(states)
    order = max(([place.seat for place in turn.after.places] for turn in turns), key=len)
    found = (re.match(r"([a-z]+) \d", turn.after.title) for turn in turns)
    about |= {
        "deck": held,
        "framed": sorted({*game(record.game).framed} & {*held}),
        "round": style.round_table,
        "tricks": style.tricks,
        "order": order,
        "labels": labels(states),
        "unit": next((each[1] for each in found if each), "part"),
    }
    columns = Columns(usual, held, record.seats)
    for turn, shown in zip(turns, states, strict=True):
        asked = turn.step.turn
        columns.add(asked.seat, shown, rough(asked.wall) if asked.question else "")
    return _Game(about, columns)


def _played(
    match: MatchPage, number: int, record: Record
) -> tuple[Sequence[replays.Told], Sequence[State], replays.Style]:
    """The turns of a game, and what is shown after each; raises `BadRecord`, `UnknownGame`."""
    names = [seat_name(seat) for seat in range(record.seats)]
    turns = [*replays.told(game(record.game), record, names)]
    style = replays.Style()
    for turn in turns:
        style = style.seen(turn.after)
    macro = current_app.jinja_env.get_template("_caption.html").module.caption  # type: ignore[attr-defined]
    states = []
    for turn in turns:
        asked = turn.step.turn
        name = "Dealer" if asked.seat == DEALER else names[asked.seat]
        caption: Markup = macro(
            turn.kind, name, turn.verb, turn.said, turn.action, asked.fault, style.round_table
        )
        fault = _fault(match, number, turn) if asked.fault else ""
        states.append(state(turn, str(caption).strip(), fault))
    return turns, states, style


def _fault(match: MatchPage, number: int, turn: replays.Told) -> str:
    """What is told of a fault: the question, the answer, the time."""
    macro = current_app.jinja_env.get_template("_fault.html").module.details  # type: ignore[attr-defined]
    frame = replays.frame(turn)
    bot = match.at_table(number)[frame.seat].bot
    return str(macro(frame.fault, frame, match.key, number + 1, frame.number, bot)).strip()

"""A position as a picture of 1200 by 630, the size that other sites show beside a link.

The picture is an SVG with the cards of the pages, drawn by resvg with fonts of its own, so that it
looks the same on every machine. It is often shown at half its size: few words, large cards.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import resvg_py
from flask import render_template
from markupsafe import Markup

from card_arena.common.text import one_line
from card_arena.leaderboard.web import card_svg
from card_arena.leaderboard.web.assets import STATIC
from card_arena.leaderboard.web.filters import figure
from card_arena.tables.cards import EXCUSE, Card
from card_arena.tables.drawing import fanned, seat_name, with_suit_signs
from card_arena.tables.game import CHANCE, Seat
from card_arena.tables.scene import Pile, Place, Scene, Shown

WIDTH, HEIGHT, HEADER, MARGIN = 1200, 630, 94, 12

FONTS = [str(path) for path in sorted((Path(__file__).parent / "fonts").glob("*.ttf"))]
"""DejaVu Sans, regular and bold, with the letters of Latin languages and the suits."""

NAME, FACT = 26, 22
"""The sizes of type: names, and everything else."""

PROPORTION = 1.4
"""The height of a card by its width."""

STEP, NARROWEST, NEXT_ROW = 0.62, 0.54, 0.6
"""How far overlapping cards are apart, by their width; how far at least, so that each index is
seen; how far the second row of a hand is below the first, by the height of a card."""

SMALLER = 0.72
"""How much smaller the cards of a hand may be so that they are one row and not two."""

ROW, SIDE = 162, 340
"""The height of the seats in front and behind, and the width of those beside the table."""

HATCH = "".join(
    f"M{2 + max(0, at - 66)} {2 + min(66, at)}L{2 + min(46, at)} {2 + max(0, at - 46)}"
    for at in range(6, 112, 6)
)
"""The lines across a card of 50 by 70 that lies face down."""


class _Panel(NamedTuple):
    x: float
    y: float
    width: float
    height: float
    waiting: bool


class _Line(NamedTuple):
    """Text around `x`."""

    x: float
    y: float
    text: str
    size: int
    colour: str
    bold: bool = False


class _Card(NamedTuple):
    shown: Shown
    x: float
    y: float
    width: float
    ring: bool = False


class _Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float


def png(svg: str) -> bytes:
    """Draw an SVG as a PNG."""
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg, skip_system_fonts=True, font_files=FONTS, font_family="DejaVu Sans"
    )
    return bytes(drawn)


@cache
def palette() -> dict[str, str]:
    """The colours of the pages' light palette, by their names in the style sheet."""
    light = (STATIC / "css" / "colours.css").read_text("utf-8").partition("@media")[0]
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", light))


def drawing(
    scene: Scene,
    names: Sequence[str],
    heading: str,
    tournament: str,
    *,
    around: bool,
    framed: Collection[Card] = (),
) -> str:
    """Draw a position as SVG: the seats `around` a table, or in a row before the dealer.

    `heading` is the result; below it are the tournament and the facts of the position.
    """
    table = _Table(names)
    (table.put_around if around else table.put_in_a_row)(scene)
    room = WIDTH - 6 * MARGIN
    about = _joined([tournament, scene.title, *_facts(scene.facts)], 25, room)
    header = (
        _Line(WIDTH / 2, 44, _cut(_plain(heading), 36 * BOLD, room), 36, "sheet", bold=True),
        _Line(WIDTH / 2, 79, about, 25, "accent-soft"),
    )
    symbols = card_svg.symbols({card.shown.card for card in table.cards}, framed)
    colours = palette()
    suits = {name[-1].upper(): colours[name] for name in colours if name.startswith("suit-")}
    return render_template(
        "preview.svg",
        width=WIDTH,
        height=HEIGHT,
        header=HEADER,
        hatch=HATCH,
        palette=colours,
        suits=[*suits.items(), (EXCUSE.suit, suits["A"])],
        symbols=Markup(
            render_template("_suits.svg", faces=symbols).replace("<svg hidden ", "<svg ")
        ),
        panels=table.panels,
        lines=[*header, *table.lines],
        cards=table.cards,
    )


def _facts(facts: Iterable[tuple[str, str]]) -> list[str]:
    written = ((label, with_suit_signs(figure(value))) for label, value in facts if value != "-")
    return [_plain(f"{label} {value}") for label, value in written]


class _Table:
    """All that is drawn below the header."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self.panels: list[_Panel] = []
        self.lines: list[_Line] = []
        self.cards: list[_Card] = []

    def put_around(self, scene: Scene) -> None:
        """Put one seat in front, two beside the table and the others behind it.

        The trick and the piles lie between them.
        """
        front, *others = [place for place in scene.places if place.seat != CHANCE]
        beside = [others.pop(0), others.pop()] if len(others) > 1 else []
        upper, lower = HEADER + MARGIN, HEIGHT - MARGIN - ROW
        self._put(front, _Box(MARGIN, lower, WIDTH - 2 * MARGIN, ROW), 72)
        self._put_side_by_side(others, upper, ROW, 64)
        if others:
            upper += ROW + MARGIN
        height = lower - MARGIN - upper
        for place, x in zip(beside, (MARGIN, WIDTH - MARGIN - SIDE), strict=False):
            self._put(place, _Box(x, upper, SIDE, height), 72)
        towards: dict[Seat, tuple[float, float]] = {front.seat: (0, 0.4)}
        for place, across in zip(beside, (-1.02, 1.02), strict=False):
            towards[place.seat] = across, 0
        for at, place in enumerate(others):
            towards[place.seat] = 1.1 * (at - (len(others) - 1) / 2), -0.4
        left = 2 * MARGIN + (SIDE if beside else 0)
        box = _Box(left, upper, WIDTH - 2 * left, height)
        played = [place for place in (*others, *beside, front) if place.played]
        share = 0.4 if played else 1
        if scene.piles:
            self._put_piles(scene.piles, box._replace(width=share * box.width))
            box = _Box(box.x + share * box.width, upper, (1 - share) * box.width, height)
        self._put_trick(played, towards, box)

    def put_in_a_row(self, scene: Scene) -> None:
        """Put the dealer above, and the seats side by side below."""
        y, height = HEADER + MARGIN, 216
        for place in scene.places:
            if place.seat == CHANCE:
                self._put(place, _Box(MARGIN, y, WIDTH - 2 * MARGIN, height), 110)
        seats = [place for place in scene.places if place.seat != CHANCE]
        y += height + MARGIN
        self._put_side_by_side(seats, y, HEIGHT - MARGIN - y, 126)

    def _put_side_by_side(
        self, places: Sequence[Place], y: float, height: float, broad: float
    ) -> None:
        width = (WIDTH - MARGIN) / max(1, len(places))
        for at, place in enumerate(places):
            self._put(place, _Box(MARGIN + at * width, y, width - MARGIN, height), broad)

    def _put(self, place: Place, box: _Box, broad: float) -> None:
        """Put a seat's panel in the middle of a box: its name, facts and cards `broad` at most."""
        room = box.width - 2 * MARGIN
        name = _plain(seat_name(place.seat, self._names))
        size = max(20, min(NAME, int(room / _width(name, BOLD))))
        name = _cut(name, size * BOLD, room)
        facts = _lines([*([place.status] if place.status else []), *_facts(place.facts)], room)
        texts = 8 + NAME + len(facts) * (FACT + 6) + 14
        cards = fanned(place.cards) if place.in_hand else place.cards
        rows, broad = _rows(cards, room, box.height - texts - 10, broad)
        longest = max(map(len, rows), default=1)
        step = broad * (STEP if place.in_hand else 1.06)
        step = min(step, (room - broad) / max(1, longest - 1))
        widths = [_width(name, size * BOLD), *(_width(line, FACT) for line in facts)]
        width = min(box.width, max(*widths, broad + step * (longest - 1)) + 4 * MARGIN)
        tall = broad * PROPORTION
        height = texts + (10 + tall * (1 + NEXT_ROW * (len(rows) - 1)) if rows else 0)
        middle, y = box.x + box.width / 2, box.y + (box.height - height) / 2
        self.panels.append(_Panel(middle - width / 2, y, width, height, place.to_act))
        y += 8 + NAME
        self.lines.append(_Line(middle, y, name, size, "ink", bold=True))
        for line in facts:
            y += FACT + 6
            self.lines.append(_Line(middle, y, line, FACT, "quiet"))
        y += 14
        for row in rows:
            start = middle - (broad + step * (len(row) - 1)) / 2
            self.cards += [_Card(card, start + at * step, y, broad) for at, card in enumerate(row)]
            y += NEXT_ROW * tall

    def _put_trick(
        self, played: Sequence[Place], towards: Mapping[Seat, tuple[float, float]], box: _Box
    ) -> None:
        """Put each card of a trick towards its seat; a ring marks the one that took it."""
        width = min(110, box.height / (1.8 * PROPORTION), box.width / 3.1)
        x = box.x + (box.width - width) / 2
        y = box.y + (box.height - width * PROPORTION) / 2
        for place in played:
            across, down = towards[place.seat]
            at = x + across * width, y + down * width * PROPORTION
            self.cards.append(_Card(place.played[-1], *at, width, ring=place.took))

    def _put_piles(self, piles: Sequence[Pile], box: _Box) -> None:
        """Put the piles side by side, with cards as large as the box allows."""
        spreads = [1 + 0.5 * (len(pile.cards) - 1) for pile in piles]
        gap = 0.3
        # what beat a card lies a little lower
        lower = [0.0 if pile.label else 0.3 for pile in piles]
        label = FACT + 8
        width = min(
            96,
            box.width / (sum(spreads) + gap * len(piles)),
            (box.height - label) / (PROPORTION + max(lower)),
        )
        x = box.x + (box.width - width * (sum(spreads) + gap * (len(piles) - 1))) / 2
        y = box.y + (box.height - label - width * (PROPORTION + max(lower))) / 2
        for pile, spread, down in zip(piles, spreads, lower, strict=True):
            if pile.label:
                middle = x + spread * width / 2
                self.lines.append(_Line(middle, y + FACT, pile.label, FACT, "quiet"))
            for at, card in enumerate(pile.cards):
                offset = at * down * width
                self.cards.append(_Card(card, x + at * 0.5 * width, y + label + offset, width))
            x += (spread + gap) * width


def _rows(
    cards: Sequence[Shown], room: float, height: float, broad: float
) -> tuple[Sequence[Sequence[Shown]], float]:
    """Lay out cards in one row, or in two if they would be too small; return their width too."""
    half = (len(cards) + 1) // 2
    one, two = (
        min(broad, room / (1 + NARROWEST * (longest - 1)), height / PROPORTION / (1 + below))
        for longest, below in ((len(cards), 0), (half, NEXT_ROW))
    )
    if not cards:
        return [], broad
    return ([cards], one) if one >= SMALLER * two else ([cards[:half], cards[half:]], two)


def _lines(facts: Sequence[str], room: float) -> Sequence[str]:
    """Join facts to at most two lines."""
    lines: list[str] = []
    while facts and len(lines) < 2:
        lines.append(_joined(facts, FACT, room))
        facts = facts[lines[-1].count(" · ") + 1 :]
    return lines


BOLD = 1.1
"""How much wider bold type is."""


def _plain(text: str) -> str:
    """A text whose characters are all visible, with plain gaps between thousands."""
    return one_line(text.replace("\u202f", " "))


def _width(text: str, size: float) -> float:
    """About the width of a text, rather too much than too little."""
    narrow, wide = set(" .,:;'|!()[]ijlftrI·"), set("mwMW@%")
    return size * sum(0.4 if sign in narrow else 0.95 if sign in wide else 0.64 for sign in text)


def _joined(facts: Sequence[str], size: float, room: float) -> str:
    """As many facts on a line as there is room for; the first one is cut if need be."""
    count = len(facts)
    while count > 1 and _width(" · ".join(facts[:count]), size) > room:
        count -= 1
    return _cut(" · ".join(facts[:count]), size, room)


def _cut(text: str, size: float, room: float) -> str:
    """The beginning of a text, as much as there is room for."""
    if _width(text, size) <= room:
        return text
    while text and _width(f"{text}…", size) > room:
        text = text[:-1]
    return f"{text.rstrip()}…" if text else ""

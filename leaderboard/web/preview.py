"""A position as a picture of 1200 by 630, the size that other sites show beside a link.

The picture is an SVG with the cards of the pages, drawn by resvg with fonts of its own, so that it
looks the same on every machine. It is often shown at half its size: few words, large cards.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import resvg_py
from flask import render_template
from markupsafe import Markup

from common.text import one_line
from leaderboard.web import card_svg
from leaderboard.web.assets import STATIC
from leaderboard.web.filters import figure
from tables.cards import EXCUSE, Card
from tables.drawing import fanned, seat_name, with_suit_signs
from tables.game import CHANCE
from tables.scene import Pile, Place, Scene, Shown

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

SIDE = 420
"""The most that a panel at the side is wide."""

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
    """Text around `x`; `beside` follows it in smaller type."""

    x: float
    y: float
    text: str
    size: int
    colour: str
    bold: bool = False
    beside: str = ""


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
        fact=FACT,
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
        """Put the seats clockwise from the one in front, and the trick and the piles between them.

        With three seats nobody sits opposite, and the one in front has the whole width.
        """
        front, *others = [place for place in scene.places if place.seat != CHANCE]
        beside = [others.pop(0), others.pop()] if len(others) > 1 else []
        sides = [_Seat(place, self._names, SIDE, 72, 2) for place in beside]
        tallest = max([seat.height for seat in sides], default=0)
        column = WIDTH - 2 * (MARGIN + max([seat.width + MARGIN for seat in sides], default=0))
        upper, lower = float(HEADER + MARGIN), float(HEIGHT - MARGIN)
        played = [place for place in (*others, *beside, front) if place.played]
        # Sides beside the seat in front leave the whole width to the piles.
        low = sides and (len(others) > 1 or (others and scene.piles and not played))
        # If the sides are not between the two others, these are between the sides.
        for width in (WIDTH - 2 * MARGIN, column):
            first = _Seat(front, self._names, width, 72)
            lines = len(others) > 1
            each = (WIDTH - MARGIN) / len(others) if low else width + MARGIN
            opposite = [_Seat(place, self._names, each - MARGIN, 64, lines) for place in others]
            top = upper + max([seat.height + MARGIN for seat in opposite], default=0)
            bottom = lower - first.height - MARGIN
            high = tallest > bottom - top
            if not others or not (low or high):
                break
        self._put(first, WIDTH / 2, bottom + MARGIN)
        for at, seat in enumerate(opposite, start=1):
            self._put(seat, WIDTH / 2 + (at - (len(others) + 1) / 2) * each, upper)
        box = _Box((WIDTH - column) / 2, top, column, bottom - top)
        if low:
            taken = max(first.height, tallest) + MARGIN
            box = _Box(MARGIN, top, WIDTH - 2 * MARGIN, lower - taken - top)
        start, end = (upper, lower) if others and high else (top, bottom)
        for at, seat in enumerate(sides):
            left = MARGIN + seat.width / 2
            y = lower - seat.height if low else (start + end - seat.height) / 2
            self._put(seat, WIDTH - left if at else left, y)
        x, y, width, height = box
        if played and scene.piles:
            if width > 1.5 * height:
                self._put_piles(scene.piles, box._replace(width=0.4 * width))
                box = _Box(x + 0.4 * width, y, 0.6 * width, height)
            else:
                self._put_piles(scene.piles, box._replace(height=0.36 * height))
                box = _Box(x, y + 0.36 * height, width, 0.64 * height)
        elif scene.piles:
            self._put_piles(scene.piles, box)
        towards: dict[int, tuple[float, float]] = {front.seat: (0, 0.4 if others else 0.56)}
        for place, across in zip(beside, (-1.02, 1.02), strict=False):
            towards[place.seat] = across, 0
        for at, place in enumerate(others):
            towards[place.seat] = 1.1 * (at - (len(others) - 1) / 2), -0.4
        self._put_trick(played, towards, box)

    def put_in_a_row(self, scene: Scene) -> None:
        """Put the dealer above, and the seats side by side below."""
        seats = [place for place in scene.places if place.seat != CHANCE]
        y = float(HEADER + MARGIN)
        for place in scene.places:
            if place.seat == CHANCE:
                house = _Seat(place, self._names, 620, 110)
                self._put(house, WIDTH / 2, y)
                y += house.height + MARGIN
        width = (WIDTH - MARGIN) / len(seats)
        for broad in range(126, 40, -6):
            row = [_Seat(place, self._names, width - MARGIN, broad, 2) for place in seats]
            height = max(seat.height for seat in row)
            if y + height <= HEIGHT - MARGIN:
                break
        for at, seat in enumerate(row):
            seat.width, seat.height = width - MARGIN, height
            self._put(seat, (MARGIN + width * (2 * at + 1)) / 2, (y + HEIGHT - MARGIN - height) / 2)

    def _put(self, seat: _Seat, middle: float, y: float) -> None:
        """Put a seat's panel, with its name, facts and cards, around `middle` and below `y`."""
        x = middle - seat.width / 2
        self.panels.append(_Panel(x, y, seat.width, seat.height, seat.place.to_act))
        y += 8 + NAME
        named = _Line(middle, y, seat.name, seat.size, "ink", bold=True, beside=seat.beside)
        self.lines.append(named)
        for fact in seat.below:
            y += FACT + 6
            self.lines.append(_Line(middle, y, fact, FACT, "quiet"))
        y += 14
        for row in seat.rows:
            start = middle - (seat.broad + seat.step * (len(row) - 1)) / 2
            for at, card in enumerate(row):
                self.cards.append(_Card(card, start + at * seat.step, y, seat.broad))
            y += NEXT_ROW * seat.broad * PROPORTION

    def _put_trick(
        self, played: Sequence[Place], towards: dict[int, tuple[float, float]], box: _Box
    ) -> None:
        """Put each card of a trick towards its seat; a ring marks the one that took it."""
        opposite = any(down < 0 for _, down in towards.values())
        width = min(110, box.height / ((1.8 if opposite else 1.6) * PROPORTION), box.width / 3.1)
        height = width * PROPORTION
        x = box.x + (box.width - width) / 2
        y = box.y + (box.height - height) / 2 - (0 if opposite else 0.3 * height)
        for place in played:
            across, down = towards[place.seat]
            at = x + across * width, y + down * height
            self.cards.append(_Card(place.played[-1], *at, width, ring=place.took))

    def _put_piles(self, piles: Sequence[Pile], box: _Box) -> None:
        """Put the piles in rows, with cards as large as the box allows."""
        for width in range(96, 30, -6):
            rows: list[list[tuple[Pile, float]]] = [[]]
            for pile in piles:
                needed = 18 + max(_spread(pile, width), _width(pile.label, FACT))
                if rows[-1] and sum(other for _, other in rows[-1]) + needed > box.width:
                    rows.append([])
                rows[-1].append((pile, needed))
            label = (FACT + 8) * any(pile.label for pile in piles)
            height = label + width * (PROPORTION + 0.3 * any(not pile.label for pile in piles)) + 10
            widest = max(sum(needed for _, needed in row) for row in rows)
            if height * len(rows) <= box.height and widest <= box.width:
                break
        y = box.y + (box.height - height * len(rows)) / 2
        for row in rows:
            x = box.x + (box.width - sum(needed for _, needed in row)) / 2
            for pile, needed in row:
                middle = x + needed / 2
                if pile.label:
                    self.lines.append(_Line(middle, y + FACT, pile.label, FACT, "quiet"))
                start = middle - _spread(pile, width) / 2
                for at, card in enumerate(pile.cards):
                    # what beat a card lies a little lower
                    lower = y + label + (0 if pile.label else 0.3 * at * width)
                    self.cards.append(_Card(card, start + at * 0.5 * width, lower, width))
                x += needed
            y += height


def _spread(pile: Pile, width: float) -> float:
    return width * (1 + 0.5 * (len(pile.cards) - 1))


class _Seat:
    """The measures of a seat's panel: name and status, facts, and cards in at most two rows.

    It is `width` wide at most, with cards so `broad` at most. The facts are in so many `lines`
    below the name, or beside it without lines, where there are cards.
    """

    def __init__(
        self, place: Place, names: Sequence[str], width: float, broad: float, lines: int = 0
    ) -> None:
        self.place = place
        room = width - 2 * MARGIN
        name = _plain(seat_name(place.seat, names))
        self.size = max(20, min(NAME, int(room / _width(name, BOLD))))
        self.name = _cut(name, self.size * BOLD, room)
        facts = [*([place.status] if place.status else []), *_facts(place.facts)]
        named = _width(self.name, self.size * BOLD)
        self.beside, self.below = "", list[str]()
        if lines or not place.cards:
            while facts and len(self.below) < (lines or 2):
                self.below.append(_joined(facts, FACT, room))
                facts = facts[self.below[-1].count(" · ") + 1 :]
        elif facts and _width(facts[0], FACT) <= room - named - 16:
            self.beside = _joined(facts, FACT, room - named - 16)
        cards = fanned(place.cards) if place.in_hand else place.cards
        half = (len(cards) + 1) // 2
        largest = {count: room / (1 + NARROWEST * (count - 1)) for count in (half, len(cards), 1)}
        one_row = largest[len(cards)] >= SMALLER * broad
        self.rows = [row for row in ([cards] if one_row else [cards[:half], cards[half:]]) if row]
        longest = max(map(len, self.rows), default=1)
        self.broad = min(broad, largest[longest])
        step = self.broad * (STEP if place.in_hand else 1.06)
        self.step = min(step, (room - self.broad) / max(1, longest - 1))
        tall = self.broad * PROPORTION
        cards_height = 8 + tall * (1 + NEXT_ROW * (len(self.rows) - 1)) if self.rows else 0
        self.height = 20 + NAME + len(self.below) * (FACT + 6) + cards_height
        beside = 16 + _width(self.beside, FACT) if self.beside else 0
        texts = [named + beside, *(_width(line, FACT) for line in self.below)]
        widest = max([*texts, self.broad + self.step * (longest - 1) if self.rows else 0])
        self.width = min(width, widest + 4 * MARGIN)


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

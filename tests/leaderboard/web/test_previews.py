"""The picture of a position, which other sites show beside a link to a match."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest
from flask.testing import FlaskClient
from fontTools.ttLib import TTFont

from card_arena.leaderboard.web.pages.site import Readers
from card_arena.leaderboard.web.preview import FONTS, HEADER, HEIGHT, WIDTH, drawing, png
from card_arena.leaderboard.web.replays import style_of
from card_arena.tables.cards import card
from card_arena.tables.game import CHANCE
from card_arena.tables.registry import GAMES
from card_arena.tables.scene import Place, Scene, Shown
from card_arena.tests.leaderboard.web.house import HOSTILE
from card_arena.tests.tables.scripted import random_steps

SPADES = "/preview/spades/0001/t01/r1/a.png"
KEYS = {name: f"{name}/0001/t01/r1/a" for name in GAMES} | {"blackjack": "friday/0001/t01/r1/a"}
TABLES = [
    *(("spades", 4), ("blot", 4), ("tarot", 3)),
    *(("durak", seats) for seats in GAMES["durak"].seats),
    *(("blackjack", seats) for seats in GAMES["blackjack"].seats),
]
CARD = re.compile(
    r'<g transform="translate\((\S+) (\S+)\) scale\((\S+)\)">.*?<use href="#(\w+)" width="50"'
)
PANEL = re.compile(r'<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)" rx="12"')


@pytest.fixture(autouse=True)
def _in_a_request(client: FlaskClient) -> Iterator[None]:
    with client.application.test_request_context():
        yield


def drawn(scene: Scene, names: list[str], *, around: bool) -> str:
    return drawing(scene, names, "ada 1 : 0 bob", "friday", around=around)


def size(data: bytes) -> tuple[int, int]:
    """The width and the height of a PNG, from its header."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    return width, height


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_the_positions_of_every_game_have_pictures_that_differ(client: FlaskClient, key: str):
    first, second = (client.get(f"/preview/{key}.png?turn={turn}") for turn in (2, 3))
    for answer in (first, second):
        assert (answer.status_code, answer.mimetype) == (200, "image/png")
        assert size(answer.data) == (WIDTH, HEIGHT) == (1200, 630)
    assert first.data != second.data


def test_every_game_of_a_match_has_its_own(client: FlaskClient):
    assert client.get(f"{SPADES}?game=2&turn=9").data != client.get(f"{SPADES}?turn=9").data


@pytest.mark.parametrize("query", ["game=9", "game=0", "turn=9999", "turn=-1"])
def test_a_turn_or_a_game_that_does_not_exist_has_none(client: FlaskClient, query: str):
    answer = client.get(f"{SPADES}?{query}")
    assert answer.status_code == 404
    assert "of this match has no turn" in answer.text


def test_a_match_that_does_not_exist_has_none(client: FlaskClient):
    assert client.get("/preview/spades/0009/t01/r1/a.png").status_code == 404


def test_others_may_keep_a_picture_and_ask_whether_it_has_changed(client: FlaskClient):
    answer = client.get(SPADES)
    assert answer.headers["Cache-Control"] == "public, max-age=3600"
    again = client.get(SPADES, headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


class Restricted(Readers):
    def is_restricted(self) -> bool:
        return True


def test_where_readers_see_different_results_nobody_keeps_a_picture(client: FlaskClient):
    client.application.extensions["arena"].readers = Restricted()
    answer = client.get(SPADES)
    assert answer.headers["Cache-Control"] == "no-cache"
    assert "Cookie" in answer.headers["Vary"]


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_picture_has_all_cards_and_no_panel_covers_another_one(name: str, seats: int):
    game = GAMES[name]
    names = [f"spades-champion-{seat}" for seat in range(seats)]
    scenes = [game.presentation.scene(step.after) for step in random_steps(game, seats, 7)]
    for scene in scenes[:: max(1, len(scenes) // 60)]:
        svg = drawn(scene, names, around=style_of(game)[0])
        held = [shown.card for place in scene.places for shown in (*place.cards, *place.played)]
        held += [shown.card for pile in scene.piles for shown in pile.cards]
        found = CARD.findall(svg)
        assert sorted(label for *_, label in found) == sorted(map(str, held))
        for x, y, scale, _ in found:
            assert 0 <= float(x) <= WIDTH - 50 * float(scale)
            assert HEADER <= float(y) <= HEIGHT - 70 * float(scale)
        check_panels(svg, seats)
        assert all(svg.count(name) == 1 for name in names)


def check_panels(svg: str, seats: int) -> None:
    panels = [tuple(map(float, panel)) for panel in PANEL.findall(svg)]
    assert len(panels) >= seats
    for x, y, width, height in panels:
        assert x >= 0
        assert HEADER <= y <= HEIGHT - height
        assert x + width <= WIDTH
    for (x, y, width, height), (left, top, broad, high) in combinations(panels, 2):
        apart = x + width <= left or left + broad <= x or y + height <= top or top + high <= y
        assert apart, svg


def test_seven_seats_in_a_row_have_room():
    hand = tuple(map(Shown, map(card, ("AS", "2H", "3D", "4C", "5S", "2D"))))
    facts = (("score", "17"), ("stake", "10"), ("chips", "190"))
    seats = (Place(seat, hand, facts, "stands") for seat in range(7))
    dealer = Place(CHANCE, (*hand[:1], Shown(hand[1].card, face_down=True)))
    scene = Scene("hand 1 of 5", (dealer, *seats))
    svg = drawn(scene, ["a" * 30] * 7, around=False)
    check_panels(svg, 7)
    assert size(png(svg)) == (WIDTH, HEIGHT)


def test_a_card_that_lies_face_down_is_hatched():
    place = Place(0, (Shown(card("AS")),))
    up = drawn(Scene("one", (place,)), ["ada"], around=False)
    face_down = replace(place, cards=(Shown(card("AS"), face_down=True),))
    down = drawn(Scene("one", (face_down,)), ["ada"], around=False)
    assert ('href="#hatch"' in up, 'href="#hatch"' in down) == (False, True)


def test_a_picture_names_the_result_the_tournament_and_the_position():
    scene = Scene("round 1", (Place(0),), (("trick", "4 of 13"), ("goal", "1500")))
    svg = drawing(scene, ["ada"], "ada 61 : −194 bob", "friday", around=True)
    assert ">ada 61 : −194 bob<" in svg
    assert ">friday · round 1 · trick 4 of 13 · goal 1 500<" in svg


def test_markup_in_a_name_is_text():
    svg = drawn(Scene(HOSTILE, (Place(0),)), ["<b>&\x1b"], around=True)
    assert "<b>" not in svg
    assert "<script" not in svg
    assert size(png(svg)) == (WIDTH, HEIGHT)


@pytest.mark.parametrize("path", FONTS)
def test_the_fonts_have_the_letters_of_latin_languages_and_the_suits(path: str):
    letters = {*range(0x20, 0x7F), *range(0xA0, 0x180), *map(ord, "♠♥♦♣−…\u202f")}
    assert letters <= TTFont(path).getBestCmap().keys()

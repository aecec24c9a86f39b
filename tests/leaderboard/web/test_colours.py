"""The colours of the suits, as they are seen with and without every kind of cone."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

import pytest

from card_arena.leaderboard.web import assets

Colour = Sequence[float]
"""Red, green and blue light, each from 0 to 1."""

PALETTE = assets.STATIC / "css" / "colours.css"
SUITS = ("c", "d", "h", "s", "a")

# Machado, Oliveira and Fernandes (2009), a complete lack of one kind of cone.
SIGHT = {
    "all cones": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
WHITE = (0.9505, 1.0, 1.089)


def colour(name: str, scheme: str) -> Colour:
    """A colour of the palette; the dark scheme's values stand in its first media query."""
    light, _, rest = PALETTE.read_text().partition("@media (prefers-color-scheme: dark)")
    dark = rest.partition("\n}")[0]
    found = re.search(rf"--{name}: #(\w{{6}})", dark) if scheme == "dark" else None
    found = found or re.search(rf"--{name}: #(\w{{6}})", light)
    assert found, name
    parts = [int(found[1][at : at + 2], 16) / 255 for at in (0, 2, 4)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def times(matrix: Sequence[Colour], light: Colour) -> list[float]:
    return [sum(a * b for a, b in zip(row, light, strict=True)) for row in matrix]


def contrast(one: Colour, other: Colour) -> float:
    """The contrast of WCAG 2, from 1 to 21."""
    low, high = sorted(times(XYZ, light)[1] for light in (one, other))
    return (high + 0.05) / (low + 0.05)


def distance(one: Colour, other: Colour) -> float:
    """How different two colours look: the distance in CIELAB, where 2.3 is just noticeable."""

    def lab(light: Colour) -> tuple[float, float, float]:
        parts = [part / white for part, white in zip(times(XYZ, light), WHITE, strict=True)]
        x, y, z = (
            part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in parts
        )
        return 116 * y - 16, 500 * (x - y), 200 * (y - z)

    return sum((a - b) ** 2 for a, b in zip(lab(one), lab(other), strict=True)) ** 0.5


def test_the_measures_are_those_of_the_books():
    black, white = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
    assert contrast(black, white) == pytest.approx(21, abs=0.01)
    assert distance(black, white) == pytest.approx(100, abs=0.01)


@pytest.mark.parametrize("sight", SIGHT)
def test_no_two_suits_look_alike(sight):
    seen = {
        suit: [
            min(1, max(0, part)) for part in times(SIGHT[sight], colour(f"suit-{suit}", "light"))
        ]
        for suit in SUITS
    }
    for one, other in itertools.combinations(SUITS, 2):
        assert distance(seen[one], seen[other]) > 25, (one, other)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("suit", SUITS)
def test_a_suit_can_be_read_on_every_face(suit, scheme):
    sign = colour(f"suit-{suit}", scheme)
    assert contrast(sign, colour("card", scheme)) >= 4.5
    assert contrast(sign, colour("card-down", scheme)) >= 4.5
    assert contrast(sign, colour("hatch", scheme)) >= 3

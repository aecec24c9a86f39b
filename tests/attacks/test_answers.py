"""Answers that look like one thing and are another, at the parser of every phase of every game."""

import random

import pytest

from card_arena.tables.game import CHANCE, MalformedAnswer, Terminal
from card_arena.tables.registry import GAMES

DISGUISES = {
    "Arabic digits": lambda text: text.translate(dict(zip(map(ord, "0123456789"), "٠١٢٣٤٥٦٧٨٩"))),
    "wide digits": lambda text: text.translate(
        dict(zip(map(ord, "0123456789"), "０１２３４５６７８９"))
    ),
    "raised digits": lambda text: text.translate(dict(zip(map(ord, "0123456789"), "⁰¹²³⁴⁵⁶⁷⁸⁹"))),
    "wide letters": lambda text: "".join(chr(ord(c) + 0xFEE0) if c.isalpha() else c for c in text),
    "Greek and Cyrillic letters": lambda text: text.translate(str.maketrans("AHKTCS", "ΑΗΚΤСЅ")),
    "a digit apart": lambda text: "".join(f"0_{c}" if c.isdigit() else c for c in text),
    "five thousand digits": lambda text: "".join("9" * 5000 if c.isdigit() else c for c in text),
    "an exponent": lambda text: "".join(f"{c}e0" if c.isdigit() else c for c in text),
    "base sixteen": lambda text: "".join(f"0x{c}" if c.isdigit() else c for c in text),
    "an end in the middle": lambda text: f"{text}\0{text}",
    "two lines": lambda text: f"{text}\n{text}",
    "a line end of another kind": lambda text: f"{text}\u2028",
    "letters that can't be seen": lambda text: f"\u200b{text}\u202e",
    "colours": lambda text: f"\x1b[31m{text}\x1b[0m",
    "a space that is none": lambda text: f"\u00a0{text}\u3000",
    "a list": lambda text: f"[{text!r}]",
}
NONSENSE = (
    "",
    " ",
    "-",
    "+5",
    "-0",
    "5.0",
    "nan",
    "inf",
    "None",
    "True",
    "\\x00",
    "%s%n",
    "S" * 4096,
)


def decisions(game, seed):
    """Every position of a game played by chance in which somebody is asked."""
    rng = random.Random(seed)
    phase = game.start(game.options(), min(4, game.seats[-1]))
    while not isinstance(phase, Terminal):
        legal = phase.legal_actions(phase.to_act)
        if phase.to_act != CHANCE:
            yield phase, legal
        phase, _ = phase.apply(legal.sample(rng))


@pytest.mark.parametrize("disguise", DISGUISES.values(), ids=DISGUISES)
@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_an_answer_in_disguise_is_no_answer(game, disguise):
    rng = random.Random(1)
    tried = 0
    for phase, legal in decisions(game, 2):
        plain = phase.write(legal.sample(rng))
        disguised = disguise(plain)
        if disguised != plain:
            tried += 1
            with pytest.raises(MalformedAnswer) as caught:
                phase.read(disguised)
            assert str(caught.value).isprintable()
            assert len(str(caught.value)) < 1000
    assert tried, "no answer of this game can be disguised so"


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_nonsense_is_malformed_or_illegal_and_nothing_else(game):
    for phase, legal in decisions(game, 3):
        for line in NONSENSE:
            try:
                assert phase.read(line) not in legal
            except MalformedAnswer:
                pass

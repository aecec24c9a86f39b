"""A bot's words reach people's terminals as words: no bot clears a screen or renames a window."""

from collections.abc import Iterator

import pytest

from tests.cli.home import Home
from tests.needs import need
from tests.tournament import stage

HOSTILE = "\x1b[2J\x1b]0;mine\x07\x9b31m\u202e\u200b\r\x08\x7f"
BOT = f"""\
import sys
if int(sys.argv[1]) < 13:
    print("H")
else:
    sys.stdout.reconfigure(encoding="utf-8")
    print({HOSTILE!r} + "S")
    print("last words", {HOSTILE!r}, file=sys.stderr)
"""
MANIFEST = "name: rude\ngames: [blackjack]\nprotocol: argv\nlanguage: python\nabout: plays\n"
AUTHOR = "eve" + HOSTILE


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Iterator[Home]:
    need("bwrap", "bubblewrap")
    home = Home(tmp_path_factory.mktemp("screens"))
    folder = home.folder / "rude"
    folder.mkdir()
    (folder / "bot.py").write_text(BOT)
    (folder / "bot.yaml").write_text(MANIFEST)
    with stage.cache_of_its_own():
        home.done("submit", folder, home.bot(stage.shell("sh12", 12)), "--author", AUTHOR)
        home.tournament(
            "name: small\ngame: blackjack\ntourneys: 1\nrounds: 2\nsanity_check: false\n"
        )
        home.done("run")
        yield home


def harmless(text: str) -> bool:
    return all(sign.isprintable() or sign in "\n\t" for sign in text)


@pytest.mark.parametrize(
    "words",
    [
        ("play", "blackjack", "rude", "sh12", "--options", "hands=5"),
        ("replay", "small/0001/t01/r1/a"),
        ("stderr", "small/0001/t01/r1/a", "rude"),
        ("bots",),
        ("standings", "small"),
        ("verify",),
    ],
    ids=lambda words: words[0],
)
def test_what_a_bot_says_and_is_called_does_nothing_to_a_terminal(words, home):
    output = home.done(*words)
    assert harmless(output), repr(output)
    if words[0] in ("play", "replay", "stderr"):
        assert r"\x1b[2J\x1b]0;mine" in output, "what the bot said is shown"


def test_a_check_shows_what_a_bot_said_and_obeys_none_of_it(home):
    code, output, errors = home.run("check", home.folder / "rude")
    assert code != 0
    assert "last words" in output + errors
    assert harmless(output + errors), repr(output + errors)


def test_a_bot_can_not_be_called_what_is_no_name(home):
    folder = home.folder / "called"
    folder.mkdir()
    (folder / "bot.py").write_text(BOT)
    for name in (r'"\e[2J"', r'"a\nb"', "'<b>'", '"../up"', r'"\u202Eabc"'):
        (folder / "bot.yaml").write_text(MANIFEST.replace("name: rude", f"name: {name}"))
        refusal = home.refused("submit", folder, "--author", "ada")
        assert "must be 1 to 32 of the characters a-z, 0-9, - and _" in refusal
        assert harmless(refusal), repr(refusal)

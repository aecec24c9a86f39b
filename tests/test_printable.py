"""What is printed is text: there is one way to the terminal, and it lets nothing else through."""

import ast
import io
import sys
from pathlib import Path

import pytest
from rich.spinner import Spinner
from rich.style import Style
from rich.text import Text

from card_arena.commands.console import LONGEST_CELL, Printer, Rows
from card_arena.commands.printer import Guarded
from card_arena.common.text import printable
from card_arena.tests.structure import ROOMS

TOP = Path(__file__).parent.parent
EVERYTHING = "".join(map(chr, range(sys.maxunicode + 1)))


def test_no_sign_there_is_reaches_a_terminal_as_anything_but_text():
    safe = printable(EVERYTHING)
    assert safe.replace("\n", "").replace("\t", "").isprintable()
    assert printable(safe) == safe
    assert printable(EVERYTHING, allowed="").isprintable()


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        ("\x1b[2J\x07\x9b\x7f", r"\x1b[2J\x07\x9b\x7f"),
        ("\u202egnp.exe\u2066", r"\u202egnp.exe\u2066"),
        ("a\u200bb\u2028c\ufeff", r"a\u200bb\u2028c\ufeff"),
        ("\udcff\r", r"\udcff\r"),
        ("Ärger ♥\n\tzwei", "Ärger ♥\n\tzwei"),
    ],
)
def test_what_is_not_shown_is_spelled_out_and_the_rest_stays(raw, told):
    assert printable(raw) == told


def test_all_that_is_printed_goes_through_one_place():
    """Whoever prints elsewhere gets guarded streams all the same; here it is seen at once."""
    for file in (TOP / "commands").glob("*.py"):
        if file.name == "printer.py":
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            assert called not in ("print", "click.echo", "click.secho", "Console"), file
            assert not called.startswith(("sys.stdout", "sys.stderr", "os.write")), file
    for part in {*ROOMS} - {"commands", "common", "sandbox", "experiments"}:
        for file in (TOP / part).rglob("*.py"):
            for node in ast.walk(ast.parse(file.read_text())):
                assert not (isinstance(node, ast.Call) and ast.unparse(node.func) == "print"), file


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch) -> Terminal:
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLUMNS", "2000")
    return Terminal()


HOSTILE = "\x1b[2J\x1b]8;;http://evil/\x1b\\\x9b31m\u202e\u200b\r\x08\x7f\udcff"
TOLD = r"\x1b[2J\x1b]8;;http://evil/\x1b\\x9b31m\u202e\u200b\r\x08\x7f\udcff"


def test_a_guarded_stream_is_no_terminal_and_gives_no_way_round_it(terminal, monkeypatch):
    monkeypatch.setattr(sys, "stdout", Guarded(terminal))
    assert not sys.stdout.isatty()
    assert not hasattr(sys.stdout, "buffer")
    print(HOSTILE)
    sys.stdout.writelines([HOSTILE, "\n"])
    assert terminal.getvalue() == f"{TOLD}\n{TOLD}\n"


def test_data_in_a_terminal_is_text_wherever_it_stands_and_our_own_colours_are_colours(
    terminal, monkeypatch
):
    monkeypatch.setattr(sys, "stdout", Guarded(terminal))
    printer = Printer()
    assert printer.is_terminal
    printer.print(HOSTILE, "[bold]:heart:[link=http://evil/]x[/link]", soft_wrap=True)
    printer.print(Text(HOSTILE, style=Style(color="red", link="http://evil/")), soft_wrap=True)
    table = Rows(title=HOSTILE, caption=HOSTILE)
    table.add_column(HOSTILE)
    table.add_row(HOSTILE)
    printer.print(table)
    printer.print(Spinner("dots", text="[link=http://evil/]x[/link]" + HOSTILE), soft_wrap=True)
    shown = terminal.getvalue()
    assert shown.count(TOLD) == 5
    # rich itself drops some signs of a text that was made by hand
    assert shown.count(TOLD.replace(r"\r\x08", "")) == 2
    assert "[bold]:heart:[link=http://evil/]x[/link]" in shown
    assert "\x1b[31m" in shown, "what we colour is coloured"
    ours = shown
    for sequence in ("\x1b[31m", "\x1b[3m", "\x1b[1m", "\x1b[2;3m", "\x1b[32m", "\x1b[0m"):
        ours = ours.replace(sequence, "")
    assert all(sign.isprintable() or sign == "\n" for sign in ours), repr(ours)


def test_a_cell_is_one_line_and_has_an_end(terminal, monkeypatch):
    monkeypatch.setattr(sys, "stdout", Guarded(terminal))
    printer = Printer()
    table = Rows()
    table.add_column("bot")
    table.add_row("ada\nbob v1")
    table.add_row("x" * 100_000)
    printer.print(table)
    assert r"ada\nbob v1" in terminal.getvalue()
    assert len(terminal.getvalue()) < 20 * LONGEST_CELL

"""A bot's words reach people's terminals as words: no bot clears a screen or renames a window.

Every sign that a terminal obeys or hides goes through every field and every command here.
"""

import io
import json
import os
import pty
import re
import select
import sqlite3
import subprocess
import sys
import tarfile
import time
import zlib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from card_arena import arena
from card_arena.tests.cli.home import PATIENCE, ROOT, Home, signals_as_they_are
from card_arena.tests.needs import need
from card_arena.tests.tournament import stage

SIGNS = "".join(
    sign
    for sign in map(chr, range(0x110000))
    if not sign.isprintable()
    and (ord(sign) < 0xA0 or 0x2000 <= ord(sign) < 0x2070 or ord(sign) in (0xAD, 0x61C, 0xFEFF))
)
"""Every control character, and all that turns lines, hides or has no width."""
HOSTILE = f"\x1b[2J\x1b]0;mine\x07\x9b31m\x1b]8;;http://evil/\x1b\\{SIGNS}[bold]:heart:"
ONE_LINE = HOSTILE.replace("\n", "")
NOISE = HOSTILE.encode() + b"\xff\x9b\xed\xa0\x80"
QUOTED = '"' + "".join(f"\\u{ord(s):04X}" for s in HOSTILE + "\ud800") + '\\U000E0001"'
WORD = os.fsdecode("\x1b[2J\x1b]0;mine\x07\x9b31m\r\n\u202e\u200b\u2028\x7f".encode() + b"\xff\x9b")
"""A word of a command line or a file's name, with bytes that are no UTF-8."""

MANIFEST = "name: rude\ngames: [blackjack]\nprotocol: argv\nlanguage: python\nabout: plays\n"
ANSWER = NOISE.replace(b"\n", b"") + b"S\n"
BOT = f"""\
import sys
if int(sys.argv[1]) < 13:
    print("H")
else:
    sys.stdout.buffer.write({ANSWER!r})
    sys.stderr.buffer.write(b"last words " + {NOISE!r})
"""


def harmless(output: bytes) -> bool:
    return all(sign.isprintable() or sign in "\n\t" for sign in output.decode("utf-8"))


def said(home: Home, *words: object) -> str:
    """What a command prints, on standard output and on standard error, byte by byte."""
    with pytest.MonkeyPatch.context() as patch, signals_as_they_are():
        patch.chdir(home.folder)
        patch.delenv("ARENA_DATABASE", raising=False)
        result = CliRunner().invoke(arena.main, [str(word) for word in words])
    assert result.exception is None or isinstance(result.exception, SystemExit), words
    for output in (result.stdout_bytes, result.stderr_bytes):
        assert harmless(output), (words, output)
    return result.output


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Iterator[Home]:
    """A home in which a rude bot has played, and whose store is rude wherever it has text."""
    need("bwrap")
    home = Home(tmp_path_factory.mktemp("screens"))
    folder = home.folder / "rude"
    folder.mkdir()
    (folder / "bot.py").write_text(BOT)
    (folder / "bot.yaml").write_text(MANIFEST)
    with stage.cache_of_its_own():
        sound = home.bot(stage.shell("sh12", 12))
        home.done("submit", folder, sound, "--author", "ada", "--unchecked")
        home.tournament(
            "name: small\ngame: blackjack\nformat: {contest: {legs: 1, rounds: 2}}\n"
            "sanity_check: false\n"
            "same_author: together\n"
        )
        home.done("run")
        home.done("people", "invite", "--name", "Eve", "--email", "eve@example.org")
        home.done("people", "message", "hello")
        home.done("people", "limits", "--a-day", "3", "--reason", "why")
        home.done("season", "annul", "small/0001/t01/r2/a", "--reason", "it is rude")
        spoil(home.database)
        spoil_accounts(home.database.with_name("arena.accounts.db"))
        (home.folder / WORD).touch(0o644)
        (home.folder / WORD).chmod(0o644)
        yield home


def spoil(database: Path) -> None:
    """Put every sign into every text that comes from outside."""
    with sqlite3.connect(database) as store:
        noise = zlib.compress(HOSTILE.encode())
        tags = json.dumps([HOSTILE])
        rows = store.execute("UPDATE bots SET author = ?, tags = ?", (HOSTILE, tags)).rowcount
        rows += store.execute(
            "UPDATE versions SET language = ?, about = ?, tags = ?, protocol = ?",
            (HOSTILE, HOSTILE, tags, HOSTILE),
        ).rowcount
        rows += store.execute("UPDATE builds SET reason = ?, log = ?", (HOSTILE, HOSTILE)).rowcount
        rows += store.execute(
            "UPDATE entrants SET sits_out = ? WHERE place = 0", (HOSTILE,)
        ).rowcount
        rows += store.execute(
            "UPDATE seasons SET settings = json_set(settings, '$.facts.points_title', ?)",
            (HOSTILE,),
        ).rowcount
        rows += store.execute("UPDATE interventions SET reason = ?", (HOSTILE,)).rowcount
        rows += store.execute("UPDATE stderrs SET data = ?", (noise,)).rowcount
        rows += store.execute(
            "UPDATE faults SET code = 'no-sandbox', facts = json_object('reason', ?),"
            " question = ?, answer = ?",
            (HOSTILE,) * 3,
        ).rowcount
        assert rows >= 13
    store.close()


def spoil_accounts(database: Path) -> None:
    """The same for what people wrote."""
    with sqlite3.connect(database) as accounts:
        rows = accounts.execute("UPDATE people SET name = ?", (HOSTILE,)).rowcount
        rows += accounts.execute("UPDATE teams SET name = ?", (HOSTILE,)).rowcount
        rows += accounts.execute("UPDATE messages SET text = ?", (HOSTILE,)).rowcount
        rows += accounts.execute(
            "UPDATE audit_log SET about = ?, answer = ?, details = ?",
            (HOSTILE, HOSTILE, json.dumps({"reason": HOSTILE})),
        ).rowcount
        assert rows >= 6
    accounts.close()


KEY = "small/0001/t01/r1/a"
COMMANDS = [
    ("show", "bots"),
    ("standings",),
    ("standings", "small"),
    ("standings", WORD),
    ("verify",),
    ("verify", WORD),
    ("run", "--until-idle"),
    ("run", "--only", WORD),
    ("run", "--once", WORD),
    ("run", "--folder", WORD),
    ("run", "--seed", WORD),
    ("up", "--host", WORD),
    ("serve", "--host", WORD),
    ("serve", "--port", WORD),
    ("play", "blackjack", "rude", "sh12", "--options", "hands=5"),
    ("play", "blackjack", "rude", "rude", "--questions", "--open"),
    ("play", "blackjack", WORD),
    ("play", WORD, "rude"),
    ("play", "blackjack", "rude", "--options", f"hands={WORD}"),
    ("play", "blackjack", "rude", "--options", WORD),
    ("play", "blackjack", "rude", "--preset", WORD),
    ("play", "blackjack", "rude", "--seed", WORD),
    ("match", "blackjack", "rude", "rude"),
    ("match", "blackjack", "rude", "rude", "--json"),
    ("match", "blackjack", WORD, "rude"),
    ("match", "blackjack", WORD * 20, "rude"),
    ("match", WORD, "rude", "rude"),
    ("match", "blackjack", "rude", "rude", "--options", f"hands={WORD}"),
    ("match", "blackjack", "rude", "rude", "--options", WORD),
    ("compare", "blackjack", "rude", "sh12", "--boards", "1"),
    ("compare", "blackjack", WORD, "sh12", "--boards", "1"),
    ("compare", "blackjack", "rude", "sh12", "--cap", "30"),
    ("compare", "blackjack", WORD, "sh12"),
    ("compare", WORD, "rude", "sh12"),
    ("compare", "blackjack", "rude", "sh12", "--into", WORD * 20),
    ("show", "collusion", "small"),
    ("show", "collusion", WORD),
    ("ledger", "show", "small"),
    ("ledger", "head", "small"),
    ("ledger", "sign", "small", WORD),
    ("ledger", "show", WORD),
    ("ledger", "public", "small", WORD),
    ("ledger", "public", WORD, "7"),
    ("db", "prune", "--dry-run", "--words", "0"),
    ("db", "prune", "--words", WORD),
    ("db", "backup", WORD * 20),
    ("db", "restore", WORD),
    ("db", "copy", WORD, WORD),
    ("cluster", "worker", WORD),
    ("cluster", WORD),
    ("cluster", "keys", WORD),
    ("cluster", "scheduler", WORD),
    ("run", "--cluster", WORD),
    ("export", "small/1"),
    ("export", "small/1", WORD * 20),
    ("export", "decisions", "small/1"),
    ("export", "decisions", "small/1", f"{WORD}.jsonl"),
    ("export", "decisions", WORD),
    ("export", f"small/{WORD}"),
    ("export", WORD),
    ("verify", WORD, "--head", WORD),
    ("verify", "small", "--head", WORD),
    ("replay", "small"),
    ("replay", KEY),
    ("replay", KEY, "--questions"),
    ("replay", KEY, "--watch"),
    ("sit", "blackjack", WORD),
    ("sit", "--resume", WORD),
    ("replay", f"small/{WORD}"),
    ("replay", WORD),
    ("repro", KEY, "1", "2", "rude"),
    ("repro", KEY, "1", "2", WORD),
    ("repro", KEY, WORD, "2", "rude"),
    ("repro", f"{WORD}/1", "1", "2", "rude"),
    ("repro", KEY, "1", "2", "--lines"),
    ("repro", KEY, "1", "2", "--save", WORD * 20),
    ("repro", WORD, "rude"),
    ("repro", WORD),
    ("bot", "tag", "rude", WORD),
    ("bot", "untag", "rude", WORD),
    ("bot", "tag", WORD, "house"),
    ("show", "stderr", KEY, "rude"),
    ("show", "stderr", KEY, WORD),
    ("show", "stderr", WORD, "rude"),
    ("check", WORD),
    ("check", "rude", "--game", WORD),
    ("check", "rude", "--sandbox", WORD),
    ("submit", WORD, "--author", "ada"),
    ("submit", "rude", "--author", "ada", "--database", "sqlite:///other.db"),
    ("submit", "rude", "--author", "ada", "--game", WORD),
    ("submit", "rude", "--author", HOSTILE, "--unchecked", "--tag", WORD),
    ("submit", "sh12", "--author", HOSTILE, "--unchecked", "--folder", WORD),
    ("submit", "rude", "--author", WORD, "--database", "sqlite:///other.db"),
    ("experiment", WORD),
    ("experiment", "--folder", WORD),
    ("doctor", "--sandbox", WORD),
    ("doctor", "--sandbox", "bare", "--database", f"sqlite:///{WORD}"),
    ("doctor", "--sandbox", "bare", "--database", f"sqlite:///{WORD}", "--json"),
    ("show", "bots", "--database", f"sqlite:///{WORD}"),  # it is told that others could read it
    ("show", "bots", "--json"),
    ("replay", KEY, "--json"),
    ("standings", "small", "--json"),
    ("standings", "small", "--from", f"http://127.0.0.1:9/{WORD}"),
    ("pull", f"https://arena.example/{WORD}"),
    ("push", "rude", "--to", f"http://127.0.0.1:9/{WORD}", "--token", "t"),
    ("push", "rude", "--to", "http://127.0.0.1:9", "--token", WORD),
    ("challenge", WORD, "--with", WORD, "--to", "http://127.0.0.1:9", "--token", "t"),
    ("people", "invite", WORD),
    ("people", "invite", "--email", WORD),
    ("people", "invite", "--email", "a@example.org", "--name", WORD),
    ("people", "list"),
    ("people", "list", "--json"),
    ("people", WORD),
    ("people", "role", WORD, "author"),
    ("people", "suspend", WORD, "--reason", WORD),
    ("people", "team", WORD, WORD),
    ("people", "number", WORD, WORD),
    ("people", "excuse", WORD, "--reason", WORD),
    ("people", "excuse", WORD, "--deadline", WORD),
    ("people", "limits"),
    ("people", "limits", "--team", WORD),
    ("people", "limits", "--deadline", WORD),
    ("people", "message"),
    ("people", "message", WORD, "--until", "tomorrow"),
    ("season", "visibility", "small"),
    ("season", "visibility", WORD),
    ("season", "visibility", "small", "--freeze", WORD),
    ("show", "log"),
    ("show", "log", "--json"),
    ("show", "log", "--find", WORD),
    ("plan", "small"),
    ("plan", WORD),
    ("show", "sheets", WORD),
    ("show", "archive", WORD * 20),
    ("show", "coursework", "x.zip", WORD),
    ("show", "sheets", "small", "--to", WORD * 20),
    ("bot", "activate", WORD),
    ("bot", "activate", f"rude@{WORD}"),
    ("bot", "title", "rude", WORD),
    ("bot", "title", WORD, "x"),
    ("bot", "delete", WORD),
    ("season", "expel", "small", WORD, "--reason", "why"),
    ("season", "expel", WORD, "rude", "--reason", WORD),
    ("season", "admit", "small", WORD, "--reason", "why"),
    ("season", "annul", WORD, "--reason", "why"),
    ("season", "annul", f"small/{WORD}", "--reason", "why"),
    ("season", "pause", WORD, "--reason", WORD),
    ("season", "resume", WORD),
    ("bot", "move", WORD, "--name", "x", "--reason", "why"),
    ("bot", "move", "rude", "--name", WORD, "--reason", "why"),
    ("bot", "move", "rude", "--author", WORD, "--reason", WORD),
    ("bot", "check", WORD),
    ("image", "check", WORD),
    ("image", WORD),
    ("show", "completion", "bash"),
    ("show", "completion", WORD),
    ("show", "bots", "--database", WORD),
    ("show", "bots", "--database", f"sqlite:///{WORD}"),
    ("show", "bots", "--database", f"postgresql://{WORD}"),
    ("check", WORD * 20),
    ("submit", WORD * 20, "--author", "ada"),
    ("bot", "challenge", WORD, WORD, "--game", WORD),
    ("bot", "challenge", "rude", WORD),
    ("bot", "review", "rude", WORD),
    ("review", WORD),
    ("review", "small"),
    ("review", f"small/{WORD}"),
    ("review", KEY, "--by", WORD),
    ("review", KEY, "--by", "rude"),
    ("bot", "withdraw", WORD),
    ("bot", "readmit", "sh12"),
    ("run", "--folder", WORD * 20),
    ("show", "bots", "--database", f"sqlite:///{WORD * 20}"),
    (WORD,),
    (f"--{WORD}",),
    ("show", "bots", f"--{WORD}"),
    ("show", "bots", WORD),
]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0][:8])
def test_no_command_prints_what_a_terminal_would_obey(words, home):
    output = said(home, *words)
    if words in (("replay", KEY), ("show", "stderr", KEY, "rude")):
        assert r"\x1b[2J\x1b]0;mine\x07" in output, "what was said is shown, and spelled out"


def test_every_command_there_is_was_tried():
    tried = {" ".join(words[:2]) for words in COMMANDS} | {words[0] for words in COMMANDS}
    assert tried >= {*arena.main.commands}
    for name in ("bot", "db", "ledger", "season", "show"):
        group = arena.main.commands[name]
        assert isinstance(group, click.Group)
        known = {f"{name} {each}" for each in group.commands} - {"show games", "show languages"}
        assert tried >= known


FIELDS = [
    *("name", "games", "protocol", "language", "main", "build", "run", "image", "warm"),
    *("tags", "about", "include", QUOTED),
]


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field[:8])
def test_no_field_of_a_bots_description_does_anything_to_a_terminal(field, home, tmp_path):
    (tmp_path / "bot.py").write_text(BOT)
    kept = [line for line in MANIFEST.splitlines() if not line.startswith(f"{field}:")]
    if field == "run":
        kept = [line for line in kept if not line.startswith("language:")]
    store = ("--database", f"sqlite:///{tmp_path}/fields.db")
    for value in (QUOTED, f"[{QUOTED}]", f"[[{QUOTED}, {QUOTED}]]", f"{{{QUOTED}: {QUOTED}}}"):
        (tmp_path / "bot.yaml").write_text("\n".join([*kept, f"{field}: {value}"]))
        said(home, "submit", tmp_path, "--author", "ada", *store)
    said(home, "check", tmp_path)  # it reads the same, and is slow to make its questions
    said(home, "show", "bots", *store)


PERCENT = "".join(f"%{byte:02X}" for byte in HOSTILE.encode())


@pytest.mark.parametrize(
    "text",
    [
        f"about: !<{PERCENT}> x\n",
        f"about: !x{PERCENT} x\n",
        f"%TAG !e! {PERCENT}\n---\nabout: !e!x y\n",
        f"%YAML {PERCENT}\n---\nabout: y\n",
        "about: *\x1b[2J\n",
        "about: \x1b[2J\n",
        "about: \x9b31m\u202e\n",
        "about: '\u202e\u2066\ufeff\x85\u2028\n",
    ],
)
def test_neither_does_what_is_no_yaml_or_has_tags(text, home, tmp_path):
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "bot.yaml").write_text(text + MANIFEST.replace("about: plays\n", ""))
    for command in (("submit", tmp_path, "--author", "ada"), ("check", tmp_path)):
        assert "bot.yaml" in said(home, *command)
    (tmp_path / "small.yaml").write_text(text + "name: small\ngame: blackjack\n")
    said(home, "run", "--folder", tmp_path)


@pytest.mark.parametrize("code", [0, 1])
def test_what_a_build_prints_is_text(code, home, tmp_path):
    (tmp_path / "noise").write_bytes(NOISE)
    build = f"build: [[sh, -c, 'cat noise; cat noise >&2; exit {code}']]\nrun: ./bot\n"
    (tmp_path / "bot").write_text("#!/bin/sh\necho S\n")
    (tmp_path / "bot.yaml").write_text(
        MANIFEST.replace("language: python\n", build).replace("rude", f"loud{code}")
    )
    outputs = said(home, "check", tmp_path), said(home, "submit", tmp_path, "--author", "ada")
    if code:
        assert all(r"\x1b[2J\x1b]0;mine\x07" in output for output in outputs)


@pytest.mark.parametrize("command", [("check",), ("submit", "--author", "ada")])
def test_names_of_files_folders_and_archives_are_text(command, home, tmp_path):
    name = WORD
    folder = tmp_path / name
    folder.mkdir()
    assert said(home, *command, folder)
    (folder / "bot.yaml").write_text(MANIFEST)
    (folder / name).write_text("x")
    assert r"\x1b[2J\x1b]0;mine\x07" in said(home, *command, folder)
    archive = tmp_path / f"{name}.tar.gz"
    with tarfile.open(archive, "w:gz", errors="surrogateescape") as packed:
        for inside in ("bot.yaml", f"x/{name}", f"../{name}"):
            entry = tarfile.TarInfo(inside)
            entry.size = len(MANIFEST)
            packed.addfile(entry, io.BytesIO(MANIFEST.encode()))
    assert said(home, *command, archive)


@pytest.mark.parametrize(
    "line",
    [
        *(f"{field}: {QUOTED}" for field in ("name", "game", "entrants", "clock", "require")),
        *(f"{field}: [{QUOTED}]" for field in ("entrants", "images", "rounds", "require")),
        *(f"options: {{{QUOTED}: 1}}", f"options: {{hands: {QUOTED}}}", f"{QUOTED}: 1"),
        f"schedule: {{cron: {QUOTED}, zone: {QUOTED}}}",
    ],
)
def test_no_tournaments_file_does_anything_to_a_terminal(line, home, tmp_path):
    field = line.partition(":")[0]
    kept = [t for t in ("name: small", "game: blackjack") if not t.startswith(f"{field}:")]
    (tmp_path / f"{WORD}.yaml").write_text("\n".join([*kept, line]))
    assert said(home, "run", "--folder", tmp_path)


def test_an_error_that_nobody_caught_is_told_in_text():
    raised = f"from card_arena import arena\ndef main(**_): raise ValueError({HOSTILE!r})\n"
    raised += "arena.main.callback = main\narena.main(['show', 'games'])"
    done = subprocess.run(
        [sys.executable, "-c", raised],
        cwd=ROOT,
        capture_output=True,
    )
    assert done.returncode == 1
    assert rb"ValueError: \x1b[2J\x1b]0;mine" in done.stderr
    assert harmless(done.stdout + done.stderr)


OURS = re.compile(r"\x1b\[(?:[0-9;]*m|\?25[lh]|2K|1A)|\r")
"""Colours, the cursor hidden and shown, a line wiped, the line above: what bars are made of."""


def in_a_terminal(home: Home, *words: object) -> str:
    """Run a command as somebody sees it, in a terminal, and give what arrives there."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color"}
    for name in ("ARENA_DATABASE", "NO_COLOR"):
        environment.pop(name, None)
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", "from card_arena.arena import main; main()", *map(str, words)],
        cwd=home.folder,
        env=environment,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
    )
    os.close(theirs)
    seen = b""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if not select.select([ours], [], [], PATIENCE)[0]:
            break
        try:
            chunk = os.read(ours, 65536)
        except OSError:  # so the kernel says that nobody holds the other end any more
            break
        seen += chunk
    os.close(ours)
    process.wait(PATIENCE)
    return seen.decode("utf-8")


@pytest.mark.parametrize(
    "words",
    [
        ("show", "bots"),
        ("standings",),
        ("replay", KEY),
        ("show", "stderr", KEY, "rude"),
        ("play", "blackjack", "rude", "sh12"),
        ("compare", "blackjack", "rude", "sh12", "--boards", "2"),
        ("run", "--once", "small"),
        ("check", "rude"),
        ("submit", WORD, "--author", "ada"),
        ("check", WORD),
        (f"--{WORD}",),
    ],
    ids=lambda words: words[0][:8],
)
def test_in_a_terminal_the_only_sequences_are_our_own(words, home):
    seen = in_a_terminal(home, *words)
    assert seen
    rest = OURS.sub("", seen)
    assert all(sign.isprintable() or sign in "\n\t" for sign in rest), repr(rest)
    if words[0] == "run":
        assert "\x1b[?25l" in seen, "there was a bar"

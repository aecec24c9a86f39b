"""Add a toy of each kind to a copy of the tree, try it, and print the files that it needed.

`scripts/touch` runs this. A toy that needs another file than CONTRIBUTING.md promises is an error.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

TOP = Path(__file__).parent.parent
TOYS = Path(__file__).parent / "toys"
LINKED = ("experiments", "docs")
"""Folders that no toy changes."""


class Failed(Exception):
    """A toy does not work; the message says what it printed."""


@dataclass(frozen=True)
class Toy:
    """Something to add: whole files, and lines that go behind a line of a file.

    A line behind nothing goes to the end. `kit` tries it in a copy of the tree.
    """

    kind: str
    kit: Callable[[Tree], None]
    files: Mapping[str, str] = field(default_factory=dict)
    lines: Sequence[tuple[str, str, str]] = ()


@dataclass(frozen=True)
class Tree:
    """A copy of the project."""

    folder: Path

    def add(self, toy: Toy) -> list[str]:
        """Add a toy; return the files that it needed."""
        for path, text in toy.files.items():
            target = self.folder / path
            target.parent.mkdir(exist_ok=True)
            target.write_text(text)
        for path, behind, line in toy.lines:
            target = self.folder / path
            text = target.read_text()
            if text.count(f"{behind}\n") < 1:
                raise Failed(f"{path} has no line {behind!r}")
            head, mark, tail = text.partition(f"{behind}\n") if behind else (text, "", "")
            target.write_text(f"{head}{mark}{line}\n{tail}")
        return sorted({*toy.files, *(path for path, _, _ in toy.lines)})

    def python(self, *words: str, home: Path | None = None) -> str:
        """Run Python in the copy; return its output. Raises `Failed`."""
        environment = {**os.environ, "PYTHONPATH": str(self.folder.parent)}
        environment.pop("ARENA_DATABASE", None)
        done = subprocess.run(
            [sys.executable, *words],
            cwd=home or self.folder,
            env=environment,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise Failed(f"{' '.join(words)}\n{done.stdout}{done.stderr}")
        return done.stdout

    def arena(self, home: Path, *words: str) -> str:
        """Type a command of the arena."""
        return self.python(
            "-P", "-c", "from card_arena.arena import main; main()", *words, home=home
        )


def copies() -> Iterator[Path]:
    """Yield the files that a copy needs."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=TOP,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if not name.startswith(("tests/golden/", *(f"{folder}/" for folder in LINKED))):
            yield Path(name)


def copied(folder: Path) -> Tree:
    for path in copies():
        if (TOP / path).exists():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(TOP / path, target, follow_symlinks=False)
    for name in LINKED:
        (folder / name).symlink_to(TOP / name)
    return Tree(folder)


def season(tree: Tree, game: str, form: str) -> None:
    """Play a season of three starters; both verifiers agree with it."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        (home / "tournaments").mkdir()
        (home / "tournaments" / "toy.yaml").write_text(
            f"name: toy\ngame: {game}\nformat: {{{form}: {{}}}}\nrequire: []\nsandbox: bare\n"
            "clock: {question: 5s, start: 20s}\n"
        )
        for bot in ("ann", "bob", "cid"):
            shutil.copytree(tree.folder / "bots" / "starters" / "python", home / bot)
            manifest = home / bot / "bot.yaml"
            manifest.write_text(manifest.read_text().replace("starter-python", bot))
            tree.arena(home, "submit", "--unchecked", bot, "--author", bot)
        tree.arena(home, "run", "--once", "toy")
        standings = tree.arena(home, "standings", "toy")
        if not all(bot in standings for bot in ("ann", "bob", "cid")):
            raise Failed(f"bots are missing in the standings:\n{standings}")
        tree.arena(home, "verify")
        tree.arena(home, "export", "toy/1", "season.zip")
        found = tree.python(str(tree.folder / "examples" / "verify"), "season.zip", home=home)
        if " 0 packs" in found:
            raise Failed(f"the second verifier checked no pack:\n{found}")


def game_kit(tree: Tree) -> None:
    tree.python("-P", "-m", "pytest", "-q", "-k", "highcard", "tests/tables/test_battery.py")
    season(tree, "highcard", "league")


def format_kit(tree: Tree) -> None:
    season(tree, "durak", "once")


def site_kit(*checks: tuple[str, str]) -> Callable[[Tree], None]:
    """Ask a furnished site for addresses; each answer holds a text."""

    def kit(tree: Tree) -> None:
        with tempfile.TemporaryDirectory() as name:
            program = (
                "import sys\n"
                "from card_arena.leaderboard.web.app import create_app\n"
                "from card_arena.results.store import Store\n"
                "from card_arena.tests.leaderboard.web.house import furnish\n"
                "url = f'sqlite:///{sys.argv[1]}/toy.db'\n"
                "store = Store(url); furnish(store); store.close()\n"
                "client = create_app(url).test_client()\n"
                f"for address, text in {checks!r}:\n"
                "    answer = client.get(address)\n"
                "    assert (answer.status_code, text in answer.text) == (200, True), address\n"
            )
            tree.python("-c", program, name)

    return kit


def operation_kit(tree: Tree) -> None:
    """Give the operation at the shell, and find it in the API and in the form."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        bot = str(tree.folder / "bots" / "starters" / "python")
        tree.arena(home, "submit", "--unchecked", bot, "--author", "ann")
        answer = tree.arena(home, "bot", "greet", "starter-python", "--word", "hello")
        if "hello, starter-python" not in answer:
            raise Failed(f"the operation was not carried out: {answer}")
        program = (
            "from card_arena.accounts import operations\n"
            "from card_arena.accounts.web.api.waiting_operations import BotOperation\n"
            "assert 'greet' in str(BotOperation.model_json_schema())\n"
            "assert 'greet' in [each.name for each in operations.about('bot')]\n"
        )
        tree.python("-c", program)


READER = '''

class OldestBot(Shape):
    """The bot that was submitted first."""

    bot: Text
    """Its name."""


def oldest_bot(store: Store) -> OldestBot:
    """The bot that was submitted first."""
    first = min(all_versions(store), key=lambda version: version.submitted)
    return OldestBot(bot=first.bot)
'''
ROUTE = '''

@blueprint.get("/oldest")
def oldest() -> str:
    """The bot that was submitted first."""
    from card_arena.leaderboard.bots import oldest_bot

    return render_template("oldest.html", oldest=oldest_bot(site().store))
'''
TEMPLATE = """\
{% extends "base.html" %}
{% block title %}The oldest bot{% endblock %}
{% block main %}<h1>The oldest bot</h1><p>It is {{ oldest.bot }}.</p>{% endblock %}
"""
RESOURCE = 'resource("oldest", "/oldest", bots.oldest_bot, bots.OldestBot, "bots")'
DECLARATION = """\
        Operation(
            "greet",
            "bot",
            "Greet a bot.",
            "Greet",
            (Parameter("word", "What to say.", "Word", missing="say something", most=20),),
        ),"""
FUNCTION = '''

@carries_out("greet")
def greet(store: Store, order: AuditEntry) -> str:  # noqa: ARG001
    """Greet a bot."""
    return f"{order.details['word']}, {order.about}"
'''

GAME = '        "durak": "card_arena.tables.durak:Durak",'
TOY_GAMES = (TOYS / "high_card.py").read_text()
FORMAT_IMPORT = "from card_arena.formats.ladder import Ladder"
STAGES = "_STAGES = {each.name: each for each in (Contest(), League(), Cut(), Swiss(), Knockout())}"

KINDS = (
    Toy(
        "a game",
        game_kit,
        {"tables/highcard/__init__.py": TOY_GAMES},
        [
            (
                "tables/registry.py",
                GAME,
                '        "highcard": "card_arena.tables.highcard:HighCard",',
            )
        ],
    ),
    Toy(
        "a format",
        format_kit,
        {"formats/once.py": (TOYS / "once.py").read_text()},
        [
            ("formats/registry.py", "    Ladder.name: Ladder(),", "    Once.name: Once(),"),
            ("formats/registry.py", FORMAT_IMPORT, "from card_arena.formats.once import Once"),
        ],
    ),
    Toy(
        "a page",
        site_kit(("/oldest", "<h1>The oldest bot</h1>")),
        {"leaderboard/web/templates/oldest.html": TEMPLATE},
        [("leaderboard/bots.py", "", READER), ("leaderboard/web/pages/bots.py", "", ROUTE)],
    ),
    Toy(
        "an operation: command, API and form",
        operation_kit,
        {},
        [
            ("accounts/operations.py", "    for each in (", DECLARATION),
            ("tournament/operations.py", "", FUNCTION),
        ],
    ),
    Toy(
        "a resource of the API",
        site_kit(("/api/v1/oldest", '"bot"'), ("/api/v1/openapi.json", "OldestBot")),
        {},
        [("leaderboard/bots.py", "", READER), ("leaderboard/web/api/resources.py", "", RESOURCE)],
    ),
)


def rows() -> Iterator[tuple[str, list[str]]]:
    """Add and try each toy; yield its kind and the files that it needed. Raises `Failed`."""
    for toy in KINDS:
        with tempfile.TemporaryDirectory(prefix="arena-touch-") as folder:
            tree = copied(Path(folder) / "card_arena")
            files = tree.add(toy)
            toy.kit(tree)
            yield toy.kind, files


if __name__ == "__main__":
    print("| to add | files, besides tests and docs |\n| --- | --- |")
    try:
        for kind, files in rows():
            print(f"| {kind} | {', '.join(f'`{file}`' for file in files)} |", flush=True)
    except Failed as error:
        sys.exit(f"A toy does not work: {error}")

"""`arena submit`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import click

from card_arena.commands.playing import warn_without_walls
from card_arena.commands.printer import say
from card_arena.common.marked_yaml import BadYaml
from card_arena.results.bots import NameTaken
from card_arena.results.proof.ledger import checked_hash
from card_arena.results.store import Store
from card_arena.sandbox.bundles.bundle import Bundle
from card_arena.sandbox.bundles.manifest import FILE
from card_arena.sandbox.sandbox import SandboxBroken, retried
from card_arena.tournament.exhibition import house_table
from card_arena.tournament.settings import NoTournament, Settings, read_folder
from card_arena.tournament.submissions import (
    HOUSE,
    SANDBOX,
    WITH_REMARKS,
    Accepted,
    Prospect,
    Rejected,
    check_bot,
    entry_sentences,
    prospects,
    read_bot,
    take,
)


def submit(
    bots: Sequence[Path],
    author: str | None,
    author_from: str | None,
    include_from: Sequence[Path],
    tags: Sequence[str],
    nonce: str | None,
    game: str | None,
    unchecked: bool,
    folder: Path,
    sandbox: str,
    wheels: Path | None,
    store: Store,
) -> None:
    """Accept every bot that passes, say where each will play, and end with the rejections.

    `nonce` is the hash of the author's nonce. Without `author`, `author_from` says where each
    bot's author is read. Several bots get a table. Raises `Rejected`, or `SandboxBroken` if the
    arena failed to check a bot.
    """
    if (author is None) == (author_from is None):
        raise click.UsageError("give either --author NAME, or --author-from folder or bot.yaml")
    nonce = None if nonce is None else checked_hash(nonce)
    warn_without_walls(sandbox)
    rejections = []
    broken = []
    summary = list[tuple[str, str, str, str]]()
    entered: dict[str, Sequence[Prospect]] = {}
    names: dict[str, Path] = {}
    allowed = (HOUSE, *include_from)
    table = house_table(game, sandbox=sandbox, wheels=wheels) if game else None
    wheels = table.wheels if table else wheels
    check = None if unchecked else partial(check_bot, sandbox=sandbox, table=table, wheels=wheels)
    tournaments, trouble = _tournaments(folder)
    for path in each_bot(bots):
        name = owner = ""
        try:
            bundle = read_bot(path, allowed)
            name = bundle.manifest.name
            owner = author_of(path, bundle, author, author_from)
            if names.setdefault(name, path) != path:
                raise Rejected(f"{path}: the name {name} is already taken by {names[name]}")
            bot = store, path, owner, sandbox, allowed
            taken = retried(partial(take, *bot, tags=tags, check=check, wheels=wheels))
        except (Rejected, NameTaken) as error:
            reason = _reason(path, error)
            rejections.append(reason)
            summary.append((name or str(path), owner, "rejected", _brief(path, reason)))
            continue
        except SandboxBroken as error:
            broken.append(_reason(path, error))
            summary.append((name, owner, "not checked", _brief(path, str(error))))
            continue
        outcome = "accepted" if taken.new else "unchanged"
        summary.append((taken.version.label, owner, outcome, taken.waits_for))
        for sentence in _notices(taken):
            say(sentence)
        if nonce is not None:
            store.submit_nonce(name, nonce)
            say(f"seasons that begin from now on have its nonce's hash {nonce}")
        if not trouble:
            entries = prospects(store, taken.version, tournaments, datetime.now(UTC))
            entered[taken.version.bot] = tuple(entries)
    skipped = [(str(path), "", "passed over", f"no {FILE}") for path in without_bot(bots)]
    if len(summary) + len(skipped) > 1:
        for text in summary_lines([*summary, *skipped]):
            say(text)
    for line in entry_sentences(entered, str(folder)):
        say(line)
    if trouble and len(broken) + len(rejections) < len(summary):
        say(f"The tournaments of these bots are unknown: {trouble}")
    if broken:
        raise SandboxBroken("\n".join([*broken, *rejections]))
    if rejections:
        raise Rejected("\n".join(rejections))


def submit_house(bots: Sequence[Path], store: Store) -> None:
    """Submit house bots, tagged as such, without asking them anything; say what became of each."""
    for path in each_bot(bots):
        try:
            taken = retried(partial(take, store, path, "house", SANDBOX, (HOUSE,), tags=("house",)))
        except (Rejected, NameTaken, SandboxBroken) as error:
            say(f"not submitted: {_reason(path, error)}")
        else:
            for sentence in _notices(taken) if taken.new else ():
                say(sentence)


def summary_lines(lines: Sequence[tuple[str, str, str, str]]) -> Iterator[str]:
    """A line for each bot: the outcome, its name and author, the reason."""
    widest = max(len(outcome) for _, _, outcome, _ in lines)
    for name, author, outcome, reason in lines:
        by = f" by {author}" if author else ""
        yield f"{outcome:{widest}}  {name}{by}{': ' if reason else ''}{reason}"


def _reason(path: Path, error: Exception) -> str:
    """The reason why a bot was not accepted, behind its path."""
    return str(error) if isinstance(error, Rejected) else f"{path}: {error}"


def _brief(path: Path, reason: str) -> str:
    """The first line of a reason, without the path before it."""
    return reason.removeprefix(f"{path}: ").partition("\n")[0]


def _notices(taken: Accepted) -> Iterator[str]:
    """The sentences about an accepted bot for its author."""
    line = "accepted" if taken.new else "already accepted, unchanged"
    if taken.waits_for:
        line += f"; it sits out until this machine has what it needs: {taken.waits_for}"
    if taken.version.withdrawn:
        line += f"; it stays withdrawn until `arena bot readmit {taken.version.bot}`"
    yield f"{taken.version.label} {line}"
    if taken.remarks:
        yield f"{WITH_REMARKS}\n{taken.remarks}"


def _tournaments(folder: Path) -> tuple[Sequence[Settings[Any]], str]:
    """The tournaments, or none and the reason why their files can't be read."""
    try:
        return read_folder(folder), ""
    except (BadYaml, NoTournament) as error:
        return (), str(error)


ARCHIVES = (".zip", ".tar.gz", ".tgz")


def each_bot(paths: Sequence[Path]) -> Iterator[Path]:
    """The bots at these paths; a folder without a bot.yaml stands for its bots."""
    for path in paths:
        inside = [*_inside(path)] if path.is_dir() and not (path / FILE).exists() else []
        yield from inside or [path]


def _inside(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if (path / FILE).is_file() or (path.is_file() and path.name.endswith(ARCHIVES)):
            yield path


def without_bot(paths: Sequence[Path]) -> Iterator[Path]:
    """The folders without a bot in a folder that stands for its bots."""
    for parent in paths:
        if parent.is_dir() and not (parent / FILE).exists() and any(_inside(parent)):
            for path in sorted(parent.iterdir()):
                if path.is_dir() and not path.name.startswith(".") and not (path / FILE).exists():
                    yield path


def author_of(path: Path, bundle: Bundle, named: str | None, source: str | None) -> str:
    """The author of a bot: as named, by the name of its folder, or by its bot.yaml.

    Raises `Rejected` without an author.
    """
    if named is not None:
        return named
    if source == "folder":
        folder = path.parent if path.name == FILE else path
        name = folder.absolute().name
        for ending in ARCHIVES:
            name = name.removesuffix(ending)
        return name
    if bundle.manifest.author is None:
        raise Rejected(
            f"{path}: its {FILE} has no `author:`. Add one, or use another --author-from."
        )
    return bundle.manifest.author

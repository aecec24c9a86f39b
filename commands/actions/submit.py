"""`arena submit`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from commands.printer import say
from commands.tables import warn_without_walls
from common.marked_yaml import BadYaml
from leaderboard.proof.nonces import checked_hash
from leaderboard.storage.store import NameTaken, Store
from sandbox.box import BoxBroken
from tournament.authors.admission import Prospect, entry_sentences, examine, prospects
from tournament.authors.exhibition import house_table
from tournament.authors.submission import HOUSE, WITH_REMARKS, Refused, Taken, read_bot, take
from tournament.settings import NoTournament, Settings, read_folder


def submit(
    bots: Sequence[Path],
    author: str,
    include_from: Sequence[Path],
    tags: Sequence[str],
    nonce: str | None,
    game: str | None,
    unchecked: bool,
    folder: Path,
    box: str,
    wheels: Path | None,
    store: Store,
) -> None:
    """Accept every bot that passes, say where each will play, and end with why others were refused.

    `nonce` is the hash of the author's nonce. Raises `Refused`, or `BoxBroken` if the arena failed
    to examine a bot.
    """
    nonce = None if nonce is None else checked_hash(nonce)
    warn_without_walls(box)
    refused = []
    broken = []
    entered: dict[str, Sequence[Prospect]] = {}
    names: dict[str, Path] = {}
    allowed = (HOUSE, *include_from)
    table = house_table(game, box=box, wheels=wheels) if game else None
    wheels = table.wheels if table else wheels
    examiner = None if unchecked else partial(examine, box=box, table=table, wheels=wheels)
    tournaments, trouble = _tournaments(folder)
    for path in bots:
        try:
            name = read_bot(path, allowed).manifest.name
            if names.setdefault(name, path) != path:
                raise Refused(f"{path}: the name {name} is already taken by {names[name]}")
            taken = take(
                store, path, author, box, allowed, tags=tags, examine=examiner, wheels=wheels
            )
        except Refused as error:
            refused.append(str(error))
            continue
        except NameTaken as error:
            refused.append(f"{path}: {error}")
            continue
        except BoxBroken as error:
            broken.append(f"{path}: {error}")
            continue
        for sentence in _news(taken):
            say(sentence)
        if nonce is not None:
            store.hand_in(name, nonce)
            say(f"seasons that begin from now on have its nonce's hash {nonce}")
        if not trouble:
            found = prospects(store, taken.version, tournaments, datetime.now(UTC))
            entered[taken.version.bot] = tuple(found)
    for line in entry_sentences(entered, str(folder)):
        say(line)
    if trouble and len(broken) + len(refused) < len(bots):
        say(f"can't tell which tournaments would enter them: {trouble}")
    if broken:
        raise BoxBroken("\n".join([*broken, *refused]))
    if refused:
        raise Refused("\n".join(refused))


def _news(taken: Taken) -> Iterator[str]:
    """Say that a bot was taken in, and what the author should know about it."""
    news = "is in" if taken.new else "is already in, unchanged"
    if taken.waits_for:
        news += f"; it sits out until this machine has what it needs: {taken.waits_for}"
    if taken.version.withdrawn:
        news += f"; it stays withdrawn until `arena withdraw --undo {taken.version.bot}`"
    yield f"{taken.version.label} {news}"
    if taken.remarks:
        yield f"{WITH_REMARKS}\n{taken.remarks}"


def _tournaments(folder: Path) -> tuple[Sequence[Settings[Any]], str]:
    """Read the tournament files, or say why they can't be read: that keeps no bot out."""
    try:
        return read_folder(folder), ""
    except (BadYaml, NoTournament) as error:
        return (), str(error)

"""The file in which a comparison is kept, so that it can be killed and go on with the same boards.

It is text, a line of JSON each: first the question and the seed of the cards, then every board in
order. A board is written when it has been judged; a line that was being written when the machine
stopped is dropped, and its board is played again with the same cards.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any, BinaryIO

from common.errors import UserError
from common.untrusted_json import read_json
from tournament.authors.boards import Board, Showing, Slip
from tournament.authors.comparison import Question

FORMAT = 1
"""The version of the file's format."""


class BadComparisonFile(UserError):
    """A kept comparison can't be read or is in use; the message says where and what to do."""


class ComparisonFile:
    """An open file of a comparison. `seed` is that of the cards, `boards` those played before."""

    def __init__(self, path: Path, file: BinaryIO, seed: bytes, boards: list[Board]) -> None:
        self.path = path
        self.seed = seed
        self.boards = boards
        self._file = file
        self._slipped = {
            chair
            for board in boards
            for chair, showing in enumerate(board.showings)
            if showing.slip is not None
        }

    def keep(self, board: Board) -> None:
        """Add a board. Of each chair only the first fault of all is kept in full."""
        bots = []
        for chair, showing in enumerate(board.showings):
            new = showing.slip is not None and chair not in self._slipped
            if new:
                self._slipped.add(chair)
            bots.append(
                {
                    "lead": str(showing.lead),
                    "won": str(showing.won),
                    "faults": showing.faults,
                    "forgiven": showing.forgiven,
                    "slowest": showing.slowest,
                    **({} if showing.less_luck is None else {"less_luck": str(showing.less_luck)}),
                    **({"slip": asdict(showing.slip)} if new and showing.slip else {}),
                }
            )
        self._file.write(_line({"board": board.number, "games": board.games, "bots": bots}))
        self._file.flush()


@contextmanager
def open_comparison(
    folder: Path, question: Question, seed: bytes | None
) -> Iterator[ComparisonFile]:
    """Open the file of a question, new or as it was left; nobody else can until the block ends.

    Without a seed, the latest comparison with this question goes on, or else one with a new seed
    begins. Raises `BadComparisonFile`.
    """
    path, seed = _found(folder, question, seed)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = open(path, "a+b", opener=_private)  # noqa: SIM115 - a path's own has no opener
    except OSError as error:
        raise BadComparisonFile(f"{path} can't be written: {error.strerror}") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise BadComparisonFile(
                f"this comparison is being played by another process: {path} is in use"
            ) from None
        header, boards = _read(path, file)
        if header is None:
            file.write(
                _line({"comparison": FORMAT, "seed": seed.hex(), "question": question.about})
            )
            file.flush()
        elif header.get("comparison") != FORMAT or header.get("seed") != seed.hex():
            raise BadComparisonFile(
                f"{path}, line 1: expected a comparison of format {FORMAT} with the seed"
                f" {seed.hex()}; remove the file to begin again"
            )
        yield ComparisonFile(path, file, seed, boards)


def _private(path: str, flags: int) -> int:
    """Open a file that others on this machine can't read: it holds bots' standard error."""
    return os.open(path, flags, 0o600)


def _found(folder: Path, question: Question, seed: bytes | None) -> tuple[Path, bytes]:
    """The file of a question and its seed, whether or not it is there."""
    text = json.dumps(question.about, sort_keys=True)
    stem = f"{question.about['game']}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"
    if seed is None:
        kept = [path for path in folder.glob(f"{stem}-*.jsonl") if path.stat().st_size]
        for path in sorted(kept, key=lambda path: path.stat().st_mtime, reverse=True):
            with path.open("rb") as file:
                header = _parsed(file.readline())
            if header is not None:
                return path, _seed(path, header)
        seed = secrets.token_bytes(32)
    return folder / f"{stem}-{hashlib.sha256(seed).hexdigest()[:16]}.jsonl", seed


def _seed(path: Path, header: dict[str, Any]) -> bytes:
    try:
        return bytes.fromhex(header["seed"])
    except (KeyError, TypeError, ValueError):
        raise BadComparisonFile(
            f"{path}, line 1: expected a seed; remove the file to begin again"
        ) from None


def _read(path: Path, file: BinaryIO) -> tuple[dict[str, Any] | None, list[Board]]:
    """Read what is kept, and drop a last line that was cut off."""
    file.seek(0)
    header: dict[str, Any] | None = None
    boards: list[Board] = []
    whole = 0
    lines = file.readlines()
    for number, line in enumerate(lines, start=1):
        found = _parsed(line)
        try:
            if found is None:
                raise ValueError
            if header is None:
                header = found
            else:
                boards.append(_board(found, number - 1))
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            if number == len(lines):
                break  # the machine stopped while it was being written
            raise BadComparisonFile(
                f"{path}, line {number}: expected board {number - 1}; the file was changed or is"
                " damaged, remove it to begin again"
            ) from None
        whole += len(line)
    file.truncate(whole)
    return header, boards


def _parsed(line: bytes) -> dict[str, Any] | None:
    """The object of a line; None where the line is not whole."""
    try:
        found = read_json(line) if line.endswith(b"\n") else None
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _board(found: dict[str, Any], number: int) -> Board:
    if found["board"] != number or found["games"] < 1:
        raise ValueError
    return Board(
        number,
        int(found["games"]),
        tuple(
            Showing(
                lead=Fraction(bot["lead"]),
                won=Fraction(bot["won"]),
                faults=int(bot["faults"]),
                forgiven=int(bot["forgiven"]),
                slowest=int(bot["slowest"]),
                slip=Slip(**bot["slip"]) if "slip" in bot else None,
                less_luck=Fraction(bot["less_luck"]) if "less_luck" in bot else None,
            )
            for bot in found["bots"]
        ),
    )


def _line(found: dict[str, Any]) -> bytes:
    return json.dumps(found, separators=(",", ":")).encode() + b"\n"

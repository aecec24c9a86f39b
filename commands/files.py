"""Files that commands write."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

from card_arena.commands.cli_errors import Stop


@contextmanager
def new_file(path: Path, mode: int) -> Iterator[IO[bytes]]:
    """Open a file that replaces the one at `path` when the block has ended without an error."""
    try:
        folder = path.absolute().parent
        with NamedTemporaryFile(dir=folder, prefix=".arena-", delete=False) as target:
            try:
                yield target
                os.fchmod(target.fileno(), mode)
                Path(target.name).replace(path)
            except BaseException:
                Path(target.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise cant_write(path, error) from error


def cant_write(path: Path, error: OSError) -> Stop:
    return Stop(f"{path} can't be written: {error.strerror}")

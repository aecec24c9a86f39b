"""`StringIO` and `cStringIO`: a file in memory."""

from __future__ import annotations

import io


class StringIO(io.StringIO):
    """A file in memory, whose lines end as they were written."""

    softspace = 0

    def __init__(self, content: str = "") -> None:
        super().__init__(content, newline="\n")

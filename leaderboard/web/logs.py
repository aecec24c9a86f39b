"""What the site writes to its log: text that does nothing to the terminal it is shown on."""

from __future__ import annotations

import logging
from copy import copy
from typing import TextIO

from common.escaping import one_line, printable


class PlainLines(logging.Formatter):
    """A record as one line, and a traceback below it; what is not printable is spelled out.

    Requests choose part of what is logged. Nobody who asks for a page writes lines of their own.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Write a record."""
        plain = copy(record)
        plain.msg, plain.args = one_line(record.getMessage()), None
        return printable(super().format(plain))


def log_plainly(stream: TextIO | None = None) -> logging.Handler:
    """Have everything logged in plain lines, on standard error or another stream."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(PlainLines("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)
    return handler

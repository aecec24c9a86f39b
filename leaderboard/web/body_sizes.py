"""How much a request may bring with it, decided when only its head has been read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

from waitress.parser import HTTPRequestParser, ParsingError
from waitress.utilities import Error

HEAD_ONLY = 1024
"""Bytes that come with a request for a page; it only says which page to show."""

AT_ONCE = 8
"""Large requests that one person may be sending at the same time."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """At most `most` bytes; `whose` is who sends them, empty where nobody in particular does."""

    most: int = HEAD_ONLY
    whose: str = ""


Allowing = Callable[[Mapping[str, str]], Allowance]
"""What a request may bring; its head is a mapping from HEADER_NAMES to their values."""


def nothing(_: Mapping[str, str]) -> Allowance:
    """For pages that only read."""
    return Allowance()


class TooMany(Error):  # type: ignore[misc]
    """Somebody sends too much at the same time."""

    code = 429
    reason = "Too Many Requests"


class Request(HTTPRequestParser):  # type: ignore[misc]
    """A request that is being read, with the allowance that its head gives it.

    `sending` counts those of a person that are being read now; it may not exceed `AT_ONCE`.
    """

    path = ""
    """What is asked for; waitress only sets it once the whole head is read, but always looks."""

    def __init__(self, adjustments: Any, allowed: Allowing, sending: Callable[[str], int]) -> None:
        super().__init__(adjustments)
        self._allowed = allowed
        self._sending = sending
        self.whose = ""

    def received(self, data: bytes) -> int:
        """Take in data; return how much of it belongs to this request."""
        taken = int(super().received(data))
        if self.completed:
            self.expect_continue = False  # else waitress would wait for more of what is refused
        return taken

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head; whatever it says then holds for the rest of this request alone."""
        try:
            super().parse_header(header_plus)
        except ValueError as error:  # of a host such as [::1, or a length with thousands of digits
            raise ParsingError("Invalid address or length") from error
        if self.content_length <= 0 and not self.chunked:
            return
        allowance = self._allowed(self.headers)
        self.adj: Any = copy(self.adj)
        # waitress refuses what is as large as its limit
        self.adj.max_request_body_size = allowance.most + 1
        if allowance.whose and (self.chunked or self.content_length > HEAD_ONLY):
            if self._sending(allowance.whose) >= AT_ONCE:
                self.error = TooMany(f"{AT_ONCE} files at a time")
                self.completed = True
            self.whose = allowance.whose

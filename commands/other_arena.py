"""Talking to another arena by its API: one place for addresses, tokens, patience and sentences."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, TypeVar
from urllib.parse import quote, urlsplit

import requests
from pydantic import ValidationError
from requests.auth import AuthBase

from common.errors import ArenaFailure, UserError
from common.json import read_json
from leaderboard.models import Shape

PATIENCE = (10.0, 120.0)
"""Seconds to wait for a connection, and between two pieces of an answer."""

LONGEST_SENTENCE = 2000
"""Characters of what another arena says that are shown."""

CHUNK = 64 * 1024

Answer = TypeVar("Answer", bound=Shape)


class NotUnderstood(UserError):
    """What was asked of another arena is wrong; the message says what it said."""


class OutOfReach(ArenaFailure):
    """Another arena can't be reached or has failed; the message says which, and how."""


class _Bearer(AuthBase):
    """Says who asks; also where that is nobody, so that no password of ~/.netrc is sent."""

    def __init__(self, token: str) -> None:
        self._token = token

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self._token:
            request.headers["Authorization"] = f"Bearer {self._token}"
        return request


class OtherArena:
    """An arena at an address such as https://arena.example, with a token if one is needed.

    Every method raises `OutOfReach` and `NotUnderstood`.
    """

    def __init__(self, address: str, token: str = "") -> None:
        self.address = _checked(address)
        self._session = requests.Session()
        self._session.auth = _Bearer(token)
        self._session.headers["User-Agent"] = "card-arena"

    @property
    def is_open_line(self) -> bool:
        """Whether somebody on the way can read what is sent, tokens included."""
        parts = urlsplit(self.address)
        return parts.scheme == "http" and parts.hostname not in ("localhost", "127.0.0.1", "::1")

    def get(self, shape: type[Answer], *path: str | int, **query: str | int) -> Answer:
        """Ask for something; each part of the path is a name or a number."""
        return self._read(shape, self._ask("GET", self._url(path), params=query))

    def send(
        self, shape: type[Answer], *path: str, files: Mapping[str, Any], data: Mapping[str, str]
    ) -> Answer:
        return self._read(shape, self._ask("POST", self._url(path), files=files, data=data))

    def fetch(self, target: IO[bytes], *path: str | int) -> None:
        """Write a file to an open one, piece by piece."""
        with self._ask("GET", self._url(path), stream=True) as answer:
            try:
                for piece in answer.iter_content(CHUNK):
                    target.write(piece)
            except requests.RequestException as error:
                raise self._cut(error) from error

    def _url(self, path: tuple[str | int, ...]) -> str:
        return "/".join([f"{self.address}/api/v1", *(quote(str(part), safe="/") for part in path)])

    def _ask(self, method: str, url: str, **options: Any) -> requests.Response:
        try:
            answer = self._session.request(
                method, url, timeout=PATIENCE, allow_redirects=False, **options
            )
        except requests.exceptions.SSLError as error:
            raise OutOfReach(
                f"{self.address} shows no certificate that this machine trusts: {_reason(error)}"
            ) from error
        except requests.exceptions.ConnectTimeout as error:
            raise OutOfReach(f"{self.address} does not answer: is the address right?") from error
        except requests.exceptions.ReadTimeout as error:
            raise OutOfReach(f"{self.address} has not answered in {PATIENCE[1]:.0f} s") from error
        except requests.exceptions.ConnectionError as error:
            raise OutOfReach(f"{self.address} can't be reached: {_reason(error)}") from error
        except (requests.RequestException, ValueError) as error:
            raise NotUnderstood(f"{self.address} can't be asked: {_reason(error)}") from error
        if 300 <= answer.status_code < 400:
            to = answer.headers.get("Location", "")[:200]
            raise NotUnderstood(f"{self.address} has moved to {to}: give that address")
        if not answer.ok:
            self._complain(answer)
        return answer

    def _complain(self, answer: requests.Response) -> None:
        said = self._sentence(answer)
        status = answer.status_code
        if status == 429:
            wait = answer.headers.get("Retry-After", "")
            when = f"; try again in {wait} s" if wait.isdecimal() else ""
            raise OutOfReach(f"{self.address} was asked too often{when}")
        if not said:
            raise NotUnderstood(
                f"{self.address} answers like no arena (status {status}): is the address right?"
            )
        if status >= 500:
            raise OutOfReach(f"{self.address}: {said}")
        raise NotUnderstood(f"{self.address}: {said}")

    @staticmethod
    def _sentence(answer: requests.Response) -> str:
        """Why another arena has no answer; empty where it is none, or is older than its API."""
        try:
            said = read_json(answer.content)["error"]
        except (ValueError, KeyError, TypeError):
            return ""
        return said[:LONGEST_SENTENCE] if isinstance(said, str) else ""

    def _read(self, shape: type[Answer], answer: requests.Response) -> Answer:
        try:
            return shape.model_validate(read_json(answer.content))
        except (ValueError, ValidationError) as error:
            raise NotUnderstood(
                f"{self.address} answers like no arena, or like one of another version:"
                f" {shape.__name__} was expected"
            ) from error

    def _cut(self, error: Exception) -> OutOfReach:
        return OutOfReach(f"{self.address} broke off: {_reason(error)}")


def token_of(given: str | None, file: Path | None) -> str:
    """A token that was given, or the first line of a file; raises `NotUnderstood` without one."""
    if given and file:
        raise NotUnderstood("--token and --token-file were both given: expected one of them")
    token = (given or "").strip()
    if file is not None:
        try:
            token = file.read_text().split("\n", maxsplit=1)[0].strip()
        except (OSError, ValueError) as error:
            raise NotUnderstood(f"{file} can't be read: expected a file with a token") from error
    if not token:
        raise NotUnderstood(
            "there is no token: make one on your page of the arena, and give it as ARENA_TOKEN,"
            " --token-file or --token"
        )
    if not token.isascii() or not token.isprintable() or " " in token:
        raise NotUnderstood("this is no token: expected one word such as arena_…")
    return token


def _checked(address: str) -> str:
    """The address without the slash at its end; raises `NotUnderstood`."""
    try:
        parts = urlsplit(address)
        sound = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        sound = False
    if not sound or parts.query or parts.fragment or parts.username:
        raise NotUnderstood(
            f"{address[:200]!r} is not the address of an arena: expected one such as"
            " https://arena.example"
        )
    return address.rstrip("/")


def _reason(error: Exception) -> str:
    """The innermost reason of an error, in a few words."""
    found: BaseException = error
    while found.__cause__ or found.__context__ or _inner(found):
        found = _inner(found) or found.__cause__ or found.__context__ or found
    if isinstance(found, OSError) and found.strerror:
        return found.strerror.lower()
    return " ".join(str(found).split())[:200] or type(found).__name__


def _inner(error: BaseException) -> BaseException | None:
    """What urllib3 packs into the first argument of its errors."""
    reason = getattr(error, "reason", None) or (error.args[0] if error.args else None)
    return reason if isinstance(reason, BaseException) else None

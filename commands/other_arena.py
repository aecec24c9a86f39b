"""A client for the API of another arena: addresses, tokens, timeouts and error messages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, TypeVar
from urllib.parse import quote, urlsplit

import requests
from pydantic import ValidationError
from requests.auth import AuthBase

from card_arena.common.errors import ArenaFailure, UserError
from card_arena.common.json import read_json
from card_arena.leaderboard.models import Shape

PATIENCE = (10.0, 120.0)
"""Seconds to wait for a connection, and between two pieces of an answer."""

LONGEST_SENTENCE = 2000
"""The most characters that are shown of another arena's answer."""

CHUNK = 64 * 1024

Answer = TypeVar("Answer", bound=Shape)


class NotUnderstood(UserError):
    """Another arena rejects a request; the message has its answer."""


class OutOfReach(ArenaFailure):
    """Another arena can't be reached or has failed."""


class _Bearer(AuthBase):
    """Sends the token; without one it keeps requests from sending a password of ~/.netrc."""

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
        """Whether requests are sent without encryption, the token included."""
        parts = urlsplit(self.address)
        return parts.scheme == "http" and parts.hostname not in ("localhost", "127.0.0.1", "::1")

    def get(self, shape: type[Answer], *path: str | int, **query: str | int) -> Answer:
        """Get a resource; each part of the path is a name or a number."""
        return self._read(shape, self._ask("GET", self._url(path), params=query))

    def send(self, shape: type[Answer], *path: str, **body: Mapping[str, Any]) -> Answer:
        """Post `files` and `data` of a form, or `json`."""
        return self._read(shape, self._ask("POST", self._url(path), **body))

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
                f"{self.address} has a certificate that is not trusted here: {_reason(error)}"
            ) from error
        except requests.exceptions.ConnectTimeout as error:
            raise OutOfReach(f"{self.address} does not answer. Check the address.") from error
        except requests.exceptions.ReadTimeout as error:
            raise OutOfReach(f"{self.address} has not answered in {PATIENCE[1]:.0f} s") from error
        except requests.exceptions.ConnectionError as error:
            raise OutOfReach(f"{self.address} can't be reached: {_reason(error)}") from error
        except (requests.RequestException, ValueError) as error:
            raise NotUnderstood(f"{self.address} can't be reached: {_reason(error)}") from error
        if 300 <= answer.status_code < 400:
            to = answer.headers.get("Location", "")[:200]
            raise NotUnderstood(f"{self.address} has moved to {to}. Give that address.")
        if not answer.ok:
            self._complain(answer)
        return answer

    def _complain(self, answer: requests.Response) -> None:
        sentence = self._sentence(answer)
        status = answer.status_code
        if status == 429:
            wait = answer.headers.get("Retry-After", "")
            when = f"; try again in {wait} s" if wait.isdecimal() else ""
            raise OutOfReach(f"{self.address} has received too many requests{when}")
        if not sentence:
            raise NotUnderstood(
                f"{self.address} is not an arena (status {status}). Check the address."
            )
        if status >= 500:
            raise OutOfReach(f"{self.address}: {sentence}")
        raise NotUnderstood(f"{self.address}: {sentence}")

    @staticmethod
    def _sentence(answer: requests.Response) -> str:
        """The error message of another arena; empty if the answer has none."""
        try:
            sentence = read_json(answer.content)["error"]
        except (ValueError, KeyError, TypeError):
            return ""
        return sentence[:LONGEST_SENTENCE] if isinstance(sentence, str) else ""

    def _read(self, shape: type[Answer], answer: requests.Response) -> Answer:
        try:
            return shape.model_validate(read_json(answer.content))
        except (ValueError, ValidationError) as error:
            raise NotUnderstood(
                f"{self.address} is not an arena, or has another version: expected {shape.__name__}"
            ) from error

    def _cut(self, error: Exception) -> OutOfReach:
        return OutOfReach(f"{self.address} broke off: {_reason(error)}")


def token_of(typed: str | None, file: Path | None) -> str:
    """The token on the command line, or in the first line of a file; raises `NotUnderstood`."""
    if typed and file:
        raise NotUnderstood("--token and --token-file can't be combined: give one of them")
    token = (typed or "").strip()
    if file is not None:
        try:
            token = file.read_text().split("\n", maxsplit=1)[0].strip()
        except (OSError, ValueError) as error:
            raise NotUnderstood(f"{file} can't be read. Expected a file with a token.") from error
    if not token:
        raise NotUnderstood(
            "No token. Make one on your page of the arena, and give it as ARENA_TOKEN,"
            " --token-file or --token."
        )
    if not token.isascii() or not token.isprintable() or " " in token:
        raise NotUnderstood("Invalid token. Expected one word that begins with arena_.")
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
            f"Invalid address {address[:200]!r}. Expected the address of an arena, such as"
            " https://arena.example."
        )
    return address.rstrip("/")


def _reason(error: Exception) -> str:
    """The innermost cause of an error, in a few words."""
    innermost: BaseException = error
    while innermost.__cause__ or innermost.__context__ or _inner(innermost):
        innermost = _inner(innermost) or innermost.__cause__ or innermost.__context__ or innermost
    if isinstance(innermost, OSError) and innermost.strerror:
        return innermost.strerror.lower()
    return " ".join(str(innermost).split())[:200] or type(innermost).__name__


def _inner(error: BaseException) -> BaseException | None:
    """The error inside an error of urllib3."""
    reason = getattr(error, "reason", None) or (error.args[0] if error.args else None)
    return reason if isinstance(reason, BaseException) else None

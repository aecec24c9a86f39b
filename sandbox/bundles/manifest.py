"""The model of bot.yaml."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from card_arena.common.text import name_flaw
from card_arena.sandbox.languages.registry import LANGUAGES
from card_arena.sandbox.languages.wheels import requirement

FILE = "bot.yaml"
ALL_GAMES = "all"
"""The value of `games:` for a bot that plays any game."""

LONGEST_WORD = 1000
"""The most characters of a word of a command."""
LONGEST_PROGRAM = 200
"""The most characters of its first word, which names a program, and of any other path."""
LONGEST_AUTHOR = 80
"""The most characters of an author's name."""
MOST_WORDS = 100
MOST_COMMANDS = 20
MOST_NAMES = 20
"""The most games, tags or included folders that a bot may name."""

_NAME = re.compile(r"[a-z0-9_-]{1,32}")
_IMAGE = re.compile(r"[a-z0-9][A-Za-z0-9._/:@-]{0,199}")
_INCLUDE = re.compile(r"\.\.(/[A-Za-z0-9_][A-Za-z0-9._-]*)+")
CORE = "card_arena/native"
"""What a bot includes for the games in C."""


def checked_name(text: str) -> str:
    if flaw := name_flaw(text):
        raise ValueError(flaw)
    if not _NAME.fullmatch(text):
        raise ValueError("must be 1 to 32 of the characters a-z, 0-9, - and _")
    return text


def _checked(accepts: Callable[[str], object], expected: str) -> AfterValidator:
    """Return a validator of texts; `expected` is the rest of its message."""

    def check(text: str) -> str:
        if not accepts(text):
            raise ValueError(f"must be {expected}")
        return text

    return AfterValidator(check)


def _is_path(text: str) -> bool:
    short = 0 < len(text) <= LONGEST_PROGRAM and text.isprintable()
    return short and not text.startswith("/") and ".." not in text.split("/")


def _author(text: str) -> str:
    if not 1 <= len(text.strip()) <= LONGEST_AUTHOR or not text.isprintable():
        raise ValueError(f"must be one line of 1 to {LONGEST_AUTHOR} characters")
    return text.strip()


def _words(value: object) -> object:
    if isinstance(value, str):
        try:
            value = shlex.split(value)
        except ValueError as error:
            raise ValueError(f"can't be split into words ({str(error).lower()})") from None
    if not isinstance(value, list) or not value or not all(isinstance(w, str) for w in value):
        raise ValueError("must be a command: one string, or a list of words")
    if not 1 <= len(value[0]) <= LONGEST_PROGRAM:
        raise ValueError("must be a command: its first word names a program")
    if len(value) > MOST_WORDS or any(len(word) > LONGEST_WORD for word in value):
        raise ValueError(
            f"must be a command of at most {MOST_WORDS} words,"
            f" each of at most {LONGEST_WORD} characters"
        )
    # They are passed to a kernel that takes bytes, to pages and to terminals.
    if not all(word.isprintable() for word in value):
        raise ValueError("must be a command of characters that can be printed")
    return tuple(value)


def _listed(value: object) -> object:
    """Accept one name as a list of one."""
    return (value,) if isinstance(value, str) else value


Name = Annotated[str, AfterValidator(checked_name)]
Command = Annotated[tuple[str, ...], BeforeValidator(_words)]
Image = Annotated[str, _checked(_IMAGE.fullmatch, "the name of an image, such as python:3.12-slim")]
Include = Annotated[
    str,
    _checked(
        lambda text: text == CORE or (len(text) <= LONGEST_PROGRAM and _INCLUDE.fullmatch(text)),
        f"a folder beside the bot's own, or inside such a one, such as ../lib, or {CORE}",
    ),
]
Listed = (Field(max_length=MOST_NAMES), BeforeValidator(_listed))
Names = Annotated[tuple[Name, ...], *Listed]


class Manifest(BaseModel):
    """One bot.yaml, checked.

    A bot names its `language`, which knows how to build and run it, or says `run:` (and `build:`)
    itself. If it does both, its own commands apply, and the language supplies the rest. `include`
    names folders beside the bot's own whose files go into the bundle, or the games in C. `image` is
    the image of its sandbox, if sandboxes are Docker's and the organiser allows it. `warm: false`
    starts a new Python for every question or game. `prefix` asks for the words with which most
    questions begin, also in games whose questions have none. `evaluate` says that the bot also
    answers questions to evaluate all legal answers. `wheels` are libraries that a Python
    bot gets from the organiser's folder. `author` is who wrote it, for an organiser who goes by
    that.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Name
    games: Names
    protocol: Literal["argv", "stdin"]
    language: (
        Annotated[
            str,
            _checked(
                LANGUAGES.__contains__,
                f"one of {', '.join(LANGUAGES)} (or leave it out and say `run:`)",
            ),
        ]
        | None
    ) = None
    main: Annotated[str, _checked(_is_path, "the path of a file in the bot's folder")] | None = None
    build: Annotated[tuple[Command, ...], Field(max_length=MOST_COMMANDS)] | None = None
    run: Command | None = None
    image: Image | None = None
    warm: bool | None = None
    prefix: bool = False
    evaluate: bool = False
    wheels: Annotated[tuple[Annotated[str, AfterValidator(requirement)], ...], *Listed] = ()
    tags: Names = ()
    author: Annotated[str, AfterValidator(_author)] | None = None
    about: Annotated[
        str,
        _checked(
            lambda text: len(text) <= 200 and text.isprintable(),
            "one line of at most 200 characters",
        ),
    ] = ""
    include: Annotated[tuple[Include, ...], *Listed] = ()

    @model_validator(mode="after")
    def _one_way_to_run(self) -> Self:
        if not self.games:
            raise ValueError("needs at least one game under `games:`")
        if self.language is None and self.run is None:
            raise ValueError("needs `language:`, or `run:` with a command")
        if self.main is not None and self.language is None:
            raise ValueError("has `main:` without `language:`; put the file into `run:`")
        if self.wheels and self.language != "python":
            raise ValueError("has `wheels:`, which are for bots with `language: python`")
        if self.warm is not None and not self._can_fork:
            able = " or ".join(name for name, language in LANGUAGES.items() if language.forkable)
            raise ValueError(
                f"has `warm:`, which is for bots with `language: {able}` and no `run:`"
            )
        return self

    @property
    def forks(self) -> bool:
        """Whether the bot may be a fork of a running interpreter."""
        return self._can_fork and self.warm is not False

    @property
    def _can_fork(self) -> bool:
        forkable = self.language is not None and LANGUAGES[self.language].forkable
        return forkable and self.run is None

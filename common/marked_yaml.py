"""YAML written by hand: plain data with its positions in the file.

PyYAML accepts duplicate keys silently, expands aliases to any size, and turns tags into objects. A
settings file needs none of these, so all three are mistakes here. The data is then checked against
a pydantic model, and all mistakes are reported together, each as `file:line:column: message`.
"""

from __future__ import annotations

import re
import typing
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, RootModel, ValidationError

from card_arena.common.errors import UserError, expected
from card_arena.common.text import did_you_mean, nearest

Place = tuple[str | int, ...]
"""A path in the data: keys and list positions from the top."""

M = TypeVar("M", bound=BaseModel)

_PLAIN_NUMBER = re.compile(r"[-+]?(0|[1-9][0-9]{0,4000})")

LONGEST = 64 * 1024
DEEPEST = 20
MOST_MISTAKES = 50
LONGEST_SHOWN = 60
"""The most characters of a value that a message shows."""
LONGEST_PROBLEM = 200
"""The most characters of PyYAML's own message."""

_UNREADABLE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, yaml.YAMLError)
"""The exceptions of PyYAML for bad texts: its own, and those of functions with odd values."""


class BadYaml(UserError, ValueError):
    """A YAML file is wrong.

    `mistakes` has a line for each mistake (at most the first 50); `str()` joins them with newlines.
    """

    def __init__(self, mistakes: Sequence[str]) -> None:
        if len(mistakes) > MOST_MISTAKES:
            mistakes = [*mistakes[:MOST_MISTAKES], f"... and {len(mistakes) - MOST_MISTAKES} more"]
        super().__init__("\n".join(mistakes))
        self.mistakes = tuple(mistakes)


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in a text: line and column, both counted from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class MarkedYaml:
    """A YAML file as plain data, with the position of each key and value.

    `name` is the file's name in messages. `flaws` are the mistakes in the YAML itself; `check`
    reports them together with all other mistakes. `at` is the position of the data in the file.
    """

    name: str
    data: Any
    keys: Mapping[Place, Mark]
    values: Mapping[Place, Mark]
    flaws: Sequence[tuple[Mark, str]]
    at: Place = ()

    def part(self, place: Place) -> MarkedYaml:
        """Return the mapping at `place`; its mistakes are reported as in the whole file."""
        data = self.data
        for step in place:
            data = data[step]
        keys, values = (
            {
                path[len(place) :]: mark
                for path, mark in marks.items()
                if path[: len(place)] == place
            }
            for marks in (self.keys, self.values)
        )
        return MarkedYaml(self.name, data, keys, values, (), at=(*self.at, *place))

    def mistake(self, path: Place, message: str, *, at_key: bool = False) -> str:
        """Describe an error in the value (or the key) at `path`, or at its nearest ancestor."""
        while path and path not in self.values:
            path = path[:-1]
        mark = (self.keys.get(path) if at_key else None) or self.values[path]
        return _line(self.name, mark, message)

    def check(self, model: type[M]) -> M:
        """Make a model of the data; raises `BadYaml` with every mistake, in file order."""
        mistakes = list(self.flaws)
        try:
            valid = model.model_validate(self.data)
        except ValidationError as error:
            flawed = {mark for mark, _ in self.flaws}
            mistakes += [item for item in self._mistakes(error, model) if item[0] not in flawed]
        if mistakes:
            mistakes.sort(key=lambda item: (item[0].line, item[0].column, item[1]))
            raise BadYaml([_line(self.name, mark, message) for mark, message in mistakes])
        return valid

    def _mistakes(
        self, error: ValidationError, model: type[BaseModel]
    ) -> Iterable[tuple[Mark, str]]:
        mistakes: dict[tuple[Mark, str], None] = {}
        for detail in error.errors(include_url=False):
            path = self._known(detail["loc"])
            kind = detail["type"]
            if kind == "missing":
                message = f"{_shown(detail['loc'][-1])} is missing"
                mark = self.values[path]
            elif kind == "extra_forbidden":
                message = _unknown_key(str(detail["loc"][-1]), _fields(model, path[:-1]))
                mark = self.keys.get(path) or self.values[path]
            elif kind == "value_error" and not detail["loc"] and self.flaws:
                continue  # a flaw may hide what seems to be missing
            else:
                requirement = expected(kind, detail.get("ctx", {}), detail["msg"])
                subject = ".".join(map(_step, (*self.at, *path))) or "the file"
                message = _mismatch(subject, requirement, detail["input"])
                mark = self.values[path]
            mistakes[mark, message] = None
        return mistakes

    def _known(self, location: Place) -> Place:
        """Drop parts of pydantic's location that are not in the file, such as union branches."""
        path: Place = ()
        for step in location:
            if (*path, step) in self.values:
                path = (*path, step)
        return path


def load(text: str | bytes, name: str, model: type[M]) -> M:
    """Read a YAML text straight into a model; raises `BadYaml` with every mistake."""
    return read(text, name).check(model)


def read(text: str | bytes, name: str) -> MarkedYaml:
    """Read a YAML text that holds one mapping.

    Raises `BadYaml`: not YAML, more than one document, an anchor, an alias, a tag, or too much.
    Duplicate keys, keys that are not text, and impossible values (a 30th of February) are flaws,
    which `check` reports.
    """
    if len(text) > LONGEST:
        raise BadYaml([f"{name}: longer than {LONGEST // 1024} KiB"])
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise BadYaml([f"{name}: not UTF-8 text (byte {error.start})"]) from None
    root = _composed(text, name)
    if root is None:
        raise BadYaml([_line(name, Mark(1, 1), "the file is empty")])
    if not isinstance(root, yaml.MappingNode):
        raise BadYaml([_line(name, _start(root), "must be a mapping of `key: value` lines")])
    reader = _Reader()
    data = reader.plain(root, ())
    return MarkedYaml(name, data, reader.keys, reader.values, reader.flaws)


def plain_value(text: str) -> Any:
    """Read one value as in a file: `5`, `true`, `off`; text that is not YAML stays text."""
    try:
        root = _composed(text, "")
    except BadYaml:
        return text
    reader = _Reader()
    value = reader.plain(root, ()) if root is not None else None
    return text if reader.flaws else value


def _composed(text: str, name: str) -> yaml.Node | None:
    """Parse the text; None when it is empty. Raises `BadYaml`."""
    try:
        _refuse_tricks(text, name)
        root: yaml.Node | None = yaml.compose(text, Loader=_Plain)
    except BadYaml:
        raise
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Mark(mark.line + 1, mark.column + 1) if mark else Mark(1, 1)
        problem = error.problem or error.context or ""
        if "'\\t'" in problem:
            problem = "a tab, where only spaces are allowed"
        raise BadYaml([_line(name, place, f"not YAML: {_cut(problem, LONGEST_PROBLEM)}")]) from None
    except _UNREADABLE as error:
        first = next(iter(str(error).splitlines()), type(error).__name__)
        raise BadYaml([f"{name}: not YAML: {_cut(first, LONGEST_PROBLEM)}"]) from None
    return root


class _Plain(yaml.SafeLoader):
    """A loader in which only `true` and `false` are booleans: `off`, `no` and `y` are words."""

    yaml_implicit_resolvers = {  # noqa: RUF012 - PyYAML reads it so
        first: [(tag, form) for tag, form in several if tag != "tag:yaml.org,2002:bool"]
        for first, several in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


_Plain.add_implicit_resolver(
    "tag:yaml.org,2002:bool", re.compile("true|True|TRUE|false|False|FALSE"), list("tTfF")
)


class _Reader:
    """Turns nodes into plain data and notes their positions."""

    def __init__(self) -> None:
        self.keys: dict[Place, Mark] = {}
        self.values: dict[Place, Mark] = {}
        self.flaws: list[tuple[Mark, str]] = []
        self._scalars = yaml.constructor.SafeConstructor()

    def plain(self, node: yaml.Node, path: Place) -> Any:
        self.values[path] = _start(node)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        if isinstance(node, yaml.SequenceNode):
            return [self.plain(item, (*path, place)) for place, item in enumerate(node.value)]
        if _odd_number(node):
            self._say(node, f"write {_shown(node.value)} as a plain number, or in quotes")
            return None
        if not _is_text(node.value):
            self._say(node, f"{_shown(node.value)} contains half a character, which is not text")
            return None
        try:
            return self._scalars.construct_object(node)
        except _UNREADABLE:
            self._say(node, f"{_shown(node.value)} is not a value; put text in quotes")
            return None

    def _mapping(self, node: yaml.MappingNode, path: Place) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for key, value in node.value:
            if key.tag != "tag:yaml.org,2002:str":
                self._say(key, f"a key must be text; got {_shown(key.value)}")
                continue
            if not _is_text(key.value):
                self._say(key, f"{_shown(key.value)} contains half a character, which is not text")
                continue
            if key.value in data:
                first = self.keys[(*path, key.value)].line
                self._say(key, f"{_shown(key.value)} occurs twice; the first is in line {first}")
                continue
            self.keys[(*path, key.value)] = _start(key)
            data[key.value] = self.plain(value, (*path, key.value))
        return data

    def _say(self, node: yaml.Node, message: str) -> None:
        self.flaws.append((_start(node), message))


def _odd_number(node: yaml.Node) -> bool:
    """Return whether a number is ambiguous: in YAML 010 is eight and 1:30 is ninety."""
    if node.tag == "tag:yaml.org,2002:float":
        return ":" in node.value
    return node.tag == "tag:yaml.org,2002:int" and not _PLAIN_NUMBER.fullmatch(node.value)


def _is_text(word: str) -> bool:
    """Return whether a text can be encoded: an escape such as \\ud800 makes a lone surrogate."""
    try:
        word.encode()
    except UnicodeEncodeError:
        return False
    return True


def _refuse_tricks(text: str, name: str) -> None:
    mistakes = []
    depth = documents = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.DocumentStartEvent):
            documents += 1
        if depth > DEEPEST:
            raise BadYaml([_line(name, _start(event), f"nested deeper than {DEEPEST} levels")])
        if trick := _trick(event, documents):
            mistakes.append(_line(name, _start(event), trick))
    if mistakes:
        raise BadYaml(mistakes)


def _trick(event: yaml.Event, documents: int) -> str:
    if isinstance(event, yaml.AliasEvent):
        return f"aliases (*{_cut(event.anchor or '')}) are not allowed; repeat the value"
    if isinstance(event, yaml.NodeEvent) and event.anchor:
        return f"anchors (&{_cut(event.anchor)}) are not allowed"
    if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) and event.tag:
        return f"tags ({_cut(event.tag)}) are not allowed"
    if isinstance(event, yaml.DocumentStartEvent) and documents > 1:
        return "a second document begins; a file has one"
    return ""


def _start(marked: yaml.Node | yaml.Event) -> Mark:
    mark = marked.start_mark
    return Mark(mark.line + 1, mark.column + 1) if mark else Mark(1, 1)


def _line(name: str, mark: Mark, message: str) -> str:
    return f"{name}:{mark.line}:{mark.column}: {message}"


def _mismatch(subject: str, expected: str, value: object) -> str:
    """Describe the expected and the given value; a hint that is a question comes last."""
    choices, _, _ = expected.removeprefix("must be one of ").partition(", or ")
    if choices != expected and isinstance(value, str):
        near = nearest(value, choices.split(", "))
        expected += f"; {did_you_mean(near[:1])}" if near else ""
    if expected.endswith("?"):
        return f"{subject} {_shown(value)} {expected}"
    return f"{subject} {expected}; got {_shown(value)}"


def _unknown_key(key: str, names: Sequence[str]) -> str:
    near = nearest(key, names)
    if near:
        return f"unknown key {_shown(key)}; {did_you_mean([repr(near[0])])}"
    return f"unknown key {_shown(key)}" + (f"; known here: {', '.join(names)}" if names else "")


def _fields(model: type[BaseModel], parent: Place) -> list[str]:
    """Return the keys that the model allows in the mapping at `parent`."""
    for step in parent:
        if isinstance(step, int):
            continue  # the items of a list are all of one model
        info = model.model_fields.get(step)
        models = _models(info.annotation) if info else []
        if not models:
            return []
        model = models[0]
    return [info.alias or name for name, info in model.model_fields.items()]


def _models(kind: object) -> list[type[BaseModel]]:
    """Return the models of a value of this type, or of its items."""
    if isinstance(kind, type) and issubclass(kind, RootModel):
        return _models(kind.model_fields["root"].annotation)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return [kind]
    return [model for part in typing.get_args(kind) for model in _models(part)]


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    return _cut(repr(value) if isinstance(value, str) else str(value))


def _step(step: str | int) -> str:
    text = str(step)
    return _cut(text if text.isprintable() else repr(text))


def _cut(text: str, most: int = LONGEST_SHOWN) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."

"""Python 2's text made such that Python 3 can parse it, by fissix, line for line."""

from __future__ import annotations

import re
from functools import cache
from io import StringIO
from typing import Any

from fissix import fixer_base
from fissix.fixer_util import Name
from fissix.pgen2 import token, tokenize
from fissix.pgen2.parse import ParseError
from fissix.pgen2.tokenize import TokenError
from fissix.pygram import python_symbols
from fissix.refactor import RefactoringTool

FIXERS = tuple(
    f"fissix.fixes.fix_{name}"
    for name in (*("exec", "ne", "numliterals", "paren", "print", "raise", "repr", "throw"),)
)
COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.ASCII)
BLANK = re.compile(r"[ \t\f]*")
ESCAPE = re.compile(r"(?<!\\)((?:\\\\)*)\\(?=[NuU])")
NEW_KEYWORDS = frozenset({"async", "await", "nonlocal"})
PARAMETERS = (python_symbols.tfpdef, python_symbols.vfpdef)
PACKED = re.compile(r"__packed_([0-9a-f]+)__")
"""A name that stands for what can't be written in its place any more, and tells what that is."""


class NotPython2(Exception):
    """A text is not a program of Python 2; the message says what is wrong, `line` where."""

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.line = line


class FixTexts(fixer_base.BaseFix):  # type: ignore[misc]
    """Text literals: only those of `unicode` know escapes of characters by number or name."""

    BM_compatible = False
    order = "post"

    def match(self, node: Any) -> bool:
        """Whether this is a text, or a name that has become a keyword."""
        if node.type == token.NAME:
            return node.value in NEW_KEYWORDS
        return bool(node.type == token.STRING)

    def transform(self, node: Any, results: Any) -> Any:  # noqa: ARG002
        if node.type == token.NAME:
            return Name(f"{node.value}_", prefix=node.prefix)
        quote = min(node.value.find(mark) for mark in "'\"" if mark in node.value)
        kind, quoted = node.value[:quote].lower(), node.value[quote:]
        if kind == "ur":
            kind, quoted = "u", re.sub(r"\\(?!u[0-9a-fA-F]{4})", r"\\\\", quoted)
        kind = kind.replace("b", "")
        if not kind:
            quoted = ESCAPE.sub(r"\1\\\\", quoted)
        if kind + quoted == node.value:
            return None
        new = node.clone()
        new.value = kind + quoted
        return new


class FixParameters(fixer_base.BaseFix):  # type: ignore[misc]
    """A parameter in parentheses: a name from which `meaning` reads what it is unpacked into."""

    BM_compatible = False
    order = "pre"

    def match(self, node: Any) -> bool:
        """Whether these are parameters in parentheses."""
        return node.type in PARAMETERS and bool(node.children)

    def transform(self, node: Any, results: Any) -> Any:  # noqa: ARG002
        return Name(packed(node), prefix=node.prefix)


class FixExcept(fixer_base.BaseFix):  # type: ignore[misc]
    """`except ValueError, error`, where there may be more than a name behind the comma."""

    BM_compatible = False
    order = "pre"

    def match(self, node: Any) -> bool:
        """Whether an exception is caught under a name, behind a comma."""
        clause = node.type == python_symbols.except_clause and len(node.children) == 4
        return bool(clause and node.children[2].type == token.COMMA)

    def transform(self, node: Any, results: Any) -> None:  # noqa: ARG002
        _, _, comma, target = node.children
        comma.replace(Name("as", prefix=" "))
        target.replace(Name(target.value if target.type == token.NAME else packed(target), " "))


def packed(node: Any) -> str:
    """Make a name of a part of a program, from which `unpacked` tells the part."""
    return f"__packed_{str(node).strip().encode().hex()}__"


def unpacked(name: str) -> str:
    """The part of a program that a name stands for; empty for an ordinary name."""
    match = PACKED.fullmatch(name)
    return bytes.fromhex(match[1]).decode() if match else ""


def decoded(source: bytes) -> tuple[str, str]:
    """Read a file as a text of its bytes; gives the encoding, too, that its `unicode` texts have.

    Lines end with a newline and are indented with blanks: a tab goes to the next multiple of 8.
    """
    source = source.removeprefix(b"\xef\xbb\xbf")
    source = source.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    cookies = [match for line in source.split(b"\n")[:2] if (match := COOKIE.match(line))]
    encoding = cookies[0][1].decode() if cookies else "utf-8"
    text = source.decode("latin-1")
    text = text if text.endswith("\n") else f"{text}\n"
    return _with_blanks(text), encoding


def parsable(text: str, *, print_function: bool) -> str:
    """Write a program's text so that Python 3 can parse it; raises `NotPython2`."""
    try:
        return str(_tool(print_function).refactor_string(text, "program"))
    except ParseError as error:
        line = error.context[1][0]
        shown = f", near {error.value!r}" if error.value and error.value.strip() else ""
        raise NotPython2(f"this can't be read as Python 2{shown}", line) from None
    except (TokenError, IndentationError) as error:
        line = error.args[1][1] if isinstance(error, IndentationError) else error.args[1][0]
        raise NotPython2(str(error.args[0]), line) from None


@cache
def _tool(print_function: bool) -> RefactoringTool:
    tool = RefactoringTool(FIXERS, {"print_function": print_function})
    texts = FixTexts(tool.options, tool.fixer_log)
    parameters = FixParameters(tool.options, tool.fixer_log)
    tool.bmi_post_order_heads.update({token.STRING: [texts], token.NAME: [texts]})
    tool.bmi_pre_order_heads.update({kind: [parameters] for kind in PARAMETERS})
    tool.bmi_pre_order_heads[python_symbols.except_clause] = [
        FixExcept(tool.options, tool.fixer_log)
    ]
    return tool


def _with_blanks(text: str) -> str:
    """Indent every line with blanks that does not begin within a text."""
    if "\t" not in text and "\f" not in text:
        return text
    inside: set[int] = set()
    try:
        for kind, _, (first, _), (last, _), _ in tokenize.generate_tokens(StringIO(text).readline):
            if kind == token.STRING:
                inside.update(range(first + 1, last + 1))
    except (TokenError, IndentationError):
        pass  # parsing it will say so
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if number not in inside:
            blank = BLANK.match(line)
            assert blank
            lines[number - 1] = blank[0].replace("\f", "").expandtabs(8) + line[blank.end() :]
    return "\n".join(lines)

"""The errors that the command line reports in one sentence: user errors, and failures of the arena.

An exception of either kind carries a message for people. Any other exception is a bug in the arena,
and is shown as a traceback.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


class UserError(Exception):
    """Something that the user can put right; the message says what and where. Exit code 2.

    One that `passes` is over by itself, or with the fault of a disk or a server: the same command
    may succeed later. Exit code 1, so that a service is started again.
    """

    passes: bool = False


class ArenaFailure(Exception):
    """The arena or its machine failed; the message says what failed. Exit code 1."""


_EXPECTED: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "string_type": lambda _: "must be text",
    "int_type": lambda _: "must be a whole number",
    "int_parsing": lambda _: "must be a whole number",
    "int_from_float": lambda _: "must be a whole number",
    "float_type": lambda _: "must be a number",
    "float_parsing": lambda _: "must be a number",
    "finite_number": lambda _: "must be a finite number",
    "bool_type": lambda _: "must be true or false",
    "bool_parsing": lambda _: "must be true or false",
    "list_type": lambda _: "must be a list",
    "tuple_type": lambda _: "must be a list",
    "dict_type": lambda _: "must be a mapping",
    "model_type": lambda _: "must be a mapping",
    "model_attributes_type": lambda _: "must be a mapping",
    "literal_error": lambda c: f"must be one of {_listed(c['expected'])}",
    "enum": lambda c: f"must be one of {_listed(c['expected'])}",
    "string_too_long": lambda c: f"must have at most {c['max_length']} characters",
    "string_too_short": lambda c: f"must have at least {c['min_length']} characters",
    "too_long": lambda c: f"must have at most {c['max_length']} entries",
    "too_short": lambda c: f"must have at least {c['min_length']} entries",
    "greater_than": lambda c: f"must be more than {c['gt']}",
    "greater_than_equal": lambda c: f"must be at least {c['ge']}",
    "less_than": lambda c: f"must be less than {c['lt']}",
    "less_than_equal": lambda c: f"must be at most {c['le']}",
    "value_error": lambda c: str(c["error"]),
}
"""What pydantic expected, in our words; other errors keep pydantic's."""


def expected(kind: str, context: Mapping[str, Any], message: str) -> str:
    """Say what pydantic expected for this kind of error, by default in its own words."""
    if say := _EXPECTED.get(kind):
        return say(context)
    return message.replace("Input should", "must", 1)


def _listed(expected: str) -> str:
    return expected.replace(" or ", ", ").replace("'", "")

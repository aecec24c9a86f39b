"""The allowed answers as plain texts, which can be stored in a file and checked without the game.

A form is a literal answer, such as `S`; or an answer with a number from a range, such as `B
{1..190}`; or a pick of cards, such as `{2 of 7H,8H,9H with KH}`, which may follow the beginning of
an answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from tables.choices import Action, Between, Choice, Either, OneOf, Pick

_NUMBER = re.compile(r"[0-9]+")
_RANGE = re.compile(
    r"(?P<before>[^{}]*)\{(?P<low>[0-9]{1,18})\.\.(?P<high>[0-9]{1,18})\}(?P<after>[^{}]*)"
)
_PICK = re.compile(
    r"(?P<before>[^{}]*)\{(?P<count>[0-9]{1,3}) of (?P<cards>[^{} ]*)( with (?P<forced>[^{} ]+))?\}"
)


def forms(choice: Choice, write: Callable[[Action], str]) -> Iterator[str]:
    """Write down everything that a choice allows; answers without a form are left out.

    A game's own kind of choice gives its forms by a method `forms`.
    """
    match choice:
        case OneOf(actions):
            yield from map(write, actions)
        case Between(make, low, high):
            if low <= high:
                yield ranged(write(make(low)), write(make(high)))
        case Either(choices):
            for one in choices:
                yield from forms(one, write)
        case Pick(count, cards, forced):
            must = f" with {','.join(forced)}" if forced else ""
            yield f"{{{count} of {','.join(cards)}{must}}}"
        case _ if hasattr(choice, "forms"):
            yield from choice.forms(write)


def ranged(low: str, high: str) -> str:
    """The form of all answers between two that differ only in their one number."""
    ends = _NUMBER.search(low), _NUMBER.search(high)
    assert ends[0], "an answer between two others holds a number"
    assert ends[1], "and so does the last one"
    return f"{low[: ends[0].start()]}{{{ends[0][0]}..{ends[1][0]}}}{low[ends[0].end() :]}"


def is_among(written: str, allowed: Sequence[str]) -> bool:
    """Whether an answer, as the game writes it, has one of these forms."""
    return any(_has_form(written, form) for form in allowed)


def _has_form(written: str, form: str) -> bool:
    if written == form:
        return True
    if within := _RANGE.fullmatch(form):
        rest = written.removeprefix(within["before"]).removesuffix(within["after"])
        return (
            f"{within['before']}{rest}{within['after']}" == written
            and _NUMBER.fullmatch(rest) is not None
            and len(rest) <= 18
            and int(within["low"]) <= int(rest) <= int(within["high"])
        )
    if picked := _PICK.fullmatch(form):
        if not written.startswith(picked["before"]):
            return False
        cards = written[len(picked["before"]) :].split(",")
        forced = set((picked["forced"] or "").split(",")) - {""}
        return len(cards) == len(set(cards)) == int(picked["count"]) and forced <= set(cards) <= {
            *picked["cards"].split(","),
            *forced,
        }
    return False

"""Asks the API all that its description allows: `python -m card_arena.tests.accounts.described`.

Every answer must be one that is described. Addresses name what there is as often as what there
isn't; tokens are of every scope, stale ones and none.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import schemathesis
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import negative_data_rejection, positive_data_acceptance

from card_arena.accounts.entries import SCOPES
from card_arena.accounts.settings import AccountSettings
from card_arena.leaderboard.matches import matches
from card_arena.leaderboard.plans import Plan
from card_arena.leaderboard.rules import LanguageShape
from card_arena.tests.accounts.porch import Porch, bot
from card_arena.tests.accounts.programs import token
from card_arena.tests.accounts.sites import open_site
from card_arena.tests.leaderboard.web.house import furnish
from card_arena.tests.tournament import stage
from card_arena.tournament.plans import dry_run_announced
from card_arena.tournament.play.steps import finish

LANGUAGE = LanguageShape(name="c", title="C", suffixes=(".c",), package="gcc")


@dataclass(frozen=True)
class Arena:
    """A site with its accounts open, what its addresses may name, and tokens for it."""

    app: Flask
    known: Mapping[str, Sequence[Any]]
    tokens: Sequence[str]


@contextmanager
def arena(folder: Path) -> Iterator[Arena]:
    """A store with a past, people, and uploads of every state."""
    porch = Porch(folder)
    furnish(porch.store)
    for archive in (bot("davey"), bot("broken", source="exit 3\n")):
        porch.add_upload(porch.ann, archive)
    finish(porch.intake().take_all(stage.Here()))
    porch.add_upload(porch.bob, bot("waiting"))
    tokens = [token(porch, porch.ann, scope) for scope in SCOPES]
    boss, _ = porch.accounts.invite("Boss", "boss@example.org", role="organiser")
    tokens += 3 * [token(porch, boss, "manage")]
    porch.accounts.invite_member(porch.bob.id, porch.bob.teams[0].id, "ann@example.org", 9)
    order = porch.accounts.request_operation(porch.ann.id, "title", "davey", title="")
    porch.accounts.send_message("Hello")
    revoked = token(porch, porch.bob)
    porch.accounts.revoke(porch.bob.id, porch.accounts.tokens(porch.bob.id)[0].id)
    keys = [
        line.key
        for name in ("friday", "spades", "durak")
        for line in matches(porch.store, name, 1).items[:3]
    ]
    known = {
        "name": ["friday", "two-halls", "sunday", "davey", "chatty", "silent"],
        "key": keys,
        "number": [1, 2],
        "turn": list(range(8)),
        "upload_id": [1, 2, 3],
        "person_id": [2, 2, 3],  # Ann's own would be changed, and she would come in no more
        "team_id": [1, 2, 3],
        "invitation_id": [1],
        "message_id": [1],
        "operation_id": [order.id],
        "sheet": ["standings", "matches", "decisions", "versions", "submissions"],
        "ending": ["csv", "json", "parquet"],
    }

    def plan(name: str, cores: int) -> Plan:
        return dry_run_announced(porch.store, name, cores, datetime.now(UTC))

    with open_site(porch, AccountSettings(a_day=10_000), dry_run=plan) as app:
        app.extensions["arena"].languages = [LANGUAGE]
        app.extensions["rates"].blueprints.clear()  # else there would soon be no other answer
        yield Arena(app, known, [*tokens, revoked, "", "\x7f"])
    porch.accounts.close()
    porch.store.close()


def ask_everything(arena: Arena, examples: int) -> dict[str, int]:
    """Ask each address so many times; raises an error for an answer that is not described.

    Returns how often each was asked.
    """
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", arena.app)
    asked = {}
    for result in schema.get_all_operations():
        operation = result.ok()
        asked[operation.label] = _ask(arena, operation, examples)
    return asked


def _ask(arena: Arena, operation: Any, examples: int) -> int:
    count = 0

    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(asked=_questions(operation), data=st.data())
    def ask(asked: tuple[bool, Any], data: st.DataObject) -> None:
        nonlocal count
        count += 1
        right, case = asked
        secret = data.draw(st.sampled_from(arena.tokens), "token")
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        for name, values in arena.known.items() if right else ():
            if name in (case.path_parameters or {}) and data.draw(st.booleans(), f"known {name}"):
                case.path_parameters[name] = data.draw(st.sampled_from(values), name)
        # what was wrong with a question may have been that it had no token
        excluded = [negative_data_rejection] if headers else []
        if case.method != "GET":  # what is sent may be refused for what no schema can say
            excluded.append(positive_data_acceptance)
        case.call_and_validate(headers=headers, excluded_checks=excluded)

    ask()
    return count


def _questions(operation: Any) -> st.SearchStrategy[tuple[bool, Any]]:
    """Questions that are described, and such that aren't, as far as an address has any."""
    modes = {True: GenerationMode.POSITIVE, False: GenerationMode.NEGATIVE}
    return st.one_of(
        *(
            st.tuples(st.just(right), operation.as_strategy(generation_mode=mode))
            for right, mode in modes.items()
        )
    )


def main() -> None:
    """Ask for longer, and say how often everything was asked."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--examples", type=int, default=300)
    examples = parser.parse_args().examples
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, arena(Path(folder)) as there:
        asked = ask_everything(there, examples)
    for label, count in asked.items():
        print(f"{count:6}  {label}")
    print(
        f"{sum(asked.values()):6}  in {time.monotonic() - begun:.0f} s: every answer is described"
    )


if __name__ == "__main__":
    main()

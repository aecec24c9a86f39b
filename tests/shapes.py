"""The generated half of docs/api.md and docs/shapes.md."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from json import dumps, loads
from typing import Any

from flask import Flask

from card_arena.accounts.entries import AllLimits, Log, Messages, People, Upload, VisibilityShape
from card_arena.accounts.web.api import blueprint as accounts_api
from card_arena.commands.actions.collusion import CollusionCheckShape
from card_arena.commands.actions.compare import ComparisonShape, DuelShape
from card_arena.commands.actions.doctor import DoctorShape
from card_arena.commands.actions.experiment import ExperimentsShape, MeasuresOfAll
from card_arena.commands.actions.languages import LanguagesHere
from card_arena.commands.actions.ledger import LedgerShape
from card_arena.commands.actions.match import MatchResult
from card_arena.commands.actions.play import Exhibition
from card_arena.commands.actions.replay import ReplayedMatch
from card_arena.commands.actions.repro import Repeated, RepeatedSeason
from card_arena.common.text import markdown_table
from card_arena.leaderboard.bots import Bots
from card_arena.leaderboard.matches import Matches
from card_arena.leaderboard.models import Shape, public_name
from card_arena.leaderboard.plans import Plan
from card_arena.leaderboard.reviews import MatchReview, TournamentReview
from card_arena.leaderboard.rules import Games
from card_arena.leaderboard.standings import Standings
from card_arena.leaderboard.tournaments import AllStandings
from card_arena.leaderboard.versus import AllGames, Versus
from card_arena.leaderboard.web.api import blueprint as web_api
from card_arena.leaderboard.web.api.description import api

PRINTED: Mapping[str, tuple[type[Shape], ...]] = {
    "compare": (ComparisonShape, DuelShape),
    "doctor": (DoctorShape,),
    "experiment": (ExperimentsShape, MeasuresOfAll),
    "ledger show": (LedgerShape,),
    "match": (MatchResult,),
    "people limits": (AllLimits,),
    "people list": (People,),
    "people message": (Messages,),
    "plan": (Plan,),
    "play": (Exhibition,),
    "push": (Upload,),
    "replay": (Matches, ReplayedMatch),
    "repro": (Repeated, RepeatedSeason),
    "review": (MatchReview, TournamentReview),
    "season visibility": (VisibilityShape,),
    "show collusion": (CollusionCheckShape,),
    "show bots": (Bots,),
    "show games": (Games,),
    "show languages": (LanguagesHere,),
    "show log": (Log,),
    "standings": (AllStandings, Standings, Versus, AllGames),
}
"""What each command prints with `--json`; of several shapes, its options choose one."""

REFERENCE = "#/components/schemas/"


@cache
def description() -> Mapping[str, Any]:
    """The OpenAPI of an arena whose accounts are open."""
    app = Flask(__name__)
    for blueprint in (web_api, accounts_api):
        app.register_blueprint(blueprint)
    with app.app_context():
        return api.data()


def addresses_block() -> str:
    """Every address, with what it is for and what it answers."""
    rows = [
        (f"`{method.upper()} {path.removeprefix('/api/v1')}`", asked["summary"], _answer(asked))
        for path, methods in sorted(description()["paths"].items())
        for method, asked in methods.items()
    ]
    return markdown_table(("address", "what it is", "shape"), rows)


def json_block() -> str:
    """The commands, with the shapes that they print."""
    rows = [
        (
            f"`arena {command}`",
            ", ".join(linked(public_name(shape.__name__)) for shape in shapes),
        )
        for command, shapes in sorted(PRINTED.items())
    ]
    return markdown_table(("command", "shape"), rows)


def shapes_block() -> str:
    """Every shape, in order of name."""
    return "\n\n".join(_shape(name, schema) for name, schema in sorted(shapes().items()))


@cache
def shapes() -> Mapping[str, Mapping[str, Any]]:
    """The schemas of all shapes by name; raises `ValueError` where two have the same name."""
    found: dict[str, Mapping[str, Any]] = {}
    for name, schema in (*description()["components"]["schemas"].items(), *_printed()):
        if found.setdefault(name, schema) != schema:
            raise ValueError(f"two models have the name {name}")
    return {name: schema for name, schema in found.items() if "properties" in schema}


def _printed() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The schemas of what commands print, as the description has those of the API."""
    for shape in (each for printed in PRINTED.values() for each in printed):
        schema = shape.model_json_schema(mode="serialization", ref_template=f"{REFERENCE}{{model}}")
        text = re.sub(rf'(?<="{REFERENCE})(\w+)', lambda ref: public_name(ref[1]), dumps(schema))
        plain = loads(text)
        yield from ((public_name(name), each) for name, each in plain.pop("$defs", {}).items())
        yield public_name(shape.__name__), plain


def linked(name: str) -> str:
    """A link to a shape's description."""
    return f"[{name}](shapes.md#{name.lower()})"


def _answer(asked: Mapping[str, Any]) -> str:
    (found,) = [
        answer for status, answer in asked["responses"].items() if status in ("200", "201")
    ][-1:]
    kind, content = next(iter(found["content"].items()))
    reference = content["schema"].get("$ref")
    return linked(reference.removeprefix(REFERENCE)) if reference else f"a file, `{kind}`"


def _shape(name: str, schema: Mapping[str, Any]) -> str:
    rows = [
        (f"`{member}`", typed(of_it), of_it.get("description", ""))
        for member, of_it in schema["properties"].items()
    ]
    about = schema.get("description", "").replace("\n", " ")
    return f"## {name}\n\n{about}\n\n{markdown_table(('member', 'type', 'meaning'), rows)}"


def typed(schema: Mapping[str, Any]) -> str:
    """A type in a word or a few."""
    return "".join(_typed(schema))


def _typed(schema: Mapping[str, Any]) -> Iterator[str]:
    if reference := schema.get("$ref"):
        name = reference.removeprefix(REFERENCE)
        yield f"[{name}](#{name.lower()})" if name in shapes() else "text"
    elif options := schema.get("anyOf"):
        yield " or ".join(typed(option) for option in options if option.get("type") != "null")
        yield "?"
    elif "enum" in schema:
        yield ", ".join(f"`{value}`" for value in schema["enum"])
    elif schema.get("type") == "array":
        inner = schema.get("items") or next(iter(schema.get("prefixItems", ())), {})
        yield f"list of {typed(inner)}"
    elif schema.get("type") == "object":
        inner = schema.get("additionalProperties")
        yield f"by name: {typed(inner)}" if isinstance(inner, dict) else "object"
    elif schema.get("format") == "date-time":
        yield "time"
    else:
        names = {"string": "text", "integer": "number", "boolean": "yes or no", "number": "figure"}
        yield names.get(str(schema.get("type")), "any")

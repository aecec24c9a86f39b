"""Operations by programs, as they are declared, and what became of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

from flask import url_for
from pydantic import Field, create_model

from card_arena.accounts import operations
from card_arena.accounts.administration import NotPermitted, operations_on_bot
from card_arena.accounts.entries import AuditEntry, OperationQueue
from card_arena.accounts.operations import LARGEST_NUMBER, MOST_WORDS, Kind, Operation, Parameter
from card_arena.accounts.web.access import Needs, carry_out_here, needs, own_bot, own_operation
from card_arena.accounts.web.api.blueprint import SECURITY, Said, admin, blueprint, sent
from card_arena.accounts.web.context import accounts_context
from card_arena.accounts.web.roster import person_numbered
from card_arena.accounts.web.tournaments import demand_known
from card_arena.accounts.web.visitors import person
from card_arena.leaderboard.web.api.answers import Query
from card_arena.leaderboard.web.api.description import Answers, api
from card_arena.leaderboard.web.pages.site import whole_site

LATEST = 50
"""How many operations on a bot are listed."""

Word = Annotated[Said, Field(min_length=1)]

TYPES: Mapping[Kind, tuple[Any, Any, dict[str, Any]]] = {
    "text": (Said, "", {}),
    "reason": (Said, "", {}),
    "version": (int | None, None, {"ge": 1, "le": LARGEST_NUMBER}),
    "count": (int | None, None, {"ge": 1}),
    "words": (tuple[Word, ...], (), {"max_length": MOST_WORDS}),
    "sure": (bool, False, {}),
}
"""The type of each kind of parameter in JSON, its default, and its bounds."""


def request_model(name: str, subject: str) -> type[Query]:
    """The JSON that asks for an operation on a kind of subject, as it is declared."""
    known = operations.about(subject)
    uses: dict[str, list[tuple[Operation, Parameter]]] = defaultdict(list)
    for operation in known:
        for parameter in operation.parameters:
            uses[parameter.name].append((operation, parameter))
    names = cast(Any, Literal)[tuple(each.name for each in known)]
    members = {key: _member(used) for key, used in uses.items()}
    what = (names, Field(description="The operation."))
    about = f"An operation on a {subject}."
    return create_model(name, __base__=Query, __doc__=about, what=what, **members)  # type: ignore[no-any-return,call-overload]


def _member(used: list[tuple[Operation, Parameter]]) -> tuple[Any, Any]:
    """The type of a member of the JSON and its field, which says which operations take it."""
    helps: dict[str, list[str]] = defaultdict(list)
    for operation, parameter in used:
        helps[parameter.help].append(f"`{operation.name}`")
    description = " ".join(f"{', '.join(names)}: {text}" for text, names in helps.items())
    parameter = used[0][1]
    if parameter.choices:
        choices = cast(Any, Literal)[parameter.choices]
        return choices | None, Field(None, description=description)
    type_, default, bounds = TYPES[parameter.kind]
    if parameter.kind in ("text", "reason"):
        bounds = {"max_length": parameter.most}
    return type_, Field(default, description=description, **bounds)


BotOperation = request_model("BotOperation", "bot")
PersonOperation = request_model("PersonOperation", "person")
SeasonOperation = request_model("SeasonOperation", "tournament")


@blueprint.get("/bots/<name>/operations")
@needs(Needs.TEAM)
@api.validate(
    resp=Answers(OperationQueue, 401, 403, 404, cached=False), tags=["bots"], security=SECURITY
)
def bot_operations(name: str) -> OperationQueue:
    """The operations on my bot, the newest first, with what became of it."""
    own_bot(person(), name)
    return OperationQueue(
        items=operations_on_bot(accounts_context().accounts, whole_site().store, name, LATEST)
    )


@blueprint.post("/bots/<name>/operations")
@needs(Needs.TEAM, "manage")
@api.validate(
    json=BotOperation,
    resp=Answers(AuditEntry, 401, 403, 404, 409, status=(201,), cached=False),
    skip_validation=True,
    tags=["bots"],
    security=SECURITY,
)
def operation_on_bot(name: str) -> Any:
    """Have the arena do something with my bot, between two matches; organisers with any bot."""
    own_bot(person(), name)
    return _request("bot", name, sent(BotOperation))


@blueprint.post("/admin/tournaments/<name>/operations")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    json=SeasonOperation,
    resp=Answers(AuditEntry, 401, 403, 404, status=(201,), cached=False),
    skip_validation=True,
    tags=["admin"],
    security=SECURITY,
)
def operation_on_season(name: str) -> Any:
    """Expel or admit a bot, annul a match or a season, pause a tournament or let it go on."""
    demand_known(name)
    return _request("tournament", name, sent(SeasonOperation))


@admin(
    "POST /admin/people/<int(max=999999999):person_id>/operations",
    AuditEntry,
    404,
    json=PersonOperation,
    status=(201,),
)
def operation_on_person(person_id: int) -> Any:
    """Change a person's role, team or number, suspend or restore them, or end their sessions."""
    email, asked = person_numbered(person_id).email, sent(PersonOperation)
    if getattr(asked, "role", None) == "organiser":
        raise NotPermitted("tokens can't make organisers: use the admin pages")
    return _request("person", email, asked)


@blueprint.get("/operations/<int(max=999999999):operation_id>")
@needs(Needs.TEAM)
@api.validate(
    resp=Answers(AuditEntry, 401, 403, 404, cached=False), tags=["bots"], security=SECURITY
)
def operation(operation_id: int) -> AuditEntry:
    """An operation and its state; ask again while it is `waiting`."""
    return own_operation(person(), operation_id)


@blueprint.get("/admin/operations")
@needs(Needs.ORGANISER, "manage")
@api.validate(
    resp=Answers(OperationQueue, 401, 403, cached=False), tags=["admin"], security=SECURITY
)
def waiting_operations() -> OperationQueue:
    """The first 100 operations that wait, the oldest first."""
    return OperationQueue(items=accounts_context().accounts.waiting_operations())


def _request(subject: str, name: str, asked: Query) -> Any:
    """Carry out the requested operation; the answer names the address of its state."""
    values = asked.model_dump()
    entry = carry_out_here(operations.named(values.pop("what"), subject), name, values)
    return entry, 201, {"Location": url_for("accounts_api.operation", operation_id=entry.id)}

"""Handing a bot in by a program, and waiting for what becomes of it."""

from __future__ import annotations

from typing import Annotated, Any

from flask import request, url_for
from pydantic import WithJsonSchema

from card_arena.accounts.entries import Person, SubmittedUpload, Team, Upload, Uploads
from card_arena.accounts.submission import packed_form
from card_arena.accounts.web.access import own_upload
from card_arena.accounts.web.api.blueprint import in_team, signed_in
from card_arena.accounts.web.context import accounts_context
from card_arena.accounts.web.store_upload import add_upload
from card_arena.accounts.web.visitors import Forbidden, person
from card_arena.leaderboard.models import PageShape
from card_arena.leaderboard.web.api.answers import PageQuery, Query, one_page
from card_arena.leaderboard.web.api.failures import BadParameter


class BundleForm(Query):
    """An upload of a bot."""

    bundle: Annotated[bytes, WithJsonSchema({"type": "string", "format": "binary"})]
    """A zip or a tar.gz of the bot's folder; or its files, each as a part of this name."""
    team: str = ""
    """The team that it belongs to; required of people with several teams."""


@signed_in("GET /uploads", Uploads, 404, tag="uploads")
def uploads(query: PageQuery) -> tuple[PageShape, object]:
    """The uploads of my teams, newest first."""
    mine = [team.id for team in person().teams]
    found = accounts_context().accounts.uploads_page(query.page, query.size, mine)
    return one_page(Uploads.of(found), query)


@signed_in(
    "POST /uploads",
    SubmittedUpload,
    409,
    413,
    tag="uploads",
    scope="submit",
    form=BundleForm,
    status=(200, 201),
)
def submit() -> Any:
    """Upload a bot. The same files as in the team's last upload return that upload, with 200."""
    who = person()
    team = _team(who)
    upload, new = add_upload(who, team, *packed_form(request.files.getlist("bundle")))
    answer = SubmittedUpload(
        **dict(accounts_context().accounts.with_uploads_ahead(upload)), new=new
    )
    where = url_for("accounts_api.upload", upload_id=upload.id)
    return answer, 201 if new else 200, {"Location": where}


@in_team("GET /uploads/<int(max=999999999):upload_id>", Upload, 404, tag="uploads")
def upload(upload_id: int) -> Upload:
    """What became of an upload; ask again while it is `waiting` or `building`."""
    return accounts_context().accounts.with_uploads_ahead(own_upload(person(), upload_id))


def _team(who: Person) -> Team:
    """The team that the form names, or the only one."""
    wanted = request.form.get("team", "")
    found = [team for team in who.teams if wanted in ("", team.name)]
    if not found:
        raise Forbidden(
            f"you are not in the team {wanted[:80]!r}" if wanted else "you have no team"
        )
    if len(found) > 1:
        raise BadParameter("you are in several teams: say which one with the parameter 'team'")
    return found[0]

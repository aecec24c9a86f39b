"""Uploading a bot, and the state of an upload."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import IO

from flask import flash, redirect, render_template, request, url_for
from werkzeug import Response
from werkzeug.datastructures import MultiDict

from card_arena.accounts.entries import Paste, Person, Team, Upload
from card_arena.accounts.storage.uploads import NotAccepted
from card_arena.accounts.submission import BadForm, CutShort, TooLarge, packed_form, packed_source
from card_arena.accounts.web.access import Needs, needs, own_upload
from card_arena.accounts.web.context import accounts_context
from card_arena.accounts.web.fields import row_number
from card_arena.accounts.web.pages.blueprint import blueprint
from card_arena.accounts.web.store_upload import add_upload
from card_arena.accounts.web.visitors import Forbidden, person
from card_arena.leaderboard.bots import Debut
from card_arena.leaderboard.bots import debut as read_debut
from card_arena.leaderboard.seasons import spoken
from card_arena.leaderboard.web.pages.site import site, whole_site
from card_arena.tables.registry import GAMES

WATCHED = timedelta(hours=2)
"""How long a page goes on looking for the first matches of a version that is in."""

REJECTIONS = (BadForm, TooLarge, CutShort, NotAccepted)


@blueprint.get("/submit")
@needs(Needs.PERSON)
def submit_page() -> str:
    """The form, with the smallest correct bot of a language in it, or what was pasted before.

    `starter` names the language, `again` is the number of the upload that was pasted.
    """
    who, wanted = person(), request.args.get("starter", "")
    if again := request.args.get("again", type=row_number):
        before = accounts_context().accounts.paste(who.id, again)
        return _form(who, said=_filled_in(before) if before else None)
    for language in accounts_context().languages:
        if language.name == wanted and language.starter:
            starter = Paste("", language.name, "", language.games, language.starter)
            return _form(who, said=_filled_in(starter))
    return _form(who)


@blueprint.post("/submit")
@needs(Needs.PERSON, "submit")
def submit() -> Response | tuple[str, int]:
    """Hand a bot in."""
    who = person()
    try:
        team, paste = _team(who), _paste()
        file = _packed(paste, team) if paste else packed_form(request.files.getlist("bundle"))
        upload, new = add_upload(who, team, *file)
    except REJECTIONS as error:
        return _form(who, str(error)), 400
    if paste:
        accounts_context().accounts.keep_paste(who.id, upload.id, paste)
    if not new:
        flash("These are the files of your last upload, so nothing changes.")
    return redirect(url_for("accounts.upload", upload_id=upload.id), 303)


@blueprint.get("/upload/<int:upload_id>")
@needs(Needs.TEAM)
def upload(upload_id: int) -> str:
    """What became of an upload."""
    who, accounts = person(), accounts_context().accounts
    found = accounts.with_uploads_ahead(own_upload(who, upload_id))
    debut = None
    if found.version is not None:
        debut = read_debut(site().store, found.bot, found.version)
    left = accounts.time_left(found) if found.waits else None
    return render_template(
        "accounts/upload.html",
        upload=found,
        debut=debut,
        left=None if left is None else spoken(left),
        moves=found.waits or (debut is not None and _moves(found, debut)),
        home_check=_home_check(found),
        was_pasted=accounts.paste(who.id, found.id) is not None,
    )


def _moves(upload: Upload, debut: Debut) -> bool:
    """Whether something is still to be seen of a version that is in."""
    return not debut.is_rated and datetime.now(UTC) - upload.changed < WATCHED


def _home_check(upload: Upload) -> str:
    """The command that repeats at home what kept an upload out."""
    failed = upload.failed
    folder = f"{upload.bot or 'my_bot'}/"
    return f"arena check {folder}{f' --game {failed.game}' if failed else ''}"


def _team(who: Person) -> Team:
    """The team that the form names, or the only one; raises `BadForm` if there are several."""
    wanted = request.form.get("team", type=int)
    mine = [team for team in who.teams if wanted in (None, team.id)]
    if not mine:
        raise Forbidden("you are not in this team")
    if len(mine) > 1:
        raise BadForm("you are in several teams: choose the one that it belongs to")
    return mine[0]


def _paste() -> Paste | None:
    """What the form has been filled in with; None if no program was pasted."""
    form = request.form
    if not form.get("source", "").strip():
        return None
    return Paste(
        form.get("name", "").strip(),
        form.get("language", ""),
        form.get("protocol", ""),
        tuple(game for game in form.getlist("game") if game in GAMES),
        form["source"],
    )


def _packed(paste: Paste, team: Team) -> tuple[IO[bytes], str]:
    """A pasted program as a file; raises `BadForm`, also if its name is another team's already."""
    known = {each.name: each for each in accounts_context().languages}
    language = known.get(paste.language)
    if language is None:
        raise BadForm("choose the language of the program")
    protocol = paste.protocol or language.protocol
    packed = packed_source(replace(paste, protocol=protocol), language)
    if whole_site().store.is_taken(paste.name, team.author or team.name):
        raise BadForm(f"another team's bot is called {paste.name}: choose another name for yours")
    return packed


def _filled_in(paste: Paste) -> MultiDict[str, str]:
    """The fields of the form as somebody pasted a program."""
    return MultiDict(
        [
            *(("name", paste.name), ("language", paste.language), ("protocol", paste.protocol)),
            *(("game", game) for game in paste.games),
            ("source", paste.source),
        ]
    )


def _form(who: Person, trouble: str = "", said: MultiDict[str, str] | None = None) -> str:
    return render_template(
        "accounts/submit.html",
        teams=who.teams,
        languages=accounts_context().languages,
        games=GAMES,
        quotas={team: accounts_context().limits_for(team, who.id) for team in who.teams},
        trouble=trouble,
        said=request.form if said is None else said,
    )

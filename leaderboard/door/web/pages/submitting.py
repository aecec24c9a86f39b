"""Handing a bot in, and watching what becomes of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import IO

from flask import flash, redirect, render_template, request, url_for
from werkzeug import Response
from werkzeug.datastructures import MultiDict

from leaderboard import views
from leaderboard.door.entries import Person, Team, Upload
from leaderboard.door.handing_in import BadForm, packed_form, packed_source
from leaderboard.door.spool import CutShort, TooLarge
from leaderboard.door.storage.uploads import NotTaken
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.opened import opened
from leaderboard.door.web.own import own_upload
from leaderboard.door.web.pages.blueprint import blueprint
from leaderboard.door.web.visitors import Forbidden, person
from leaderboard.web.pages.site import site
from tables.registry import GAMES

WATCHED = timedelta(hours=2)
"""How long a page goes on looking for the first matches of a version that is in."""

CANT_BE_TAKEN = (BadForm, TooLarge, CutShort, NotTaken)


@blueprint.get("/submit")
@needs(Needs.PERSON)
def submit_page() -> str:
    """The form, with the smallest correct bot of a language in it if somebody asks for that."""
    wanted = request.args.get("starter", "")
    for language in opened().languages:
        if language.name == wanted and language.starter:
            said = {"source": language.starter, "language": language.name}
            games = [("game", game) for game in language.games]
            return _form(person(), said=MultiDict([*said.items(), *games]))
    return _form(person())


@blueprint.post("/submit")
@needs(Needs.PERSON, "submit")
def submit() -> Response | tuple[str, int]:
    """Hand a bot in."""
    who = person()
    try:
        upload, new = hand_in(who, _team(who), *_file())
    except CANT_BE_TAKEN as error:
        return _form(who, str(error)), 400
    if not new:
        flash("These are the files that you handed in last, so nothing changes.")
    return redirect(url_for("door.upload", upload_id=upload.id), 303)


@blueprint.get("/upload/<int:upload_id>")
@needs(Needs.TEAM)
def upload(upload_id: int) -> str:
    """What became of an upload."""
    found = own_upload(person(), upload_id)
    door = opened().door
    debut = None
    if found.number is not None:
        debut = views.debut(site().store, found.bot, found.number)
    left = door.time_left(found) if found.waits else None
    return render_template(
        "door/upload.html",
        upload=found,
        debut=debut,
        ahead=door.place(found.id) if found.state == "waiting" else 0,
        left=None if left is None else views.spoken(left),
        moves=found.waits or (debut is not None and _moves(found, debut)),
        home_check=_home_check(found),
    )


def _moves(upload: Upload, debut: views.Debut) -> bool:
    """Whether something is still to be seen of a version that is in."""
    return not debut.is_rated and datetime.now(UTC) - upload.changed < WATCHED


def _home_check(upload: Upload) -> str:
    """The command that repeats at home what kept an upload out."""
    failed = upload.failed
    folder = f"{upload.bot or 'my_bot'}/"
    return f"arena check {folder}{f' --game {failed.game}' if failed else ''}"


def hand_in(who: Person, team: Team, file: IO[bytes], filename: str) -> tuple[Upload, bool]:
    """Keep a file in the spool and accept it; raises `CANT_BE_TAKEN` and `SpoolFull`."""
    there = opened()
    kept = there.spool.put(file, there.limits_for(team).size)
    try:
        upload, new = there.door.hand_in(who.id, team.id, filename, kept, there.settings.quota)
    except NotTaken:
        there.spool.remove(kept.name)
        raise
    if not new:
        there.spool.remove(kept.name)
    return upload, new


def _team(who: Person) -> Team:
    """The team that the form names, or the only one."""
    wanted = request.form.get("team", type=int)
    mine = [team for team in who.teams if wanted in (None, team.id)]
    if not mine:
        raise Forbidden("you are not in this team")
    return mine[0]


def _file() -> tuple[IO[bytes], str]:
    """The file that was chosen, or the program that was pasted; raises `BadForm`."""
    source = request.form.get("source", "")
    if not source.strip():
        return packed_form(request.files.getlist("bundle"))
    known = {each.name: each for each in opened().languages}
    language = known.get(request.form.get("language", ""))
    if language is None:
        raise BadForm("choose the language of the program")
    games = [game for game in request.form.getlist("game") if game in GAMES]
    name = request.form.get("name", "").strip()
    protocol = request.form.get("protocol") or language.protocol
    return packed_source(name, language, protocol, games, source)


def _form(who: Person, trouble: str = "", said: MultiDict[str, str] | None = None) -> str:
    return render_template(
        "door/submit.html",
        teams=who.teams,
        languages=opened().languages,
        games=GAMES,
        quotas={team: opened().limits_for(team) for team in who.teams},
        trouble=trouble,
        said=request.form if said is None else said,
    )

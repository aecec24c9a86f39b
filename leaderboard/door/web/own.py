"""What somebody may look into: their own bots, matches, teams and uploads.

What belongs to others is answered exactly like what isn't there.
"""

from __future__ import annotations

from werkzeug.exceptions import NotFound

from leaderboard import views
from leaderboard.door.entries import Act, Person, Team, Upload
from leaderboard.door.ordering import ABOUT_BOTS, handed_in
from leaderboard.door.web.opened import opened
from leaderboard.storage.store import UnknownBot, UnknownMatch
from leaderboard.web.pages.site import site, whole_site


def own_bot(who: Person, name: str) -> str:
    """The author of a bot that somebody may manage; raises `NotFound`."""
    author = _author(name)
    if author is None or not (who.organises or who.belongs_to(author)):
        raise NotFound("There is no such bot of yours.")
    return author


def own_match(who: Person, key: str) -> tuple[views.MatchPage, frozenset[str]]:
    """A match and those of its bots that somebody may look into; raises `NotFound`."""
    try:
        match = site().match(key)
    except UnknownMatch:
        match = None
    seats = match.seats if match else ()
    bots = frozenset(seat.bot for seat in seats if who.organises or who.belongs_to(seat.author))
    if match is None or not bots:
        raise NotFound("There is no such match of yours.")
    return match, bots


def own_team(who: Person, team_id: int) -> Team:
    """A team that somebody may look into; raises `NotFound`."""
    found = opened().door.team(team_id)
    if found is None or not (who.organises or who.is_in(found)):
        raise NotFound("There is no such team of yours.")
    return found


def own_upload(who: Person, upload_id: int) -> Upload:
    """An upload that somebody may see; raises `NotFound`."""
    found = opened().door.upload(upload_id)
    if found is None or not (who.organises or who.is_in(found.team)):
        raise NotFound("There is no such upload of yours.")
    return found


def own_order(who: Person, order_id: int) -> Act:
    """An order that somebody gave, or that is about a bot of theirs; raises `NotFound`.

    Whoever ordered that a bot is deleted learns what became of it, though there is no bot any more.
    A bot is told of no order from before it was handed in: that was about a namesake.
    """
    found = opened().door.act(order_id)
    if found is None or not found.is_order:
        raise NotFound("There is no such order of yours.")
    if not who.organises and found.person_id != who.id:
        author = _author(found.about)
        known = found.what in ABOUT_BOTS and author is not None and who.belongs_to(author)
        if not known or found.at < handed_in(whole_site().store, found.about):
            raise NotFound("There is no such order of yours.")
    return found


def _author(name: str) -> str | None:
    """The author of a bot; None if there is no bot of this name."""
    if "@" in name:
        return None
    try:
        return site().store.version(name).author
    except UnknownBot:
        return None

"""What all teams handed in."""

from __future__ import annotations

from typing import Any

from leaderboard.door.shapes import of_uploads
from leaderboard.door.shapes.of_uploads import Uploads
from leaderboard.door.web.access import Needs, needs
from leaderboard.door.web.api.blueprint import SECURITY, blueprint
from leaderboard.door.web.opened import opened
from leaderboard.web.api.answers import PageQuery, one_page
from leaderboard.web.api.description import Answers, api


@blueprint.get("/desk/uploads")
@needs(Needs.ORGANISER, "manage")
@api.validate(resp=Answers(Uploads, 401, 403, 404, kept=False), tags=["desk"], security=SECURITY)
def uploads_of_all(query: PageQuery) -> Any:
    """What all teams handed in, the newest first."""
    found = opened().door.uploads_page(query.page, query.size)
    return one_page(of_uploads.uploads(found), query)

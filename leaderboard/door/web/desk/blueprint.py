"""What all pages of the desk have in common: they are for organisers, and every act is logged."""

from __future__ import annotations

from flask import Blueprint, render_template

from leaderboard.door.guests import BadList
from leaderboard.door.inviting import NotInvited
from leaderboard.door.ordering import BadOrder
from leaderboard.door.storage.limits import BadLimit
from leaderboard.door.storage.messages import BadMessage
from leaderboard.door.storage.people import BadAccount
from leaderboard.door.storage.visibility import BadVisibility
from leaderboard.door.web.access import guard
from leaderboard.door.web.fields import BadField
from leaderboard.door.web.pages.blueprint import forbidden, keep_private, who
from leaderboard.door.web.visitors import Forbidden
from leaderboard.sheets.writing import NoParquet
from leaderboard.storage.reasons import BadReason

blueprint = Blueprint("desk", __name__, url_prefix="/desk", template_folder="../templates")
blueprint.before_request(guard)
blueprint.after_request(keep_private)
blueprint.context_processor(who)
blueprint.register_error_handler(Forbidden, forbidden)

ROWS = 50
"""How many lines one page of a long list shows."""


@blueprint.errorhandler(BadAccount)
@blueprint.errorhandler(BadField)
@blueprint.errorhandler(BadLimit)
@blueprint.errorhandler(BadList)
@blueprint.errorhandler(BadMessage)
@blueprint.errorhandler(BadOrder)
@blueprint.errorhandler(BadReason)
@blueprint.errorhandler(BadVisibility)
@blueprint.errorhandler(NoParquet)
@blueprint.errorhandler(NotInvited)
def refused(error: Exception) -> tuple[str, int]:
    """Say why nothing was changed."""
    return render_template("door/desk/refused.html", error=error), 400

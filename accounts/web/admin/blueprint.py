"""What the admin pages have in common: they are for organisers, and every operation is logged."""

from __future__ import annotations

from flask import Blueprint, render_template

from card_arena.accounts.web.access import STATUS, guard, status_of
from card_arena.accounts.web.pages.blueprint import forbidden, keep_private, who
from card_arena.accounts.web.visitors import Forbidden

blueprint = Blueprint("admin", __name__, url_prefix="/admin", template_folder="../templates")
blueprint.before_request(guard)
blueprint.after_request(keep_private)
blueprint.context_processor(who)

ROWS = 50
"""How many lines one page of a long list shows."""


def refused(error: Exception) -> tuple[str, int]:
    """Say why nothing was changed."""
    return render_template("accounts/admin/refused.html", error=error), status_of(error)


for kind in STATUS:
    blueprint.register_error_handler(kind, forbidden if kind is Forbidden else refused)

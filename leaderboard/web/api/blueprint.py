"""The part of the API that only reads; accounts has another one."""

from __future__ import annotations

from flask import Blueprint

from leaderboard.web.api.failures import BadParameter, bad_parameter

PREFIX = "/api/v1"

blueprint = Blueprint("api", __name__, url_prefix=PREFIX)
blueprint.register_error_handler(BadParameter, bad_parameter)

"""Endpoints of the accounts that need something in their address."""

from __future__ import annotations

THINGS = {
    "upload_id": "1",
    "secret": "no-such-secret",
    "name": "davey",
    "key": "small/0001/t01/r1/a",
    "team_id": "3",
    "token_id": "9",  # nobody's: revoking it ends what programs are tried with
    "invitation_id": "1",
    "person_id": "1",
    "message_id": "1",
    "number": "1",
    "sheet": "standings",
    "form": "csv",
    "turn": "1",
    "ending": "csv",
}
"""What stands in addresses, by the name of the parameter: things of Ann's where it can be."""


QUERIES = {"accounts.my_question": "?turn=1"}
"""What an address needs besides, by its endpoint."""

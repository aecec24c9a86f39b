"""The status of each failure that has a sentence of its own, on pages and in the API alike."""

from __future__ import annotations

from collections.abc import Mapping

from leaderboard.door.guests import BadList
from leaderboard.door.inviting import NotInvited
from leaderboard.door.ordering import BadOrder, KeptOut, NoPlace, TooManyOrders
from leaderboard.door.packing import BadForm
from leaderboard.door.spool import CutShort, TooLarge
from leaderboard.door.storage.identities import LinkedOtherwise
from leaderboard.door.storage.limits import BadLimit
from leaderboard.door.storage.messages import BadMessage, NoMessage
from leaderboard.door.storage.people import BadAccount, NoEntry
from leaderboard.door.storage.uploads import NotTaken
from leaderboard.door.storage.visibility import BadVisibility
from leaderboard.door.web.fields import BadField
from leaderboard.door.web.providers import NotSignedInElsewhere
from leaderboard.door.web.visitors import Forbidden
from leaderboard.sheets.writing import NoParquet
from leaderboard.storage.reasons import BadReason
from leaderboard.web.api.failures import BadParameter

STATUS: Mapping[type[Exception], int] = {
    BadAccount: 400,
    BadField: 400,
    BadForm: 400,
    BadLimit: 400,
    BadList: 400,
    BadMessage: 400,
    BadOrder: 400,
    BadParameter: 400,
    BadReason: 400,
    BadVisibility: 400,
    CutShort: 400,
    Forbidden: 403,
    KeptOut: 403,
    LinkedOtherwise: 403,
    NoEntry: 403,
    NoMessage: 404,
    NoParquet: 404,
    NoPlace: 409,
    NotInvited: 400,
    NotSignedInElsewhere: 403,
    NotTaken: 409,
    TooLarge: 413,
    TooManyOrders: 429,
}


def status_of(error: Exception) -> int:
    """The status of the answer that has this failure's sentence."""
    return STATUS[type(error)]

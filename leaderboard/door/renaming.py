"""Whether a team may be called otherwise, by the bots that there are."""

from __future__ import annotations

from common.lookalike import skeleton
from leaderboard import views
from leaderboard.door.storage.people import BadAccount
from leaderboard.storage.store import Store


def demand_no_bots(store: Store, team: str, new: str) -> None:
    """Raise `BadAccount` if a team has bots, or if its new name would bring it those of others."""
    authors = {line.author for line in views.bots(store)}
    if team in authors:
        raise BadAccount(f"{team} is the author of bots: it keeps its name")
    for author in authors:
        if skeleton(author) == skeleton(new):
            raise BadAccount(f"{author} is the author of bots, which would be this team's")

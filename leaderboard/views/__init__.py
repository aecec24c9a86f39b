"""What the pages and the terminal show: frozen values, each read in a handful of queries.

Every function looks at one instant of the store and never keeps a writer waiting. All of it
follows from the stored records. Raises `leaderboard.storage.store.Unknown` for what is not there.
"""

from leaderboard.views.addresses import Address
from leaderboard.views.of_bots import (
    BotLine,
    BotPage,
    BotResult,
    BotSeason,
    FaultLine,
    RatingPoint,
    VersionLine,
    bot,
    bots,
)
from leaderboard.views.of_certainty import season_certainty
from leaderboard.views.of_matches import MatchLine, MatchPage, SeatLine, match, matches, recent
from leaderboard.views.of_plans import (
    Announcement,
    Candidate,
    NotAnnounced,
    announcement,
    announcements,
    candidates,
)
from leaderboard.views.of_seasons import (
    Leader,
    SeasonFacts,
    SeasonTable,
    Standing,
    TournamentLine,
    UnknownSeason,
    leaders,
    places,
    standings,
    tournaments,
)
from leaderboard.views.paging import Page

__all__ = [
    "Address",
    "Announcement",
    "BotLine",
    "BotPage",
    "BotResult",
    "BotSeason",
    "Candidate",
    "FaultLine",
    "Leader",
    "MatchLine",
    "MatchPage",
    "NotAnnounced",
    "Page",
    "RatingPoint",
    "SeasonFacts",
    "SeasonTable",
    "SeatLine",
    "Standing",
    "TournamentLine",
    "UnknownSeason",
    "VersionLine",
    "announcement",
    "announcements",
    "bot",
    "bots",
    "candidates",
    "leaders",
    "match",
    "matches",
    "places",
    "recent",
    "season_certainty",
    "standings",
    "tournaments",
]

"""What the pages and the terminal show: frozen values, each read in a handful of queries.

Every function looks at one instant of the store and never keeps a writer waiting. All of it
follows from the stored records. Raises `leaderboard.store.Unknown` for what is not there.
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
from leaderboard.views.of_matches import MatchLine, MatchPage, SeatLine, match, matches
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
    "BotLine",
    "BotPage",
    "BotResult",
    "BotSeason",
    "FaultLine",
    "Leader",
    "MatchLine",
    "MatchPage",
    "Page",
    "RatingPoint",
    "SeasonFacts",
    "SeasonTable",
    "SeatLine",
    "Standing",
    "TournamentLine",
    "UnknownSeason",
    "VersionLine",
    "bot",
    "bots",
    "leaders",
    "match",
    "matches",
    "places",
    "standings",
    "tournaments",
]

"""What the pages and the terminal show: frozen values, each read in a handful of queries.

Every function reads a snapshot of the store and never keeps a writer waiting. Everything follows
from the stored records. Raises `leaderboard.storage.store.Unknown` for unknown names.
"""

from leaderboard.views.addresses import Address
from leaderboard.views.bot_chairs import BotChairs, InChairs
from leaderboard.views.bot_faults import BotFault
from leaderboard.views.bot_ratings import RatingPoint
from leaderboard.views.bot_results import BotResult
from leaderboard.views.bot_seasons import BotSeason
from leaderboard.views.of_all_games import AllGames, Counted, over_all_games
from leaderboard.views.of_audits import SoftPlay, soft_play_audit
from leaderboard.views.of_bots import (
    BotLine,
    BotPage,
    VersionLine,
    all_versions,
    bot,
    bot_titles,
    bots,
    bots_playing_for,
    versions_of_author,
)
from leaderboard.views.of_certainty import Figures, season_figures
from leaderboard.views.of_debuts import Debut, DebutMatch, DebutSeason, debut
from leaderboard.views.of_decisions import Decision, decisions, matches_of
from leaderboard.views.of_health import FaultShares, Progress, fault_shares, progress
from leaderboard.views.of_interventions import (
    Done,
    bot_interventions,
    match_annulled,
    probation,
    season_interventions,
)
from leaderboard.views.of_matches import MatchLine, MatchPage, SeatLine, match, matches, recent
from leaderboard.views.of_paces import season_pace, spoken, time_left
from leaderboard.views.of_plans import (
    Announcement,
    Candidate,
    NotAnnounced,
    announcement,
    announcements,
    candidates,
    reference_bots,
)
from leaderboard.views.of_seasons import SeasonFacts, UnknownSeason, season
from leaderboard.views.of_standings import SeasonTable, places, reach_places, standings
from leaderboard.views.of_tournaments import (
    Leader,
    SoFar,
    TournamentLine,
    leaders,
    matches_so_far,
    played_tournaments,
    tournament_names,
    tournaments,
)
from leaderboard.views.of_versus import LeftOut, Rival, Step, Versus, versus
from leaderboard.views.paging import Page
from leaderboard.views.standing import Standing

__all__ = [
    "Address",
    "AllGames",
    "Announcement",
    "BotChairs",
    "BotFault",
    "BotLine",
    "BotPage",
    "BotResult",
    "BotSeason",
    "Candidate",
    "Counted",
    "Debut",
    "DebutMatch",
    "DebutSeason",
    "Decision",
    "Done",
    "FaultShares",
    "Figures",
    "InChairs",
    "Leader",
    "LeftOut",
    "MatchLine",
    "MatchPage",
    "NotAnnounced",
    "Page",
    "Progress",
    "RatingPoint",
    "Rival",
    "SeasonFacts",
    "SeasonTable",
    "SeatLine",
    "SoFar",
    "SoftPlay",
    "Standing",
    "Step",
    "TournamentLine",
    "UnknownSeason",
    "VersionLine",
    "Versus",
    "all_versions",
    "announcement",
    "announcements",
    "bot",
    "bot_interventions",
    "bot_titles",
    "bots",
    "bots_playing_for",
    "candidates",
    "debut",
    "decisions",
    "fault_shares",
    "leaders",
    "match",
    "match_annulled",
    "matches",
    "matches_of",
    "matches_so_far",
    "over_all_games",
    "places",
    "played_tournaments",
    "probation",
    "progress",
    "reach_places",
    "recent",
    "reference_bots",
    "season",
    "season_figures",
    "season_interventions",
    "season_pace",
    "soft_play_audit",
    "spoken",
    "standings",
    "time_left",
    "tournament_names",
    "tournaments",
    "versions_of_author",
    "versus",
]

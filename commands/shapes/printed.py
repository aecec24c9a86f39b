"""Which shapes each command prints."""

from __future__ import annotations

from collections.abc import Mapping

from commands.shapes.of_arena import AuditShape, DoctorShape, LanguagesHere, LedgerShape, Tags
from commands.shapes.of_comparing import ComparisonShape, DuelShape
from commands.shapes.of_experiments import ExperimentsShape, MeasuresOfAll
from commands.shapes.of_matches import Exhibition, ReplayedMatch
from commands.shapes.of_questions import Repeated, RepeatedSeason
from leaderboard.door.shapes.of_acts import Log
from leaderboard.door.shapes.of_limits import AllLimits
from leaderboard.door.shapes.of_messages import Messages
from leaderboard.door.shapes.of_people import People
from leaderboard.door.shapes.of_uploads import UploadShape
from leaderboard.door.shapes.of_visibility import VisibilityShape
from leaderboard.shapes.base import Shape
from leaderboard.shapes.of_bots import Bots
from leaderboard.shapes.of_matches import Matches
from leaderboard.shapes.of_plans import Plan
from leaderboard.shapes.of_rivals import AllGamesShape, VersusShape
from leaderboard.shapes.of_rules import Games
from leaderboard.shapes.of_standings import AllStandings, Standings

PRINTED: Mapping[str, tuple[type[Shape], ...]] = {
    "audit": (AuditShape,),
    "bots": (Bots,),
    "compare": (ComparisonShape,),
    "doctor": (DoctorShape,),
    "duel": (DuelShape,),
    "experiment": (ExperimentsShape, MeasuresOfAll),
    "games": (Games,),
    "languages": (LanguagesHere,),
    "ledger": (LedgerShape,),
    "limits": (AllLimits,),
    "log": (Log,),
    "message": (Messages,),
    "people_list": (People,),
    "plan": (Plan,),
    "play": (Exhibition,),
    "push": (UploadShape,),
    "replay": (Matches, ReplayedMatch),
    "repro": (Repeated, RepeatedSeason),
    "standings": (AllStandings, Standings, VersusShape, AllGamesShape),
    "tag": (Tags,),
    "visibility": (VisibilityShape,),
}
"""What each command prints with `--json`; of several shapes, its options choose one."""

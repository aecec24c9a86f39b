"""Which shapes each command prints."""

from __future__ import annotations

from collections.abc import Mapping

from accounts.entries import AllLimits, Log, Messages, People, Upload, VisibilityShape
from commands.shapes.of_arena import AuditShape, DoctorShape, LanguagesHere, LedgerShape, Tags
from commands.shapes.of_comparing import ComparisonShape, DuelShape
from commands.shapes.of_experiments import ExperimentsShape, MeasuresOfAll
from commands.shapes.of_matches import Exhibition, ReplayedMatch
from commands.shapes.of_questions import Repeated, RepeatedSeason
from leaderboard.bots import Bots
from leaderboard.matches import Matches
from leaderboard.shapes.base import Shape
from leaderboard.shapes.rules import Games
from leaderboard.shapes.seasons import Plan
from leaderboard.shapes.standings import AllStandings, Standings
from leaderboard.versus import AllGames, Versus

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
    "push": (Upload,),
    "replay": (Matches, ReplayedMatch),
    "repro": (Repeated, RepeatedSeason),
    "standings": (AllStandings, Standings, Versus, AllGames),
    "tag": (Tags,),
    "visibility": (VisibilityShape,),
}
"""What each command prints with `--json`; of several shapes, its options choose one."""

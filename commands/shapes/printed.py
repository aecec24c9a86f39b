"""Which shapes each command prints."""

from __future__ import annotations

from collections.abc import Mapping

from accounts.entries import AllLimits, Log, Messages, People, Upload, VisibilityShape
from commands.shapes.of_arena import CollusionCheckShape, DoctorShape, LanguagesHere, LedgerShape
from commands.shapes.of_comparing import ComparisonShape, DuelShape
from commands.shapes.of_experiments import ExperimentsShape, MeasuresOfAll
from commands.shapes.of_matches import Exhibition, ReplayedMatch
from commands.shapes.of_questions import Repeated, RepeatedSeason
from leaderboard.bots import Bots
from leaderboard.matches import Matches
from leaderboard.models import Shape
from leaderboard.plans import Plan
from leaderboard.rules import Games
from leaderboard.standings import Standings
from leaderboard.tournaments import AllStandings
from leaderboard.versus import AllGames, Versus

PRINTED: Mapping[str, tuple[type[Shape], ...]] = {
    "compare": (ComparisonShape, DuelShape),
    "doctor": (DoctorShape,),
    "experiment": (ExperimentsShape, MeasuresOfAll),
    "ledger show": (LedgerShape,),
    "people limits": (AllLimits,),
    "people list": (People,),
    "people message": (Messages,),
    "plan": (Plan,),
    "play": (Exhibition,),
    "push": (Upload,),
    "replay": (Matches, ReplayedMatch),
    "repro": (Repeated, RepeatedSeason),
    "season visibility": (VisibilityShape,),
    "show collusion": (CollusionCheckShape,),
    "show bots": (Bots,),
    "show games": (Games,),
    "show languages": (LanguagesHere,),
    "show log": (Log,),
    "standings": (AllStandings, Standings, Versus, AllGames),
}
"""What each command prints with `--json`; of several shapes, its options choose one."""

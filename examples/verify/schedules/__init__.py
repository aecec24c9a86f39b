"""The formats: who met whom, and the placings that follow from the results."""

from functools import partial

from schedules.contest import contest
from schedules.cut import cut
from schedules.gauntlet import gauntlet
from schedules.knockout import knockout
from schedules.ladder import ladder
from schedules.league import league
from schedules.stages import stages
from schedules.swiss import swiss

STAGES = {
    "contest": contest,
    "league": league,
    "cut": cut,
    "swiss": swiss,
    "knockout": knockout,
}
FORMATS = {
    **STAGES,
    "gauntlet": gauntlet,
    "ladder": ladder,
    "stages": partial(stages, formats=STAGES),
}

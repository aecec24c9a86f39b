"""The formats: who met whom, and the placings that follow from the results."""

from functools import partial

from formats.contest import contest
from formats.cut import cut
from formats.gauntlet import gauntlet
from formats.knockout import knockout
from formats.ladder import ladder
from formats.league import league
from formats.stages import stages
from formats.swiss import swiss

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

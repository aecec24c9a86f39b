"""`operator`, with Python 2's division and order."""

from operator import *  # noqa: F403

from ..arithmetic import div as div
from ..arithmetic import mod as mod
from ..ordering import ge as ge
from ..ordering import gt as gt
from ..ordering import le as le
from ..ordering import lt as lt

"""`operator`, with Python 2's division and order."""

import operator as _now
from operator import *  # noqa: F403

from ..values import div as div
from ..values import ge as ge
from ..values import gt as gt
from ..values import le as le
from ..values import lt as lt
from ..values import mod as mod
from . import rest_of as _rest_of

__getattr__ = _rest_of(_now)

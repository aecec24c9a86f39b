"""`operator`, with Python 2's division and order."""

import operator as _now
from operator import *  # noqa: F403

from ..arithmetic import div as div
from ..arithmetic import mod as mod
from ..ordering import ge as ge
from ..ordering import gt as gt
from ..ordering import le as le
from ..ordering import lt as lt


def __getattr__(name: str) -> object:
    if name.startswith("__"):  # what can be imported by star is what stands here
        raise AttributeError(name)
    return getattr(_now, name)

"""`time`, with the clock of the processor."""

import time as _now
from time import *  # noqa: F403
from time import process_time

clock = process_time


def __getattr__(name: str) -> object:
    if name.startswith("__"):  # what can be imported by star is what stands here
        raise AttributeError(name)
    return getattr(_now, name)

"""`time`, with the clock of the processor."""

import time as _now
from time import *  # noqa: F403
from time import process_time

from . import rest_of as _rest_of

clock = process_time


__getattr__ = _rest_of(_now)

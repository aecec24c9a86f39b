"""`time`, with the clock of the processor."""

from time import *  # noqa: F403
from time import process_time

clock = process_time

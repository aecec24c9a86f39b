"""`os`, with the names that it has lost."""

import os as _now
from os import *  # noqa: F403
from os import getcwd
from os import path as path

getcwdu = getcwd


def __getattr__(name: str) -> object:
    if name.startswith("__"):  # what can be imported by star is what stands here
        raise AttributeError(name)
    return getattr(_now, name)

"""`os`, with the names that it has lost."""

import os as _now
from os import *  # noqa: F403
from os import getcwd
from os import path as path

from . import rest_of as _rest_of

getcwdu = getcwd


__getattr__ = _rest_of(_now)

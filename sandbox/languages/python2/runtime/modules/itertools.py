"""`itertools`, with what became the ordinary functions."""

import itertools as _now
from itertools import *  # noqa: F403
from itertools import filterfalse, zip_longest

izip, imap, ifilter = zip, map, filter
ifilterfalse, izip_longest = filterfalse, zip_longest


def __getattr__(name: str) -> object:
    if name.startswith("__"):  # what can be imported by star is what stands here
        raise AttributeError(name)
    return getattr(_now, name)

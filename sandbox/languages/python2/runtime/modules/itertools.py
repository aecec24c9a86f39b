"""`itertools`, with what became the ordinary functions."""

import itertools as _now
from itertools import *  # noqa: F403
from itertools import filterfalse, zip_longest

from . import rest_of as _rest_of

izip, imap, ifilter = zip, map, filter
ifilterfalse, izip_longest = filterfalse, zip_longest


__getattr__ = _rest_of(_now)

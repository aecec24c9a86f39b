"""`itertools`, with what became the ordinary functions."""

from itertools import *  # noqa: F403
from itertools import filterfalse, zip_longest

izip, imap, ifilter = zip, map, filter
ifilterfalse, izip_longest = filterfalse, zip_longest

"""`operator`, with Python 2's division and order."""

from operator import *  # noqa: F403

from ..arithmetic import div, mod
from ..ordering import ge, gt, le, lt

__all__ = ["div", "ge", "gt", "le", "lt", "mod"]

"""The names that a translated Python 2 program calls where Python 3 would act differently.

It lies beside the bot, as a package of its own, and changes nothing for Python 3's own modules:
what is replaced, is replaced by name in the bot's modules.
"""

from .streams import Printing, begin
from .values import Divisor, Ordered, attr, div, fit, ge, gt, le, lt, mod

__all__ = [
    "Divisor",
    "Ordered",
    "Printing",
    "attr",
    "begin",
    "div",
    "fit",
    "ge",
    "gt",
    "le",
    "lt",
    "mod",
]

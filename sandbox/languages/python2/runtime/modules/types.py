"""`types`, with the names of the built-in types."""

from __future__ import annotations

import types as _now
from types import *  # noqa: F403
from types import FunctionType

from ..builtins import str as _str

BooleanType, IntType, LongType, FloatType, ComplexType = bool, int, int, float, complex
StringType = UnicodeType = _str
StringTypes = (_str,)
ListType, TupleType, DictType, SliceType = list, tuple, dict, slice
DictionaryType = dict
NoneType, TypeType, ObjectType = type(None), type, object
ClassType = InstanceType = object
UnboundMethodType = FunctionType


def __getattr__(name: str) -> object:
    if name.startswith("__"):  # what can be imported by star is what stands here
        raise AttributeError(name)
    return getattr(_now, name)

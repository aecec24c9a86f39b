"""`types`, with the names of the built-in types."""

from __future__ import annotations

import types as _now
from types import *  # noqa: F403
from types import FunctionType

from ..builtins import str as _str
from . import rest_of as _rest_of

BooleanType, IntType, LongType, FloatType, ComplexType = bool, int, int, float, complex
StringType = UnicodeType = _str
StringTypes = (_str,)
ListType, TupleType, DictType, SliceType = list, tuple, dict, slice
DictionaryType = dict
NoneType, TypeType, ObjectType = type(None), type, object
ClassType = InstanceType = object
UnboundMethodType = FunctionType


__getattr__ = _rest_of(_now)

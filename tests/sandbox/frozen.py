"""Sandboxes with control groups."""

from __future__ import annotations

import os

import pytest

from card_arena.sandbox.kernel.cgroups import freezer_below


def can_freeze() -> bool:
    freezer = freezer_below(os.getpid())
    if freezer:
        freezer.remove()
    return freezer is not None


with_groups = pytest.mark.skipif(not can_freeze(), reason="no control groups of version 2 here")

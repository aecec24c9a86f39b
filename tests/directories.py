"""A plugin of pytest: folders are collected as folders, even where there is an `__init__.py`.

The root has one, and pytest would import it once more under the name of the checkout's folder.
"""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_collect_directory(path: Path, parent: pytest.Collector) -> pytest.Collector:
    return pytest.Dir.from_parent(parent, path=path)

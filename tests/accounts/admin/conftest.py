"""Who is in front of the admin pages."""

from __future__ import annotations

import pytest
from flask import Flask

from card_arena.tests.accounts.browser import Browser
from card_arena.tests.accounts.porch import Porch


@pytest.fixture
def ann(app: Flask, porch: Porch) -> Browser:
    """Ann's browser; she is in the team Red alone."""
    browser = Browser(app)
    browser.enter(porch.accounts.new_link("ann@example.org")[1])
    return browser

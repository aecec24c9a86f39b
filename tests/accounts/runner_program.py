"""A runner as a program."""

from __future__ import annotations

RUNNER = """
import sys
from pathlib import Path
import pytest
from card_arena.accounts.submission import Spool
from card_arena.accounts.storage.account_store import AccountStore
from card_arena.results.store import Store
from card_arena.tests.cli.patient import be_patient
from card_arena.tests.tournament.stage import Notes
from card_arena.tournament.intake import Intake
from card_arena.tournament.play.runner import run
url, spool = sys.argv[1:]
be_patient(pytest.MonkeyPatch())
store = Store(url)
run(store, [], Notes(), intake=Intake(store, AccountStore(url), Spool(Path(spool)), print, "bare"))
"""

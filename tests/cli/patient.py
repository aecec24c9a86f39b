"""Clocks that no busy machine exceeds, for bots in whose tests time means nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from card_arena.tournament import exhibition, intake, submissions
from card_arena.tournament.settings import Settings, settings_of

PATIENT = {"clock": {"question": "20s", "start": "60s"}, "limits": {"cpu": "20s"}}
CLOCK = "clock: {question: 20s, start: 60s}\nlimits: {cpu: 20s}\n"
"""The same in a tournament file."""

as_usual = intake.check_upload


def be_patient(patch: pytest.MonkeyPatch) -> None:
    """Give bots more time in examinations, and at tables that no file describes."""
    patch.setattr(submissions, "settings_of", patient)
    patch.setattr(exhibition, "settings_of", patient)
    patch.setattr(intake, "check_upload", check_upload)


def patient(data: Mapping[str, Any]) -> Settings[Any]:
    return settings_of({**PATIENT, **data})


def check_upload(*words: Any) -> intake.CheckedUpload:
    """Examine an upload, perhaps in a worker, where nobody has been told to be patient."""
    with pytest.MonkeyPatch.context() as patch:
        be_patient(patch)
        return as_usual(*words)

"""Read the answers of the API."""

from __future__ import annotations

from typing import Any

from werkzeug.test import TestResponse


def said(answer: TestResponse, status: int = 200) -> Any:
    assert answer.status_code == status, answer.text
    assert answer.mimetype == "application/json"
    assert answer.cache_control.no_store
    return answer.json


def refusal(answer: TestResponse, status: int = 400) -> str:
    return str(said(answer, status)["error"])

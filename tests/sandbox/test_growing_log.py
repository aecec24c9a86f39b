"""A build's log can be heard while it grows."""

from __future__ import annotations

import pytest

from card_arena.sandbox.backends.registry import backend
from card_arena.sandbox.limits import BuildLimits
from card_arena.sandbox.sandbox import BackendMissing, BuildFailed
from card_arena.tests.needs import need

SLOW = ["sh", "-c", "echo first; sleep 1.2; echo second >&2; sleep 1.2; exit 3"]


@pytest.mark.parametrize("kind", ["bare", "bubblewrap"])
def test_what_a_build_says_is_heard_before_it_ends(kind: str):
    if kind == "bubblewrap":
        need("bwrap")
    heard: list[str] = []
    with pytest.raises(BuildFailed) as failed:
        backend(kind).build({}, [SLOW], BuildLimits(), hear=heard.append)
    assert heard[0] == "first\n"
    assert failed.value.log.startswith(heard[-1])
    assert heard == sorted(heard, key=len), "it only grows"


def test_a_log_is_heard_up_to_its_limit(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("card_arena.sandbox.session.build_client.EVERY", 0.05)
    heard: list[str] = []
    loud = ["sh", "-c", "head -c 50000 /dev/zero | tr '\\0' x; sleep 0.5; head -c 9999 /dev/zero"]
    _, log = backend("bare").build({}, [loud], BuildLimits(log=4096), hear=heard.append)
    assert heard[-1] == log
    assert len(log) == 4096


def test_without_a_listener_a_build_is_as_before():
    try:
        _, log = backend("bare").build({}, [["echo", "hello"]], BuildLimits())
    except BackendMissing:
        pytest.skip("no shell here")
    assert log == "hello\n"

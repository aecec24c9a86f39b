"""docs/security.md says which attack tests which guarantee: neither side may know more."""

import re
from fnmatch import fnmatchcase
from pathlib import Path

from card_arena.sandbox.guarantees import GUARANTEES
from card_arena.tests.attacks.corpus import PATHS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text()
ROWS = [line.split(" | ") for line in PAGE.splitlines() if re.match(r"\| .* \| `\w", line)]
PROGRAMS = [path.stem for path in PATHS]
NAMED = [name for _, programs in ROWS for name in re.findall(r"`([\w*]+)`", programs)]


def test_every_attack_stands_for_a_guarantee_on_the_page():
    missing = [p for p in PROGRAMS if not any(fnmatchcase(p, name) for name in NAMED)]
    assert missing == []


def test_the_page_names_no_attack_that_is_not_there():
    stale = [name for name in NAMED if not any(fnmatchcase(p, name) for p in PROGRAMS)]
    assert stale == []


def test_the_page_calls_guarantees_as_the_doctor_does():
    named = {name for each, _ in ROWS for name in re.findall(r"`([a-z]+-[a-z-]+)`", each)}
    assert named <= {*GUARANTEES}
    assert len(named) > 15


def test_the_page_names_no_file_that_is_not_there():
    for name in re.findall(r"`(tests/[\w/]+\.py)`", PAGE):
        assert (ROOT / name).exists(), name

"""That moments are read and written in one place, `common/moments.py`, and nowhere else."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from jinja2 import Environment
from sqlalchemy import create_engine

from card_arena.common.moments import NaiveMoment
from card_arena.leaderboard.web.filters import Times, refuse_bare
from card_arena.results.models import Moment
from card_arena.tests.structure import ROOMS

TOP = Path(__file__).parents[1]
ALONE = TOP / "common" / "moments.py"

DIRECTIVES = re.compile(r"%-?[aAbBcdHIjmMpSTxXyYzZ]")
"""What `strftime` writes a part of a moment for."""

READ_AND_WRITE = {"strftime", "strptime", "isoformat", "fromisoformat", "ctime", "utcnow"}
"""Methods of moments that only `common/moments.py` calls."""

TYPED = {"accounts/settings.py"}
"""What PyYAML has read as a date is put back into text there, to be read by `moments.read`."""


def sources() -> Iterator[tuple[str, ast.AST]]:
    for part in ROOMS:
        for file in (TOP / part).rglob("*.py"):
            parts = file.relative_to(TOP).parts
            if file != ALONE and "python2" not in parts and "inside" not in parts:
                yield "/".join(parts), ast.parse(file.read_text())


def test_only_one_module_reads_and_writes_moments():
    for name, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and name not in TYPED:
                assert node.attr not in READ_AND_WRITE, f"{name}:{node.lineno}: {node.attr}"
            if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
                spec = ast.unparse(node.format_spec)
                assert not DIRECTIVES.search(spec), f"{name}:{node.lineno}: {spec}"
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found = re.search(r"\{[\w.]*:[^{}]*%-?[YmdHMS][^{}]*\}", node.value)
                assert not found, f"{name}:{node.lineno}: {found and found[0]}"


def test_no_moment_is_put_into_the_zone_of_the_machine():
    """`astimezone()` and `astimezone` of a moment without a zone go by the machine's zone."""
    for name, tree in sources():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                assert node.attr != "astimezone" or name == "common/cron.py", (
                    f"{name}:{node.lineno}"
                )
                assert not (
                    node.attr in ("now", "fromtimestamp")
                    and isinstance(node.value, ast.Name)
                    and node.value.id == "datetime"
                    and not _with_zone(tree, node)
                ), f"{name}:{node.lineno}"


def _with_zone(tree: ast.AST, attribute: ast.Attribute) -> bool:
    """Whether a call of `datetime.now` or `datetime.fromtimestamp` names a zone."""
    least = 1 if attribute.attr == "now" else 2
    return any(
        isinstance(call, ast.Call)
        and call.func is attribute
        and len(call.args) + len(call.keywords) >= least
        for call in ast.walk(tree)
    )


def test_no_template_writes_a_moment_itself():
    templates = [file for room in ROOMS for file in (TOP / room).rglob("*.html")]
    assert templates
    for file in templates:
        found = re.search(r"strftime|isoformat|astimezone|\.ctime\(|\"%[YmdH]", file.read_text())
        assert found is None, f"{file}: {found and found[0]}"


def test_a_template_that_writes_a_moment_without_a_filter_fails():
    pages = Environment(finalize=refuse_bare, autoescape=True)
    pages.filters.update(Times("Asia/Kathmandu").filters)
    noon = datetime(2026, 11, 27, 12, tzinfo=UTC)
    with pytest.raises(TypeError, match="writes datetime"):
        pages.from_string("{{ moment }}").render(moment=noon)
    written = pages.from_string("{{ moment|when }}").render(moment=noon)
    assert re.sub("<[^>]+>", "", written) == "Fri 27 Nov 2026, 17:45 Asia/Kathmandu (12:00 UTC)"


def test_no_store_takes_a_moment_without_a_zone():
    dialect = create_engine("sqlite://").dialect
    with pytest.raises(NaiveMoment):
        Moment().process_bind_param(datetime(2026, 11, 27), dialect)

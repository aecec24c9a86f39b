"""What has to be touched to add something to the arena."""

import pytest

from card_arena.tests import touch

PROMISED = {
    "a game": 2,
    "a format": 2,
    "a page": 3,
    "an operation: command, API and form": 2,
    "a resource of the API": 2,
}
"""The most files, besides tests and docs."""


@pytest.mark.timeout(600)
def test_a_toy_of_each_kind_works_and_needs_no_more_files_than_promised():
    assert {kind: len(files) for kind, files in touch.rows()} == PROMISED

"""A scheduler for each file of tests, and hosts that end with the test that wanted them."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from card_arena.tests.needs import need_module

need_module("distributed", "distributed")
need_module("cryptography", "cryptography")

from card_arena.tests.cluster.harness import Cluster, undisturbed  # noqa: E402


@pytest.fixture(scope="module")
def one_cluster() -> Iterator[Cluster]:
    with tempfile.TemporaryDirectory(prefix="arena-cluster-") as folder:
        Path(folder).chmod(0o755)
        cluster = Cluster(Path(folder))
        try:
            yield cluster
        finally:
            cluster.end()


@pytest.fixture
def cluster(one_cluster: Cluster) -> Iterator[Cluster]:
    try:
        yield one_cluster
    finally:
        one_cluster.without_hosts()


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    """The season as nothing disturbed it, on the plain pool."""
    return undisturbed(tmp_path_factory.mktemp("calm"))

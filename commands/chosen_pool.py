"""Where a command plays matches: on this machine, or on the cluster that was named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tournament.play.pool import Pool


@contextmanager
def chosen_pool(
    cluster: str | None, keys: Path, say: Callable[[str], None]
) -> Iterator[Pool | None]:
    """The pool of a cluster; None for this machine, which makes one as it needs it.

    Raises `EngineMissing`, `BadAddress` and `OpenKeys`.
    """
    if not cluster:
        yield None
        return
    from cluster.scheduler import LOCAL, local_cluster  # Dask takes a second to import

    if cluster == LOCAL:
        with local_cluster(say) as pool:
            yield pool
        return
    from cluster.engine import checked_address
    from cluster.pool import ClusterPool

    with ClusterPool(checked_address(cluster), keys, say) as pool:
        yield pool
